//! The layout of weights on the device: the same numbers as in their file, aligned for 32-bit words.
//!
//! A row is cut into blocks of 32 values. The values of a block are whole words, its scales stand
//! in an array of their own, so that neighbouring threads read neighbouring memory. Nothing is
//! rounded: a scale that is a product of two stored numbers becomes an `f32`, which holds it.

use campanile_model::Encoding;
use half::f16;

/// Values of a block.
pub(crate) const BLOCK: usize = 32;

/// The layout of a block's values and scales.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Format {
    /// 4-bit values from -8, one `f16` scale a block.
    Int4Centred,
    /// 4-bit values from 0, `f16` scale and minimum.
    Int4,
    /// 4-bit values from 0, `f32` scale and minimum.
    Int4Fine,
    /// Signed bytes, one `f16` scale a block.
    Int8,
    /// Signed bytes, an `f32` scale for each 16.
    Int8Fine,
    /// `f16` values.
    Half,
    /// The upper halves of `f32` values.
    Brain,
    /// `f32` values.
    Full,
}

impl Format {
    /// The format that holds an encoding's values exactly.
    pub(crate) fn of(encoding: Encoding) -> Self {
        match encoding {
            Encoding::Q4_0 => Self::Int4Centred,
            Encoding::Q4_1 => Self::Int4,
            Encoding::Q4K => Self::Int4Fine,
            // Five bits become bytes, for which there is a kernel.
            Encoding::Q5_0 | Encoding::Q8_0 => Self::Int8,
            // Six bits become bytes with the scales of sixteen; a row's one scale is written for each of its halves
            // of a block.
            Encoding::Q6K | Encoding::I8PerRow => Self::Int8Fine,
            Encoding::F16 => Self::Half,
            Encoding::Bf16 => Self::Brain,
            Encoding::F32 => Self::Full,
        }
    }

    /// Words of a block's values.
    pub(crate) fn value_words(self) -> usize {
        match self {
            Self::Int4Centred | Self::Int4 | Self::Int4Fine => 4,
            Self::Int8 | Self::Int8Fine => 8,
            Self::Half | Self::Brain => 16,
            Self::Full => 32,
        }
    }

    /// 16-bit halves of a block's scales.
    pub(crate) fn scale_halves(self) -> usize {
        match self {
            Self::Int4Centred | Self::Int8 => 1,
            Self::Int4 => 2,
            Self::Int4Fine | Self::Int8Fine => 4,
            Self::Half | Self::Brain | Self::Full => 0,
        }
    }

    /// The shader source that reads it, and what that source is told.
    pub(crate) fn shader(self) -> (&'static str, &'static str) {
        match self {
            Self::Int4Centred => ("int4", "half_scale"),
            Self::Int4 => ("int4", "half_scale_and_minimum"),
            Self::Int4Fine => ("int4", "scale_and_minimum"),
            Self::Int8 => ("int8", "half_scale"),
            Self::Int8Fine => ("int8", "scale_for_sixteen"),
            Self::Half => ("float", "half"),
            Self::Brain => ("float", "brain"),
            Self::Full => ("float", "full"),
        }
    }
}

/// Rows on their way to the device.
#[derive(Debug, Default)]
pub(crate) struct Packed {
    pub(crate) values: Vec<u32>,
    /// Two scales' halves in each word; filled up at the end.
    pub(crate) scales: Vec<u32>,
    /// A half that waits for its neighbour.
    waiting: Option<u16>,
}

impl Packed {
    /// Adds a row in its stored bytes. `scale` is the row's own, which one encoding has.
    pub(crate) fn add_row(&mut self, encoding: Encoding, bytes: &[u8], scale: f32) {
        match encoding {
            Encoding::Q4_0 => self.blocks::<18>(bytes, |packed, block| {
                packed.half(block[0], block[1]);
                packed.bytes(&block[2..]);
            }),
            Encoding::Q4_1 => self.blocks::<20>(bytes, |packed, block| {
                packed.half(block[0], block[1]);
                packed.half(block[2], block[3]);
                packed.bytes(&block[4..]);
            }),
            Encoding::Q8_0 => self.blocks::<34>(bytes, |packed, block| {
                packed.half(block[0], block[1]);
                packed.bytes(&block[2..]);
            }),
            Encoding::Q5_0 => self.blocks::<22>(bytes, Self::q5_0),
            Encoding::Q4K => self.blocks::<144>(bytes, Self::q4_k),
            Encoding::Q6K => self.blocks::<210>(bytes, Self::q6_k),
            Encoding::I8PerRow => self.blocks::<BLOCK>(bytes, |packed, block| {
                packed.bytes(block);
                // A scale for each sixteen, as the kernel reads them, though both are the row's.
                packed.scales.extend([scale.to_bits(); 2]);
            }),
            Encoding::F16 | Encoding::Bf16 | Encoding::F32 => self.bytes(bytes),
        }
    }

    /// Ends the rows.
    pub(crate) fn finish(&mut self) {
        if let Some(half) = self.waiting.take() {
            self.scales.push(u32::from(half));
        }
    }

    fn blocks<const N: usize>(&mut self, bytes: &[u8], add: impl Fn(&mut Self, &[u8; N])) {
        for block in bytes.as_chunks::<N>().0 {
            add(self, block);
        }
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.values.extend(bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)));
    }

    fn half(&mut self, low: u8, high: u8) {
        let half = u16::from_le_bytes([low, high]);
        match self.waiting.take() {
            Some(first) => self.scales.push(u32::from(first) | (u32::from(half) << 16)),
            None => self.waiting = Some(half),
        }
    }

    /// 32 values of 5 bits from -16, whose upper bits stand apart; they become bytes.
    fn q5_0(&mut self, block: &[u8; 22]) {
        self.half(block[0], block[1]);
        let upper = u32::from_le_bytes([block[2], block[3], block[4], block[5]]);
        let mut values = [0u8; BLOCK];
        let (low, high) = values.split_at_mut(BLOCK / 2);
        for (place, ((low, high), &nibbles)) in
            low.iter_mut().zip(high).zip(&block[6..]).enumerate()
        {
            let bit = |place: usize| ((upper >> place) & 1) as u8;
            *low = ((nibbles & 15) | (bit(place) << 4)).wrapping_sub(16);
            *high = ((nibbles >> 4) | (bit(place + BLOCK / 2) << 4)).wrapping_sub(16);
        }
        self.bytes(&values);
    }

    /// Eight runs of 32 nibbles, two of which share 32 bytes; each run has a 6-bit scale and a
    /// 6-bit minimum, packed into 12 bytes.
    fn q4_k(&mut self, block: &[u8; 144]) {
        let scale = f16::from_le_bytes([block[0], block[1]]).to_f32();
        let minimum = f16::from_le_bytes([block[2], block[3]]).to_f32();
        let packed = &block[4..16];
        for run in 0..8 {
            let (step, low) = if run < 4 {
                (packed[run] & 63, packed[run + 4] & 63)
            } else {
                let both = packed[run + 4];
                (
                    (both & 15) | ((packed[run - 4] >> 6) << 4),
                    (both >> 4) | ((packed[run] >> 6) << 4),
                )
            };
            let nibbles = &block[16 + run / 2 * 32..][..BLOCK];
            let shift = run % 2 * 4;
            let mut values = [0u8; BLOCK / 2];
            let (first, last) = nibbles.split_at(BLOCK / 2);
            for ((value, first), last) in values.iter_mut().zip(first).zip(last) {
                *value = ((first >> shift) & 15) | (((last >> shift) & 15) << 4);
            }
            self.bytes(&values);
            self.scales.push((scale * f32::from(step)).to_bits());
            self.scales.push((-minimum * f32::from(low)).to_bits());
        }
    }

    /// 256 values of 6 bits, whose low nibbles, upper pairs and scales stand apart.
    fn q6_k(&mut self, block: &[u8; 210]) {
        let scale = f16::from_le_bytes([block[208], block[209]]).to_f32();
        for run in 0..8 {
            let (side, quarter) = (run / 4, run % 4);
            let low = &block[side * 64 + quarter % 2 * 32..];
            let high = &block[128 + side * 32..];
            let mut values = [0u8; BLOCK];
            for ((value, &nibbles), &pairs) in values.iter_mut().zip(low).zip(high) {
                let nibble = if quarter < 2 { nibbles & 15 } else { nibbles >> 4 };
                let pair = (pairs >> (2 * quarter)) & 3;
                *value = (nibble | (pair << 4)).wrapping_sub(32);
            }
            self.bytes(&values);
            for step in &block[192 + side * 8 + quarter * 2..][..2] {
                self.scales.push((scale * f32::from(step.cast_signed())).to_bits());
            }
        }
    }
}
