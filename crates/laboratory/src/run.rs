//! `campanile eval run`: an experiment, its report, and the thresholds it has to reach.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use campanile_eval::plan::read_plan;
use campanile_eval::report::{ExperimentReport, ReportSettings};
use campanile_eval::significance::Bootstrap;
use campanile_eval::{Experiment, Thresholds, evidence};
use campanile_terminal::{say, tell};

use crate::arguments::EvalRunArguments;
use crate::experiment::{self, Options};

/// Runs the experiment, writes the report, and checks the thresholds if there are any.
pub fn run(arguments: &EvalRunArguments) -> anyhow::Result<ExitCode> {
    let path = &arguments.experiment;
    let text = super::read(path)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let plan = read_plan(&text, folder.unwrap_or(Path::new(".")))
        .with_context(|| format!("in `{}`", path.display()))?;
    // Read before anything is asked: a slip in it should not wait for the end of a long run.
    let thresholds = arguments.check.as_deref().map(thresholds).transpose()?;
    let work = arguments.work.clone().unwrap_or_else(|| beside(path, "work"));
    let options = Options {
        work: &work,
        jobs: arguments.jobs.map_or_else(
            || std::thread::available_parallelism().map_or(1, Into::into),
            usize::from,
        ),
        fresh: arguments.fresh,
        command: format!("campanile eval run {}", path.display()),
    };
    let experiment = experiment::run(&plan, &options)?;
    let report = arguments.report.clone().unwrap_or_else(|| beside(path, "report"));
    let settings = ReportSettings { metrics: plan.metrics.clone(), ..ReportSettings::default() };
    let written = written(&experiment, &settings, &report)?;
    if arguments.json {
        say!("{}", written.json()?);
    } else {
        say!("{}", written.summary());
        say!("Report: {}", report.join("report.html").display());
    }
    match thresholds {
        None => Ok(ExitCode::SUCCESS),
        Some(thresholds) => checked(&thresholds, &experiment),
    }
}

fn written(
    experiment: &Experiment,
    settings: &ReportSettings,
    folder: &Path,
) -> anyhow::Result<ExperimentReport> {
    let metrics = ExperimentReport::main_metrics(experiment, settings);
    let evidence = evidence(experiment, &metrics, &Bootstrap::default())?;
    let report = ExperimentReport::new(experiment, &evidence, settings);
    report.write(folder, settings)?;
    Ok(report)
}

/// `campus.toml` as `campus-report`, in the folder one is in: what is made does not lie beside sources.
fn beside(path: &Path, what: &str) -> PathBuf {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    PathBuf::from(format!("{name}-{what}"))
}

fn thresholds(path: &Path) -> anyhow::Result<Thresholds> {
    let text = super::read(path)?;
    Thresholds::read(&text).with_context(|| format!("in `{}`", path.display()))
}

fn checked(thresholds: &Thresholds, experiment: &Experiment) -> anyhow::Result<ExitCode> {
    let checks = thresholds.check(experiment)?;
    for check in &checks {
        say!("{check}");
    }
    let failed = checks.iter().filter(|check| !check.passed).count();
    if failed > 0 {
        tell!("{} of {} thresholds were not reached", failed, checks.len());
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}
