//! Parts of the pages that belong to no section: rows that stand on every page, and a printed table of contents.
//!
//! Seen from the edge of the page inwards, a row is furniture if the same words (whatever their
//! digits) stand at the same height on other pages, if it is the page's number, or if a tagged PDF
//! calls it an artifact. The first row that is none ends the search, so that a sentence of the
//! body that happens to be repeated stays.
//!
//! A table of contents is left out of the text: its lines repeat every heading beside a number, so a
//! search would find them before the sections they name. But they say what is a heading.

use std::collections::{BTreeMap, BTreeSet};

use super::ink::Role;
use super::lines::{Piece, rows};
use super::text::Part;
use crate::numbers::read_roman;

/// The part of the page's height at either end where furniture stands.
// Rows in the middle of a page that repeat are those of a form.
const ZONE: f64 = 0.16;
/// Most rows of furniture at one end.
const MOST_ROWS: usize = 6;
/// Heights that differ by less, in points, are the same.
// A header moves by a point or so from page to page; at half a point it stays in the text.
const SAME_HEIGHT: f64 = 4.0;

/// The rows that were left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Removed {
    pub(super) rows: usize,
    pub(super) example: String,
}

impl Removed {
    /// Counts a row; the best example has words.
    fn add(&mut self, text: &str) {
        if self.example.is_empty() || is_only_number(&self.example) {
            text.clone_into(&mut self.example);
        }
        self.rows += 1;
    }
}

/// A page as far as furniture goes.
pub(super) struct Sheet {
    pub(super) height: f64,
    /// From 1.
    pub(super) number: usize,
    pub(super) label: Option<String>,
    pub(super) pieces: Vec<Piece>,
}

/// One row near an edge.
struct Edge {
    height: f64,
    key: String,
    text: String,
    is_artifact: bool,
}

/// Takes the furniture off the pages.
pub(super) fn remove_furniture(sheets: &mut [Sheet]) -> Removed {
    let mut removed = Removed::default();
    trust_or_forget_artifacts(sheets);
    // Of all pages first: what repeats is known only then.
    let edges: Vec<[Vec<Edge>; 2]> =
        sheets.iter().map(|sheet| [edge(sheet, true), edge(sheet, false)]).collect();
    let of_tables: BTreeSet<String> = sheets.iter().flat_map(keys_of_rows).collect();
    for side in 0..2 {
        let mut seen: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for edge in edges.iter().flat_map(|sides| &sides[side]) {
            seen.entry(&edge.key).or_default().push(edge.height);
        }
        let offsets = number_offsets(sheets, &edges, side);
        for (sheet, sides) in sheets.iter_mut().zip(&edges) {
            let is_furniture = |edge: &&Edge| {
                edge.is_artifact
                    || is_repeated(edge, &seen) && !of_tables.contains(&edge.key)
                    || is_page_number(&edge.text, sheet, &offsets)
            };
            let gone: Vec<&Edge> = sides[side].iter().take_while(is_furniture).collect();
            for edge in &gone {
                removed.add(&edge.text);
            }
            let last = gone.last().map(|edge| edge.height);
            if let Some(last) = last {
                let is_top = side == 0;
                sheet.pieces.retain(|piece| {
                    let inside = piece.baseline() - last;
                    if is_top { inside > 0.1 } else { inside < -7.0 }
                });
            }
        }
    }
    remove_artifacts(sheets, &mut removed);
    removed
}

/// Some programs call everything an artifact: then the word means nothing.
fn trust_or_forget_artifacts(sheets: &mut [Sheet]) {
    let words = || sheets.iter().flat_map(|sheet| &sheet.pieces).flat_map(|piece| &piece.words);
    let artifacts = words().filter(|word| word.role == Role::Artifact).count();
    // And on a single page nothing runs on.
    if sheets.len() > 1 && 2 * artifacts <= words().count() {
        return;
    }
    let pieces = sheets.iter_mut().flat_map(|sheet| &mut sheet.pieces);
    for word in pieces.flat_map(|piece| &mut piece.words) {
        if word.role == Role::Artifact {
            word.role = Role::Untold;
        }
    }
}

/// Removes what a tagged PDF calls an artifact, which is furniture wherever it stands.
fn remove_artifacts(sheets: &mut [Sheet], removed: &mut Removed) {
    for sheet in sheets {
        sheet.pieces.retain(|piece| {
            let is_artifact = !piece.words.is_empty()
                && piece.words.iter().all(|word| word.role == Role::Artifact);
            if is_artifact {
                removed.add(&piece.text());
            }
            !is_artifact
        });
    }
}

/// The rows near the top, from the top down, or near the bottom, from there up.
fn edge(sheet: &Sheet, is_top: bool) -> Vec<Edge> {
    let is_near = |piece: &&Piece| {
        let height = piece.baseline() / sheet.height.max(1.0);
        if is_top { height < ZONE } else { height > 1.0 - ZONE }
    };
    let mut rows = rows(sheet.pieces.iter().filter(is_near).cloned().collect());
    if !is_top {
        rows.reverse();
    }
    rows.truncate(MOST_ROWS);
    let edge = |row: Vec<Piece>| {
        let text = row.iter().map(Piece::text).collect::<Vec<_>>().join(" ");
        let mut words = row.iter().flat_map(|piece| &piece.words);
        let is_artifact = !text.is_empty() && words.all(|word| word.role == Role::Artifact);
        let height = row.iter().map(Piece::baseline).fold(f64::MIN, f64::max);
        Edge { height, key: key(&text), text, is_artifact }
    };
    rows.into_iter()
        .take_while(|row| row.iter().all(|piece| piece.table.is_none()))
        .map(edge)
        .collect()
}

/// The keys that several rows of a page have: rows of a table, of which the last stands at the same height on each page.
fn keys_of_rows(sheet: &Sheet) -> BTreeSet<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for row in rows(sheet.pieces.clone()) {
        let text = row.iter().map(Piece::text).collect::<Vec<_>>().join(" ");
        *counts.entry(key(&text)).or_default() += 1;
    }
    // Once at the top, once at the bottom: a running title may be on both.
    counts.into_iter().filter(|(_, count)| *count > 2).map(|(key, _)| key).collect()
}

/// The text with every number as `#`.
fn key(text: &str) -> String {
    let mut key = String::new();
    for character in text.chars() {
        if !character.is_numeric() {
            key.extend(character.to_lowercase());
        } else if !key.ends_with('#') {
            key.push('#');
        }
    }
    key
}

fn is_repeated(edge: &Edge, seen: &BTreeMap<&str, Vec<f64>>) -> bool {
    let letters = edge.key.chars().filter(|character| character.is_alphabetic()).count();
    let same = seen.get(edge.key.as_str()).map(Vec::as_slice).unwrap_or_default();
    let near = same.iter().filter(|height| (*height - edge.height).abs() < SAME_HEIGHT).count();
    // The row itself is one of the two. Numbers alone are judged as numbers of pages.
    letters >= 2 && near >= 2
}

/// Returns how far the printed numbers run ahead of the pages, where at least two agree.
fn number_offsets(sheets: &[Sheet], edges: &[[Vec<Edge>; 2]], side: usize) -> Vec<i64> {
    let mut counts: BTreeMap<i64, usize> = BTreeMap::new();
    for (sheet, sides) in sheets.iter().zip(edges) {
        for number in sides[side].iter().take(2).filter_map(|edge| printed_number(&edge.text)) {
            *counts.entry(number - sheet.number as i64).or_default() += 1;
        }
    }
    counts.into_iter().filter(|(_, count)| *count >= 2).map(|(offset, _)| offset).collect()
}

fn is_page_number(text: &str, sheet: &Sheet, offsets: &[i64]) -> bool {
    if sheet.label.as_deref().is_some_and(|label| bare(text) == label) {
        return true;
    }
    let own = sheet.number as i64;
    printed_number(text).is_some_and(|number| number == own || offsets.contains(&(number - own)))
}

fn is_only_number(text: &str) -> bool {
    !text.contains(|character: char| character.is_alphabetic())
}

/// `7`, `- 7 -`, `Seite 7 von 12`, `vii`.
fn printed_number(text: &str) -> Option<i64> {
    let is_plain = |c: char| c.is_alphanumeric() || c.is_whitespace() || "-–—.|/[]()·".contains(c);
    if !text.chars().all(is_plain) {
        return None;
    }
    let lower = text.to_lowercase();
    let mut words = lower.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric));
    let first = words.next()?;
    let number = if matches!(first, "seite" | "page" | "s." | "p." | "blatt") {
        words.next()?
    } else {
        first
    };
    let rest: Vec<&str> = words.collect();
    let is_known = match rest.as_slice() {
        [] => true,
        [of, total] => {
            matches!(*of, "von" | "of") && total.chars().all(|digit| digit.is_ascii_digit())
        }
        _ => false,
    };
    let number = bare(number);
    let value = match number.split_once('/') {
        Some((number, _)) => number.parse().ok(),
        None => number.parse().ok().or_else(|| read_roman(number).map(i64::from)),
    };
    value.filter(|_| is_known)
}

/// The text without the dashes and dots around it.
fn bare(text: &str) -> &str {
    text.trim_matches(|character: char| !character.is_alphanumeric())
}

/// Fewer lines in a row are no table of contents.
// Two headings with numbers behind them may be rows of a table. With six, that of a short document
// stays in its text (`a_table_of_contents_is_left_out`).
const FEWEST_ENTRIES: usize = 3;

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
pub(super) fn contents_entry(text: &str) -> Option<(&str, u32)> {
    let text = text.trim_end();
    let rest = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let page = text.get(rest.len()..)?.parse().ok()?;
    let is_leader = |c: char| matches!(c, '.' | '…' | '·' | '_') || c.is_whitespace();
    let title = rest.trim_end_matches(is_leader);
    let leader = rest.get(title.len()..)?;
    let dots: usize =
        leader.chars().map(|c| if c == '…' { 3 } else { usize::from(!c.is_whitespace()) }).sum();
    // An ellipsis has three. Twelve would leave short leaders in the text: `......7`.
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
pub(super) fn take_contents(parts: &mut Vec<Part>) -> Contents {
    let mut contents = Contents::default();
    let mut index = 0;
    while index < parts.len() {
        let heading = text_at(parts, index).is_some_and(names_contents);
        let start = index + usize::from(heading);
        let dotted = run(parts, start, contents_entry);
        let plain = if heading { run(parts, start, plain_entry) } else { Vec::new() };
        // Lines without dots make one below a heading that says so; elsewhere they may be any table.
        let found = if plain.len() > dotted.len() { plain } else { dotted };
        if found.len() < FEWEST_ENTRIES {
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
    use super::*;

    fn sheets(pages: &[&[(&str, f64)]]) -> Vec<Sheet> {
        let sheet = |(index, rows): (usize, &&[(&str, f64)])| Sheet {
            height: 800.0,
            number: index + 1,
            label: None,
            pieces: rows
                .iter()
                .map(|(text, baseline)| Piece::sample(text, 0.0, *baseline))
                .collect(),
        };
        pages.iter().enumerate().map(sheet).collect()
    }

    fn left(sheets: &[Sheet]) -> Vec<String> {
        sheets
            .iter()
            .map(|sheet| sheet.pieces.iter().map(Piece::text).collect::<Vec<_>>().join("|"))
            .collect()
    }

    #[test]
    fn what_is_on_every_page_goes() {
        let mut pages = sheets(&[
            &[("Report 2024 1", 40.0), ("Introduction", 70.0), ("Same words", 400.0)],
            &[("Report 2024 2", 41.0), ("Same words", 400.0), ("Confidential", 760.0)],
            &[("Report 2024 3", 40.0), ("Method", 90.0), ("Confidential", 760.0)],
        ]);
        let removed = remove_furniture(&mut pages);
        assert_eq!(left(&pages), ["Introduction|Same words", "Same words", "Method"]);
        assert_eq!((removed.rows, removed.example.as_str()), (5, "Report 2024 1"));
    }

    #[test]
    fn the_last_row_of_a_table_is_no_footer() {
        let table: &[(&str, f64)] =
            &[("Locker 7", 720.0), ("Locker 8", 735.0), ("Locker 9", 750.0), ("Version 2", 770.0)];
        let mut pages = sheets(&[table, table]);
        remove_furniture(&mut pages);
        assert_eq!(left(&pages), ["Locker 7|Locker 8|Locker 9", "Locker 7|Locker 8|Locker 9"]);
    }

    #[test]
    fn page_numbers_go_and_other_numbers_stay() {
        let mut pages = sheets(&[
            &[("Text", 60.0), ("More", 700.0)],
            &[("2", 50.0), ("Text", 90.0), ("1234", 770.0)],
            &[("- 3 -", 50.0), ("Other", 90.0), ("2", 700.0), ("Seite 3 von 3", 780.0)],
        ]);
        remove_furniture(&mut pages);
        assert_eq!(left(&pages), ["Text|More", "Text|1234", "Other|2"]);
    }

    #[test]
    fn printed_numbers_are_read() {
        let cases = [
            ("7", Some(7)),
            ("- 12 -", Some(12)),
            ("Seite 3 von 12", Some(3)),
            ("Page 4 of 9", Some(4)),
            ("5/12", Some(5)),
            ("xiv", Some(14)),
            ("Chapter 3", None),
            ("2 Methods", None),
            ("§ 4", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(printed_number(text), expected, "{text}");
        }
    }

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
            assert_eq!(contents_entry(text), expected, "{text}");
        }
        assert_eq!(plain_entry("Geltungsbereich 5"), Some(("Geltungsbereich", 5)));
        assert_eq!(plain_entry("1 2"), None);
        assert_eq!(folded("§ 4 Studien-Dauer"), "4studiendauer");
    }
}
