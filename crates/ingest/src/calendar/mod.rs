//! iCalendar (RFC 5545): each event becomes a sentence that can be read alone.
//!
//! `BEGIN:VEVENT` and `DTSTART` say nothing to a search, and the fields of one event are of little
//! use apart. So an event is written out whole (`Exam registration: Monday, 12 October 2026, 09:00
//! to 11:00 (Europe/Berlin); place: HS 1`), and the events stand in the order of their dates under
//! the names of their months. Times stand in the zone of the event, which is named, since a reader of
//! the page can be anywhere; times in UTC stand in the zone of the calendar, where it states one.
//!
//! The reader is our own. Of the crates there are, `icalendar` (0.17) gives up a whole file at the
//! first line that is no property and descends into components by recursion; `calcard` (0.3) is
//! forgiving, but brings a mail parser and a second kind of hash map for what is a grammar of one
//! line. Zones are `jiff`'s.

mod components;
mod events;
mod moments;
mod recurrence;
#[cfg(test)]
mod tests;
mod zones;

use std::collections::BTreeMap;

use campanile_corpus::{BlockKind, Document};
use serde_json::Value;

use crate::Trouble;
use crate::assemble::{Assembler, title_from_path};
use crate::decode::decode;
use crate::inline::InlineText;
use crate::report::Report;
use crate::sanitize::clean_line;
use components::{Component, components};
use events::{Event, events};
use zones::Zones;

/// More events than this are not read: ten for each day of five years.
const MOST_EVENTS: usize = 20_000;
/// The heading over events that state no date.
const WITHOUT_DATE: &str = "Without a date";

pub(crate) fn read(path: &str, bytes: &[u8]) -> Result<(Document, Report), Trouble> {
    let source = unfolded(bytes)?;
    let components = components(&source);
    let mut assembler = Assembler::default();
    let head = Head::of(&components, &mut assembler.report);
    assembler.block(BlockKind::Paragraph, InlineText::plain(head.description));
    let events = events(&components, &Zones::of(&components), &mut assembler.report);
    write(&mut assembler, events);
    let title = head.title.unwrap_or_else(|| title_from_path(path));
    Ok(assembler.finish(path, title, head.link, head.metadata))
}

/// The text with its folded lines joined. That comes before decoding: a line may be folded within
/// a character.
fn unfolded(bytes: &[u8]) -> Result<String, Trouble> {
    if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
        let text = decode(bytes)?;
        return decode(&joined(text.as_bytes()));
    }
    // The place of a wrong byte is told in the file as it is.
    decode(&joined(bytes)).or_else(|_| decode(bytes))
}

fn joined(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let [first, tail @ ..] = rest {
        rest = match rest {
            [b'\r', b'\n', b' ' | b'\t', tail @ ..] | [b'\n' | b'\r', b' ' | b'\t', tail @ ..] => {
                tail
            }
            _ => {
                out.push(*first);
                tail
            }
        };
    }
    out
}

/// The properties that a calendar states about itself.
#[derive(Debug, Default)]
struct Head {
    title: Option<String>,
    description: String,
    link: Option<String>,
    metadata: BTreeMap<String, Value>,
}

impl Head {
    fn of(components: &[Component<'_>], report: &mut Report) -> Self {
        let calendars = || components.iter().filter(|component| component.name == "VCALENDAR");
        let mut text = |names: &[&str]| {
            let found =
                names.iter().find_map(|name| calendars().find_map(|calendar| calendar.text(name)));
            found.map(|text| clean_line(&text, report)).filter(|text| !text.is_empty())
        };
        let mut head = Self {
            title: text(&["NAME", "X-WR-CALNAME"]),
            description: text(&["DESCRIPTION", "X-WR-CALDESC"]).unwrap_or_default(),
            ..Self::default()
        };
        // Only the web: a calendar's own address (`webcal:`) would subscribe the reader to it.
        head.link = text(&["URL"])
            .filter(|link| link.starts_with("http://") || link.starts_with("https://"));
        for (name, properties) in [
            ("time zone", ["X-WR-TIMEZONE", "TIMEZONE-ID"]),
            ("modified", ["LAST-MODIFIED", "X-WR-MODIFIED"]),
        ] {
            if let Some(value) = text(&properties) {
                head.metadata.insert(name.to_owned(), Value::String(value));
            }
        }
        head
    }
}

/// Adds the events under their months.
fn write(assembler: &mut Assembler, events: Vec<Event>) {
    let mut open: Option<String> = None;
    for event in events {
        let month = event.date().map_or_else(|| WITHOUT_DATE.to_owned(), |date| date.month());
        if open.as_ref() != Some(&month) {
            assembler.heading(1, InlineText::plain(month.as_str()), None);
            open = Some(month);
        }
        let (text, links) = event.written();
        assembler.block(BlockKind::ListItem, InlineText { text, links });
    }
}
