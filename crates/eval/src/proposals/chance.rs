//! Choices by chance, the same for the same seed: which passages are drawn, and what takes the place of a subject in an
//! unanswerable question.

use campanile_questions::{Category, Question, folded};
use rand_pcg::Pcg32;
use rand_pcg::rand_core::Rng as _;

use super::words::Pattern;
use super::{Draft, SourcePassage, Template};

/// The stream of the generator: any number, and always the same.
const STREAM: u64 = 0x1717;

/// Chances from PCG-XSH-RR 64/32 (O'Neill 2014), the same on every machine.
pub(super) struct Chances(Pcg32);

impl Chances {
    pub(super) fn new(seed: u64) -> Self {
        Self(Pcg32::new(seed, STREAM))
    }

    /// A number below `count`, each as likely; 0 where `count` is.
    pub(super) fn below(&mut self, count: usize) -> usize {
        let count = u32::try_from(count).unwrap_or(u32::MAX).max(1);
        // Lemire, "Fast random integer generation in an interval" (2019).
        let least = count.wrapping_neg() % count;
        loop {
            let product = u64::from(self.0.next_u32()) * u64::from(count);
            if product & u64::from(u32::MAX) >= u64::from(least) {
                return usize::try_from(product >> 32).unwrap_or_default();
            }
        }
    }
}

/// `count` of the numbers below `total`, each subset as likely (Fisher and Yates), in the order
/// drawn; all of them, where there are no more.
///
/// ```
/// use campanile_eval::proposals::sample;
///
/// let drawn = sample(1_000, 5, 7);
/// assert_eq!(drawn, sample(1_000, 5, 7));
/// assert_ne!(drawn, sample(1_000, 5, 8));
/// assert_eq!(sample(3, 10, 7).len(), 3);
/// ```
pub fn sample(total: u32, count: usize, seed: u64) -> Vec<u32> {
    let mut chances = Chances::new(seed);
    let mut order: Vec<u32> = (0..total).collect();
    for place in 0..order.len().min(count) {
        let other = place + chances.below(order.len() - place);
        order.swap(place, other);
    }
    order.truncate(count);
    order
}

/// Other codes that are tried, and years that are looked ahead, before a stand-in is taken.
const TRIES: usize = 40;

/// Things that a university may have, and most have not: with the word that decides.
const STAND_INS: [(&str, &str); 16] = [
    ("the planetarium", "planetarium"),
    ("the Institute of Volcanology", "volcanology"),
    ("the falconry course", "falconry"),
    ("the beekeeping certificate", "beekeeping"),
    ("the Department of Egyptology", "egyptology"),
    ("the hovercraft permit", "hovercraft"),
    ("the glassblowing workshop", "glassblowing"),
    ("the carillon practice room", "carillon"),
    ("the Papyrology Reading Group", "papyrology"),
    ("the ice rink", "rink"),
    ("the Centre for Speleology", "speleology"),
    ("the harpsichord rental", "harpsichord"),
    ("the sundial collection", "sundial"),
    ("the fencing hall", "fencing"),
    ("the Malacology Museum", "malacology"),
    ("the greenhouse keycard", "greenhouse"),
];

static CODE: Pattern = Pattern::new(r"\b(?<letters>[A-Z]{2,5})(?<gap>[ -]?)(?<digits>\d{2,4})\b");
static YEAR: Pattern = Pattern::new(r"\b(?:19|20)\d{2}\b");

/// The question with its subject swapped; `knows` says whether the index holds a word or a code.
pub(super) fn swapped(
    draft: &Draft,
    passage: &SourcePassage,
    chances: &mut Chances,
    knows: &mut dyn FnMut(&str) -> bool,
) -> Option<(Draft, Question)> {
    let subject = draft.subject.as_deref()?;
    let (stand_in, unknown) = code(subject, chances, knows)
        .or_else(|| year(subject, knows))
        .or_else(|| other(chances, knows))?;
    let text = draft.question.replacen(subject, &stand_in, 1).replace("the the ", "the ");
    if folded(&text) == folded(&draft.question) || passage.text.contains(&unknown) {
        return None;
    }
    let mut question = Question::new("", &text, Category::Unanswerable);
    question.kind = Some(draft.kind);
    question.reason = Some(format!("no document mentions “{unknown}”"));
    question.reviewed = false;
    let swapped = Draft { template: Template::Swap, question: text, ..draft.clone() };
    Some((swapped, question))
}

/// Another number after the same letters: `WEN210` becomes `WEN285`.
fn code(
    subject: &str,
    chances: &mut Chances,
    knows: &mut dyn FnMut(&str) -> bool,
) -> Option<(String, String)> {
    let found = CODE.captures(subject)?;
    let digits = found.name("digits")?.as_str();
    for _ in 0..TRIES {
        let number: String = digits
            .chars()
            .enumerate()
            // A course's first digit is its level, and none begins with 0.
            .map(|(place, digit)| match place {
                0 => digit,
                _ => char::from_digit(u32::try_from(chances.below(10)).unwrap_or_default(), 10)
                    .unwrap_or(digit),
            })
            .collect();
        let code = format!("{}{}{number}", &found["letters"], &found["gap"]);
        if !knows(&code) {
            return Some((subject.replacen(&found[0], &code, 1), code));
        }
    }
    None
}

/// A year that no document mentions.
fn year(subject: &str, knows: &mut dyn FnMut(&str) -> bool) -> Option<(String, String)> {
    let found = YEAR.find(subject)?;
    let year: usize = found.parse().ok()?;
    let other = (year + 3..year + TRIES).map(|year| year.to_string()).find(|year| !knows(year))?;
    Some((subject.replacen(found, &other, 1), other))
}

/// Something else altogether.
fn other(chances: &mut Chances, knows: &mut dyn FnMut(&str) -> bool) -> Option<(String, String)> {
    let first = chances.below(STAND_INS.len());
    let in_turn = STAND_INS.iter().cycle().skip(first).take(STAND_INS.len());
    let (name, word) = in_turn.into_iter().find(|(_, word)| !knows(word))?;
    Some(((*name).to_owned(), (*word).to_owned()))
}

#[cfg(test)]
pub(super) fn patterns() -> [&'static Pattern; 2] {
    [&CODE, &YEAR]
}
