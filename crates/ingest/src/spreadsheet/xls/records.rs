//! The records of a `.xls` that `calamine` keeps to itself: how each cell is shown, which rows and columns are hidden, and which
//! formulas have no value (MS-XLS, 2.4).
//!
//! A record is its number, its length and its bytes. The first ones are the workbook's: fonts, number formats, styles of cells.
//! The records of each sheet follow.

use std::collections::BTreeMap;

use super::strings::struck_strings;
use crate::spreadsheet::Corner;
use crate::spreadsheet::marks::{Marks, Struck};

const FORMULA: u16 = 0x0006;
const END: u16 = 0x000A;
const FONT: u16 = 0x0031;
const CONTINUE: u16 = 0x003C;
const COLUMNS: u16 = 0x007D;
const SHEET: u16 = 0x0085;
const SEVERAL_RK: u16 = 0x00BD;
const STYLE: u16 = 0x00E0;
const STRINGS: u16 = 0x00FC;
const SHARED_STRING: u16 = 0x00FD;
/// Cells of one value: a rich text, a number, a text, a truth, a number in four bytes.
const CELLS: [u16; 5] = [0x00D6, 0x0203, 0x0204, 0x0205, 0x027E];
const ROW: u16 = 0x0208;
const FORMAT: u16 = 0x041E;
const BEGIN: u16 = 0x0809;

/// A font as heavy as this is bold (MS-XLS, 2.4.122).
const BOLD: u16 = 700;
/// The font with this number is left out of the count.
const NO_FONT: u16 = 4;
/// A row that is hidden, among its options.
const HIDDEN_ROW: u8 = 0x20;
/// A formula that is to be calculated when the workbook is opened.
const TO_CALCULATE: u16 = 0x02;

/// How the cells of a workbook look, and each sheet's own records, in the order in which the workbook names its sheets.
#[derive(Debug, Default)]
pub(super) struct Records {
    fonts: Vec<Font>,
    formats: BTreeMap<u16, String>,
    styles: Vec<Style>,
    pub(super) sheets: Vec<SheetRecords>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Font {
    is_bold: bool,
    is_struck: bool,
}

#[derive(Clone, Copy, Debug)]
struct Style {
    font: u16,
    format: u16,
}

/// One sheet's records.
#[derive(Debug, Default)]
pub(super) struct SheetRecords {
    pub(super) marks: Marks,
    styles: BTreeMap<Corner, u16>,
    formulas: Vec<(Corner, Outcome)>,
}

/// What a formula last gave, as its record has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Value,
    /// No text: what the formula gave, or nothing was calculated.
    Blank,
    /// Nought or no text, and the formula is to be calculated.
    Placeholder,
}

/// How a cell is shown.
pub(super) struct Look<'a> {
    pub(super) format: &'a str,
    pub(super) is_bold: bool,
    pub(super) is_struck: bool,
}

impl Records {
    /// Reads the workbook's stream. What is damaged ends it, as does what it does not know: `calamine` reports that.
    pub(super) fn of(stream: &[u8]) -> Self {
        let mut records = Self::default();
        let mut places = Vec::new();
        let mut struck = BTreeMap::new();
        let mut rest = Rest(stream).peekable();
        while let Some((kind, data)) = rest.next() {
            match kind {
                FONT => records.fonts.extend(font(data)),
                FORMAT => records.formats.extend(format(data)),
                STYLE => records.styles.extend(style(data)),
                SHEET => places.push(u32_at(data, 0).unwrap_or(u32::MAX)),
                STRINGS => {
                    let mut parts = vec![data];
                    while let Some((_, data)) = rest.next_if(|(kind, _)| *kind == CONTINUE) {
                        parts.push(data);
                    }
                    let is_struck = |font| records.font(font).is_struck;
                    struck = struck_strings(&parts, is_struck);
                }
                END => break,
                _ => {}
            }
        }
        // Sheets that overlap are no workbook's: all together have the bytes of the stream.
        let mut left = stream.len();
        for place in places {
            let stream = stream.get(place as usize..).unwrap_or_default();
            let stream = stream.get(..left).unwrap_or(stream);
            let (sheet, read_bytes) = SheetRecords::of(stream, &struck);
            left = left.saturating_sub(read_bytes);
            records.sheets.push(sheet);
        }
        records.mark_uncalculated();
        records
    }

    /// How the cell at a place of a sheet is shown.
    pub(super) fn look(&self, sheet: usize, place: Corner) -> Look<'_> {
        let sheet = self.sheets.get(sheet);
        let style = sheet.and_then(|sheet| sheet.styles.get(&place));
        let Some(style) = style.and_then(|style| self.styles.get(usize::from(*style))) else {
            return Look { format: "", is_bold: false, is_struck: false };
        };
        let Font { is_bold, is_struck } = self.font(style.font);
        let built_in = || super::built_in_format(style.format);
        let format = self.formats.get(&style.format).map_or_else(built_in, String::as_str);
        Look { format, is_bold, is_struck }
    }

    fn font(&self, number: u16) -> Font {
        let place = if number > NO_FONT { number - 1 } else { number };
        self.fonts.get(usize::from(place)).copied().unwrap_or_default()
    }

    /// A formula whose text is empty may have given that. Where no formula of the workbook has a value, none was calculated.
    fn mark_uncalculated(&mut self) {
        let mut formulas = self.sheets.iter().flat_map(|sheet| &sheet.formulas);
        let some_are_calculated = formulas.any(|(_, outcome)| *outcome == Outcome::Value);
        for sheet in &mut self.sheets {
            let is_left = |outcome: &Outcome| match outcome {
                Outcome::Value => false,
                Outcome::Blank => !some_are_calculated,
                Outcome::Placeholder => true,
            };
            let left = sheet.formulas.iter().filter(|(_, outcome)| is_left(outcome));
            sheet.marks.uncalculated.extend(left.map(|(place, _)| *place));
        }
    }
}

impl SheetRecords {
    /// Reads up to the end of the sheet that begins the stream, and returns how many bytes that takes.
    fn of(stream: &[u8], struck: &BTreeMap<usize, Struck>) -> (Self, usize) {
        let mut sheet = Self::default();
        // Charts within the sheet have a beginning and an end of their own.
        let mut depth = 0_u32;
        let mut rest = Rest(stream);
        for (kind, data) in rest.by_ref() {
            match kind {
                BEGIN => depth = depth.saturating_add(1),
                END if depth <= 1 => break,
                END => depth -= 1,
                _ if depth == 1 => {
                    let _ = sheet.record(kind, data, struck);
                }
                _ => {}
            }
        }
        (sheet, stream.len() - rest.0.len())
    }

    /// Takes what a record says; `None` where it is cut short.
    fn record(&mut self, kind: u16, data: &[u8], struck: &BTreeMap<usize, Struck>) -> Option<()> {
        let (first, second) = (u16_at(data, 0)?, u16_at(data, 2)?);
        let place = (u32::from(first), u32::from(second));
        match kind {
            COLUMNS => {
                let is_hidden = data.get(8)? & 1 == 1 || u16_at(data, 4)? == 0;
                if is_hidden {
                    self.marks.hide_columns(place.0..=place.1);
                }
            }
            ROW => {
                let is_hidden = data.get(12)? & HIDDEN_ROW != 0;
                if is_hidden {
                    self.marks.hidden_rows.insert(place.0);
                }
            }
            FORMULA => {
                self.styles.insert(place, u16_at(data, 4)?);
                let outcome = outcome(data.get(6..14)?, u16_at(data, 14)?);
                self.formulas.push((place, outcome));
            }
            SHARED_STRING => {
                self.styles.insert(place, u16_at(data, 4)?);
                if let Some(text) = struck.get(&(u32_at(data, 6)? as usize)) {
                    self.marks.struck.insert(place, text.clone());
                }
            }
            SEVERAL_RK => {
                // A style and a number for each, and the last column behind them.
                let cells = data.get(4..data.len().saturating_sub(2))?.chunks_exact(6);
                for (column, cell) in (place.1..).zip(cells) {
                    self.styles.insert((place.0, column), u16_at(cell, 0)?);
                }
            }
            kind if CELLS.contains(&kind) => {
                self.styles.insert(place, u16_at(data, 4)?);
            }
            _ => {}
        }
        Some(())
    }
}

fn outcome(value: &[u8], options: u16) -> Outcome {
    let is_blank = matches!(value, [3, .., 0xFF, 0xFF]);
    let is_nought = value.iter().all(|byte| *byte == 0);
    match (is_blank, is_nought) {
        (true, _) | (_, true) if options & TO_CALCULATE != 0 => Outcome::Placeholder,
        (true, _) => Outcome::Blank,
        _ => Outcome::Value,
    }
}

fn font(data: &[u8]) -> Option<Font> {
    /// A line through the letters, among a font's options.
    const STRUCK: u16 = 0x08;
    Some(Font { is_struck: u16_at(data, 2)? & STRUCK != 0, is_bold: u16_at(data, 6)? >= BOLD })
}

fn style(data: &[u8]) -> Option<Style> {
    Some(Style { font: u16_at(data, 0)?, format: u16_at(data, 2)? })
}

/// A number format and its number.
fn format(data: &[u8]) -> Option<(u16, String)> {
    let number = u16_at(data, 0)?;
    let code = wide_format(data).or_else(|| {
        // Excel 5 and 95: a byte for the length, and letters of the system's code page. Those of formats are nearly all ASCII.
        let letters = data.get(3..3 + usize::from(*data.get(2)?))?;
        Some(encoding_rs::WINDOWS_1252.decode(letters).0.into_owned())
    });
    Some((number, code?))
}

/// The code of a format as Excel 97 writes it; `None` if its length does not fit.
fn wide_format(data: &[u8]) -> Option<String> {
    let length = usize::from(u16_at(data, 2)?);
    let letters = data.get(5..)?;
    match *data.get(4)? {
        0 if letters.len() == length => {
            // Letters of one byte are those of Unicode's first 256.
            Some(letters.iter().map(|byte| char::from(*byte)).collect())
        }
        1 if letters.len() == 2 * length => {
            let units: Vec<u16> = letters.chunks_exact(2).filter_map(|it| u16_at(it, 0)).collect();
            Some(String::from_utf16_lossy(&units))
        }
        _ => None,
    }
}

/// The records of a stream, each with its number; up to one that is cut short.
struct Rest<'a>(&'a [u8]);

impl<'a> Iterator for Rest<'a> {
    type Item = (u16, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let end = 4 + usize::from(u16_at(self.0, 2)?);
        let (kind, data) = (u16_at(self.0, 0)?, self.0.get(4..end)?);
        self.0 = self.0.get(end..).unwrap_or_default();
        Some((kind, data))
    }
}

pub(super) fn u16_at(data: &[u8], place: usize) -> Option<u16> {
    Some(u16::from_le_bytes(data.get(place..place + 2)?.try_into().ok()?))
}

fn u32_at(data: &[u8], place: usize) -> Option<u32> {
    Some(u32::from_le_bytes(data.get(place..place + 4)?.try_into().ok()?))
}
