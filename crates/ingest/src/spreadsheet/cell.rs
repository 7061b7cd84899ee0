//! The text of a cell.

use calamine::{DataRef, ExcelDateTime};

use super::format::{number, plain};

/// The value as it is shown. Formulas are not computed: what they last gave is in the file. Errors
/// say nothing.
pub(super) fn text(value: &DataRef<'_>, format: &str) -> String {
    match value {
        DataRef::Empty | DataRef::Error(_) => String::new(),
        DataRef::String(text) => text.clone(),
        DataRef::SharedString(text) => (*text).to_owned(),
        DataRef::Bool(truth) => truth.to_string().to_uppercase(),
        DataRef::Int(value) => number(*value as f64, format),
        DataRef::Float(value) => number(*value, format),
        DataRef::DateTime(time) => date(time),
        DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => text.clone(),
    }
}

/// `2026-01-07`, `2026-01-07 10:30`, `10:30`; a length of time as hours and minutes.
fn date(time: &ExcelDateTime) -> String {
    let days = time.as_f64();
    if !days.is_finite() || days < 0.0 {
        return plain(days);
    }
    if time.is_duration() {
        let seconds = (days * 86_400.0).round() as u64;
        return clock(seconds / 3_600, seconds / 60 % 60, seconds % 60);
    }
    let (year, month, day, hour, minute, second, _) = time.to_ymd_hms_milli();
    let clock = clock(hour.into(), minute.into(), second.into());
    if days < 1.0 {
        return clock;
    }
    let date = format!("{year:04}-{month:02}-{day:02}");
    if (hour, minute, second) == (0, 0, 0) { date } else { format!("{date} {clock}") }
}

fn clock(hours: u64, minutes: u64, seconds: u64) -> String {
    match seconds {
        0 => format!("{hours:02}:{minutes:02}"),
        _ => format!("{hours:02}:{minutes:02}:{seconds:02}"),
    }
}
