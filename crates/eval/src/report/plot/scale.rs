//! From values to places: axes and their ticks.

/// By what factor a logarithmic axis reaches beyond its values.
// Without it the outermost box would lie on the axis' end.
const MARGIN: f64 = 1.15;

/// The room on either side of a single value, as a part of it.
const ROOM: f64 = 0.05;

/// A value that an axis names.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tick {
    /// The value.
    pub(crate) value: f64,
    /// As it is written.
    pub(crate) label: String,
}

/// The way from a value to its place along an axis.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Axis {
    /// The name of what it measures, with its unit.
    pub(crate) label: String,
    /// The value at its start.
    pub(crate) low: f64,
    /// The value at its end, above `low`.
    pub(crate) high: f64,
    /// In ascending order.
    pub(crate) ticks: Vec<Tick>,
    /// `true` if equal steps are equal factors.
    pub(crate) logarithmic: bool,
}

impl Axis {
    /// An axis from the tick at or below `low` to the tick at or above `high`, with at most `most`
    /// steps between.
    pub(crate) fn linear(label: &str, low: f64, high: f64, most: usize) -> Self {
        let ticks = ticks(low, high, most);
        let end = |tick: Option<&Tick>, other| tick.map_or(other, |tick| tick.value);
        Self {
            label: label.to_owned(),
            low: end(ticks.first(), 0.0),
            high: end(ticks.last(), 1.0),
            ticks,
            logarithmic: false,
        }
    }

    /// A logarithmic axis over positive values, with ticks at 1, 2 and 5 times powers of ten, or only
    /// at the powers where there are many. It reaches a little beyond the values, and to two ticks.
    pub(crate) fn logarithmic(label: &str, low: f64, high: f64) -> Self {
        let low = if low.is_finite() && low > 0.0 { low.clamp(1e-12, 1e15) } else { 1e-3 };
        let high = if high.is_finite() { high.clamp(low, 1e15) } else { low };
        let (low, high) = (low / MARGIN, high * MARGIN);
        let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
        let decades = (high / low).log10();
        let multiples: &[i64] = if decades > 2.5 { &[1] } else { &[1, 2, 5] };
        let all: Vec<Tick> = (first..=last)
            .flat_map(|power| multiples.iter().map(move |multiple| tick(*multiple, power)))
            .collect();
        let within = |tick: &&Tick| tick.value >= low * 0.999 && tick.value <= high * 1.001;
        let mut ticks: Vec<Tick> = all.iter().filter(within).cloned().collect();
        if ticks.len() < 2 {
            let start = all.iter().rposition(|tick| tick.value <= low).unwrap_or_default();
            let reaches = |tick: &Tick| tick.value >= high && tick.value > low;
            let end = all.iter().position(reaches).unwrap_or(all.len());
            ticks = all.into_iter().take(end + 1).skip(start).collect();
        }
        let end = |tick: Option<&Tick>, other| tick.map_or(other, |tick| tick.value);
        Self {
            label: label.to_owned(),
            low: low.min(end(ticks.first(), low)),
            high: high.max(end(ticks.last(), high)),
            ticks,
            logarithmic: true,
        }
    }

    /// The same axis with ticks at these values only.
    pub(crate) fn with_ticks(self, values: &[f64]) -> Self {
        let ticks = values.iter().map(|value| Tick { value: *value, label: format!("{value}") });
        Self { ticks: ticks.collect(), ..self }
    }

    /// Returns the place of a value, from 0 at the start to 1 at the end; what lies outside is put to the
    /// end.
    pub(crate) fn place(&self, value: f64) -> f64 {
        let part = if self.logarithmic {
            (value.max(self.low) / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        if part.is_nan() { 0.0 } else { part.clamp(0.0, 1.0) }
    }
}

/// Ticks at whole multiples of 1, 2 or 5 times a power of ten, the finest that needs at most `most`
/// steps (at least two); the first is at or below `low`, the last at or above `high`.
pub(crate) fn ticks(low: f64, high: f64, most: usize) -> Vec<Tick> {
    let (low, high) = widened(low, high);
    let most = most.max(2) as i64;
    let mut power = ((high - low) / most as f64).log10().floor() as i32 - 1;
    loop {
        for multiple in [1, 2, 5] {
            let step = tick(multiple, power).value;
            // A hair of tolerance: 0.3 is three steps of 0.1.
            let first = (low / step + 1e-9).floor() as i64;
            let last = (high / step - 1e-9).ceil() as i64;
            if last - first <= most {
                return (first..=last).map(|count| tick(count * multiple, power)).collect();
            }
        }
        power += 1;
    }
}

/// The range, or one around it where it is empty, crossed, or too narrow to be told apart.
fn widened(low: f64, high: f64) -> (f64, f64) {
    if !low.is_finite() || !high.is_finite() {
        return (0.0, 1.0);
    }
    let (low, high) = (low.min(high).clamp(-1e15, 1e15), high.max(low).clamp(-1e15, 1e15));
    let least = low.abs().max(high.abs()) * 1e-6;
    match high - low {
        width if width > least && width > 1e-12 => (low, high),
        _ if least <= 1e-12 => (low, low + 1.0),
        // Of one value, most often a share: a recall of 1 throughout lies at the end of its axis, not between
        // 0.999999 and 1.000001.
        _ if low > 0.0 && high <= 1.0 => ((low - ROOM).max(0.0), (high + ROOM).min(1.0)),
        _ => (low - ROOM * high.abs().max(low.abs()), high + ROOM * high.abs().max(low.abs())),
    }
}

/// `count` times the power of ten, and as it is written with no more decimals than it needs.
fn tick(count: i64, power: i32) -> Tick {
    let decimals = usize::try_from(-power).unwrap_or_default();
    let value = match decimals {
        0 => count as f64 * 10_f64.powi(power),
        // A quotient of two whole numbers is rounded once: 3 / 10 is 0.3, and 3 * 0.1 is not.
        _ => count as f64 / 10_f64.powi(-power),
    };
    let label = if value.abs() >= 10_000.0 {
        thousands(value)
    } else {
        format!("{value:.decimals$}").replace('-', "−")
    };
    Tick { value, label }
}

/// A large number, short: `20k`, `1.5M`.
fn thousands(value: f64) -> String {
    let (value, letter) = match value.abs() {
        size if size < 1e6 => (value / 1e3, "k"),
        size if size < 1e9 => (value / 1e6, "M"),
        size if size < 1e12 => (value / 1e9, "G"),
        _ => (value / 1e12, "T"),
    };
    format!("{value}{letter}").replace('-', "−")
}
