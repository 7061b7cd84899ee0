//! A number with what it counts.

use campanile_retrieve::{Value, ValueKind, values};
use campanile_text::Analyzer;

use super::{Form, FormKind, Quoted, terms};
use crate::words::{find, has_one_of, words};

/// Words of a question for money.
const MONEY: &str = "cost|costs|price|pay|fee|fees|charge|charged|deposit|expensive|kostet|kosten|preis|teuer|\
    zahle|zahlen|bezahlen|gebühr|gebühren|set me back|money|rent|grant|salary|earn|stipendium|gehalt";
/// Words of a question for a length of time.
const TIME: &str = "how long|how soon|how much time|how old|wie lange|wie viel zeit|wieviel zeit";

/// The number that answers.
pub(super) fn form(question: &str, quoted: &Quoted<'_>, analyzer: &Analyzer) -> Option<Form> {
    let stem = |word: &str| terms(word, analyzer).into_iter().next();
    let found = values(quoted.words(), &stem);
    let found = found.iter().filter(|value| fits(question, value, analyzer));
    let only = quoted.only(found, |value| value.span)?;
    Some(Form { kind: FormKind::Amount, parts: vec![quoted.part(only.span)] })
}

/// Returns `true` if a value is of the kind that a question asks for.
fn fits(question: &str, value: &Value, analyzer: &Analyzer) -> bool {
    let asked = words(question);
    if matches!(value.kind, ValueKind::Day | ValueKind::Clock) {
        return false;
    }
    if has_one_of(&asked, TIME) {
        return value.kind == ValueKind::Duration;
    }
    let many = ["how many", "wie viele", "wie vielen", "wieviele"];
    if let Some(many) = many.iter().find_map(|phrase| find(&asked, phrase)) {
        let behind = asked.get(many.end).map_or(0, |word| word.span.start as usize);
        let nouns = question.get(behind..).unwrap_or_default();
        return counts(&value.kind, &terms(nouns, analyzer));
    }
    // A question for a sum is not answered with a share, nor with days.
    !has_one_of(&asked, MONEY) || matches!(value.kind, ValueKind::Money(_))
}

/// Returns `true` if a kind of value counts what one of the first two terms behind `how many` names.
fn counts(kind: &ValueKind, nouns: &[String]) -> bool {
    let named = |prefixes: &[&str]| {
        let has = |noun: &String| prefixes.iter().any(|prefix| noun.starts_with(prefix));
        nouns.iter().take(2).any(has)
    };
    match kind {
        ValueKind::Count(noun) => nouns.iter().take(2).any(|it| it == noun),
        ValueKind::Credits => named(&["ect", "credit", "leistungspunkt", "kreditpunkt"]),
        ValueKind::Points => named(&["point", "percentag", "punkt", "prozentpunkt"]),
        ValueKind::Percent => named(&["percent", "per", "prozent"]),
        ValueKind::Duration => named(&[
            "day", "week", "month", "year", "hour", "minut", "tag", "woch", "monat", "jahr",
            "stund",
        ]),
        ValueKind::Money(_) => named(&["euro", "eur", "dollar", "pound", "franken"]),
        ValueKind::Day | ValueKind::Clock => false,
    }
}
