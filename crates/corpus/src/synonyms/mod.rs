//! Words that a corpus uses for one thing: what a question says in the one form is found in the other.
//!
//! A text that introduces an abbreviation says what it stands for, in brackets ([`introduced`]) or
//! in a line of a glossary ([`glossary`]). Nothing is taken from outside the documents, but for
//! what their department adds itself.

mod glossary;
mod introduced;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use glossary::glossary;
pub use introduced::introduced;

/// A short form and what it stands for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Introduced<'a> {
    /// As it is written: `ECTS`.
    pub short: &'a str,
    /// `European Credit Transfer System`.
    pub long: &'a str,
}

/// Groups of words and phrases that mean the same.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Synonyms {
    /// Each of two or more phrases; of an abbreviation, the short form first.
    pub groups: Vec<Vec<String>>,
}

/// A long form stands for an abbreviation where it does so in at least this share of the places that
/// introduce it: one that means this here and that there says nothing.
const CLEAR_SHARE: f64 = 0.66;

impl Synonyms {
    /// The abbreviations that texts introduce, with what a department added itself in front.
    ///
    /// Long forms that differ only in case, hyphens or a plural are one, written as most often. An
    /// abbreviation that is introduced for different things is left out, unless one of them has two
    /// thirds of the places.
    ///
    /// ```
    /// use campanile_corpus::Synonyms;
    ///
    /// let texts = ["The Data Protection Officer (DPO) answers.", "Ask the DPO."];
    /// let synonyms = Synonyms::of(texts, vec![vec!["lab".into(), "practical".into()]]);
    /// assert_eq!(synonyms.groups, [["lab", "practical"], ["DPO", "Data Protection Officer"]]);
    /// ```
    pub fn of<'a>(texts: impl IntoIterator<Item = &'a str>, own: Vec<Vec<String>>) -> Self {
        let mut found: BTreeMap<&str, BTreeMap<String, Spellings<'a>>> = BTreeMap::new();
        for text in texts {
            for Introduced { short, long } in introduced(text).into_iter().chain(glossary(text)) {
                let forms = found.entry(short).or_default();
                *forms.entry(plain(long)).or_default().entry(long).or_default() += 1;
            }
        }
        let mut groups = own;
        groups.retain(|group| group.len() > 1);
        for (short, forms) in found {
            let count = |spellings: &Spellings<'_>| spellings.values().sum::<usize>();
            let all: usize = forms.values().map(count).sum();
            let Some(spellings) = forms.values().max_by_key(|spellings| count(spellings)) else {
                continue;
            };
            if (count(spellings) as f64) < CLEAR_SHARE * all as f64 {
                continue;
            }
            // The first in the alphabet of those that are as frequent.
            let most = spellings.values().copied().max().unwrap_or_default();
            let long = spellings.iter().find(|(_, count)| **count == most);
            groups.extend(long.map(|(long, _)| vec![short.to_owned(), (*long).to_owned()]));
        }
        Self { groups }
    }

    /// Returns `true` if there are none.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }
}

/// The spellings of a long form, and how often each is written.
type Spellings<'a> = BTreeMap<&'a str, usize>;

/// A long form without what may differ: its letters in lower case, no plural at the end.
fn plain(long: &str) -> String {
    let letters: String = long
        .chars()
        .filter(|letter| letter.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    letters.strip_suffix('s').map(str::to_owned).unwrap_or(letters)
}

/// Returns `true` if a text can be a short form: two to ten characters, one word, begun by a letter or a
/// digit, at least two capitals among them.
fn is_short_form(text: &str) -> bool {
    (2..=10).contains(&text.chars().count())
        && text.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '-' | '&' | '.'))
        && text.starts_with(char::is_alphanumeric)
        && text.chars().filter(|letter| letter.is_uppercase()).count() >= 2
}

#[cfg(test)]
mod tests {
    use super::Synonyms;

    #[test]
    fn an_abbreviation_of_different_things_is_left_out() {
        let of = |texts: &[&str]| Synonyms::of(texts.iter().copied(), Vec::new()).groups;
        let school = "the School Council Office (SCO)";
        let conduct = "the Student Conduct Office (SCO)";
        assert_eq!(of(&[school, conduct]), Vec::<Vec<String>>::new());
        let small = "a school council office (SCO), the School-Council Offices (SCO)";
        assert_eq!(of(&[school, school, small, conduct]), [["SCO", "School Council Office"]]);
        let alone = Synonyms::of(["Nothing (at all) here."], vec![vec!["alone".to_owned()]]);
        assert!(alone.is_empty());
    }
}
