//! The zones that a calendar names, so that a time in UTC can be told as the calendar's reader sees it.
//!
//! `jiff` has the database of zones and does the arithmetic. Zones of a program's own (`W. Europe Standard Time`) are described in
//! the file itself (`VTIMEZONE`); of such a description the newest rules are taken.

use std::collections::BTreeMap;

use jiff::civil;
use jiff::tz::TimeZone;

use super::components::Component;
use super::moments::{Moment, zone_name};
use super::recurrence::day;

/// The zones of one calendar.
#[derive(Debug, Default)]
pub(super) struct Zones {
    /// Those that the file describes, by name.
    own: BTreeMap<String, TimeZone>,
    /// The zone in which the calendar shows times in UTC, where it says so.
    pub(super) of_calendar: Option<String>,
}

/// The name of universal time, which is nobody's local time.
pub(super) const UTC: &str = "UTC";

impl Zones {
    pub(super) fn of(components: &[Component<'_>]) -> Self {
        let mut zones = Self::default();
        let mut parts: Vec<(String, Vec<&Component<'_>>)> = Vec::new();
        for component in components {
            match component.name.as_str() {
                "VTIMEZONE" => {
                    let name = component.first("TZID").map_or("", |name| name.value);
                    parts.push((zone_name(name), Vec::new()));
                }
                "STANDARD" | "DAYLIGHT" => {
                    parts.last_mut().into_iter().for_each(|(_, parts)| parts.push(component));
                }
                _ => {}
            }
        }
        let calendars = components.iter().filter(|component| component.name == "VCALENDAR");
        let mut named = calendars.flat_map(|calendar| {
            ["X-WR-TIMEZONE", "TIMEZONE-ID"].iter().filter_map(|name| calendar.text(name))
        });
        let stated = named.next().map(|name| zone_name(&name));
        // One zone that a file describes is the zone of its calendar.
        let only = match parts.as_slice() {
            [(name, _)] => Some(name.clone()),
            _ => None,
        };
        for (name, parts) in &parts {
            if let Some(zone) = described(parts) {
                zones.own.insert(name.clone(), zone);
            }
        }
        let known = |name: &String| name != UTC && zones.zone(name).is_some();
        zones.of_calendar = stated.or(only).filter(known);
        zones
    }

    fn zone(&self, name: &str) -> Option<TimeZone> {
        if name == UTC {
            return Some(TimeZone::UTC);
        }
        jiff::tz::db().get(name).ok().or_else(|| self.own.get(name).cloned())
    }

    /// A time of one zone in another; `None` for whole days, times without a zone, and zones that nobody knows.
    pub(super) fn moved(&self, moment: &Moment, to: &str) -> Option<Moment> {
        let minutes = moment.minutes?;
        let (from, zone) = (self.zone(moment.zone.as_deref()?)?, self.zone(to)?);
        let (year, month, day) = moment.date.numbers();
        let midnight = civil::Date::new(year, month, day).ok()?.at(0, 0, 0, 0);
        let local = midnight.checked_add(jiff::Span::new().minutes(i64::from(minutes))).ok()?;
        let there = local.to_zoned_datetime(from).ok()?.with_time_zone(zone).datetime();
        let date = moment.date.plus(i64::from((there.date() - midnight.date()).get_days()))?;
        let minutes = i64::from(there.hour()) * 60 + i64::from(there.minute());
        Some(Moment { date, minutes: u32::try_from(minutes).ok(), zone: Some(to.to_owned()) })
    }

    /// A time in UTC as the calendar shows it; any other as it is.
    pub(super) fn shown(&self, moment: Moment) -> Moment {
        let is_utc = moment.zone.as_deref() == Some(UTC);
        let shown = self.of_calendar.as_ref().filter(|_| is_utc);
        shown.and_then(|zone| self.moved(&moment, zone)).unwrap_or(moment)
    }

    /// A time in UTC in the zone of another moment; any other as it is.
    pub(super) fn beside(&self, moment: Moment, other: &Moment) -> Moment {
        let is_utc = moment.zone.as_deref() == Some(UTC);
        let zone = other.zone.as_ref().filter(|zone| is_utc && *zone != UTC);
        zone.and_then(|zone| self.moved(&moment, zone)).unwrap_or(moment)
    }

    /// The minutes from one moment to another, where both zones are known.
    pub(super) fn minutes_between(&self, from: &Moment, to: &Moment) -> Option<i64> {
        let (from, to) = (self.moved(from, UTC)?, self.moved(to, UTC)?);
        let minutes = |moment: &Moment| i64::from(moment.minutes.unwrap_or(0));
        Some(to.date.days_since(from.date) * 24 * 60 + minutes(&to) - minutes(&from))
    }
}

/// The zone of a `VTIMEZONE` by its newest rules, as POSIX writes them: `<S>-1<D>-2,M3.5.0/2,M10.5.0/3`.
fn described(parts: &[&Component<'_>]) -> Option<TimeZone> {
    let newest = |name: &str| {
        let own = parts.iter().filter(|part| part.name == name);
        own.max_by_key(|part| part.first("DTSTART").map_or("", |start| start.value))
    };
    let standard = newest("STANDARD").or_else(|| newest("DAYLIGHT"))?;
    let standard_offset = offset(standard)?;
    let plain = format!("<STD>{}", written(standard_offset));
    let summer = newest("DAYLIGHT").and_then(|daylight| {
        let begins = change(daylight)?;
        let ends = change(standard)?;
        Some(format!("<DST>{},{begins},{ends}", written(offset(daylight)?)))
    });
    let rules = format!("{plain}{}", summer.unwrap_or_default());
    TimeZone::posix(&rules).or_else(|_| TimeZone::posix(&plain)).ok()
}

/// Minutes east of Greenwich: `+0100`.
fn offset(part: &Component<'_>) -> Option<i64> {
    let value = part.first("TZOFFSETTO")?.value.trim();
    let (sign, digits) = match value.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, value.strip_prefix('+').unwrap_or(value)),
    };
    let number = |from: usize, to: usize| digits.get(from..to)?.parse::<i64>().ok();
    Some(sign * (number(0, 2)? * 60 + number(2, 4)?))
}

/// POSIX counts to the west.
fn written(minutes: i64) -> String {
    let sign = if minutes > 0 { "-" } else { "" };
    format!("{sign}{}:{:02}", minutes.abs() / 60, minutes.abs() % 60)
}

/// The day and time of the year on which a part of a zone begins: `M3.5.0/2`.
fn change(part: &Component<'_>) -> Option<String> {
    let rule = part.first("RRULE")?.value.to_ascii_uppercase();
    let value = |name: &str| {
        rule.split(';').find_map(|part| part.trim().strip_prefix(name)?.strip_prefix('='))
    };
    let month: u32 = value("BYMONTH")?.parse().ok()?;
    let (position, weekday) = day(value("BYDAY")?)?;
    let week = match position {
        -1 => 5,
        1..=4 => position,
        _ => return None,
    };
    let start = part.first("DTSTART").and_then(Moment::of)?;
    let minutes = start.minutes.unwrap_or(0);
    // POSIX counts the days of the week from Sunday.
    Some(format!("M{month}.{week}.{}/{}:{:02}", (weekday + 1) % 7, minutes / 60, minutes % 60))
}
