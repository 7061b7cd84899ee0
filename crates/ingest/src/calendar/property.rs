//! One line of a calendar: a name, parameters, a value.

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
