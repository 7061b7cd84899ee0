//! A printed table of contents.
//!
//! It is left out of the text: its lines repeat every heading beside a number, so a search would
//! find them before the sections they name. But they say what is a heading.

use super::text::Part;

/// Fewer lines in a row are no table of contents.
const FEWEST: usize = 3;

/// The headings that the document's own table of contents names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Contents {
    /// The headings, folded by [`folded`], in their order.
    pub(super) titles: Vec<String>,
    /// The number of lines that were left out.
    pub(super) lines: usize,
}

/// The heading that a line of a table of contents names, and the page it gives: words, dots,
/// number.
pub(super) fn entry(text: &str) -> Option<(&str, u32)> {
    let text = text.trim_end();
    let rest = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let page = text.get(rest.len()..)?.parse().ok()?;
    let is_leader = |c: char| matches!(c, '.' | '…' | '·' | '_') || c.is_whitespace();
    let title = rest.trim_end_matches(is_leader);
    let leader = rest.get(title.len()..)?;
    let dots: usize =
        leader.chars().map(|c| if c == '…' { 3 } else { usize::from(!c.is_whitespace()) }).sum();
    (dots >= 4 && !title.is_empty()).then_some((title.trim(), page))
}

/// A line that ends in a number, as a table of contents without dots has them.
fn plain_entry(text: &str) -> Option<(&str, u32)> {
    let (title, page) = text.trim_end().rsplit_once(char::is_whitespace)?;
    let is_page = page.len() <= 4 && page.bytes().all(|byte| byte.is_ascii_digit());
    let page = page.parse().ok().filter(|_| is_page)?;
    title.contains(char::is_alphabetic).then_some((title.trim(), page))
}

/// Letters and digits alone, in lower case: to compare headings that are written differently.
pub(super) fn folded(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

pub(super) fn names_contents(text: &str) -> bool {
    matches!(
        folded(text).as_str(),
        "inhalt"
            | "inhaltsverzeichnis"
            | "inhaltsübersicht"
            | "contents"
            | "tableofcontents"
            | "gliederung"
    )
}

/// Takes the table of contents out of the text.
pub(super) fn take(parts: &mut Vec<Part>) -> Contents {
    let mut contents = Contents::default();
    let mut index = 0;
    while index < parts.len() {
        let heading = text_at(parts, index).is_some_and(names_contents);
        let start = index + usize::from(heading);
        let dotted = run(parts, start, entry);
        let plain = if heading { run(parts, start, plain_entry) } else { Vec::new() };
        let found = if plain.len() > dotted.len() { plain } else { dotted };
        if found.len() < FEWEST {
            index += 1;
            continue;
        }
        let end = start + found.len();
        contents.titles.extend(found);
        contents.lines += end - index;
        parts.drain(index..end);
    }
    contents
}

/// The titles of the entries that follow one another from `start`, their pages in order.
fn run(parts: &[Part], start: usize, entry: fn(&str) -> Option<(&str, u32)>) -> Vec<String> {
    let mut titles = Vec::new();
    let mut last = 0;
    while let Some((title, page)) = text_at(parts, start + titles.len()).and_then(entry) {
        if page < last {
            break;
        }
        last = page;
        titles.push(folded(title));
    }
    titles
}

fn text_at(parts: &[Part], index: usize) -> Option<&str> {
    match parts.get(index)? {
        Part::Paragraph(paragraph) => Some(&paragraph.text.text),
        Part::Table(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{entry, folded, plain_entry};

    #[test]
    fn entries_name_a_heading_and_a_page() {
        let cases = [
            ("§ 4 Studiendauer.......................5", Some(("§ 4 Studiendauer", 5))),
            ("1.   Bachelor ……………… 12", Some(("1.   Bachelor", 12))),
            ("Intro . . . . . . 3", Some(("Intro", 3))),
            ("Anhang: ......7", Some(("Anhang:", 7))),
            ("Geltungsbereich 5", None),
            ("Name: ..........", None),
            ("vom 23. Mai 2006", None),
            ("....... 5", None),
        ];
        for (text, expected) in cases {
            assert_eq!(entry(text), expected, "{text}");
        }
        assert_eq!(plain_entry("Geltungsbereich 5"), Some(("Geltungsbereich", 5)));
        assert_eq!(plain_entry("1 2"), None);
        assert_eq!(folded("§ 4 Studien-Dauer"), "4studiendauer");
    }
}
