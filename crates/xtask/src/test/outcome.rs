//! The outcome of a step: tests counted as their runners print them, and the words about them.

use anyhow::Result;

use crate::process::Log;

/// The result of one step.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Count {
    pub passed: u32,
    pub failed: u32,
    /// The tests that were skipped, as their runner names them.
    pub skipped: Vec<String>,
    /// The text to show about a failure.
    pub failure: Option<String>,
}

impl Count {
    /// A check that is one test in itself.
    pub fn one_passed() -> Self {
        Self { passed: 1, ..Self::default() }
    }

    /// A step that failed as a whole.
    pub fn not_run(reason: String) -> Self {
        Self { failed: 1, failure: Some(reason), ..Self::default() }
    }

    /// Reads the log of a test runner that has ended well or not. An end that the counted
    /// tests do not explain, or a run without any test, counts as one failure more.
    pub fn of_tests(log: &Log, ended_well: bool, read: fn(&str) -> Count) -> Result<Self> {
        let text = log.text()?;
        let mut count = read(&text);
        // A program that crashed has counted nothing.
        if !ended_well || count.failed > 0 {
            count.failed = count.failed.max(1);
            let place = || format!("    the whole log: {}", log.path().display());
            let shown =
                count.failure.take().map_or_else(|| log.failure(), |named| named + &place());
            count.failure = Some(shown);
        } else if count.passed == 0 {
            count = Self::not_run(format!("no test was run\n{}", log.failure()));
        }
        Ok(count)
    }
}

/// Sums what `cargo test` and `wasm-bindgen-test-runner` print for each test binary.
pub fn cargo_tests(text: &str) -> Count {
    let mut count = Count::default();
    for line in text.lines() {
        if let Some(result) = line.strip_prefix("test result: ") {
            count.passed += number_before(result, "passed");
            count.failed += number_before(result, "failed");
        } else if line.starts_with("skipped: ")
            || line.starts_with("test ") && line.contains("... ignored")
        {
            count.skipped.push(line.trim_start_matches("test ").to_owned());
        }
    }
    count.failure = failed_tests(text);
    count
}

/// Reads the summary of `node --test` with its `spec` reporter.
pub fn node_tests(text: &str) -> Count {
    let summary = |label: &str| {
        let mut lines =
            text.lines().filter_map(|line| line.strip_prefix("ℹ ")?.strip_prefix(label));
        // The last one: what a test prints may look like it.
        lines.next_back().and_then(|number| number.trim().parse().ok()).unwrap_or(0)
    };
    let skipped = text.lines().filter(|line| line.trim_start().starts_with('﹣'));
    Count {
        passed: summary("pass "),
        // A test is cancelled when it, or the one around it, took too long.
        failed: summary("fail ") + summary("cancelled "),
        skipped: skipped.map(|line| line.trim().to_owned()).collect(),
        failure: None,
    }
}

/// The number in front of `word`, as in `ok. 12 passed; 0 failed`.
fn number_before(text: &str, word: &str) -> u32 {
    let words: Vec<&str> = text.split_whitespace().collect();
    let place = words.iter().position(|candidate| candidate.trim_end_matches(';') == word);
    let before = place.and_then(|place| words.get(place.checked_sub(1)?));
    before.and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// The output of each failed test. `cargo test --no-fail-fast` goes on after a failure, so
/// that the end of the log is often about tests that passed.
fn failed_tests(text: &str) -> Option<String> {
    // A screen or two: who needs more is told where the whole log is.
    const LINES_SHOWN: usize = 120;
    let mut shown = String::new();
    let mut inside = false;
    let mut count = 0;
    for line in text.lines() {
        inside = match line {
            "failures:" => true,
            "successes:" => false,
            _ => inside && !line.starts_with("test result: "),
        };
        if inside && count < LINES_SHOWN && !line.trim().is_empty() {
            shown += &format!("    | {line}\n");
            count += 1;
        }
    }
    (count > 0).then_some(shown)
}

/// One step that has ended.
pub struct Outcome {
    pub name: &'static str,
    pub count: Count,
    pub seconds: f64,
}

/// Returns the text to print as soon as a step has ended; a failure is shown whole.
pub fn told(outcome: &Outcome) -> String {
    let word = if outcome.count.failed == 0 { "passed" } else { "FAILED" };
    let mut text = format!("      {word} in {:.1} s", outcome.seconds);
    if let Some(failure) = &outcome.count.failure {
        text += &format!("\n{}", failure.trim_end());
    }
    text
}

/// The lines of a failure that say most, to be said once more at the end: a step fails far above it, and where logs
/// are passed on they are cut in the middle.
fn gist(failure: &str) -> String {
    const LINES_SHOWN: usize = 20;
    const TELLING: [&str; 7] = ["error", "-->", "panicked", "FAILED", "✖", "Diff in", "limit"];
    let says_much = |line: &&str| TELLING.iter().any(|word| line.contains(word));
    let telling: Vec<&str> = failure.lines().filter(says_much).take(LINES_SHOWN).collect();
    // Of a program that says it in other words, the end.
    let lines: Vec<&str> = failure.lines().collect();
    let end = lines.get(lines.len().saturating_sub(LINES_SHOWN)..).unwrap_or_default();
    let shown = if telling.is_empty() { end } else { &telling };
    shown.iter().map(|line| format!("    {}\n", line.trim())).collect()
}

/// The table of all steps, the skipped tests by name, what failed, and the closing line.
pub fn table(outcomes: &[Outcome]) -> String {
    let mut text = format!(
        "{:<16} {:>7} {:>7} {:>8} {:>9}\n",
        "step", "passed", "failed", "skipped", "seconds"
    );
    for Outcome { name, count, seconds } in outcomes {
        let skipped = count.skipped.len();
        text += &format!(
            "{name:<16} {:>7} {:>7} {skipped:>8} {seconds:>9.1}\n",
            count.passed, count.failed
        );
    }
    let seconds: f64 = outcomes.iter().map(|outcome| outcome.seconds).sum();
    text += &format!("{:<16} {:>34.1}\n", "all", seconds);
    for outcome in outcomes {
        for test in &outcome.count.skipped {
            text += &format!("in {}: {test}\n", outcome.name);
        }
    }
    for outcome in outcomes {
        if let Some(failure) = &outcome.count.failure {
            text += &format!("{} failed:\n{}", outcome.name, gist(failure));
        }
    }
    let passed: u32 = outcomes.iter().map(|outcome| outcome.count.passed).sum();
    let failed: u32 = outcomes.iter().map(|outcome| outcome.count.failed).sum();
    format!("{text}\n{passed} passed, {failed} failed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_the_results_of_several_binaries() {
        let text = "running 3 tests\ntest a ... ok\ntest b ... ignored, needs the handbook\ntest c ... FAILED\n\n\
            successes:\n\n---- a stdout ----\nskipped: no data\n\nsuccesses:\n    a\n\nfailures:\n\n---- c stdout ----\nexpected 1, found 2\n\nfailures:\n    c\n\n\
            test result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\
            test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n";
        let count = cargo_tests(text);
        assert_eq!((count.passed, count.failed), (13, 1));
        assert_eq!(count.skipped, ["b ... ignored, needs the handbook", "skipped: no data"]);
        let failure = count.failure.unwrap_or_default();
        assert!(failure.contains("expected 1, found 2"), "{failure}");
        assert!(!failure.contains("test result") && !failure.contains("no data"), "{failure}");
    }

    #[test]
    fn reads_the_summary_of_node() {
        let text = "✔ asks (12ms)\n﹣ prose (1ms) # no adapter\nℹ tests 3\nℹ pass 1\nℹ fail 1\nℹ cancelled 0\nℹ skipped 1\n";
        let count = node_tests(text);
        assert_eq!((count.passed, count.failed), (1, 1));
        assert_eq!(count.skipped, ["﹣ prose (1ms) # no adapter"]);
    }

    #[test]
    fn ends_with_the_sums() {
        let count = |passed, failed| Count { passed, failed, ..Count::default() };
        let outcome = |name, count| Outcome { name, count, seconds: 1.25 };
        let outcomes = [outcome("format", count(1, 0)), outcome("tests", count(40, 2))];
        let table = table(&outcomes);
        assert!(table.ends_with("\n41 passed, 2 failed"), "{table}");
        assert!(table.contains("2.5"), "{table}");
    }

    #[test]
    fn what_failed_is_said_once_more_at_the_end() {
        let checking = "    |     Checking campanile-index v0.1.0\n".repeat(60);
        let error = "    | error: unused import: `Array`\n    |   --> tests/export.rs:12:19\n";
        let failure = |text: String| Count { failed: 1, failure: Some(text), ..Count::default() };
        let outcome = |name, count| Outcome { name, count, seconds: 1.25 };
        let table = table(&[
            outcome("clippy", failure(format!("{checking}{error}{checking}"))),
            outcome("lean", failure((1..=30).map(|line| format!("line {line}\n")).collect())),
        ]);
        let end = table.split_once("clippy failed:\n").map(|(_, end)| end).unwrap_or_default();
        assert!(end.starts_with("    | error: unused import: `Array`\n"), "{table}");
        assert!(end.contains("--> tests/export.rs:12:19") && !end.contains("Checking"), "{end}");
        assert!(end.contains("lean failed:\n    line 11\n") && end.contains("line 30"), "{end}");
    }
}
