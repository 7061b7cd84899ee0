//! The words that the rules go by. A word that could be two things is in no list.

use campanile_language::{Language, Words, propositions};

use crate::facts::bare;

/// The closed lists of one language.
#[derive(Clone, Copy)]
pub(super) struct Lists {
    /// Verbs that are finite wherever they stand behind a subject.
    pub(super) finite: Words,
    /// Words that begin a subject and point at nothing said before.
    pub(super) subject: Words,
    /// Words that tie a clause to another, or leave it open which: no such sentence is taken apart.
    pub(super) binding: Words,
    /// Words that a main clause does not begin with when its subject comes first.
    pub(super) leading: Words,
    /// Words that point at something said before.
    pub(super) pointing: Words,
    /// Words for "or".
    pub(super) or: Words,
    /// Words for "and".
    pub(super) and: Words,
    /// Words that leave a choice between the items of a list.
    pub(super) choice: Words,
}

impl Lists {
    /// The lists of a language; `None` where there are none.
    pub(super) fn of(language: Language) -> Option<Self> {
        let and = propositions::and(language);
        (!and.as_str().is_empty()).then(|| Self {
            finite: propositions::finite_verbs(language),
            subject: propositions::subject_beginnings(language),
            binding: propositions::binding(language),
            leading: propositions::leading(language),
            pointing: propositions::pointing(language),
            or: propositions::or(language),
            and,
            choice: propositions::choice(language),
        })
    }

    /// Counts the words of a text that stand for a thing that is named elsewhere, if anywhere.
    pub(super) fn stand_ins(&self, text: &str) -> usize {
        let words = text.split_whitespace().map(|word| bare(word).to_lowercase());
        let is_stand_in =
            |word: &str| self.pointing.contains(word) && !propositions::ALOOF.contains(word);
        words.filter(|word| is_stand_in(word)).count()
    }
}
