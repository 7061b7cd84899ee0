//! An event as a sentence that can be read alone.

use std::ops::Range;

use super::event::Event;
use super::moment::range;

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
