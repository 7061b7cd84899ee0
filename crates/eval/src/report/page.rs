//! The report as a page: one file that requests nothing, readable in light and dark and on paper.

use campanile_build::REPORT_STYLE;
use minijinja::value::Value;
use minijinja::{AutoEscape, Environment, context};
use serde::Serialize;

use super::evidence::{CONFIDENCE_PERCENT, SIGNIFICANCE};
use super::figures::{figures, shown};
use super::metrics::headlines;
use super::model::{Case, ExperimentReport, LossCount, QuestionRow, Row, SetReport};
use super::plot::{Figure, key, patterns};
use super::sentences::{Piece, Sentence};
use super::{ReportSettings, words};
use crate::experiment::Loss;

pub(super) const OWN_STYLE: &str = include_str!("page/evaluation.css");
const SCRIPT: &str = include_str!("page/filter.js");
/// The SHA-256 of [`SCRIPT`], the one script that the page's security policy lets run.
const SCRIPT_HASH: &str = "sha256-rOGhes7w6yHt5IO+ap3vSQhVskW8E4RehHhlLYNu+j4=";
const TEMPLATES: [(&str, &str); 6] = [
    ("page", include_str!("page/page.html")),
    ("macros", include_str!("page/macros.html")),
    ("set", include_str!("page/set.html")),
    ("tables", include_str!("page/tables.html")),
    ("cases", include_str!("page/cases.html")),
    ("questions", include_str!("page/questions.html")),
];

/// A set as the page's templates take it, with its figures as text.
#[derive(Serialize)]
struct SetView<'a> {
    place: usize,
    name: &'a str,
    total: usize,
    /// In the order of the categories, which a map of the templates would not keep.
    questions: Vec<(&'static str, usize)>,
    summary: Vec<&'a [Piece]>,
    metrics: &'a [super::Metric],
    headlines: Vec<&'a super::Metric>,
    rows: &'a [Row],
    /// Metric, configuration and what is to be said of the comparison.
    cautions: Vec<(&'a str, &'a str, &'a str)>,
    figures: Vec<String>,
    losses: &'a [LossCount],
    leader: &'a str,
    leading_row: Option<&'a Row>,
    cases: &'a [Case],
    failures: usize,
    by_question: &'a [QuestionRow],
    /// The configurations that the table of questions has columns for.
    columns: Vec<&'a str>,
}

/// The page.
pub(crate) fn render(
    report: &ExperimentReport,
    settings: &ReportSettings,
) -> Result<String, minijinja::Error> {
    let environment = environment()?;
    let sets = report.sets.iter().enumerate();
    let sets: Vec<SetView> = sets.map(|(place, set)| view(place, set, settings)).collect();
    environment.get_template("page")?.render(context! {
        generator => report.generator,
        title => report.title,
        made => report.made,
        machine => report.machine,
        command => report.command,
        configurations => report.configurations,
        sets => sets,
        prose => report.prose,
        confidence => CONFIDENCE_PERCENT,
        significance => SIGNIFICANCE,
        shared_style => Value::from_safe_string(REPORT_STYLE.to_owned()),
        own_style => Value::from_safe_string(OWN_STYLE.to_owned()),
        script_hash => SCRIPT_HASH,
        script => Value::from_safe_string(SCRIPT.to_owned()),
        patterns => Value::from_safe_string(patterns()),
    })
}

fn view<'a>(place: usize, set: &'a SetReport, settings: &ReportSettings) -> SetView<'a> {
    let rows = settings.questions.min(set.by_question.len());
    SetView {
        place,
        name: &set.name,
        total: set.total,
        questions: set
            .questions
            .iter()
            .map(|(category, number)| (category.name(), *number))
            .collect(),
        summary: set.summary.iter().map(|sentence: &Sentence| sentence.pieces.as_slice()).collect(),
        metrics: &set.metrics,
        headlines: headlines(&set.metrics),
        rows: &set.rows,
        cautions: set.cautions(),
        figures: figures(set, &format!("set-{place}")).iter().map(Figure::html).collect(),
        losses: &set.losses,
        leader: &set.leader,
        leading_row: set.rows.iter().find(|row| row.configuration == set.leader),
        cases: &set.cases,
        failures: set.failures,
        by_question: &set.by_question[..rows],
        columns: shown(set).into_iter().map(|row| row.configuration.as_str()).collect(),
    }
}

/// The templates with the ways in which numbers are written. Everything that is put in is escaped,
/// but what was drawn here.
fn environment() -> Result<Environment<'static>, minijinja::Error> {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.set_trim_blocks(true);
    environment.set_lstrip_blocks(true);
    environment.add_filter("score", words::score);
    environment.add_filter("brief", words::brief);
    environment.add_filter("difference", words::difference);
    environment.add_filter("percent", words::percent);
    environment.add_filter("ms", words::milliseconds);
    environment.add_filter("probability", words::probability);
    environment.add_filter("number", words::count);
    environment.add_filter("counted", |number: usize, noun: &str| words::counted(number, noun));
    environment
        .add_filter("loss_meaning", |loss: Value| loss_of(&loss).map_or("", words::loss_meaning));
    environment.add_filter("drawn", Value::from_safe_string);
    environment.add_function("key", |series: usize| Value::from_safe_string(key(series)));
    for (name, source) in TEMPLATES {
        environment.add_template(name, source)?;
    }
    Ok(environment)
}

fn loss_of(value: &Value) -> Option<Loss> {
    serde_json::from_value(serde_json::Value::String(value.to_string())).ok()
}
