//! The date that some templates write into a conversation.

use std::fmt::Write as _;

/// A day, for templates that ask for today's: this crate has no clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChatDate {
    /// The year.
    pub year: u16,
    /// 1 to 12.
    pub month: u8,
    /// 1 to 31.
    pub day: u8,
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

const WEEKDAYS: [&str; 7] =
    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

impl ChatDate {
    /// Writes the day as C's `strftime` does; `None` for what is no part of a date.
    pub(super) fn format(self, pattern: &str) -> Option<String> {
        let month = MONTHS.get(usize::from(self.month).checked_sub(1)?)?;
        let weekday = self.weekday()?;
        let mut text = String::new();
        let mut rest = pattern.chars();
        while let Some(character) = rest.next() {
            if character != '%' {
                text.push(character);
                continue;
            }
            let written = match rest.next()? {
                'Y' => write!(text, "{:04}", self.year),
                'y' => write!(text, "{:02}", self.year % 100),
                'm' => write!(text, "{:02}", self.month),
                'd' => write!(text, "{:02}", self.day),
                'e' => write!(text, "{:2}", self.day),
                'B' => text.write_str(month),
                'b' | 'h' => text.write_str(month.get(..3)?),
                'A' => text.write_str(weekday),
                'a' => text.write_str(weekday.get(..3)?),
                'F' => write!(text, "{:04}-{:02}-{:02}", self.year, self.month, self.day),
                // Without the leading zero.
                '-' => match rest.next()? {
                    'd' => write!(text, "{}", self.day),
                    'm' => write!(text, "{}", self.month),
                    _ => return None,
                },
                '%' => text.write_str("%"),
                _ => return None,
            };
            written.ok()?;
        }
        Some(text)
    }

    /// The day of the week, by Sakamoto's method for the Gregorian calendar.
    fn weekday(self) -> Option<&'static str> {
        const SHIFT: [u32; 12] = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4];
        let year = u32::from(self.year).checked_sub(u32::from(self.month < 3))?;
        let shift = SHIFT.get(usize::from(self.month).checked_sub(1)?)?;
        let days = year + year / 4 - year / 100 + year / 400 + shift + u32::from(self.day);
        WEEKDAYS.get((days % 7) as usize).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::ChatDate;

    #[test]
    fn dates_are_written_as_c_does() {
        let date = ChatDate { year: 2026, month: 11, day: 3 };
        let written = |pattern| date.format(pattern);
        assert_eq!(written("%d %B %Y").as_deref(), Some("03 November 2026"));
        assert_eq!(written("%A, %-d %b %y").as_deref(), Some("Tuesday, 3 Nov 26"));
        assert_eq!(written("%F 100%%").as_deref(), Some("2026-11-03 100%"));
        assert_eq!(written("%H:%M"), None);
        assert_eq!(written("%"), None);
    }

    #[test]
    fn leap_years_and_centuries_count() {
        let weekday = |year, month, day| ChatDate { year, month, day }.format("%a");
        assert_eq!(weekday(2024, 2, 29).as_deref(), Some("Thu"));
        assert_eq!(weekday(2000, 1, 1).as_deref(), Some("Sat"));
        assert_eq!(weekday(2100, 3, 1).as_deref(), Some("Mon"));
        assert_eq!(weekday(2026, 13, 1), None);
        assert_eq!(weekday(2026, 0, 1), None);
    }
}
