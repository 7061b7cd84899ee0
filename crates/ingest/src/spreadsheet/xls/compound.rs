//! The file system within an old Office file (MS-CFB): whether its chains of sectors end, and its streams.

use super::records::u16_at;

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
pub(super) fn chains_end(bytes: &[u8]) -> bool {
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

/// The bytes of the first stream that has one of the names; `None` where there is none, or the file is too damaged to tell.
///
/// The chains must be known to end.
pub(super) fn stream(bytes: &[u8], names: &[&str]) -> Option<Vec<u8>> {
    let file = File::new(bytes)?;
    let directory = file.chain(file.u32(48), usize::MAX);
    let entries = || directory.chunks_exact(ENTRY);
    let (start, size) = entries().find(|entry| names.contains(&&*name(entry))).map(place)?;
    // Short streams lie together in one, which the first entry names.
    if size >= file.u32(56) as usize {
        return Some(file.chain(start, size));
    }
    let (shared, shared_bytes) = entries().next().map(place)?;
    let shared = file.chain(shared, shared_bytes);
    let table = file.chain(file.u32(60), usize::MAX);
    let next: Vec<u32> = table.chunks_exact(4).map(u32_at).collect();
    let mut found = Vec::with_capacity(size.min(shared.len()));
    let mut sector = start as usize;
    // No chain is longer than the table.
    for _ in 0..next.len() {
        let from = sector.saturating_mul(SHORT_SECTOR);
        found.extend(shared.get(from..(from + SHORT_SECTOR).min(shared.len()))?);
        if found.len() >= size {
            break;
        }
        sector = *next.get(sector)? as usize;
    }
    found.truncate(size);
    Some(found)
}

/// The bytes of a sector of short streams.
const SHORT_SECTOR: usize = 64;

/// The name in a directory entry: UTF-16, ended by a nought.
fn name(entry: &[u8]) -> String {
    let units = entry.get(..64).unwrap_or_default().chunks_exact(2);
    let units = units.filter_map(|pair| u16_at(pair, 0));
    let units: Vec<u16> = units.take_while(|unit| *unit != 0).collect();
    String::from_utf16_lossy(&units)
}

/// The first sector of a directory entry's stream, and its size in bytes.
fn place(entry: &[u8]) -> (u32, usize) {
    let number = |at: usize| entry.get(at..at + 4).map_or(RESERVED, u32_at);
    (number(116), number(120) as usize)
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

    /// The bytes of a chain, up to so many.
    fn chain(&self, start: u32, most_bytes: usize) -> Vec<u8> {
        let mut found = Vec::new();
        let mut sector = start;
        while found.len() < most_bytes
            && let Some(next) = self.table.get(sector as usize)
        {
            found.extend(self.sector(sector));
            sector = *next;
        }
        found.truncate(most_bytes);
        found
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
    #![expect(clippy::unwrap_used, reason = "a test may fail")]

    use super::{chains_end, stream};

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

    #[test]
    fn short_streams_lie_together() {
        const END: u32 = u32::MAX - 1;
        // Sector 2 says where the short ones go on, sector 3 holds them: the second, then the first.
        let mut bytes = file(&[END, END, END, END], 1, 3);
        let mut put = |place: usize, part: &[u8]| {
            bytes[place..place + part.len()].copy_from_slice(part);
        };
        put(56, &4_096_u32.to_le_bytes());
        put(60, &2_u32.to_le_bytes());
        put(1024 + 120, &512_u32.to_le_bytes());
        put(1024 + 128, b"B\0o\0o\0k\0");
        put(1024 + 128 + 116, &1_u32.to_le_bytes());
        put(1024 + 128 + 120, &70_u32.to_le_bytes());
        put(1536, &END.to_le_bytes());
        put(1536 + 4, &0_u32.to_le_bytes());
        put(2048, &[2; 64]);
        put(2048 + 64, &[1; 64]);
        let found = stream(&bytes, &["Workbook", "Book"]).unwrap();
        assert_eq!(found, [[1; 64].as_slice(), &[2; 6]].concat());
        assert_eq!(stream(&bytes, &["Workbook"]), None);
        // Where a short sector leads in a circle, as much is read as the table has sectors.
        bytes[1536..1540].copy_from_slice(&1_u32.to_le_bytes());
        bytes[1024 + 128 + 120..1024 + 128 + 124].copy_from_slice(&4_000_u32.to_le_bytes());
        assert!(stream(&bytes, &["Book"]).is_some_and(|found| found.len() <= 4_000));
        for length in [0, 20, 600, 1100, 1600, 2100] {
            stream(&bytes[..length], &["Book"]);
        }
    }
}
