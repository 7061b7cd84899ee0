//! Events and tasks: which are left out, and each as a sentence that can be read alone.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::MOST_EVENTS;
use super::components::Component;
use super::moments::{Date, Moment, duration_minutes, range};
use super::recurrence::{Change, recurrence};
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
pub(super) fn events(components: &[Component<'_>], report: &mut Report) -> Vec<Event> {
    let is_event =
        |component: &&Component<'_>| matches!(component.name.as_str(), "VEVENT" | "VTODO");
    let all: Vec<&Component<'_>> = components.iter().filter(is_event).collect();
    let (all, beyond) = all.split_at(all.len().min(MOST_EVENTS));
    for component in beyond {
        report.event_left_out(format!("beyond the limit of {MOST_EVENTS}"), &summary(component));
    }
    // First all series, since a change may stand in front of the series that it changes.
    let series: BTreeSet<&str> = all
        .iter()
        .filter(|one| one.first("RECURRENCE-ID").is_none())
        .filter_map(|one| identity(one))
        .collect();
    let mut changes: BTreeMap<&str, Vec<Change>> = BTreeMap::new();
    for one in all {
        let of_series = identity(one).filter(|identity| series.contains(identity));
        if let (Some(identity), Some(replaced)) =
            (of_series, one.first("RECURRENCE-ID").and_then(Moment::of))
        {
            let to =
                (!is_cancelled(one)).then(|| one.first("DTSTART").and_then(Moment::of)).flatten();
            changes.entry(identity).or_default().push(Change { replaced, to });
        }
    }
    let mut found = Vec::with_capacity(all.len());
    for one in all {
        if let Some(reason) = reason_to_leave_out(one, &series) {
            if !reason.is_empty() {
                report.event_left_out(reason.to_owned(), &summary(one));
            }
            continue;
        }
        // Two series of one name: the first tells of the changes.
        let is_series = one.first("RECURRENCE-ID").is_none();
        let own = identity(one).filter(|_| is_series).and_then(|identity| changes.remove(identity));
        found.push(event(one, &own.unwrap_or_default(), report));
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
fn reason_to_leave_out(component: &Component<'_>, series: &BTreeSet<&str>) -> Option<&'static str> {
    if is_cancelled(component) {
        let is_told = component.first("RECURRENCE-ID").is_some()
            && identity(component).is_some_and(|identity| series.contains(identity));
        return Some(if is_told { "" } else { "cancelled" });
    }
    let class = component.first("CLASS").map(|class| class.value.to_ascii_uppercase());
    matches!(class.as_deref(), Some("PRIVATE" | "CONFIDENTIAL")).then_some("marked as private")
}

fn summary(component: &Component<'_>) -> String {
    component.text("SUMMARY").unwrap_or_default()
}

fn event(component: &Component<'_>, changes: &[Change], report: &mut Report) -> Event {
    let line = |name: &str| component.text(name).map(|text| on_one_line(&text)).unwrap_or_default();
    let is_task = component.name == "VTODO";
    let begin = component.first("DTSTART").and_then(Moment::of);
    let due = component.first("DUE").and_then(Moment::of).filter(|_| is_task);
    let start = due.or(begin);
    let is_replacement = component.first("RECURRENCE-ID").is_some();
    let description =
        component.text("DESCRIPTION").map(|text| html::without_tags(&text)).unwrap_or_default();
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
        end: start.as_ref().filter(|_| !is_task).and_then(|start| end(component, start)),
        recurrence: start
            .as_ref()
            .filter(|_| !is_replacement)
            .and_then(|start| recurrence(component, start, changes)),
        instead_of: component.first("RECURRENCE-ID").and_then(Moment::of),
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
fn end(component: &Component<'_>, start: &Moment) -> Option<Moment> {
    let end = component.first("DTEND").and_then(Moment::of).or_else(|| {
        let minutes = duration_minutes(component.first("DURATION")?.value)?;
        match start.minutes {
            Some(_) => start.plus_minutes(minutes),
            None => Some(Moment { date: start.date.plus(minutes / (24 * 60))?, ..start.clone() }),
        }
    })?;
    match end.minutes {
        None => Some(Moment { date: end.date.plus(-1)?, ..end }),
        Some(_) => Some(end),
    }
    .filter(|end| end.date >= start.date)
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
        if let Some(replaced) = &self.instead_of {
            text.push_str(&format!(" (instead of {})", replaced.date));
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
            self.description.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let description = lines.join("\n");
        // Some programs write the title into the description once more.
        if !description.is_empty() && description != self.summary {
            text.extend(["\n", &description]);
        }
        (text, links)
    }

    fn when(&self) -> Option<String> {
        let start = self.start.as_ref()?;
        if self.is_task {
            return Some(format!("due {}", start.whole()));
        }
        let Some(recurrence) = &self.recurrence else {
            return Some(range(start, self.end.as_ref()));
        };
        let time = match (start.time(), self.end.as_ref().and_then(|end| end.time())) {
            (Some(from), Some(to)) => format!(", {from} to {to}{}", start.zone_note()),
            (Some(from), None) => format!(", {from}{}", start.zone_note()),
            (None, _) => String::new(),
        };
        Some(format!("first on {}{time}, {recurrence}", start.date))
    }
}
