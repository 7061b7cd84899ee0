//! `campanile eval prose`: what a site's language model writes, judged sentence by sentence.

use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::{fs, io};

use anyhow::Context as _;
use campanile_answer::{CitedSentence, Reply, answer};
use campanile_eval::judged_prose::{JudgedPassage, JudgedSentence, ProseTally, judge_sentences};
use campanile_questions::Question;
use campanile_retrieve::SearchOptions;
use campanile_terminal::console::replace;
use campanile_terminal::models::{ProseWriter, WrittenProse};
use campanile_terminal::site::{SearchMode, open};
use campanile_terminal::{console, say};
use futures_lite::future::block_on;

use crate::arguments::{EvalProseAction, EvalProseJudgeArguments, EvalProseWriteArguments};
use crate::{question_set, read, read_if_there};

/// Runs one action.
pub(crate) fn run(action: &EvalProseAction) -> anyhow::Result<ExitCode> {
    match action {
        EvalProseAction::Write(arguments) => write(arguments),
        EvalProseAction::Judge(arguments) => judge(arguments),
    }
}

/// Asks every question and has the model word the answers for which a page offers it.
fn write(arguments: &EvalProseWriteArguments) -> anyhow::Result<ExitCode> {
    let questions = question_set(&arguments.questions)?;
    let engine = open(&arguments.site, SearchMode::Hybrid)?;
    let writer = ProseWriter::open(&arguments.site, &engine)?;
    let file = &arguments.output;
    let before = parsed(file, &read_if_there(file)?)?;
    let is_written = |question: &&Question| !before.iter().any(|it| it.id == question.id);
    let wanted: Vec<&Question> = questions.iter().filter(is_written).collect();
    let mut out = fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(file)
        .with_context(|| format!("cannot write `{}`", file.display()))?;
    let asked = wanted.len();
    let bar = console::counting_bar(asked, "Writing", "questions");
    let (mut worded, mut sentences) = (0, 0);
    for question in wanted {
        let options = SearchOptions { profile: question.asker(), ..SearchOptions::default() };
        let reply = block_on(answer(&engine, &question.question, &options))?;
        if let Some(written) = writer.write(&engine, &reply)? {
            let made: Vec<JudgedSentence> = written
                .sentences
                .iter()
                .map(|one| to_judge(question, &reply, &written, one))
                .collect();
            // All of a question at once, so that a run that was broken off goes on with whole questions.
            out.write_all(JudgedSentence::write_all(&made)?.as_bytes())
                .with_context(|| format!("cannot write `{}`", file.display()))?;
            worded += 1;
            sentences += made.len();
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    say!(
        "{} asked, {worded} of them with an answer that a page offers to word. {} in `{}`:\n\
         `campanile eval prose judge {}` asks you about each.",
        console::count(asked, "question"),
        console::count(before.len() + sentences, "sentence"),
        file.display(),
        file.display()
    );
    Ok(ExitCode::SUCCESS)
}

fn to_judge(
    question: &Question,
    reply: &Reply,
    written: &WrittenProse,
    sentence: &CitedSentence,
) -> JudgedSentence {
    // A sentence may be found in a source that the model was not given; a person has to see that one too.
    let mut numbers = written.told.clone();
    numbers.extend(sentence.source.filter(|cited| !written.told.contains(cited)));
    let sources = numbers.iter().filter_map(|number| reply.sources.get(number.checked_sub(1)?));
    JudgedSentence {
        site: None,
        id: question.id.clone(),
        question: question.question.clone(),
        passages: sources
            .map(|source| JudgedPassage {
                title: source.title.clone(),
                section: source.section.join(" › "),
                text: source.text.clone(),
            })
            .collect(),
        reply: written.text.clone(),
        sentence: sentence.span.slice(&written.text).unwrap_or_default().to_owned(),
        support: Some(sentence.support),
        entailed: sentence.entailed,
        is_true: None,
        answers: None,
        why: String::new(),
    }
}

/// Asks a person about what nobody has judged, and says what the sentences are worth.
fn judge(arguments: &EvalProseJudgeArguments) -> anyhow::Result<ExitCode> {
    let file = &arguments.sentences;
    let mut sentences = parsed(file, &read(file)?)?;
    if !(arguments.tally || arguments.json) {
        let mut save = |sentences: &[JudgedSentence]| {
            replace(file, &JudgedSentence::write_all(sentences).map_err(io::Error::other)?)
        };
        judge_sentences(
            &mut sentences,
            &mut io::stdin().lock(),
            &mut io::stdout().lock(),
            &mut save,
        )
        .context("the judging stopped")?;
        say!("");
    }
    let tally = ProseTally::of(&sentences);
    if arguments.json {
        say!("{}", serde_json::to_string_pretty(&tally)?);
    } else {
        say!("{tally}");
    }
    if tally.undecided > 0 && !arguments.json {
        say!("`campanile eval prose judge {}` goes on with them.", file.display());
    }
    Ok(ExitCode::SUCCESS)
}

/// The judged sentences of a file that has this text.
///
/// # Errors
/// The first line that is none.
pub(crate) fn parsed(file: &Path, text: &str) -> anyhow::Result<Vec<JudgedSentence>> {
    JudgedSentence::read_all(text).with_context(|| format!("in `{}`", file.display()))
}
