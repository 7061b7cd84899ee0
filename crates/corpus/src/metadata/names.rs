//! Lists of names, and how two spellings of a name are compared.

use campanile_text::fold;
use serde::{Deserialize, Serialize};

/// The names that a document is for; an empty list is for everybody.
///
/// A field that is missing and one that says `"*"` both end as the empty list: a document is kept
/// from a reader only by what it says, never by what it leaves open.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Names {
    listed: Vec<String>,
}

impl Names {
    /// For everybody.
    pub const EVERYBODY: Self = Self { listed: Vec::new() };

    /// The names, each once, without white space around them and in their order. Everybody, where
    /// one of them is `*` (or `all`, `any`), or where none has a letter.
    pub fn new(names: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        let mut listed: Vec<String> = Vec::new();
        for name in names {
            let name = name.as_ref().split_whitespace().collect::<Vec<_>>().join(" ");
            if means_everybody(&name) {
                return Self::EVERYBODY;
            }
            if !name.is_empty() && !listed.iter().any(|known| same_name(known, &name)) {
                listed.push(name);
            }
        }
        Self { listed }
    }

    /// Returns `true` if nobody is left out.
    pub fn is_everybody(&self) -> bool {
        self.listed.is_empty()
    }

    /// The names; none for everybody.
    pub fn listed(&self) -> &[String] {
        &self.listed
    }

    /// Returns `true` if the name is in the list, whatever its case and diacritics.
    pub fn lists(&self, name: &str) -> bool {
        self.listed.iter().any(|known| same_name(known, name))
    }

    /// Returns `true` if the course code is in the list, whatever stands between letters and digits.
    pub fn lists_course(&self, code: &str) -> bool {
        self.listed.iter().any(|known| same_course(known, code))
    }
}

/// Returns `true` if a word of a list stands for everybody.
pub(crate) fn means_everybody(word: &str) -> bool {
    matches!(fold(word.trim()).as_str(), "*" | "all" | "any")
}

/// Returns `true` if two spellings name the same thing: case, diacritics and white space do not count.
///
/// ```
/// use campanile_corpus::metadata::same_name;
///
/// assert!(same_name("École  Normale", " ecole normale"));
/// ```
pub fn same_name(left: &str, right: &str) -> bool {
    name_key(left) == name_key(right)
}

/// Returns `true` if two spellings are the same course: `CS 101`, `CS-101` and `cs101`.
pub fn same_course(left: &str, right: &str) -> bool {
    course_key(left) == course_key(right)
}

/// Returns the form that all spellings of a name share.
pub(crate) fn name_key(name: &str) -> String {
    fold(name).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the form that all spellings of a course code share.
pub(crate) fn course_key(code: &str) -> String {
    fold(code).chars().filter(|character| character.is_alphanumeric()).collect()
}
