//! Values of cells as a workbook shows them: number formats (ECMA-376, part 1, 18.8.31).
//!
//! `ssfmt` reads and applies the formats. Two things differ from what the screen shows. A whole date is written `2026-01-07` in
//! whatever order the format has its parts, since `1/7/26` is one day here and another there. And what only lines up columns
//! (room for a bracket, a character that fills the cell) is one space, or none at the ends.

use std::collections::HashMap;

use calamine::{DataRef, ExcelDateTime, ExcelDateTimeType};
use ssfmt::ast::{DatePart, ElapsedPart, FormatPart};
use ssfmt::{DateSystem, FormatOptions, Locale, NumberFormat, Section};

use super::names_of_days::names;
use crate::inline::single_spaced;

/// A format longer than this is not read: Excel allows 255 characters.
const FORMAT_BYTES: usize = 1_000;

/// The number formats of a workbook, each understood once.
#[derive(Debug, Default)]
pub(crate) struct Formats {
    known: HashMap<String, Shown>,
    is_1904: bool,
}

impl Formats {
    /// `is_1904`: whether the workbook counts its days from 1904.
    pub(crate) fn new(is_1904: bool) -> Self {
        Self { known: HashMap::new(), is_1904 }
    }

    /// The value under a format as it is shown; empty where nothing is. Formulas are not computed: what they last gave is in
    /// the file. Errors say nothing.
    pub(crate) fn show(&mut self, value: &DataRef<'_>, format: &str) -> String {
        let is_1904 = self.is_1904;
        let shown = match self.known.get(format) {
            Some(shown) => shown,
            None => self.known.entry(format.to_owned()).or_insert_with(|| Shown::of(format)),
        };
        match value {
            DataRef::Empty | DataRef::Error(_) => String::new(),
            DataRef::String(text) => shown.text(text),
            DataRef::SharedString(text) => shown.text(text),
            DataRef::Bool(truth) => truth.to_string().to_uppercase(),
            DataRef::Int(value) => shown.number(*value as f64, is_1904),
            DataRef::Float(value) => shown.number(*value, is_1904),
            DataRef::DateTime(time) => shown.date(time),
            DataRef::DateTimeIso(text) => match serial(text, is_1904) {
                Some(days) => shown.number(days, is_1904),
                None => text.clone(),
            },
            DataRef::DurationIso(text) => text.clone(),
        }
    }
}

/// A format as it was understood: one section for each kind of value.
#[derive(Debug)]
struct Shown {
    /// `None` where the format shows numbers plainly, or is none.
    format: Option<NumberFormat>,
    /// For each section, whether it shows anything: `;;;` hides whatever the cell holds.
    is_empty: Vec<bool>,
    /// The names of months and days in the language of the format.
    names: Locale,
}

impl Shown {
    fn of(format: &str) -> Self {
        // What a program in German wrote into the file by mistake.
        let format = general_as_text(&format.replace("Standard", "General"));
        let names = names(&format);
        let is_plain = format.trim().is_empty() || format.trim().eq_ignore_ascii_case("General");
        let known = !is_plain && format.len() <= FORMAT_BYTES;
        let is_empty = sections(&format).iter().map(|section| shows_nothing(section)).collect();
        // `ssfmt` takes a stroke for a fraction, also one that is meant as it stands.
        let format = format
            .replace("\"/\"", &format!("\"{STROKE}\""))
            .replace("\\/", &format!("\\{STROKE}"));
        let format = known.then(|| NumberFormat::parse(&format).ok()).flatten();
        Self { format, is_empty, names }
    }

    /// The section for a number, and its place; `None` where it is shown plainly.
    fn section(&self, value: f64) -> Option<(usize, &Section)> {
        let sections = self.format.as_ref()?.sections();
        // The fourth is for texts, and so is the last one that has a place for them.
        let numeric = sections.get(..sections.len().min(3))?;
        let place = if numeric.iter().any(|section| section.condition.is_some()) {
            let holds = |section: &Section| {
                section.condition.is_none_or(|condition| condition.evaluate(value))
            };
            numeric.iter().position(holds).unwrap_or(numeric.len() - 1)
        } else {
            match numeric.len() {
                0 | 1 => 0,
                _ if value < 0.0 => 1,
                3 if value == 0.0 => 2,
                _ => 0,
            }
        };
        let is_for_text = |section: &Section| {
            place > 0 && section.has_text_placeholder() && !section.has_date_parts()
        };
        let place = if numeric.get(place).is_some_and(is_for_text) { 0 } else { place };
        Some((place, numeric.get(place)?))
    }

    fn number(&self, value: f64, is_1904: bool) -> String {
        let Some((place, section)) = self.section(value) else { return plain(value) };
        if self.is_hidden(place) {
            return String::new();
        }
        if section.has_date_parts() {
            let kind = ExcelDateTimeType::DateTime;
            return self.date(&ExcelDateTime::new(value, kind, is_1904));
        }
        // A place for text alone shows a number as it is, and so does a section that says no more than `General`.
        let is_plain = section.parts.is_empty() || section.has_text_placeholder();
        if is_plain || section.parts.iter().any(is_general) {
            return around(section, &plain(value), is_general);
        }
        let shown = self.formatted(value, is_1904).unwrap_or_else(|| plain(value));
        // `0.##` shows a point behind a whole number; a reader takes it for the end of a sentence. In `0"."` it is meant.
        let is_meant = |part: &FormatPart| match part {
            FormatPart::Literal(words) | FormatPart::EscapedLiteral(words) => words.contains('.'),
            _ => false,
        };
        let bare = shown.strip_suffix('.').filter(|rest| {
            rest.ends_with(|c: char| c.is_ascii_digit()) && !section.parts.iter().any(is_meant)
        });
        bare.map_or(shown.clone(), str::to_owned)
    }

    fn date(&self, time: &ExcelDateTime) -> String {
        let days = time.as_f64();
        if !days.is_finite() || days < 0.0 {
            return plain(days);
        }
        let Some((place, section)) = self.section(days) else { return whole_date(time, true) };
        if self.is_hidden(place) {
            return String::new();
        }
        // Letters of its words were taken for parts of a date.
        if section.parts.iter().any(is_general) {
            return around(section, &plain(days), is_general);
        }
        let parts = DateParts::of(section);
        if parts.is_short_duration {
            return self.formatted(days, false).unwrap_or_else(|| plain(days));
        }
        if time.is_duration() || parts.is_duration {
            let seconds = (days * 86_400.0).round() as u64;
            return clock(seconds / 3_600, seconds / 60 % 60, seconds % 60);
        }
        match parts {
            DateParts { year: true, month: true, day: true, .. } => whole_date(time, parts.clock),
            DateParts {
                year: false,
                month: false,
                day: false,
                weekday: false,
                clock: true,
                ..
            } => clock_of(time),
            DateParts { year: false, month: false, day: false, weekday: false, .. } => {
                whole_date(time, true)
            }
            // Part of a date: the rest is nobody's. A date that was typed without a year has that of the day of typing.
            _ => {
                let shown = self.formatted(days, time.to_ymd_hms_milli().0 < 1900);
                shown.unwrap_or_else(|| whole_date(time, true))
            }
        }
    }

    fn is_hidden(&self, place: usize) -> bool {
        self.is_empty.len() > 1 && self.is_empty.get(place).copied().unwrap_or_default()
    }

    fn formatted(&self, value: f64, is_1904: bool) -> Option<String> {
        let date_system = if is_1904 { DateSystem::Date1904 } else { DateSystem::Date1900 };
        let options = FormatOptions { date_system, locale: self.names.clone() };
        // Excel rounds what it shows by the digits: 1.005, which is a little less in binary, is 1.01.
        let nudged = value + value * 2.0 * f64::EPSILON;
        let value = if value.fract() == 0.0 { value } else { nudged };
        let text = self.format.as_ref()?.try_format(value, &options).ok()?;
        Some(tidy(&text))
    }

    /// A text under the section for texts.
    fn text(&self, text: &str) -> String {
        let Some(sections) = self.format.as_ref().map(NumberFormat::sections) else {
            return text.to_owned();
        };
        let fourth = sections.get(3);
        if fourth.is_some() && self.is_hidden(3) {
            return String::new();
        }
        let last = sections.last().filter(|last| last.has_text_placeholder());
        match fourth.or(last) {
            Some(section) if section.parts.len() > 1 => {
                around(section, text, |part| matches!(part, FormatPart::TextPlaceholder))
            }
            _ => text.to_owned(),
        }
    }
}

/// `General` behind words of a section as the placeholder of a text, which is parsed anywhere in a section.
fn general_as_text(format: &str) -> String {
    const GENERAL: &str = "General";
    let mut out = String::with_capacity(format.len());
    let mut rest = format;
    let mut is_quoted = false;
    while let Some((before, behind)) = rest.split_once(GENERAL) {
        out.push_str(before);
        let is_first = out.is_empty() || out.ends_with([';', ']']);
        is_quoted ^= before.matches('"').count() % 2 == 1;
        out.push_str(if is_first || is_quoted { GENERAL } else { "@" });
        rest = behind;
    }
    out.push_str(rest);
    out
}

/// Returns `true` for a placeholder that shows a number unformatted.
fn is_general(part: &FormatPart) -> bool {
    matches!(part, FormatPart::GeneralNumber | FormatPart::TextPlaceholder)
}

/// The words of a section around what stands in the place of one of its parts, or before them where it has no such part.
fn around(section: &Section, value: &str, is_place: impl Fn(&FormatPart) -> bool) -> String {
    let mut shown = String::new();
    if !section.parts.iter().any(&is_place) {
        shown.push_str(value);
    }
    for part in &section.parts {
        match part {
            part if is_place(part) => shown.push_str(value),
            FormatPart::Literal(words) | FormatPart::EscapedLiteral(words) => {
                shown.push_str(words);
            }
            FormatPart::Locale(locale) => {
                shown.push_str(locale.currency.as_deref().unwrap_or_default());
            }
            FormatPart::Percent => shown.push('%'),
            FormatPart::Skip(_) => shown.push(' '),
            _ => {}
        }
    }
    // The lines of a text stay.
    shown.trim().to_owned()
}

/// Stands for `/` while a format is read.
const STROKE: char = '\u{2215}';

fn tidy(text: &str) -> String {
    single_spaced(text).replace(STROKE, "/")
}

/// The sections of a format, as they are written.
fn sections(format: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    let mut characters = format.chars();
    let mut is_quoted = false;
    while let Some(character) = characters.next() {
        if character == ';' && !is_quoted {
            found.push(String::new());
            continue;
        }
        is_quoted ^= character == '"';
        if let Some(section) = found.last_mut() {
            section.push(character);
            // Whatever stands behind it is meant as it is.
            if character == '\\' && !is_quoted {
                section.extend(characters.next());
            }
        }
    }
    found
}

/// Returns `true` for a section without a word or a figure: empty but for a colour and a condition.
fn shows_nothing(section: &str) -> bool {
    let mut rest = section.trim();
    while let Some((_, behind)) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        rest = behind.trim_start();
    }
    rest.is_empty() || rest == "\"\""
}

/// What of a date a section shows.
#[derive(Clone, Copy, Debug, Default)]
struct DateParts {
    year: bool,
    month: bool,
    day: bool,
    weekday: bool,
    clock: bool,
    is_duration: bool,
    /// It counts minutes or seconds beyond the hour: `[mm]:ss`.
    is_short_duration: bool,
}

impl DateParts {
    fn of(section: &Section) -> Self {
        let mut parts = Self::default();
        for part in &section.parts {
            match part {
                FormatPart::Elapsed(
                    ElapsedPart::Minutes
                    | ElapsedPart::Minutes2
                    | ElapsedPart::Seconds
                    | ElapsedPart::Seconds2,
                ) => parts.is_short_duration = true,
                FormatPart::Elapsed(_) => parts.is_duration = true,
                FormatPart::AmPm(_) => parts.clock = true,
                FormatPart::DatePart(part) => match part {
                    DatePart::Month
                    | DatePart::Month2
                    | DatePart::MonthAbbr
                    | DatePart::MonthFull
                    | DatePart::MonthLetter => parts.month = true,
                    DatePart::Day | DatePart::Day2 => parts.day = true,
                    DatePart::DayAbbr | DatePart::DayFull => parts.weekday = true,
                    DatePart::Hour
                    | DatePart::Hour2
                    | DatePart::Minute
                    | DatePart::Minute2
                    | DatePart::Second
                    | DatePart::Second2
                    | DatePart::SubSecond(_) => parts.clock = true,
                    _ => parts.year = true,
                },
                _ => {}
            }
        }
        parts
    }
}

/// `2026-01-07`, `2026-01-07 10:30`; the time alone where the value has no day.
fn whole_date(time: &ExcelDateTime, has_clock: bool) -> String {
    let (year, month, day, hour, minute, second, _) = time.to_ymd_hms_milli();
    if time.as_f64() < 1.0 && has_clock {
        return clock_of(time);
    }
    let date = format!("{year:04}-{month:02}-{day:02}");
    match (hour, minute, second) {
        (0, 0, 0) => date,
        _ if has_clock => format!("{date} {}", clock_of(time)),
        _ => date,
    }
}

fn clock_of(time: &ExcelDateTime) -> String {
    let (_, _, _, hour, minute, second, _) = time.to_ymd_hms_milli();
    clock(hour.into(), minute.into(), second.into())
}

fn clock(hours: u64, minutes: u64, seconds: u64) -> String {
    match seconds {
        0 => format!("{hours:02}:{minutes:02}"),
        _ => format!("{hours:02}:{minutes:02}:{seconds:02}"),
    }
}

/// The days of a date or time in ISO 8601 (`2027-02-15T14:15:00.000Z`), as a workbook counts them; `None` if it is none.
fn serial(text: &str, is_1904: bool) -> Option<f64> {
    let (date, time) = match text.trim().split_once(['T', ' ']) {
        Some((date, time)) => (Some(date), Some(time)),
        None if text.contains(':') => (None, Some(text.trim())),
        None => (Some(text.trim()), None),
    };
    let mut days = 0.0;
    if let Some(date) = date {
        let mut numbers = date.splitn(3, '-').map(|part| part.parse::<u32>().ok());
        let (year, month, day) = (numbers.next()??, numbers.next()??, numbers.next()??);
        let is_date =
            (1900..=9_999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
        if !is_date {
            return None;
        }
        let system = if is_1904 { DateSystem::Date1904 } else { DateSystem::Date1900 };
        let year = i32::try_from(year).ok()?;
        days = ssfmt::date_serial::date_to_serial(year, month, day, system);
    }
    if let Some(time) = time {
        let time = time.trim_end_matches('Z');
        let mut numbers = time.splitn(3, ':').map(|part| part.parse::<f64>().ok());
        let (hours, minutes) = (numbers.next()??, numbers.next()??);
        let seconds = numbers.next().unwrap_or(Some(0.0))?;
        let is_time = (0.0..24.0).contains(&hours)
            && (0.0..60.0).contains(&minutes)
            && (0.0..61.0).contains(&seconds);
        if !is_time {
            return None;
        }
        days += (hours * 3_600.0 + minutes * 60.0 + seconds) / 86_400.0;
    }
    Some(days)
}

/// Digits that a spreadsheet keeps; what a computer adds behind them is rounding.
const DIGITS: usize = 15;

/// `6` for 6.0, `0.3` for 0.30000000000000004.
fn plain(value: f64) -> String {
    // By way of the digits, as rounding in binary would bring the noughts and nines back.
    let rounded = format!("{value:.*e}", DIGITS - 1).parse::<f64>().unwrap_or(value);
    // Minus nought is nought.
    format!("{}", rounded + 0.0)
}

#[cfg(test)]
mod tests {
    use calamine::{DataRef, ExcelDateTime, ExcelDateTimeType};
    use proptest::prelude::*;

    use super::Formats;

    fn number(value: f64, format: &str) -> String {
        Formats::default().show(&DataRef::Float(value), format)
    }

    fn date(days: f64, format: &str) -> String {
        let time = ExcelDateTime::new(days, ExcelDateTimeType::DateTime, false);
        Formats::default().show(&DataRef::DateTime(time), format)
    }

    #[test]
    fn numbers_are_shown_as_the_workbook_shows_them() {
        let german = "_-* #,##0.00\\ \"€\"_-;\\-* #,##0.00\\ \"€\"_-;_-* \"-\"??\\ \"€\"_-;_-@_-";
        let dollars = "_(\"$\"* #,##0.00_);_(\"$\"* \\(#,##0.00\\);_(\"$\"* \"-\"??_);_(@_)";
        let francs = "_ [$CHF] * #,##0.00_ ;_ [$CHF] * \\-#,##0.00_ ;_ [$CHF] * \"-\"??_ ;_ @_ ";
        let cases = [
            (6.0, "General", "6"),
            (0.1 + 0.2, "General", "0.3"),
            (-2.5, "General", "-2.5"),
            (1e20, "General", "100000000000000000000"),
            (0.38, "0%", "38%"),
            (0.285, "0%", "29%"),
            (1.005, "0.00", "1.01"),
            (0.125, "0.0%", "12.5%"),
            (12.5, "0.00", "12.50"),
            (12.0, "0.##", "12"),
            (3.0, "0\".\"", "3."),
            (1234567.5, "#,##0.00", "1,234,567.50"),
            (120.5, "#,##0.00 \"€\"", "120.50 €"),
            (120.5, "[$€-407] #,##0", "€ 121"),
            (120.5, "#,##0.00\\ [$€-407];[Red]-#,##0.00\\ [$€-407]", "120.50 €"),
            (-3.0, "0.0;[Red]-0.0", "-3.0"),
            (6.0, "0\" ECTS\"", "6 ECTS"),
            (1.5, "# ?/?", "1 1/2"),
            (15000.0, "0.00E+00", "1.50E+04"),
            (3.0, "", "3"),
            (5.0, "@", "5"),
            // Accounting: the sign in front or behind, nought as a dash.
            (84.5, german, "84.50 €"),
            (-84.5, german, "-84.50 €"),
            (0.0, german, "- €"),
            (120.0, dollars, "$120.00"),
            (-120.0, dollars, "$(120.00)"),
            (12.0, francs, "CHF 12.00"),
            // Digits that have to be there, and what stands between them.
            (4711.0, "000000", "004711"),
            (73.0, "0000", "0073"),
            (4312207.0, "000\\-0000", "431-2207"),
            (915.0, "00\":\"00", "09:15"),
            (2627.0, "\"WS \"00\"/\"00", "WS 26/27"),
            (0.5, "#.00", ".50"),
            // A section for each kind of number, and words for them.
            (0.0, "#,##0.00;-#,##0.00;\"free of charge\"", "free of charge"),
            (1.0, "[=1]\"compulsory\";[=0]\"optional\"", "compulsory"),
            (0.0, "[=1]\"compulsory\";[=0]\"optional\"", "optional"),
            (120.0, "[<100]\"few\";[>=100]\"many\"", "many"),
            (30.0, "General\" seats\"", "30 seats"),
            (30.5, "Standard\" Plätze\"", "30.5 Plätze"),
            (30.0, "\"max. \"General", "max. 30"),
            (30.0, "0;\"under \"General", "30"),
            (30.0, "0\" in General\"", "30 in General"),
            (12.0, ";;;", ""),
            (12.0, "0;;", "12"),
            (0.0, "0;;", ""),
            (-4.0, "0;;", ""),
            (4.0, "+0;-0;±0", "+4"),
            (0.0, "+0;-0;±0", "±0"),
            // In thousands and millions.
            (12000.0, "#,##0,\"k\"", "12k"),
            (2_500_000.0, "0.0,,\" Mio. EUR\"", "2.5 Mio. EUR"),
            // No format at all.
            (7.25, "[no", "7.25"),
        ];
        let wrong: Vec<_> = cases
            .iter()
            .filter(|(value, format, shown)| number(*value, format) != *shown)
            .collect();
        let found: Vec<_> = wrong.iter().map(|(value, format, _)| number(*value, format)).collect();
        assert!(wrong.is_empty(), "{wrong:?}, not {found:?}");
    }

    #[test]
    fn dates_are_whole_or_what_is_shown_of_them() {
        let (day, quarter_past_two) = (46_433.0, 0.59375);
        let cases = [
            (day, "dd.mm.yyyy", "2027-02-15"),
            (day, "m/d/yy", "2027-02-15"),
            (day, "mm-dd-yy", "2027-02-15"),
            (day, "[$-407]d. mmmm yyyy", "2027-02-15"),
            (day + quarter_past_two, "dd.mm.yyyy hh:mm", "2027-02-15 14:15"),
            (day + quarter_past_two, "dd.mm.yyyy", "2027-02-15"),
            (day + quarter_past_two, "hh:mm", "14:15"),
            (quarter_past_two, "h:mm AM/PM", "14:15"),
            (day, "d. mmm", "15. Feb"),
            (day, "dd.mm.", "15.02."),
            (day, "dd/mm", "15/02"),
            (day, "mmmm yyyy", "February 2027"),
            (day, "yyyy", "2027"),
            (day, "ddd d mmm", "Mon 15 Feb"),
            (day, "dddd", "Monday"),
            (day, "[$-407]dddd", "Montag"),
            (day, "[$-de-DE]ddd dd.mm.", "Mo 15.02."),
            (day, "[$-40C]mmmm yyyy", "février 2027"),
            (0.0625, "[mm]:ss", "90:00"),
            (30.0, "Standard\" Plätze\"", "30 Plätze"),
            (1.5, "[h]:mm", "36:00"),
            (day, ";;;", ""),
        ];
        for (days, format, expected) in cases {
            assert_eq!(date(days, format), expected, "{days} {format}");
            // The same where the reader has not seen that it is a date.
            assert_eq!(number(days, format), expected, "{days} {format}");
        }
    }

    #[test]
    fn dates_as_texts_are_shown_under_their_format() {
        let shown = |text: &str, format: &str| {
            Formats::default().show(&DataRef::DateTimeIso(text.to_owned()), format)
        };
        let cases = [
            ("2027-02-15T14:15:00.000Z", "dd.mm.yyyy", "2027-02-15"),
            ("2027-02-15T14:15:00.000Z", "h:mm", "14:15"),
            ("2027-02-15T14:15:00", "d.m.yyyy h:mm", "2027-02-15 14:15"),
            ("2027-02-15", "d. mmm", "15. Feb"),
            ("14:15:00", "h:mm", "14:15"),
            ("soon", "h:mm", "soon"),
            ("2027-13-45", "d.m.yyyy", "2027-13-45"),
        ];
        for (text, format, expected) in cases {
            assert_eq!(shown(text, format), expected, "{text} {format}");
        }
    }

    #[test]
    fn texts_are_shown_under_the_section_for_texts() {
        let shown = |text: &str, format: &str| {
            Formats::default().show(&DataRef::SharedString(text), format)
        };
        let cases = [
            ("B 204", "\"Room \"@", "Room B 204"),
            ("B 204", "0;-0;0;\"Room \"@", "Room B 204"),
            ("B 204", "@", "B 204"),
            ("B 204", "0.00", "B 204"),
            ("B 204", ";;;", ""),
            ("two\nlines", "_-@_-", "two\nlines"),
            ("B 204", "0;-0", "B 204"),
        ];
        for (text, format, expected) in cases {
            assert_eq!(shown(text, format), expected, "{text} {format}");
        }
    }

    proptest! {
        #[test]
        fn no_format_breaks_off(value in any::<f64>(), format in "[0#?.,;@%*_\\\\\"\\[\\]$€EeymdhsbAPMGeneral<>=/ :-]{0,24}") {
            let mut formats = Formats::default();
            for value in [value, value.trunc() % 1e6, 0.0] {
                formats.show(&DataRef::Float(value), &format);
                let time = ExcelDateTime::new(value, ExcelDateTimeType::DateTime, false);
                formats.show(&DataRef::DateTime(time), &format);
            }
            formats.show(&DataRef::SharedString("a"), &format);
        }
    }
}
