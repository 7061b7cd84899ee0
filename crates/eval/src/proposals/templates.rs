//! Templates that questions are made from: a heading, and sentences that define something, or state a date, an amount or an
//! address. Those for tables are in [`rows`](super::rows).

use campanile_questions::{QuestionKind, on_one_line};
use campanile_text::sentences;

use super::words::{Pattern, in_the_middle, part, says_something, subject, word_count};
use super::{Draft, SourcePassage, Template, rows};

/// All that the templates find in a passage, in the order of its text within each template.
pub(super) fn drafts(passage: &SourcePassage) -> Vec<Draft> {
    let mut found = rows::from_rows(passage);
    found.extend(rows::from_labels(passage));
    found.extend(rows::from_neighbours(passage));
    for sentence in prose(passage) {
        let made = [
            from_definition(sentence),
            from_date(sentence),
            from_amount(sentence),
            from_contact(passage, sentence),
        ];
        found.extend(made.into_iter().flatten());
    }
    found.extend(from_heading(passage));
    found
}

/// The sentences that are no rows of tables.
pub(super) fn prose(passage: &SourcePassage) -> impl Iterator<Item = &str> {
    let is_row = |sentence: &str| {
        passage.rows.iter().any(|row| row.line.contains(sentence) || sentence.contains(&row.line))
    };
    let spans = sentences(&passage.text).into_iter();
    spans.filter_map(|span| span.slice(&passage.text)).filter(move |sentence| !is_row(sentence))
}

/// A question about one fact, answered by a sentence.
pub(super) fn fact(
    template: Template,
    question: String,
    answer: &str,
    sentence: &str,
    subject: Option<String>,
) -> Draft {
    Draft {
        template,
        question,
        answer: answer.trim().to_owned(),
        kind: QuestionKind::Factual,
        evidence: vec![sentence.to_owned()],
        subject,
    }
}

/// Every pattern of the templates, for the test that compiles them.
#[cfg(test)]
pub(super) fn patterns() -> Vec<&'static super::words::Pattern> {
    let mut all = vec![&IS_A, &MEANS, &rows::LABEL];
    all.extend([&HAPPENS, &HAS_TO_BE, &COSTS, &LASTS, &COUNTS]);
    all.extend([&EMAIL, &TELEPHONE, &rows::NUMBER]);
    all
}

/// A first sentence of fewer words says nothing by itself.
const LEAST_WORDS: usize = 6;
const MOST_HEADING_WORDS: usize = 60;

fn from_heading(passage: &SourcePassage) -> Option<Draft> {
    let heading = passage.heading().filter(|it| it.ends_with('?') || says_something(it))?;
    let first = sentences(&passage.text).first().and_then(|span| span.slice(&passage.text))?;
    let is_row = passage.rows.iter().any(|row| row.line.contains(first));
    if is_row || !(LEAST_WORDS..=MOST_HEADING_WORDS).contains(&word_count(first)) {
        return None;
    }
    let question = match heading.ends_with('?') {
        true => heading.to_owned(),
        false => format!("What does “{}” say about {}?", passage.title, in_the_middle(heading)),
    };
    let draft = fact(Template::Heading, question, first, first, None);
    Some(Draft { kind: QuestionKind::Descriptive, ..draft })
}

/// Shorter answers say too little, longer ones are no definition.
const ANSWER_WORDS: std::ops::RangeInclusive<usize> = 3..=40;

static IS_A: Pattern = Pattern::new(
    r"^(?<subject>[A-Z][^.;:!?]{1,60}?) (?<verb>is|are) (?<answer>(?:an? |the |one of )[^:?]+?)\.?$",
);
static MEANS: Pattern = Pattern::new(
    r"^(?<subject>[A-Z][^.;:!?]{1,60}?) (?<verb>means|refers to|stands for|denotes) (?<answer>[^:?]+?)\.?$",
);

fn from_definition(sentence: &str) -> Option<Draft> {
    let sentence = on_one_line(sentence);
    let (question, answer, about) = if let Some(found) = IS_A.captures(&sentence) {
        let about = subject(part(&found, "subject"))?;
        (
            format!("What {} {about}?", part(&found, "verb")),
            part(&found, "answer").to_owned(),
            about,
        )
    } else {
        let found = MEANS.captures(&sentence)?;
        let about = subject(part(&found, "subject"))?;
        let question = match part(&found, "verb") {
            "refers to" => format!("What does {about} refer to?"),
            "stands for" => format!("What does {about} stand for?"),
            "denotes" => format!("What does {about} denote?"),
            _ => format!("What does {about} mean?"),
        };
        (question, part(&found, "answer").to_owned(), about)
    };
    if !ANSWER_WORDS.contains(&word_count(&answer)) {
        return None;
    }
    let draft = fact(Template::Definition, question, &answer, &sentence, Some(about));
    Some(Draft { kind: QuestionKind::Descriptive, ..draft })
}

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

static HAPPENS: Pattern = Pattern::new(concat!(
    r"^(?<subject>[A-Z][^,;:!?]{2,80}?) (?:now |also |always )?(?<verb>closes?|opens?|starts?|begins?|ends?|expires?|finish(?:es)?|takes? place|falls?|(?:is|are) (?:due|open|closed|held|available)) (?:now |again |late |early )?(?:on |by |until |from |before )?(?<day>",
    day!(),
    r")"
));
static HAS_TO_BE: Pattern = Pattern::new(concat!(
    r"^(?<subject>[A-Z][^,;:!?]{2,80}?) (?<must>must|should|can|may|has to|have to|is to|are to) be (?<done>[a-z]+(?: (?:in|up|out|online|back))?) (?:on|by|until|before|from) (?<day>",
    day!(),
    r")"
));

fn from_date(sentence: &str) -> Option<Draft> {
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

macro_rules! number {
    () => {
        r"(?:\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety)"
    };
}

static COSTS: Pattern = Pattern::new(concat!(
    r"^(?<subject>[A-Z][^,;:!?]{2,80}?) (?<verb>costs?|is|are) (?:only |about |now )?(?<amount>(?:[€$£] ?\d[\d.,]*\d|[€$£] ?\d|",
    number!(),
    r" ?(?:€|euros?|EUR|dollars?|USD|pounds?|CHF|francs?)))"
));
static LASTS: Pattern = Pattern::new(concat!(
    r"^(?<subject>[A-Z][^,;:!?]{2,80}?) (?<verb>lasts|takes?|runs for|run for) (?:about |at least |at most |up to )?(?<amount>",
    number!(),
    r" (?:minutes?|hours?|(?:working )?days?|weeks?|months?|years?|semesters?|terms?))"
));
pub(super) static COUNTS: Pattern = Pattern::new(concat!(
    r"^(?<subject>[A-Z][^,;:!?]{2,80}?) (?<verb>carries|carry|gives?|has|have|requires?|needs?|comprises?|includes?|loses?|earns?) (?:about |at least |at most |up to |only )?(?<amount>",
    number!(),
    r" (?<unit>(?:[a-z]+ )?(?:ECTS|credits?|credit points?|points?|units?|hours?|per cent|percent|places|seats|weeks?|days?|pages?|words|members|copies|modules|courses|sessions)))\b"
));

/// A question about a subject, with the sentence's verb and the amount's unit.
type Asking = fn(&str, &str, &str) -> String;

fn from_amount(sentence: &str) -> Option<Draft> {
    let sentence = on_one_line(sentence);
    let makers: [(&Pattern, Asking); 3] =
        [(&COSTS, how_much), (&LASTS, how_long), (&COUNTS, how_many)];
    makers.into_iter().find_map(|(pattern, question)| {
        let found = pattern.captures(&sentence)?;
        let about = subject(part(&found, "subject"))?;
        let unit = found.name("unit").map_or("", |unit| unit.as_str());
        let question = question(&about, part(&found, "verb"), unit);
        Some(fact(Template::Amount, question, part(&found, "amount"), &sentence, Some(about)))
    })
}

fn how_much(about: &str, verb: &str, _: &str) -> String {
    match verb {
        "costs" => format!("How much does {about} cost?"),
        "cost" => format!("How much do {about} cost?"),
        is => format!("How much {is} {about}?"),
    }
}

fn how_long(about: &str, verb: &str, _: &str) -> String {
    match verb {
        "lasts" => format!("How long does {about} last?"),
        "takes" => format!("How long does {about} take?"),
        "runs for" => format!("How long does {about} run?"),
        "run for" => format!("How long do {about} run?"),
        plain => format!("How long do {about} {plain}?"),
    }
}

fn how_many(about: &str, verb: &str, unit: &str) -> String {
    let of = match unit {
        "per cent" | "percent" => "What percentage".to_owned(),
        unit if unit.ends_with('s') || unit == "ECTS" => format!("How many {unit}"),
        unit => format!("How many {unit}s"),
    };
    let plain = match verb {
        "carries" => "carry",
        "has" => "have",
        verb => verb.strip_suffix('s').unwrap_or(verb),
    };
    let is_singular = verb == "has" || verb.ends_with('s');
    format!("{of} {} {about} {plain}?", if is_singular { "does" } else { "do" })
}

static EMAIL: Pattern =
    Pattern::new(r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}");
static TELEPHONE: Pattern = Pattern::new(
    r"(?i)\b(?:tel(?:ephone)?|phone|call)\b[^\d+(]{0,12}(?<number>[+(]?\d[\d ()/.-]{5,18}\d)",
);

pub(super) fn from_contact(passage: &SourcePassage, sentence: &str) -> Option<Draft> {
    let sentence = on_one_line(sentence);
    let about =
        passage.heading().filter(|heading| says_something(heading)).unwrap_or(&passage.title);
    let (question, answer) = match (EMAIL.find(&sentence), TELEPHONE.captures(&sentence)) {
        (Some(email), _) => {
            (format!("Which e-mail address is given for {about}?"), email.to_owned())
        }
        (None, Some(found)) => {
            let number = found.name("number")?.as_str().to_owned();
            (format!("Which telephone number is given for {about}?"), number)
        }
        (None, None) => return None,
    };
    Some(fact(Template::Contact, question, &answer, &sentence, Some(about.to_owned())))
}
