//! When an event happens again, and when it does not.

use super::component::Component;
use super::dates::Date;
use super::moment::Moment;
use super::rule::{Rule, listed};

/// More dates than this are counted rather than named.
const MOST_DATES: usize = 40;

/// A change to one occurrence of a series.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) replaced: Moment,
    /// When it happens instead; never for one that was cancelled.
    pub(super) to: Option<Moment>,
}

/// All of it in words, or `None` for an event that happens once.
pub(super) fn recurrence(
    component: &Component<'_>,
    start: &Moment,
    changes: &[Change],
) -> Option<String> {
    let mut words = String::new();
    for property in component.all("RRULE") {
        let rule = Rule::of(property.value);
        if !words.is_empty() {
            words.push_str(", and ");
        }
        words.push_str(&rule.words(start.date));
        words.push_str(&rule.end(start.date));
    }
    let extra: Vec<Date> =
        component.all("RDATE").flat_map(Moment::all).map(|moment| moment.date).collect();
    if !extra.is_empty() {
        let also = if words.is_empty() { "also on " } else { ", also on " };
        words.extend([also, &dates(extra)]);
    }
    if words.is_empty() {
        return None;
    }
    let not_at: Vec<Date> = component
        .all("EXDATE")
        .flat_map(Moment::all)
        .map(|moment| moment.date)
        .chain(
            changes.iter().filter(|change| change.to.is_none()).map(|change| change.replaced.date),
        )
        .collect();
    if !not_at.is_empty() {
        words.extend([", except ", &dates(not_at)]);
    }
    let moved: Vec<String> = changes
        .iter()
        .filter_map(|change| {
            let to = change.to.as_ref()?;
            let is_elsewhen =
                (to.date, to.minutes) != (change.replaced.date, change.replaced.minutes);
            is_elsewhen.then(|| format!("{} moved to {}", change.replaced.date.short(), to.whole()))
        })
        .take(MOST_DATES)
        .collect();
    if !moved.is_empty() {
        words.extend(["; ", &moved.join(", ")]);
    }
    Some(words)
}

/// Days in their order, each once.
fn dates(mut dates: Vec<Date>) -> String {
    dates.sort_unstable();
    dates.dedup();
    let more = dates.len().saturating_sub(MOST_DATES);
    let mut words: Vec<String> = dates.into_iter().take(MOST_DATES).map(Date::short).collect();
    if more > 0 {
        words.push(format!("{more} more"));
    }
    listed(&words)
}
