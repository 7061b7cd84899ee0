//! The report as a page: one file that requests nothing, readable in light and dark and on paper; and as Markdown,
//! for a merge request, a terminal, a repository.

use campanile_build::REPORT_STYLE;
use campanile_questions::on_one_line;
use minijinja::value::Value;
use minijinja::{AutoEscape, Environment, context, escape_formatter};
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
/// The one template whose text is not HTML.
const MARKDOWN: &str = "report.md";
const TEMPLATES: [(&str, &str); 7] = [
    ("page", include_str!("page/page.html")),
    ("macros", include_str!("page/macros.html")),
    ("set", include_str!("page/set.html")),
    ("tables", include_str!("page/tables.html")),
    ("cases", include_str!("page/cases.html")),
    ("questions", include_str!("page/questions.html")),
    (MARKDOWN, include_str!("page/report.md")),
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
    figures: Vec<Figure>,
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
pub(crate) fn page(
    report: &ExperimentReport,
    settings: &ReportSettings,
) -> Result<String, minijinja::Error> {
    render("page", report, settings)
}

/// The report as Markdown: summary, tables, the numbers of the plots, the worst failures in short.
pub(crate) fn markdown(report: &ExperimentReport) -> Result<String, minijinja::Error> {
    render(MARKDOWN, report, &ReportSettings::default())
}

fn render(
    template: &str,
    report: &ExperimentReport,
    settings: &ReportSettings,
) -> Result<String, minijinja::Error> {
    let environment = environment()?;
    let sets = report.sets.iter().enumerate();
    let sets: Vec<SetView> = sets.map(|(place, set)| view(place, set, settings)).collect();
    environment.get_template(template)?.render(context! {
        sets => sets,
        confidence => CONFIDENCE_PERCENT,
        significance => SIGNIFICANCE,
        shared_style => Value::from_safe_string(REPORT_STYLE.to_owned()),
        own_style => Value::from_safe_string(OWN_STYLE.to_owned()),
        script_hash => SCRIPT_HASH,
        script => Value::from_safe_string(SCRIPT.to_owned()),
        patterns => Value::from_safe_string(patterns()),
        ..Value::from_serialize(report)
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
        figures: figures(set, &format!("set-{place}")),
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
    environment.set_auto_escape_callback(|template| match template {
        MARKDOWN => AutoEscape::Custom(MARKDOWN),
        _ => AutoEscape::Html,
    });
    environment.set_formatter(|out, state, value| match state.auto_escape() {
        AutoEscape::Custom(_) if !value.is_safe() => {
            Ok(out.write_str(&escaped(&value.to_string()))?)
        }
        _ => escape_formatter(out, state, value),
    });
    environment.set_trim_blocks(true);
    environment.set_lstrip_blocks(true);
    environment.add_filter("score", words::score);
    environment.add_filter("brief", words::brief);
    environment.add_filter("difference", words::difference);
    // Digits and a space that no line ends at, which an escape would take for any other.
    let percent = |value: f64| Value::from_safe_string(words::percent(value));
    environment.add_filter("percent", percent);
    environment.add_filter("ms", words::milliseconds);
    environment.add_filter("probability", words::probability);
    environment.add_filter("number", words::count);
    environment.add_filter("counted", |number: usize, noun: &str| words::counted(number, noun));
    environment
        .add_filter("loss_meaning", |loss: Value| loss_of(&loss).map_or("", words::loss_meaning));
    environment.add_filter("excerpt", words::excerpt);
    environment.add_filter("code", |text: &str| {
        Value::from_safe_string(format!("`{}`", text.replace(['`', '\n'], " ")))
    });
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

/// Text that Markdown leaves as it is: one line, no markup, no HTML.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let line = on_one_line(text);
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        let next = letters.peek().copied().unwrap_or(' ');
        match letter {
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' => escaped.extend(['\\', letter]),
            // Where they begin a tag, a quotation or a character's name.
            '<' if !next.is_whitespace() => escaped.push_str("&lt;"),
            '>' if escaped.is_empty() => escaped.push_str("&gt;"),
            '&' if !next.is_whitespace() => escaped.push_str("&amp;"),
            letter => escaped.push(letter),
        }
    }
    // What was cut at its ends belongs to the sentence around it.
    let space = |found: bool| if found { " " } else { "" };
    let starts = text.starts_with(char::is_whitespace) && !escaped.is_empty();
    let ends = text.ends_with(char::is_whitespace) && !escaped.is_empty();
    format!("{}{escaped}{}", space(starts), space(ends))
}
