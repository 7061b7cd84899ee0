//! `campanile eval SITE QUESTIONS`: a site against a question set.

use std::path::Path;
use std::process::ExitCode;

use anyhow::bail;
use campanile_answer::answer;
use campanile_bundle::SearchOverrides;
use campanile_eval::{Outcome, Question, Report, judge};
use campanile_retrieve::SearchOptions;
use campanile_terminal::site::open;
use campanile_terminal::{console, say};
use futures_lite::future::block_on;

use super::question_set;
use crate::arguments::EvalSiteArguments;

/// The site and the questions that were named.
pub fn asked(arguments: &EvalSiteArguments) -> anyhow::Result<(&Path, Vec<Question>)> {
    let (Some(site), Some(path)) = (&arguments.site, &arguments.questions) else {
        bail!("a site and a question set are needed\n  way out: `campanile eval SITE QUESTIONS`");
    };
    Ok((site, question_set(path)?))
}

/// Asks every question and prints the report.
pub fn run(arguments: &EvalSiteArguments) -> anyhow::Result<ExitCode> {
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
