//! Sentences that say when something happens or has to be done.

use super::super::words::{Pattern, on_one_line, part, subject};
use super::{Draft, Template, fact};

/// A day, with its weekday, year and time where they are given.
macro_rules! day {
    () => {
        r"(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,? (?:the )?)?(?:\d{4}-\d{2}-\d{2}|\d{1,2}\.\d{1,2}\.\d{4}|\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:January|February|March|April|May|June|July|August|September|October|November|December)(?: \d{4})?|(?:January|February|March|April|May|June|July|August|September|October|November|December) \d{1,2}(?:st|nd|rd|th)?(?:, \d{4})?)(?:,? at (?:\d{1,2}(?:[:.]\d{2})?(?: ?[ap]\.?m\.?)?|noon|midnight))?"
    };
}

/// Verbs with how they stand after "does".
const VERBS: [(&str, &str); 9] = [
    ("closes", "close"),
    ("opens", "open"),
    ("starts", "start"),
    ("begins", "begin"),
    ("ends", "end"),
    ("expires", "expire"),
    ("finishes", "finish"),
    ("takes place", "take place"),
    ("falls", "fall"),
];

pub(super) static HAPPENS: Pattern = Pattern::new(concat!(
    r"^(?<subject>[A-Z][^,;:!?]{2,80}?) (?:now |also |always )?(?<verb>closes?|opens?|starts?|begins?|ends?|expires?|finish(?:es)?|takes? place|falls?|(?:is|are) (?:due|open|closed|held|available)) (?:now |again |late |early )?(?:on |by |until |from |before )?(?<day>",
    day!(),
    r")"
));
pub(super) static HAS_TO_BE: Pattern = Pattern::new(concat!(
    r"^(?<subject>[A-Z][^,;:!?]{2,80}?) (?<must>must|should|can|may|has to|have to|is to|are to) be (?<done>[a-z]+(?: (?:in|up|out|online|back))?) (?:on|by|until|before|from) (?<day>",
    day!(),
    r")"
));

pub(super) fn draft(sentence: &str) -> Option<Draft> {
    let sentence = on_one_line(sentence);
    let (found, question, about) = if let Some(found) = HAS_TO_BE.captures(&sentence) {
        let about = subject(part(&found, "subject"))?;
        let done = part(&found, "done");
        let question = match part(&found, "must") {
            "has to" | "is to" => format!("By when does {about} have to be {done}?"),
            "have to" | "are to" => format!("By when do {about} have to be {done}?"),
            must => format!("By when {must} {about} be {done}?"),
        };
        (found, question, about)
    } else {
        let found = HAPPENS.captures(&sentence)?;
        let about = subject(part(&found, "subject"))?;
        let question = when(&about, part(&found, "verb"));
        (found, question, about)
    };
    Some(fact(Template::Date, question, part(&found, "day"), &sentence, Some(about)))
}

/// "When is X due?", "When does X close?", "When do Xs close?"
fn when(about: &str, verb: &str) -> String {
    if let Some((is, state)) = verb.split_once(' ').filter(|(is, _)| matches!(*is, "is" | "are")) {
        return format!("When {is} {about} {state}?");
    }
    match VERBS.iter().find(|(singular, _)| *singular == verb) {
        Some((_, plain)) => format!("When does {about} {plain}?"),
        None => format!("When do {about} {verb}?"),
    }
}
