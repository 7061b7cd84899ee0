//! Follow-up questions, made into questions that stand alone.
//!
//! `And for exchange students?` means nothing to a search. Rules, in English and German, take from the question before
//! what is missing: a phrase takes the place of one of its own kind or is added, a pronoun that points back becomes
//! what it points at, a correction (`I meant the spring term`) takes the place of what it corrects. Where a question
//! plainly depends on the one before and no rule completes it, both are asked, as two sentences: searching that finds
//! the right passage nearly always. No model writes anything. What stands alone is left as it is, and so is whatever
//! the rules are not sure of: a question that is changed wrongly is worse than one that finds little. The page shows
//! what was asked, and lets it be asked as typed.

mod correction;
mod dependent;
mod ellipsis;
mod pronoun;
#[cfg(test)]
mod tests;
mod topic;

use campanile_language::follow_ups;
use campanile_text::sentences;

use crate::words::{Word, words};

/// An earlier question of the same conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// The question as it was searched: one that stands alone.
    pub question: String,
}

/// A question that can be understood without those before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelfContained {
    /// The whole question.
    pub question: String,
    /// The words in it that come from an earlier one.
    pub carried: Vec<String>,
}

/// The question as it stands alone; none where it does already, or there is nothing to complete it with.
///
/// ```
/// use campanile_answer::{Turn, resolve};
///
/// let earlier = [Turn { question: "When does the library close?".into() }];
/// let found = resolve("And in summer?", &earlier).map(|found| found.question);
/// assert_eq!(found.as_deref(), Some("When does the library close in summer?"));
/// assert_eq!(resolve("How do I apply for an extension?", &earlier), None);
/// ```
pub fn resolve(question: &str, earlier: &[Turn]) -> Option<SelfContained> {
    let before = Question::of(standing(&earlier.last()?.question))?;
    let asked = Question::of(question)?;
    let found = by_rule(&asked, &before).or_else(|| dependent::kept(&asked, &before))?;
    (found.question != asked.text).then_some(found)
}

fn by_rule(asked: &Question<'_>, before: &Question<'_>) -> Option<SelfContained> {
    // A correction first: `No, in summer` would else be added to what it corrects.
    if let Some(corrected) = correction::corrected(asked, before) {
        return Some(corrected);
    }
    // Two sentences bring their own context.
    if sentences(asked.text).len() > 1 {
        return None;
    }
    ellipsis::completed(asked, before).or_else(|| {
        // What a pronoun means may stand in any sentence of a question that has several.
        let is_one = sentences(before.text).len() < 2;
        is_one.then(|| pronoun::replaced(asked, before))?
    })
}

/// The part of an earlier question that stands alone: of `Can I resit WEN210? Until when?` what ends in the first
/// question mark, of `Until when – can I resit WEN210?` what stands behind the dash.
fn standing(earlier: &str) -> &str {
    // What this module puts in front of a dash is a question word with what belongs to it; a longer front is the
    // visitor's own, and part of what is asked.
    const LONGEST_FRONT_WORDS: usize = 5;
    let ends = sentences(earlier).into_iter().filter_map(|span| earlier.get(..span.end as usize));
    let question = ends.map(str::trim_end).find(|text| text.ends_with('?')).unwrap_or(earlier);
    match question.split_once(" – ") {
        Some((front, rest)) if words(front).len() <= LONGEST_FRONT_WORDS => rest,
        _ => question,
    }
}

/// A question with its words.
struct Question<'a> {
    text: &'a str,
    words: Vec<Word>,
}

impl<'a> Question<'a> {
    fn of(text: &'a str) -> Option<Self> {
        let text = text.trim();
        let words = words(text);
        (!words.is_empty()).then_some(Self { text, words })
    }

    /// The text of some of its words, as it stands.
    fn slice(&self, words: &[Word]) -> &'a str {
        match words {
            [] => "",
            [first, .., last] => &self.text[first.span.joined(last.span).range()],
            [word] => self.word(word),
        }
    }

    /// One of its words, as it stands.
    fn word(&self, word: &Word) -> &'a str {
        &self.text[word.span.range()]
    }

    /// Returns `true` if it holds one of the commonest German words.
    fn is_german(&self) -> bool {
        self.words.iter().any(|word| word.is_one_of(follow_ups::GERMAN_SIGNS))
    }

    /// The same for the middle of another question: a preposition or article has no capital there.
    fn phrase(&self, words: &[Word]) -> String {
        let text = self.slice(words);
        match words.first() {
            Some(first) if topic::is_small(first) => {
                format!("{}{}", first.lower, &text[first.lower.len()..])
            }
            _ => text.to_owned(),
        }
    }

    /// Returns `true` if a word has a capital in front, as a name has; `I` has none.
    fn is_capital(&self, word: &Word) -> bool {
        self.word(word).starts_with(char::is_uppercase) && word.lower != "i"
    }

    /// Returns `true` if a word is an abbreviation in capitals, as `IT` is: it is no pronoun then.
    fn is_acronym(&self, word: &Word) -> bool {
        let text = self.word(word);
        let is_capitals = |text: &str| !text.contains(char::is_lowercase);
        text.len() > 1 && is_capitals(text) && !is_capitals(self.text)
    }

    /// A completed question that takes over all of this one.
    fn carried_into(&self, question: String) -> SelfContained {
        SelfContained { question, carried: vec![self.bare().to_owned()] }
    }

    /// The question without the mark at its end.
    fn bare(&self) -> &'a str {
        self.text.trim_end_matches(['?', '.', '!', ' '])
    }

    /// The question with other words in the place of some of its own.
    fn with(&self, from: usize, to: usize, instead: &str) -> Option<String> {
        let start = self.words.get(from)?.span.start as usize;
        let end = self.words.get(to.checked_sub(1)?)?.span.end as usize;
        let (before, after) = (self.text.get(..start)?, self.text.get(end..)?);
        Some(format!("{before}{instead}{after}"))
    }
}

/// Puts a capital in front.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        std::iter::once(first.to_ascii_uppercase()).chain(letters).collect()
    })
}
