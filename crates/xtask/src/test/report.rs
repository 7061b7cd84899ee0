//! The words at the end of a test run.

use super::count::Count;

/// One step that has ended.
pub struct Outcome {
    pub name: &'static str,
    pub count: Count,
    pub seconds: f64,
}

/// Returns the text to print as soon as a step has ended; a failure is shown whole.
pub fn line(outcome: &Outcome) -> String {
    let word = if outcome.count.failed == 0 { "passed" } else { "FAILED" };
    let mut text = format!("      {word} in {:.1} s", outcome.seconds);
    if let Some(failure) = &outcome.count.failure {
        text += &format!("\n{}", failure.trim_end());
    }
    text
}

/// The table of all steps, the skipped tests by name, and the closing line.
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
    let passed: u32 = outcomes.iter().map(|outcome| outcome.count.passed).sum();
    let failed: u32 = outcomes.iter().map(|outcome| outcome.count.failed).sum();
    format!("{text}\n{passed} passed, {failed} failed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_with_the_sums() {
        let count = |passed, failed| Count { passed, failed, ..Count::default() };
        let outcome = |name, count| Outcome { name, count, seconds: 1.25 };
        let outcomes = [outcome("format", count(1, 0)), outcome("tests", count(40, 2))];
        let table = table(&outcomes);
        assert!(table.ends_with("\n41 passed, 2 failed"), "{table}");
        assert!(table.contains("2.5"), "{table}");
    }
}
