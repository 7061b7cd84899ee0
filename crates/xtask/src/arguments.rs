//! The arguments that can be typed after `cargo xtask`.

use crate::bench::{self, model, page, search, serve, tab};
use crate::campanile::DemoOptions;
use crate::fuzz::{self, FuzzOptions};
use crate::release::ReleaseOptions;
use crate::web::WebOptions;
use crate::{docs_site, evaluate, house, release};

pub const USAGE: &str = "\
The project's routine jobs

Usage: cargo xtask <job> [options]

Jobs:
  setup                fetch and build what the other jobs need
  web [--record-sizes] build the three browser modules into pkg/
  demo [options]       build the sample campus and serve it; Ctrl-C stops it
  test [STEP...]       run every check, or only the named steps
  bench model [NAME...]
                       measure the models beside other engines; `--help` says more
  bench search [NAME...]
                       measure the searches beside other engines; `--help` says more
  bench page           measure what a first visit waits for; `--help` says more
  bench serve          measure `campanile serve` under load; `--help` says more
  bench build [COUNT]  build a site of 100,000 documents, some of them hostile; `--help` says more
  bench growth [COUNT...]
                       measure what a question costs at sites of up to 100,000 passages; `--help` says more
  bench campus         ask twelve sites what one is asked; `--help` says more
  bench export         ask other search engines what a site is asked; `--help` says more
  bench parts          build in parts on a local cluster, one worker killed; `--help` says more
  bench makers         read one handbook as a PDF of many makers, beside other readers; `--help` says more
  bench generators     read one handbook as a site of many generators, from sources and pages; `--help` says more
  bench tab [MINUTES]  ask random questions in one tab, for an hour; `--help` says more
  bench gpu            measure the models on this machine's graphics processor
  bench engines        measure how long a visitor waits in Chromium, Firefox and WebKit
  evaluate             measure retrieval on public question sets; `--help` says more
  fuzz [TARGET...]     look for bytes that break a reader; `--help` says more
  house [CRATE...]     measure how the code is housed; `--help` says more
  release [options]    pack the command for one target; `--help` says more
  packages             put the packages for npm together, into pkg/npm/
  docs-site            build the documentation as a website that answers questions about itself
  screenshots          take the pictures of the README again, into docs/images
  help                 print this

Options of `demo`:
  --port N             port to serve on [default: 8420; 0 takes any free one]
  --no-serve           stop when the site is built

Options of `web`:
  --record-sizes       write the measured sizes into crates/xtask/wasm-sizes.json as the new limits

Environment:
  CARGO_TARGET_DIR     where compiled code goes [default: target/ in the cache folder]
  CAMPANILE_CACHE      the cache folder [default: campanile/ in the user's cache folder]
  CAMPANILE_CHROMIUM   the Chromium that the tests drive
  CHROMEDRIVER         its WebDriver server
  CAMPANILE_FIREFOX, GECKODRIVER
                       Firefox and its WebDriver server
  CAMPANILE_WEBKIT_DRIVER, CAMPANILE_XVFB
                       WebKitGTK's WebDriver server, and the Xvfb that it draws on
  CAMPANILE_ENGINES    the engines to test [default: chromium,firefox,webkit]";

/// One job with its options.
#[derive(Debug, PartialEq, Eq)]
pub enum Job {
    /// The text to print.
    Help(&'static str),
    Setup,
    Web(WebOptions),
    Demo(DemoOptions),
    Test {
        steps: Vec<String>,
    },
    Bench {
        benchmarks: Vec<String>,
    },
    BenchGpu,
    BenchPage,
    BenchServe,
    /// Builds a site of so many documents.
    BenchBuild {
        count: u32,
    },
    /// Builds sites of so many passages, and measures what a question at each costs.
    BenchGrowth {
        counts: Vec<u32>,
    },
    /// Asks twelve sites what one over all their documents is asked.
    BenchCampus,
    /// Asks other engines what the site is asked.
    BenchExport,
    /// Builds in parts on a cluster.
    BenchParts,
    /// Reads PDF files of many makers.
    BenchMakers,
    /// Reads sites of many generators.
    BenchGenerators,
    BenchTab {
        minutes: u32,
    },
    BenchEngines,
    BenchSearch {
        benchmarks: Vec<String>,
    },
    Evaluate,
    Fuzz(FuzzOptions),
    House {
        crates: Vec<String>,
    },
    Release(ReleaseOptions),
    Packages,
    DocsSite,
    Screenshots,
}

/// Reads the words after `cargo xtask`; the error is one sentence for the person who typed them.
pub fn parse(words: impl IntoIterator<Item = String>) -> Result<Job, String> {
    let mut words = words.into_iter();
    let Some(name) = words.next() else {
        return Ok(Job::Help(USAGE));
    };
    let rest: Vec<String> = words.collect();
    match name.as_str() {
        "help" | "--help" | "-h" => Ok(Job::Help(USAGE)),
        // Their options stand with all jobs.
        "setup" | "web" | "screenshots" | "demo" | "packages" | "test" if asks_for_help(&rest) => {
            Ok(Job::Help(USAGE))
        }
        "setup" => only(&rest, &[]).map(|()| Job::Setup),
        "web" => only(&rest, &["--record-sizes"])
            .map(|()| Job::Web(WebOptions { record_sizes: !rest.is_empty() })),
        "screenshots" => only(&rest, &[]).map(|()| Job::Screenshots),
        "demo" => demo(&rest).map(Job::Demo),
        "bench" => benchmark(&rest),
        "evaluate" if asks_for_help(&rest) => Ok(Job::Help(evaluate::HELP)),
        "evaluate" => only(&rest, &[]).map(|()| Job::Evaluate),
        "fuzz" if asks_for_help(&rest) => Ok(Job::Help(fuzz::HELP)),
        "fuzz" => fuzzing(&rest).map(Job::Fuzz),
        "house" if asks_for_help(&rest) => Ok(Job::Help(house::HELP)),
        "house" => Ok(Job::House { crates: rest }),
        "release" if asks_for_help(&rest) => Ok(Job::Help(release::HELP)),
        "release" => release(&rest).map(Job::Release),
        "packages" => only(&rest, &[]).map(|()| Job::Packages),
        "docs-site" if asks_for_help(&rest) => Ok(Job::Help(docs_site::HELP)),
        "docs-site" => only(&rest, &[]).map(|()| Job::DocsSite),
        "test" => Ok(Job::Test { steps: rest }),
        other => Err(format!("there is no job `{other}`")),
    }
}

fn only(words: &[String], allowed: &[&str]) -> Result<(), String> {
    match words.iter().find(|word| !allowed.contains(&word.as_str())) {
        Some(word) => Err(format!("unknown option `{word}`")),
        None => Ok(()),
    }
}

fn release(words: &[String]) -> Result<ReleaseOptions, String> {
    let mut options = ReleaseOptions::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--modules-built" => options.modules_built = true,
            "--target" => {
                options.target = Some(words.next().ok_or("`--target` needs a target")?.clone());
            }
            other => return Err(format!("unknown option `{other}`")),
        }
    }
    Ok(options)
}

fn benchmark(words: &[String]) -> Result<Job, String> {
    match words.split_first() {
        Some((what, rest)) if what == "search" && asks_for_help(rest) => {
            Ok(Job::Help(search::HELP))
        }
        Some((what, rest)) if what == "gpu" && asks_for_help(rest) => {
            Ok(Job::Help(bench::GPU_HELP))
        }
        Some((what, rest)) if what == "page" && asks_for_help(rest) => Ok(Job::Help(page::HELP)),
        Some((what, rest)) if what == "serve" && asks_for_help(rest) => Ok(Job::Help(serve::HELP)),
        Some((what, rest)) if what == "build" && asks_for_help(rest) => {
            Ok(Job::Help(bench::build::HELP))
        }
        Some((what, rest)) if what == "growth" && asks_for_help(rest) => {
            Ok(Job::Help(bench::growth::HELP))
        }
        Some((what, rest)) if what == "campus" && asks_for_help(rest) => {
            Ok(Job::Help(bench::campus::HELP))
        }
        Some((what, rest)) if what == "export" && asks_for_help(rest) => {
            Ok(Job::Help(bench::export::HELP))
        }
        Some((what, rest)) if what == "parts" && asks_for_help(rest) => {
            Ok(Job::Help(bench::parts::HELP))
        }
        Some((what, rest)) if what == "makers" && asks_for_help(rest) => {
            Ok(Job::Help(bench::makers::HELP))
        }
        Some((what, rest)) if what == "generators" && asks_for_help(rest) => {
            Ok(Job::Help(bench::generators::HELP))
        }
        Some((what, rest)) if what == "tab" && asks_for_help(rest) => Ok(Job::Help(tab::HELP)),
        Some((what, rest)) if what == "engines" && asks_for_help(rest) => {
            Ok(Job::Help(bench::engines::HELP))
        }
        _ if asks_for_help(words) => Ok(Job::Help(model::HELP)),
        Some((what, rest)) if what == "engines" => only(rest, &[]).map(|()| Job::BenchEngines),
        Some((what, rest)) if what == "gpu" => only(rest, &[]).map(|()| Job::BenchGpu),
        Some((what, rest)) if what == "page" => only(rest, &[]).map(|()| Job::BenchPage),
        Some((what, rest)) if what == "serve" => only(rest, &[]).map(|()| Job::BenchServe),
        Some((what, rest)) if what == "build" => {
            how_many(rest, 100_000, "documents").map(|count| Job::BenchBuild { count })
        }
        Some((what, rest)) if what == "growth" => sizes(rest).map(|counts| Job::BenchGrowth { counts }),
        Some((what, rest)) if what == "campus" => only(rest, &[]).map(|()| Job::BenchCampus),
        Some((what, rest)) if what == "export" => only(rest, &[]).map(|()| Job::BenchExport),
        Some((what, rest)) if what == "parts" => only(rest, &[]).map(|()| Job::BenchParts),
        Some((what, rest)) if what == "makers" => only(rest, &[]).map(|()| Job::BenchMakers),
        Some((what, rest)) if what == "generators" => {
            only(rest, &[]).map(|()| Job::BenchGenerators)
        }
        Some((what, rest)) if what == "tab" => {
            how_many(rest, 60, "minutes").map(|minutes| Job::BenchTab { minutes })
        }
        Some((what, benchmarks)) if what == "model" => {
            Ok(Job::Bench { benchmarks: named(benchmarks, &model::BENCHMARKS)? })
        }
        Some((what, benchmarks)) if what == "search" => {
            Ok(Job::BenchSearch { benchmarks: named(benchmarks, &search::BENCHMARKS)? })
        }
        Some((what, _)) => Err(format!(
            "there is no benchmark of `{what}`, only of `model`, `search`, `page`, `serve`, `build`, `growth`, `campus`, `export`, `makers`, `generators`, `tab`, `gpu` and `engines`"
        )),
        None => Err(
            "say what to measure: `cargo xtask bench model`, `search`, `page`, `serve`, `build`, `growth`, `campus`, `export`, `makers`, `generators`, `tab`, `gpu` or `engines`"
                .to_owned(),
        ),
    }
}

/// Numbers of passages, or as many as usual.
fn sizes(words: &[String]) -> Result<Vec<u32>, String> {
    if words.is_empty() {
        return Ok(bench::growth::COUNTS.to_vec());
    }
    words.iter().map(|word| how_many(std::slice::from_ref(word), 0, "passages")).collect()
}

/// The one word that may follow: a number of these, or as many as usual.
fn how_many(words: &[String], usual: u32, what: &str) -> Result<u32, String> {
    match words {
        [] => Ok(usual),
        [word] => word.parse().map_err(|_| format!("`{word}` is no number of {what}")),
        [_, unknown, ..] => Err(format!("unknown word `{unknown}`")),
    }
}

fn named(benchmarks: &[String], known: &[&str]) -> Result<Vec<String>, String> {
    only(benchmarks, known)
        .map_err(|message| format!("{message}; the benchmarks are: {}", known.join(", ")))?;
    Ok(benchmarks.to_vec())
}

fn asks_for_help(words: &[String]) -> bool {
    words.iter().any(|word| ["help", "--help", "-h"].contains(&word.as_str()))
}

fn fuzzing(words: &[String]) -> Result<FuzzOptions, String> {
    let mut options = FuzzOptions::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--record" => options.record = true,
            "--seconds" => options.seconds = number(word, words.next())?,
            "--jobs" => options.jobs = Some(number(word, words.next())?),
            option if option.starts_with('-') => return Err(format!("unknown option `{option}`")),
            target => options.targets.push(target.to_owned()),
        }
    }
    Ok(options)
}

/// The number behind an option, from 1.
fn number<N: std::str::FromStr + PartialOrd + From<u8>>(
    option: &str,
    word: Option<&String>,
) -> Result<N, String> {
    let word = word.ok_or_else(|| format!("`{option}` needs a number"))?;
    // No seconds, or no jobs at once, would be a run that finds nothing and says so.
    let number = word.parse().ok().filter(|number| *number >= N::from(1));
    number.ok_or_else(|| format!("`{option}` needs a number from 1, not `{word}`"))
}

fn demo(words: &[String]) -> Result<DemoOptions, String> {
    let mut options = DemoOptions::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--no-serve" => options.serve = false,
            "--port" => {
                let port = words.next().ok_or("`--port` needs a number")?;
                options.port = port
                    .parse()
                    .map_err(|_| format!("`--port` needs a number up to 65535, not `{port}`"))?;
            }
            other => return Err(format!("unknown option `{other}`")),
        }
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_line(line: &str) -> Result<Job, String> {
        parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn reads_jobs_and_options() {
        let demo = |port, serve| Job::Demo(DemoOptions { port, serve });
        let cases = [
            ("", Job::Help(USAGE)),
            ("demo --help", Job::Help(USAGE)),
            ("test -h", Job::Help(USAGE)),
            ("setup", Job::Setup),
            ("demo", demo(8420, true)),
            ("demo --port 0 --no-serve", demo(0, false)),
            ("web --record-sizes", Job::Web(WebOptions { record_sizes: true })),
            ("bench model --help", Job::Help(model::HELP)),
            ("bench model", Job::Bench { benchmarks: vec![] }),
            ("bench gpu", Job::BenchGpu),
            ("bench gpu --help", Job::Help(bench::GPU_HELP)),
            ("bench page", Job::BenchPage),
            ("bench page --help", Job::Help(page::HELP)),
            ("bench serve", Job::BenchServe),
            ("bench build", Job::BenchBuild { count: 100_000 }),
            ("bench build 500", Job::BenchBuild { count: 500 }),
            ("bench build --help", Job::Help(bench::build::HELP)),
            ("bench growth", Job::BenchGrowth { counts: vec![1_000, 10_000, 100_000] }),
            ("bench growth 500 900", Job::BenchGrowth { counts: vec![500, 900] }),
            ("bench makers", Job::BenchMakers),
            ("bench generators", Job::BenchGenerators),
            ("bench generators --help", Job::Help(bench::generators::HELP)),
            ("bench makers --help", Job::Help(bench::makers::HELP)),
            ("bench growth --help", Job::Help(bench::growth::HELP)),
            ("bench campus", Job::BenchCampus),
            ("bench campus --help", Job::Help(bench::campus::HELP)),
            ("bench export", Job::BenchExport),
            ("bench export --help", Job::Help(bench::export::HELP)),
            ("bench parts", Job::BenchParts),
            ("bench parts --help", Job::Help(bench::parts::HELP)),
            ("bench tab", Job::BenchTab { minutes: 60 }),
            ("bench tab 5", Job::BenchTab { minutes: 5 }),
            ("bench tab --help", Job::Help(tab::HELP)),
            ("bench serve --help", Job::Help(serve::HELP)),
            ("bench engines", Job::BenchEngines),
            ("bench engines --help", Job::Help(bench::engines::HELP)),
            ("bench search --help", Job::Help(search::HELP)),
            ("bench search keywords", Job::BenchSearch { benchmarks: vec!["keywords".into()] }),
            ("bench model web-encoder", Job::Bench { benchmarks: vec!["web-encoder".into()] }),
            ("evaluate", Job::Evaluate),
            ("evaluate --help", Job::Help(evaluate::HELP)),
            ("fuzz", Job::Fuzz(FuzzOptions::default())),
            (
                "fuzz pdf --seconds 5 --jobs 2 --record csv",
                Job::Fuzz(FuzzOptions {
                    targets: vec!["pdf".into(), "csv".into()],
                    seconds: 5,
                    jobs: Some(2),
                    record: true,
                }),
            ),
            ("fuzz --help", Job::Help(fuzz::HELP)),
            ("house", Job::House { crates: vec![] }),
            ("house crates/website", Job::House { crates: vec!["crates/website".into()] }),
            ("house --help", Job::Help(house::HELP)),
            ("release", Job::Release(ReleaseOptions::default())),
            (
                "release --modules-built --target aarch64-apple-darwin",
                Job::Release(ReleaseOptions {
                    target: Some("aarch64-apple-darwin".into()),
                    modules_built: true,
                }),
            ),
            ("packages", Job::Packages),
            ("test format clippy", Job::Test { steps: vec!["format".into(), "clippy".into()] }),
        ];
        for (line, expected) in cases {
            assert_eq!(parse_line(line), Ok(expected), "{line}");
        }
    }

    #[test]
    fn names_what_it_does_not_know() {
        for (line, part) in [
            ("dance", "no job `dance`"),
            ("setup --fast", "`--fast`"),
            ("bench", "`cargo xtask bench model`"),
            ("bench index", "no benchmark of `index`"),
            ("bench gpu fast", "`fast`"),
            ("bench model fast", "native-encoder"),
            ("bench search fast", "pagefind"),
            ("fuzz --jobs 0", "from 1"),
            ("fuzz --fast", "`--fast`"),
            ("packages --fast", "`--fast`"),
            ("release --target", "needs a target"),
            ("demo --port", "needs a number"),
            ("demo --port 70000", "65535"),
        ] {
            let message = parse_line(line).err().unwrap_or_default();
            assert!(message.contains(part), "{line}: {message}");
        }
    }
}
