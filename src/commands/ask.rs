//! `campanile ask`: questions in the terminal, through the same code as the page.

use std::io::{BufRead as _, IsTerminal as _, Write};
use std::process::ExitCode;

use anyhow::Context as _;
use campanile_answer::{
    AnswerKind, CitedSentence, Reply, Support, Turn, answer_from, cite, read_closely, resolve,
};
use campanile_retrieve::{Correction, LeftOut, PairTask, Phrasing, Rewording, SearchOptions};
use campanile_terminal::models::{ProseWriter, WrittenProse};
use campanile_terminal::models::Rewriter;
use campanile_terminal::site::{SearchMode, SiteEngine, load_pair_model, open};
use campanile_terminal::{console, tell};
use futures_lite::future::block_on;
use serde::Serialize;

use crate::cli::AskArguments;
use crate::commands::explain;
use crate::commands::form;
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
    let options = SearchOptions {
        limit: arguments.sources,
        retriever: arguments.mode.into(),
        semantics: arguments.mode.into(),
        granularity: arguments.granularity.map(Into::into),
        profile: profile::told(&arguments.asker)?,
        everyone: arguments.asker.everyone,
        ..SearchOptions::default()
    };
    let asked = &arguments.rewording;
    let rewording =
        Rewording { phrasings: usize::from(asked.phrasings), hypothetical: asked.hypothetical };
    let rewriter = Rewriter::open(&arguments.site, rewording, asked.language_model.as_deref())?;
    let prose = arguments.prose.then(|| ProseWriter::open(&arguments.site, &engine)).transpose()?;
    let desk = Desk { rewriter, prose, engine };
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

/// What questions are answered with.
struct Desk {
    engine: SiteEngine,
    rewriter: Option<Rewriter>,
    prose: Option<ProseWriter>,
}

/// Answers a question and prints it as the arguments say.
fn show(
    Desk { engine, rewriter, prose }: &Desk,
    question: &str,
    options: &SearchOptions,
    arguments: &AskArguments,
) -> anyhow::Result<()> {
    let rewrite = |rewriter: &Rewriter| rewriter.phrasings(question, engine.analyzer());
    let phrasings = rewriter.as_ref().map(rewrite).transpose()?.unwrap_or_default();
    let options = SearchOptions { phrasings, ..options.clone() };
    let retrieval = block_on(engine.search(question, &options))?;
    let mut out = std::io::stdout().lock();
    if arguments.explain {
        explain::write(&mut out, &retrieval)?;
    }
    let calibration = engine.manifest().calibration;
    let reply = block_on(answer_from(engine, retrieval, &calibration))?;
    let reply = read_closely(engine, reply, &calibration)?;
    if arguments.explain {
        explain::write_evidence(&mut out, &reply)?;
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
    print(&mut out, &reply)?;
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
    let sentences = cite(engine, reply, text)?;
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

fn print(out: &mut dyn Write, reply: &Reply) -> anyhow::Result<()> {
    for problem in &reply.problems {
        tell!("warning: {problem}");
    }
    match (reply.answer.kind, reply.answer.source) {
        (AnswerKind::Direct | AnswerKind::Qualified, Some(number)) => {
            if reply.answer.kind == AnswerKind::Qualified {
                writeln!(out, "Not sure; this comes nearest:")?;
            }
            if let Some(question) = &reply.answer.question {
                writeln!(out, "The documents answer \"{question}\":")?;
            }
            writeln!(out, "{} [{number}]", reply.answer.text)?;
            if let Some(words) = reply.exact_words() {
                writeln!(out, "In short: {words}")?;
            }
        }
        (AnswerKind::Section | AnswerKind::PossibleSection, Some(number)) => {
            print_section(out, reply, number)?;
        }
        _ if reply.sources.is_empty() => {
            writeln!(out, "{}\nOther words for it may find more.", reply.answer.text)?;
        }
        _ => writeln!(out, "{}\nThe nearest passages are below.", reply.answer.text)?,
    }
    if let Some(source) = reply.other_page() {
        writeln!(
            out,
            "This is from \"{}\", which is not the page that the question names.",
            source.title
        )?;
    }
    if let Some(side) = &reply.missing_side {
        writeln!(out, "No passage near it is about \"{side}\".")?;
    }
    if let Some(language) = reply.asked_in {
        writeln!(
            out,
            "The documents are not in {language}: asked in their language, this may find more."
        )?;
    }
    for Correction { word, instead, .. } in &reply.trace.corrections {
        writeln!(out, "Searched for \"{instead}\": no document has \"{word}\".")?;
    }
    if !reply.unmatched.is_empty() {
        writeln!(out, "No passage near it has: {}", reply.unmatched.join(", "))?;
    }
    for line in choice(reply) {
        writeln!(out, "{line}")?;
    }
    for line in form::lines(reply) {
        writeln!(out, "{line}")?;
    }
    for difference in &reply.differences {
        writeln!(out, "{}", difference.words)?;
    }
    for line in left_out(&reply.left_out) {
        writeln!(out, "{line}")?;
    }
    for phrasing in &reply.trace.phrasings {
        match phrasing {
            Phrasing::Question(words) => writeln!(out, "Also asked as: {words}")?,
            Phrasing::Passage(words) => {
                writeln!(out, "Also compared with, made up: {}", snippet(words))?;
            }
        }
    }
    writeln!(out)?;
    for source in &reply.sources {
        let place = std::iter::once(source.title.as_str())
            .chain(source.section.iter().map(String::as_str).filter(|h| *h != source.title))
            .collect::<Vec<_>>()
            .join(" > ");
        writeln!(out, "[{}] {place}", source.number)?;
        let page = source.page.as_ref().map(|page| format!(", page {}", page.label));
        let file = source.link.as_deref().unwrap_or(&source.document);
        writeln!(out, "    {file}{}", page.unwrap_or_default())?;
        writeln!(out, "    {}", snippet(&source.text))?;
        for also in &source.also {
            writeln!(
                out,
                "    also in {}: {}",
                also.title,
                also.link.as_ref().unwrap_or(&also.document)
            )?;
        }
    }
    Ok(())
}

/// A passage that covers what was asked, or may, the sentences that come nearest after an arrow.
fn print_section(out: &mut dyn Write, reply: &Reply, number: usize) -> anyhow::Result<()> {
    let Some(source) = number.checked_sub(1).and_then(|index| reply.sources.get(index)) else {
        return Ok(());
    };
    let heading = source.section.last().unwrap_or(&source.title);
    let covers = match reply.answer.kind {
        AnswerKind::Section => "This section covers it",
        _ => "Not sure; this section may cover it",
    };
    writeln!(out, "{covers}: {heading} [{number}]")?;
    writeln!(out, "{}", reply.answer.text)?;
    for mark in reply.answer.marks.iter().filter_map(|mark| mark.slice(&source.text)) {
        writeln!(out, "-> {mark}")?;
    }
    Ok(())
}

/// What the answer depends on, and how to say it.
fn choice(reply: &Reply) -> Vec<String> {
    let Some(choice) = &reply.choice else { return Vec::new() };
    let mut lines = vec![format!("The answer depends on the {}. For which one?", choice.asks)];
    lines.extend(choice.options.iter().map(|option| {
        format!(
            "    [{}] {}: `--{} \"{}\"`",
            option.source, option.value, choice.asks, option.value
        )
    }));
    lines
}

/// What the reader does not see, and how to see it.
fn left_out(passages: &[LeftOut]) -> Vec<String> {
    let mut lines = Vec::new();
    match passages.len() {
        0 => return lines,
        1 => lines.push("1 passage is not for you; `--everyone` shows it:".to_owned()),
        count => lines.push(format!("{count} passages are not for you; `--everyone` shows them:")),
    }
    for passage in passages {
        let reasons = passage.reasons.join("; ");
        lines.push(format!("    {} ({}): {reasons}", passage.title, passage.document));
    }
    lines.dedup();
    lines
}

/// The first words of a passage, on one line.
pub fn snippet(text: &str) -> String {
    const WORDS: usize = 24;
    let words: Vec<&str> = text.split_whitespace().collect();
    let ellipsis = if words.len() > WORDS { " …" } else { "" };
    format!("{}{ellipsis}", words.get(..WORDS).unwrap_or(&words).join(" "))
}
