use campanile_grounding::{Evidence, Facts};
use campanile_text::{Analyzer, Language, fold, is_stop_word, sentences};

use super::claims::claims;
use super::embed::{Embed, cosine};

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
    let core = terms.get(first..=last).unwrap_or_default();
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
        let mut nearest: Option<(f64, &str)> = None;
        for (window, other) in windows.iter().zip(window_vectors) {
            let cosine = cosine(vector, other);
            if nearest.is_none_or(|(highest, _)| cosine > highest) {
                nearest = Some((cosine, window));
            }
        }
        decide(claim, nearest, options)
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
    let runs = (1..=most.max(1)).flat_map(|length| spans.windows(length));
    runs.filter_map(|run| run.first()?.joined(*run.last()?).slice(passage)).collect()
}
