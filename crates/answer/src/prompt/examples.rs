//! Worked examples: those whose questions are most like the one asked, as turns of the conversation before it.

use campanile_bundle::{Fetch, WorkedExample};
use campanile_retrieve::{Clock, Engine, RetrieveError};
use campanile_text::Analyzer;

use super::evidence::{PassageValues, first_words};
use super::frame::PromptFrame;
use super::plain::plain;
use super::template::{Template, fill};
use super::{ProseTurn, QUESTION_WORDS};
use crate::sentence::dot;
use crate::words::term_set;

/// A passage of an example is cut after so many words: each is one more to read before the model writes.
const PASSAGE_WORDS: usize = 60;

/// The site's worked examples whose questions are nearest to a question, nearest first, as many as the site shows;
/// none where it has none.
///
/// They are compared by meaning, or by their terms where no encoder is loaded. In a page a question takes some 15 ms,
/// which is why this is asked when prose is, and not with every answer.
///
/// # Errors
/// Where the encoder fails.
pub async fn nearest_examples<'a, F: Fetch, C: Clock>(
    engine: &'a Engine<F, C>,
    question: &str,
) -> Result<Vec<&'a WorkedExample>, RetrieveError> {
    let manifest = engine.manifest();
    let (examples, most) =
        (&manifest.worked_examples, manifest.prose_settings.examples_shown as usize);
    if examples.is_empty() || most == 0 {
        return Ok(Vec::new());
    }
    let questions = examples.iter().map(|example| example.question.as_str());
    let texts: Vec<&str> = std::iter::once(question).chain(questions).collect();
    let likeness = if engine.encoder_ready() {
        by_meaning(&engine.embed(&texts).await?)
    } else {
        by_terms(&texts, engine.analyzer())
    };
    Ok(nearest(examples, &likeness, most))
}

/// The cosine of the first of some vectors with each of the others.
fn by_meaning(vectors: &[Vec<f32>]) -> Vec<f32> {
    let Some((asked, others)) = vectors.split_first() else { return Vec::new() };
    others.iter().map(|vector| dot(asked, vector)).collect()
}

/// The share of terms that the first of some texts has in common with each of the others (Jaccard 1901).
fn by_terms(texts: &[&str], analyzer: &Analyzer) -> Vec<f32> {
    let mut sets = texts.iter().map(|text| term_set(text, analyzer));
    let asked = sets.next().unwrap_or_default();
    sets.map(|other| {
        let all = asked.union(&other).count();
        if all == 0 { 0.0 } else { asked.intersection(&other).count() as f32 / all as f32 }
    })
    .collect()
}

/// The `most` likest, likest first; of equals the earlier.
fn nearest<'a>(
    examples: &'a [WorkedExample],
    likeness: &[f32],
    most: usize,
) -> Vec<&'a WorkedExample> {
    let mut order: Vec<(f32, &WorkedExample)> = likeness.iter().copied().zip(examples).collect();
    campanile_index::sort_short(&mut order, |left, right| right.0.total_cmp(&left.0));
    order.into_iter().take(most).map(|(_, example)| example).collect()
}

/// Examples, nearest first, as turns in which the nearest comes last: next to the question.
pub(super) fn turns(
    examples: &[&WorkedExample],
    template: &Template<'_>,
    frame: &PromptFrame,
    labels: &[&str],
) -> Vec<ProseTurn> {
    let turn = |example: &&WorkedExample| {
        let passage = PassageValues {
            number: 1,
            score: None,
            level: String::new(),
            section: String::new(),
            title: plain(&example.title, labels),
            text: plain(first_words(&example.passage, PASSAGE_WORDS), labels),
        };
        let value = |name: &str| {
            Some(match name {
                "site" => plain(&frame.site, &[]),
                "passages" | "other" => passage.written(template),
                "question" => plain(first_words(&example.question, QUESTION_WORDS), labels),
                "reader" | "academic" | "found" => String::new(),
                _ => return None,
            })
        };
        ProseTurn { user: fill(template.user, &value), reply: plain(&example.answer, &[]) }
    };
    examples.iter().rev().map(turn).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use campanile_text::Language;

    #[test]
    fn the_likest_come_first_and_no_more_than_asked() {
        let examples: Vec<WorkedExample> = ["a", "b", "c"]
            .map(|question| WorkedExample {
                question: question.to_owned(),
                ..WorkedExample::default()
            })
            .into();
        let cases: [(&[f32], usize, &str); 4] = [
            (&[0.1, 0.9, 0.5], 2, "bc"),
            (&[0.5, 0.5, 0.5], 3, "abc"),
            (&[0.1, 0.2, 0.3], 9, "cba"),
            (&[0.1, 0.2, 0.3], 0, ""),
        ];
        for (likeness, most, expected) in cases {
            let found = nearest(&examples, likeness, most);
            let found: String = found.iter().map(|example| example.question.as_str()).collect();
            assert_eq!(found, expected, "{likeness:?}");
        }
    }

    #[test]
    fn terms_are_compared_where_there_is_no_encoder() {
        let analyzer = Analyzer::new(Language::English);
        let found = by_terms(
            &["What does a locker cost?", "locker costs", "Who is the dean?", ""],
            &analyzer,
        );
        assert_eq!(found.len(), 3);
        assert!(found[0] > 0.5 && found[1] == 0.0 && found[2] == 0.0, "{found:?}");
    }
}
