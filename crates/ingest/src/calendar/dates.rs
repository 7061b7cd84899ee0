//! Days, in the Gregorian calendar.

use std::fmt;

/// A day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Date {
    pub(super) year: i32,
    /// 1 to 12.
    pub(super) month: u32,
    /// 1 to 31.
    pub(super) day: u32,
}

pub(super) const WEEKDAYS: [&str; 7] =
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

pub(super) const MONTHS: [&str; 12] = [
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

impl Date {
    /// `20261012`, if there is such a day.
    pub(super) fn of(text: &str) -> Option<Self> {
        if text.len() != 8 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let number = |from: usize, to: usize| text.get(from..to)?.parse::<u32>().ok();
        let year = i32::try_from(number(0, 4)?).ok()?;
        let date = Self { year, month: number(4, 6)?, day: number(6, 8)? };
        // What is no day comes out of the count of days as another.
        (year > 0 && (1..=12).contains(&date.month) && Self::from_days(date.days()) == date)
            .then_some(date)
    }

    /// Days since 1 March of the year 0. (H. Hinnant, "chrono-Compatible Low-Level Date
    /// Algorithms": a year that begins in March has its leap day at its end.)
    pub(super) fn days(self) -> i64 {
        let year = i64::from(self.year) - i64::from(self.month <= 2);
        let era = year.div_euclid(400);
        let year_of_era = year.rem_euclid(400);
        let month = (i64::from(self.month) + 9) % 12;
        let day_of_year = (153 * month + 2) / 5 + i64::from(self.day) - 1;
        era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year
    }

    pub(super) fn from_days(days: i64) -> Self {
        let era = days.div_euclid(146_097);
        let day_of_era = days.rem_euclid(146_097);
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        let year = era * 400 + year_of_era + i64::from(month <= 2);
        Self {
            year: i32::try_from(year).unwrap_or(i32::MAX),
            month: u32::try_from(month).unwrap_or(1),
            day: u32::try_from(day).unwrap_or(1),
        }
    }

    pub(super) fn plus(self, days: i64) -> Self {
        Self::from_days(self.days().saturating_add(days.clamp(-4_000_000, 4_000_000)))
    }

    /// 0 for Monday.
    pub(super) fn weekday(self) -> usize {
        // 1 March of the year 0 was a Wednesday.
        usize::try_from((self.days() + 2).rem_euclid(7)).unwrap_or(0)
    }

    pub(super) fn weekday_name(self) -> &'static str {
        WEEKDAYS.get(self.weekday()).copied().unwrap_or_default()
    }

    pub(super) fn month_name(self) -> &'static str {
        let index = self.month.saturating_sub(1) as usize;
        MONTHS.get(index).copied().unwrap_or_default()
    }

    /// `October 2026`
    pub(super) fn month(self) -> String {
        format!("{} {}", self.month_name(), self.year)
    }

    /// `12 October 2026`
    pub(super) fn short(self) -> String {
        format!("{} {}", self.day, self.month())
    }
}

/// `Monday, 12 October 2026`
impl fmt::Display for Date {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}, {}", self.weekday_name(), self.short())
    }
}
