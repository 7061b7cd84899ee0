//! Addresses and telephone numbers.

use super::super::words::{Pattern, on_one_line, says_something};
use super::{Draft, SourcePassage, Template, fact};

pub(super) static EMAIL: Pattern =
    Pattern::new(r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}");
pub(super) static TELEPHONE: Pattern = Pattern::new(
    r"(?i)\b(?:tel(?:ephone)?|phone|call)\b[^\d+(]{0,12}(?<number>[+(]?\d[\d ()/.-]{5,18}\d)",
);

pub(super) fn draft(passage: &SourcePassage, sentence: &str) -> Option<Draft> {
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
