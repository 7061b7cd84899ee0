//! Reads the reports that nextest and Node.js write beside what they print: JUnit's XML. What a test prints stands in it as
//! text, so that nothing of it can be taken for a result.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, bail, ensure};
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use super::outcome::{Count, TestTime};

/// Counts the tests of a report. An error says why the report cannot be believed: it was cut off, or its sums are not its tests.
pub fn count(report: &str) -> Result<Count> {
    let mut count = Count::default();
    let mut failures = String::new();
    for test in tests(report)? {
        let name = test.full_name();
        match &test.verdict {
            Verdict::Passed => match test.said_skipped() {
                Some(reason) => count.skipped.push(format!("{name}: {reason}")),
                None => count.passed += 1,
            },
            Verdict::Skipped(reason) if reason.is_empty() => count.skipped.push(name.clone()),
            Verdict::Skipped(reason) => count.skipped.push(format!("{name}: {reason}")),
            Verdict::Failed(_) => {
                count.failed += 1;
                failures += &test.failure();
            }
        }
        count.times.push(TestTime { name, seconds: test.seconds });
    }
    count.failure = Some(failures).filter(|text| !text.is_empty());
    Ok(count)
}

enum Verdict {
    Passed,
    /// With the reason, which may be empty.
    Skipped(String),
    /// With what the runner says of it.
    Failed(String),
}

/// One test of a report.
struct ReportedTest {
    /// The suites around it, the outermost first.
    suites: Vec<String>,
    name: String,
    seconds: f64,
    verdict: Verdict,
    stdout: String,
    stderr: String,
}

impl ReportedTest {
    fn full_name(&self) -> String {
        let mut words: Vec<&str> = self.suites.iter().map(String::as_str).collect();
        words.push(&self.name);
        words.join(" > ")
    }

    /// The reason for which the test left itself out. Only a line with the test's own name counts: a test may print that of another.
    fn said_skipped(&self) -> Option<&str> {
        let mut lines = self.stdout.lines().chain(self.stderr.lines());
        lines.find_map(|line| {
            let said = line.strip_prefix("skipped: ")?;
            said.strip_prefix(self.name.as_str())?.strip_prefix(": ")
        })
    }

    fn failure(&self) -> String {
        // What each says first is what is wrong with it; the log has the rest.
        const LINES_SHOWN: usize = 40;
        let Verdict::Failed(reason) = &self.verdict else { return String::new() };
        let name = self.full_name();
        let mut text = format!("    | FAILED {name} ({:.1} s)\n", self.seconds);
        let lines = reason.lines().chain(self.stdout.lines());
        // A panic is in the reason as well as on standard error.
        let more = self.stderr.lines().filter(|line| !reason.contains(line.trim()));
        let lines = lines.chain(more).filter(|line| !line.trim().is_empty());
        for line in lines.filter(|line| !self.is_frame(line)).take(LINES_SHOWN) {
            text += &format!("    |   {line}\n");
        }
        text
    }

    /// Returns `true` for lines that the test's harness writes around what the test prints.
    fn is_frame(&self, line: &str) -> bool {
        matches!(line, "running 1 test" | "failures:")
            || line.starts_with("test result: ")
            || line == format!("test {} ... FAILED", self.name)
            || line.strip_prefix("    ") == Some(self.name.as_str())
    }
}

type Attributes = BTreeMap<String, String>;

fn attributes(tag: &BytesStart<'_>) -> Result<Attributes> {
    let each = tag.attributes().map(|attribute| {
        let attribute = attribute?;
        let value = attribute.normalized_value(XmlVersion::Implicit1_0)?;
        Ok((attribute.key.into_inner().to_owned(), value.into_owned()))
    });
    each.collect()
}

/// The state of reading a report.
#[derive(Default)]
struct ReportReader {
    /// The elements around the place, and of suites the name.
    open: Vec<(String, Option<String>)>,
    /// The number of tests that the root element promises, where it does.
    promised: Option<usize>,
    is_whole: bool,
    tests: Vec<ReportedTest>,
}

fn tests(report: &str) -> Result<Vec<ReportedTest>> {
    let mut reader = Reader::from_str(report);
    let mut read = ReportReader::default();
    loop {
        match reader.read_event().context("the tests' report is no XML")? {
            Event::Start(tag) => read.start(&tag)?,
            Event::Empty(tag) => {
                read.start(&tag)?;
                read.end();
            }
            Event::End(_) => read.end(),
            Event::Text(text) => read.text(&text.xml10_content()),
            Event::CData(text) => read.text(&text.xml10_content()),
            Event::GeneralRef(reference) => match reference.resolve_char_ref()? {
                Some(character) => read.text(&character.to_string()),
                None => read.text(match &*reference {
                    "amp" => "&",
                    "lt" => "<",
                    "gt" => ">",
                    "quot" => "\"",
                    "apos" => "'",
                    name => bail!("the tests' report has an unknown entity `&{name};`"),
                }),
            },
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
            Event::Eof => break,
        }
    }
    ensure!(read.is_whole, "the tests' report is cut off: their runner did not come to its end");
    let found = read.tests.len();
    if let Some(promised) = read.promised {
        ensure!(promised == found, "the tests' report promises {promised} tests and has {found}");
    }
    Ok(read.tests)
}

impl ReportReader {
    fn start(&mut self, tag: &BytesStart<'_>) -> Result<()> {
        let element = tag.name().into_inner().to_owned();
        let mut known = attributes(tag)?;
        let mut taken = |name: &str| known.remove(name);
        let suite = match element.as_str() {
            "testsuites" => {
                self.promised = taken("tests").map(|number| number.parse()).transpose()?;
                None
            }
            "testsuite" => Some(taken("name").context("a suite of the report has no name")?),
            "testcase" => {
                // Newer versions of Node.js name the file; nextest's suites are the programs.
                let file = taken("file")
                    .and_then(|file| file.rsplit(['/', '\\']).next().map(str::to_owned));
                let suites = self.open.iter().filter_map(|(_, suite)| suite.clone());
                let seconds = taken("time").context("a test of the report has no time")?;
                self.tests.push(ReportedTest {
                    suites: file.into_iter().chain(suites).collect(),
                    name: taken("name").context("a test of the report has no name")?,
                    seconds: seconds.parse().context("a test's time is no number")?,
                    verdict: Verdict::Passed,
                    stdout: String::new(),
                    stderr: String::new(),
                });
                None
            }
            "failure" | "error" => {
                let words = [taken("type"), taken("message")];
                self.judge(Verdict::Failed(
                    words.into_iter().flatten().collect::<Vec<_>>().join(": "),
                ));
                None
            }
            "skipped" => {
                let (kind, reason) = (taken("type"), taken("message").unwrap_or_default());
                // A test that is to be done runs, and cannot fail. Node.js gives `true` for no reason.
                let reason = if reason == "true" { String::new() } else { reason };
                if kind.as_deref() != Some("todo") {
                    self.judge(Verdict::Skipped(reason));
                }
                None
            }
            _ => None,
        };
        self.open.push((element, suite));
        Ok(())
    }

    fn end(&mut self) {
        self.open.pop();
        self.is_whole |= self.open.is_empty();
    }

    fn judge(&mut self, verdict: Verdict) {
        if let Some(test) = self.tests.last_mut() {
            test.verdict = verdict;
        }
    }

    fn text(&mut self, text: &str) {
        let (Some((element, _)), Some(test)) = (self.open.last(), self.tests.last_mut()) else {
            return;
        };
        match (element.as_str(), &mut test.verdict) {
            ("system-out", _) => test.stdout += text,
            ("system-err", _) => test.stderr += text,
            ("failure" | "error", Verdict::Failed(reason)) => {
                // The message is the beginning of the text, in one line.
                if !reason.contains('\n') {
                    reason.push('\n');
                }
                reason.push_str(text);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use super::*;

    /// Both written by the runners themselves, of a small crate and of three small files, each with tests that fail in the
    /// ways a test can.
    const NEXTEST: &str = include_str!("logs/nextest.xml");
    const NODE: &str = include_str!("logs/node.xml");

    #[test]
    fn nextest_tells_each_way_to_fail_from_passing() {
        let count = count(NEXTEST).unwrap();
        assert_eq!((count.passed, count.failed), (5, 5));
        assert_eq!(
            count.skipped,
            ["campus-hours > tests::lacks_its_data: no ../shared/data"],
            "a test that lacks its data has not passed"
        );
        let failure = count.failure.unwrap();
        for reason in [
            "FAILED campus-hours::bad > is_wrong (0.2 s)",
            "it prints this before",
            "assertion `left == right` failed: the sum of two",
            "FAILED campus-hours::bad > says_skipped_and_then_fails",
            "and still failed",
            "process aborted with signal 6 (SIGABRT)",
            "process aborted with signal 9 (SIGKILL)",
            "FAILED campus-hours::slow > hangs (4.0 s)\n    |   test timeout",
        ] {
            assert!(failure.contains(reason), "{reason} is not in:\n{failure}");
        }
        assert!(!failure.contains("test result") && !failure.contains("invented"), "{failure}");
        assert_eq!(failure.matches("panicked at tests/bad.rs:4:5").count(), 2, "{failure}");
    }

    #[test]
    fn node_counts_a_test_once_and_a_crashed_file() {
        let count = count(NODE).unwrap();
        assert_eq!((count.passed, count.failed), (4, 4));
        assert_eq!(
            count.skipped,
            [
                "the desk > is closed on Sundays: no Sunday today",
                "parent > child b",
                "skips inside: no adapter"
            ]
        );
        let failure = count.failure.unwrap();
        for reason in ["crash.test.mjs (1.2 s)", "signal: 'SIGKILL'", "timed out after 100ms"] {
            assert!(failure.contains(reason), "{reason} is not in:\n{failure}");
        }
        let mut slowest = count.times;
        slowest.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
        let names: Vec<&str> = slowest.iter().map(|test| test.name.as_str()).skip(2).collect();
        assert_eq!(names[..2], ["the desk > opens", "parent > slow"]);
        assert!(!names.contains(&"the desk") && !names.contains(&"parent"), "{names:?}");
    }

    #[test]
    fn a_report_that_cannot_be_believed_is_an_error() {
        for length in [0, 38, NEXTEST.len() / 2, NEXTEST.len() - 15] {
            let cut = NEXTEST.get(..length).unwrap();
            assert!(count(cut).is_err(), "cut after {length} bytes");
        }
        let lost = NEXTEST.replacen("tests=\"11\"", "tests=\"12\"", 1);
        let error = count(&lost).unwrap_err().to_string();
        assert_eq!(error, "the tests' report promises 12 tests and has 11");
    }

    #[test]
    fn a_line_about_another_test_skips_nothing() {
        let case = |printed: &str| {
            let printed = format!("<system-out>{printed}</system-out>");
            format!(
                "<testsuites><testcase name=\"a\" time=\"0.1\">{printed}</testcase></testsuites>"
            )
        };
        for (printed, skipped) in [
            ("running 1 test\nskipped: a: no data\n", true),
            ("skipped: b: no data", false),
            ("skipped: ab: no data", false),
            ("said skipped: a: no data", false),
            ("skipped 3 pages", false),
        ] {
            let count = count(&case(printed)).unwrap();
            assert_eq!((count.passed, count.skipped.len()), if skipped { (0, 1) } else { (1, 0) });
        }
    }
}
