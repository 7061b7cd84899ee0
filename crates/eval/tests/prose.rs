//! Answers that a language model writes, over a small model with made-up weights.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../../model/tests/support/made_up.rs"]
mod made_up;

use campanile_answer::{ProsePrompt, ProseTurn};
use campanile_build::ChatModel;
use campanile_bundle::ChunkId;
use campanile_eval::answers::{Complete, Form, LanguageModelJudge};
use campanile_eval::{
    ProseOptions, RankedPassage, Record, RecordedAnswer, StageRanking, consult, consult_patiently,
    reply_perplexity, score_by_likelihood, write_prose,
};
use campanile_model::ChatTemplate;
use campanile_questions::Category;
use campanile_text::Language;

const TEMPLATE: &str = "{% for message in messages %}{{ message.content }} {% endfor %}";

fn model() -> ChatModel {
    ChatModel::new(made_up::decoder(&made_up::llama()), ChatTemplate::new(TEMPLATE).unwrap())
}

fn words(ids: &[usize]) -> String {
    ids.iter().map(|&id| made_up::word(id)).collect::<Vec<_>>().join(" ")
}

fn prompt() -> ProsePrompt {
    let evidence = vec![words(&[3, 5, 6])];
    let (system, user) = (words(&[1, 2]), words(&[3, 5, 6]));
    ProsePrompt { system, user, evidence, sources: vec![2, 1], ..ProsePrompt::default() }
}

fn options(grounded: bool) -> ProseOptions {
    ProseOptions { max_tokens: 4, grounded, language: Language::English }
}

/// A question with two passages, answered by a sentence of the first.
fn record(refused: bool) -> Record {
    let passage = |chunk| RankedPassage {
        chunk: ChunkId(chunk),
        document: "a.md".to_owned(),
        link: None,
        score: 1.0,
        tokens: 3,
        grade: 0,
        text: Some(words(&[5, 6])),
    };
    let shown = StageRanking { stage: "shown".to_owned(), passages: vec![passage(0), passage(1)] };
    Record {
        id: "q".to_owned(),
        question: words(&[3]),
        category: Category::Answerable,
        kind: None,
        gold_answers: vec![words(&[7]), words(&[9, 10])],
        stages: vec![shown],
        prompt: None,
        answer: Some(RecordedAnswer {
            refused,
            text: words(&[5]),
            confidence: 0.7,
            cited: vec![0],
        }),
        scores: Default::default(),
        lost: None,
        verdict: None,
        milliseconds: [("total".to_owned(), 1.0)].into(),
    }
}

#[test]
fn prose_stands_in_the_place_of_the_answer() {
    let (model, mut record) = (model(), record(false));
    write_prose(&mut record, &prompt(), &model, &options(false)).unwrap();
    let answer = record.answer.clone().unwrap();
    assert_eq!(answer.text, model.write(&prompt(), 4).unwrap(), "the same prompt, the same prose");
    assert_eq!(answer.text.split_whitespace().count(), 4, "{}", answer.text);
    assert!(!answer.refused && answer.cited == [1, 0], "what the model was given, in its order");
    assert_eq!(record.prompt.unwrap(), format!("{}\n\n{}", words(&[1, 2]), words(&[3, 5, 6])));
    let (prose, total) = (record.milliseconds["prose"], record.milliseconds["total"]);
    assert!(prose > 0.0 && (total - prose - 1.0).abs() < 1e-9);
}

#[test]
fn examples_are_sent_between_the_instructions_and_the_question() {
    let turn = ProseTurn { user: words(&[7, 8]), reply: words(&[9]) };
    let shown = ProsePrompt { examples: vec![turn], ..prompt() };
    // The template writes messages one after another, so that one message with all of it reads the same.
    let same = ProsePrompt { system: words(&[1, 2, 7, 8, 9]), ..prompt() };
    let model = model();
    let text = model.write(&shown, 8).unwrap();
    assert_eq!(text, model.write(&same, 8).unwrap());
    assert_ne!(text, model.write(&prompt(), 8).unwrap());
    let mut record = record(false);
    write_prose(&mut record, &shown, &model, &options(false)).unwrap();
    let expected = [&[1, 2][..], &[7, 8], &[9], &[3, 5, 6]].map(words).join("\n\n");
    assert_eq!(record.prompt.unwrap(), expected);
}

#[test]
fn grounded_prose_states_what_its_evidence_does() {
    let model = model();
    let more = |grounded| ProseOptions { max_tokens: 24, ..options(grounded) };
    let [free, grounded] = [false, true].map(|grounded| {
        let mut record = record(false);
        write_prose(&mut record, &prompt(), &model, &more(grounded)).unwrap();
        record
    });
    assert!(free.scores["ungrounded_literals"] > 0.0, "{free:?}");
    let kinds = free.scores.iter().filter(|(name, _)| name.starts_with("ungrounded_"));
    assert_eq!(
        kinds.map(|(_, count)| count).sum::<f64>(),
        2.0 * free.scores["ungrounded_literals"]
    );
    assert_eq!(grounded.scores["ungrounded_literals"], 0.0, "{grounded:?}");
    assert_eq!((free.scores["prose_tokens"], grounded.scores["prose_tokens"]), (24.0, 24.0));
    assert_eq!(free.milliseconds["grounding"], 0.0);
    assert!(grounded.milliseconds["grounding"] > 0.0);
    assert!(grounded.milliseconds["prose_writing"] < grounded.milliseconds["prose"]);
}

#[test]
fn a_refusal_asks_no_model() {
    let mut refused = record(true);
    write_prose(&mut refused, &prompt(), &model(), &options(true)).unwrap();
    assert_eq!(refused, record(true));
}

#[test]
fn the_likeliest_gold_answer_counts() {
    let (model, mut record) = (model(), record(false));
    score_by_likelihood(&mut record, &prompt(), &model).unwrap();
    let of = |text: &str| reply_perplexity(&model, &prompt(), text).unwrap().unwrap().perplexity();
    let golds = [of(&words(&[7])), of(&words(&[9, 10]))];
    assert!((golds[0] - golds[1]).abs() > 1e-6);
    assert!((record.scores["gold_perplexity"] - golds[0].min(golds[1])).abs() < 1e-12);
    assert!((record.scores["perplexity"] - of(&words(&[5]))).abs() < 1e-12);
    let nats = record.scores["gold_negative_log_likelihood"];
    assert!((nats.exp() - record.scores["gold_perplexity"]).abs() < 1e-12);
    // What the model would write itself it expects more than anything else of that length.
    let own = of(&model.write(&prompt(), 1).unwrap());
    for id in 1..12 {
        assert!(own <= of(&made_up::word(id)) + 1e-9, "{}", made_up::word(id));
    }
}

#[test]
fn a_judge_that_does_not_keep_to_the_form_is_counted() {
    let (model, mut record) = (model(), record(false));
    let judge = LanguageModelJudge { model: &model };
    assert!(consult(&mut record, &judge).is_err());
    consult_patiently(&mut record, &judge).unwrap();
    let scores: Vec<_> = record.scores.into_iter().collect();
    assert_eq!(scores, [("judge_no_verdict".to_owned(), 1.0)]);
    assert_eq!(record.verdict, None);
}

#[test]
fn a_reply_begins_and_ends_as_it_should() {
    let model = model();
    let begin = words(&[1]);
    let free = model.complete(&words(&[2, 3]), Form { begin: &begin, end: "?" }).unwrap();
    assert!(free.starts_with(&begin) && free.len() > begin.len());
    let word = free[begin.len()..].split_whitespace().nth(1).unwrap();
    let ended = model.complete(&words(&[2, 3]), Form { begin: &begin, end: word }).unwrap();
    assert!(ended.ends_with(word) && ended.len() < free.len(), "{ended} / {free}");
}
