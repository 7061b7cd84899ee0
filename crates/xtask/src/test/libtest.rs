//! Reads what `cargo test` and `wasm-bindgen-test-runner` print. Both tell a program's tests first and what they printed after
//! them, so that the last closing line is the program's own, whatever its tests print.

use super::outcome::{Count, TestTime};

/// Counts the tests of each program. One that did not tell of all that it announced has failed, since it crashed.
pub fn count(text: &str) -> Count {
    let mut count = Count::default();
    let mut failures = String::new();
    for program in programs(text) {
        program.add_to(&mut count, &mut failures);
    }
    count.failure = Some(failures).filter(|text| !text.is_empty());
    count
}

/// The tests that nextest leaves out, by the lines of its log. Its report has only those that ran.
pub fn left_out_by_nextest(log: &str) -> Vec<String> {
    // Lines of the tests themselves are indented by four, and these by eight, in front of an empty time.
    let lines = log.lines().filter_map(|line| line.strip_prefix("        SKIP ["));
    let names = lines.filter_map(|line| line.split_once(") ").map(|(_, name)| name));
    names.map(|name| format!("{}: ignored", name.replacen(' ', " > ", 1))).collect()
}

/// The lines of one program.
struct Program<'a> {
    name: String,
    announced: u32,
    lines: Vec<&'a str>,
}

fn programs(text: &str) -> Vec<Program<'_>> {
    let mut name = String::from("a program of tests");
    let mut programs: Vec<Program<'_>> = Vec::new();
    let mut is_inside = false;
    for line in text.lines() {
        if let Some(target) = line.strip_prefix("     Running ") {
            (name, is_inside) = (program_name(target), false);
        } else if let Some(package) = line.strip_prefix("   Doc-tests ") {
            (name, is_inside) = (format!("Doc-tests {package}"), false);
        } else if let Some(announced) = announced(line) {
            is_inside = true;
            programs.push(Program { name: name.clone(), announced, lines: Vec::new() });
        } else if let (true, Some(program)) = (is_inside, programs.last_mut()) {
            program.lines.push(line);
        }
    }
    programs
}

/// `unittests src/lib.rs (target/release/deps/campanile_text-1af5)` is `campanile_text`.
fn program_name(target: &str) -> String {
    let file = target.rsplit(['/', '\\', '(']).next().unwrap_or(target).trim_end_matches(')');
    file.rsplit_once('-').map_or(file, |(name, _)| name).to_owned()
}

/// The number of `running 12 tests`.
fn announced(line: &str) -> Option<u32> {
    let (number, word) = line.strip_prefix("running ")?.split_once(' ')?;
    if matches!(word, "test" | "tests") { number.parse().ok() } else { None }
}

impl Program<'_> {
    fn add_to(&self, count: &mut Count, failures: &mut String) {
        let mut told = self.lines.iter().rev();
        let result = told.find_map(|line| line.strip_prefix("test result: ")).unwrap_or_default();
        let sums = ["passed", "failed", "ignored"].map(|word| number_before(result, word));
        // Of a program that crashed while it repeated what its tests printed, the last such line may be a test's.
        let is_own = sums.iter().sum::<u32>() == self.announced;
        let [passed, failed, _] = if is_own { sums } else { [0; 3] };
        count.passed += passed;
        count.failed += failed;
        // Names stand above the first empty line, which what the tests printed follows.
        let head = self.lines.iter().take_while(|line| !line.is_empty());
        let names = head.filter_map(|line| line.strip_prefix("test "));
        count.skipped.extend(names.filter_map(|name| name.split_once(" ... ignored")).map(
            |(name, reason)| {
                let reason = reason.trim_start_matches(", ");
                let reason = if reason.is_empty() { "ignored" } else { reason };
                format!("{} > {name}: {reason}", self.name)
            },
        ));
        if failed > 0 {
            *failures += &self.failed_tests();
        }
        if !is_own {
            count.failed += 1;
            *failures += &format!(
                "    | FAILED {}: it announced {} tests and did not tell their results: it crashed or was ended\n",
                self.name, self.announced
            );
            // What it said last, since a crash has no other words.
            for line in &self.lines[self.lines.len().saturating_sub(20)..] {
                *failures += &format!("    |   {line}\n");
            }
        }
        if let Some(seconds) = result
            .rsplit_once("finished in ")
            .and_then(|(_, time)| time.trim_end_matches('s').parse().ok())
        {
            count.times.push(TestTime { name: self.name.clone(), seconds });
        }
    }

    /// The output of each failed test: what passed may stand behind it.
    fn failed_tests(&self) -> String {
        // A screen or two: who needs more is told where the whole log is.
        const LINES_SHOWN: usize = 120;
        let mut inside = false;
        let shown = self.lines.iter().filter(|line| {
            inside = match **line {
                "failures:" => true,
                "successes:" => false,
                line => inside && !line.starts_with("test result: "),
            };
            inside && !line.trim().is_empty()
        });
        let shown = shown.take(LINES_SHOWN).map(|line| format!("    |   {line}\n"));
        format!("    | FAILED tests of {}\n{}", self.name, shown.collect::<String>())
    }
}

/// The number in front of `word`, as in `ok. 12 passed; 0 failed`.
fn number_before(text: &str, word: &str) -> u32 {
    let words: Vec<&str> = text.split_whitespace().collect();
    let place = words.iter().position(|candidate| candidate.trim_end_matches(';') == word);
    let before = place.and_then(|place| words.get(place.checked_sub(1)?));
    before.and_then(|number| number.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use super::*;

    /// Of `cargo test --no-fail-fast -- --show-output`, with a test that prints what looks like a result, one that aborts and
    /// one that kills itself.
    const CARGO: &str = include_str!("logs/cargo-test.log");
    const DOCTESTS: &str = include_str!("logs/doctests.log");
    const NEXTEST: &str = include_str!("logs/nextest.log");

    #[test]
    fn counts_what_programs_say_and_not_what_tests_print() {
        let count = count(CARGO);
        // Two failed, and two programs broke off.
        assert_eq!((count.passed, count.failed), (6, 4));
        assert_eq!(count.skipped, ["campus_hours > tests::waits: takes an hour"]);
        let failure = count.failure.unwrap();
        for reason in [
            "FAILED tests of bad",
            "the sum of two",
            "FAILED crash: it announced 2 tests and did not tell",
            "signal: 6, SIGABRT",
            "FAILED killed: it announced 1 tests and did not tell",
            "signal: 9, SIGKILL",
        ] {
            assert!(failure.contains(reason), "{reason} is not in:\n{failure}");
        }
        assert!(!failure.contains("invented"), "{failure}");
        let times: Vec<(&str, f64)> =
            count.times.iter().map(|time| (time.name.as_str(), time.seconds)).collect();
        assert_eq!(times, [("campus_hours", 0.01), ("bad", 0.0), ("slow", 0.5)]);
    }

    #[test]
    fn counts_doctests() {
        let count = count(DOCTESTS);
        assert_eq!((count.passed, count.failed, count.failure), (1, 0, None));
        assert_eq!(count.times[0].name, "Doc-tests campus_hours");
    }

    #[test]
    fn names_what_nextest_left_out() {
        assert_eq!(left_out_by_nextest(NEXTEST), ["campus-hours > tests::waits: ignored"]);
    }

    #[test]
    fn a_log_that_breaks_off_anywhere_never_has_more_that_passed() {
        for end in (0..CARGO.len()).filter(|&end| CARGO.is_char_boundary(end)) {
            let part = count(&CARGO[..end]);
            assert!(part.passed <= 6, "{} after {end} bytes", part.passed);
            // An announced program that did not end is never silent.
            let started = CARGO[..end].contains("running 4 tests\n");
            let ended = CARGO[..end].contains("; 1 ignored");
            assert!(!started || ended || part.failed > 0, "silent after {end} bytes");
        }
    }
}
