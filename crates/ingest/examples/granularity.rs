//! Cuts the documents of a folder at every granularity and shows them in numbers:
//! `cargo run --release -p campanile-ingest --example granularity -- FOLDER [STRATEGY]`
//!
//! With `--sample N` as a third argument it prints every Nth proposition beside its source.

use std::path::Path;

use campanile_corpus::{
    Chunk, ChunkStrategy, Document, LengthStatistics, Proposer, Proposition, Rule, SentenceUnit,
    TokenCounter, chunk_by, fill_context, indexed_sentence, indexed_text, sentences_of, word_count,
};
use campanile_ingest::{IngestOptions, discover, read};
use campanile_text::Language;

/// A reader's context, as in the studies-guide assistant's thesis.
const CONTEXT_TOKENS: usize = 8_192;

/// About as many tokens as a word-piece tokenizer makes: one for four letters.
struct Pieces;

impl TokenCounter for Pieces {
    fn count(&self, text: &str) -> usize {
        let pieces = text.split_whitespace().map(|word| word.chars().count().div_ceil(4));
        pieces.sum::<usize>() + 2
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let root = arguments.next().ok_or("name a folder of documents")?;
    let strategy: ChunkStrategy = arguments.next().as_deref().unwrap_or("structure").parse()?;
    let sample = match (arguments.next().as_deref(), arguments.next()) {
        (Some("--sample"), Some(every)) => Some(every.parse::<usize>()?.max(1)),
        _ => None,
    };
    let root = Path::new(&root);
    let mut documents = Vec::new();
    for path in discover(root)?.files {
        match read(root, &path, &IngestOptions::default()) {
            Ok(reading) => documents.extend(reading.documents),
            Err(error) => eprintln!("{error}"),
        }
    }
    let proposer = Proposer::new(Language::English);
    let (mut chunks, mut sentences, mut propositions) = (Vec::new(), Vec::new(), Vec::new());
    for document in &documents {
        for chunk in chunk_by(document, &Pieces, &strategy, None)? {
            let units = sentences_of(document, &chunk).into_iter();
            sentences.extend(units.map(|unit| (document, unit)));
            let made = proposer.propositions(document, &chunk).into_iter();
            propositions.extend(made.map(|proposition| (document, proposition)));
            chunks.push((document, chunk));
        }
    }
    let own = |document: &Document, span: campanile_corpus::Span| {
        span.slice(&document.text).unwrap_or_default().to_owned()
    };
    let texts = |(document, chunk): &(&Document, Chunk)| {
        (own(document, chunk.span), indexed_text(document, chunk).text)
    };
    println!("{} documents, cut by `{}`", documents.len(), strategy.name());
    print("chunks", chunks.iter().map(texts));
    let texts = |(document, unit): &(&Document, SentenceUnit)| {
        (own(document, unit.span), indexed_sentence(document, unit).text)
    };
    print("sentences", sentences.iter().map(texts));
    let texts = |(_, made): &(&Document, Proposition)| (made.text.clone(), made.text.clone());
    print("propositions", propositions.iter().map(texts));
    for rule in RULES {
        let count = propositions.iter().filter(|(_, made)| made.rules.contains(&rule)).count();
        println!("  {rule:?}: {count}");
    }
    if let Some(every) = sample {
        for (document, made) in propositions.iter().step_by(every) {
            let source = own(document, made.source).replace('\n', " ");
            println!("\n{:?} {}\n  {source}\n  {}", made.rules, document.path, made.text);
        }
    }
    Ok(())
}

const RULES: [Rule; 9] = [
    Rule::Compound,
    Rule::Enumeration,
    Rule::Introduced,
    Rule::Relative,
    Rule::Abbreviation,
    Rule::Definition,
    Rule::Row,
    Rule::Reference,
    Rule::Restored,
];

/// Prints the lengths of units, given as their own and their indexed texts.
fn print(name: &str, texts: impl Iterator<Item = (String, String)>) {
    let (mut words, mut tokens) = (Vec::new(), Vec::new());
    for (own, indexed) in texts {
        words.push(word_count(&own));
        tokens.push(Pieces.count(&indexed));
    }
    println!("{} {name}", words.len());
    for (unit, lengths) in [("words", &words), ("tokens, indexed", &tokens)] {
        let lengths = LengthStatistics::of(lengths);
        println!(
            "  {unit}: mean {:.2}, standard deviation {:.2}, median {}, {} to {}",
            lengths.mean, lengths.standard_deviation, lengths.median, lengths.min, lengths.max
        );
    }
    let filled = fill_context(&tokens, CONTEXT_TOKENS, 1_000, 1);
    println!(
        "  in {CONTEXT_TOKENS} tokens: {:.1} on average, {} to {}, most often {}",
        filled.mean, filled.min, filled.max, filled.mode
    );
}
