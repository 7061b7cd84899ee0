//! Printed tables of contents on their pages, before anything else takes their rows for a table or a
//! paragraph.
//!
//! A row of one names a heading and ends in the number of its page; the numbers stand below each other
//! and never fall. That much is true of a table of amounts as well, so there has to be more: leaders,
//! or the named headings themselves further on.

use std::cell::LazyCell;
use std::collections::BTreeMap;
use std::ops::Deref;

use super::furniture::{Contents, Sheet, contents_entry, folded, names_contents};
use super::lines::{Piece, rows};
use crate::numbers::read_roman;

/// Right ends that differ by less, in points, are below one another.
const SAME_END: f64 = 3.0;
/// Fewest entries below a heading that says what they are, and without one.
const FEWEST_NAMED: usize = 2;
const FEWEST_LED: usize = 3;
/// Rows of one entry before the one with its number.
const MOST_OPEN_ROWS: usize = 2;
/// A row of more pieces is no heading.
const MOST_PIECES: usize = 6;

type Row = Vec<Piece>;

/// A row's heading and the number of its page.
#[derive(Clone, Debug)]
struct Entry {
    title: String,
    page: PageNumber,
    /// Where its number ends.
    end: f64,
    has_leader: bool,
    /// Its heading takes more than one row.
    is_long: bool,
}

/// How often rows say something, and parts of rows.
type Names = BTreeMap<String, usize>;

/// The number of a page: those in roman numerals come before the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct PageNumber {
    is_arabic: bool,
    value: u32,
}

/// The part of a page's width that is looked at.
#[derive(Clone, Copy)]
struct Strip {
    left: f64,
    right: f64,
}

impl Strip {
    const WHOLE: Self = Self { left: f64::MIN, right: f64::MAX };

    fn holds(self, piece: &Piece) -> bool {
        (self.left..self.right).contains(&piece.bounds.center().x)
    }

    /// The rows of a page within the strip.
    fn rows(self, pieces: &[Piece]) -> Vec<Row> {
        rows(pieces.iter().filter(|piece| self.holds(piece)).cloned().collect())
    }
}

/// The rows of a table of contents on one page.
struct Found {
    strip: Strip,
    /// The baselines of its first row and its last.
    from: f64,
    to: f64,
    rows: usize,
    entries: Vec<Entry>,
    /// Nothing is below it in its strip.
    reaches_end: bool,
}

/// Takes the tables of contents off the pages.
pub(super) fn take_printed(sheets: &mut [Sheet]) -> Contents {
    let mut contents = Contents::default();
    for (at, found) in printed(sheets) {
        let Some(sheet) = sheets.get_mut(at) else { continue };
        sheet.pieces.retain(|piece| {
            let is_within = (found.from - 1.0..=found.to + 1.0).contains(&piece.baseline());
            !(is_within && found.strip.holds(piece))
        });
        contents.lines += found.rows;
        contents.titles.extend(found.entries.into_iter().map(|entry| entry.title));
    }
    contents
}

/// The tables of contents, each with the place of its page.
fn printed(sheets: &[Sheet]) -> Vec<(usize, Found)> {
    // Most documents have nothing that looks like one.
    let headings = LazyCell::new(|| row_names(sheets));
    let mut tables = Vec::new();
    let mut goes_on: Option<PageNumber> = None;
    for (at, sheet) in sheets.iter().enumerate() {
        let mut found = goes_on.take().and_then(|last| next_page(sheet, last, &headings));
        if found.is_none() {
            found = on_page(sheet, &headings);
        }
        let Some(found) = found else {
            continue;
        };
        let last = found.entries.iter().map(|entry| entry.page).max();
        goes_on = last.filter(|_| found.reaches_end);
        tables.push((at, found));
    }
    tables
}

/// What rows say, and what parts of them do where several columns share a row.
fn row_names(sheets: &[Sheet]) -> Names {
    let mut names = Names::new();
    for row in sheets.iter().flat_map(|sheet| rows(sheet.pieces.clone())) {
        for start in 0..row.len().min(MOST_PIECES) {
            let mut name = String::new();
            for piece in row.iter().skip(start).take(MOST_PIECES) {
                name.push_str(&folded(&piece.text()));
                *names.entry(name.clone()).or_default() += 1;
            }
        }
    }
    names
}

/// The table of contents of a page, below its heading or with leaders.
fn on_page(sheet: &Sheet, headings: &impl Deref<Target = Names>) -> Option<Found> {
    let strips = strips(sheet);
    strips.into_iter().find_map(|strip| {
        let rows = strip.rows(&sheet.pieces);
        let is_start = |row: &Row| names_contents(&text(row)) || led(row);
        let starts = rows.iter().enumerate().filter(|(_, row)| is_start(row));
        starts.take(MOST_STARTS).find_map(|(at, row)| {
            let is_named = names_contents(&text(row));
            let found = from_row(&rows, at, is_named, strip)?;
            is_sure(&found.entries, is_named, headings).then_some(found)
        })
    })
}

/// Rows of one page that are tried as the first, for each of which those below are read.
const MOST_STARTS: usize = 20;

/// The whole page, either half of one on which two pages are printed, and what is below a heading as
/// far as the first number there.
fn strips(sheet: &Sheet) -> Vec<Strip> {
    let right = sheet.pieces.iter().map(|piece| piece.bounds.x1).fold(0.0, f64::max);
    let left = sheet.pieces.iter().map(|piece| piece.bounds.x0).fold(right, f64::min);
    let middle = f64::midpoint(left, right);
    let below = sheet.pieces.iter().filter(|piece| names_contents(&piece.text()));
    let halves = [Strip { right: middle, ..Strip::WHOLE }, Strip { left: middle, ..Strip::WHOLE }];
    let below = below.filter_map(|heading| below_heading(sheet, heading));
    [Strip::WHOLE].into_iter().chain(below).chain(halves).take(MOST_STRIPS).collect()
}

/// Parts of one page that are looked at: a page has one table of contents, or two of them.
const MOST_STRIPS: usize = 6;

fn below_heading(sheet: &Sheet, heading: &Piece) -> Option<Strip> {
    let left = heading.bounds.x0 - heading.size;
    let rows = Strip { left, right: f64::MAX }.rows(&sheet.pieces);
    let mut rows = rows.iter().filter(|row| edge(row, f64::max) > heading.baseline() + 1.0);
    let first = rows.next()?;
    let entry = (1..=first.len().min(MOST_PIECES)).find_map(|end| entry(first.get(..end)?))?;
    Some(Strip { left, right: entry.end + SAME_END })
}

/// Entries at the top of a page that go on from the page before.
fn next_page(
    sheet: &Sheet,
    last: PageNumber,
    headings: &impl Deref<Target = Names>,
) -> Option<Found> {
    let rows = Strip::WHOLE.rows(&sheet.pieces);
    let found = from_row(&rows, 0, false, Strip::WHOLE)?;
    let follows = found.entries.iter().all(|entry| entry.page >= last);
    let is_like = found.entries.iter().all(|entry| is_known(entry, headings));
    (follows && is_like).then_some(found)
}

/// Reads entries from a row on; the first is a heading if `is_named`.
fn from_row(rows: &[Row], at: usize, is_named: bool, strip: Strip) -> Option<Found> {
    let first = at + usize::from(is_named);
    let ends = ends(rows.get(first..)?);
    let mut lasts: Vec<Option<PageNumber>> = vec![None; ends.len()];
    let mut entries: Vec<Entry> = Vec::new();
    let mut open = String::new();
    let (mut end, mut waiting) = (first, 0);
    for (index, row) in rows.iter().enumerate().skip(first) {
        let Some(mut read) = entries_of(row).filter(|read| in_order(read, &ends, &mut lasts))
        else {
            // A long heading takes several rows, of which the last has the number.
            waiting += 1;
            if waiting > MOST_OPEN_ROWS || ends_sentence(row) {
                break;
            }
            open.push_str(&folded(&text(row)));
            continue;
        };
        if let Some(entry) = read.first_mut() {
            entry.is_long = !open.is_empty();
            entry.title.insert_str(0, &open);
        }
        open.clear();
        waiting = 0;
        end = index + 1;
        entries.extend(read);
    }
    let (from, to) = (rows.get(at)?, rows.get(end.checked_sub(1)?)?);
    (!entries.is_empty()).then_some(Found {
        strip,
        from: edge(from, f64::min),
        to: edge(to, f64::max),
        rows: end - at,
        entries,
        reaches_end: end == rows.len(),
    })
}

fn edge(row: &Row, of: fn(f64, f64) -> f64) -> f64 {
    let first = row.first().map_or(0.0, Piece::baseline);
    row.iter().map(Piece::baseline).fold(first, of)
}

fn ends_sentence(row: &Row) -> bool {
    text(row).trim_end().ends_with(['.', ':', ';', '!', '?'])
}

/// The places where the numbers of the first entries end, one for each column.
fn ends(rows: &[Row]) -> Vec<f64> {
    let mut ends: Vec<(f64, usize)> = Vec::new();
    let entries = rows.iter().take(MOST_STARTS).filter_map(entries_of).flatten();
    for entry in entries {
        match ends.iter_mut().find(|(end, _)| (*end - entry.end).abs() < SAME_END) {
            Some((_, count)) => *count += 1,
            None => ends.push((entry.end, 1)),
        }
    }
    // The last line of a paragraph may end in a number by itself.
    let most = ends.iter().map(|(_, count)| *count).max().unwrap_or(0);
    ends.into_iter().filter(|(_, count)| *count >= 2 || most < 2).map(|(end, _)| end).collect()
}

/// Returns `true` if the numbers of a row stand below those before it and are no less, and notes them.
fn in_order(entries: &[Entry], ends: &[f64], lasts: &mut [Option<PageNumber>]) -> bool {
    // Typed leaders end where they happen to.
    let column = |entry: &Entry| {
        let distance =
            |place: &usize| ends.get(*place).map_or(f64::MAX, |end| (end - entry.end).abs());
        let nearest = (0..ends.len()).min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        (entry.has_leader || distance(&nearest) < SAME_END).then_some(nearest)
    };
    let places: Option<Vec<usize>> = entries.iter().map(column).collect();
    let Some(places) = places else {
        return false;
    };
    let holds = |(entry, place): (&Entry, &usize)| {
        lasts.get(*place).copied().flatten().is_none_or(|last| last <= entry.page)
    };
    if !entries.iter().zip(&places).all(holds) {
        return false;
    }
    for (entry, place) in entries.iter().zip(places) {
        if let Some(last) = lasts.get_mut(place) {
            *last = Some(entry.page);
        }
    }
    true
}

/// Returns `true` if entries are those of a table of contents.
fn is_sure(entries: &[Entry], is_named: bool, headings: &Names) -> bool {
    if !is_named {
        return entries.len() >= FEWEST_LED && entries.iter().all(|entry| entry.has_leader);
    }
    let known = entries.iter().filter(|entry| is_known(entry, headings)).count();
    entries.len() >= FEWEST_NAMED && 2 * known > entries.len()
}

/// Returns `true` if an entry has a leader, or its heading is in the document once more.
fn is_known(entry: &Entry, headings: &Names) -> bool {
    let count = headings.get(&entry.title).copied().unwrap_or(0);
    entry.has_leader || count > usize::from(!entry.is_long)
}

/// Returns `true` if the row is an entry with a leader.
fn led(row: &Row) -> bool {
    entries_of(row).is_some_and(|entries| entries.iter().all(|entry| entry.has_leader))
}

/// The entries that make up a row: one, or one in each column.
fn entries_of(row: &Row) -> Option<Vec<Entry>> {
    let mut entries = Vec::new();
    let mut start = 0;
    for end in 1..=row.len().min(4 * MOST_PIECES) {
        if let Some(entry) = row.get(start..end).and_then(entry) {
            entries.push(entry);
            start = end;
        }
    }
    (start == row.len()).then_some(entries)
}

fn entry(pieces: &[Piece]) -> Option<Entry> {
    let text = pieces.iter().map(Piece::text).collect::<Vec<_>>().join(" ");
    let end = pieces.last()?.bounds.x1;
    if let Some((title, page)) = contents_entry(&text) {
        let page = PageNumber { is_arabic: true, value: page };
        return Some(Entry { title: folded(title), page, end, has_leader: true, is_long: false });
    }
    let (title, number) = text.rsplit_once(char::is_whitespace)?;
    let page = page_number(number.trim_start_matches('\u{2060}'))?;
    let is_led = title.ends_with("....") || title.ends_with(". . .");
    let title = title.trim_end_matches(|c: char| matches!(c, '.' | '…' | '_') || c.is_whitespace());
    // Without a leader a gap parts the two.
    let is_apart = is_led || pieces.last().is_some_and(|last| last.words.len() == 1);
    let has_words = title.contains(char::is_alphabetic);
    (is_apart && has_words && (is_led || pieces.len() > 1)).then(|| Entry {
        title: folded(title),
        page,
        end,
        has_leader: is_led,
        is_long: false,
    })
}

fn page_number(word: &str) -> Option<PageNumber> {
    if (1..=4).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(PageNumber { is_arabic: true, value: word.parse().ok()? });
    }
    let is_small = word.bytes().all(|byte| byte.is_ascii_lowercase());
    let value = read_roman(word).filter(|_| is_small && !word.is_empty())?;
    Some(PageNumber { is_arabic: false, value })
}

fn text(row: &Row) -> String {
    row.iter().map(Piece::text).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A page of rows; in a row `|` parts pieces, of which the last ends at 400 points, and `||` the
    /// left half of the page from the right, which ends at 800.
    fn sheet(rows: &[&str]) -> Sheet {
        let half = |text: &str, left: f64, y: f64| -> Vec<Piece> {
            let parts: Vec<&str> = text.split('|').filter(|part| !part.is_empty()).collect();
            let last = parts.len().saturating_sub(1);
            let place = |(index, part): (usize, &&str)| {
                let width = 30.0 * part.split(' ').count() as f64 - 3.0;
                let is_end = index == last && last > 0;
                let at = if is_end { left + 400.0 - width } else { left + 40.0 * index as f64 };
                Piece::sample(part, at, y)
            };
            parts.iter().enumerate().map(place).collect()
        };
        let row = |(index, row): (usize, &&str)| {
            let y = 60.0 + 12.0 * index as f64;
            let (first, second) = row.split_once("||").unwrap_or((row, ""));
            [half(first, 0.0, y), half(second, 440.0, y)].concat()
        };
        let pieces = rows.iter().enumerate().flat_map(row).collect();
        Sheet { height: 800.0, number: 1, pieces, ..Sheet::default() }
    }

    fn left(sheets: &[Sheet]) -> Vec<String> {
        let text = |row: &Row| text(row);
        let page = |sheet: &Sheet| rows(sheet.pieces.clone()).iter().map(text).collect::<Vec<_>>();
        sheets.iter().map(|sheet| page(sheet).join("/")).collect()
    }

    fn taken(pages: &[&[&str]]) -> (Vec<String>, Contents) {
        let mut sheets: Vec<Sheet> = pages.iter().map(|rows| sheet(rows)).collect();
        let contents = take_printed(&mut sheets);
        (left(&sheets), contents)
    }

    #[test]
    fn short_contents_go_and_the_text_below_stays() {
        let page = [
            "Preface",
            "Inhaltsverzeichnis",
            "1|Fees|1",
            "2|Credits|1",
            "2.1|Recognition ......|1",
            "1|Fees",
            "The fee is 148",
            "2|Credits",
            "None are needed.",
        ];
        let (left, contents) = taken(&[&page]);
        assert_eq!(left, ["Preface/1 Fees/The fee is 148/2 Credits/None are needed."]);
        let titles = ["1fees", "2credits", "21recognition"].map(str::to_owned).to_vec();
        assert_eq!(contents, Contents { titles, lines: 4 });
    }

    #[test]
    fn contents_with_roman_numbers_wrapped_headings_and_a_second_page() {
        let first = ["Contents", "Preface|ii", "Rules for boats", "and lockers|1", "Fees|3"];
        let second = ["Appeals|3", "Keys|12", "Preface", "Text."];
        let third = ["Rules for boats and lockers", "Fees", "Appeals", "Keys"];
        let (left, contents) = taken(&[&first, &second, &third]);
        assert_eq!(left, ["", "Preface/Text.", "Rules for boats and lockers/Fees/Appeals/Keys"]);
        assert_eq!(contents.titles[1], "rulesforboatsandlockers");
        assert_eq!((contents.titles.len(), contents.lines), (5, 7));
    }

    #[test]
    fn contents_in_columns_and_on_half_a_page() {
        let columns = ["Contents", "Fees|1||Keys|2", "Boats|1||Rooms|3", "Fees", "Text.", "Boats"];
        let (left, contents) = taken(&[&columns, &["Keys", "Rooms"]]);
        assert_eq!(left, ["Fees/Text./Boats", "Keys/Rooms"]);
        assert_eq!(contents.titles.len(), 4);
        let two = [
            "Contents||Boats are let",
            "Fees|1||by the day to all",
            "Keys|2||members.",
            "||Fees",
            "||Keys",
        ];
        let (left, _) = taken(&[&two]);
        assert_eq!(left, ["Boats are let/by the day to all/members./Fees/Keys"]);
    }

    #[test]
    fn leaders_need_no_heading_and_amounts_are_no_pages() {
        let led = ["Fees .....|2", "Keys .....|2", "Rooms .....|5", "Text."];
        assert_eq!(taken(&[&led]).0, ["Text."]);
        for table in [
            ["Contents", "Screws|4", "Nails|10", "Boards|12"],
            ["Fees", "Locker|14", "Key|37", "Room|61"],
            ["Contents", "Fees|3", "Keys|2", "Rooms|1"],
        ] {
            let (left, contents) = taken(&[&table]);
            assert_eq!((left[0].matches('/').count(), contents.lines), (3, 0), "{table:?}");
        }
    }
}
