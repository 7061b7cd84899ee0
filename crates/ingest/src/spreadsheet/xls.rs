//! Workbooks of Excel 97 to 2003 (`.xls`): a Compound File with a stream of records (MS-XLS).

mod compound;
mod records;
mod strings;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::io::Cursor;

use calamine::{Data, DataRef, Reader as _, SheetType, SheetVisible, Xls, XlsError};

use self::compound::{chains_end, stream};
use self::records::Records;
use super::cells::Formats;
use super::{Book, LeftOut, MOST_CELLS, MOST_MERGED, SheetReader, left_out, malformed, spans};
use crate::Trouble;
use crate::kind::COMPOUND_FILE;
use crate::tabular::{Sheet, SheetCell, SheetRow};

type Workbook<'a> = Xls<Cursor<&'a [u8]>>;

/// The sheets that are shown.
pub(super) fn sheets(path: &str, bytes: &[u8]) -> Result<Book, Trouble> {
    let head = bytes.get(..bytes.len().min(2_000)).unwrap_or_default();
    let head = String::from_utf8_lossy(head);
    if XML_OF_2003.iter().any(|sign| head.contains(sign)) {
        return Err(Trouble::LooksLike {
            looks_like: "a workbook in the XML of Excel 2003",
            way_out: "open it in a spreadsheet program and save it as `.xlsx`",
        });
    }
    if !bytes.starts_with(COMPOUND_FILE) {
        return Err(malformed("it is no workbook of Excel 97 to 2003".to_owned()));
    }
    if !chains_end(bytes) {
        return Err(malformed("its sectors lead in a circle".to_owned()));
    }
    let failed = |error: XlsError| match error {
        XlsError::Password => Trouble::Encrypted,
        error => malformed(error.to_string()),
    };
    let mut workbook: Workbook<'_> = Xls::new(Cursor::new(bytes)).map_err(failed)?;
    let mut records = Records::of(&stream(bytes, &STREAMS).unwrap_or_default());
    let mut formats = Formats::new(workbook.has_1904_epoch());
    let mut book = Book::default();
    let mut hidden = Vec::new();
    let mut seen = LeftOut::default();
    let mut left = MOST_CELLS;
    for (number, sheet) in workbook.sheets_metadata().to_vec().into_iter().enumerate() {
        if sheet.typ != SheetType::WorkSheet {
            continue;
        }
        if sheet.visible != SheetVisible::Visible {
            hidden.push(format!("`{}`", sheet.name));
            continue;
        }
        let marks = records.sheets.get_mut(number).map(|sheet| std::mem::take(&mut sheet.marks));
        let marks = marks.unwrap_or_default();
        let mut reader = SheetReader { marks, formats: &mut formats, seen: &mut seen };
        let source = SheetSource { number, name: &sheet.name, records: &records };
        let cells = source.read(&mut workbook, &mut reader, &mut left).map_err(failed)?;
        book.sheets.push((sheet.name, cells));
    }
    book.notes = left_out(path, &hidden, left == 0);
    book.notes.extend(seen.notes(path));
    Ok(book)
}

/// What the XML of Excel 2003 begins with: which program opens it, or the names of its parts.
const XML_OF_2003: [&str; 2] = ["Excel.Sheet", "urn:schemas-microsoft-com:office:spreadsheet"];

/// What the stream of records is called: `Book` in Excel 5 and 95.
const STREAMS: [&str; 2] = ["Workbook", "Book"];

/// The number format that has this number in every workbook; empty for others.
fn built_in_format(number: u16) -> &'static str {
    ssfmt::format_code_from_id(number.into()).unwrap_or_default()
}

struct SheetSource<'a> {
    /// Its place among the sheets.
    number: usize,
    name: &'a str,
    records: &'a Records,
}

impl SheetSource<'_> {
    fn read(
        &self,
        workbook: &mut Workbook<'_>,
        reader: &mut SheetReader<'_>,
        left: &mut usize,
    ) -> Result<Sheet, XlsError> {
        let regions = workbook.merge_cells_by_sheet_name(self.name)?;
        let merged = spans(regions.iter().take(MOST_MERGED).map(|it| (it.start, it.end)));
        let range = workbook.worksheet_range(self.name)?;
        let (top, first) = range.start().unwrap_or_default();
        let mut rows: BTreeMap<u32, Vec<SheetCell>> = BTreeMap::new();
        for (row, column, value) in range.used_cells() {
            let number = |offset: usize, start: u32| {
                u32::try_from(offset).unwrap_or(u32::MAX).saturating_add(start)
            };
            let place = (number(row, top), number(column, first));
            let look = self.records.look(self.number, place);
            let value = data_ref(value);
            reader.seen.errors += usize::from(matches!(value, DataRef::Error(_)));
            let text = reader.formats.show(&value, look.format);
            let text = reader.kept(self.name, place, text, look.is_struck);
            if text.trim().is_empty() {
                continue;
            }
            let Some(rest) = left.checked_sub(1) else { break };
            *left = rest;
            let (row, column) = place;
            let (columns, height) = merged.get(&place).copied().unwrap_or((1, 1));
            let is_bold = look.is_bold;
            let cell = SheetCell { is_bold, columns, rows: height, ..SheetCell::new(column, text) };
            rows.entry(row).or_default().push(cell);
        }
        let rows = rows.into_iter().map(|(number, cells)| SheetRow { number, cells });
        Ok(Sheet { rows: rows.collect(), is_free: true })
    }
}

fn data_ref(value: &Data) -> DataRef<'_> {
    match value {
        Data::Empty => DataRef::Empty,
        Data::Error(error) => DataRef::Error(error.clone()),
        Data::Int(number) => DataRef::Int(*number),
        Data::Float(number) => DataRef::Float(*number),
        Data::Bool(truth) => DataRef::Bool(*truth),
        Data::DateTime(time) => DataRef::DateTime(*time),
        Data::String(text) | Data::DateTimeIso(text) | Data::DurationIso(text) => {
            DataRef::SharedString(text)
        }
    }
}
