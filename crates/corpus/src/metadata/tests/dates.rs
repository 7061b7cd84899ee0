use crate::metadata::{Date, HierarchyLevel, LevelPoints, Validity};

fn date(text: &str) -> Date {
    text.parse().expect("a date")
}

#[test]
fn only_days_that_exist_are_dates() {
    let cases = [
        ("2024-02-29", true),
        ("2023-02-29", false),
        ("1900-02-29", false),
        ("2000-02-29", true),
        ("2026-04-31", false),
        ("2026-13-01", false),
        ("2026-00-10", false),
        ("2026-01-00", false),
        ("0000-01-01", false),
        ("9999-12-31", true),
        ("2026-1-05", false),
        ("+026-01-05", false),
        ("20260105", false),
        (" 2026-01-05", false),
        ("2026-01-05-", false),
        ("", false),
    ];
    for (text, is_date) in cases {
        assert_eq!(text.parse::<Date>().is_ok(), is_date, "{text:?}");
    }
    let message = "2026-02-30".parse::<Date>().expect_err("no such day").to_string();
    assert_eq!(message, "\"2026-02-30\" is no date: write year, month and day, as in 2026-03-31");
}

#[test]
fn days_are_counted_from_1970() {
    let cases = [
        ("1970-01-01", 0),
        ("1969-12-31", -1),
        ("2000-02-29", 11_016),
        ("2000-03-01", 11_017),
        ("2026-11-20", 20_777),
        ("0001-01-01", -719_162),
        ("9999-12-31", 2_932_896),
    ];
    for (text, days) in cases {
        assert_eq!(date(text).unix_days(), days, "{text}");
        assert_eq!(Date::from_unix_days(days), Some(date(text)), "{days}");
    }
    for days in [-719_163, 2_932_897, i64::MAX, i64::MIN] {
        assert_eq!(Date::from_unix_days(days), None, "{days}");
    }
    for days in (-800_000..3_000_000).step_by(997) {
        if let Some(date) = Date::from_unix_days(days) {
            assert_eq!(date.unix_days(), days);
        }
    }
}

#[test]
fn days_are_counted_both_ways() {
    let first = date("1900-01-01");
    let (mut year, mut month, mut day) = (1900, 1, 1);
    for step in 0..80_000 {
        let date = first.plus_days(step).expect("a day of the calendar");
        assert_eq!((date.year(), date.month(), date.day()), (year, month, day));
        assert_eq!(Date::new(year, month, day), Some(date));
        assert_eq!(date.plus_days(-step), Some(first));
        assert_eq!(date.weekday(), usize::try_from(step % 7).expect("a weekday"), "{date}");
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let length = match month {
            2 => 28 + u8::from(leap),
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        day += 1;
        if day > length {
            (month, day) = (month + 1, 1);
        }
        if month > 12 {
            (year, month) = (year + 1, 1);
        }
    }
    for (text, days) in [("0001-01-01", -1), ("9999-12-31", 1), ("2026-11-20", i64::MAX)] {
        assert_eq!(date(text).plus_days(days), None, "{text}");
    }
}

#[test]
fn timestamps_begin_with_their_day() {
    let cases = [
        ("2026-03-31", Some("2026-03-31")),
        (" 2026-03-31T12:00:00Z ", Some("2026-03-31")),
        ("2026-03-31 12:00:00 +0200", Some("2026-03-31")),
        ("2026-03-31T", None),
        ("2026-03-311", None),
        ("31.03.2026", None),
        ("März 2026 im", None),
    ];
    for (text, expected) in cases {
        assert_eq!(Date::of_timestamp(text), expected.map(date), "{text:?}");
    }
}

#[test]
fn what_is_new_is_worth_up_to_15_points() {
    let today = date("2026-11-20");
    let cases = [
        ("2026-11-20", 15.0),
        ("2027-11-20", 15.0),
        ("2025-11-20", 12.0),
        ("2024-05-21", 7.5),
        ("2021-11-22", 0.0),
        ("2011-11-20", 0.0),
    ];
    for (text, points) in cases {
        let level = HierarchyLevel::University;
        let worth = LevelPoints::default().of(level, Some(date(text)), Some(today));
        let found = worth - LevelPoints::default().of(level, None, Some(today));
        assert!((found - points).abs() < 0.02, "{text}: {found}");
    }
}

#[test]
fn periods_are_read_as_people_write_them() {
    // Text; first and last day, where "-" is an end of which nothing is said and "*" an open one.
    let cases = [
        ("2024-10-01/2025-03-31", Some(("2024-10-01", "2025-03-31"))),
        ("2024-10-01 – 2025-03-31", Some(("2024-10-01", "2025-03-31"))),
        ("2024-10-01 - 2025-03-31", Some(("2024-10-01", "2025-03-31"))),
        ("2024-10-01 to 2025-03-31", Some(("2024-10-01", "2025-03-31"))),
        ("from 2024-10-01 to 2025-03-31", Some(("2024-10-01", "2025-03-31"))),
        ("2024-10-01/..", Some(("2024-10-01", "*"))),
        ("../2025-03-31", Some(("*", "2025-03-31"))),
        ("2024-10-01/", Some(("2024-10-01", "*"))),
        ("until 2025-03-31", Some(("-", "2025-03-31"))),
        ("from 2024-10-01", Some(("2024-10-01", "-"))),
        ("since 2024-10-01", Some(("2024-10-01", "-"))),
        ("*", Some(("*", "*"))),
        ("/", None),
        ("2024-10-01", None),
        ("2024-10-01-2025-03-31", None),
        ("2024-10-01/2025-02-30", None),
        ("next term", None),
        ("until then", None),
    ];
    for (text, expected) in cases {
        let found = Validity::read_ends(text);
        let end = |text: &str| match text {
            "-" => None,
            "*" => Some(None),
            text => Some(Some(date(text))),
        };
        assert_eq!(found, expected.map(|(from, until)| (end(from), end(until))), "{text:?}");
    }
}
