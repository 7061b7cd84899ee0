use campanile_answer::READ_PASSAGES;
use campanile_text::Language;

use crate::answers::{
    Embed, FaithfulnessOptions, TokenWeights, answer_completeness, bert_score_of,
    claim_supported_faithfulness, context_utilisation, faithfulness, sentence_similarity,
};
use crate::record::Record;

/// Computes the scores of an answer that need an encoder, under the names `similarity`, `bert_score`,
/// `faithfulness`, and for comparison with a published system `claim_supported_faithfulness`,
/// `context_utilisation` and `answer_completeness`.
///
/// The context is what the answer was looked for in: the first shown passages. A refusal has none of
/// these scores, since it claims nothing; the first two need gold answers.
///
/// # Errors
/// Where a text cannot be embedded.
pub fn score_by_vectors<E: Embed>(
    record: &mut Record,
    embed: &E,
    language: Language,
) -> Result<(), E::Error> {
    let Some(answer) = record.answer.as_ref().filter(|answer| !answer.refused) else {
        return Ok(());
    };
    let shown = record.stages.last().map(|stage| stage.passages.as_slice()).unwrap_or_default();
    let context: Vec<&str> =
        shown.iter().take(READ_PASSAGES).filter_map(|passage| passage.text.as_deref()).collect();
    let options = FaithfulnessOptions { language, ..FaithfulnessOptions::default() };
    let golds = &record.gold_answers;
    let text = answer.text.as_str();
    let mut scores = vec![
        ("similarity", sentence_similarity(text, golds, embed)?),
        ("faithfulness", faithfulness(text, &context, embed, &options)?.score()),
        (
            "claim_supported_faithfulness",
            Some(claim_supported_faithfulness(text, &context, embed)?.score()),
        ),
        ("context_utilisation", Some(context_utilisation(text, &context, embed)?)),
        ("answer_completeness", Some(answer_completeness(&record.question, text, embed)?)),
    ];
    if !golds.is_empty() {
        let overlap = bert_score_of(text, golds, embed, TokenWeights::Equal)?;
        scores.push(("bert_score", Some(overlap.f1)));
    }
    let known = scores.into_iter().filter_map(|(name, score)| Some((name.to_owned(), score?)));
    record.scores.extend(known);
    Ok(())
}
