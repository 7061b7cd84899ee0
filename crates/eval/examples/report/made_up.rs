//! An experiment that never was: three configurations on two sets, the same numbers each time.

use std::collections::BTreeMap;

use campanile_bundle::ChunkId;
use campanile_eval::{
    Configuration, Experiment, Loss, RankedPassage, Record, RecordedAnswer, Run, SetInfo,
    StageRanking,
};
use campanile_questions::Category;
use rand_pcg::Pcg32;
use rand_pcg::rand_core::Rng;

/// Passages that a search puts forward.
const DEPTH: usize = 30;
/// Passages that are shown.
const SHOWN: usize = 5;
/// The metrics that are compared.
pub const METRICS: [&str; 5] = ["recall@5", "ndcg@5", "mrr", "correct", "token_f1"];
const DEPTHS: [usize; 5] = [1, 3, 5, 10, 20];

/// A made-up set and configuration: how far down each search finds the passage, in the mean.
struct Engine {
    name: &'static str,
    lexical: f64,
    dense: Option<f64>,
    /// By what a reranker divides the place.
    reranked: Option<f64>,
    /// Chance that a shown passage is read rightly.
    reads: f64,
}

const ENGINES: [Engine; 3] = [
    Engine { name: "lexical", lexical: 6.0, dense: None, reranked: None, reads: 0.72 },
    Engine { name: "hybrid", lexical: 6.0, dense: Some(5.0), reranked: None, reads: 0.74 },
    Engine {
        name: "hybrid + reranker",
        lexical: 6.0,
        dense: Some(5.0),
        reranked: Some(2.2),
        reads: 0.76,
    },
];

const SUBJECTS: [&str; 10] = [
    "the bachelor's thesis",
    "a resit",
    "the library card",
    "an exchange semester",
    "the language centre",
    "a leave of absence",
    "the hydraulics laboratory",
    "a scholarship",
    "the January examinations",
    "the student parliament",
];
const ASPECTS: [&str; 15] = [
    "What is the deadline for",
    "Who decides about",
    "What does it cost to register for",
    "How many credits does one need for",
    "Where is the form for",
    "Which office answers questions about",
    "Can I still withdraw from",
    "How long does it take to hear about",
    "What happens if I miss the date for",
    "Is there an exception to the rules for",
    "Which documents do I hand in for",
    "Who may not apply for",
    "What changed this year about",
    "How often may one repeat",
    "Compare the full-time and part-time rules for",
];
const KINDS: [&str; 5] = ["factual", "descriptive", "comparative", "inferential", "multi-hop"];
const DOCUMENTS: [&str; 8] = [
    "rules/examination-regulations.pdf",
    "handbook/thesis.md",
    "handbook/late-work.md",
    "announcements/2026-11-16-registration-extended.md",
    "calendar/academic-year-2026-27.html",
    "fees/fees-and-charges.html",
    "catalogue/water-engineering.xlsx",
    "library/opening-hours.md",
];

/// An experiment with so many questions in each of its two sets.
pub fn experiment(questions: usize) -> Experiment {
    let mut runs = Vec::new();
    for (set, hardness) in [("handbook", 1.0), ("catalogue", 1.6)] {
        for (place, engine) in ENGINES.iter().enumerate() {
            let records = (0..questions).map(|number| record(set, number, hardness, engine));
            runs.push(Run {
                set: set.to_owned(),
                configuration: configuration(engine, place == 0),
                records: records.collect(),
            });
        }
    }
    let counts = |run: &Run| {
        let mut counts = BTreeMap::new();
        for record in &run.records {
            *counts.entry(record.category).or_insert(0) += 1;
        }
        SetInfo { name: run.set.clone(), questions: counts }
    };
    Experiment {
        title: "Search for the handbook of a made-up department".to_owned(),
        made: "2026-11-21".to_owned(),
        machine: "2 cores, 24 GB, no GPU".to_owned(),
        command: "campanile eval SITE handbook.jsonl catalogue.jsonl --report eval".to_owned(),
        sets: runs.iter().step_by(ENGINES.len()).map(counts).collect(),
        runs,
        ..Experiment::default()
    }
}

fn configuration(engine: &Engine, baseline: bool) -> Configuration {
    let switch = |on: bool| if on { "on" } else { "off" }.to_owned();
    let settings = BTreeMap::from([
        ("dense".to_owned(), switch(engine.dense.is_some())),
        ("granularity".to_owned(), "chunk".to_owned()),
        ("reranker".to_owned(), switch(engine.reranked.is_some())),
        ("shown".to_owned(), SHOWN.to_string()),
    ]);
    let hash = format!(
        "{:016x}",
        engine
            .name
            .bytes()
            .fold(7_u64, |hash, byte| hash.wrapping_mul(131).wrapping_add(u64::from(byte)))
    );
    Configuration { name: engine.name.to_owned(), hash, settings, baseline }
}

/// Even numbers between 0 and 1, the same for a question in all configurations.
struct Chance(Pcg32);

impl Chance {
    fn of(set: &str, number: usize) -> Self {
        Self(Pcg32::new(number as u64 + 1, set.len() as u64))
    }

    fn next(&mut self) -> f64 {
        f64::from(self.0.next_u32()) / 4_294_967_296.0
    }

    /// A place that is geometrically spread around a mean, from 0.
    fn place(&mut self, mean: f64) -> usize {
        ((1.0 - self.next()).ln() * -mean) as usize
    }

    fn choice<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        let place = (self.next() * from.len() as f64) as usize;
        from.get(place).copied()
    }
}

fn category(number: usize) -> Category {
    match number % 15 {
        0..10 => Category::Answerable,
        10 | 11 => Category::Ambiguous,
        _ => Category::Unanswerable,
    }
}

fn record(set: &str, number: usize, hardness: f64, engine: &Engine) -> Record {
    let mut chance = Chance::of(set, number);
    let category = category(number);
    let has_gold = category != Category::Unanswerable;
    let is_indexed = chance.next() > 0.03;
    let lexical = chance.place(engine.lexical * hardness);
    let dense_place = chance.place(5.0 * hardness);
    let mut stages = vec![("lexical", lexical)];
    let mut place = lexical;
    if engine.dense.is_some() {
        place = (lexical.min(dense_place) * 2 + lexical.max(dense_place).min(DEPTH)) / 3;
        stages.extend([("dense", dense_place), ("fused", place)]);
    }
    if let Some(by) = engine.reranked {
        place = (place as f64 / by) as usize;
        stages.push(("reranked", place));
    }
    stages.push(("shown", place));
    let found = (has_gold && is_indexed && place < DEPTH).then_some(place);
    let document = chance.choice(&DOCUMENTS).unwrap_or_default();
    let answer = (900 + number as u32, document);
    let stages: Vec<StageRanking> = stages
        .into_iter()
        .map(|(stage, place)| {
            ranking(stage, (has_gold && is_indexed).then_some(place), answer, &mut chance)
        })
        .collect();
    let shown = found.is_some_and(|place| place < SHOWN);
    let sure = chance.next();
    let reads = shown && sure < engine.reads;
    // Right answers are given with more confidence, and the engine is somewhat too sure.
    let noise = 0.45 * chance.next();
    let confidence: f64 = if reads { 0.55 + noise } else { 0.2 + 1.4 * noise };
    let refused = confidence < if has_gold { 0.28 } else { 0.5 };
    let correct = if has_gold { reads && !refused } else { refused };
    let lost = match (has_gold, found) {
        _ if correct => None,
        (false, _) => Some(Loss::Refusal),
        (true, _) if !is_indexed => Some(Loss::Parsing),
        (true, None) => Some(Loss::Retrieval),
        (true, Some(place)) if place >= 2 * SHOWN => Some(Loss::Ranking),
        (true, Some(place)) if place >= SHOWN => Some(Loss::Cut),
        (true, Some(_)) if refused => Some(Loss::Refusal),
        (true, Some(_)) => Some(Loss::Reading),
    };
    let mut scores = scores(has_gold, found, correct, &mut chance);
    if has_gold {
        scores.extend(after_each_stage(&stages));
    }
    let subject = SUBJECTS.get(number / 15 % 10).copied().unwrap_or_default();
    let aspect = ASPECTS.get(number % 15).copied().unwrap_or_default();
    let gold = format!("{} weeks before the term begins", 2 + number % 7);
    let text = if correct {
        format!("Until {gold}.")
    } else {
        "On written request, by the board.".to_owned()
    };
    Record {
        id: format!("{}{number:03}", set.get(..1).unwrap_or_default()),
        question: format!("{aspect} {subject}?"),
        category,
        kind: KINDS.get(number % KINDS.len()).map(|kind| (*kind).to_owned()),
        gold_answers: if has_gold { vec![gold] } else { Vec::new() },
        stages,
        prompt: None,
        answer: Some(RecordedAnswer {
            refused,
            text: if refused { "The documents do not say.".to_owned() } else { text },
            confidence,
            cited: if refused { Vec::new() } else { vec![0] },
        }),
        scores,
        lost,
        verdict: None,
        milliseconds: milliseconds(engine, &mut chance),
    }
}

fn scores(
    has_gold: bool,
    found: Option<usize>,
    correct: bool,
    chance: &mut Chance,
) -> BTreeMap<String, f64> {
    let yes = |yes: bool| f64::from(u8::from(yes));
    let mut scores = BTreeMap::from([("correct".to_owned(), yes(correct))]);
    if has_gold {
        for k in DEPTHS {
            let within = found.filter(|place| *place < k);
            scores.insert(format!("recall@{k}"), yes(within.is_some()));
            let gain = within.map_or(0.0, |place| 1.0 / (place as f64 + 2.0).log2());
            scores.insert(format!("ndcg@{k}"), gain);
        }
        let reciprocal = found.map_or(0.0, |place| 1.0 / (place + 1) as f64);
        scores.insert("mrr".to_owned(), reciprocal);
        let overlap = if correct { 0.6 + 0.4 * chance.next() } else { 0.35 * chance.next() };
        scores.insert("token_f1".to_owned(), overlap);
    }
    scores
}

/// Scores each stage but the last: 1 if the passage is among the first five, else 0.
fn after_each_stage(stages: &[StageRanking]) -> BTreeMap<String, f64> {
    let before = stages.split_last().map(|(_, before)| before).unwrap_or_default();
    let score = |stage: &StageRanking| {
        let found = stage.passages.iter().take(SHOWN).any(|passage| passage.grade > 0);
        (format!("{}/recall@{SHOWN}", stage.stage), f64::from(u8::from(found)))
    };
    before.iter().map(score).collect()
}

fn milliseconds(engine: &Engine, chance: &mut Chance) -> BTreeMap<String, f64> {
    // Times have a long tail.
    let mut time = |mean: f64| mean * (0.6 + 0.4 / (1.02 - chance.next()).sqrt());
    let mut stages = BTreeMap::from([("lexical".to_owned(), time(1.4))]);
    if engine.dense.is_some() {
        stages.extend([("dense".to_owned(), time(18.0)), ("fused".to_owned(), time(0.05))]);
    }
    if engine.reranked.is_some() {
        stages.insert("reranked".to_owned(), time(240.0));
    }
    stages.insert("answer".to_owned(), time(6.0));
    let total = stages.values().sum();
    stages.insert("total".to_owned(), total);
    stages
}

/// A ranking with the passage that answers at a place.
fn ranking(
    stage: &str,
    gold: Option<usize>,
    answer: (u32, &str),
    chance: &mut Chance,
) -> StageRanking {
    let count = if stage == "shown" { SHOWN } else { DEPTH };
    let passage = |place: usize| {
        let grade = u32::from(gold == Some(place));
        let other = ((chance.next() * 900.0) as u32, chance.choice(&DOCUMENTS).unwrap_or_default());
        let (chunk, document) = if grade > 0 { answer } else { other };
        let text = (stage == "shown").then(|| {
            let rule = if grade > 0 { "The form is handed in before the term begins" } else { "The board decides on written request" };
            format!("{rule}; the office for students keeps a copy, and a later date needs a reason that is stated in the rules.")
        });
        RankedPassage {
            chunk: ChunkId(chunk),
            document: document.to_owned(),
            link: None,
            score: 12.0 / (place + 1) as f64,
            tokens: 60 + chunk % 90,
            grade,
            text,
        }
    };
    StageRanking { stage: stage.to_owned(), passages: (0..count).map(passage).collect() }
}
