//! Which editions of a document a question may find.
//!
//! Where a newer edition has taken a document's place, readers want the newer one, unless they name
//! a year that the older one holds for.

use std::collections::BTreeSet;

use campanile_bundle::{DocumentId, DocumentsHead};

/// The years that a question names: `2023`, and both of `2023-24`, `2023/2024`.
pub(crate) fn years(question: &str) -> BTreeSet<u16> {
    let bytes = question.as_bytes();
    let mut found = BTreeSet::new();
    let mut place = 0;
    while place < bytes.len() {
        let digits = bytes.iter().skip(place).take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 {
            place += 1;
            continue;
        }
        if let Some(year) = (digits == 4).then(|| year(question, place)).flatten() {
            found.insert(year);
            found.extend(second_year(question, place + digits, year));
        }
        place += digits;
    }
    found
}

fn year(question: &str, place: usize) -> Option<u16> {
    let year = question.get(place..place + 4)?.parse().ok()?;
    (1900..2100).contains(&year).then_some(year)
}

/// The `24` of `2023-24`, as a year.
fn second_year(question: &str, place: usize, first: u16) -> Option<u16> {
    let rest = question.get(place..)?;
    let rest = rest.strip_prefix(['-', '/', '–'])?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    let second: u16 = digits.parse().ok()?;
    (digits.len() == 2 && second == (first + 1) % 100).then_some(first + 1)
}

/// Returns `true` if no newer edition has taken a document's place, or if the question names a year that
/// the document holds for.
pub(crate) fn is_current(
    head: &DocumentsHead,
    document: DocumentId,
    years: &BTreeSet<u16>,
) -> bool {
    head.older_edition(document).is_none_or(|older| {
        // An edition that says nothing of its years may hold for any.
        let unknown = older.years.is_empty() && !years.is_empty();
        unknown || older.years.iter().any(|year| years.contains(year))
    })
}

#[cfg(test)]
mod tests {
    use super::years;

    #[test]
    fn years_are_read_from_questions() {
        let cases: &[(&str, &[u16])] = &[
            ("What did the 2019 handbook say?", &[2019]),
            ("calendar 2023-24, please", &[2023, 2024]),
            ("2023/24 or 2023–24", &[2023, 2024]),
            ("2023-2024", &[2023, 2024]),
            ("WS2024", &[2024]),
            ("2019-47", &[2019]),
            ("room 12345, phone 0951 2022334, 1066, 3000", &[]),
            ("", &[]),
        ];
        for (question, expected) in cases {
            assert_eq!(years(question).into_iter().collect::<Vec<_>>(), *expected, "{question}");
        }
    }
}
