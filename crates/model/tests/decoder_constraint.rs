//! Answers under a constraint.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "support/made_up.rs"]
mod made_up;
#[path = "support/slow.rs"]
mod slow;

use campanile_model::{
    Decoder, Finish, GenerateOptions, Generated, RandomSampling, RepetitionPenalty, Sampling,
    TokenConstraint,
};
use futures_lite::future::block_on;

use crate::made_up::{decoder, llama, word};
use crate::slow::slow;

fn prompt() -> Vec<u32> {
    (0..30).map(|number| (number * 7 + number * number * 4) % 64).collect()
}

fn has_digit(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit())
}

/// Rules for pieces and for ends, and how often each was asked.
struct Rules<A, E> {
    allows: A,
    may_end: E,
    asked: usize,
}

fn rules<A, E>(allows: A, may_end: E) -> Rules<A, E> {
    Rules { allows, may_end, asked: 0 }
}

impl<A: FnMut(&str) -> bool, E: FnMut(&str) -> bool> TokenConstraint for Rules<A, E> {
    fn allows(&mut self, text: &str, piece: &str) -> bool {
        self.asked += 1;
        (self.allows)(&format!("{text}{piece}"))
    }

    fn may_end(&mut self, text: &str) -> bool {
        (self.may_end)(text)
    }
}

fn answer(
    decoder: &mut Decoder,
    options: &GenerateOptions,
    constraint: &mut impl TokenConstraint,
) -> (Generated, String) {
    let mut generation = decoder.start(&prompt(), options).unwrap().with_constraint(constraint);
    let mut streamed = String::new();
    while let Some(piece) = block_on(generation.next()).unwrap() {
        streamed.push_str(&piece);
    }
    (generation.finish().unwrap(), streamed)
}

fn options() -> Vec<GenerateOptions> {
    let random = |top_k, top_p| {
        let sampling = RandomSampling { temperature: 2.0, top_k, top_p, min_p: None, seed: 11 };
        GenerateOptions { sampling: Sampling::Random(sampling), ..GenerateOptions::greedy(24) }
    };
    let mut all = vec![GenerateOptions::greedy(24), random(Some(5), None), random(None, Some(0.9))];
    let mut penalised = GenerateOptions::greedy(24);
    penalised.repetition_penalty = Some(RepetitionPenalty { factor: 1.3, window: None });
    all.push(penalised);
    all
}

#[test]
fn who_forbids_nothing_changes_nothing() {
    for options in options() {
        let mut model = decoder(&llama());
        let expected = block_on(async {
            let mut generation = model.start(&prompt(), &options).unwrap();
            while generation.next().await.unwrap().is_some() {}
            generation.finish().unwrap()
        });
        let mut nothing = rules(|_: &str| true, |_: &str| true);
        let (found, streamed) = answer(&mut decoder(&llama()), &options, &mut nothing);
        assert_eq!((found.tokens, streamed), (expected.tokens, expected.text));
        assert_eq!(nothing.asked, 24, "one call a token");
    }
}

#[test]
fn what_is_forbidden_is_not_written() {
    for options in options() {
        let mut free = rules(|_: &str| true, |_: &str| true);
        assert!(has_digit(&answer(&mut decoder(&llama()), &options, &mut free).0.text));
        let mut answers = Vec::new();
        for mut model in [decoder(&llama()), slow(1), slow(7)] {
            let mut no_digits = rules(|text: &str| !has_digit(text), |_: &str| true);
            let (found, streamed) = answer(&mut model, &options, &mut no_digits);
            assert_eq!((found.tokens.len(), found.finish), (24, Finish::Length));
            assert!(!has_digit(&found.text), "{}", found.text);
            assert_eq!(found.text, streamed);
            answers.push(found.tokens);
        }
        let is_greedy = options.sampling == Sampling::Greedy;
        assert!(!is_greedy || answers.iter().all(|one| *one == answers[0]), "as likely anywhere");
    }
}

#[test]
fn greedy_takes_the_likeliest_that_may_follow() {
    let no_digits = |_: &[u32], _: &[u32], logits: &mut [f32]| {
        for (id, logit) in logits.iter_mut().enumerate().filter(|(id, _)| has_digit(&word(*id))) {
            *logit = f32::NEG_INFINITY;
            assert!(id < 64);
        }
    };
    let mut model = decoder(&llama());
    let options = GenerateOptions::greedy(24);
    let mut processed = model.start(&prompt(), &options).unwrap().with_processor(no_digits);
    while block_on(processed.next()).unwrap().is_some() {}
    let expected = processed.finish().unwrap().tokens;
    let mut constraint = rules(|text: &str| !has_digit(text), |_: &str| true);
    assert_eq!(answer(&mut slow(1), &options, &mut constraint).0.tokens, expected);
}

#[test]
fn one_word_of_the_vocabulary_is_found() {
    for options in options() {
        let mut only =
            rules(|text: &str| text.split(' ').all(|one| one == word(13)), |_: &str| true);
        let (found, _) = answer(&mut slow(3), &options, &mut only);
        assert_eq!(found.tokens, [13; 24]);
    }
}

#[test]
fn where_nothing_may_follow_the_answer_ends() {
    for options in options() {
        let mut nothing = rules(|_: &str| false, |text: &str| text.is_empty());
        let (found, streamed) = answer(&mut slow(3), &options, &mut nothing);
        assert_eq!((found.text.as_str(), found.finish), ("", Finish::Constraint));
        assert_eq!((streamed.as_str(), nothing.asked), ("", 64), "each token once");
    }
}

#[test]
fn an_answer_ends_where_it_may() {
    let words = |text: &str| text.split_whitespace().count();
    for limit in 0..12 {
        let mut triples = rules(|_: &str| true, |text: &str| words(text).is_multiple_of(3));
        let options = GenerateOptions::greedy(limit);
        let (found, streamed) = answer(&mut decoder(&llama()), &options, &mut triples);
        assert_eq!(words(&found.text), limit / 3 * 3);
        assert_eq!((found.text, found.tokens.len()), (streamed, limit));
    }
}
