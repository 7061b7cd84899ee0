//! The days on which a document holds.

use serde::{Deserialize, Serialize};

use super::date::Date;
use super::names::means_everybody;

/// A text's statement on one end: nothing, that it is open, or its day.
pub(crate) type Stated = Option<Option<Date>>;

/// The days on which a document holds, both ends included; an end that is not given is open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Validity {
    /// The first day.
    pub from: Option<Date>,
    /// The last day.
    pub until: Option<Date>,
}

/// The place of a day, seen from a validity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timeliness {
    /// The document holds on this day.
    Valid,
    /// It holds from a later day on.
    NotYet {
        /// Its first day.
        from: Date,
    },
    /// It held until an earlier day.
    Expired {
        /// Its last day.
        until: Date,
    },
}

impl Validity {
    /// Tells if the document holds on a day, or what keeps it from doing so.
    pub fn on(&self, day: Date) -> Timeliness {
        match (self.from, self.until) {
            (_, Some(until)) if until < day => Timeliness::Expired { until },
            (Some(from), _) if day < from => Timeliness::NotYet { from },
            _ => Timeliness::Valid,
        }
    }

    /// Both ends of a period as people write it; the outer `None` is an end of which nothing is
    /// said, the inner one an end that is said to be open.
    ///
    /// Understood are `2024-10-01/2025-03-31` (with `..` or nothing for an open end), the same with
    /// a dash or `to` between, `from 2024-10-01`, `until 2025-03-31` and `*`.
    pub(crate) fn read_ends(text: &str) -> Option<(Stated, Stated)> {
        let text = text.trim();
        if means_everybody(text) {
            return Some((Some(None), Some(None)));
        }
        let prefixed = |words: &[&str]| words.iter().find_map(|word| text.strip_prefix(word));
        if let Some(until) = prefixed(&["until ", "Until ", "up to "]) {
            return Some((None, Some(Some(until.trim().parse().ok()?))));
        }
        if let Some(from) = prefixed(&["from ", "From ", "since ", "Since "])
            && let Ok(from) = from.trim().parse()
        {
            return Some((Some(Some(from)), None));
        }
        let text = prefixed(&["from ", "From "]).unwrap_or(text);
        let (from, until) = ["/", " to ", " until ", " - ", "–", "—"]
            .into_iter()
            .find_map(|between| text.split_once(between))?;
        let (from, until) = (end(from)?, end(until)?);
        (from.is_some() || until.is_some()).then_some((Some(from), Some(until)))
    }
}

fn end(text: &str) -> Option<Option<Date>> {
    let text = text.trim();
    if matches!(text, "" | "..") {
        return Some(None);
    }
    text.parse().ok().map(Some)
}
