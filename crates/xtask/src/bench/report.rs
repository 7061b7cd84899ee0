//! Samples in, medians and ratios out: on the terminal and in the document. A site beside Pagefind's
//! has a table of its own.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::Machine;
use crate::files;

const DOCUMENT: &str = "docs/reference/performance.md";

/// The measurements of one benchmark.
pub struct Measured {
    cases: Vec<Case>,
    checks: Vec<Check>,
    versions: Vec<String>,
}

/// One piece of work, done by all sides; ours is the first.
struct Case {
    name: String,
    tokens: f64,
    /// The thing that `tokens` counts: tokens where nothing else is said.
    unit: String,
    sides: Vec<Side>,
}

struct Side {
    name: String,
    median: f64,
    minimum: f64,
}

struct Check {
    what: String,
    passed: bool,
    found: String,
}

impl Measured {
    /// Reads what `run.js` wrote.
    pub fn read(path: &Path) -> Result<Self> {
        Self::from_json(&files::read_text(path)?).with_context(|| format!("in {}", path.display()))
    }

    fn from_json(text: &str) -> Result<Self> {
        let value: Value = serde_json::from_str(text).context("it is not JSON")?;
        let cases = list(&value["cases"]).iter().map(case).collect::<Result<Vec<_>>>()?;
        let checks = list(&value["checks"]).iter().map(check).collect::<Result<Vec<_>>>()?;
        // Written into the document, an empty result would look like a benchmark that was never run.
        ensure!(!cases.is_empty() && !checks.is_empty(), "it holds no cases, or no checks");
        let versions = value["versions"].as_object().into_iter().flatten();
        let versions = versions
            .map(|(name, version)| format!("{name} {}", version.as_str().unwrap_or_default()))
            .collect();
        Ok(Self { cases, checks, versions })
    }

    /// Returns `true` if the sides computed the same.
    pub fn all_passed(&self) -> bool {
        self.checks.iter().all(|check| check.passed)
    }

    /// For the terminal.
    pub fn table(&self) -> String {
        let sides = self.cases.iter().flat_map(|case| &case.sides);
        let width = sides.map(|side| side.name.len()).max().unwrap_or_default() + 2;
        let mut text = String::new();
        for case in &self.cases {
            let _ = writeln!(
                text,
                "{}\n  {:width$}{:>12}{:>12}{:>12}{:>14}",
                case.name,
                "",
                "median ms",
                "least ms",
                format!("{}/s", case.unit),
                "times ours"
            );
            for side in &case.sides {
                let [median, least, rate, ratio] = case.figures(side);
                let _ = writeln!(
                    text,
                    "  {:width$}{:>12}{:>12}{:>12}{:>14}",
                    side.name, median, least, rate, ratio
                );
            }
        }
        for check in &self.checks {
            let verdict = if check.passed { "ok    " } else { "FAILED" };
            let _ = writeln!(text, "{verdict} {}: {}", check.what, check.found);
        }
        text
    }

    /// Replaces the section of one benchmark, told with its job, in the document.
    pub fn write_into(
        &self,
        root: &Path,
        (job, name): (&str, &str),
        machine: &Machine,
    ) -> Result<()> {
        write_section(root, name, &self.section(job, name, machine))
    }

    fn section(&self, job: &str, name: &str, machine: &Machine) -> String {
        let unit = self.cases.first().map_or("tokens", |case| &case.unit);
        let mut text = format!(
            "\n`cargo xtask bench {job} {name}` on {}; {}.\n\n\
             | work | side | median | least | {unit}/s | times ours |\n|---|---|---|---|---|---|\n",
            machine.line(),
            self.versions.join(", ")
        );
        for case in &self.cases {
            for side in &case.sides {
                let [median, least, rate, ratio] = case.figures(side);
                let (work, side) = (&case.name, &side.name);
                let _ = writeln!(
                    text,
                    "| {work} | {side} | {median} ms | {least} ms | {rate} | {ratio} |"
                );
            }
        }
        text.push('\n');
        for check in &self.checks {
            let verdict = if check.passed { "" } else { " **(not as it should be)**" };
            let _ = writeln!(text, "- {}: {}{verdict}", check.what, check.found);
        }
        text.push('\n');
        text
    }
}

impl Case {
    /// The median and the least time in milliseconds, the units in a second, and how many times as long as ours the side
    /// takes.
    fn figures(&self, side: &Side) -> [String; 4] {
        let ratio = self.sides.first().map(|ours| format!("{:.2}", side.median / ours.median));
        [
            milliseconds(side.median),
            milliseconds(side.minimum),
            format!("{:.0}", self.tokens * 1000.0 / side.median),
            ratio.unwrap_or_default(),
        ]
    }
}

fn case(value: &Value) -> Result<Case> {
    let name = value["name"].as_str().context("a case has no name")?.to_owned();
    let tokens = value["tokens"].as_f64().with_context(|| format!("`{name}` has no tokens"))?;
    let unit = value["unit"].as_str().unwrap_or("tokens").to_owned();
    let sides = list(&value["sides"]).iter().map(side).collect::<Result<Vec<_>>>();
    Ok(Case { tokens, unit, sides: sides.with_context(|| format!("in `{name}`"))?, name })
}

fn side(value: &Value) -> Result<Side> {
    let name = value["name"].as_str().context("a side has no name")?.to_owned();
    let samples: Vec<f64> = list(&value["samples"]).iter().filter_map(Value::as_f64).collect();
    // The median for what a person waits, the least for what the machine can: others' work only ever adds.
    let (median, minimum) = summary(samples).with_context(|| format!("no samples of {name}"))?;
    Ok(Side { name, median, minimum })
}

fn check(value: &Value) -> Result<Check> {
    let text = |key: &str| value[key].as_str().map(str::to_owned);
    Ok(Check {
        what: text("what").context("a check does not say what it checks")?,
        passed: value["passed"].as_bool().context("a check does not say whether it passed")?,
        found: text("found").context("a check does not say what it found")?,
    })
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// The median and the least of some samples.
fn summary(mut samples: Vec<f64>) -> Option<(f64, f64)> {
    samples.sort_by(f64::total_cmp);
    let upper = samples.get(samples.len() / 2)?;
    let lower = samples.get(samples.len().checked_sub(1)? / 2)?;
    Some((f64::midpoint(*lower, *upper), *samples.first()?))
}

/// Three digits, or all before the point.
fn milliseconds(value: f64) -> String {
    let decimals = match value {
        value if value < 10.0 => 2,
        value if value < 100.0 => 1,
        _ => 0,
    };
    format!("{value:.decimals$}")
}

/// Replaces what stands between the lines of `name` in the document.
pub(super) fn write_section(root: &Path, name: &str, section: &str) -> Result<()> {
    let path = root.join(DOCUMENT);
    let text = files::read_text(&path)?;
    let text = replace_section(&text, name, section).with_context(|| {
        format!(
            "{DOCUMENT} has no section for it: put the lines `{}` and `{}` where it belongs",
            opening(name),
            closing(name)
        )
    })?;
    files::write(&path, text)
}

fn opening(name: &str) -> String {
    format!("<!-- measured: {name} -->")
}

fn closing(name: &str) -> String {
    format!("<!-- end of {name} -->")
}

fn replace_section(text: &str, name: &str, section: &str) -> Option<String> {
    let (before, rest) = text.split_once(&opening(name))?;
    let (_, after) = rest.split_once(&closing(name))?;
    Some(format!("{before}{}\n{section}{}{after}", opening(name), closing(name)))
}

/// Ours beside searches over pages: what `benches/pagefind/compare.js` found, a row a side.
pub struct BesideTable(Value);

impl BesideTable {
    /// Reads what the script wrote.
    pub fn read(path: &Path) -> Result<Self> {
        Ok(Self(files::read_json(path)?))
    }

    /// For terminal and document.
    pub fn markdown(&self) -> String {
        let mut text = String::from(
            "| side | kB until the first result | kB more for meaning | whole sentences | keywords | a question | of that searching | memory |\n\
             |---|---|---|---|---|---|---|---|\n",
        );
        let all = &self.0["questions"];
        for row in self.0["rows"].as_array().into_iter().flatten() {
            let name = row["name"].as_str().unwrap_or_default();
            // A side that was not asked for something has nothing to say of it.
            let told = |key: &str, tell: &dyn Fn(f64) -> String| {
                row[key].as_f64().map_or_else(String::new, tell)
            };
            let kilobytes = |bytes: f64| format!("{:.0}", bytes / 1e3);
            let found = |right: f64| format!("{right} of {all}");
            let _ = writeln!(
                text,
                "| {name} | {} | {} | {} | {} | {} | {} | {} |",
                told("bytes_until_first_result", &kilobytes),
                told("encoder_bytes", &kilobytes),
                told("hit@5, sentence", &found),
                told("hit@5, keywords", &found),
                told("milliseconds, sentence", &|time| format!("{time:.0} ms")),
                told("searching_milliseconds", &|time| format!("{time:.0} ms")),
                told("megabytes", &|size| format!("{size:.0} MB")),
            );
        }
        text
    }

    fn browser(&self) -> &str {
        self.0["chromium"].as_str().unwrap_or("of an unknown version")
    }

    /// Replaces the table that `cargo xtask WORDS` measured in the section of this name.
    pub fn write_into(
        &self,
        root: &Path,
        name: &str,
        words: &str,
        machine: &Machine,
    ) -> Result<()> {
        let section = format!(
            "\n`cargo xtask {words}` on {}; Chromium {}.\n\n{}\n",
            machine.line(),
            self.browser(),
            self.markdown()
        );
        write_section(root, name, &section)
    }
}

/// Replaces the tables of sites that grow in the document: passages, and ours beside searches over pages.
pub fn write_grown(root: &Path, tables: &[(u32, BesideTable)], machine: &Machine) -> Result<()> {
    let mut section = format!("\n`cargo xtask bench growth` on {}.\n", machine.line());
    for (count, table) in tables {
        let _ = writeln!(
            section,
            "\n{count} passages (Chromium {}):\n\n{}",
            table.browser(),
            table.markdown()
        );
    }
    write_section(root, "growth-beside", &section)
}

/// Servers of files under load: what `benches/serve/load.js` found, a row a server and a moment.
pub struct LoadTable(Value);

impl LoadTable {
    /// Reads what the script wrote.
    pub fn read(path: &Path) -> Result<Self> {
        Ok(Self(files::read_json(path)?))
    }

    /// For terminal and document.
    pub fn markdown(&self) -> Result<String> {
        let mut text = String::from(
            "| server | beside | answers a second | median | 99 of 100 within | failed | memory |\n|---|---|---|---|---|---|---|\n",
        );
        for row in list(&self.0["rows"]) {
            let name = row["name"].as_str().context("a row has no name")?;
            let idle = format!("{} that take nothing", self.0["idle"]);
            for (key, beside) in [("alone", "nobody"), ("beside", idle.as_str())] {
                let figure = |what: &str| {
                    row[key][what].as_f64().with_context(|| format!("{name} has no `{what}`"))
                };
                let memory = row["megabytes"].as_f64();
                let memory =
                    memory.map_or_else(String::new, |megabytes| format!("{megabytes:.0} MB"));
                let _ = writeln!(
                    text,
                    "| {name} | {beside} | {:.0} | {:.1} ms | {:.0} ms | {:.0} | {memory} |",
                    figure("per_second")?,
                    figure("median_ms")?,
                    figure("p99_ms")?,
                    figure("failed")?,
                );
            }
        }
        Ok(text)
    }

    /// Replaces the table in the document.
    pub fn write_into(&self, root: &Path, machine: &Machine) -> Result<()> {
        let section = format!(
            "\n`cargo xtask bench serve` on {}; {} connections, {} files.\n\n{}\n",
            machine.line(),
            self.0["connections"],
            self.0["files"],
            self.markdown()?
        );
        write_section(root, "serve", &section)
    }
}

/// A build of very many documents: what `benches/build/many.py` found.
pub struct BuildTable(Value);

impl BuildTable {
    /// Reads what the script wrote.
    pub fn read(path: &Path) -> Result<Self> {
        Ok(Self(files::read_json(path)?))
    }

    /// For terminal and document.
    pub fn markdown(&self) -> Result<String> {
        let figure =
            |what: &str| self.0[what].as_f64().with_context(|| format!("there is no `{what}`"));
        Ok(format!(
            "| documents | hostile, all named | passages | time | memory | index |\n|---|---|---|---|---|---|\n| {} | {} | {} | {:.1} min | {:.0} MB | {:.0} MB |\n",
            figure("documents")?,
            figure("hostile")?,
            figure("passages")?,
            figure("seconds")? / 60.0,
            figure("memory_bytes")? / 1e6,
            figure("index_bytes")? / 1e6,
        ))
    }

    /// Replaces the table in the document.
    pub fn write_into(&self, root: &Path, machine: &Machine) -> Result<()> {
        let section = format!(
            "\n`cargo xtask bench build {}` on {}.\n\n{}\n",
            self.0["documents"],
            machine.line(),
            self.markdown()?
        );
        write_section(root, "build", &section)
    }
}

/// Sites of more and more passages: what `benches/growth/grow.py` found.
pub struct GrowthTable(Vec<Value>);

impl GrowthTable {
    /// Reads what the script wrote.
    pub fn read(path: &Path) -> Result<Self> {
        let found = files::read_json(path)?;
        Ok(Self(found["rows"].as_array().context("there are no rows")?.clone()))
    }

    /// For terminal and document.
    pub fn markdown(&self) -> Result<String> {
        let mut text = String::from(
            "| passages | built in | memory of the build | index | first passages by keywords | by meaning, more | of the ten nearest | warm question | of that embedding | memory |\n|---|---|---|---|---|---|---|---|---|---|\n",
        );
        for row in &self.0 {
            let figure =
                |what: &str| row[what].as_f64().with_context(|| format!("a row has no `{what}`"));
            let _ = writeln!(
                text,
                "| {} | {:.1} min | {:.0} MB | {:.1} MB | {:.0} kB, {} requests | {:.2} MB, {} requests | {:.3} | {:.0} ms | {:.0} ms | {:.0} MB |",
                figure("passages")?,
                figure("build_seconds")? / 60.0,
                figure("build_memory_bytes")? / 1e6,
                figure("index_bytes")? / 1e6,
                figure("words_bytes")? / 1e3,
                figure("words_requests")?,
                figure("meaning_bytes")? / 1e6,
                figure("meaning_requests")?,
                figure("recall")?,
                figure("warm_microseconds")? / 1e3,
                figure("of_that_embedding")? / 1e3,
                figure("resident_bytes")? / 1e6,
            );
        }
        Ok(text)
    }

    /// Replaces the table in the document.
    pub fn write_into(&self, root: &Path, machine: &Machine) -> Result<()> {
        let section = format!(
            "\n`cargo xtask bench growth` on {}.\n\n{}\n",
            machine.line(),
            self.markdown()?
        );
        write_section(root, "growth", &section)
    }
}

/// A campus of sites, as the script measured it whole and with two sites missing.
pub struct CampusTable(Value);

impl CampusTable {
    /// Reads what the script wrote.
    pub fn read(path: &Path) -> Result<Self> {
        Ok(Self(files::read_json(path)?))
    }

    /// For terminal and document.
    pub fn markdown(&self) -> Result<String> {
        let mut text = String::from(
            "| twelve sites | questions | sites asked | that of the answer among them | answer first, campus / one site | among the first five | a first question | a later one | warm |\n|---|---|---|---|---|---|---|---|---|\n",
        );
        for (key, name) in [("all", "all there"), ("two missing", "one broken, one gone")] {
            let row = &self.0[key];
            let figure =
                |what: &str| row[what].as_f64().with_context(|| format!("`{key}` has no `{what}`"));
            let place = |what: &str, place: usize| {
                row[what][place].as_f64().with_context(|| format!("`{key}` has no `{what}`"))
            };
            let _ = writeln!(
                text,
                "| {name} | {} | {:.1} | {:.3} | {:.3} / {:.3} | {:.3} / {:.3} | {:.0} kB | {:.0} kB | {:.0} ms |",
                figure("questions")?,
                figure("asked")?,
                figure("site_asked")?,
                place("merged", 0)?,
                place("one_site", 0)?,
                place("merged", 1)?,
                place("one_site", 1)?,
                figure("first_bytes")? / 1e3,
                figure("later_bytes_mean")? / 1e3,
                figure("milliseconds")?,
            );
        }
        let own = self.0["all"]["own_bytes"].as_f64().context("there is no `own_bytes`")?;
        let _ = writeln!(text, "\nThe campus's own manifest and sketches: {:.0} kB.", own / 1e3);
        Ok(text)
    }

    /// Replaces the table in the document.
    pub fn write_into(&self, root: &Path, machine: &Machine) -> Result<()> {
        let section = format!(
            "\n`cargo xtask bench campus` on {}.\n\n{}\n",
            machine.line(),
            self.markdown()?
        );
        write_section(root, "campus", &section)
    }
}

/// A site's tables in other engines: what the scripts of `deploy/export` found.
pub struct ExportTable(Vec<Value>);

impl ExportTable {
    /// A row for each engine.
    pub fn new(rows: Vec<Value>) -> Self {
        Self(rows)
    }

    /// For terminal and document.
    pub fn markdown(&self) -> Result<String> {
        let mut text = String::from(
            "| engine | of the site's ten, among its ten | the site's first is first | among its ten | a question, median | loaded in |\n|---|---|---|---|---|---|\n",
        );
        for row in &self.0 {
            let name = row["engine"].as_str().context("a row has no engine")?;
            let figure =
                |what: &str| row[what].as_f64().with_context(|| format!("{name} has no `{what}`"));
            let _ = writeln!(
                text,
                "| {name} | {:.0} % | {:.0} % | {:.0} % | {:.0} ms | {:.1} s |",
                figure("overlap")? * 100.0,
                figure("same_first")? * 100.0,
                figure("first_within")? * 100.0,
                figure("median_ms")?,
                figure("load_seconds")?,
            );
        }
        Ok(text)
    }

    /// Replaces the table in the document.
    pub fn write_into(&self, root: &Path, machine: &Machine) -> Result<()> {
        let questions = self.0.first().map_or(&Value::Null, |row| &row["questions"]);
        let section = format!(
            "\n`cargo xtask bench export` on {}; {questions} questions.\n\n{}\n",
            machine.line(),
            self.markdown()?
        );
        write_section(root, "export", &section)
    }
}

/// A build in parts beside a plain one: what `benches/parts/trial.py` found.
pub struct PartsTable(Value);

impl PartsTable {
    /// Reads what the script wrote.
    pub fn read(path: &Path) -> Result<Self> {
        Ok(Self(files::read_json(path)?))
    }

    /// For terminal and document.
    pub fn markdown(&self) -> Result<String> {
        let figure = |step: &str, what: &str| {
            self.0[step][what].as_f64().with_context(|| format!("`{step}` has no `{what}`"))
        };
        let mut text =
            String::from("| step | time | memory | read | written |\n|---|---|---|---|---|\n");
        let (texts, most) = (figure("whole", "texts")?, figure("part", "texts")?);
        for (step, name) in [
            ("plain", "`campanile build`".to_owned()),
            ("passages", "`campanile passages`".to_owned()),
            ("part", format!("a part of {most} texts on the cluster, median")),
            ("assembling", "`campanile build --from`".to_owned()),
            ("whole", format!("{texts} passages as one part, alone on one core")),
            ("start", "a part of one passage, alone on one core".to_owned()),
        ] {
            let bytes = |what: &str| match figure(step, what) {
                Ok(bytes) => format!("{:.0} kB", bytes / 1e3),
                Err(_) => "–".to_owned(),
            };
            let _ = writeln!(
                text,
                "| {name} | {:.1} s | {:.0} MB | {} | {} |",
                figure(step, "seconds")?,
                figure(step, "memory_bytes")? / 1e6,
                bytes("text_bytes"),
                bytes("vector_bytes"),
            );
        }
        Ok(text)
    }

    /// Replaces the table in the document.
    pub fn write_into(&self, root: &Path, machine: &Machine) -> Result<()> {
        let of = |what: &str| &self.0[what];
        let section = format!(
            "\n`cargo xtask bench parts` on {}; {} documents, {} texts in {} parts, {} workers. The worker that was at `{}` was \
             killed; all {} files of the site are those of the plain build.\n\n{}\n",
            machine.line(),
            of("documents"),
            of("texts"),
            of("parts"),
            of("workers"),
            of("killed")["part"].as_str().context("no worker was killed")?,
            of("files_compared"),
            self.markdown()?
        );
        write_section(root, "parts", &section)
    }
}

/// Random questions in one tab: what `benches/page/hour.js` found.
pub struct TabTable(Value);

impl TabTable {
    /// Reads what the script wrote.
    pub fn read(path: &Path) -> Result<Self> {
        Ok(Self(files::read_json(path)?))
    }

    /// For terminal and document: the memory at even distances, and how the answers were.
    pub fn markdown(&self) -> Result<String> {
        let looks = list(&self.0["memory"]);
        ensure!(looks.len() > 1, "the tab was looked at once");
        let mut text = String::from("| questions so far | memory |\n|---|---|\n");
        let rows = 6.min(looks.len());
        for row in 0..rows {
            let look = &looks[row * (looks.len() - 1) / (rows - 1)];
            let megabytes = look["megabytes"].as_f64().context("a look has no memory")?;
            let _ = writeln!(text, "| {} | {megabytes:.0} MB |", look["answered"]);
        }
        let others = list(&self.0["wrong"]).len();
        let _ = writeln!(
            text,
            "\n{} questions in {} minutes, {others} of them answered otherwise than in the terminal; the console was quiet.",
            self.0["answered"], self.0["minutes"]
        );
        Ok(text)
    }

    /// Replaces the table in the document.
    pub fn write_into(&self, root: &Path, machine: &Machine) -> Result<()> {
        let section =
            format!("\n`cargo xtask bench tab` on {}.\n\n{}\n", machine.line(), self.markdown()?);
        write_section(root, "tab", &section)
    }
}

/// The waiting of a first visit, as `benches/page/waiting.js` found it: a row a moment.
pub struct WaitingTable(Value);

impl WaitingTable {
    /// The lines that were measured, and what they are called in the table.
    const LINES: [(&str, &str); 2] = [("slow", "slow 4G"), ("fast", "as fast as the machine")];
    /// The moments that are waited for.
    const MOMENTS: [&str; 3] = ["first passages", "first answer", "everything kept"];

    /// Reads what the script wrote.
    pub fn read(path: &Path) -> Result<Self> {
        Ok(Self(files::read_json(path)?))
    }

    /// For terminal and document.
    pub fn markdown(&self) -> Result<String> {
        let mut text = String::from(
            "| line | until | median | least | requests | kB |\n|---|---|---|---|---|---|\n",
        );
        for (key, line) in Self::LINES {
            let visits = list(&self.0["lines"][key]);
            for moment in Self::MOMENTS {
                let reached = |what: &str| {
                    let values = visits.iter().map(|visit| &visit["moments"][moment][what]);
                    summary(values.filter_map(Value::as_f64).collect())
                        .with_context(|| format!("no visit by the {key} line has its {moment}"))
                };
                let (median, least) = reached("ms")?;
                let (requests, bytes) = (reached("requests")?.0, reached("bytes")?.0);
                let _ = writeln!(
                    text,
                    "| {line} | {moment} | {:.1} s | {:.1} s | {requests:.0} | {:.0} |",
                    median / 1e3,
                    least / 1e3,
                    bytes / 1e3
                );
            }
        }
        Ok(text)
    }

    /// Replaces the table in the document.
    pub fn write_into(&self, root: &Path, machine: &Machine) -> Result<()> {
        let chromium = self.0["chromium"].as_str().unwrap_or("of an unknown version");
        let section = format!(
            "\n`cargo xtask bench page` on {}; Chromium {chromium}.\n\n{}\n",
            machine.line(),
            self.markdown()?
        );
        write_section(root, "page", &section)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use super::*;

    const SAMPLES: &str = r#"{
        "cases": [{"name": "16 tokens", "tokens": 16, "sides": [
            {"name": "ours", "samples": [4, 2, 3, 100]}, {"name": "peer", "samples": [7]}]}],
        "checks": [{"what": "cosine", "passed": true, "found": "0.999"}],
        "versions": {"peer": "1.2"}}"#;

    #[test]
    fn gives_median_least_rate_and_ratio() {
        let measured = Measured::from_json(SAMPLES).unwrap();
        let table = measured.table();
        let row = |name: &str| -> Vec<&str> {
            let line = table.lines().find(|line| line.trim_start().starts_with(name)).unwrap();
            line.split_whitespace().collect()
        };
        assert_eq!(row("ours"), ["ours", "3.50", "2.00", "4571", "1.00"]);
        assert_eq!(row("peer"), ["peer", "7.00", "7.00", "2286", "2.00"]);
        assert!(measured.all_passed());
    }

    #[test]
    fn refuses_results_that_hold_nothing() {
        for (text, part) in [
            ("[", "not JSON"),
            ("{}", "no cases"),
            (
                r#"{"cases": [{"name": "a", "tokens": 1, "sides": [{"name": "ours", "samples": []}]}]}"#,
                "no samples of ours",
            ),
        ] {
            let error = Measured::from_json(text).err().unwrap();
            assert!(format!("{error:#}").contains(part), "{text}: {error:#}");
        }
    }

    #[test]
    fn a_first_visit_has_a_row_for_each_moment() {
        let moment = |ms: u32| serde_json::json!({ "ms": ms, "bytes": 2_400, "requests": 7 });
        let visit = |ms| {
            serde_json::json!({ "moments": { "first passages": moment(ms),
                "first answer": moment(2 * ms), "everything kept": moment(3 * ms) } })
        };
        let visits = [visit(9_000), visit(1_000), visit(2_000)];
        let table =
            WaitingTable(serde_json::json!({ "lines": { "slow": visits, "fast": [visit(50)] } }));
        let text = table.markdown().unwrap();
        assert!(text.contains("| slow 4G | first answer | 4.0 s | 2.0 s | 7 | 2 |"), "{text}");
        assert_eq!(text.lines().count(), 8);
        let error = WaitingTable(serde_json::json!({})).markdown().unwrap_err();
        assert!(error.to_string().contains("slow line has its first passages"), "{error}");
    }

    #[test]
    fn a_tab_has_its_memory_from_first_to_last() {
        let look = |answered: u32| serde_json::json!({ "answered": answered, "megabytes": 500.4 + f64::from(answered) });
        let looks: Vec<_> = (0..12).map(look).collect();
        let table = TabTable(
            serde_json::json!({ "minutes": 6, "answered": 11, "memory": looks, "wrong": [{}] }),
        );
        let text = table.markdown().unwrap();
        assert!(text.contains("| 0 | 500 MB |") && text.contains("| 11 | 511 MB |"), "{text}");
        assert!(text.contains("11 questions in 6 minutes, 1 of them"), "{text}");
        assert_eq!(text.lines().count(), 10);
        assert!(TabTable(serde_json::json!({ "memory": [] })).markdown().is_err());
    }

    #[test]
    fn a_server_has_a_row_alone_and_one_beside_idle_connections() {
        let load = |times: u32| serde_json::json!({ "per_second": 2000, "median_ms": 1.25 * f64::from(times), "p99_ms": 9, "failed": 0 });
        let table = LoadTable(serde_json::json!({ "connections": 200, "idle": 100, "files": 70,
            "rows": [{ "name": "ours", "alone": load(1), "beside": load(2), "megabytes": 21.4 }] }));
        let text = table.markdown().unwrap();
        assert!(text.contains("| ours | nobody | 2000 | 1.2 ms | 9 ms | 0 | 21 MB |"), "{text}");
        assert!(text.contains("| ours | 100 that take nothing | 2000 | 2.5 ms |"), "{text}");
        let error = LoadTable(serde_json::json!({ "rows": [{ "name": "ours" }] })).markdown();
        assert!(error.unwrap_err().to_string().contains("ours has no `per_second`"));
    }

    #[test]
    fn a_build_is_a_row_and_a_figure_that_is_missing_an_error() {
        let mut figures = serde_json::json!({ "documents": 1300, "hostile": 13, "passages": 1287, "seconds": 90.0,
            "memory_bytes": 434e6, "index_bytes": 1_441_456 });
        let text = BuildTable(figures.clone()).markdown().unwrap();
        assert!(text.contains("| 1300 | 13 | 1287 | 1.5 min | 434 MB | 1 MB |"), "{text}");
        figures["hostile"].take();
        let error = BuildTable(figures).markdown().unwrap_err();
        assert!(error.to_string().contains("there is no `hostile`"));
    }

    #[test]
    fn an_engine_is_a_row_and_one_without_a_figure_is_an_error() {
        let row = serde_json::json!({ "engine": "LanceDB 1", "questions": 60, "overlap": 0.661, "same_first": 0.5,
            "first_within": 1.0, "median_ms": 7.6, "load_seconds": 0.08 });
        let text = ExportTable::new(vec![row]).markdown().unwrap();
        assert!(text.contains("| LanceDB 1 | 66 % | 50 % | 100 % | 8 ms | 0.1 s |"), "{text}");
        let error = ExportTable::new(vec![serde_json::json!({ "engine": "LanceDB 1" })]).markdown();
        assert!(error.unwrap_err().to_string().contains("LanceDB 1 has no `overlap`"));
    }

    #[test]
    fn a_step_is_a_row_and_one_without_a_figure_is_an_error() {
        let step =
            serde_json::json!({ "seconds": 4.26, "memory_bytes": 179_000_000, "texts": 287 });
        let mut figures = serde_json::json!({ "plain": step, "passages": step, "assembling": step, "start": step,
            "whole": step, "part": step });
        figures["whole"]["vector_bytes"] = 686_476.into();
        let text = PartsTable(figures.clone()).markdown().unwrap();
        assert!(text.contains("| `campanile build` | 4.3 s | 179 MB | – | – |"), "{text}");
        assert!(
            text.contains(
                "| 287 passages as one part, alone on one core | 4.3 s | 179 MB | – | 686 kB |"
            ),
            "{text}"
        );
        figures["start"] = serde_json::json!({});
        let error = PartsTable(figures).markdown().unwrap_err();
        assert!(error.to_string().contains("`start` has no `seconds`"), "{error}");
    }

    #[test]
    fn replaces_one_section_and_nothing_else() {
        let text = "head\n<!-- measured: a -->\nold\n<!-- end of a -->\n<!-- measured: b -->\nkept\n<!-- end of b -->\n";
        let found = replace_section(text, "a", "new\n").unwrap();
        assert_eq!(
            found,
            "head\n<!-- measured: a -->\nnew\n<!-- end of a -->\n<!-- measured: b -->\nkept\n<!-- end of b -->\n"
        );
        assert_eq!(replace_section(text, "c", "new\n"), None);
    }

    #[test]
    fn a_row_says_bytes_and_questions() {
        let rows = serde_json::json!({ "questions": 48, "rows": [
            { "name": "ours", "bytes_until_first_result": 612_345, "encoder_bytes": 0,
              "hit@5, sentence": 36, "hit@5, keywords": 35, "milliseconds, sentence": 12.4 },
            { "name": "another", "megabytes": 199.7 }] });
        let table = BesideTable(rows).markdown();
        assert!(
            table.contains("| ours | 612 | 0 | 36 of 48 | 35 of 48 | 12 ms |  |  |"),
            "{table}"
        );
        assert!(table.contains("| another |  |  |  |  |  |  | 200 MB |"), "{table}");
    }
}
