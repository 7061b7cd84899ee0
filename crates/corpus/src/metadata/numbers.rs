//! Years of study and semesters: small numbers that students count from 1.

use super::runs::{Listed, Run};

/// Years of study, or semesters.
pub type Numbers = Listed<Run<u8>>;

/// Why a number cannot be understood; the text is what was expected.
pub(crate) const EXPECTED: &str =
    "it must be a number from 1 to 99 (3) or a run of them (\"1-2\", \"5+\", \"until 4\")";

impl Numbers {
    /// Reads numbers as people write them; everybody, where one is `*`.
    ///
    /// # Errors
    /// The first that is neither a number from 1 to 99 nor a run of such.
    pub fn read<'a>(texts: impl IntoIterator<Item = &'a str>) -> Result<Self, String> {
        Self::read_with(texts, run)
    }

    /// Returns `true` if a number is among these.
    pub fn lists(&self, number: u8) -> bool {
        self.listed().iter().any(|run| run.includes(&Run::one(number)))
    }
}

/// Reads one number or run; `None` for all else, and for runs that end before they begin.
fn run(text: &str) -> Option<Run<u8>> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some(number) = number(&text) {
        return Some(Run::one(number));
    }
    let from = text.strip_suffix('+').or_else(|| text.strip_suffix(" and later"));
    if let Some(from) = from.or_else(|| text.strip_prefix("from ")).and_then(number) {
        return Some(Run::starting(from));
    }
    let until = text.strip_prefix("until ").or_else(|| text.strip_prefix("up to "));
    if let Some(until) = until.and_then(number) {
        return Some(Run::ending(until));
    }
    let (from, until) = text.split_once(" to ").or_else(|| text.split_once(['-', '–']))?;
    Run::between(number(from)?, number(until)?)
}

fn number(text: &str) -> Option<u8> {
    let text = text.trim();
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    is_number.then(|| text.parse().ok()).flatten().filter(|number| (1..=99).contains(number))
}
