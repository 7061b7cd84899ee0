//! The words by which texts differ that read alike.

use crate::facts::{bare, facts};

/// Returns the tokens that two duplicates must share, in their order: facts, names, and the words below.
pub(super) fn protected(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut begins_sentence = true;
    for word in text.split_whitespace() {
        if facts(word).is_empty() {
            // Signs that join words hide none of them: "Mon/Wed", "not-for-credit".
            let parts = word.split(|letter: char| !letter.is_alphanumeric() && letter != '\'');
            for part in parts.filter(|part| !part.is_empty()) {
                let lower = part.to_lowercase();
                if WORDS.contains(&lower.as_str()) || is_name(part, begins_sentence) {
                    found.push(lower);
                }
                begins_sentence = false;
            }
        } else {
            found.push(bare(word).to_lowercase());
        }
        begins_sentence = word.ends_with(['.', '!', '?', ':', ';', '…']);
    }
    found
}

/// A word with a capital that no sentence gave it, or in capitals.
fn is_name(word: &str, begins_sentence: bool) -> bool {
    let mut letters = word.chars();
    let has_capital = letters.next().is_some_and(char::is_uppercase);
    let is_code = word.chars().count() > 1 && letters.all(char::is_uppercase);
    has_capital && (is_code || !begins_sentence)
}

/// Numbers, days, months, seasons, and words that turn a rule around.
const WORDS: &[&str] = &[
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "fifteen",
    "twenty",
    "thirty",
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "once",
    "twice",
    "half",
    "zwei",
    "drei",
    "vier",
    "fünf",
    "sechs",
    "sieben",
    "acht",
    "neun",
    "zehn",
    "elf",
    "zwölf",
    "erste",
    "ersten",
    "erster",
    "zweite",
    "zweiten",
    "zweiter",
    "dritte",
    "dritten",
    "einmal",
    "zweimal",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "mon",
    "tue",
    "wed",
    "thu",
    "fri",
    "sat",
    "sun",
    "montag",
    "dienstag",
    "mittwoch",
    "donnerstag",
    "freitag",
    "samstag",
    "sonntag",
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "jan",
    "feb",
    "mar",
    "apr",
    "jun",
    "jul",
    "aug",
    "sep",
    "sept",
    "oct",
    "nov",
    "dec",
    "januar",
    "februar",
    "märz",
    "mai",
    "juni",
    "juli",
    "oktober",
    "dezember",
    "fall",
    "autumn",
    "winter",
    "spring",
    "summer",
    "wintersemester",
    "sommersemester",
    "bachelor",
    "master",
    "phd",
    "doctoral",
    "undergraduate",
    "graduate",
    "part",
    "full",
    "not",
    "no",
    "never",
    "none",
    "without",
    "except",
    "unless",
    "cannot",
    "don't",
    "doesn't",
    "isn't",
    "aren't",
    "can't",
    "won't",
    "mustn't",
    "must",
    "nicht",
    "kein",
    "keine",
    "keinen",
    "keiner",
    "nie",
    "niemals",
    "ohne",
    "außer",
    "muss",
    "müssen",
    "kann",
    "können",
    "darf",
    "dürfen",
];
