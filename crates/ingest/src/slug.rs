//! The anchors that GitHub gives to headings.

use std::collections::BTreeMap;

/// Hands out one anchor for each heading of a document.
#[derive(Debug, Default)]
pub(crate) struct Slugs {
    /// Each anchor in use, and how many headings have asked for it.
    used: BTreeMap<String, usize>,
}

impl Slugs {
    /// The heading in lower case, letters, digits, `-` and `_` kept, each space a `-`; a second
    /// heading of the same name ends in `-1`.
    pub(crate) fn slug(&mut self, heading: &str) -> String {
        let plain: String = heading
            .chars()
            .flat_map(char::to_lowercase)
            .filter_map(|character| match character {
                ' ' | '\t' | '\n' => Some('-'),
                '-' | '_' => Some(character),
                other => is_word(other).then_some(other),
            })
            .collect();
        // Counting on from the last try keeps a page of a million equal headings quick.
        let mut count = self.used.get(&plain).copied().unwrap_or(0);
        let mut slug = plain.clone();
        while self.used.contains_key(&slug) {
            count += 1;
            slug = format!("{plain}-{count}");
        }
        self.used.insert(plain, count);
        self.used.entry(slug.clone()).or_insert(0);
        slug
    }
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || unicode_normalization::char::is_combining_mark(character)
}

#[cfg(test)]
mod tests {
    use super::Slugs;

    #[test]
    fn headings_become_githubs_anchors() {
        let cases = [
            ("Getting started", "getting-started"),
            ("What's new?", "whats-new"),
            ("A & B", "a--b"),
            ("snake_case & C++", "snake_case--c"),
            ("Prüfungen 2024", "prüfungen-2024"),
            ("Getting started", "getting-started-1"),
            ("Getting started", "getting-started-2"),
            ("Getting started 1", "getting-started-1-1"),
            ("???", ""),
        ];
        let mut slugs = Slugs::default();
        for (heading, expected) in cases {
            assert_eq!(slugs.slug(heading), expected);
        }
    }
}
