//! Rows to four bits.

/// The largest of a row's numbers, the same on both sides of zero.
pub(super) const MOST: f32 = 7.0;
/// Scales to an octave.
const STEPS: f32 = 16.0;
/// The number of the scales below the largest value's that are tried: down to 0.46 of it.
const TRIED: u8 = 18;

/// The 256 scales that a row of a table can have, each 4 % below the one before.
pub(super) struct Scales {
    all: [f32; 256],
}

impl Scales {
    /// Those from `step` downwards; `step` is finite and not negative.
    pub(super) fn new(step: f32) -> Self {
        let mut all = [0.0; 256];
        for (scale, code) in all.iter_mut().zip(0u8..=255) {
            *scale = step * libm::exp2f(-f32::from(code) / STEPS);
        }
        Self { all }
    }

    /// The largest.
    pub(super) fn step(&self) -> f32 {
        self.of(0)
    }

    pub(super) fn of(&self, code: u8) -> f32 {
        self.all.get(usize::from(code)).copied().unwrap_or_default()
    }

    /// The smallest scale under which `largest` is not clipped.
    fn holding(&self, largest: f32) -> u8 {
        let holding = self.all.partition_point(|scale| scale * MOST >= largest);
        u8::try_from(holding.saturating_sub(1)).unwrap_or(u8::MAX)
    }
}

/// Appends a row's numbers under the scale that fits it best, and gives that scale's code.
pub(super) fn fitted(row: &[f32], scales: &Scales, values: &mut Vec<i8>) -> u8 {
    let largest = row.iter().fold(0f32, |most, value| most.max(value.abs()));
    let first = scales.holding(largest);
    let error = |code: u8| -> f32 {
        let scale = scales.of(code);
        let of_value = |value: &f32| {
            let difference = value - scale * f32::from(number(*value, scale));
            difference * difference
        };
        row.iter().map(of_value).sum()
    };
    let mut best = (first, error(first));
    for code in first..=first.saturating_add(TRIED) {
        let found = error(code);
        if found < best.1 {
            best = (code, found);
        }
    }
    let scale = scales.of(best.0);
    values.extend(row.iter().map(|&value| number(value, scale)));
    best.0
}

fn number(value: f32, scale: f32) -> i8 {
    // A row of zeros, or one too small for any scale, has nothing to keep.
    if scale > 0.0 { (value / scale).round().clamp(-MOST, MOST) as i8 } else { 0 }
}
