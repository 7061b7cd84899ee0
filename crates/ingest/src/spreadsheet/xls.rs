//! Workbooks of Excel 97 to 2003 (`.xls`): a Compound File with a stream of records (MS-XLS).

use std::collections::BTreeMap;
use std::io::Cursor;

use calamine::{Data, DataRef, Reader as _, SheetType, SheetVisible, Xls, XlsError};

use super::archive::malformed;
use super::compound;
use super::{Book, MOST_CELLS, MOST_MERGED, cell, left_out, spans};
use crate::IngestError;
use crate::tabular::{Sheet, SheetCell, SheetRow};

/// The beginning of every Compound File (MS-CFB, 2.2).
const MARK: &[u8] = &[0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1];

type Workbook<'a> = Xls<Cursor<&'a [u8]>>;

/// The sheets that are shown. Numbers are read as they are stored: which of them are shown as shares
/// or amounts of money is not known here; dates are.
pub(super) fn sheets(path: &str, bytes: &[u8]) -> Result<Book, IngestError> {
    if !bytes.starts_with(MARK) {
        return Err(malformed(path, "it is no workbook of Excel 97 to 2003".to_owned()));
    }
    if !compound::chains_end(bytes) {
        return Err(malformed(path, "its sectors lead in a circle".to_owned()));
    }
    let failed = |error: XlsError| match error {
        XlsError::Password => IngestError::Encrypted { path: path.to_owned() },
        error => malformed(path, error.to_string()),
    };
    let mut workbook: Workbook<'_> = Xls::new(Cursor::new(bytes)).map_err(failed)?;
    let mut book = Book::default();
    let mut hidden = Vec::new();
    let mut left = MOST_CELLS;
    for sheet in workbook.sheets_metadata().to_vec() {
        match (sheet.typ, sheet.visible) {
            (SheetType::WorkSheet, SheetVisible::Visible) => {
                let cells = read_sheet(&mut workbook, &sheet.name, &mut left).map_err(failed)?;
                book.sheets.push((sheet.name, cells));
            }
            (SheetType::WorkSheet, _) => hidden.push(format!("`{}`", sheet.name)),
            _ => {}
        }
    }
    book.notes = left_out(path, &hidden, left == 0);
    Ok(book)
}

fn read_sheet(
    workbook: &mut Workbook<'_>,
    name: &str,
    left: &mut usize,
) -> Result<Sheet, XlsError> {
    let regions = workbook.merge_cells_by_sheet_name(name)?;
    let merged = spans(regions.iter().take(MOST_MERGED).map(|it| (it.start, it.end)));
    let range = workbook.worksheet_range(name)?;
    let (top, first) = range.start().unwrap_or_default();
    let mut rows: BTreeMap<u32, Vec<SheetCell>> = BTreeMap::new();
    for (row, column, value) in range.used_cells() {
        let text = text(value);
        if text.trim().is_empty() {
            continue;
        }
        let Some(rest) = left.checked_sub(1) else { break };
        *left = rest;
        let place = |offset: usize, start: u32| {
            u32::try_from(offset).unwrap_or(u32::MAX).saturating_add(start)
        };
        let (row, column) = (place(row, top), place(column, first));
        let (columns, height) = merged.get(&(row, column)).copied().unwrap_or((1, 1));
        let found = SheetCell { columns, rows: height, ..SheetCell::new(column, text) };
        rows.entry(row).or_default().push(found);
    }
    let rows = rows.into_iter().map(|(number, cells)| SheetRow { number, cells });
    Ok(Sheet { rows: rows.collect(), is_free: true })
}

fn text(value: &Data) -> String {
    let value = match value {
        Data::Empty | Data::Error(_) => DataRef::Empty,
        Data::Int(number) => DataRef::Int(*number),
        Data::Float(number) => DataRef::Float(*number),
        Data::Bool(truth) => DataRef::Bool(*truth),
        Data::DateTime(time) => DataRef::DateTime(*time),
        Data::String(text) | Data::DateTimeIso(text) | Data::DurationIso(text) => {
            DataRef::SharedString(text)
        }
    };
    cell::text(&value, "")
}
