//! Question sets: `campanile eval init` makes one from a site's own documents, `import` takes another project's, `agreement` lays
//! two people's work on the same questions side by side.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use campanile_build::language_model::loaded;
use campanile_bundle::{Bundle, ChunkId, DirectoryFetch, DocumentId};
use campanile_eval::agreement::{Annotation, agreement, read_annotations};
use campanile_eval::import::{
    DOCUMENTS_FOLDER, ImportedSet, QUESTIONS_FILE, SetFiles, beir, cmu, cranfield, csv, scifact,
    squad, visitors, write_set,
};
use campanile_eval::proposals::written::{STOP, prompt};
use campanile_eval::proposals::{ProposalOptions, Proposals, propose, sample};
use campanile_model::{ChatMessage, GenerateOptions};
use campanile_model_store::Store;
use campanile_questions::review::{Afterwards, FormEnd, Review, form, page};
use campanile_questions::{Question, SourcePassage, passages_of, read_questions, write_questions};
use campanile_terminal::console::replace;
use campanile_terminal::models::find_or_fetch;
use campanile_terminal::{console, say, tell};
use campanile_text::Analyzer;
use futures_lite::future::block_on;
use serde_json::json;

use crate::arguments::{EvalAgreementArguments, EvalImportArguments, EvalInitArguments, SetLayout};
use crate::read;

/// The two files of a review.
struct Files {
    questions: PathBuf,
    review: PathBuf,
    /// Questions of the set that were never proposed: a person's own.
    own: Vec<Question>,
}

/// Proposes, or goes on with what was proposed, and asks for decisions.
pub(crate) fn run_init(arguments: &EvalInitArguments) -> anyhow::Result<ExitCode> {
    let mut files = Files {
        questions: arguments.output.clone(),
        review: arguments.output.with_extension("review.jsonl"),
        own: Vec::new(),
    };
    let mut review = match files.review.exists() {
        true => go_on(&mut files)?,
        false => begin(arguments, &files)?,
    };
    if let Some(path) = &arguments.form {
        files.save(&review, false)?;
        let afterwards = Afterwards {
            file_name: files.review.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            then: "Put the file beside the question set, and run campanile eval init again."
                .to_owned(),
        };
        replace(path, &page(&review, &afterwards))?;
        say!(
            "{} to look at in `{}`. Put what it hands out in the place of `{}`, then run this \
             command without `--form`.",
            console::count(review.proposals.len(), "question"),
            path.display(),
            files.review.display()
        );
        return Ok(ExitCode::SUCCESS);
    }
    if arguments.accept_all {
        files.save(&review, true)?;
        say!("{}", files.summary(&review, true));
        return Ok(ExitCode::SUCCESS);
    }
    let mut save = |review: &Review| files.save(review, false);
    let end = form(&mut review, &mut io::stdin().lock(), &mut io::stdout().lock(), &mut save)
        .context("the review stopped")?;
    files.save(&review, false)?;
    say!("\n{}", files.summary(&review, false));
    if end == FormEnd::Stopped || review.progress().undecided > 0 {
        say!("The same command goes on with what is undecided.");
    }
    Ok(ExitCode::SUCCESS)
}

fn go_on(files: &mut Files) -> anyhow::Result<Review> {
    let mut review = Review::read(&read(&files.review)?)
        .with_context(|| format!("in `{}`", files.review.display()))?;
    let set = if files.questions.exists() { read(&files.questions)? } else { String::new() };
    if !set.trim().is_empty() {
        let set =
            read_questions(&set).with_context(|| format!("in `{}`", files.questions.display()))?;
        files.own = review.adopt(set);
    }
    tell!("Going on with `{}`: {}.", files.review.display(), review.progress());
    Ok(review)
}

fn begin(arguments: &EvalInitArguments, files: &Files) -> anyhow::Result<Review> {
    if files.questions.exists() {
        bail!(
            "`{}` is there already, and no review beside it\n  way out: `-o` with a new name",
            files.questions.display()
        );
    }
    let bundle = block_on(Bundle::open(DirectoryFetch::new(&arguments.site)))
        .with_context(|| format!("cannot open the site `{}`", arguments.site.display()))?;
    let passages = block_on(drawn(&bundle, arguments.passages, arguments.seed))?;
    let written = match &arguments.model {
        Some(model) => write_questions_about(model, &passages, arguments.model_passages)?,
        None => Vec::new(),
    };
    let options = ProposalOptions {
        count: arguments.count,
        seed: arguments.seed,
        ..ProposalOptions::default()
    };
    let analyzer = Analyzer::new(bundle.manifest().analyzer);
    let mut knows = |word: &str| {
        let term = analyzer.analyze(word).into_iter().next().map(|token| token.term);
        // A shard that cannot be read may hold the word, and so it is taken for known.
        term.is_none_or(|term| {
            let postings = block_on(bundle.chunk_index().postings(&[term])).pop();
            postings.is_none_or(|postings| postings.map_or(true, |found| !found.is_empty()))
        })
    };
    let proposals = propose(&passages, &written, &options, &mut knows);
    tell(&proposals, passages.len());
    if proposals.proposals.is_empty() {
        bail!(
            "no question could be made from these passages\n  way out: another `--seed`, more \
             `--passages`, or `--model smollm2-135m-instruct`"
        );
    }
    let review = Review { proposals: proposals.proposals };
    files.save(&review, false)?;
    Ok(review)
}

/// Passages of the site, drawn at random, in the order drawn.
async fn drawn(
    bundle: &Bundle<DirectoryFetch>,
    count: usize,
    seed: u64,
) -> anyhow::Result<Vec<SourcePassage>> {
    let head = bundle.documents_head().await?;
    let mut of_document: BTreeMap<DocumentId, Vec<SourcePassage>> = BTreeMap::new();
    let mut passages = Vec::new();
    for chunk in sample(head.chunk_count(), count, seed) {
        let place = bundle.document_of_chunk(ChunkId(chunk)).await?;
        // Documents are decoded once, however many of their passages are drawn.
        let known = match of_document.entry(place.document) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let record = bundle.document(place.document).await?;
                new.insert(passages_of(&record))
            }
        };
        passages.extend(known.get(place.number as usize).cloned());
    }
    Ok(passages)
}

/// "40 questions are proposed from 200 passages. Dropped: 3 (proposed before)."
fn tell(proposals: &Proposals, passages: usize) {
    let questions = console::count(proposals.proposals.len(), "question");
    let passages = console::count(passages, "passage");
    let mut text = format!("{questions} proposed from {passages}.");
    let dropped: Vec<String> =
        proposals.dropped.iter().map(|(reason, count)| format!("{count} ({reason})")).collect();
    if !dropped.is_empty() {
        text += &format!(" Dropped: {}.", dropped.join(", "));
    }
    tell!("{text}");
}

impl Files {
    /// Writes both files, each whole or not at all.
    fn save(&self, review: &Review, with_undecided: bool) -> io::Result<()> {
        replace(&self.review, &review.write())?;
        replace(&self.questions, &write_questions(&self.set(review, with_undecided)))
    }

    /// The accepted questions, then a person's own.
    fn set(&self, review: &Review, with_undecided: bool) -> Vec<Question> {
        let mut set = review.questions(with_undecided);
        set.extend(self.own.iter().cloned());
        set
    }

    /// "12 questions in `questions.jsonl`; 10 accepted, 2 edited, 3 rejected, 25 undecided"
    fn summary(&self, review: &Review, with_undecided: bool) -> String {
        let questions = console::count(self.set(review, with_undecided).len(), "question");
        format!("{questions} in `{}`; {}", self.questions.display(), review.progress())
    }
}

/// A question and its answer take fewer.
const MOST_TOKENS: usize = 96;

/// The model's replies about each of the first `count` passages.
///
/// # Errors
/// Where the model cannot be had or run.
pub(crate) fn write_questions_about(
    model: &str,
    passages: &[SourcePassage],
    count: usize,
) -> anyhow::Result<Vec<Option<String>>> {
    let installed = find_or_fetch(&Store::open(None)?, model)?;
    let (mut decoder, template) = loaded(&installed)?;
    let count = passages.len().min(count);
    let bar = console::counting_bar(count, "Writing", "passages");
    let mut replies = Vec::with_capacity(count);
    for passage in passages.iter().take(count) {
        bar.inc(1);
        let Some(asked) = prompt(passage) else {
            replies.push(None);
            continue;
        };
        let examples = asked.examples.iter().copied();
        let messages = ChatMessage::conversation(asked.system, examples, &asked.user);
        let tokens = decoder.chat_tokens(&template, &messages)?;
        let options = GenerateOptions {
            stop: STOP.map(str::to_owned).to_vec(),
            ..GenerateOptions::greedy(MOST_TOKENS)
        };
        let mut reply = String::new();
        block_on(decoder.generate(&tokens, &options, |piece| {
            reply.push_str(piece);
            ControlFlow::Continue(())
        }))?;
        replies.push(Some(reply));
    }
    bar.finish_and_clear();
    Ok(replies)
}

/// Reads the set, writes it, and says what to do with it.
pub(crate) fn run_import(arguments: &EvalImportArguments) -> anyhow::Result<ExitCode> {
    let set = read_set(arguments)
        .with_context(|| format!("cannot import `{}`", arguments.source.display()))?;
    write_set(&set, &arguments.to)?;
    if arguments.json {
        say!("{}", serde_json::to_string_pretty(&as_json(&set))?);
    } else {
        print_set(&set, &arguments.to);
    }
    Ok(ExitCode::SUCCESS)
}

fn read_set(arguments: &EvalImportArguments) -> anyhow::Result<ImportedSet> {
    let split = arguments.split.as_deref();
    let has_splits = matches!(arguments.layout, SetLayout::Beir | SetLayout::Scifact);
    if split.is_some() && !has_splits {
        bail!("`--split` is for beir and scifact\n  way out: leave it out");
    }
    let name = arguments.source.file_name().unwrap_or_default().to_string_lossy();
    let files = || SetFiles::open(&arguments.source);
    Ok(match arguments.layout {
        SetLayout::Squad => squad(&name, &text(&arguments.source)?)?,
        SetLayout::Csv => csv(&name, &text(&arguments.source)?)?,
        SetLayout::Visitors => visitors(&name, &text(&arguments.source)?)?,
        SetLayout::Beir => beir(&files()?, split)?,
        SetLayout::Scifact => scifact(&files()?, split)?,
        SetLayout::Cranfield => cranfield(&files()?)?,
        SetLayout::Cmu => cmu(&files()?)?,
    })
}

/// The text of a set that is one file.
fn text(source: &Path) -> anyhow::Result<String> {
    if source.is_dir() {
        bail!("a file is expected, and this is a folder\n  way out: name the file in it");
    }
    let files = SetFiles::open(source)?;
    let name = files.names().next().context("no file in it")?;
    Ok(files.text(name)?)
}

fn print_set(set: &ImportedSet, folder: &Path) {
    let folder = folder.display();
    let categories: Vec<String> =
        categories(set).into_iter().map(|(name, count)| format!("{count} {name}")).collect();
    let questions = console::count(set.questions.len(), "question");
    say!("{questions} ({}) in `{folder}/{QUESTIONS_FILE}`", categories.join(", "));
    if !set.documents.is_empty() {
        let documents = console::count(set.documents.len(), "document");
        say!("{documents} in `{folder}/{DOCUMENTS_FOLDER}`");
    }
    for remark in &set.remarks {
        say!("note: {remark}");
    }
    let site = if set.documents.is_empty() { "SITE" } else { "site" };
    say!("\nNext:");
    if !set.documents.is_empty() {
        say!("  campanile build {folder}/{DOCUMENTS_FOLDER} -o site --index-only");
    }
    say!("  campanile eval {site} {folder}/{QUESTIONS_FILE}");
}

fn as_json(set: &ImportedSet) -> serde_json::Value {
    json!({
        "questions": set.questions.len(),
        "categories": categories(set),
        "documents": set.documents.len(),
        "remarks": set.remarks,
    })
}

fn categories(set: &ImportedSet) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for question in &set.questions {
        *counts.entry(question.category.name()).or_insert(0) += 1;
    }
    counts
}

/// Compares two files and prints what was found.
pub(crate) fn run_agreement(arguments: &EvalAgreementArguments) -> anyhow::Result<ExitCode> {
    let (first, second) = (annotations(&arguments.first)?, annotations(&arguments.second)?);
    let found = agreement(&first, &second);
    if found.shared == 0 {
        bail!(
            "`{}` and `{}` have no question in common\n  way out: both have to begin with the same \
             proposals; copy one review before the first decision",
            arguments.first.display(),
            arguments.second.display()
        );
    }
    if arguments.json {
        say!("{}", serde_json::to_string_pretty(&found)?);
    } else {
        say!("{}", found.to_string().trim_end());
    }
    Ok(ExitCode::SUCCESS)
}

fn annotations(path: &Path) -> anyhow::Result<Vec<Annotation>> {
    read_annotations(&read(path)?).with_context(|| format!("in `{}`", path.display()))
}
