//! Workbooks of Excel 97 to 2003 (`.xls`): a Compound File with a stream of records (MS-XLS).

use std::collections::BTreeMap;
use std::io::Cursor;

use calamine::{Data, DataRef, Reader as _, SheetType, SheetVisible, Xls, XlsError};

use super::cells::Formats;
use super::{Book, MOST_CELLS, MOST_MERGED, left_out, malformed, spans};
use crate::Trouble;
use crate::kind::COMPOUND_FILE;
use crate::tabular::{Sheet, SheetCell, SheetRow};

type Workbook<'a> = Xls<Cursor<&'a [u8]>>;

/// The sheets that are shown. Numbers are read as they are stored: which of them are shown as shares
/// or amounts of money is not known here; dates are.
pub(super) fn sheets(path: &str, bytes: &[u8]) -> Result<Book, Trouble> {
    let head = bytes.get(..bytes.len().min(2_000)).unwrap_or_default();
    if String::from_utf8_lossy(head).contains("Excel.Sheet") {
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
    let mut formats = Formats::default();
    let mut rows: BTreeMap<u32, Vec<SheetCell>> = BTreeMap::new();
    for (row, column, value) in range.used_cells() {
        let text = text(value, &mut formats);
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

fn text(value: &Data, formats: &mut Formats) -> String {
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
    formats.show(&value, "")
}

// A Compound File (MS-CFB) is a file system in small: a table names for each sector the one that
// follows. In a damaged or hostile file a chain may come back to where it has been, and calamine
// follows it until the memory is full. Found by fuzzing.
/// The value from which on the table of sectors says that none follows, or none is there.
const RESERVED: u32 = 0xFFFF_FFFA;
/// Sectors that hold the table itself, and beyond: no sector of the table.
const NO_TABLE: u32 = 0xFFFF_FFFC;
/// A directory entry, in bytes (MS-CFB, 2.6.1).
const ENTRY: usize = 128;
/// The longest list of sectors that tell where the table lies.
const LIST: std::ops::Range<usize> = 76..512;

/// Returns `true` if all chains of sectors that a reader would follow come to an end. A file that is too
/// damaged to tell has no chain to follow.
fn chains_end(bytes: &[u8]) -> bool {
    let Some(file) = File::new(bytes) else { return true };
    let mut chains = Chains { next: &file.table, ends: vec![false; file.table.len()] };
    let Some(directory) = chains.follow(file.u32(48)) else { return false };
    let small = chains.follow(file.u32(60)).is_some();
    small
        && directory.iter().all(|&sector| {
            let entries = file.sector(sector).chunks_exact(ENTRY);
            let mut starts = entries.filter_map(|entry| Some(u32_at(entry.get(116..120)?)));
            starts.all(|start| chains.follow(start).is_some())
        })
}

struct File<'a> {
    bytes: &'a [u8],
    sector_bytes: usize,
    /// For each sector the next one of its chain.
    table: Vec<u32>,
}

impl<'a> File<'a> {
    fn new(bytes: &'a [u8]) -> Option<Self> {
        let sector_bytes = match bytes.get(30..32)? {
            [0x09, 0] => 512,
            [0x0C, 0] => 4096,
            _ => return None,
        };
        let mut list: Vec<u32> = bytes.get(LIST)?.chunks_exact(4).map(u32_at).collect();
        let mut file = Self { bytes, sector_bytes, table: Vec::new() };
        let mut further = file.u32(68);
        // Each of these sectors names the next in its last entry.
        for _ in 0..=bytes.len() / sector_bytes {
            if further >= RESERVED {
                break;
            }
            list.extend(file.sector(further).chunks_exact(4).map(u32_at));
            further = list.pop()?;
        }
        for sector in list.into_iter().filter(|sector| *sector < NO_TABLE) {
            let part: Vec<u32> = file.sector(sector).chunks_exact(4).map(u32_at).collect();
            file.table.extend(part);
        }
        Some(file)
    }

    /// A sector, which may be cut short; empty beyond the end of the file.
    fn sector(&self, number: u32) -> &'a [u8] {
        // The header takes the room of one sector.
        let start = (number as usize).saturating_add(1).saturating_mul(self.sector_bytes);
        let rest = self.bytes.get(start..).unwrap_or_default();
        rest.get(..self.sector_bytes).unwrap_or(rest)
    }

    /// A number of the header.
    fn u32(&self, place: usize) -> u32 {
        self.bytes.get(place..place + 4).map_or(RESERVED, u32_at)
    }
}

fn u32_at(bytes: &[u8]) -> u32 {
    bytes.try_into().map_or(RESERVED, u32::from_le_bytes)
}

struct Chains<'a> {
    next: &'a [u32],
    /// Sectors whose chains are known to end: each is walked once, however many chains share it.
    ends: Vec<bool>,
}

impl Chains<'_> {
    /// The sectors from `start` on that were not walked before; `None` if they lead in a circle.
    fn follow(&mut self, start: u32) -> Option<Vec<u32>> {
        let mut walked = Vec::new();
        let mut sector = start;
        while let Some(next) = self.next.get(sector as usize) {
            if self.ends.get(sector as usize).is_some_and(|ends| *ends) {
                break;
            }
            if walked.len() >= self.next.len() {
                return None;
            }
            walked.push(sector);
            sector = *next;
        }
        for &sector in &walked {
            if let Some(ends) = self.ends.get_mut(sector as usize) {
                *ends = true;
            }
        }
        Some(walked)
    }
}

#[cfg(test)]
mod tests {
    use super::chains_end;

    /// A file with a table in sector 0, a directory in sector 1 and room for more.
    fn file(table: &[u32], directory: u32, entry_start: u32) -> Vec<u8> {
        let mut bytes = vec![0; 512 * 5];
        let mut put = |place: usize, value: u32| {
            bytes[place..place + 4].copy_from_slice(&value.to_le_bytes());
        };
        put(30, 9);
        put(48, directory);
        put(60, u32::MAX - 1);
        put(68, u32::MAX - 1);
        for place in (76..512).step_by(4) {
            put(place, u32::MAX);
        }
        put(76, 0);
        for (number, next) in table.iter().enumerate() {
            put(512 + 4 * number, *next);
        }
        put(1024 + 116, entry_start);
        bytes
    }

    #[test]
    fn chains_that_end_and_chains_that_do_not() {
        const END: u32 = u32::MAX - 1;
        let cases: [(&[u32], u32, u32, bool); 6] = [
            (&[END, END, 3, END], 1, 2, true),
            (&[END, END, 3, 2], 1, 2, false),
            (&[END, 1, END, END], 1, 2, false),
            (&[END, 2, 1, END], 1, 3, false),
            // Nobody follows the circle of sector 3, and 900 is no sector.
            (&[END, END, END, 3], 1, 2, true),
            (&[END, END, 900, END], 1, 2, true),
        ];
        for (table, directory, entry, expected) in cases {
            assert_eq!(chains_end(&file(table, directory, entry)), expected, "{table:?}");
        }
        for length in [0, 20, 40, 600, 1100] {
            let whole = file(&[END, END, 3, END], 1, 2);
            assert!(chains_end(&whole[..length]), "{length} bytes");
        }
    }
}
