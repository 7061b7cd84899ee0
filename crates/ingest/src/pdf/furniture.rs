//! Parts of the pages that belong to no section: rows that stand on many pages, and a printed table of contents.
//!
//! Rows are looked at from the edge of the page inwards, and the first that is no furniture ends the
//! search. A row is furniture for two signs that do not depend on each other. One is that its words
//! stand at the same height on other pages; numbers in them are the same too, or count the pages.
//! The other is that it is set apart from the text, or in smaller type, or counts the pages as their
//! own numbers do. What the file marks as part of the pages, in the margin, needs no more.
//!
//! Repetition speaks against a row that looks like a heading, or states a fact (`Credits: 6`), far less:
//! a handbook with one module on each page has both at the same place on every page.
//!
//! A table of contents is left out of the text: its lines repeat every heading beside a number, so a
//! search would find them before the sections they name. But they say what is a heading.

use std::collections::{BTreeMap, HashMap};

use super::ink::Role;
use super::lines::{Piece, rows};
use super::text::Part;
use crate::numbers::read_roman;
use crate::report::LineSign;

/// The part of the page's height at either end where furniture stands.
// Rows in the middle of a page that repeat are those of a form.
const ZONE: f64 = 0.16;
/// Most rows of furniture at one end.
const MOST_ROWS: usize = 6;
/// Heights that differ by less, in points, are the same.
// A header moves by a point or so from page to page; at half a point it stays in the text.
const SAME_HEIGHT: f64 = 4.0;
/// A gap of so many usual ones sets a row apart. Paragraphs are half a line apart in most documents.
const APART: f64 = 1.6;
/// Type so much larger or smaller than the body's is not the body's.
// Programs set headings in at least an eighth more, notes and running heads in at least a tenth less.
const LARGE: f64 = 1.12;
const SMALL: f64 = 0.93;
/// Numbers of one row that may count the pages: the first few, so that a row of figures costs no more.
const MOST_COUNTERS: usize = 6;

/// The rows that were left out, with the sign of each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Removed {
    pub(super) rows: Vec<(LineSign, String)>,
}

impl Removed {
    fn add(&mut self, sign: LineSign, text: &str) {
        self.rows.push((sign, text.to_owned()));
    }
}

/// A page as far as furniture goes.
#[derive(Default)]
pub(super) struct Sheet {
    pub(super) height: f64,
    /// From 1.
    pub(super) number: usize,
    pub(super) label: Option<String>,
    /// The folded headings that bookmarks place on this page.
    pub(super) titles: Vec<String>,
    pub(super) pieces: Vec<Piece>,
}

/// The mark of a row in a tagged file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    None,
    /// Not part of the text, for whatever reason.
    Aside,
    /// Part of the page.
    Pagination,
}

/// One row near an edge.
struct Edge {
    height: f64,
    size: f64,
    text: String,
    /// Its words as they would be the same on other pages; the first are those of the page.
    forms: Vec<Form>,
    mark: Mark,
    is_bold: bool,
    /// Other rows of its page differ from it in numbers only, as those of a table do.
    is_row: bool,
    is_near: bool,
    /// Far from the next row inwards.
    has_gap: bool,
    /// Tags or bookmarks name it a heading of this page.
    is_title: bool,
}

/// The words of a row, with one number counted from the page's own.
struct Form {
    words: String,
    counts: Counts,
}

/// The kind of number that a form counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Counts {
    Nothing,
    /// The page's own number or its label.
    Pages,
    /// A number that runs ahead of the pages by some distance, as those of rooms may do by chance.
    Something,
}

/// The look of ordinary text here.
struct Body {
    size: f64,
    is_bold: bool,
    /// Somewhere a sentence goes on from one page to the next, so the pages are not separate sheets.
    runs_on: bool,
    pages: usize,
}

type Edges = [Vec<Edge>; 2];
/// The heights at which each form is.
type Seen<'e> = BTreeMap<&'e str, Vec<f64>>;

/// Takes the furniture off the pages.
pub(super) fn remove_furniture(sheets: &mut [Sheet]) -> Removed {
    let mut removed = Removed::default();
    trust_or_forget_artifacts(sheets);
    // Of all pages first: what repeats is known only then.
    let edges: Vec<Edges> = sheets.iter().map(edges).collect();
    let seen = [seen(&edges, 0), seen(&edges, 1)];
    let body = Body::of(sheets, &edges, &seen);
    for side in 0..2 {
        let offsets = number_offsets(sheets, &edges, side);
        for (sheet, sides) in sheets.iter_mut().zip(&edges) {
            let sign = |edge: &Edge| {
                let is_number = is_page_number(edge, sheet, &offsets, &body);
                let sign = is_number.then_some(Sign::sure(LineSign::PageNumber));
                sign.or_else(|| sign_of(edge, &seen[side], &body))
            };
            let signs: Vec<Sign> = sides[side].iter().map_while(sign).collect();
            let signs = holding(&signs, &sides[side]);
            let gone = || sides[side].iter().zip(&signs);
            gone().for_each(|(edge, sign)| removed.add(*sign, &edge.text));
            let last = gone().next_back().map(|(edge, _)| edge.height);
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

/// The sign for which a row may be furniture.
#[derive(Clone, Copy)]
struct Sign {
    of: LineSign,
    /// It counts only where the row is apart from the text.
    needs_gap: bool,
}

impl Sign {
    fn sure(of: LineSign) -> Self {
        Self { of, needs_gap: false }
    }
}

/// The signs that hold, from the edge inwards: those that need a gap hold where one follows before
/// the first row that is none.
fn holding(signs: &[Sign], edges: &[Edge]) -> Vec<LineSign> {
    let gaps = signs.iter().zip(edges).enumerate().filter(|(_, (_, edge))| edge.has_gap);
    let last = gaps.map(|(at, _)| at).max();
    let holds =
        |(at, sign): &(usize, &Sign)| !sign.needs_gap || last.is_some_and(|last| *at <= last);
    signs.iter().enumerate().take_while(holds).map(|(_, sign)| sign.of).collect()
}

/// The sign for which a row near an edge may be furniture.
fn sign_of(edge: &Edge, seen: &Seen<'_>, body: &Body) -> Option<Sign> {
    if !edge.is_near {
        return None;
    }
    let repeats = repeats(edge, seen);
    match edge.mark {
        Mark::Pagination => return Some(Sign::sure(LineSign::Marked)),
        Mark::Aside => {
            return Some(Sign { of: LineSign::Marked, needs_gap: repeats.is_none() });
        }
        Mark::None => {}
    }
    let (counts, pages) = repeats?;
    if edge.is_row {
        return None;
    }
    let is_small = edge.size < SMALL * body.size;
    if edge.is_title {
        return None;
    }
    let is_bold = edge.is_bold && !body.is_bold && !is_small;
    let is_set_off = edge.size > LARGE * body.size || is_bold && counts == Counts::Something;
    // On separate sheets it is the name of the form, or of what the form is about.
    if is_set_off && !(body.runs_on && counts == Counts::Nothing) {
        return None;
    }
    // On every page, perhaps but the first, and in the type of notes.
    let is_everywhere = is_small && pages >= 3 && pages + 1 >= body.pages;
    if is_fact(&edge.text) && !is_everywhere {
        return None;
    }
    let needs_gap = !is_small && counts != Counts::Pages;
    Some(Sign { of: LineSign::Repeated, needs_gap })
}

/// What a row counts where it is on other pages as well, and on how many pages it does.
fn repeats(edge: &Edge, seen: &Seen<'_>) -> Option<(Counts, usize)> {
    let letters = edge.text.chars().filter(|character| character.is_alphabetic()).count();
    // Numbers alone are judged as numbers of pages.
    if letters < 2 {
        return None;
    }
    edge.forms.iter().find_map(|form| {
        let same = seen.get(form.words.as_str()).map(Vec::as_slice).unwrap_or_default();
        let near = same.iter().filter(|height| (*height - edge.height).abs() < SAME_HEIGHT).count();
        // The row itself is one of the two.
        (near >= 2).then_some((form.counts, near))
    })
}

fn seen(edges: &[Edges], side: usize) -> Seen<'_> {
    let mut seen = Seen::new();
    for edge in edges.iter().flat_map(|sides| &sides[side]).filter(|edge| edge.is_near) {
        for form in &edge.forms {
            seen.entry(&form.words).or_default().push(edge.height);
        }
    }
    seen
}

/// Returns `true` if a row names something and says what it is: `Credits: 6`.
fn is_fact(text: &str) -> bool {
    let Some((label, value)) = text.split_once(':') else {
        return false;
    };
    let is_page = matches!(label.trim().to_lowercase().as_str(), "seite" | "page" | "blatt");
    // The colon of a time or of an address has no space after it.
    let is_spaced = value.starts_with(char::is_whitespace);
    !is_page && is_spaced && label.contains(char::is_alphabetic) && !value.trim().is_empty()
}

impl Body {
    fn of(sheets: &[Sheet], edges: &[Edges], seen: &[Seen<'_>; 2]) -> Self {
        let mut sizes: BTreeMap<u32, usize> = BTreeMap::new();
        let words = sheets.iter().flat_map(|sheet| &sheet.pieces).flat_map(|piece| &piece.words);
        for word in words.clone() {
            let halves = (word.size * 2.0).round().clamp(0.0, 10_000.0) as u32;
            *sizes.entry(halves).or_default() += word.text.len();
        }
        let most = sizes.iter().max_by_key(|(_, letters)| **letters);
        let letters: usize = sizes.values().sum();
        let bold: usize = words.filter(|word| word.style.bold).map(|word| word.text.len()).sum();
        Self {
            size: most.map_or(10.0, |(halves, _)| f64::from(*halves) / 2.0),
            is_bold: 2 * bold > letters,
            runs_on: edges.windows(2).any(|pages| matches!(pages, [a, b] if goes_over(a, b, seen))),
            pages: sheets.len(),
        }
    }
}

/// Returns `true` if a sentence goes on from one page to the next, as far as rows that repeat do not
/// stand between.
fn goes_over(page: &Edges, next: &Edges, seen: &[Seen<'_>; 2]) -> bool {
    let text = |edges: &Edges, side: usize| {
        let is_own = |edge: &&Edge| {
            edge.mark == Mark::None
                && printed_number(&edge.text).is_none()
                && repeats(edge, &seen[side]).is_none()
        };
        edges[side].iter().find(is_own).map(|edge| edge.text.clone())
    };
    let (Some(last), Some(first)) = (text(page, 1), text(next, 0)) else {
        return false;
    };
    let is_open = last.ends_with(|end: char| end.is_alphabetic() || matches!(end, ',' | '-'));
    is_open && first.starts_with(char::is_lowercase)
}

/// Some programs call everything an artifact, or all they could not tag: then the word means nothing.
fn trust_or_forget_artifacts(sheets: &mut [Sheet]) {
    let total = sheets.len();
    let words = || sheets.iter().flat_map(|sheet| &sheet.pieces).flat_map(|piece| &piece.words);
    let artifacts = words().filter(|word| word.role == Role::Artifact).count();
    // And on a single page nothing runs on.
    let is_trusted = total > 1 && 2 * artifacts <= words().count();
    for sheet in sheets {
        let (height, is_trusted) = (sheet.height, is_trusted && !holds_much(sheet, Role::Artifact));
        let is_aside_trusted = total > 1 && !holds_much(sheet, Role::Aside);
        for piece in &mut sheet.pieces {
            let is_inside = (ZONE..=1.0 - ZONE).contains(&(piece.baseline() / height.max(1.0)));
            for word in &mut piece.words {
                match word.role {
                    // What is only aside may be a table that the program could not tag.
                    Role::Aside if is_inside || !is_aside_trusted => word.role = Role::Untold,
                    Role::Artifact if !is_trusted => word.role = Role::Untold,
                    _ => {}
                }
            }
        }
    }
}

/// Returns `true` if more than a tenth of a page's words, and more than a watermark or a stamp has,
/// stand within it and have a role that says that they are no text.
fn holds_much(sheet: &Sheet, role: Role) -> bool {
    const MOST_OF_A_STAMP: usize = 12;
    let is_inside =
        |piece: &&Piece| (ZONE..=1.0 - ZONE).contains(&(piece.baseline() / sheet.height.max(1.0)));
    let all = sheet.pieces.iter().map(|piece| piece.words.len()).sum::<usize>();
    let words = sheet.pieces.iter().filter(is_inside).flat_map(|piece| &piece.words);
    let aside = words.filter(|word| word.role == role).count();
    aside > MOST_OF_A_STAMP && 10 * aside > all
}

/// Removes what a tagged PDF calls part of the page, wherever it is. Whatever else it marked is text.
fn remove_artifacts(sheets: &mut [Sheet], removed: &mut Removed) {
    for sheet in sheets {
        sheet.pieces.retain(|piece| {
            let is_artifact = !piece.words.is_empty()
                && piece.words.iter().all(|word| word.role == Role::Artifact);
            if is_artifact {
                removed.add(LineSign::Marked, &piece.text());
            }
            !is_artifact
        });
        for word in sheet.pieces.iter_mut().flat_map(|piece| &mut piece.words) {
            if word.role == Role::Aside {
                word.role = Role::Untold;
            }
        }
    }
}

/// The rows from the top down, and those from the bottom up, as many as may be furniture and one more.
fn edges(sheet: &Sheet) -> Edges {
    let rows = rows(sheet.pieces.clone());
    let pitch = pitch(&rows);
    let names: Vec<String> = rows.iter().map(|row| folded(&row_text(row))).collect();
    let plain: Vec<String> = names.iter().map(|name| without_digits(name)).collect();
    // Both are only ever asked by key.
    let [counts, alike] = [counted(&names), counted(&plain)];
    let side = |is_top: bool| -> Vec<Edge> {
        let from_edge = |at: usize| if is_top { at } else { rows.len() - 1 - at };
        let places: Vec<usize> = (0..rows.len().min(MOST_ROWS + 2)).map(from_edge).collect();
        let mut edges = Vec::new();
        for (index, &at) in places.iter().take(MOST_ROWS + 1).enumerate() {
            let is_only = counts.get(names[at].as_str()).is_none_or(|count| *count < 2);
            let mut edge = edge(&rows[at], sheet, is_only);
            // Once at the top, once at the bottom: a running title may be on both.
            edge.is_row = alike.get(plain[at].as_str()).is_some_and(|count| *count > 2);
            let place = edge.height / sheet.height.max(1.0);
            edge.is_near =
                index < MOST_ROWS && if is_top { place < ZONE } else { place > 1.0 - ZONE };
            let next = places.get(index + 1).map(|next| (height(&rows[*next]) - edge.height).abs());
            edge.has_gap = next.is_none_or(|gap| gap > APART * pitch);
            edges.push(edge);
        }
        edges
    };
    [side(true), side(false)]
}

fn counted(names: &[String]) -> HashMap<&str, usize> {
    let mut counts = HashMap::new();
    names.iter().for_each(|name| *counts.entry(name.as_str()).or_default() += 1);
    counts
}

/// From one row to the next: what is usual on a page, in points.
fn pitch(rows: &[Vec<Piece>]) -> f64 {
    let size = |row: &[Piece]| row.iter().map(|piece| piece.size).fold(0.0, f64::max);
    let gap = |pair: &[Vec<Piece>]| match pair {
        [a, b] => height(b) - height(a),
        _ => 0.0,
    };
    let mut gaps: Vec<f64> = rows
        .windows(2)
        .filter(|pair| pair.iter().all(|row| gap(pair) < 2.2 * size(row)))
        .map(gap)
        .collect();
    gaps.sort_by(f64::total_cmp);
    // Without neighbours, as lines are set in most documents.
    let usual = || 1.25 * rows.iter().map(|row| size(row)).fold(0.0, f64::max);
    gaps.get(gaps.len() / 2).copied().unwrap_or_else(usual)
}

fn height(row: &[Piece]) -> f64 {
    row.iter().map(Piece::baseline).fold(f64::MIN, f64::max)
}

fn row_text(row: &[Piece]) -> String {
    row.iter().map(Piece::text).collect::<Vec<_>>().join(" ")
}

fn edge(row: &[Piece], sheet: &Sheet, is_only: bool) -> Edge {
    let text = row_text(row);
    let words = || row.iter().flat_map(|piece| &piece.words);
    let all = |holds: fn(Role) -> bool| !text.is_empty() && words().all(|word| holds(word.role));
    let mark = if all(|role| role == Role::Artifact) {
        Mark::Pagination
    } else if all(|role| matches!(role, Role::Artifact | Role::Aside)) {
        Mark::Aside
    } else {
        Mark::None
    };
    let is_named =
        all(|role| matches!(role, Role::Heading(_))) || sheet.titles.contains(&folded(&text));
    Edge {
        height: height(row),
        size: row.iter().map(|piece| piece.size).fold(0.0, f64::max),
        forms: forms(&text, sheet),
        mark,
        is_bold: words().all(|word| word.style.bold),
        is_near: false,
        is_row: false,
        has_gap: false,
        // A running head says again what is on the page.
        is_title: is_named && is_only,
        text,
    }
}

/// The words of a row as they are, and with each number counted from the page's.
fn forms(text: &str, sheet: &Sheet) -> Vec<Form> {
    let lower = text.to_lowercase();
    let own = sheet.number as i64;
    // A page without a label is called by its number, and may stand beside one with a label.
    let name = sheet.label.clone().unwrap_or_else(|| own.to_string()).to_lowercase();
    let mut forms = vec![Form { words: lower.clone(), counts: Counts::Nothing }];
    for (start, number) in numbers(&lower).take(MOST_COUNTERS) {
        let (Some(before), Some(after)) = (lower.get(..start), lower.get(start + number.len()..))
        else {
            continue;
        };
        if name == number {
            forms.push(Form { words: format!("{before}#{after}"), counts: Counts::Pages });
        }
        let Ok(value) = number.parse::<i64>() else {
            continue;
        };
        let offset = value - own;
        let counts = if offset == 0 { Counts::Pages } else { Counts::Something };
        forms.push(Form { words: format!("{before}#{offset}#{after}"), counts });
    }
    if !name.bytes().all(|byte| byte.is_ascii_digit()) {
        let word = |word| if bare(word) == name { "#" } else { word };
        let words: Vec<&str> = lower.split_whitespace().map(word).collect();
        if words.contains(&"#") {
            forms.push(Form { words: words.join(" "), counts: Counts::Pages });
        }
    }
    forms
}

/// The runs of digits in a text, with their places.
fn numbers(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = 0;
    std::iter::from_fn(move || {
        let after = text.get(rest..)?;
        let start = rest + after.find(|digit: char| digit.is_ascii_digit())?;
        let number = text.get(start..)?;
        let length = number.find(|digit: char| !digit.is_ascii_digit()).unwrap_or(number.len());
        rest = start + length;
        Some((start, number.get(..length)?))
    })
}

/// Returns how far the printed numbers run ahead of the pages, where at least two agree.
fn number_offsets(sheets: &[Sheet], edges: &[[Vec<Edge>; 2]], side: usize) -> Vec<i64> {
    let mut counts: BTreeMap<i64, usize> = BTreeMap::new();
    for (sheet, sides) in sheets.iter().zip(edges) {
        let near = sides[side].iter().take(2).filter(|edge| edge.is_near);
        for number in near.filter_map(|edge| printed_number(&edge.text)) {
            *counts.entry(number - sheet.number as i64).or_default() += 1;
        }
    }
    counts.into_iter().filter(|(_, count)| *count >= 2).map(|(offset, _)| offset).collect()
}

fn is_page_number(edge: &Edge, sheet: &Sheet, offsets: &[i64], body: &Body) -> bool {
    if !edge.is_near {
        return false;
    }
    if sheet.label.as_deref().is_some_and(|label| bare(&edge.text) == label) {
        return true;
    }
    let own = sheet.number as i64;
    // `101`, `102`, … in large type are the rooms that the pages are about.
    let is_large = edge.size > LARGE * body.size;
    printed_number(&edge.text)
        .is_some_and(|number| number == own || !is_large && offsets.contains(&(number - own)))
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
    // A word joiner (U+2060) keeps the number on its line.
    let is_leader = |c: char| matches!(c, '.' | '…' | '·' | '_' | '\u{2060}') || c.is_whitespace();
    let title = rest.trim_end_matches(is_leader);
    let leader = rest.get(title.len()..)?;
    let dots: usize =
        leader.chars().map(|c| if c == '…' { 3 } else { usize::from(".·_".contains(c)) }).sum();
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
    folded_letters(text).collect()
}

fn folded_letters(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase)
}

/// Words alone: rows of a table differ in their numbers.
fn without_digits(text: &str) -> String {
    text.chars().filter(|character| !character.is_numeric()).collect()
}

/// Headings of a table of contents, as [`folded`] writes them.
const CONTENTS: [&str; 6] = [
    "inhalt", "inhaltsverzeichnis", "inhaltsübersicht", "contents", "tableofcontents", "gliederung",
];

pub(super) fn names_contents(text: &str) -> bool {
    CONTENTS.iter().any(|name| folded_letters(text).eq(name.chars()))
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
            pieces: rows
                .iter()
                .map(|(text, baseline)| Piece::sample(text, 0.0, *baseline))
                .collect(),
            ..Sheet::default()
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
        let repeated = removed.rows.iter().filter(|(sign, _)| *sign == LineSign::Repeated);
        let texts: Vec<&str> = repeated.map(|(_, text)| text.as_str()).collect();
        let expected =
            ["Report 2024 1", "Report 2024 2", "Report 2024 3", "Confidential", "Confidential"];
        assert_eq!(texts, expected);
    }

    fn sized(text: &str, baseline: f64, size: f64) -> Piece {
        let mut piece = Piece::sample(text, 0.0, baseline);
        piece.words.iter_mut().for_each(|word| word.size = size);
        Piece::of_words(piece.words)
    }

    fn marked(text: &str, baseline: f64, role: Role) -> Piece {
        let mut piece = Piece::sample(text, 0.0, baseline);
        piece.words.iter_mut().for_each(|word| word.role = role);
        piece
    }

    const PROSE: [(&str, f64); 3] = [
        ("The course has exercises and a trip with the boat", 130.0),
        ("of the department in the summer term and ends with", 142.0),
        ("an examination of ninety minutes in the last week.", 154.0),
    ];

    fn pages_with_prose(rows: &[Vec<Piece>]) -> Vec<Sheet> {
        let page = |(index, rows): (usize, &Vec<Piece>)| {
            let prose = PROSE.iter().map(|(text, at)| Piece::sample(text, 0.0, *at));
            Sheet {
                height: 800.0,
                number: index + 1,
                pieces: rows.iter().cloned().chain(prose).collect(),
                ..Sheet::default()
            }
        };
        rows.iter().enumerate().map(page).collect()
    }

    /// The rows that are left beside the prose.
    fn kept(mut pages: Vec<Sheet>) -> Vec<String> {
        remove_furniture(&mut pages);
        let is_own = |text: &String| PROSE.iter().all(|(prose, _)| text != prose);
        let texts = |sheet: &Sheet| sheet.pieces.iter().map(Piece::text).collect::<Vec<_>>();
        pages
            .iter()
            .map(|sheet| texts(sheet).into_iter().filter(is_own).collect::<Vec<_>>().join("|"))
            .collect()
    }

    #[test]
    fn one_module_on_each_page_is_no_running_head() {
        // Numbers of rooms and modules may count as the pages do.
        for numbers in [[301, 308, 315], [301, 302, 303], [1, 2, 3]] {
            let page = |(index, number): (usize, i32)| {
                vec![
                    sized("Department of Marine Acoustics", 30.0, 8.0),
                    sized(&format!("Module MA {number}"), 70.0, 15.0),
                    sized("Credits: 6", 100.0, 10.0),
                    sized(&format!("Fee: EUR {}", 12 + 4 * (index / 2)), 760.0, 10.0),
                    sized(&format!("{}", index + 1), 780.0, 10.0),
                ]
            };
            let pages: Vec<_> = numbers.into_iter().enumerate().map(page).collect();
            let expected = numbers.iter().enumerate().map(|(index, number)| {
                format!("Module MA {number}|Credits: 6|Fee: EUR {}", 12 + 4 * (index / 2))
            });
            assert_eq!(kept(pages_with_prose(&pages)), expected.collect::<Vec<_>>());
        }
        // The same where the name of the module is no larger than its text.
        let bold = |number: i32| {
            let mut piece = sized(&format!("Module MA {number}"), 70.0, 10.0);
            piece.words.iter_mut().for_each(|word| word.style.bold = true);
            vec![piece, sized("Places: 20", 82.0, 10.0)]
        };
        let pages: Vec<_> = [301, 302, 303].into_iter().map(bold).collect();
        let expected = [301, 302, 303].map(|number| format!("Module MA {number}|Places: 20"));
        assert_eq!(kept(pages_with_prose(&pages)), expected);
    }

    #[test]
    fn a_line_of_the_text_that_repeats_stays() {
        // The head of a table, in the type of its rows and as near to them as they are to each other.
        let page = || vec![sized("Code Module Credits", 118.0, 10.0)];
        let expected = vec!["Code Module Credits".to_owned(); 3];
        assert_eq!(kept(pages_with_prose(&[page(), page(), page()])), expected);
    }

    #[test]
    fn a_large_running_head_goes_where_the_text_runs_on() {
        let page = |first: &str| vec![sized("Regulations", 40.0, 14.0), sized(first, 118.0, 10.0)];
        let apart = [page("All are welcome."), page("Bring a card."), page("Ask the desk.")];
        assert!(kept(pages_with_prose(&apart)).iter().all(|kept| kept.starts_with("Regulations|")));
        let mut pages = pages_with_prose(&[page("All are welcome."), page("and goes on.")]);
        pages[0].pieces.push(sized("The sentence begins here", 166.0, 10.0));
        assert_eq!(kept(pages), ["All are welcome.|The sentence begins here", "and goes on."]);
    }

    #[test]
    fn headings_that_tags_or_bookmarks_name_stay() {
        let page = || vec![sized("Opening hours", 60.0, 10.0)];
        let mut pages = pages_with_prose(&[page(), page()]);
        pages[0].titles = vec!["openinghours".to_owned()];
        assert_eq!(kept(pages), ["Opening hours", ""]);
        // Above the heading itself, the same words are a running head.
        let head = sized("1 Scope", 40.0, 10.0);
        let first = vec![head.clone(), sized("1 Scope", 100.0, 10.0)];
        let mut pages = pages_with_prose(&[first, vec![head]]);
        pages[0].titles = vec!["1scope".to_owned()];
        assert_eq!(kept(pages), ["1 Scope", ""]);
    }

    #[test]
    fn what_a_program_could_not_tag_is_text() {
        let row = |at: usize| marked("MA 301 Waves Aalto", 300.0 + 12.0 * at as f64, Role::Aside);
        let table: Vec<Piece> = (0..5).map(row).collect();
        let pages = pages_with_prose(&[table, vec![]]);
        assert_eq!(kept(pages), [["MA 301 Waves Aalto"; 5].join("|"), String::new()]);
        // In the margin, apart from the text, it is what the mark says.
        let head = |text: &str| vec![marked(text, 40.0, Role::Aside)];
        assert_eq!(kept(pages_with_prose(&[head("Scope"), head("Fees")])), ["", ""]);
        // A page of them, named or not, is a page that was not tagged.
        for role in [Role::Aside, Role::Artifact] {
            let mut pages = pages_with_prose(&vec![vec![]; 5]);
            pages[4].pieces = (0..6)
                .map(|at| marked("Rooms are let by the day", 60.0 + 60.0 * f64::from(at), role))
                .collect();
            assert_eq!(kept(pages)[4], ["Rooms are let by the day"; 6].join("|"), "{role:?}");
        }
        let stamp = vec![marked("Draft", 400.0, Role::Artifact)];
        assert_eq!(kept(pages_with_prose(&[stamp.clone(), stamp])), ["", ""]);
    }

    #[test]
    fn numbers_that_count_the_pages_are_known_by_them() {
        let sheet = Sheet { number: 3, label: Some("iv".to_owned()), ..Sheet::default() };
        let found: Vec<String> =
            forms("Page 3 of 12 (iv)", &sheet).into_iter().map(|form| form.words).collect();
        assert_eq!(
            found,
            ["page 3 of 12 (iv)", "page #0# of 12 (iv)", "page 3 of #9# (iv)", "page 3 of 12 #"]
        );
    }

    #[test]
    fn the_last_row_of_a_table_is_no_footer() {
        let table: &[(&str, f64)] =
            &[("Locker 7", 720.0), ("Locker 8", 735.0), ("Locker 9", 750.0), ("Version 2", 785.0)];
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
            ("Intro ....... \u{2060}3", Some(("Intro", 3))),
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
