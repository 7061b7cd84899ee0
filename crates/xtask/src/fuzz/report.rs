//! Reports what came of a run: on the terminal, and in `docs/reference/fuzzing.md`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::files;

/// The outcome of one target.
pub struct Outcome {
    pub target: String,
    pub program: PathBuf,
    pub log: PathBuf,
    pub figures: Figures,
    /// Inputs that broke the reader.
    pub findings: Vec<PathBuf>,
}

/// The figures that libFuzzer prints, and the panics that were caught.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Inputs tried.
    pub executed: u64,
    /// Places in the code that were reached.
    pub coverage: u64,
    /// Inputs in the corpus.
    pub inputs: u64,
    /// The longest any input took, in whole seconds.
    pub slowest_seconds: u64,
    /// The most memory, in megabytes, sanitizer included.
    pub most_megabytes: u64,
    /// Places in other people's code that panicked and were caught.
    pub caught: BTreeSet<String>,
}

impl Figures {
    /// Reads the log of a program.
    pub fn read(log: &str) -> Self {
        let mut figures = Self::default();
        for line in log.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            let after = |name: &str| {
                let place = words.iter().position(|word| *word == name)?;
                words.get(place + 1)?.split('/').next()?.parse::<u64>().ok()
            };
            // Most lines come again and again as the run goes on: the last one counts.
            figures.executed = after("stat::number_of_executed_units:").unwrap_or(figures.executed);
            figures.coverage = after("cov:").unwrap_or(figures.coverage);
            figures.inputs = after("corp:").unwrap_or(figures.inputs);
            figures.slowest_seconds =
                after("stat::slowest_unit_time_sec:").unwrap_or(figures.slowest_seconds);
            figures.most_megabytes = after("stat::peak_rss_mb:").unwrap_or(figures.most_megabytes);
            figures.caught.extend(place(line));
        }
        figures
    }
}

/// Returns the place that a panic came from, without the folder that cargo unpacked the package into.
fn place(line: &str) -> Option<String> {
    let (_, place) = line.split_once("panicked at ")?;
    let place = place.trim_end_matches(':');
    let file = place.rsplit_once("/src/").map(|(package, file)| {
        let package = package.rsplit('/').next().unwrap_or(package);
        format!("{package}/src/{file}")
    });
    Some(file.unwrap_or_else(|| place.to_owned()))
}

/// By target.
pub fn sorted(mut outcomes: Vec<Outcome>) -> Vec<Outcome> {
    outcomes.sort_by(|left, right| left.target.cmp(&right.target));
    outcomes
}

/// One target on one line.
pub fn line(outcome: &Outcome) -> String {
    let Figures { executed, coverage, inputs, .. } = outcome.figures;
    let findings = match outcome.findings.len() {
        0 => "nothing found".to_owned(),
        count => format!("{count} BROKEN"),
    };
    format!(
        "{:<16}{executed:>10} inputs, {coverage:>6} places, {inputs:>5} kept: {findings}",
        outcome.target
    )
}

/// Tells how to see a finding again.
pub fn finding(outcome: &Outcome) -> String {
    let mut text = format!("{}: a reader broke\n", outcome.target);
    for input in &outcome.findings {
        let _infallible =
            writeln!(text, "  again: {} {}", outcome.program.display(), input.display());
    }
    let _infallible = write!(text, "  log:   {}", outcome.log.display());
    text
}

/// The head of the table.
const HEAD: &str = "\
| target | seconds | inputs tried | places reached | inputs kept | slowest | most memory | caught | findings |
|---|---:|---:|---:|---:|---:|---:|---:|---:|
";

/// The heading from which on the page is kept as it is.
const HISTORY: &str = "\n## Found and mended\n";

/// All targets as a table.
pub fn table(outcomes: &[Outcome], seconds: u64) -> String {
    let rows: Vec<String> = outcomes.iter().map(|outcome| row(outcome, seconds)).collect();
    format!("{HEAD}{}\n", rows.join("\n"))
}

fn row(outcome: &Outcome, seconds: u64) -> String {
    let Figures { executed, coverage, inputs, slowest_seconds, most_megabytes, caught } =
        &outcome.figures;
    let slowest = match slowest_seconds {
        0 => "under 1 s".to_owned(),
        seconds => format!("{seconds} s"),
    };
    let (target, caught, findings) = (&outcome.target, caught.len(), outcome.findings.len());
    format!(
        "| {target} | {seconds} | {executed} | {coverage} | {inputs} | {slowest} | {most_megabytes} MB | {caught} | {findings} |"
    )
}

/// Writes the page about the last runs; what it says of other targets stays.
pub fn write(root: &Path, outcomes: &[Outcome], seconds: u64) -> Result<()> {
    let path = root.join("docs/reference/fuzzing.md");
    // There may be no page yet.
    let earlier = fs::read_to_string(&path).unwrap_or_default();
    files::write(&path, page(&earlier, outcomes, seconds))
}

fn page(earlier: &str, outcomes: &[Outcome], seconds: u64) -> String {
    let is_new = |target: &str| outcomes.iter().any(|outcome| outcome.target == target);
    let old_rows = earlier.lines().filter(|line| target_of_row(line).is_some_and(|it| !is_new(it)));
    let rows: BTreeSet<String> = old_rows
        .map(str::to_owned)
        .chain(outcomes.iter().map(|outcome| row(outcome, seconds)))
        .collect();
    let old_places = earlier.lines().filter_map(|line| line.strip_prefix("- "));
    let old_places =
        old_places.filter(|line| line.split_once(": ").is_some_and(|(target, _)| !is_new(target)));
    let places: BTreeSet<String> = old_places
        .map(str::to_owned)
        .chain(outcomes.iter().flat_map(|outcome| {
            outcome.figures.caught.iter().map(|place| format!("{}: `{place}`", outcome.target))
        }))
        .collect();
    let rows: Vec<String> = rows.into_iter().collect();
    let mut page = format!(
        "# Fuzzing\n\n\
         `cargo xtask fuzz --record` wrote this page: libFuzzer with the address sanitizer and debug\n\
         assertions, inputs of up to 20,000 bytes, and for each target its last recorded run. What a\n\
         target checks is said in `crates/fuzz`; the inputs that reach different code are kept there and\n\
         read again by every `cargo xtask test`.\n\n{HEAD}{}\n\n\
         *Caught* counts the places where a parser that is not ours panicked. The reader turns that\n\
         into an error with the file's name, and in a build it happens in a process of its own.\n",
        rows.join("\n")
    );
    if !places.is_empty() {
        page.push_str("\nThe places:\n\n");
        for place in places {
            let _infallible = writeln!(page, "- {place}");
        }
    }
    // Written by hand.
    if let Some(place) = earlier.find(HISTORY) {
        page.push_str(earlier.get(place..).unwrap_or_default());
    }
    page
}

/// The target of a row of the table.
fn target_of_row(line: &str) -> Option<&str> {
    let name = line.strip_prefix("| ")?.split(" |").next()?;
    (name != "target").then_some(name)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::{Figures, Outcome, page};

    #[test]
    fn other_targets_stay_on_the_page() {
        let outcome = |target: &str, executed: u64, caught: &str| Outcome {
            target: target.to_owned(),
            program: PathBuf::new(),
            log: PathBuf::new(),
            figures: Figures { executed, caught: [caught.to_owned()].into(), ..Figures::default() },
            findings: Vec::new(),
        };
        let first = page("", &[outcome("csv", 5, "a/src/b.rs:1"), outcome("pdf", 6, "x")], 600);
        let first = format!("{first}\n## Found and mended\n\n- a bug\n");
        let second = page(&first, &[outcome("pdf", 7, "c/src/d.rs:2")], 60);
        assert!(second.ends_with("\n## Found and mended\n\n- a bug\n"), "{second}");
        assert!(second.contains("| csv | 600 | 5 |") && second.contains("| pdf | 60 | 7 |"));
        assert!(second.contains("- csv: `a/src/b.rs:1`\n- pdf: `c/src/d.rs:2`\n"), "{second}");
        assert!(!second.contains("| 6 |") && !second.contains("`x`"), "{second}");
    }

    #[test]
    fn figures_are_read_from_a_log() {
        let log = "#2\tINITED cov: 12 ft: 13 corp: 1/1b\n\
                   thread '<unnamed>' panicked at /home/a/registry/src/x-1/hayro-0.9.1/src/a/b.rs:12:3:\n\
                   panicked at /home/a/registry/src/x-1/hayro-0.9.1/src/a/b.rs:12:3:\n\
                   #99\tDONE   cov: 345 ft: 900 corp: 67/12Kb lim: 4 exec/s: 9 rss: 80Mb\n\
                   stat::number_of_executed_units: 99\n\
                   stat::slowest_unit_time_sec:    2\n\
                   stat::peak_rss_mb:              80\n";
        let expected = Figures {
            executed: 99,
            coverage: 345,
            inputs: 67,
            slowest_seconds: 2,
            most_megabytes: 80,
            caught: ["hayro-0.9.1/src/a/b.rs:12:3".to_owned()].into(),
        };
        assert_eq!(Figures::read(log), expected);
    }
}
