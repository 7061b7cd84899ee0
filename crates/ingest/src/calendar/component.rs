//! Calendars, events and tasks, each with its properties.

use super::property::Property;

/// A component without the components inside it, which stand behind it in the list.
#[derive(Debug, Default)]
pub(super) struct Component<'a> {
    pub(super) name: String,
    pub(super) properties: Vec<Property<'a>>,
}

impl Component<'_> {
    pub(super) fn all<'c>(&'c self, name: &'c str) -> impl Iterator<Item = &'c Property<'c>> {
        self.properties.iter().filter(move |property| property.name == name)
    }

    pub(super) fn first(&self, name: &str) -> Option<&Property<'_>> {
        self.properties.iter().find(|property| property.name == name)
    }

    /// The text of a property that has one.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        let text = self.first(name)?.text();
        Some(text).filter(|text| !text.trim().is_empty())
    }
}

/// Components that hold no other of their kind: where one begins, the one before has ended.
const FLAT: &[&str] = &["VEVENT", "VTODO", "VJOURNAL", "VTIMEZONE", "VFREEBUSY"];

/// The components of a file in the order of their beginnings. Lines that are no property are passed
/// over, an end that is missing is supplied.
pub(super) fn components(source: &str) -> Vec<Component<'_>> {
    let mut found: Vec<Component<'_>> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for property in source.lines().filter_map(Property::of) {
        let named = property.value.to_ascii_uppercase();
        match property.name.as_str() {
            "BEGIN" => {
                if FLAT.contains(&named.as_str()) {
                    // What encloses it can only be the calendar.
                    let is_flat = |at: &usize| {
                        found
                            .get(*at)
                            .is_some_and(|component| FLAT.contains(&component.name.as_str()))
                    };
                    if let Some(place) = open.iter().take(8).position(is_flat) {
                        open.truncate(place);
                    }
                }
                open.push(found.len());
                found.push(Component { name: named, properties: Vec::new() });
            }
            "END" => {
                let is_named =
                    |at: &usize| found.get(*at).is_some_and(|component| component.name == named);
                // Deeper than a calendar ever is, an end can only be of something just begun.
                let near = open.len().saturating_sub(8);
                let near_ones = open.get(near..).unwrap_or_default();
                if let Some(place) = near_ones.iter().rposition(is_named) {
                    open.truncate(near + place);
                }
            }
            _ => {
                if let Some(component) = open.last().and_then(|at| found.get_mut(*at)) {
                    component.properties.push(property);
                }
            }
        }
    }
    found
}
