//! `campanile ask`: questions in the terminal, through the same code as the page.

use std::io::{BufRead as _, IsTerminal as _, Write};
use std::path::Path;
use std::process::ExitCode;
use std::rc::Rc;

use anyhow::Context as _;
use campanile_answer::{
    CitedSentence, Reply, Support, Turn, answer_from, cite, read_closely, resolve,
};
use campanile_bundle::{ChunkId, SearchOverrides};
use campanile_campus::{AskedSite, Campus};
use campanile_retrieve::{
    PairTask, Phrasing, Ranking, Retrieval, Rewording, SearchOptions, SystemClock,
};
use campanile_terminal::files::SiteFiles;
use campanile_terminal::models::{ProseWriter, Rewriter, WrittenProse};
use campanile_terminal::reply::{snippet, write_reply};
use campanile_terminal::site::{SearchMode, SiteEngine, load_pair_model, open};
use campanile_terminal::{console, tell};
use campanile_text::Span;
use futures_lite::future::block_on;
use serde::Serialize;

use crate::cli::AskArguments;
use crate::profile;

/// Answers one question, or every line of standard input, as long as somebody reads the answers.
pub fn run(arguments: &AskArguments) -> anyhow::Result<ExitCode> {
    match answer_all(arguments) {
        Err(error) if console::nobody_reads(&error) => Ok(ExitCode::SUCCESS),
        done => done,
    }
}

fn answer_all(arguments: &AskArguments) -> anyhow::Result<ExitCode> {
    let engine = open(&arguments.site, arguments.mode)?;
    let profile = profile::told(&arguments.asker)?;
    // Where the head can't be read the search says so; a campus has no documents of its own.
    let head = block_on(engine.documents_head());
    if let Some(table) = head.as_ref().ok().and_then(|head| head.audiences()) {
        profile::check(&profile, table)?;
    }
    let options = SearchOptions {
        overrides: SearchOverrides {
            sources: arguments.sources,
            granularity: arguments.granularity.map(Into::into),
            ..SearchOverrides::default()
        },
        retriever: arguments.mode.into(),
        semantics: arguments.mode.into(),
        profile,
        everyone: arguments.asker.everyone,
        ..SearchOptions::default()
    };
    let asked = &arguments.rewording;
    let rewording =
        Rewording { phrasings: usize::from(asked.phrasings), hypothetical: asked.hypothetical };
    let rewriter = Rewriter::open(&arguments.site, rewording, asked.language_model.as_deref())?;
    let prose = arguments.prose.then(|| ProseWriter::open(&arguments.site, &engine)).transpose()?;
    let engine = Rc::new(engine);
    let campus = opened_campus(&engine, &arguments.site)?;
    let desk = Desk { rewriter, prose, engine, campus };
    if let Some(question) = &arguments.question {
        show(&desk, question, &options, arguments)?;
        return Ok(ExitCode::SUCCESS);
    }
    let prompts = std::io::stdin().is_terminal();
    let mut turns: Vec<Turn> = Vec::new();
    let mut lines = std::io::stdin().lock().lines();
    loop {
        if prompts {
            let mut prompt = std::io::stderr().lock();
            write!(prompt, "Question (empty line ends): ")?;
            prompt.flush()?;
        }
        let Some(line) = lines.next().transpose().context("cannot read the question")? else {
            break;
        };
        if line.trim().is_empty() {
            if prompts {
                break;
            }
            continue;
        }
        let is_conversation = prompts || arguments.conversation;
        let whole = resolve(&line, &turns).filter(|_| is_conversation).map(|it| it.question);
        if let Some(whole) = whole.as_ref().filter(|_| !arguments.json) {
            writeln!(std::io::stdout(), "Asked as: {whole}")?;
        }
        let question = whole.unwrap_or(line);
        show(&desk, &question, &options, arguments)?;
        turns.push(Turn { question });
    }
    Ok(ExitCode::SUCCESS)
}

/// The sites that this one asks, where it is a campus's.
fn opened_campus(
    engine: &Rc<SiteEngine>,
    site: &Path,
) -> anyhow::Result<Option<Campus<SiteFiles, SystemClock>>> {
    if engine.manifest().campus.is_none() {
        return Ok(None);
    }
    let folder = site.to_owned();
    let reach = move |address: &str| SiteFiles::beside(&folder, address);
    let campus = Campus::open(Rc::clone(engine), SystemClock::default(), Box::new(reach));
    let opened =
        block_on(campus).with_context(|| format!("cannot open the campus `{}`", site.display()))?;
    Ok(Some(opened))
}

/// Answers a question by what several sites say, and prints it as the arguments say.
fn show_campus(
    campus: &Campus<SiteFiles, SystemClock>,
    question: &str,
    options: &SearchOptions,
    (contact, arguments): (&str, &AskArguments),
) -> anyhow::Result<()> {
    let found = block_on(campus.ask(question, options))?;
    block_on(found.read())?;
    let reply = found.reply().context("no site was asked")?;
    let asked = found.sites();
    let mut out = std::io::stdout().lock();
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string(&OfCampus { reply: &reply, asked: &asked })?)?;
        return Ok(());
    }
    let names = asked.iter().filter(|site| site.problem.is_none());
    let names: Vec<&str> = names.map(|site| site.name.as_str()).collect();
    writeln!(out, "Asked: {}", names.join(", "))?;
    for AskedSite { name, address, problem } in &asked {
        if let Some(problem) = problem {
            tell!("warning: {name} ({address}) could not be asked: {problem}");
        }
    }
    Ok(print(&mut out, &reply, contact)?)
}

/// A reply of several sites, for `--json`.
#[derive(Serialize)]
struct OfCampus<'a> {
    #[serde(flatten)]
    reply: &'a Reply,
    asked: &'a [AskedSite],
}

/// The site or campus that questions are put to, and all else that answers them.
struct Desk {
    engine: Rc<SiteEngine>,
    campus: Option<Campus<SiteFiles, SystemClock>>,
    rewriter: Option<Rewriter>,
    prose: Option<ProseWriter>,
}

/// Answers a question and prints it as the arguments say.
fn show(
    Desk { engine, campus, rewriter, prose }: &Desk,
    question: &str,
    options: &SearchOptions,
    arguments: &AskArguments,
) -> anyhow::Result<()> {
    let rewrite = |rewriter: &Rewriter| rewriter.phrasings(question, engine.analyzer());
    let phrasings = rewriter.as_ref().map(rewrite).transpose()?.unwrap_or_default();
    let options = SearchOptions { phrasings, ..options.clone() };
    if let Some(campus) = campus {
        let contact = engine.manifest().contact.as_str();
        return show_campus(campus, question, &options, (contact, arguments));
    }
    let retrieval = block_on(engine.search(question, &options))?;
    let mut out = std::io::stdout().lock();
    if arguments.explain {
        trace(&mut out, &retrieval)?;
    }
    let calibration = engine.manifest().calibration;
    let reply = block_on(answer_from(engine, retrieval, &calibration))?;
    let reply = block_on(read_closely(engine, reply, &calibration))?;
    if arguments.explain {
        write_evidence(&mut out, &reply)?;
    }
    if let Some(text) = &arguments.check {
        return check(&mut out, engine, &reply, text, arguments);
    }
    let written = match prose {
        Some(writer) => writer.write(engine, &reply)?,
        None => None,
    };
    if arguments.json {
        let whole = WithProse { reply: &reply, prose: written.as_ref() };
        writeln!(out, "{}", serde_json::to_string(&whole)?)?;
        return Ok(());
    }
    print(&mut out, &reply, &engine.manifest().contact)?;
    if let Some(written) = written {
        writeln!(out, "\nIn the language model's words, which can be wrong:")?;
        print_sentences(&mut out, &reply, &written.text, &written.sentences)?;
    }
    Ok(())
}

/// A reply with what a language model wrote about it, for `--json`.
#[derive(Serialize)]
struct WithProse<'a> {
    #[serde(flatten)]
    reply: &'a Reply,
    #[serde(skip_serializing_if = "Option::is_none")]
    prose: Option<&'a WrittenProse>,
}

/// Says of each sentence of a text which passage supports it.
fn check(
    out: &mut dyn Write,
    engine: &SiteEngine,
    reply: &Reply,
    text: &str,
    arguments: &AskArguments,
) -> anyhow::Result<()> {
    if arguments.mode == SearchMode::Hybrid {
        load_pair_model(engine, PairTask::Checker)
            .context("cannot load the checker\n  way out: build the site again")?;
    }
    let sentences = block_on(cite(engine, reply, text))?;
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string(&sentences)?)?;
        return Ok(());
    }
    print_sentences(out, reply, text, &sentences)
}

/// Each sentence with its source, or with what no source says of it.
fn print_sentences(
    out: &mut dyn Write,
    reply: &Reply,
    text: &str,
    sentences: &[CitedSentence],
) -> anyhow::Result<()> {
    for one in sentences {
        let sentence = one.span.slice(text).unwrap_or_default();
        let verdict = match (one.support, one.source) {
            (Support::Supported, Some(number)) => format!("[{number}]"),
            (Support::Aside, Some(number)) => format!("[{number}], beside the answer"),
            (Support::Nothing, _) => "claims nothing".to_owned(),
            (Support::Declined, _) => "says that the passages do not answer".to_owned(),
            _ if one.unstated.is_empty() => "not found in the sources".to_owned(),
            _ => format!("not in the sources: {}", one.unstated.join(", ")),
        };
        writeln!(out, "{sentence} {verdict}")?;
        let source = one.source.and_then(|number| reply.sources.get(number.checked_sub(1)?));
        if let Some((source, span)) = source.zip(one.highlight) {
            let sure = one.entailed.map(|sure| format!(", {:.0} % sure", sure * 100.0));
            let passage = snippet(span.slice(&source.text).unwrap_or_default());
            writeln!(
                out,
                "    nearest [{}]{}: {passage}",
                source.number,
                sure.unwrap_or_default()
            )?;
        }
    }
    Ok(())
}

/// Prints a reply, and first what could not be used for it.
fn print(out: &mut dyn Write, reply: &Reply, contact: &str) -> std::io::Result<()> {
    for problem in &reply.problems {
        tell!("warning: {problem}");
    }
    write_reply(out, reply, contact)
}

/// So many passages are followed through the stages, those shown and those just behind.
const FOLLOWED: usize = 15;

/// Writes what each stage did, and where it placed each passage.
///
/// # Errors
/// Where nothing can be written.
fn trace(out: &mut dyn Write, retrieval: &Retrieval) -> std::io::Result<()> {
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
fn write_evidence(out: &mut dyn Write, reply: &Reply) -> std::io::Result<()> {
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
        write!(out, "{:>9}", hit.id.0)?;
        for ranking in stages {
            write!(out, " {:>15}", place(ranking, hit.id))?;
        }
        let shown = retrieval.passages.iter().find(|passage| passage.chunk == hit.id);
        let document = shown.map_or("(not shown)", |passage| passage.document.path.as_str());
        writeln!(out, "  {document}")?;
    }
    writeln!(
        out,
        "Each place as \"rank: score\", the score on its stage's own scale; - where a stage did not"
    )?;
    writeln!(out, "put the passage forward.\n")
}

fn place(ranking: &Ranking, chunk: ChunkId) -> String {
    let found = ranking.hits.iter().enumerate().find(|(_, hit)| hit.id == chunk);
    found.map_or("-".to_owned(), |(rank, hit)| format!("{}: {:.3}", rank + 1, hit.score))
}
