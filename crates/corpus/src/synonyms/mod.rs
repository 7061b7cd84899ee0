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

/// So many long forms of one abbreviation are kept, the most frequent first.
const LONG_FORMS: usize = 3;

impl Synonyms {
    /// The abbreviations that texts introduce, with what a department added itself in front.
    ///
    /// Long forms that differ only in their letters' case are one, written as most often.
    ///
    /// ```
    /// use campanile_corpus::Synonyms;
    ///
    /// let texts = ["The Data Protection Officer (DPO) answers.", "Ask the DPO."];
    /// let synonyms = Synonyms::of(texts, vec![vec!["lab".into(), "practical".into()]]);
    /// assert_eq!(synonyms.groups, [["lab", "practical"], ["DPO", "Data Protection Officer"]]);
    /// ```
    pub fn of<'a>(texts: impl IntoIterator<Item = &'a str>, own: Vec<Vec<String>>) -> Self {
        // By short form, by long form in lower case: how often, and how it was first written.
        let mut found: BTreeMap<&str, BTreeMap<String, (usize, &str)>> = BTreeMap::new();
        for text in texts {
            for Introduced { short, long } in introduced(text).into_iter().chain(glossary(text)) {
                let forms = found.entry(short).or_default();
                forms.entry(long.to_lowercase()).or_insert((0, long)).0 += 1;
            }
        }
        let mut groups = own;
        groups.retain(|group| group.len() > 1);
        for (short, forms) in found {
            let mut forms: Vec<(usize, &str)> = forms.into_values().collect();
            forms.sort_by(|left, right| right.0.cmp(&left.0).then(left.1.cmp(right.1)));
            let long = forms.iter().take(LONG_FORMS).map(|(_, long)| (*long).to_owned());
            groups.push(std::iter::once(short.to_owned()).chain(long).collect());
        }
        Self { groups }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }
}

/// Whether a text can be a short form: two to ten characters, one word, begun by a letter or a digit, a
/// capital among them.
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
    fn the_most_frequent_long_form_comes_first() {
        let texts = [
            "Student Conduct Office (SCO)",
            "the School Council Office (SCO); the school council office (SCO)",
        ];
        let synonyms = Synonyms::of(texts, vec![vec!["alone".to_owned()]]);
        assert_eq!(synonyms.groups, [["SCO", "School Council Office", "Student Conduct Office"]]);
        assert!(Synonyms::of(["Nothing (at all) here."], Vec::new()).is_empty());
    }
}
