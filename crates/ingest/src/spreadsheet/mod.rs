//! Workbooks: of Excel (`.xlsx`, and `.xls` of 1997 to 2003) and OpenDocument (`.ods`).

mod cells;
mod drawn;
mod marks;
mod names_of_days;
#[cfg(test)]
mod tests;
mod xls;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Cursor, Read, sink};

use calamine::{Hyperlink, Reader, SheetType, SheetVisible, Xlsx, XlsxError};
use campanile_corpus::Document;
use zip::ZipArchive;
use zip::result::ZipError;

use crate::assemble::{Assembler, title_from_path};
use crate::inline::InlineText;
use crate::kind::{COMPOUND_FILE, ENCRYPTED_STREAM, holds_stream};
use crate::office::WorkbookParts;
use crate::report::Report;
use crate::sanitize::safe_target;
use crate::tabular::{Sheet, SheetCell, SheetRow, add_parts};
use crate::{Finding, IngestOptions, Kind, Noticed, Trouble, office};
pub(crate) use cells::Formats;
pub(crate) use drawn::add_drawn;
use marks::{Marks, Struck, struck_strings};

/// Cells that are read of one workbook.
// Two full columns of the longest sheet there is; each cell is a text of its own in memory.
pub(crate) const MOST_CELLS: usize = 2_000_000;
/// Merged regions that are looked at in one sheet.
const MOST_MERGED: usize = 100_000;

type Workbook<'a> = Xlsx<Cursor<&'a [u8]>>;

/// A workbook as one document: a section each sheet, unless there is only one.
pub(crate) fn read(
    kind: Kind,
    path: &str,
    bytes: &[u8],
    options: &IngestOptions,
) -> Result<(Document, Report), Trouble> {
    let book = sheets(kind, path, bytes, options)?;
    let mut assembler = Assembler::default();
    let filled = book.sheets.iter().filter(|(_, sheet)| !sheet.rows.is_empty()).count();
    for (name, sheet) in book.sheets {
        if sheet.rows.is_empty() {
            continue;
        }
        if filled > 1 {
            assembler.heading(1, InlineText::plain(name), None);
        }
        add_parts(&mut assembler, sheet.parts());
    }
    let (document, mut report) =
        assembler.finish(path, title_from_path(path), None, BTreeMap::new());
    report.notes.extend(book.notes);
    Ok((document, report))
}

/// The sheets that are shown, by name in their order, and what was left out.
#[derive(Debug, Default)]
pub(crate) struct Book {
    pub(crate) sheets: Vec<(String, Sheet)>,
    pub(crate) notes: Vec<Finding>,
}

/// The sheets of a workbook of a kind.
pub(crate) fn sheets(
    kind: Kind,
    path: &str,
    bytes: &[u8],
    options: &IngestOptions,
) -> Result<Book, Trouble> {
    match kind {
        Kind::Ods => office::sheets(path, bytes, options),
        Kind::Xls => xls::sheets(path, bytes),
        _ => xlsx(path, bytes, options),
    }
}

/// Returns findings on what was left out of a workbook: hidden sheets, and cells beyond the limit.
pub(crate) fn left_out(path: &str, hidden: &[String], is_full: bool) -> Vec<Finding> {
    let mut notes = Vec::new();
    let mut note = |what: String| notes.push(Noticed::SheetParts(what).of(path));
    if !hidden.is_empty() {
        note(format!("the hidden sheets {}. Show them if they should be found", hidden.join(", ")));
    }
    if is_full {
        note(format!("all cells after the first {MOST_CELLS}. Split the workbook"));
    }
    notes
}

/// A corner of a region: row and column.
type Corner = (u32, u32);

/// Returns how many columns and rows each merged cell takes, by its place.
fn spans(regions: impl Iterator<Item = (Corner, Corner)>) -> BTreeMap<Corner, (u32, u32)> {
    let size = |from: u32, to: u32| to.saturating_sub(from).saturating_add(1);
    let span =
        |(start, end): (Corner, Corner)| (start, (size(start.1, end.1), size(start.0, end.0)));
    regions.map(span).collect()
}

fn xlsx(path: &str, bytes: &[u8], options: &IngestOptions) -> Result<Book, Trouble> {
    check(bytes, options.max_inflated_bytes)?;
    let mut workbook: Workbook<'_> =
        Xlsx::new(Cursor::new(bytes)).map_err(|error| failed(&error))?;
    let mut parts = WorkbookParts::open(bytes, options)?;
    let strings = parts.shared_strings()?.unwrap_or_default();
    let struck = struck_strings(&strings).map_err(|error| malformed(error.to_string()))?;
    let mut formats = Formats::new(workbook.has_1904_epoch());
    let mut book = Book::default();
    let mut hidden = Vec::new();
    let mut seen = LeftOut::default();
    let mut left = MOST_CELLS;
    for sheet in workbook.sheets_metadata().to_vec() {
        if sheet.typ != SheetType::WorkSheet {
            continue;
        }
        if sheet.visible != SheetVisible::Visible {
            hidden.push(format!("`{}`", sheet.name));
            continue;
        }
        let source = parts.sheet(&sheet.name)?.unwrap_or_default();
        let marks = Marks::of(&source, &struck, parts.is_uncalculated);
        let marks = marks.map_err(|error| malformed(format!("sheet `{}`: {error}", sheet.name)))?;
        let mut reader = SheetReader { marks, formats: &mut formats, seen: &mut seen };
        let cells = reader.read(&mut workbook, &sheet.name, &mut left);
        let mut cells = cells.map_err(|error| failed(&error))?;
        let is_hidden =
            |row, column| reader.marks.hides_row(row) || reader.marks.hides_column(column);
        add_drawn(&mut cells, parts.drawn(&sheet.name)?, is_hidden);
        book.sheets.push((sheet.name, cells));
    }
    book.notes = left_out(path, &hidden, left == 0);
    book.notes.extend(seen.notes(path));
    Ok(book)
}

/// What of a workbook's cells was left out.
#[derive(Debug, Default)]
struct LeftOut {
    errors: usize,
    uncalculated: usize,
    hidden_rows: BTreeSet<(String, u32)>,
    hidden_columns: BTreeSet<(String, u32)>,
    struck: Report,
}

impl LeftOut {
    fn notes(self, path: &str) -> Vec<Finding> {
        let mut notes = Vec::new();
        let mut note = |count: usize, what: String| {
            if count > 0 {
                notes.push(Noticed::SheetParts(what).of(path));
            }
        };
        let Self { errors, uncalculated, hidden_rows, hidden_columns, struck } = self;
        note(
            errors,
            format!("{errors} cells that show an error, such as `#REF!`. Correct their formulas"),
        );
        note(uncalculated, never_calculated(uncalculated));
        let rows = hidden_rows.len();
        note(rows, format!("{rows} hidden rows. Show them if they should be found"));
        let columns = hidden_columns.len();
        note(columns, format!("{columns} hidden columns. Show them if they should be found"));
        notes.extend(struck.struck_out(path));
        notes
    }
}

/// Stands for the value of a formula that was never calculated, so that its column keeps its name.
pub(crate) const NOT_CALCULATED: &str = "not calculated";

/// What the report says of so many formulas without a value.
pub(crate) fn never_calculated(count: usize) -> String {
    format!(
        "the values of {count} cells whose formula was never calculated. Open the workbook in a spreadsheet program and save it"
    )
}

/// Reads one sheet after the other.
struct SheetReader<'a> {
    marks: Marks,
    formats: &'a mut Formats,
    seen: &'a mut LeftOut,
}

impl SheetReader<'_> {
    /// The cells of a sheet. Only what is there is kept, however large the sheet says it is.
    fn read(
        &mut self,
        workbook: &mut Workbook<'_>,
        name: &str,
        left: &mut usize,
    ) -> Result<Sheet, XlsxError> {
        // A sheet whose links cannot be read still has cells.
        let links = Links::of(workbook.hyperlinks_by_sheet_name(name).unwrap_or_default());
        let regions = workbook.merge_cells_by_sheet_name(name)?;
        let merged =
            spans(regions.iter().take(MOST_MERGED).map(|region| (region.start, region.end)));
        // Sorted, as a file may state its cells in any order.
        let mut rows: BTreeMap<u32, BTreeMap<u32, SheetCell>> = BTreeMap::new();
        let mut reader = workbook.worksheet_cells_reader(name)?;
        while let Some((cell, style)) = reader.next_cell_with_style_id()? {
            let style = reader.styles().get(style);
            let format = style.and_then(|style| style.number_format.as_ref());
            let format = format.map_or("", |format| format.format_code.as_str());
            let text = self.formats.show(cell.get_value(), format);
            let font = style.and_then(|style| style.font.as_ref());
            let is_struck = font.is_some_and(|font| font.has_strikethrough());
            let place = cell.get_position();
            if matches!(cell.get_value(), calamine::DataRef::Error(_)) {
                self.seen.errors += 1;
            }
            let text = self.kept(name, place, text, is_struck);
            if text.trim().is_empty() {
                continue;
            }
            // Empty cells are not counted: a sheet may format a million of them.
            let Some(rest) = left.checked_sub(1) else { break };
            *left = rest;
            let (row, column) = place;
            let (columns, height) = merged.get(&place).copied().unwrap_or((1, 1));
            let is_bold = font.is_some_and(|font| font.is_bold());
            let link = links.at(row, column);
            let found = SheetCell { column, text, is_bold, columns, rows: height, link };
            rows.entry(row).or_default().insert(column, found);
        }
        let rows = rows
            .into_iter()
            .map(|(number, cells)| SheetRow { number, cells: cells.into_values().collect() });
        Ok(Sheet { rows: rows.collect(), is_free: true })
    }

    /// What a reader of the sheet sees in a cell and takes for valid; the rest is counted.
    fn kept(&mut self, sheet: &str, place: Corner, text: String, is_struck: bool) -> String {
        let (row, column) = place;
        let is_uncalculated = self.marks.is_uncalculated(place);
        if text.trim().is_empty() && !is_uncalculated {
            return text;
        }
        if self.marks.hides_row(row) {
            self.seen.hidden_rows.insert((sheet.to_owned(), row));
        } else if self.marks.hides_column(column) {
            self.seen.hidden_columns.insert((sheet.to_owned(), column));
        } else if is_uncalculated {
            self.seen.uncalculated += 1;
            return NOT_CALCULATED.to_owned();
        } else if is_struck {
            self.seen.struck.struck(&text);
        } else if let Some(Struck { kept, left_out }) = self.marks.struck(place) {
            self.seen.struck.struck(left_out);
            return kept.clone();
        } else {
            return text;
        }
        String::new()
    }
}

fn failed(error: &XlsxError) -> Trouble {
    match error {
        XlsxError::Password => Trouble::Encrypted,
        error => malformed(error.to_string()),
    }
}

/// Files in a workbook.
const MOST_FILES: usize = 10_000;

/// Refuses what is no archive, and what would not fit into memory. What its directory states is not
/// believed: everything is unpacked once, to nowhere, up to the limit.
pub(super) fn check(bytes: &[u8], limit_bytes: u64) -> Result<(), Trouble> {
    if bytes.starts_with(&COMPOUND_FILE[..4]) {
        // An encrypted workbook is a Compound File around the archive; so is a workbook of 1997.
        return Err(if holds_stream(bytes, ENCRYPTED_STREAM) {
            Trouble::Encrypted
        } else {
            malformed("it is a workbook in the format of Excel 97".to_owned())
        });
    }
    let broken = |error: ZipError| malformed(error.to_string());
    let inflated = || Trouble::Inflated { limit_bytes };
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(broken)?;
    if archive.len() > MOST_FILES {
        return Err(malformed(format!("it holds {} files", archive.len())));
    }
    // An archive that admits its size is refused without being unpacked.
    if archive.decompressed_size().is_some_and(|size| size > u128::from(limit_bytes)) {
        return Err(inflated());
    }
    let mut left = limit_bytes;
    for index in 0..archive.len() {
        let file = match archive.by_index(index) {
            Err(ZipError::UnsupportedArchive(reason)) if reason == ZipError::PASSWORD_REQUIRED => {
                return Err(Trouble::Encrypted);
            }
            file => file.map_err(broken)?,
        };
        if file.size() > left {
            return Err(inflated());
        }
        let read = std::io::copy(&mut file.take(left.saturating_add(1)), &mut sink());
        let read = read.map_err(|error| malformed(error.to_string()))?;
        left = left.checked_sub(read).ok_or_else(inflated)?;
    }
    Ok(())
}

pub(super) fn malformed(reason: String) -> Trouble {
    Trouble::malformed("Excel", reason)
}

/// Links by the cell that they lie on. One over many cells is a link of the first.
#[derive(Debug, Default)]
pub(super) struct Links(BTreeMap<(u32, u32), String>);

impl Links {
    pub(super) fn of(links: Vec<Hyperlink>) -> Self {
        let found = links.into_iter().filter_map(|link| {
            let target = link.target.filter(|target| target.contains(':'))?;
            Some((link.range.start, safe_target(&target)?.to_owned()))
        });
        Self(found.collect())
    }

    pub(super) fn at(&self, row: u32, column: u32) -> Option<String> {
        self.0.get(&(row, column)).cloned()
    }
}
