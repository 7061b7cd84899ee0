//! Values of cells as a workbook shows them.

use calamine::{DataRef, ExcelDateTime};

/// The value as it is shown. Formulas are not computed: what they last gave is in the file. Errors
/// say nothing.
pub(super) fn cell_text(value: &DataRef<'_>, format: &str) -> String {
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

/// Digits that a spreadsheet keeps; what a computer adds behind them is rounding.
const DIGITS: usize = 15;
const MOST_DECIMALS: usize = 15;

/// A number under a number format (ECMA-376, part 1, 18.8.31). Formats that are more than literal
/// text around one number (fractions, exponents, conditions) show it plainly.
pub(super) fn number(value: f64, format: &str) -> String {
    let shape = Shape::of(format);
    shape.map_or_else(|| plain(value), |shape| shape.show(value))
}

/// `6` for 6.0, `0.3` for 0.30000000000000004.
fn plain(value: f64) -> String {
    // By way of the digits, as rounding in binary would bring the noughts and nines back.
    let rounded = format!("{value:.*e}", DIGITS - 1).parse::<f64>().unwrap_or(value);
    // Minus nought is nought.
    format!("{}", rounded + 0.0)
}

/// The form of a number: what a format puts around it, and how it writes it.
#[derive(Debug, Default, PartialEq, Eq)]
struct Shape {
    before: String,
    after: String,
    decimals: usize,
    /// Decimals that are left out if they are nought.
    optional: usize,
    groups: bool,
    percents: u32,
}

impl Shape {
    fn of(format: &str) -> Option<Self> {
        // The first section is for positive numbers; the others differ in signs and colours.
        let section = section(format);
        let mut shape = Self::default();
        let mut digits = String::new();
        let mut is_behind = false;
        let mut characters = section.chars();
        while let Some(character) = characters.next() {
            let literal = match character {
                '0' | '#' | '?' | '.' | ',' if !is_behind => {
                    digits.push(character);
                    continue;
                }
                '"' => characters.by_ref().take_while(|next| *next != '"').collect(),
                '\\' => characters.next()?.to_string(),
                '_' => {
                    characters.next()?;
                    String::new()
                }
                '[' => {
                    let inner: String =
                        characters.by_ref().take_while(|next| *next != ']').collect();
                    // A currency, or a colour.
                    match inner.strip_prefix('$') {
                        Some(inner) => inner.split('-').next().unwrap_or_default().to_owned(),
                        None if inner.contains(['<', '>', '=']) => return None,
                        None => String::new(),
                    }
                }
                '%' => {
                    shape.percents += 1;
                    "%".to_owned()
                }
                ' ' | '\u{a0}' | '-' | '+' | '(' | ')' | '€' | '$' | '£' => {
                    character.to_string()
                }
                _ => return None,
            };
            if digits.is_empty() {
                shape.before.push_str(&literal);
            } else {
                is_behind = true;
                shape.after.push_str(&literal);
            }
        }
        let (whole, decimals) = digits.split_once('.').unwrap_or((&digits, ""));
        if digits.is_empty() || decimals.contains([',', '.']) || whole.ends_with(',') {
            return None;
        }
        shape.groups = whole.contains(',');
        shape.decimals = decimals.len().min(MOST_DECIMALS);
        shape.optional = decimals.chars().rev().take_while(|digit| *digit != '0').count();
        Some(shape)
    }

    fn show(&self, value: f64) -> String {
        let scaled = value * 100_f64.powi(i32::try_from(self.percents).unwrap_or(1));
        let scaled = plain(scaled).parse::<f64>().unwrap_or(scaled);
        let mut text = format!("{:.*}", self.decimals, scaled.abs());
        for _ in 0..self.optional.min(self.decimals) {
            match text.strip_suffix('0') {
                Some(shorter) => text.truncate(shorter.len()),
                None => break,
            }
        }
        let mut text = text.strip_suffix('.').unwrap_or(&text).to_owned();
        if self.groups {
            text = grouped(&text);
        }
        let is_nought = text.chars().all(|digit| matches!(digit, '0' | '.' | ','));
        let sign = if scaled < 0.0 && !is_nought { "-" } else { "" };
        format!("{sign}{}{text}{}", self.before, self.after).trim().to_owned()
    }
}

/// The part of a format up to the first semicolon that is no literal.
fn section(format: &str) -> &str {
    let mut is_quoted = false;
    let mut is_escaped = false;
    for (at, character) in format.char_indices() {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' if !is_quoted => is_escaped = true,
            '"' => is_quoted = !is_quoted,
            ';' if !is_quoted => return &format[..at],
            _ => {}
        }
    }
    format
}

fn grouped(digits: &str) -> String {
    let (whole, rest) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    let mut out = String::with_capacity(digits.len() + whole.len() / 3);
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_are_shown_as_the_workbook_shows_them() {
        let cases = [
            (6.0, "General", "6"),
            (0.1 + 0.2, "General", "0.3"),
            (-2.5, "General", "-2.5"),
            (1e20, "General", "100000000000000000000"),
            (0.38, "0%", "38%"),
            (0.125, "0.0%", "12.5%"),
            (12.5, "0.00", "12.50"),
            (12.0, "0.##", "12"),
            (1234567.5, "#,##0.00", "1,234,567.50"),
            (120.5, "#,##0.00 \"€\"", "120.50 €"),
            (120.5, "[$€-407] #,##0", "€ 120"),
            (120.5, "#,##0.00\\ [$€-407];[Red]-#,##0.00\\ [$€-407]", "120.50 €"),
            (-3.0, "0.0;[Red]-0.0", "-3.0"),
            (6.0, "0\" ECTS\"", "6 ECTS"),
            (-0.0, "0.0", "0.0"),
            (1.5, "# ?/?", "1.5"),
            (15000.0, "0.00E+00", "15000"),
            (3.0, "", "3"),
            (5.0, "@", "5"),
        ];
        for (value, format, expected) in cases {
            assert_eq!(number(value, format), expected, "{value} {format}");
        }
    }
}
