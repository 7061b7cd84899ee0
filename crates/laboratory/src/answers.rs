//! `campanile eval answers`: the replies of sites as a student would see them, judged one by one.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use campanile_answer::answer;
use campanile_eval::judged_answers::{AnswerTally, JudgedAnswer, judge_answers};
use campanile_retrieve::SearchOptions;
use campanile_terminal::console::replace;
use campanile_terminal::reply::{write_answer, write_sources};
use campanile_terminal::site::{SearchMode, open};
use campanile_terminal::{console, say};
use futures_lite::future::block_on;

use crate::arguments::{EvalAnswersAction, EvalAnswersJudgeArguments, EvalAnswersWriteArguments};
use crate::{question_set, read, read_if_there};

/// Runs one action.
pub(crate) fn run(action: &EvalAnswersAction) -> anyhow::Result<ExitCode> {
    match action {
        EvalAnswersAction::Write(arguments) => write(arguments),
        EvalAnswersAction::Judge(arguments) => judge(arguments),
    }
}

/// Asks every question, and puts the replies behind those that the file has.
fn write(arguments: &EvalAnswersWriteArguments) -> anyhow::Result<ExitCode> {
    let questions = question_set(&arguments.questions)?;
    let file = &arguments.output;
    let mut answers = parsed(file, &read_if_there(file)?)?;
    let name = match &arguments.name {
        Some(name) => name.clone(),
        None => name_of(&arguments.site)?,
    };
    let before: BTreeSet<(String, String)> =
        answers.iter().map(|it| (it.site.clone(), it.id.clone())).collect();
    let is_new = |id: &str| !before.contains(&(name.clone(), id.to_owned()));
    let engine = open(&arguments.site, SearchMode::Hybrid)?;
    let contact = engine.manifest().contact.clone();
    let bar = console::counting_bar(questions.len(), "Asking", "questions");
    let judged = answers.clone();
    let mut asked = 0;
    for question in &questions {
        bar.inc(1);
        if !is_new(&question.id) {
            continue;
        }
        let options = SearchOptions { profile: question.asker(), ..SearchOptions::default() };
        let reply = block_on(answer(&engine, &question.question, &options))?;
        let shown = in_words(|out| write_answer(out, &reply, &contact))?;
        let sources = in_words(|out| write_sources(out, &reply))?;
        let mut one = JudgedAnswer::new(&name, question, reply.answer.kind, shown, sources);
        one.adopt(&judged);
        answers.push(one);
        asked += 1;
        save(file, &answers)?;
    }
    bar.finish_and_clear();
    say!(
        "{} asked of `{name}`; {} in `{}`, {} to judge:\n`campanile eval answers judge {}` asks you about each.",
        console::count(asked, "question"),
        console::count(answers.len(), "answer"),
        file.display(),
        AnswerTally::of(&answers).undecided(),
        file.display()
    );
    Ok(ExitCode::SUCCESS)
}

/// What is written of a reply.
fn in_words(write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>) -> anyhow::Result<String> {
    let mut text = Vec::new();
    write(&mut text)?;
    String::from_utf8(text).context("a reply is no text")
}

/// The folder's name: by it the site is known in the file.
fn name_of(site: &Path) -> anyhow::Result<String> {
    match site.file_name() {
        Some(name) => Ok(name.to_string_lossy().into_owned()),
        None => bail!("`{}` has no name\n  way out: `--name NAME`", site.display()),
    }
}

/// Asks a person about what nobody has judged, and says what the sites are worth.
fn judge(arguments: &EvalAnswersJudgeArguments) -> anyhow::Result<ExitCode> {
    let file = &arguments.answers;
    let mut answers = parsed(file, &read(file)?)?;
    if !(arguments.tally || arguments.json) {
        let mut save = |answers: &[JudgedAnswer]| save(file, answers);
        judge_answers(&mut answers, &mut io::stdin().lock(), &mut io::stdout().lock(), &mut save)
            .context("the judging stopped")?;
        say!("");
    }
    let tally = AnswerTally::of(&answers);
    if arguments.json {
        say!("{}", serde_json::to_string_pretty(&tally)?);
        return Ok(ExitCode::SUCCESS);
    }
    say!("{}", tally.to_string().trim_end());
    if tally.undecided() > 0 {
        say!("`campanile eval answers judge {}` goes on with what is undecided.", file.display());
    }
    Ok(ExitCode::SUCCESS)
}

fn save(file: &Path, answers: &[JudgedAnswer]) -> io::Result<()> {
    replace(file, &JudgedAnswer::write_all(answers).map_err(io::Error::other)?)
}

fn parsed(file: &Path, text: &str) -> anyhow::Result<Vec<JudgedAnswer>> {
    JudgedAnswer::read_all(text).with_context(|| format!("in `{}`", file.display()))
}
