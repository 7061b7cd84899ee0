//! `campanile ask --explain`: how the passages came to be where they are.

use std::io::Write;

use campanile_answer::Reply;
use campanile_retrieve::{Phrasing, Ranking, Retrieval};
use campanile_text::Span;

use super::ask::snippet;

/// So many passages are followed through the stages, those shown and those just behind.
const FOLLOWED: usize = 15;

/// Writes what each stage did, and where it placed each passage.
///
/// # Errors
/// Where nothing can be written.
pub fn write(out: &mut dyn Write, retrieval: &Retrieval) -> std::io::Result<()> {
    let trace = &retrieval.trace;
    writeln!(out, "Searched for: {}", trace.terms.join(" "))?;
    for correction in &trace.corrections {
        writeln!(out, "  \"{}\" is in no text: {}", correction.word, correction.instead)?;
    }
    for expansion in &trace.expansions {
        writeln!(out, "  \"{}\" also as: {}", expansion.found, expansion.added)?;
    }
    for phrasing in &trace.phrasings {
        match phrasing {
            Phrasing::Question(words) => writeln!(out, "  also asked as: {words}")?,
            Phrasing::Passage(words) => {
                writeln!(out, "  also compared with, made up: {}", snippet(words))?;
            }
        }
    }
    writeln!(out, "\n{:<12} {:>10} {:>9}", "stage", "passages", "ms")?;
    for stage in &trace.stages {
        writeln!(out, "{:<12} {:>10} {:>9.2}", stage.name, stage.candidates, stage.milliseconds)?;
    }
    writeln!(out, "{:<12} {:>10} {:>9.2}", "together", "", retrieval.milliseconds)?;
    table(out, retrieval)
}

/// Writes what was known of the answer, and what a reader says of the passages where one has read them.
///
/// # Errors
/// Where nothing can be written.
pub fn write_evidence(out: &mut dyn Write, reply: &Reply) -> std::io::Result<()> {
    let evidence = &reply.evidence;
    writeln!(out, "{:<28} {:.2}", "probability of being right", evidence.confidence)?;
    if let Some(cosine) = evidence.best_cosine {
        writeln!(out, "{:<28} {cosine:.2}", "  nearness in meaning")?;
    }
    writeln!(out, "{:<28} {:.2}", "  words of the question found", evidence.coverage)?;
    writeln!(out, "{:<28} {:.2}", "  lead of the first passage", evidence.gap)?;
    if let Some(reading) = &evidence.reading {
        writeln!(out, "{:<28} {:.2}", "  passage holds an answer", reading.answer_probability)?;
        writeln!(out, "{:<28} {:.2}", "  readings that agree", reading.support)?;
        let agrees = if reading.agrees { "yes" } else { "no" };
        writeln!(out, "{:<28} {agrees}", "  in the nearest sentence")?;
    }
    let Some(readings) = &reply.readings else { return writeln!(out) };
    writeln!(out)?;
    writeln!(out, "{:>9} {:>9}  {:<15} words that answer", "source", "answered", "probability")?;
    for reading in readings {
        let text = |span: &Span| {
            let source = reply.sources.get(reading.source.checked_sub(1)?)?;
            span.slice(&source.text).map(snippet)
        };
        let best = reading.spans.first();
        writeln!(
            out,
            "{:>9} {:>7.0} %  {:<15} {}",
            reading.source,
            reading.probability * 100.0,
            best.map_or("-".to_owned(), |best| format!("{:.3}", best.probability)),
            best.and_then(|best| text(&best.span)).unwrap_or_default()
        )?;
    }
    writeln!(out)
}

/// The last ranking's first passages, with rank and score in every stage.
fn table(out: &mut dyn Write, retrieval: &Retrieval) -> std::io::Result<()> {
    let stages = &retrieval.rankings.stages;
    let Some(last) = stages.last() else {
        return writeln!(out, "\nNo stage found anything.");
    };
    write!(out, "\n{:>9}", "passage")?;
    for ranking in stages {
        write!(out, " {:>15}", ranking.stage)?;
    }
    writeln!(out, "  document")?;
    for hit in last.hits.iter().take(FOLLOWED) {
        write!(out, "{:>9}", hit.chunk)?;
        for ranking in stages {
            write!(out, " {:>15}", place(ranking, hit.chunk))?;
        }
        let shown = retrieval.passages.iter().find(|passage| passage.chunk == hit.chunk);
        let document = shown.map_or("(not shown)", |passage| passage.document.path.as_str());
        writeln!(out, "  {document}")?;
    }
    writeln!(
        out,
        "Each place as \"rank: score\", the score on its stage's own scale; - where a stage did not"
    )?;
    writeln!(out, "put the passage forward.\n")
}

fn place(ranking: &Ranking, chunk: u32) -> String {
    let found = ranking.hits.iter().enumerate().find(|(_, hit)| hit.chunk == chunk);
    found.map_or("-".to_owned(), |(rank, hit)| format!("{}: {:.3}", rank + 1, hit.score))
}
