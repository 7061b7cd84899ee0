use std::collections::BTreeMap;

use super::porter::porter_stem;
use super::tokens_13a::tokens_13a;

/// The weight of recall against precision.
const ALPHA: f64 = 0.9;
/// The steepness of the penalty for scattered matches.
const BETA: f64 = 3.0;
/// The most that scattered matches cost.
const GAMMA: f64 = 0.5;

/// METEOR of an answer, 0 to 1 (Lavie and Agarwal 2007), against the gold answer that gives most; 0
/// where there is none.
///
/// Tokens are matched by their letters, the rest by their Porter stems; what is matched and stands
/// together in both texts is a chunk. With precision P and recall R of the matched tokens the score
/// is `P·R / (0.9·P + 0.1·R) · (1 − 0.5·(chunks / matches)³)`, so a single word that is right has
/// 0.5.
///
/// It is nltk's `meteor_score` without its third stage, synonyms of WordNet, which is English,
/// large and not at hand. nltk leaves the cutting into tokens to its caller; here it is that of
/// BLEU ([`sentence_bleu`](super::sentence_bleu)), in lower case.
pub fn meteor<S: AsRef<str>>(answer: &str, golds: &[S]) -> f64 {
    let answer = lower_tokens(answer);
    let scores = golds.iter().map(|gold| against(&answer, &lower_tokens(gold.as_ref())));
    scores.fold(0.0, f64::max)
}

fn lower_tokens(text: &str) -> Vec<String> {
    tokens_13a(text).iter().map(|token| token.to_lowercase()).collect()
}

fn against(answer: &[String], gold: &[String]) -> f64 {
    let matches = align(answer, gold);
    if matches.is_empty() {
        return 0.0;
    }
    let number = matches.len() as f64;
    let (precision, recall) = (number / answer.len() as f64, number / gold.len() as f64);
    let mean = precision * recall / (ALPHA * precision + (1.0 - ALPHA) * recall);
    let penalty = GAMMA * (chunks(&matches) as f64 / number).powf(BETA);
    (1.0 - penalty) * mean
}

/// Pairs of places in answer and gold answer, in the answer's order: first equal tokens, then
/// tokens with equal stems among those left.
fn align(answer: &[String], gold: &[String]) -> Vec<(usize, usize)> {
    let mut matches = Vec::new();
    let mut answer: Vec<(usize, String)> = answer.iter().cloned().enumerate().collect();
    let mut gold: Vec<(usize, String)> = gold.iter().cloned().enumerate().collect();
    take_equal(&mut answer, &mut gold, &mut matches);
    for (_, token) in answer.iter_mut().chain(&mut gold) {
        *token = porter_stem(token);
    }
    take_equal(&mut answer, &mut gold, &mut matches);
    matches.sort_unstable();
    matches
}

/// Moves equal tokens to `matches`, from the end on: the last of the answer with the last of the
/// gold answer.
fn take_equal(
    answer: &mut Vec<(usize, String)>,
    gold: &mut Vec<(usize, String)>,
    matches: &mut Vec<(usize, usize)>,
) {
    let mut places: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (place, token) in gold.iter() {
        places.entry(token).or_default().push(*place);
    }
    let before = matches.len();
    for (place, token) in answer.iter().rev() {
        if let Some(other) = places.get_mut(token.as_str()).and_then(Vec::pop) {
            matches.push((*place, other));
        }
    }
    let new = matches.get(before..).unwrap_or_default();
    answer.retain(|(place, _)| new.iter().all(|(taken, _)| taken != place));
    gold.retain(|(place, _)| new.iter().all(|(_, taken)| taken != place));
}

/// Runs of matches that are neighbours in both texts.
fn chunks(matches: &[(usize, usize)]) -> usize {
    let breaks = matches
        .windows(2)
        .filter(|pair| !matches!(pair, [(a, b), (c, d)] if *c == a + 1 && *d == b + 1));
    breaks.count() + usize::from(!matches.is_empty())
}

#[cfg(test)]
mod tests {
    use super::meteor;

    #[test]
    fn a_worked_example() {
        // Three of three tokens, three of four in two chunks.
        let found = meteor("the desks open", &["the desk never opens"]);
        let (precision, recall) = (1.0, 0.75);
        let mean = precision * recall / (0.9 * precision + 0.1 * recall);
        let expected = mean * (1.0 - 0.5 * (2.0_f64 / 3.0).powi(3));
        assert!((found - expected).abs() < 1e-12, "{found}");
    }
}
