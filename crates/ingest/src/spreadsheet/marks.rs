//! What the cells of a sheet do not tell by themselves: rows and columns that are hidden, formulas that were never calculated,
//! words that are struck out.
//!
//! `calamine` gives the values and their styles; this reads the same part once more for the rest.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use super::Corner;
use crate::office::is_on;

/// Columns of a sheet, of which a file may hide each by itself.
const MOST_COLUMN_RANGES: usize = 20_000;

/// The marks of one sheet. Rows and columns are counted from 0.
#[derive(Debug, Default)]
pub(super) struct Marks {
    pub(super) hidden_rows: BTreeSet<u32>,
    hidden_columns: Vec<RangeInclusive<u32>>,
    /// Cells whose formula has no value that can be believed.
    pub(super) uncalculated: BTreeSet<Corner>,
    /// The text of cells in which some words are struck out, without these.
    pub(super) struck: BTreeMap<Corner, Struck>,
}

/// A text of which some is struck out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Struck {
    /// What holds.
    pub(super) kept: String,
    /// What is struck out.
    pub(super) left_out: String,
}

impl Marks {
    /// Reads a sheet's part. `is_uncalculated`: the workbook says that its formulas are still to be calculated, so that a
    /// nought beside one is a placeholder.
    pub(super) fn of(
        source: &str,
        shared: &BTreeMap<usize, Struck>,
        is_uncalculated: bool,
    ) -> Result<Self, quick_xml::Error> {
        let mut marks = Self::default();
        let mut reader = Reader::from_str(source);
        let mut row = 0;
        let mut column = 0;
        loop {
            match reader.read_event()? {
                Event::Start(tag) | Event::Empty(tag) if tag.local_name().as_ref() == "col" => {
                    marks.column(&tag);
                }
                Event::Start(tag) if tag.local_name().as_ref() == "row" => {
                    row = number(&tag, "r").map_or(row, |number| number.saturating_sub(1));
                    column = 0;
                    if is_collapsed(&tag, "ht") {
                        marks.hidden_rows.insert(row);
                    }
                }
                Event::End(tag) if tag.local_name().as_ref() == "row" => {
                    row = row.saturating_add(1)
                }
                Event::Start(tag) if tag.local_name().as_ref() == "c" => {
                    let place = attribute(&tag, "r").and_then(|place| place_of(&place));
                    let place = place.unwrap_or((row, column));
                    column = place.1.saturating_add(1);
                    let is_shared = attribute(&tag, "t").as_deref() == Some("s");
                    let cell = Cell::read(&mut reader)?;
                    let is_placeholder = match cell.value.as_deref() {
                        None | Some("") => true,
                        Some(value) => is_uncalculated && value == "0",
                    };
                    if cell.has_formula && is_placeholder {
                        marks.uncalculated.insert(place);
                    }
                    let index = cell.value.and_then(|value| value.trim().parse().ok());
                    let found = index.filter(|_| is_shared).and_then(|index| shared.get(&index));
                    if let Some(struck) = cell.struck.or_else(|| found.cloned()) {
                        marks.struck.insert(place, struck);
                    }
                }
                Event::Empty(tag) if tag.local_name().as_ref() == "c" => {
                    column = column.saturating_add(1);
                }
                Event::Eof => return Ok(marks),
                _ => {}
            }
        }
    }

    fn column(&mut self, tag: &BytesStart<'_>) {
        let (Some(first), Some(last)) = (number(tag, "min"), number(tag, "max")) else { return };
        if is_collapsed(tag, "width") {
            self.hide_columns(first.saturating_sub(1)..=last.saturating_sub(1));
        }
    }

    pub(super) fn hide_columns(&mut self, columns: RangeInclusive<u32>) {
        if self.hidden_columns.len() < MOST_COLUMN_RANGES {
            self.hidden_columns.push(columns);
        }
    }

    pub(super) fn hides_row(&self, row: u32) -> bool {
        self.hidden_rows.contains(&row)
    }

    pub(super) fn hides_column(&self, column: u32) -> bool {
        self.hidden_columns.iter().any(|columns| columns.contains(&column))
    }

    pub(super) fn is_uncalculated(&self, place: Corner) -> bool {
        self.uncalculated.contains(&place)
    }

    pub(super) fn struck(&self, place: Corner) -> Option<&Struck> {
        self.struck.get(&place)
    }
}

/// Texts that cells share, by their number, where words in them are struck out.
pub(super) fn struck_strings(source: &str) -> Result<BTreeMap<usize, Struck>, quick_xml::Error> {
    let mut found = BTreeMap::new();
    let mut reader = Reader::from_str(source);
    let mut index = 0;
    loop {
        match reader.read_event()? {
            Event::Start(tag) if tag.local_name().as_ref() == "si" => {
                if let Some(struck) = struck_text(&mut reader, "si")? {
                    found.insert(index, struck);
                }
                index += 1;
            }
            Event::Empty(tag) if tag.local_name().as_ref() == "si" => index += 1,
            Event::Eof => return Ok(found),
            _ => {}
        }
    }
}

/// The inside of a cell.
#[derive(Default)]
struct Cell {
    has_formula: bool,
    value: Option<String>,
    struck: Option<Struck>,
}

impl Cell {
    fn read(reader: &mut Reader<&[u8]>) -> Result<Self, quick_xml::Error> {
        let mut cell = Self::default();
        let mut is_value = false;
        loop {
            match reader.read_event()? {
                Event::Start(tag) => match tag.local_name().as_ref() {
                    "f" => cell.has_formula = true,
                    "v" => is_value = true,
                    "is" => cell.struck = struck_text(reader, "is")?,
                    _ => {}
                },
                // The cells below a shared formula name it and no more.
                Event::Empty(tag) if tag.local_name().as_ref() == "f" => cell.has_formula = true,
                Event::Text(text) if is_value => {
                    cell.value.get_or_insert_default().push_str(&text.xml10_content());
                }
                Event::End(tag) => match tag.local_name().as_ref() {
                    "v" => is_value = false,
                    "c" => return Ok(cell),
                    _ => {}
                },
                Event::Eof => return Ok(cell),
                _ => {}
            }
        }
    }
}

/// The text of runs up to the end of an element, if some of it is struck out.
fn struck_text(reader: &mut Reader<&[u8]>, end: &str) -> Result<Option<Struck>, quick_xml::Error> {
    let mut text = Struck { kept: String::new(), left_out: String::new() };
    let mut is_struck = false;
    let mut is_text = false;
    // Pronunciations stand beside the text.
    let mut is_beside = false;
    loop {
        match reader.read_event()? {
            Event::Start(tag) | Event::Empty(tag) if tag.local_name().as_ref() == "strike" => {
                is_struck = attribute(&tag, "val").is_none_or(|value| is_on(&value));
            }
            Event::Start(tag) => match tag.local_name().as_ref() {
                "r" => is_struck = false,
                "rPh" => is_beside = true,
                "t" => is_text = !is_beside,
                _ => {}
            },
            Event::Text(words) if is_text => {
                let place = if is_struck { &mut text.left_out } else { &mut text.kept };
                place.push_str(&words.xml10_content());
            }
            Event::GeneralRef(reference) if is_text => {
                let place = if is_struck { &mut text.left_out } else { &mut text.kept };
                place.push_str(&entity(&reference));
            }
            Event::End(tag) => match tag.local_name().as_ref() {
                "t" => is_text = false,
                "rPh" => is_beside = false,
                name if name == end => return Ok((!text.left_out.is_empty()).then_some(text)),
                _ => {}
            },
            Event::Eof => return Ok(None),
            _ => {}
        }
    }
}

fn entity(reference: &quick_xml::events::BytesRef<'_>) -> String {
    if let Ok(Some(character)) = reference.resolve_char_ref() {
        return character.to_string();
    }
    let text = match &**reference {
        "amp" => "&",
        "lt" => "<",
        "gt" => ">",
        "quot" => "\"",
        "apos" => "'",
        _ => "",
    };
    text.to_owned()
}

/// Returns `true` for a row or column that is hidden, or has no height or width.
fn is_collapsed(tag: &BytesStart<'_>, size: &str) -> bool {
    let is_hidden = attribute(tag, "hidden").is_some_and(|value| is_on(&value));
    is_hidden || attribute(tag, size).and_then(|size| size.parse::<f64>().ok()) == Some(0.0)
}

fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let mut attributes = tag.attributes();
    let found = attributes.with_checks(false).flatten();
    let found = found.into_iter().find(|attribute| attribute.key.into_inner() == name)?;
    Some(found.normalized_value(XmlVersion::Implicit1_0).ok()?.into_owned())
}

fn number(tag: &BytesStart<'_>, name: &str) -> Option<u32> {
    attribute(tag, name)?.trim().parse().ok()
}

/// The row and the column of a place such as `B12`, from 0.
fn place_of(place: &str) -> Option<Corner> {
    let digits = place.find(|character: char| character.is_ascii_digit())?;
    let (letters, row) = place.split_at_checked(digits)?;
    let mut column: u32 = 0;
    for letter in letters.chars() {
        let value = letter.to_ascii_uppercase().to_digit(36)?.checked_sub(9)?;
        column = column.checked_mul(26)?.checked_add(value)?;
    }
    Some((row.parse::<u32>().ok()?.checked_sub(1)?, column.checked_sub(1)?))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail")]

    use super::{Marks, Struck, place_of, struck_strings};

    #[test]
    fn places_are_counted_from_nought() {
        let cases = [
            ("A1", Some((0, 0))),
            ("b12", Some((11, 1))),
            ("AA3", Some((2, 26))),
            ("XFD1048576", Some((1_048_575, 16_383))),
            ("A0", None),
            ("12", None),
            ("ZZZZZZZZZZ1", None),
        ];
        for (place, expected) in cases {
            assert_eq!(place_of(place), expected, "{place}");
        }
    }

    #[test]
    fn hidden_uncalculated_and_struck() {
        let strings = "<sst><si><t>Fee</t></si><si/><si><r><rPr><strike/></rPr><t>EUR 40</t></r>\
                       <r><t> EUR &lt;55</t></r></si><si><r><rPr><strike val=\"0\"/></rPr>\
                       <t>all</t></r></si></sst>";
        let shared = struck_strings(strings).unwrap();
        let struck = Struck { kept: " EUR <55".to_owned(), left_out: "EUR 40".to_owned() };
        assert_eq!(shared.into_iter().collect::<Vec<_>>(), [(2, struck.clone())]);
        let shared = [(2, struck.clone())].into_iter().collect();
        let sheet = "<x:worksheet xmlns:x='s'><x:cols><x:col min='2' max='3' hidden='1'/>\
                     <x:col min='5' max='5' width='0'/></x:cols><x:sheetData>\
                     <x:row r='1'><x:c r='A1' t='s'><x:v>2</x:v></x:c><x:c><x:f>1+1</x:f></x:c>\
                     <x:c><x:f>1+1</x:f><x:v>0</x:v></x:c><x:c><x:f t='shared' si='0'/><x:v>3</x:v></x:c>\
                     <x:c><x:v>0</x:v></x:c></x:row>\
                     <x:row r='8' ht='0' customHeight='1'></x:row></x:sheetData></x:worksheet>";
        for is_uncalculated in [false, true] {
            let marks = Marks::of(sheet, &shared, is_uncalculated).unwrap();
            assert_eq!(marks.struck((0, 0)), Some(&struck));
            assert!(marks.is_uncalculated((0, 1)));
            assert_eq!(marks.is_uncalculated((0, 2)), is_uncalculated);
            assert!(!marks.is_uncalculated((0, 3)) && !marks.is_uncalculated((0, 4)));
            let columns: Vec<u32> = (0..6).filter(|column| marks.hides_column(*column)).collect();
            assert_eq!(columns, [1, 2, 4]);
            let rows: Vec<u32> = (0..9).filter(|row| marks.hides_row(*row)).collect();
            assert_eq!(rows, [7]);
        }
    }
}
