//! The project's routine jobs: `cargo xtask <job>`.
//!
//! | job | what it leaves behind |
//! |---|---|
//! | `setup` | the tools, the browser modules, the `campanile` command and the models |
//! | `web` | `pkg/keywords`, `pkg/core` and `pkg/gpu`, the browser modules |
//! | `demo` | a site of the sample campus, served on this machine |
//! | `test` | a table of what passed and what did not |
//! | `bench model` | the models' speed beside other engines, as ratios |
//! | `bench gpu` | the models' speed on this machine's graphics processor |
//! | `bench page` | what a first visit waits for, on a slow line and on a fast one |
//! | `bench tab` | whether a tab's memory grows in an hour of questions |
//! | `bench serve` | `campanile serve` under load, beside other servers of files |
//! | `bench growth` | what a question costs at sites of more and more passages |
//! | `bench build` | whether a build of very many documents ends, and what it takes |
//! | `bench export` | what other search engines find in a site's tables |
//! | `bench parts` | whether a build on a cluster gives the same site, and what a part costs |
//! | `bench makers` | what is read of one handbook as a PDF of many makers, beside other readers |
//! | `bench generators` | what is read of one handbook as a site of many generators, from sources and pages |
//! | `bench engines` | how long a visitor waits in Chromium, Firefox and WebKit |
//! | `bench search` | the searches' speed beside other engines, and a site beside Pagefind's |
//! | `evaluate` | retrieval measured on public question sets: a report and a page |
//! | `fuzz` | inputs that break a reader, if there are any |
//! | `house` | a table of how the code is housed: files, their lines, why-comments |
//! | `release` | the command for one target, with the page inside: an archive, a wheel, a package for npm |
//! | `packages` | `pkg/npm`: the packages for npm, as folders and packed |
//! | `docs-site` | the documentation as a website, which answers questions about itself |
//! | `screenshots` | the README's pictures, as the page looks now |
//!
//! Everything that is downloaded or compiled goes into one cache folder outside the checkout
//! (see [`workspace::Workspace`]), so that a second run, and a second checkout, are quick.
//! Every job says what it is about to do and skips what is there already.

mod architecture;
mod arguments;
mod bench;
mod campanile;
mod docs_site;
mod evaluate;
mod files;
mod fuzz;
mod house;
mod packages;
mod process;
mod publishing;
mod release;
mod setup;
mod sources;
mod test;
mod web;
mod workspace;

use std::io::{self, Write as _};
use std::process::ExitCode;

use anyhow::Result;

use crate::arguments::Job;
use crate::workspace::Workspace;

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Prints a help text. Who reads only its beginning (`| head`) closes the pipe: that is no failure.
fn print_help(text: &str) -> io::Result<()> {
    match writeln!(io::stdout(), "{text}") {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        printed => printed,
    }
}

fn run() -> Result<ExitCode> {
    let job = match arguments::parse(std::env::args().skip(1)) {
        Ok(job) => job,
        Err(message) => {
            eprintln!("error: {message}\n\n{}", arguments::USAGE);
            // As is usual: 1 says that the job failed, 2 that it was not understood.
            return Ok(ExitCode::from(2));
        }
    };
    match job {
        Job::Help(text) => print_help(text)?,
        Job::Setup => setup::everything(&Workspace::open()?)?,
        Job::Web(options) => {
            let workspace = Workspace::open()?;
            setup::for_web(&workspace)?;
            web::build(&workspace, &options)?;
        }
        Job::Demo(options) => return campanile::demo(&Workspace::open()?, &options),
        Job::Bench { benchmarks } => return bench::model::run(&Workspace::open()?, &benchmarks),
        Job::BenchGpu => return bench::run_gpu(&Workspace::open()?),
        Job::BenchPage => return bench::page::run(&Workspace::open()?),
        Job::BenchBuild { count } => return bench::build::run(&Workspace::open()?, count),
        Job::BenchGrowth { counts } => {
            return bench::growth::run(&Workspace::open()?, &counts);
        }
        Job::BenchCampus => return bench::campus::run(&Workspace::open()?),
        Job::BenchExport => return bench::export::run(&Workspace::open()?),
        Job::BenchParts => return bench::parts::run(&Workspace::open()?),
        Job::BenchGenerators => return bench::generators::run(&Workspace::open()?),
        Job::BenchMakers => return bench::makers::run(&Workspace::open()?),
        Job::BenchServe => return bench::serve::run(&Workspace::open()?),
        Job::BenchTab { minutes } => return bench::tab::run(&Workspace::open()?, minutes),
        Job::BenchEngines => return bench::engines::run(&Workspace::open()?),
        Job::BenchSearch { benchmarks } => {
            return bench::search::run(&Workspace::open()?, &benchmarks);
        }
        Job::Evaluate => return evaluate::run(&Workspace::open()?),
        Job::Fuzz(options) => return fuzz::run(&Workspace::open()?, &options),
        // Nothing is compiled, so the target folder stays whose it was.
        Job::House { crates } => house::run(&Workspace::locate()?.root, &crates)?,
        Job::Release(options) => release::run(&Workspace::open()?, &options)?,
        Job::Packages => packages::run(&Workspace::open()?)?,
        Job::DocsSite => docs_site::run(&Workspace::open()?)?,
        Job::Screenshots => test::screenshots(&Workspace::open()?)?,
        Job::Test { steps } => return test::run(&Workspace::open()?, &steps),
    }
    Ok(ExitCode::SUCCESS)
}
