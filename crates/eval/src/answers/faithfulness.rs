//! Support by the passages: an answer's claims, and the passages that it cites.

use std::collections::BTreeSet;

use campanile_grounding::{Evidence, Facts};
use campanile_text::{Analyzer, Language, fold, is_stop_word, sentences};

use super::models::{Embed, nearest_text};

/// Options of [`faithfulness`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FaithfulnessOptions {
    /// A claim in other words than the context is supported by a window at least so similar.
    ///
    /// The default, 0.6, is where all-MiniLM-L6-v2 best tells claims that follow from a text from
    /// those that do not on the development set of RTE, and it tells them badly: two thirds of
    /// the ones pass, and more than a third of the others. The example `support_on_entailment`
    /// measures it on other pairs.
    pub similarity: f64,
    /// The most sentences of a window.
    pub window_sentences: usize,
    /// The language of answer and context: how numbers are grouped, what is a name.
    pub language: Language,
}

impl Default for FaithfulnessOptions {
    fn default() -> Self {
        Self { similarity: 0.6, window_sentences: 3, language: Language::English }
    }
}

/// Why a claim counts as supported, or not.
#[derive(Debug, Clone, PartialEq)]
pub enum Support {
    /// Its words stand in a passage, one after the other.
    Verbatim,
    /// A window of sentences says something so similar and has all of its facts.
    Similar {
        /// The window's cosine.
        cosine: f64,
    },
    /// Not supported: the nearest window lacks numbers, dates, names or codes of the claim.
    FactsMissing {
        /// Those that it lacks, as the claim writes them.
        facts: Vec<String>,
    },
    /// Not supported: no window is similar enough.
    Unlike {
        /// The nearest window's cosine; 0 where there is no context.
        cosine: f64,
    },
}

impl Support {
    /// Returns `true` if the claim is supported.
    pub fn is_supported(&self) -> bool {
        matches!(self, Self::Verbatim | Self::Similar { .. })
    }
}

/// A claim of an answer with its support.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    /// The claim, without marks such as `[2]`.
    pub text: String,
    /// The support that the context gives it.
    pub support: Support,
}

/// The support that the context gives an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Faithfulness {
    /// The answer's claims, in its order.
    pub claims: Vec<Claim>,
}

impl Faithfulness {
    /// The share of supported claims; `None` for an answer that claims nothing.
    pub fn score(&self) -> Option<f64> {
        let supported = self.claims.iter().filter(|claim| claim.support.is_supported()).count();
        let total = self.claims.len();
        (total > 0).then(|| supported as f64 / total as f64)
    }
}

/// Measures how much of an answer the context supports, claim by claim.
///
/// Whole-text similarity (as in [`claim_supported_faithfulness`]) calls short right answers
/// unfaithful, because a few words are never like a long passage, and long wrong ones faithful,
/// because their number stands somewhere in it. So:
///
/// 1. A claim is a sentence, or a part of one between semicolons.
/// 2. A claim whose words stand in a passage one after the other is supported. Case, accents and
///    stop words at its ends are passed over; a claim of stop words alone is not looked for.
/// 3. Else the context's windows, runs of one to three neighbouring sentences of a passage, are
///    compared with it, and the nearest counts, the first of equals. It must state every number,
///    date and code of the claim and in English every name, and its cosine must reach the
///    threshold.
///
/// It does not understand what it reads: `refunds are not possible` is similar to `refunds are
/// possible`, and a quotation is supported whatever stands around it.
///
/// # Errors
/// Where a text cannot be embedded.
///
/// [`claim_supported_faithfulness`]: super::claim_supported_faithfulness
pub fn faithfulness<E: Embed, S: AsRef<str>>(
    answer: &str,
    context: &[S],
    embed: &E,
    options: &FaithfulnessOptions,
) -> Result<Faithfulness, E::Error> {
    let passages: Vec<Vec<String>> =
        context.iter().map(|passage| terms(passage.as_ref())).collect();
    let claims: Vec<(String, bool)> = claims(answer)
        .into_iter()
        .map(|claim| {
            let is_quoted = is_verbatim(&claim, &passages, options.language);
            (claim, is_quoted)
        })
        .collect();
    let open = claims.iter().filter(|(_, is_quoted)| !is_quoted);
    let open: Vec<&str> = open.map(|(claim, _)| claim.as_str()).collect();
    let mut compared = compare(&open, context, embed, options)?.into_iter();
    let judged = claims.into_iter().map(|(text, is_quoted)| {
        let support = if is_quoted { Some(Support::Verbatim) } else { compared.next() };
        Claim { text, support: support.unwrap_or(Support::Unlike { cosine: 0.0 }) }
    });
    Ok(Faithfulness { claims: judged.collect() })
}

/// The words of a text in the spelling in which they are compared; no stop word is left out.
fn terms(text: &str) -> Vec<String> {
    Analyzer::new(Language::None).analyze(text).into_iter().map(|token| token.term).collect()
}

fn is_verbatim(claim: &str, passages: &[Vec<String>], language: Language) -> bool {
    let terms = terms(claim);
    let says_something = |term: &String| !is_stop_word(language, &fold(term));
    let Some(first) = terms.iter().position(says_something) else { return false };
    let last = terms.iter().rposition(says_something).unwrap_or(first);
    let core = &terms[first..=last];
    passages.iter().any(|passage| passage.windows(core.len()).any(|window| window == core))
}

/// Compares each claim with the windows of the context.
fn compare<E: Embed, S: AsRef<str>>(
    claims: &[&str],
    context: &[S],
    embed: &E,
    options: &FaithfulnessOptions,
) -> Result<Vec<Support>, E::Error> {
    if claims.is_empty() {
        return Ok(Vec::new());
    }
    let windows: Vec<&str> = context
        .iter()
        .flat_map(|passage| windows(passage.as_ref(), options.window_sentences))
        .collect();
    let texts: Vec<&str> = claims.iter().chain(&windows).copied().collect();
    let vectors = embed.sentences(&texts)?;
    let (claim_vectors, window_vectors) = vectors.split_at(claims.len().min(vectors.len()));
    let support = |(claim, vector): (&&str, &Vec<f32>)| {
        decide(claim, nearest_text(vector, windows.iter().copied().zip(window_vectors)), options)
    };
    Ok(claims.iter().zip(claim_vectors).map(support).collect())
}

fn decide(claim: &str, nearest: Option<(f64, &str)>, options: &FaithfulnessOptions) -> Support {
    let Some((cosine, window)) = nearest else { return Support::Unlike { cosine: 0.0 } };
    let evidence = Evidence::of_text(window, options.language);
    let facts = Facts::of_claim(claim, options.language).missing_in(&evidence);
    if !facts.is_empty() {
        Support::FactsMissing { facts }
    } else if cosine < options.similarity {
        Support::Unlike { cosine }
    } else {
        Support::Similar { cosine }
    }
}

/// Runs of one to `most` neighbouring sentences: by their length, then by their place.
fn windows(passage: &str, most: usize) -> Vec<&str> {
    let spans = sentences(passage);
    // Shortest first: of equally near windows the first counts, and the shortest lends a claim the fewest facts.
    let runs = (1..=most.max(1)).flat_map(|length| spans.windows(length));
    runs.filter_map(|run| run.first()?.joined(*run.last()?).slice(passage)).collect()
}

/// The claims of an answer: its sentences, cut at semicolons, without marks such as `[2]`.
///
/// They are not cut at `and` and the like, since half of `bread and butter` claims something else.
pub(super) fn claims(answer: &str) -> Vec<String> {
    let answer = without_reference_marks(answer);
    let sentences = sentences(&answer).into_iter().filter_map(|span| span.slice(&answer));
    sentences
        .flat_map(|sentence| sentence.split(';'))
        .map(str::trim)
        .filter(|claim| claim.contains(char::is_alphanumeric))
        .map(str::to_owned)
        .collect()
}

/// Takes out `[2]` and `[1, 3]`, which point to passages and are no numbers of the answer.
fn without_reference_marks(answer: &str) -> String {
    let mut kept = String::with_capacity(answer.len());
    let mut rest = answer;
    while let Some(open) = rest.find('[') {
        let (before, from) = rest.split_at(open);
        kept.push_str(before);
        let close = from.find(']').map(|place| place + 1);
        let (mark, after) = from.split_at(close.unwrap_or(1));
        let inside = mark.trim_matches(['[', ']']);
        let is_number = |part: &str| {
            let part = part.trim();
            !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit())
        };
        if close.is_none() || !inside.split(',').all(is_number) {
            kept.push('[');
            rest = &from[1..];
        } else {
            rest = after;
        }
    }
    kept.push_str(rest);
    kept
}

/// Precision and recall of an answer's citations: do they point to passages that answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CitationScore {
    /// Cited passages that answer, by all cited ones; `None` where none is cited.
    pub precision: Option<f64>,
    /// Cited passages that answer, by all shown that answer; `None` where none of them does.
    pub recall: Option<f64>,
}

/// Compares the passages that an answer cites with the grades of those that were shown.
///
/// `cited` are places among the shown passages, from 0; one that is named twice counts once, one
/// beyond the end is cited and does not answer. A passage answers where its grade is above 0.
pub fn citations(cited: &[usize], grades: &[u32]) -> CitationScore {
    let cited: BTreeSet<usize> = cited.iter().copied().collect();
    let answers = |place: &&usize| grades.get(**place).is_some_and(|grade| *grade > 0);
    let right = cited.iter().filter(answers).count();
    let answering = grades.iter().filter(|grade| **grade > 0).count();
    let share = |of: usize| (of > 0).then(|| right as f64 / of as f64);
    CitationScore { precision: share(cited.len()), recall: share(answering) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_of_claims() {
        let cases_of_claims: [(&str, &[&str]); 6] = [
            ("", &[]),
            ("Peru", &["Peru"]),
            ("It is 829.8 m high and old.", &["It is 829.8 m high and old."]),
            ("One [1]. Two [2, 3].", &["One .", "Two ."]),
            ("Ask Dr. Li; bring [your] card", &["Ask Dr. Li", "bring [your] card"]),
            ("… [1] ;", &[]),
        ];
        for (answer, expected) in cases_of_claims {
            assert_eq!(claims(answer), expected, "{answer}");
        }
    }

    #[test]
    fn cases_of_citations() {
        let check = |cited: &[usize], grades: &[u32], precision, recall| {
            assert_eq!(citations(cited, grades), CitationScore { precision, recall }, "{cited:?}");
        };
        check(&[0, 2], &[1, 0, 2, 1], Some(1.0), Some(2.0 / 3.0));
        check(&[1, 1, 0], &[1, 0], Some(0.5), Some(1.0));
        check(&[9], &[1], Some(0.0), Some(0.0));
        check(&[], &[1], None, Some(0.0));
        check(&[0], &[0], Some(0.0), None);
    }
}
