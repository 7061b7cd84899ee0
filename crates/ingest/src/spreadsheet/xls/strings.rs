//! The texts that the cells of a `.xls` share, where words in them are struck out (MS-XLS, 2.4.265 and 2.5.293).

use std::collections::BTreeMap;

use super::records::u16_at;
use crate::spreadsheet::marks::Struck;

/// Options of a text: two bytes for each letter, something for East Asian letters behind it, fonts of its own.
const IS_WIDE: u8 = 0x01;
const HAS_EXTRA: u8 = 0x04;
const HAS_FONTS: u8 = 0x08;

/// The texts with struck words, by their number. `parts` are the record and those that continue it.
pub(super) fn struck_strings(
    parts: &[&[u8]],
    is_struck: impl Fn(u16) -> bool,
) -> BTreeMap<usize, Struck> {
    let mut found = BTreeMap::new();
    let mut reader = PartReader { parts, place: 0 };
    // How many texts there are is not believed: they end with the record.
    if reader.skip(8).is_none() {
        return found;
    }
    for number in 0.. {
        let Some(text) = Text::read(&mut reader) else { break };
        if let Some(struck) = text.struck(&is_struck) {
            found.insert(number, struck);
        }
    }
    found
}

struct Text {
    /// In UTF-16, as fonts count the letters.
    letters: Vec<u16>,
    /// From which letter on which font holds.
    fonts: Vec<(u16, u16)>,
}

impl Text {
    fn read(reader: &mut PartReader<'_, '_>) -> Option<Self> {
        let length = reader.u16()?;
        let options = reader.byte()?;
        let font_count = if options & HAS_FONTS == 0 { 0 } else { reader.u16()? };
        let extra_bytes = if options & HAS_EXTRA == 0 {
            0
        } else {
            u32::from(reader.u16()?) | u32::from(reader.u16()?) << 16
        };
        let letters = reader.letters(length, options & IS_WIDE != 0)?;
        let mut fonts = Vec::new();
        for _ in 0..font_count {
            fonts.push((reader.u16()?, reader.u16()?));
        }
        reader.skip(extra_bytes as usize)?;
        Some(Self { letters, fonts })
    }

    /// What is left of the text without struck words; `None` where there are none.
    fn struck(&self, is_struck: impl Fn(u16) -> bool) -> Option<Struck> {
        if !self.fonts.iter().any(|(_, font)| is_struck(*font)) {
            return None;
        }
        let (mut kept, mut left_out) = (Vec::new(), Vec::new());
        let mut fonts = self.fonts.iter().peekable();
        // The letters before the first font have that of the cell.
        let mut is_out = false;
        for (place, letter) in self.letters.iter().enumerate() {
            while let Some((_, font)) = fonts.next_if(|(from, _)| usize::from(*from) <= place) {
                is_out = is_struck(*font);
            }
            if is_out { left_out.push(*letter) } else { kept.push(*letter) }
        }
        let text = |letters: Vec<u16>| String::from_utf16_lossy(&letters);
        let struck = Struck { kept: text(kept), left_out: text(left_out) };
        (!struck.left_out.trim().is_empty()).then_some(struck)
    }
}

/// Reads over the borders of records.
struct PartReader<'a, 'b> {
    parts: &'b [&'a [u8]],
    place: usize,
}

impl PartReader<'_, '_> {
    fn byte(&mut self) -> Option<u8> {
        loop {
            let part = self.parts.first()?;
            if let Some(byte) = part.get(self.place) {
                self.place += 1;
                return Some(*byte);
            }
            self.next_part();
        }
    }

    fn u16(&mut self) -> Option<u16> {
        u16_at(&[self.byte()?, self.byte()?], 0)
    }

    fn next_part(&mut self) {
        self.parts = self.parts.get(1..).unwrap_or_default();
        self.place = 0;
    }

    fn skip(&mut self, count: usize) -> Option<()> {
        let mut left = count;
        loop {
            let here = self.parts.first()?.len().saturating_sub(self.place);
            if left <= here {
                self.place += left;
                return Some(());
            }
            left -= here;
            self.next_part();
        }
    }

    /// So many letters. Where they go on in the next record, its first byte says anew how wide they are.
    fn letters(&mut self, count: u16, mut is_wide: bool) -> Option<Vec<u16>> {
        let mut letters = Vec::new();
        for _ in 0..count {
            if self.parts.first()?.len() <= self.place {
                self.next_part();
                is_wide = self.byte()? & IS_WIDE != 0;
            }
            letters.push(if is_wide { self.u16()? } else { u16::from(self.byte()?) });
        }
        Some(letters)
    }
}
