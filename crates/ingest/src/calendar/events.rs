//! Events and tasks: which are left out, and each as a sentence that can be read alone.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::MOST_EVENTS;
use super::components::Component;
use super::moments::{Date, Moment, duration_minutes, range};
use super::recurrence::{Change, Part, recurrence};
use super::zones::Zones;
use crate::html;
use crate::report::Report;

/// An event or a task, ready to be written out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Event {
    pub(super) summary: String,
    is_task: bool,
    pub(super) start: Option<Moment>,
    /// The last day of whole days; the time at which a time ends.
    pub(super) end: Option<Moment>,
    /// The times at which it happens again, in words.
    pub(super) recurrence: Option<String>,
    /// A series goes on in this way from here on.
    is_onward: bool,
    /// The first time of a series in UTC, as the calendar shows it.
    local_start: Option<Moment>,
    /// The occurrence of a series that this one takes the place of.
    instead_of: Option<Moment>,
    is_tentative: bool,
    pub(super) place: String,
    categories: String,
    pub(super) organiser: String,
    contact: String,
    pub(super) link: Option<String>,
    pub(super) description: String,
}

impl Event {
    pub(super) fn date(&self) -> Option<Date> {
        self.start.as_ref().map(|start| start.date)
    }
}

/// The events to be read, in the order of their dates.
pub(super) fn events(
    components: &[Component<'_>],
    zones: &Zones,
    report: &mut Report,
) -> Vec<Event> {
    let is_event = |component: &&Component<'_>| {
        matches!(component.name.as_str(), "VEVENT" | "VTODO" | "VJOURNAL")
    };
    let all: Vec<&Component<'_>> = components.iter().filter(is_event).collect();
    let (all, beyond) = all.split_at(all.len().min(MOST_EVENTS));
    for component in beyond {
        report.event_left_out(format!("beyond the limit of {MOST_EVENTS}"), &summary(component));
    }
    // First all series, since a change may stand in front of the series that it changes.
    let mut series: BTreeMap<&str, &Component<'_>> = BTreeMap::new();
    for one in all.iter().filter(|one| one.first("RECURRENCE-ID").is_none()) {
        if let Some(identity) = identity(one) {
            series.entry(identity).or_insert(one);
        }
    }
    let mut changes: BTreeMap<&str, Vec<Change>> = BTreeMap::new();
    for one in all {
        let of_series = identity(one).filter(|identity| series.contains_key(identity));
        if let (Some(identity), Some(property)) = (of_series, one.first("RECURRENCE-ID")) {
            let Some(replaced) = Moment::of(property) else { continue };
            let to =
                (!is_cancelled(one)).then(|| one.first("DTSTART").and_then(Moment::of)).flatten();
            let range = property.parameter("RANGE").unwrap_or_default();
            let is_onward = range.eq_ignore_ascii_case("THISANDFUTURE");
            changes.entry(identity).or_default().push(Change { replaced, to, is_onward });
        }
    }
    let mut told = BTreeSet::new();
    let mut found = Vec::with_capacity(all.len());
    for one in all {
        if let Some(reason) = reason_to_leave_out(one, &series) {
            if !reason.is_empty() {
                report.event_left_out(reason.to_owned(), &summary(one));
            }
            continue;
        }
        let is_series = one.first("RECURRENCE-ID").is_none();
        // Two series of one name: the first tells of the changes.
        let own = identity(one).filter(|identity| !is_series || told.insert(*identity));
        let context = Context {
            series: own.and_then(|identity| series.get(identity)).copied(),
            changes: own.and_then(|identity| changes.get(identity)).map_or(&[], Vec::as_slice),
            zones,
        };
        found.push(event(one, &context, report));
    }
    // Stable, so that events of one time keep the order of the file.
    found.sort_by(|one, other| {
        let key = |event: &Event| {
            (event.start.is_none(), event.start.clone().map(|start| (start.date, start.minutes)))
        };
        key(one).cmp(&key(other))
    });
    found
}

fn identity<'c>(component: &'c Component<'_>) -> Option<&'c str> {
    component.first("UID").map(|property| property.value).filter(|value| !value.is_empty())
}

fn is_cancelled(component: &Component<'_>) -> bool {
    component.first("STATUS").is_some_and(|status| status.value.eq_ignore_ascii_case("CANCELLED"))
}

/// The reason why an event is left out; empty for one that its series tells of.
fn reason_to_leave_out(
    component: &Component<'_>,
    series: &BTreeMap<&str, &Component<'_>>,
) -> Option<&'static str> {
    if is_cancelled(component) {
        let is_told = component.first("RECURRENCE-ID").is_some()
            && identity(component).is_some_and(|identity| series.contains_key(identity));
        return Some(if is_told { "" } else { "cancelled" });
    }
    let class = component.first("CLASS").map(|class| class.value.to_ascii_uppercase());
    matches!(class.as_deref(), Some("PRIVATE" | "CONFIDENTIAL")).then_some("marked as private")
}

fn summary(component: &Component<'_>) -> String {
    component.text("SUMMARY").unwrap_or_default()
}

/// What an event has to know of the others.
struct Context<'a> {
    /// The event that states the rules of its series: itself, unless it is a change of one.
    series: Option<&'a Component<'a>>,
    changes: &'a [Change],
    zones: &'a Zones,
}

fn event(component: &Component<'_>, context: &Context<'_>, report: &mut Report) -> Event {
    let zones = context.zones;
    let line = |name: &str| component.text(name).map(|text| on_one_line(&text)).unwrap_or_default();
    let is_task = component.name == "VTODO";
    let begin = component.first("DTSTART").and_then(Moment::of);
    let due = component.first("DUE").and_then(Moment::of).filter(|_| is_task);
    let replaced = component.first("RECURRENCE-ID").and_then(Moment::of);
    let change = context.changes.iter().find(|change| Some(&change.replaced) == replaced.as_ref());
    let is_onward = change.is_some_and(|change| change.is_onward);
    let repeats = ["RRULE", "RDATE"].iter().any(|name| component.first(name).is_some());
    // The local time of a series in UTC changes with summer time: it stays as it is, with the first one beside it.
    let shown = |moment: Moment| if repeats || is_onward { moment } else { zones.shown(moment) };
    let start = due.or(begin).map(shown);
    let end = start.as_ref().filter(|_| !is_task).and_then(|start| end(component, start, zones));
    let (start, end) = whole_days(component, start, end);
    let minutes = start.as_ref().zip(end.as_ref()).and_then(|(start, end)| {
        zones.minutes_between(start, end).or_else(|| {
            let minutes = |moment: &Moment| moment.minutes.map(i64::from);
            Some(end.date.days_since(start.date) * 24 * 60 + minutes(end)? - minutes(start)?)
        })
    });
    let recurrence = start.as_ref().filter(|_| replaced.is_none() || is_onward).and_then(|start| {
        let series = if is_onward { context.series? } else { component };
        let series_start = series.first("DTSTART").and_then(Moment::of);
        let day = |moment: &Moment| zones.beside(moment.clone(), start).date;
        let from = replaced.as_ref().filter(|_| is_onward).map(day);
        let onward = context.changes.iter().filter(|change| change.is_onward);
        let later = onward.map(|change| day(&change.replaced));
        recurrence(Part {
            series,
            series_start: series_start.as_ref().filter(|_| is_onward).unwrap_or(start),
            start,
            minutes,
            from,
            before: later.filter(|date| from.is_none_or(|from| *date > from)).min(),
            changes: context.changes,
            zones,
        })
    });
    let local_start = start.as_ref().filter(|_| recurrence.is_some()).and_then(|start| {
        let shown = zones.shown(start.clone());
        (shown != *start).then_some(shown)
    });
    // Outlook writes a text in HTML beside the plain one, and some programs no other.
    let texts = ["DESCRIPTION", "X-ALT-DESC"].into_iter();
    let mut texts = texts.filter_map(|name| component.text(name)).map(|text| html::lines(&text));
    let description = texts.find(|text| !text.trim().is_empty()).unwrap_or_default();
    let categories: Vec<String> = component
        .all("CATEGORIES")
        .map(|property| on_one_line(&property.text()).replace(',', ", "))
        .collect();
    let own_summary = line("SUMMARY");
    let named =
        |text: &str| text.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned);
    Event {
        summary: Some(own_summary)
            .filter(|summary| !summary.is_empty())
            .or_else(|| named(&description))
            .unwrap_or_else(|| if is_task { "Task" } else { "Event" }.to_owned()),
        is_task,
        end,
        recurrence,
        is_onward,
        local_start,
        instead_of: replaced.filter(|_| !is_onward).map(|moment| match &start {
            Some(start) => zones.beside(moment, start),
            None => moment,
        }),
        start,
        is_tentative: component
            .first("STATUS")
            .is_some_and(|status| status.value.eq_ignore_ascii_case("TENTATIVE")),
        place: line("LOCATION"),
        categories: categories.join(", "),
        organiser: organiser(component),
        contact: line("CONTACT"),
        link: component.text("URL").and_then(|link| report.safe_link(&link)),
        description,
    }
}

/// The last day, or the time of the end. An end that is a date is the day after the last one.
fn end(component: &Component<'_>, start: &Moment, zones: &Zones) -> Option<Moment> {
    let stated = component.first("DTEND").and_then(Moment::of);
    let end = stated.map(|end| zones.beside(end, start)).or_else(|| {
        let minutes = duration_minutes(component.first("DURATION")?.value)?;
        match start.minutes {
            Some(_) => start.plus_minutes(minutes),
            None => Some(Moment { date: start.date.plus(minutes / (24 * 60))?, ..start.clone() }),
        }
    })?;
    let end = match end.minutes {
        None => Moment { date: end.date.plus(-1)?, ..end },
        Some(_) => end,
    };
    // In another zone the clock may show less.
    let minutes = zones.minutes_between(start, &end).filter(|_| start.zone != end.zone);
    let is_later = minutes.map_or(end.date >= start.date, |minutes| minutes > 0);
    is_later.then_some(end)
}

/// Marks by which Outlook and Exchange say that an event takes whole days.
const WHOLE_DAYS: &[&str] = &["X-MICROSOFT-CDO-ALLDAYEVENT", "X-MICROSOFT-MSNCALENDAR-ALLDAYEVENT"];

/// An event from midnight to midnight as its whole days, which some programs write so.
fn whole_days(
    component: &Component<'_>,
    start: Option<Moment>,
    end: Option<Moment>,
) -> (Option<Moment>, Option<Moment>) {
    let is_marked = WHOLE_DAYS.iter().any(|name| {
        component.first(name).is_some_and(|mark| mark.value.eq_ignore_ascii_case("TRUE"))
    });
    let (Some(first), Some(last)) = (&start, &end) else { return (start, end) };
    let is_midnight = first.minutes == Some(0) && last.minutes == Some(0);
    let is_days = is_midnight && first.zone == last.zone && last.date > first.date;
    if !(is_days || is_marked && first.minutes == Some(0)) {
        return (start, end);
    }
    let day = |date: Date| Some(Moment { date, minutes: None, zone: None });
    let last_day = if is_days { last.date.plus(-1) } else { Some(last.date) };
    (day(first.date), last_day.and_then(day))
}

/// The name of the organiser, or the address.
fn organiser(component: &Component<'_>) -> String {
    let Some(organiser) = component.first("ORGANIZER") else {
        return String::new();
    };
    let address = organiser.value.get(..7).filter(|scheme| scheme.eq_ignore_ascii_case("mailto:"));
    let address =
        address.and_then(|_| organiser.value.get(7..)).filter(|address| address.contains('@'));
    match (organiser.parameter("CN").filter(|name| !name.is_empty()), address) {
        (Some(name), Some(address)) if name != address => format!("{name} ({address})"),
        (Some(name), _) => name.to_owned(),
        (None, address) => address.unwrap_or_default().to_owned(),
    }
}

/// Returns `true` if an event goes on for more than a night.
fn takes_days(start: &Moment, end: &Moment) -> bool {
    let days = end.date.days_since(start.date);
    match (start.minutes, end.minutes) {
        (Some(from), Some(to)) => days > i64::from(to < from),
        _ => days > 0,
    }
}

/// Signs that draw a line across a description, as programs set their own text apart with.
const RULE_SIGNS: usize = 5;

/// Returns `true` for a line that is empty, or drawn with signs.
fn says_nothing(line: &str) -> bool {
    line.is_empty()
        || line.chars().count() >= RULE_SIGNS && line.chars().all(|sign| "-_=~:*.#+".contains(sign))
}

fn on_one_line(text: &str) -> String {
    let parts: Vec<&str> = text.lines().map(str::trim).filter(|part| !part.is_empty()).collect();
    parts.join(", ")
}

impl Event {
    /// The event written out, and its links.
    pub(super) fn written(&self) -> (String, Vec<(Range<usize>, String)>) {
        let mut text = self.summary.clone();
        let links = self.link.iter().map(|link| (0..text.len(), link.clone())).collect();
        if let Some(when) = self.when() {
            text.extend([": ", &when]);
        }
        if let Some(replaced) = self.instead_of() {
            text.push_str(&format!(" (instead of {replaced})"));
        }
        if self.is_tentative {
            text.push_str(" (tentative)");
        }
        let parts = [
            ("place", &self.place),
            ("category", &self.categories),
            ("organiser", &self.organiser),
            ("contact", &self.contact),
        ];
        for (name, value) in parts.into_iter().filter(|(_, value)| !value.is_empty()) {
            text.push_str(&format!("; {name}: {value}"));
        }
        let lines: Vec<&str> =
            self.description.lines().map(str::trim).filter(|line| !says_nothing(line)).collect();
        let description = lines.join("\n");
        // Some programs write the title into the description once more.
        if !description.is_empty() && description != self.summary {
            text.extend(["\n", &description]);
        }
        (text, links)
    }

    /// The time that a change takes the place of, as far as it is another.
    fn instead_of(&self) -> Option<String> {
        let replaced = self.instead_of.as_ref()?;
        let is_same_day = self.date() == Some(replaced.date);
        let is_same_time = self.start.as_ref().map(Moment::time) == Some(replaced.time());
        match replaced.time() {
            _ if is_same_day && is_same_time => None,
            Some(time) if is_same_day => Some(time),
            _ => Some(replaced.date.to_string()),
        }
    }

    fn when(&self) -> Option<String> {
        let start = self.start.as_ref()?;
        if self.is_task {
            return Some(format!("due {}", start.whole()));
        }
        let Some(recurrence) = &self.recurrence else {
            return Some(range(start, self.end.as_ref()));
        };
        let end = self.end.as_ref();
        let end_zone = end.filter(|end| end.zone != start.zone).map(Moment::zone_note);
        let last_day = end.filter(|end| takes_days(start, end)).map(|end| end.date);
        let time = match (start.time(), end.and_then(Moment::time), end_zone) {
            (Some(from), Some(to), None) => {
                let day = last_day.map(|day| format!("{day}, ")).unwrap_or_default();
                format!(", {from} to {day}{to}{}", start.zone_note())
            }
            (Some(from), Some(to), Some(zone)) => {
                format!(", {from}{} to {to}{zone}", start.zone_note())
            }
            (Some(from), None, _) => format!(", {from}{}", start.zone_note()),
            (None, ..) => last_day.map(|day| format!(" to {day}")).unwrap_or_default(),
        };
        let local = self.local_start.as_ref().map(|local| format!(", which is {}", local.whole()));
        let local = local.unwrap_or_default();
        let begins = if self.is_onward { "from" } else { "first on" };
        let onward = if self.is_onward { " on" } else { "" };
        Some(format!("{begins} {}{onward}{time}{local}, {recurrence}", start.date))
    }
}
