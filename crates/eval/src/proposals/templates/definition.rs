//! "X is a Y", "X means Y".

use campanile_questions::QuestionKind;

use super::super::words::{Pattern, on_one_line, part, subject, word_count};
use super::{Draft, Template, fact};

/// Shorter answers say too little, longer ones are no definition.
const ANSWER_WORDS: std::ops::RangeInclusive<usize> = 3..=40;

pub(super) static IS_A: Pattern = Pattern::new(
    r"^(?<subject>[A-Z][^.;:!?]{1,60}?) (?<verb>is|are) (?<answer>(?:an? |the |one of )[^:?]+?)\.?$",
);
pub(super) static MEANS: Pattern = Pattern::new(
    r"^(?<subject>[A-Z][^.;:!?]{1,60}?) (?<verb>means|refers to|stands for|denotes) (?<answer>[^:?]+?)\.?$",
);

pub(super) fn draft(sentence: &str) -> Option<Draft> {
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
