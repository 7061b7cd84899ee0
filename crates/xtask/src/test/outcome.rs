//! The outcome of a step: tests the words about it, and the table at the end.

use std::process::ExitStatus;

use anyhow::Result;

use crate::process::{Log, told_end};

/// The time that one test took, or one program of tests where its runner tells no more.
#[derive(Debug, Clone, PartialEq)]
pub struct TestTime {
    pub name: String,
    pub seconds: f64,
}

/// The result of one step.
#[derive(Debug, Default, PartialEq)]
pub struct Count {
    pub passed: u32,
    pub failed: u32,
    /// The tests that were skipped, by name.
    pub skipped: Vec<String>,
    /// The text to show about a failure.
    pub failure: Option<String>,
    pub times: Vec<TestTime>,
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

    /// The tests of a runner that has ended: `counted` is what its report or its log says. An end that the counted tests do
    /// not explain, a report that cannot be believed, and a run without any test each count as a failure.
    pub fn of_tests(log: &Log, end: ExitStatus, counted: Result<Count>) -> Self {
        let mut count = counted.unwrap_or_else(|error| {
            let end = told_end(end);
            Self::not_run(format!("{error:#}\n  the runner {end}\n{}", log.failure()))
        });
        if !end.success() && count.failed == 0 {
            count.failed = 1;
            count.failure = Some(format!(
                "the runner {}, and no failed test explains it\n{}",
                told_end(end),
                log.failure()
            ));
        } else if count.failed == 0 && count.passed == 0 {
            count.failed = 1;
            count.failure = Some(format!("no test was run\n{}", log.failure()));
        } else if let Some(failure) = &mut count.failure {
            let place = format!("the whole log: {}", log.path().display());
            if !failure.contains(&place) {
                *failure += &format!("    {place}\n");
            }
        }
        count
    }

    /// The tests of both.
    pub fn with(mut self, other: Self) -> Self {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped.extend(other.skipped);
        self.times.extend(other.times);
        self.failure = match (self.failure, other.failure) {
            (Some(first), Some(second)) => Some(format!("{}\n{second}", first.trim_end())),
            (first, second) => first.or(second),
        };
        self
    }
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
    const LINES_SHOWN: usize = 30;
    const TELLING: [&str; 7] = ["error", "-->", "panicked", "FAILED", "✖", "Diff in", "limit"];
    // What a test says first is what is wrong with it.
    const FIRST_WORDS: usize = 4;
    let mut since_failed = FIRST_WORDS;
    let says_much = |line: &&str| {
        since_failed = if line.contains("| FAILED") { 0 } else { since_failed + 1 };
        since_failed <= FIRST_WORDS && line.starts_with("    |")
            || TELLING.iter().any(|word| line.contains(word))
    };
    let telling: Vec<&str> = failure.lines().filter(says_much).take(LINES_SHOWN).collect();
    // Of a program that says it in other words, the end.
    let lines: Vec<&str> = failure.lines().collect();
    let end = lines.get(lines.len().saturating_sub(LINES_SHOWN)..).unwrap_or_default();
    let shown = if telling.is_empty() { end } else { &telling };
    shown.iter().map(|line| format!("    {}\n", line.trim())).collect()
}

/// The tests of all steps that took longest, the longest first: where a run's time goes.
fn slowest(outcomes: &[Outcome]) -> String {
    const SHOWN: usize = 10;
    // Below it nothing can be gained.
    const LEAST_SECONDS: f64 = 0.1;
    let of_step = |outcome: &'_ Outcome| {
        let name = outcome.name;
        outcome.count.times.iter().map(move |time| (name, time.clone())).collect::<Vec<_>>()
    };
    let mut times: Vec<(&str, TestTime)> = outcomes.iter().flat_map(of_step).collect();
    times.retain(|(_, time)| time.seconds >= LEAST_SECONDS);
    times.sort_by(|(_, a), (_, b)| b.seconds.total_cmp(&a.seconds));
    times.truncate(SHOWN);
    let mut text = String::new();
    if !times.is_empty() {
        text += "\nslowest tests\n";
    }
    for (step, TestTime { name, seconds }) in times {
        text += &format!("{seconds:>9.1} s  {step}: {name}\n");
    }
    text
}

/// The table of all steps, the slowest tests, the skipped ones by name, what failed, and the closing line.
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
    text += &slowest(outcomes);
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
    #![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use super::*;

    fn ended(words: &str) -> ExitStatus {
        std::process::Command::new("sh").args(["-c", words]).status().unwrap()
    }

    fn log(name: &str) -> Log {
        Log::create(&std::env::temp_dir().join("campanile-outcome"), name).unwrap()
    }

    #[cfg(unix)]
    #[test]
    fn an_end_that_no_test_explains_is_a_failure_that_says_so() {
        let (well, badly, killed) = (ended("exit 0"), ended("exit 3"), ended("kill -9 $$"));
        let passed = || Ok(Count { passed: 2, ..Count::default() });
        let failed = || {
            let failure = Some("    | FAILED a\n".to_owned());
            Ok(Count { passed: 2, failed: 1, failure, ..Count::default() })
        };
        let unreadable = || Err(anyhow::anyhow!("the report is cut off"));
        let skipped = || Ok(Count { skipped: vec!["a".to_owned()], ..Count::default() });
        let cases: [(ExitStatus, Result<Count>, u32, &str); 9] = [
            (well, passed(), 0, ""),
            (
                badly,
                passed(),
                1,
                "the runner ended with exit status: 3, and no failed test explains it",
            ),
            (
                killed,
                passed(),
                1,
                "the runner ended with signal: 9 (SIGKILL), as by a lack of memory",
            ),
            (well, failed(), 1, "FAILED a"),
            (badly, failed(), 1, "the whole log: "),
            (well, unreadable(), 1, "the report is cut off"),
            (killed, unreadable(), 1, "signal: 9"),
            (well, skipped(), 1, "no test was run"),
            (well, Ok(Count::default()), 1, "no test was run"),
        ];
        let log = log("ends");
        for (end, counted, failures, says) in cases {
            let count = Count::of_tests(&log, end, counted);
            let failure = count.failure.unwrap_or_default();
            assert_eq!(count.failed, failures, "{end}: {failure}");
            assert!(failure.contains(says) && failure.is_empty() == says.is_empty(), "{failure}");
        }
    }

    #[test]
    fn the_slowest_ten_of_all_steps_are_named() {
        let times = |count: u32| {
            (0..count).map(|number| TestTime {
                name: format!("test {number}"),
                seconds: f64::from(number),
            })
        };
        let outcome = |name, times| {
            let count = Count { passed: 20, times, ..Count::default() };
            Outcome { name, count, seconds: 60.0 }
        };
        let slow = TestTime { name: "asks".to_owned(), seconds: 12.5 };
        let table = table(&[
            outcome("cargo-tests", times(15).collect()),
            outcome("browser-tests", vec![slow]),
        ]);
        let (_, list) = table.split_once("slowest tests\n").unwrap();
        let lines: Vec<&str> = list.lines().take_while(|line| !line.is_empty()).collect();
        assert_eq!(lines.len(), 10, "{table}");
        assert_eq!(lines[0], "     14.0 s  cargo-tests: test 14");
        assert_eq!(lines[2], "     12.5 s  browser-tests: asks");
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
        let shown: String = (1..=40).map(|line| format!("    |   page {line}\n")).collect();
        let failure = |text: String| Count { failed: 1, failure: Some(text), ..Count::default() };
        let outcome = |name, count| Outcome { name, count, seconds: 1.25 };
        let table = table(&[
            outcome("clippy", failure(format!("{checking}{error}{checking}"))),
            outcome("lean", failure((1..=40).map(|line| format!("line {line}\n")).collect())),
            outcome(
                "browser-tests",
                failure("    | FAILED ask: is kept (3.6 s)\n".to_owned() + &shown),
            ),
        ]);
        let end = table.split_once("clippy failed:\n").map(|(_, end)| end).unwrap_or_default();
        assert!(end.starts_with("    | error: unused import: `Array`\n"), "{table}");
        assert!(end.contains("--> tests/export.rs:12:19") && !end.contains("Checking"), "{end}");
        assert!(end.contains("lean failed:\n    line 11\n") && end.contains("line 40"), "{end}");
        let kept = "(3.6 s)\n    |   page 1\n    |   page 2\n    |   page 3\n    |   page 4\n\n";
        assert!(end.contains(kept), "what a failed test says first: {end}");
    }
}
