use super::introduced::abbreviates;
use super::{Introduced, is_short_form};

/// Words and signs that may stand between a short form and its meaning in a line of a glossary.
const SEPARATORS: [&str; 6] = [" stands for ", " steht für ", ": ", " – ", " — ", " - "];

/// The longest meaning, in words: what is longer explains rather than spells out.
const MOST_WORDS: usize = 7;

/// The abbreviations that lines of a glossary explain: "DPO: Data Protection Officer", also as a
/// list item or with a dash, where the meaning's words spell the short form.
///
/// ```
/// use campanile_corpus::{Introduced, glossary};
///
/// let found = glossary("WEN: Water Engineering\nNote: bring a pen");
/// assert_eq!(found, [Introduced { short: "WEN", long: "Water Engineering" }]);
/// ```
pub fn glossary(text: &str) -> Vec<Introduced<'_>> {
    text.lines().filter_map(entry).collect()
}

fn entry(line: &str) -> Option<Introduced<'_>> {
    let line = line.trim().trim_start_matches(['-', '*', '•', '·']).trim_start();
    let (short, long) = SEPARATORS.iter().find_map(|separator| line.split_once(separator))?;
    let (short, long) = (short.trim(), long.trim().trim_end_matches('.'));
    let words = long.split_whitespace().count();
    let in_capitals = short.chars().all(|letter| !letter.is_lowercase());
    // Digits make a course code or a room of it.
    let is_plain = short.chars().all(char::is_alphabetic) && !long.contains(char::is_numeric);
    (is_short_form(short)
        && in_capitals
        && is_plain
        && (2..=MOST_WORDS).contains(&words)
        && abbreviates(short, long))
    .then_some(Introduced { short, long })
}

#[cfg(test)]
mod tests {
    use super::glossary;

    #[test]
    fn lines_of_a_glossary_are_told_from_others() {
        let cases: &[(&str, Option<(&str, &str)>)] = &[
            ("DPO: Data Protection Officer", Some(("DPO", "Data Protection Officer"))),
            ("- DPO – Data Protection Officer.", Some(("DPO", "Data Protection Officer"))),
            ("DPO stands for Data Protection Officer.", Some(("DPO", "Data Protection Officer"))),
            ("CS101: Computing for all", None),
            ("NOTE: Bring a pen", None),
            ("Dean: Dr Ode", None),
            ("ECTS: Each module has five", None),
            ("ECTS: Each module has 5", None),
            ("OFFICE: Open on Mondays from ten to twelve, on Fridays never", None),
            ("", None),
        ];
        for (line, expected) in cases {
            let found = glossary(line).first().map(|found| (found.short, found.long));
            assert_eq!(found, *expected, "{line}");
        }
    }
}
