//! The lines of a calendar: properties, and the components that they stand in.

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
                    let is_flat = |at: &usize| FLAT.contains(&found[*at].name.as_str());
                    // Events lie right below the calendar. A file of a million beginnings would be searched a million
                    // times to its first.
                    if let Some(place) = open.iter().take(8).position(is_flat) {
                        open.truncate(place);
                    }
                }
                open.push(found.len());
                found.push(Component { name: named, properties: Vec::new() });
            }
            "END" => {
                let is_named = |at: &usize| found[*at].name == named;
                // Deeper than a calendar ever is, an end can only be of something just begun.
                let near = open.len().saturating_sub(8);
                if let Some(place) = open[near..].iter().rposition(is_named) {
                    open.truncate(near + place);
                }
            }
            _ => {
                if let Some(at) = open.last() {
                    found[*at].properties.push(property);
                }
            }
        }
    }
    found
}

/// A property, with its value as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Property<'a> {
    /// In capitals.
    pub(super) name: String,
    parameters: Vec<(String, &'a str)>,
    pub(super) value: &'a str,
}

impl<'a> Property<'a> {
    /// `DTSTART;TZID="Europe/Berlin":20261012T090000`
    pub(super) fn of(line: &'a str) -> Option<Self> {
        let mut parts = Vec::new();
        let mut start = 0;
        let mut is_quoted = false;
        let mut value = None;
        for (at, byte) in line.bytes().enumerate() {
            match byte {
                b'"' => is_quoted = !is_quoted,
                b';' | b':' if !is_quoted => {
                    parts.push(line.get(start..at)?);
                    start = at + 1;
                    if byte == b':' {
                        value = line.get(start..);
                        break;
                    }
                }
                _ => {}
            }
        }
        let value = value.or_else(|| {
            // A quotation mark that nothing closes: the first colon it is, then.
            parts.clear();
            let (head, value) = line.split_once(':')?;
            parts.extend(head.split(';'));
            Some(value)
        })?;
        let mut parts = parts.into_iter();
        let name = parts.next()?.trim();
        // `group.NAME`, as address books write it.
        let name = name.rsplit('.').next().unwrap_or(name);
        let is_name = !name.is_empty()
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        let parameters = parts.filter_map(|part| {
            let (name, value) = part.split_once('=')?;
            Some((name.trim().to_ascii_uppercase(), value.trim().trim_matches('"')))
        });
        is_name.then(|| Self {
            name: name.to_ascii_uppercase(),
            parameters: parameters.collect(),
            value: value.trim(),
        })
    }

    pub(super) fn parameter(&self, name: &str) -> Option<&'a str> {
        self.parameters.iter().find(|(own, _)| own == name).map(|(_, value)| *value)
    }

    /// The value as text, on one line or several.
    pub(super) fn text(&self) -> String {
        let mut out = String::with_capacity(self.value.len());
        let mut characters = self.value.chars();
        while let Some(character) = characters.next() {
            if character != '\\' {
                out.push(character);
                continue;
            }
            match characters.next() {
                Some('n' | 'N') => out.push('\n'),
                Some(other) => out.push(other),
                None => {}
            }
        }
        out
    }
}
