//! `campanile eval SITE QUESTIONS`: a site against a question set; with `--calibrate`, how sure answers are is fitted to a
//! department's own questions.

use std::fmt;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use campanile_answer::answer;
use campanile_bundle::{Calibration, Logistic, MANIFEST_PATH, Manifest, SearchOverrides};
use campanile_eval::calibration::{Fit, Observation, Worth, fit};
use campanile_eval::{Considered, Outcome, Report, consider, judge};
use campanile_questions::{Category, Question};
use campanile_retrieve::SearchOptions;
use campanile_terminal::site::{SearchMode, open};
use campanile_terminal::{console, say, tell};
use futures_lite::future::block_on;
use serde::Serialize;

use crate::arguments::EvalSiteArguments;
use crate::question_set;

/// The site and the questions that were named.
pub(crate) fn asked(arguments: &EvalSiteArguments) -> anyhow::Result<(&Path, Vec<Question>)> {
    let (Some(site), Some(path)) = (&arguments.site, &arguments.questions) else {
        bail!("a site and a question set are needed\n  way out: `campanile eval SITE QUESTIONS`");
    };
    Ok((site, question_set(path)?))
}

/// Asks every question and prints the report.
pub(crate) fn run(arguments: &EvalSiteArguments) -> anyhow::Result<ExitCode> {
    let (site, questions) = asked(arguments)?;
    let engine = open(site, arguments.mode)?;
    let options = SearchOptions {
        overrides: SearchOverrides {
            granularity: arguments.granularity.map(Into::into),
            ..SearchOverrides::default()
        },
        retriever: arguments.mode.into(),
        semantics: arguments.mode.into(),
        ..SearchOptions::default()
    };
    let bar = console::counting_bar(questions.len(), "Asking", "questions");
    let mut outcomes: Vec<Outcome> = Vec::new();
    for question in &questions {
        // Who asks, and when, is part of a question.
        let options = SearchOptions { profile: question.asker(), ..options.clone() };
        let reply = block_on(answer(&engine, &question.question, &options))?;
        outcomes.push(judge(question, &reply, engine.manifest().analyzer));
        bar.inc(1);
    }
    bar.finish_and_clear();
    let report = Report::new(&outcomes);
    if arguments.json {
        let all = serde_json::json!({ "report": report, "outcomes": outcomes });
        say!("{}", serde_json::to_string_pretty(&all)?);
    } else {
        say!("{report}");
    }
    Ok(ExitCode::SUCCESS)
}

/// Fewer questions say nothing that chance would not.
const LEAST_QUESTIONS: usize = 20;
/// Thresholds of the table.
const THRESHOLDS: [f64; 8] = [0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6];

/// Asks every question, fits the weights, says what they are worth and writes them into the site.
pub(crate) fn calibrate(arguments: &EvalSiteArguments) -> anyhow::Result<ExitCode> {
    let (site, questions) = asked(arguments)?;
    if questions.len() < LEAST_QUESTIONS {
        bail!(
            "{} are too few to calibrate with\n  way out: at least {LEAST_QUESTIONS}; `campanile eval init` \
             proposes some from the documents",
            console::count(questions.len(), "question")
        );
    }
    // All models: the weights of the words that a reader finds are fitted too.
    let engine = open(site, SearchMode::Hybrid)?;
    let bar = console::counting_bar(questions.len(), "Asking", "questions");
    let mut considered = Vec::new();
    for question in &questions {
        considered.push(block_on(consider(&engine, question))?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    let known = engine.manifest().calibration;
    let ways = [
        Way::new("words", &considered, |one| one.words, &known.words)?,
        Way::new("sentence", &considered, |one| one.sentence, &known.sentence)?,
        Way::new("keywords", &considered, |one| one.keywords, &known.keywords)?,
        Way::new("section", &considered, |one| one.section, &known.section)?,
    ];
    let [words, sentence, keywords, section] = &ways;
    let model = |way: &Option<Way>, before| way.as_ref().map_or(before, |way| way.fit.model);
    let calibration = Calibration {
        words: model(words, known.words),
        sentence: model(sentence, known.sentence),
        keywords: model(keywords, known.keywords),
        section: model(section, known.section),
        ..known
    };
    let Some(best) = ways.iter().flatten().next() else {
        bail!(
            "nobody can tell of any of these questions whether an answer is right\n  way out: give them \
             `answers`, or `gold` with a `passage`"
        );
    };
    if arguments.json {
        let ways = ways.iter().flatten().map(Way::report).collect::<anyhow::Result<_>>()?;
        say!(
            "{}",
            serde_json::to_string_pretty(&CalibrationReport { ways, answers: calibration })?
        );
    } else {
        for way in ways.iter().flatten() {
            way.print()?;
        }
        best.print_reliability()?;
        best.print_thresholds(&calibration);
        say!("\nTo keep it when the site is built again, in campanile.toml:\n");
        say!("{}", settings(&calibration)?);
    }
    write(site, calibration)?;
    tell!("Written into `{}`.", site.join(MANIFEST_PATH).display());
    Ok(ExitCode::SUCCESS)
}

/// One of the ways to come to an answer.
struct Way {
    name: &'static str,
    fit: Fit,
    /// `true` of each question that the documents answer; none of ambiguous ones.
    answerable: Vec<Option<bool>>,
}

impl Way {
    /// `None` where nothing was observed.
    fn new(
        name: &'static str,
        considered: &[Considered],
        of: fn(&Considered) -> Option<Observation>,
        known: &Logistic,
    ) -> anyhow::Result<Option<Self>> {
        let seen = considered.iter().filter_map(|one| Some((of(one)?, one.category)));
        let (observations, categories): (Vec<_>, Vec<_>) = seen.unzip();
        if observations.is_empty() {
            return Ok(None);
        }
        let answerable = |category| match category {
            Category::Answerable => Some(true),
            Category::Unanswerable => Some(false),
            Category::Ambiguous => None,
        };
        Ok(Some(Self {
            name,
            fit: fit(&observations, known)?,
            answerable: categories.into_iter().map(answerable).collect(),
        }))
    }

    fn print(&self) -> anyhow::Result<()> {
        let forecasts = &self.fit.held_back;
        let right = forecasts.iter().filter(|one| one.outcome).count();
        say!("{} ({} of {} right)", self.title(), right, forecasts.len());
        for (name, forecasts) in [("as it was", &self.fit.before), ("fitted", forecasts)] {
            let worth = Worth::of(forecasts)?;
            let auroc = worth.auroc.map_or("-".to_owned(), |area| format!("{area:.3}"));
            say!(
                "  {name:<12} calibration error {:.3}   Brier {:.3}   AUROC {auroc}",
                worth.calibration_error,
                worth.brier
            );
        }
        Ok(())
    }

    fn title(&self) -> &'static str {
        match self.name {
            "words" => "Words that the reader finds",
            "sentence" => "The nearest sentence, without a reader",
            "section" => "The passage that covers it",
            _ => "The sentence with the question's words, by keywords alone",
        }
    }

    fn print_reliability(&self) -> anyhow::Result<()> {
        say!(
            "\nHow often answers are right by how sure they are ({} bins, held back):",
            Worth::BINS
        );
        say!("  {:<12} {:>9} {:>7} {:>7}", "sure", "answers", "mean", "right");
        for bin in Worth::of(&self.fit.held_back)?.bins {
            let (Some(mean), Some(right)) = (bin.mean_confidence, bin.accuracy) else { continue };
            let bar = "#".repeat((right * 30.0).round() as usize);
            say!(
                "  {:.1} to {:.1}   {:>9} {mean:>7.2} {right:>7.2}  {bar}",
                bin.lower,
                bin.upper,
                bin.count
            );
        }
        Ok(())
    }

    fn print_thresholds(&self, calibration: &Calibration) {
        say!("\nWhat `refuse_below` does (it is {}):", calibration.refuse_below);
        say!(
            "  {:<7} {:>22} {:>20} {:>20}",
            "below",
            "unanswerable refused",
            "answerable refused",
            "right if answered"
        );
        for threshold in THRESHOLDS {
            let does = self.at(threshold);
            say!(
                "  {threshold:<7.2} {:>22} {:>20} {:>20}",
                does.unanswerable_refused.to_string(),
                does.answerable_refused.to_string(),
                does.right_if_answered.to_string()
            );
        }
    }

    /// Counts what refusing below a threshold does to the questions.
    fn at(&self, threshold: f64) -> Refusing {
        let forecasts = || self.fit.held_back.iter().zip(&self.answerable);
        let refused = |wanted: bool| {
            let of = forecasts().filter(|(_, answerable)| **answerable == Some(wanted));
            Share::of(of.map(|(one, _)| one.confidence < threshold))
        };
        let given = forecasts().filter(|(one, _)| one.confidence >= threshold);
        Refusing {
            below: threshold,
            unanswerable_refused: refused(false),
            answerable_refused: refused(true),
            right_if_answered: Share::of(given.map(|(one, _)| one.outcome)),
        }
    }

    fn report(&self) -> anyhow::Result<WayReport> {
        Ok(WayReport {
            way: self.name,
            answers: self.fit.held_back.len(),
            before: Worth::of(&self.fit.before)?,
            held_back: Worth::of(&self.fit.held_back)?,
            thresholds: THRESHOLDS.map(|threshold| self.at(threshold)),
        })
    }
}

/// The printed report, as JSON; not the forecasts themselves, one for each question.
#[derive(Serialize)]
struct CalibrationReport {
    ways: Vec<WayReport>,
    answers: Calibration,
}

/// A way's part of the report.
#[derive(Serialize)]
struct WayReport {
    way: &'static str,
    answers: usize,
    before: Worth,
    held_back: Worth,
    thresholds: [Refusing; THRESHOLDS.len()],
}

/// A row of the table of thresholds.
#[derive(Serialize)]
struct Refusing {
    below: f64,
    unanswerable_refused: Share,
    answerable_refused: Share,
    right_if_answered: Share,
}

/// So many of so many.
#[derive(Serialize)]
struct Share {
    count: usize,
    total: usize,
}

impl Share {
    fn of(all: impl Iterator<Item = bool>) -> Self {
        all.fold(Self { count: 0, total: 0 }, |share, one| Self {
            count: share.count + usize::from(one),
            total: share.total + 1,
        })
    }
}

impl fmt::Display for Share {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { count, total } = *self;
        match total {
            0 => formatter.write_str("-"),
            _ => write!(formatter, "{:.2} ({count} of {total})", count as f64 / total as f64),
        }
    }
}

/// `[answers]` as `campanile.toml` takes it.
fn settings(calibration: &Calibration) -> anyhow::Result<String> {
    let weights = |model: &Logistic| -> anyhow::Result<String> {
        let value = serde_json::to_value(model)?;
        let fields = value.as_object().into_iter().flatten();
        // What is 0 is 0 by default.
        let set = fields.filter(|(_, weight)| weight.as_f64() != Some(0.0));
        let set: Vec<String> = set
            .map(|(name, weight)| format!("{name} = {:.3}", weight.as_f64().unwrap_or_default()))
            .collect();
        Ok(format!("{{ {} }}", set.join(", ")))
    };
    Ok(format!(
        "[answers]\nrefuse_below = {:.2}\nsure_from = {:.2}\nsection_from = {:.2}\nentry_from = {:.2}\nrefuse_section_below = {:.2}\nwords = {}\nsentence = {}\nkeywords = {}\nsection = {}\nentry = {}",
        calibration.refuse_below,
        calibration.sure_from,
        calibration.section_from,
        calibration.entry_from,
        calibration.refuse_section_below,
        weights(&calibration.words)?,
        weights(&calibration.sentence)?,
        weights(&calibration.keywords)?,
        weights(&calibration.section)?,
        weights(&calibration.entry)?
    ))
}

/// Writes the calibration into a site's manifest, beside it first: an interruption leaves the old one whole.
fn write(site: &Path, calibration: Calibration) -> anyhow::Result<()> {
    let path = site.join(MANIFEST_PATH);
    let bytes =
        std::fs::read(&path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let mut manifest = Manifest::decode(&bytes)?;
    manifest.calibration = calibration;
    let beside = path.with_extension("json.new");
    std::fs::write(&beside, manifest.encode()?)
        .and_then(|()| std::fs::rename(&beside, &path))
        .with_context(|| format!("cannot write `{}`", path.display()))
}
