//! Sentences that say how much, how many or how long.

use super::super::words::{Pattern, on_one_line, part, subject};
use super::{Draft, Template, fact};

macro_rules! number {
    () => {
        r"(?:\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety)"
    };
}

pub(super) static COSTS: Pattern = Pattern::new(concat!(
    r"^(?<subject>[A-Z][^,;:!?]{2,80}?) (?<verb>costs?|is|are) (?:only |about |now )?(?<amount>(?:[€$£] ?\d[\d.,]*\d|[€$£] ?\d|",
    number!(),
    r" ?(?:€|euros?|EUR|dollars?|USD|pounds?|CHF|francs?)))"
));
pub(super) static LASTS: Pattern = Pattern::new(concat!(
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

pub(super) fn draft(sentence: &str) -> Option<Draft> {
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
