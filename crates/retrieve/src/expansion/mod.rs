//! Adds to a question what else it might have said.
//!
//! Without a server and without a second model: synonyms that the documents introduce themselves, and the words of the
//! best passages. A language model on the visitor's device may add [phrasings](Phrasing) of its own, where the site
//! [wants them](Rewording); what it may not do is to lose a name or a code on the way.

mod phrasing;
mod rewording;

use std::collections::BTreeMap;

use campanile_corpus::Synonyms;
use campanile_index::sort_short;
use campanile_text::{Analyzer, Span, Token};
use serde::{Deserialize, Serialize};

pub use phrasing::Phrasing;
pub use rewording::{Rewording, RewordingPrompt, RewordingTask};

/// The settings by which words of the best passages are added to a question.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Feedback {
    /// So many of the best passages are taken to be relevant.
    pub passages: usize,
    /// So many of their terms are added.
    pub terms: usize,
    /// The weight of the best of them beside a word of the question.
    pub weight: f32,
}

/// The terms that best tell a question's best passages from all others, with a weight of at most
/// [`Feedback::weight`] each: pseudo-relevance feedback by relevance models (Lavrenko and Croft, SIGIR 2001) as
/// RM3 uses them.
///
/// `passages` has the passages' texts with their scores, `asked` the question's terms, which are not
/// added again, and `rarity` gives the inverse document frequency of a term. A term's worth is the sum over
/// the passages of its share of the passage's terms, weighed by the passage's share of the scores,
/// times its rarity. Ties go by the alphabet.
pub(crate) fn feedback_terms(
    passages: &[(&str, f32)],
    asked: &[String],
    settings: &Feedback,
    analyzer: &Analyzer,
    rarity: impl Fn(&str) -> f32,
) -> Vec<(String, f32)> {
    let total: f32 = passages.iter().map(|(_, score)| score.max(0.0)).sum();
    let mut worth: BTreeMap<String, f32> = BTreeMap::new();
    for (text, score) in passages.iter().take(settings.passages) {
        let tokens = analyzer.analyze(text);
        let share = if total > 0.0 { score.max(0.0) / total } else { 0.0 };
        let count = tokens.len().max(1) as f32;
        for token in tokens {
            *worth.entry(token.term).or_default() += share / count;
        }
    }
    let mut found: Vec<(String, f32)> = worth
        .into_iter()
        // A passage's numbers and codes are its own: added, they would find that one passage again.
        .filter(|(term, _)| !asked.contains(term) && !term.chars().any(char::is_numeric))
        .map(|(term, share)| {
            let rare = rarity(&term);
            (term, share * rare)
        })
        .filter(|(_, worth)| *worth > 0.0)
        .collect();
    // Terms come in the order of the alphabet, and equals keep it.
    sort_short(&mut found, |left, right| right.1.total_cmp(&left.1));
    found.truncate(settings.terms);
    let most = found.first().map_or(1.0, |(_, worth)| *worth);
    for (_, worth) in &mut found {
        *worth *= settings.weight / most;
    }
    found
}

/// Words that were added to a question because they mean what it says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct Expansion {
    /// The place in the question, in bytes.
    pub span: Span,
    /// The form that the question has: `LMS`.
    pub found: String,
    /// The form that the documents have as well: `learning management system`.
    pub added: String,
    /// Its index terms.
    pub terms: Vec<String>,
}

/// The site's [`Synonyms`], analysed once for all questions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OtherForms {
    groups: Vec<Vec<Form>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Form {
    phrase: String,
    terms: Vec<String>,
}

impl OtherForms {
    /// Analyses each phrase as the site's texts were.
    pub(crate) fn new(synonyms: &Synonyms, analyzer: &Analyzer) -> Self {
        let form = |phrase: &String| Form {
            phrase: phrase.clone(),
            terms: analyzer.analyze(phrase).into_iter().map(|token| token.term).collect(),
        };
        let groups = synonyms.groups.iter().map(|group| group.iter().map(form).collect()).collect();
        Self { groups }
    }

    /// The other forms of what a question says, in the order in which it says it.
    ///
    /// A phrase is found where its terms stand one after another in the question; an abbreviation of
    /// two or three letters only where it is written so, since `it` is not IT, `map` not MAP and
    /// `us` not US.
    pub(crate) fn of(&self, question: &str, analyzer: &Analyzer) -> Vec<Expansion> {
        let tokens = analyzer.analyze(question);
        let mut found: Vec<Expansion> = Vec::new();
        for group in &self.groups {
            for form in group {
                let Some(span) = place_of(&form.terms, &tokens) else { continue };
                let said = &question[span.range()];
                if !says(said, &form.phrase) {
                    continue;
                }
                for other in group.iter().filter(|other| other.phrase != form.phrase) {
                    let is_new =
                        !other.terms.is_empty() && place_of(&other.terms, &tokens).is_none();
                    if is_new && !found.iter().any(|known| known.added == other.phrase) {
                        found.push(Expansion {
                            span,
                            found: said.to_owned(),
                            added: other.phrase.clone(),
                            terms: other.terms.clone(),
                        });
                    }
                }
            }
        }
        sort_short(&mut found, |left, right| left.span.cmp(&right.span));
        found
    }
}

/// Finds the first place where the terms stand one after another.
fn place_of(terms: &[String], tokens: &[Token]) -> Option<Span> {
    // There are no windows of no terms: `windows(0)` panics.
    if terms.is_empty() {
        return None;
    }
    let stretch = tokens
        .windows(terms.len())
        .find(|stretch| stretch.iter().zip(terms).all(|(token, term)| token.term == *term))?;
    let (first, last) = (stretch.first()?, stretch.last()?);
    Some(first.span.joined(last.span))
}

/// Returns `true` if a question's words are a phrase and do not only share its stems: `mapping` is not MAP.
/// A plural is the same, and two or three letters have to be written as they are.
fn says(said: &str, phrase: &str) -> bool {
    if phrase.contains(char::is_whitespace) {
        return true;
    }
    let said = said.strip_suffix('s').filter(|_| !phrase.ends_with('s')).unwrap_or(said);
    let is_short = phrase.chars().count() <= 3 && phrase.chars().any(char::is_uppercase);
    said == phrase || (!is_short && said.to_lowercase() == phrase.to_lowercase())
}

#[cfg(test)]
mod tests {
    use campanile_corpus::Synonyms;
    use campanile_text::{Analyzer, Language};

    use super::*;

    #[test]
    fn what_the_best_passages_share_is_added() {
        let analyzer = Analyzer::new(Language::English);
        let passages = [
            ("The library opens at eight; borrowing needs a card.", 3.0),
            ("Borrowing from the library: bring your card.", 2.0),
            ("The canteen opens at noon on 12 May.", 1.0),
        ];
        let settings = Feedback { passages: 2, terms: 2, weight: 0.5 };
        let asked = ["librari".to_owned()];
        let found = feedback_terms(&passages, &asked, &settings, &analyzer, |_| 1.0);
        let terms: Vec<&str> = found.iter().map(|(term, _)| term.as_str()).collect();
        assert_eq!(terms, ["borrow", "card"]);
        assert!((found[0].1 - 0.5).abs() < 1e-6 && found[1].1 <= 0.5);
        // What stands in every chunk tells nothing.
        let found = feedback_terms(&passages, &asked, &settings, &analyzer, |term| {
            if term == "borrow" { 0.0 } else { 1.0 }
        });
        assert!(found.iter().all(|(term, _)| term != "borrow"));
        assert!(feedback_terms(&[], &asked, &settings, &analyzer, |_| 1.0).is_empty());
    }

    #[test]
    fn what_a_question_says_is_found_in_other_words() {
        let groups = [
            &["DPO", "Data Protection Officer"][..],
            &["LMS", "learning management system"],
            &["IT", "information technology"],
            &["ECTS", "European Credit Transfer System"],
            &["lab", "practical", "laboratory session"],
        ];
        let groups = groups.map(|group| group.iter().map(ToString::to_string).collect()).to_vec();
        let analyzer = Analyzer::new(Language::English);
        let forms = OtherForms::new(&Synonyms { groups }, &analyzer);
        let cases: &[(&str, &[&str])] = &[
            ("Who is the DPO?", &["Data Protection Officer"]),
            ("who is the dpo", &[]),
            ("Where is the LMS?", &["learning management system"]),
            ("Labour law", &[]),
            ("Who is the data protection officer?", &["DPO"]),
            ("The officer for data protection", &[]),
            ("The DPO, that is the data protection officer", &[]),
            ("Does it work?", &[]),
            ("Where is IT support?", &["information technology"]),
            ("When are the labs?", &["practical", "laboratory session"]),
            ("", &[]),
        ];
        for (question, expected) in cases {
            let found = forms.of(question, &analyzer);
            let added: Vec<&str> = found.iter().map(|expansion| expansion.added.as_str()).collect();
            assert_eq!(added, *expected, "{question}");
        }
    }
}
