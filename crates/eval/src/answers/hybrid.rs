//! Three metrics of a hybrid retrieval system for travel questions: claim-supported faithfulness,
//! context utilisation and answer completeness, as its report defines them.
//!
//! They are here so that results can be compared with that report's. What it leaves open is decided
//! at each function; where a score misleads, the documentation of the metrics says so, and
//! [`faithfulness`](super::faithfulness()) is ours to be used instead of the first.

use std::collections::BTreeSet;

use super::models::{Embed, cosine, nearest_text};

// All numbers are the report's: better ones would make figures that compare with no published ones.
/// A claim is supported by a passage at least so similar.
pub const CLAIM_SIMILARITY: f64 = 0.78;
/// A piece of fewer characters is no claim.
const SHORTEST_CLAIM_CHARACTERS: usize = 8;
/// Words at which an answer is cut besides full stops and semicolons.
const CLAIM_BREAKS: [&str; 3] = ["and", "but", "however"];
/// Phrases of an answer that says nothing.
const NON_ANSWERS: [&str; 5] =
    ["i don't know", "cannot find", "no information", "not found", "unclear"];
/// The score of such an answer.
const NON_ANSWER_SCORE: f64 = 0.1;

/// The claims of an answer that the passages support.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClaimSupport {
    /// The number of supported claims.
    pub supported: usize,
    /// The number of all claims.
    pub claims: usize,
}

impl ClaimSupport {
    /// Supported claims by all claims; 0 where the answer makes none.
    pub fn score(self) -> f64 {
        if self.claims == 0 { 0.0 } else { self.supported as f64 / self.claims as f64 }
    }
}

/// Claim-supported faithfulness (CSFS): the share of the answer's claims whose nearest passage has
/// a cosine of at least [`CLAIM_SIMILARITY`] and holds all of the claim's numbers.
///
/// An answer is cut at every full stop, also that of a decimal number, at semicolons, and at the
/// words `and`, `but` and `however` in any case; pieces of at least eight characters are claims.
/// Decided here, since the report does not say: pieces are trimmed of white space and nothing else;
/// a number is a run of digits (the cut takes decimals apart), and a passage holds it where it has
/// the same run; of equally near passages the first counts; an answer without claims has 0, as
/// short answers have in the report. The report's encoder is all-mpnet-base-v2, and 0.78 was chosen
/// for it.
///
/// # Errors
/// Where a text cannot be embedded.
pub fn claim_supported_faithfulness<E: Embed, S: AsRef<str>>(
    answer: &str,
    passages: &[S],
    embed: &E,
) -> Result<ClaimSupport, E::Error> {
    let claims = claims(answer);
    if claims.is_empty() {
        return Ok(ClaimSupport { supported: 0, claims: 0 });
    }
    let mut texts: Vec<&str> = claims.clone();
    texts.extend(passages.iter().map(AsRef::as_ref));
    let vectors = embed.sentences(&texts)?;
    let (claim_vectors, passage_vectors) = vectors.split_at(claims.len().min(vectors.len()));
    let supported = claims.iter().zip(claim_vectors).filter(|(claim, vector)| {
        let passages = passages.iter().map(AsRef::as_ref).zip(passage_vectors);
        nearest_text(vector, passages).is_some_and(|(similarity, passage)| {
            similarity >= CLAIM_SIMILARITY && digit_runs(claim).is_subset(&digit_runs(passage))
        })
    });
    Ok(ClaimSupport { supported: supported.count(), claims: claims.len() })
}

fn claims(answer: &str) -> Vec<&str> {
    let pieces = answer.split(['.', ';']).flat_map(split_at_breaks).map(str::trim);
    pieces.filter(|piece| piece.chars().count() >= SHORTEST_CLAIM_CHARACTERS).collect()
}

/// Cuts at the words of [`CLAIM_BREAKS`], and leaves them out.
fn split_at_breaks(piece: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (place, word) in words_with_places(piece) {
        if CLAIM_BREAKS.iter().any(|other| word.eq_ignore_ascii_case(other)) {
            parts.extend(piece.get(start..place));
            start = place + word.len();
        }
    }
    parts.extend(piece.get(start..));
    parts
}

/// Runs of letters, digits and underscores, with the byte at which each begins.
fn words_with_places(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut place = 0;
    text.split(|character: char| !character.is_alphanumeric() && character != '_').map_while(
        move |word| {
            let start = place;
            let gap = text.get(start + word.len()..)?.chars().next().map_or(0, char::len_utf8);
            place = start + word.len() + gap;
            Some((start, word))
        },
    )
}

fn words(text: &str) -> BTreeSet<String> {
    let words = words_with_places(text).map(|(_, word)| word.to_lowercase());
    words.filter(|word| !word.is_empty()).collect()
}

fn digit_runs(text: &str) -> BTreeSet<&str> {
    let runs = text.split(|character: char| !character.is_ascii_digit());
    runs.filter(|run| !run.is_empty()).collect()
}

/// Context utilisation (CUS): `0.55·cosine(answer, context) + 0.45·(shared words / answer words) +
/// 0.05`, at most 1.
///
/// Decided here: the context is the passages joined by line breaks and embedded as one text, of
/// which an encoder reads as much as it can; words are runs of letters and digits in lower case,
/// each counted once; an answer that stands in the context letter by letter, case aside, has all
/// its words shared; an answer without words or an empty context has 0. The cosine is not cut at 0,
/// so the score can be as low as −0.5.
///
/// # Errors
/// Where a text cannot be embedded.
pub fn context_utilisation<E: Embed, S: AsRef<str>>(
    answer: &str,
    passages: &[S],
    embed: &E,
) -> Result<f64, E::Error> {
    let context = passages.iter().map(AsRef::as_ref).collect::<Vec<_>>().join("\n");
    let (answer_words, context_words) = (words(answer), words(&context));
    if answer_words.is_empty() || context_words.is_empty() {
        return Ok(0.0);
    }
    let similarity = similarity(answer, &context, embed)?;
    let is_quoted = context.to_lowercase().contains(answer.trim().to_lowercase().as_str());
    let shared = answer_words.intersection(&context_words).count() as f64;
    let overlap = if is_quoted { 1.0 } else { shared / answer_words.len() as f64 };
    Ok((0.55 * similarity + 0.45 * overlap + 0.05).min(1.0))
}

/// Answer completeness (ACS): `(0.65·cosine(question, answer) + 0.35)·bonus`, or 0.1 for an answer
/// that says it does not know.
///
/// The bonus is 1 for an answer of two words or more, or with a digit or a word that begins with a
/// capital letter, and 0.6 otherwise. Non-answers are `I don't know`, `cannot find`, `no
/// information`, `not found` and `unclear`, in any case and anywhere. Decided here: words are what
/// white space separates; a typographic apostrophe counts as a plain one; an answer without letters
/// or digits is a non-answer. The cosine is not cut at 0, so the score can be as low as −0.3.
///
/// # Errors
/// Where a text cannot be embedded.
pub fn answer_completeness<E: Embed>(
    question: &str,
    answer: &str,
    embed: &E,
) -> Result<f64, E::Error> {
    let plain = answer.to_lowercase().replace('’', "'");
    let says_nothing = !answer.contains(char::is_alphanumeric);
    if says_nothing || NON_ANSWERS.iter().any(|pattern| plain.contains(pattern)) {
        return Ok(NON_ANSWER_SCORE);
    }
    let has_number = answer.contains(|character: char| character.is_ascii_digit());
    let mut words = words_with_places(answer);
    let is_factual = has_number || words.any(|(_, word)| word.starts_with(char::is_uppercase));
    let bonus = if is_factual || answer.split_whitespace().count() >= 2 { 1.0 } else { 0.6 };
    Ok((0.65 * similarity(question, answer, embed)? + 0.35) * bonus)
}

fn similarity<E: Embed>(a: &str, b: &str, embed: &E) -> Result<f64, E::Error> {
    let vectors = embed.sentences(&[a, b])?;
    Ok(match vectors.as_slice() {
        [a, b] => cosine(a, b),
        _ => 0.0,
    })
}

#[cfg(test)]
mod tests {
    use super::{claims, digit_runs};

    #[test]
    fn claims_are_cut_as_the_report_says() {
        let cases: [(&str, &[&str]); 6] = [
            ("Peru", &[]),
            ("829.8 m", &[]),
            ("1887 to 1889", &["1887 to 1889"]),
            ("It opens at nine and the desk at ten.", &["It opens at nine", "the desk at ten"]),
            ("The band plays; HOWEVER, nobody comes", &["The band plays", ", nobody comes"]),
            ("Ü and übung und so weiter", &["übung und so weiter"]),
        ];
        for (answer, expected) in cases {
            assert_eq!(claims(answer), expected, "{answer}");
        }
    }

    #[test]
    fn numbers_are_runs_of_digits() {
        assert_eq!(
            digit_runs("CS101, 829.8 m").into_iter().collect::<Vec<_>>(),
            ["101", "8", "829"]
        );
    }
}
