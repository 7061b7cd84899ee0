//! `campanile questions`: what a large model knows about the passages, compiled into the site.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use std::{fs, io, thread};

use anyhow::{Context as _, bail};
use campanile_build::written;
use campanile_desk::check::{Checker, Fault};
use campanile_desk::prompt::{self, NamedPassage, Pair, of_site};
use campanile_desk::replies::{Replies, Reply};
use campanile_desk::service::Service;
use campanile_questions::review::{Afterwards, FormEnd, Review, form, page};
use campanile_questions::{Category, Gold, Proposal, Question, QuestionKind, Template};
use campanile_terminal::console::replace;
use campanile_terminal::{console, say, tell};
use futures_lite::future::block_on;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::cli::{
    QuestionsAction, QuestionsArguments, QuestionsExportArguments, QuestionsReviewArguments,
    QuestionsWriteArguments,
};

/// Runs one action.
pub fn run(arguments: &QuestionsArguments) -> anyhow::Result<ExitCode> {
    match &arguments.action {
        QuestionsAction::Export(arguments) => export(arguments),
        QuestionsAction::Write(arguments) => write(arguments),
        QuestionsAction::Review(arguments) => review(arguments),
    }
}

/// Writes a line for each passage.
fn export(arguments: &QuestionsExportArguments) -> anyhow::Result<ExitCode> {
    let passages = block_on(of_site(&arguments.site))?;
    let mut text = String::new();
    for passage in &passages {
        text += &serde_json::to_string(&passage.exported(arguments.per_passage.into()))?;
        text.push('\n');
    }
    replace(&arguments.output, &text)?;
    say!(
        "{} in `{}`. Send each line's `messages` to a model, and write its replies as lines {{\"id\": …, \"reply\": \
         …}}; then `campanile questions write {} --replies FILE -o questions.jsonl`.",
        console::count(passages.len(), "passage"),
        arguments.output.display(),
        arguments.site.display()
    );
    Ok(ExitCode::SUCCESS)
}

/// Asks for decisions, or writes the form as a page.
fn review(arguments: &QuestionsReviewArguments) -> anyhow::Result<ExitCode> {
    let file = &arguments.questions;
    let shown = file.display();
    let text = fs::read_to_string(file).with_context(|| {
        format!(
            "cannot read `{shown}`\n  way out: `campanile questions write SITE -o {shown}` makes it"
        )
    })?;
    let mut review = Review::read(&text).with_context(|| format!("in `{shown}`"))?;
    if let Some(path) = &arguments.form {
        let afterwards = Afterwards {
            file_name: file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            then:
                "Put the file in the place of the one that was reviewed, and build the site again."
                    .to_owned(),
        };
        replace(path, &page(&review, &afterwards))?;
        say!(
            "{} to look at in `{}`. Put what it hands out in the place of `{shown}`.",
            console::count(review.proposals.len(), "question"),
            path.display()
        );
        return Ok(ExitCode::SUCCESS);
    }
    let mut save = |review: &Review| replace(file, &review.write());
    let end = form(&mut review, &mut io::stdin().lock(), &mut io::stdout().lock(), &mut save)
        .context("the review stopped")?;
    let progress = review.progress();
    say!("\n{} in `{shown}`: {progress}", console::count(review.proposals.len(), "question"));
    if end == FormEnd::Stopped || progress.undecided > 0 {
        say!("The same command goes on with what is undecided.");
    }
    Ok(ExitCode::SUCCESS)
}

/// The key of a service that wants one: not an argument, which every process of the machine could read.
const KEY: &str = "CAMPANILE_API_KEY";

/// So many characters of a refused question are printed.
const SHOWN: usize = 90;

/// The summary of a run.
#[derive(Debug, Serialize)]
struct Summary {
    /// Passages of the site.
    passages: usize,
    /// Those that a reply is known of.
    replied: usize,
    /// Replies that are not of the form that was asked for.
    unreadable: usize,
    /// Pairs that were taken.
    taken: usize,
    /// Pairs that were not, by reason.
    refused: BTreeMap<&'static str, usize>,
}

/// A pair that was not taken, as it is told.
#[derive(Debug, Serialize)]
struct Refused {
    document: String,
    question: String,
    answer: String,
    #[serde(flatten)]
    fault: Fault,
}

/// Asks, checks and writes.
fn write(arguments: &QuestionsWriteArguments) -> anyhow::Result<ExitCode> {
    let passages = block_on(of_site(&arguments.site))?;
    let mut checker = Checker::open(&arguments.site)?;
    let decided = decided(&arguments.output)?;
    let replies = match (&arguments.replies, &arguments.address) {
        (Some(file), _) => Replies::read(file)?,
        (None, Some(address)) => asked(arguments, address, &passages)?,
        (None, None) => bail!("who writes? `--address` names a model's server, `--replies` a file"),
    };
    if replies.unreadable > 0 {
        tell!(
            "warning: {} of the replies' file hold no reply",
            console::count(replies.unreadable, "line")
        );
    }
    let mut summary = Summary {
        passages: passages.len(),
        replied: 0,
        unreadable: 0,
        taken: 0,
        refused: BTreeMap::new(),
    };
    let mut review = Review::default();
    let mut refused: Vec<Refused> = Vec::new();
    let bar = console::counting_bar(passages.len(), "Checking", "passages");
    for named in &passages {
        bar.inc(1);
        let Some(reply) = replies.get(&named.id) else { continue };
        summary.replied += 1;
        let Some(pairs) = pairs_of(reply) else {
            summary.unreadable += 1;
            continue;
        };
        for pair in pairs {
            match checker.check(&pair, named)? {
                Ok(evidence) => {
                    let new = proposal(&pair, named, &evidence);
                    let known = decided.get(&new.question.id);
                    review.proposals.push(known.cloned().unwrap_or(new));
                }
                Err(fault) => {
                    *summary.refused.entry(fault.reason()).or_default() += 1;
                    let document = named.passage.document.clone();
                    let Pair { question, answer } = pair;
                    refused.push(Refused { document, question, answer, fault });
                }
            }
        }
    }
    bar.finish_and_clear();
    summary.taken = review.proposals.len();
    replace(&arguments.output, &review.write())?;
    let beside = arguments.output.with_extension(written::REFUSED);
    let lines: Vec<String> = refused.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
    replace(&beside, &lines.iter().map(|line| format!("{line}\n")).collect::<String>())?;
    if arguments.json {
        say!("{}", serde_json::to_string_pretty(&summary)?);
    } else {
        print(&summary, &refused, &arguments.output, &beside);
    }
    Ok(ExitCode::SUCCESS)
}

/// Asks about every passage that no reply is known of.
fn asked(
    arguments: &QuestionsWriteArguments,
    address: &str,
    passages: &[NamedPassage],
) -> anyhow::Result<Replies> {
    let count = usize::from(arguments.per_passage);
    let key = std::env::var(KEY).ok().filter(|key| !key.is_empty());
    let service = Service::new(address, &arguments.model, key, arguments.timeout)?;
    let by = format!("{} {} {count}", arguments.model, prompt::VERSION);
    let path = arguments.output.with_extension(written::REPLIES);
    let mut replies = Replies::open(&path, &by, arguments.fresh)?;
    let open: Vec<&NamedPassage> =
        passages.iter().filter(|named| replies.get(&named.id).is_none()).collect();
    if open.len() < passages.len() {
        tell!(
            "{} of {} replied before, in `{}`.",
            passages.len() - open.len(),
            passages.len(),
            path.display()
        );
    }
    let bar = console::rate_bar(open.len(), "Writing", "passages");
    for together in open.chunks(arguments.at_once.into()) {
        let replied: Vec<_> = thread::scope(|scope| {
            let ask = |named: &&NamedPassage| {
                let messages = prompt::messages(&named.passage, count);
                let service = &service;
                scope.spawn(move || service.reply(&messages, count))
            };
            let running: Vec<_> = together.iter().map(ask).collect();
            running.into_iter().map(|one| one.join()).collect()
        });
        // What came is kept, whatever became of the others.
        let mut failed = None;
        for (named, reply) in together.iter().zip(replied) {
            match reply {
                Ok(Ok(text)) => replies.add(Reply {
                    id: named.id.clone(),
                    by: Some(by.clone()),
                    reply: Some(text),
                    questions: None,
                })?,
                Ok(Err(error)) => failed = Some(anyhow::Error::new(error)),
                Err(_) => {
                    failed = Some(anyhow::anyhow!("asking about a passage stopped unexpectedly"))
                }
            }
        }
        if let Some(error) = failed {
            bar.abandon();
            return Err(error).with_context(|| {
                format!(
                    "no questions were written; what was replied is kept in `{}`",
                    path.display()
                )
            });
        }
        bar.inc(together.len() as u64);
    }
    bar.finish_and_clear();
    Ok(replies)
}

fn pairs_of(reply: &Reply) -> Option<Vec<Pair>> {
    reply.questions.clone().or_else(|| prompt::pairs(reply.reply.as_deref()?))
}

/// Decisions of an earlier review of the same file, by id.
fn decided(path: &Path) -> anyhow::Result<BTreeMap<String, Proposal>> {
    if !path.exists() {
        return Ok(BTreeMap::new());
    }
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read `{}`", path.display()))?;
    let review = Review::read(&text).with_context(|| {
        format!(
            "`{}` is there already, and not of this command\n  way out: `-o` with a new name",
            path.display()
        )
    })?;
    let decided = review.proposals.into_iter().filter(|proposal| proposal.decision.is_some());
    Ok(decided.map(|proposal| (proposal.question.id.clone(), proposal)).collect())
}

fn proposal(pair: &Pair, named: &NamedPassage, evidence: &str) -> Proposal {
    let passage = &named.passage;
    let on_one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (asked, stated) = (on_one_line(&pair.question), on_one_line(&pair.answer));
    let digest = Sha256::digest([named.id.as_str(), &asked, &stated].join("\0").as_bytes());
    let id: String = digest.iter().take(6).map(|byte| format!("{byte:02x}")).collect();
    let mut question = Question::new(id, asked, Category::Answerable);
    question.kind = Some(QuestionKind::Factual);
    question.answers = vec![stated];
    question.gold = vec![Gold {
        link: passage.link.clone(),
        ..Gold::passage(&passage.document, on_one_line(evidence))
    }];
    question.reviewed = false;
    Proposal {
        question,
        template: Template::Model,
        document: passage.document.clone(),
        place: passage.place(),
        passage: passage.text.clone(),
        decision: None,
    }
}

fn print(summary: &Summary, refused: &[Refused], output: &Path, beside: &Path) {
    say!(
        "Asked     about {} of {}; replies that could not be read: {}",
        summary.replied,
        console::count(summary.passages, "passage"),
        summary.unreadable
    );
    say!("Written   {} into {}", console::count(summary.taken, "question"), output.display());
    if !refused.is_empty() {
        say!("Refused   {}, each named in {}", refused.len(), beside.display());
        let mut reasons: Vec<(&str, usize)> =
            summary.refused.iter().map(|(reason, count)| (*reason, *count)).collect();
        reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        for (reason, count) in reasons {
            say!("          {count} {reason}");
            if let Some(one) = refused.iter().find(|one| one.fault.reason() == reason) {
                let asked: String = one.question.chars().take(SHOWN).collect();
                let dots = if one.question.chars().count() > SHOWN { "…" } else { "" };
                say!("            \"{asked}{dots}\" ({}) {}", one.document, one.fault);
            }
        }
    }
    say!("");
    say!("Look at them:   campanile questions review {}", output.display());
    say!("Then publish:   [questions] file = \"…\" in campanile.toml, and build again");
}
