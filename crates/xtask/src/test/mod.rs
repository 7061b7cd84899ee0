//! Every check of the project, one after the other, with a table at the end.

mod junit;
mod libtest;
mod outcome;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::path::{Path, PathBuf};
use std::process::{self, Command, ExitCode};
use std::time::Instant;

use anyhow::{Result, bail, ensure};
use serde_json::json;

use crate::architecture;
use crate::campanile;
use crate::docs_site;
use crate::files;
use crate::house;
use crate::process::{Log, output};
use crate::publishing;
use crate::release;
use crate::setup;
use crate::setup::browser::{self, Browser};
use crate::setup::engines;
use crate::web::{self, WebOptions};
use crate::workspace::{
    BROWSER_PACKAGES, FOR_WASM, WASM_TARGET, WASM_TESTS, Workspace, checked_packages,
    native_packages, without_browser,
};
use outcome::{Count, Outcome};

/// The things that the steps share.
struct Context<'a> {
    workspace: &'a Workspace,
    browser: OnceCell<Browser>,
}

impl<'a> Context<'a> {
    fn new(workspace: &'a Workspace) -> Self {
        Self { workspace, browser: OnceCell::new() }
    }

    /// The browser to drive; found, or installed, when the first step asks.
    fn browser(&self) -> Result<&Browser> {
        if let Some(browser) = self.browser.get() {
            return Ok(browser);
        }
        let browser = browser::provide(self.workspace)?;
        Ok(self.browser.get_or_init(|| browser))
    }
}

/// Runs all steps, or the named ones. A step that cannot run counts as failed.
pub fn run(workspace: &Workspace, names: &[String]) -> Result<ExitCode> {
    let steps = select(names)?;
    let context = Context::new(workspace);
    let mut outcomes = Vec::new();
    let mut failed = BTreeSet::new();
    for (number, step) in (1..).zip(&steps) {
        println!("\n[{number}/{}] {}: {}", steps.len(), step.name, step.what);
        let start = Instant::now();
        // One cause, one failure: a browser test without a command would fail file by file.
        let count = match step.needs.iter().find(|needed| failed.contains(*needed)) {
            Some(needed) => Count::not_run(format!("`{needed}` has to pass first")),
            None => run_step(&context, step),
        };
        if count.failed > 0 {
            failed.insert(step.name);
        }
        let outcome = Outcome { name: step.name, count, seconds: start.elapsed().as_secs_f64() };
        println!("{}", outcome::told(&outcome));
        outcomes.push(outcome);
    }
    println!("\n{}", outcome::table(&outcomes));
    Ok(if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Node.js with the browser of the tests, for a script that drives a page.
pub fn page_program(workspace: &Workspace) -> Result<Command> {
    page_script(&Context::new(workspace))
}

/// The same with the other engines of the tests.
pub fn engines_program(workspace: &Workspace) -> Result<Command> {
    engines_script(&Context::new(workspace))
}

/// Takes the README's pictures with the browser of the tests.
pub fn screenshots(workspace: &Workspace) -> Result<()> {
    setup::everything(workspace)?;
    let log = workspace.log("screenshots")?;
    log.run(page_program(workspace)?.arg("tests/browser/screenshots.js"))?;
    print!("{}", log.text()?);
    Ok(())
}

fn run_step(context: &Context<'_>, step: &Step) -> Count {
    let result = context.workspace.log(step.name).and_then(|log| (step.run)(context, &log));
    result.unwrap_or_else(|error| Count::not_run(format!("{error:#}")))
}

fn select(names: &[String]) -> Result<Vec<&'static Step>> {
    let known: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
    if let Some(name) = names.iter().find(|name| !known.contains(&name.as_str())) {
        bail!("there is no step `{name}`; the steps are: {}", known.join(", "));
    }
    let chosen =
        STEPS.iter().filter(|step| names.is_empty() || names.iter().any(|name| name == step.name));
    let chosen: Vec<_> = chosen.collect();
    ensure!(!chosen.is_empty(), "no step to run");
    Ok(chosen)
}

/// One step.
struct Step {
    name: &'static str,
    /// A description of what it does, for the line that announces it.
    what: &'static str,
    /// Steps whose failure makes this one pointless.
    needs: &'static [&'static str],
    run: fn(&Context<'_>, &Log) -> Result<Count>,
}

const fn step(
    name: &'static str,
    what: &'static str,
    needs: &'static [&'static str],
    run: fn(&Context<'_>, &Log) -> Result<Count>,
) -> Step {
    Step { name, what, needs, run }
}

/// Cheap ones first: a typing error should not be told after half an hour.
const STEPS: [Step; 18] = [
    step("setup", "the tools", &[], tools),
    step("format", "cargo fmt", &["setup"], format),
    step("house", "files worth opening, why numbers stand, which room knows which", &[], housed),
    step("web-lint", "format and lint of the browser's code", &["setup"], web_lint),
    step("clippy", "native code", &["setup"], clippy),
    step(
        "lean",
        "the command as a clone has it, without what a release has besides",
        &["setup"],
        lean,
    ),
    step("docs", "the crates' pages, with every link in them", &["setup"], docs),
    step("clippy-wasm", "code for the browser", &["setup"], clippy_wasm),
    step("web", "the browser modules", &["setup"], browser_modules),
    step("web-tests", "the page's JavaScript by itself", &["web"], web_tests),
    step("types", "the types of web/, against the modules' own", &["web"], types),
    step("command", "the campanile command and its models", &["web"], command),
    step("cargo-tests", "unit tests, doctests, the command end to end", &["command"], cargo_tests),
    step(
        "release",
        "archive, wheel and package for npm, on a path with nothing installed",
        &["command"],
        release,
    ),
    step(
        "publishing",
        "what hosts run to publish a site, from a release on this machine",
        &["release"],
        publishing,
    ),
    step("docs-site", "the documentation as a site, asked about itself", &["command"], docs_site),
    step("wasm-tests", "Rust tests inside Chromium", &["setup"], wasm_tests),
    step(
        "browser-tests",
        "the page in Chromium, its main way in Firefox and WebKit",
        &["command"],
        browser_tests,
    ),
];

/// The package whose own tests run in WebAssembly too, by Node.js.
const WASM_KERNELS: &str = "campanile-kernels";
/// One program of all browser tests on a software adapter; the runner allows 20 seconds unless it is told.
const WASM_TEST_SECONDS: u32 = 600;

fn tools(context: &Context<'_>, _log: &Log) -> Result<Count> {
    setup::for_checks(context.workspace)?;
    setup::for_web(context.workspace)?;
    setup::install_wasm_test_runner(context.workspace)?;
    // The steps that use what follows ask for it themselves and fail with the reason. Fetched here it is only there sooner, and
    // no step that does without has to wait for it.
    warm("the browser", context.browser().map(|_| ()));
    // Elsewhere not all of them can be had, and the step that wants them says so.
    if cfg!(target_os = "linux") {
        warm("the other engines", engines::provide(context.workspace).map(|_| ()));
    }
    Ok(Count::one_passed())
}

/// Says that something could not be fetched ahead of the step that needs it.
fn warm(what: &str, done: Result<()>) {
    if let Err(error) = done {
        println!("setup   {what}: not now, the steps that need it try again: {error:#}");
    }
}

fn format(context: &Context<'_>, log: &Log) -> Result<Count> {
    log.run(context.workspace.cargo().args(["fmt", "--all", "--", "--check", "--color", "never"]))?;
    Ok(Count::one_passed())
}

fn housed(context: &Context<'_>, _log: &Log) -> Result<Count> {
    house::check(&context.workspace.root)?;
    architecture::check(context.workspace)?;
    Ok(Count::one_passed())
}

fn web_lint(context: &Context<'_>, log: &Log) -> Result<Count> {
    let mut biome = context.workspace.program(setup::node_tool(context.workspace, "biome"));
    log.run(biome.args(["ci", "--colors=off", "--error-on-warnings"]))?;
    Ok(Count::one_passed())
}

fn release(context: &Context<'_>, _log: &Log) -> Result<Count> {
    release::try_all(context.workspace)?;
    Ok(Count::one_passed())
}

fn publishing(context: &Context<'_>, _log: &Log) -> Result<Count> {
    publishing::try_hosts(context.workspace)?;
    Ok(Count::one_passed())
}

fn docs_site(context: &Context<'_>, _log: &Log) -> Result<Count> {
    docs_site::try_site(context.workspace)?;
    Ok(Count::one_passed())
}

/// Pages, workers, the service worker and Node.js have different globals, hence several projects.
fn types(context: &Context<'_>, log: &Log) -> Result<Count> {
    for project in [
        "tsconfig.json",
        "tsconfig.worker.json",
        "tsconfig.service-worker.json",
        "packages/client/tsconfig.json",
        "packages/element/tsconfig.json",
    ] {
        let mut check = context.workspace.program(setup::node_tool(context.workspace, "tsc"));
        log.run(check.arg("--project").arg(Path::new("web").join(project)))?;
    }
    Ok(Count::one_passed())
}

fn web_tests(context: &Context<'_>, log: &Log) -> Result<Count> {
    let mut node = context.workspace.program("node");
    node.env("CAMPANILE_NODE_TOOLS", context.workspace.node_tools());
    run_node_tests(log, node, &context.workspace.root.join("web/tests"))
}

/// Runs the test files of a folder. People read the log, and the tests are counted by a report beside it.
fn run_node_tests(log: &Log, mut node: Command, folder: &Path) -> Result<Count> {
    let report = log.path().with_extension("xml");
    node.args(["--test", "--test-reporter=spec", "--test-reporter-destination=stdout"]);
    node.arg("--test-reporter=junit");
    node.arg(format!("--test-reporter-destination={}", report.display()));
    count_by_report(log, node.args(test_files(folder)?), &report)
}

/// Runs tests and counts them by the JUnit report that their runner writes. The report of an earlier run is removed first: it
/// would be counted if this run wrote none.
fn count_by_report(log: &Log, runner: &mut Command, report: &Path) -> Result<Count> {
    files::remove_if_there(report)?;
    let end = log.status(runner)?;
    let counted = files::read_text(report).and_then(|report| junit::count(&report));
    Ok(Count::of_tests(log, end, counted))
}

fn clippy(context: &Context<'_>, log: &Log) -> Result<Count> {
    let mut cargo = context.workspace.cargo();
    // `--release` as in every step: another profile would compile burn and all below it once more.
    cargo.args(["clippy", "--release", "--all-targets", "--keep-going"]);
    log.run(checked_packages(&mut cargo).args(["--", "-D", "warnings"]))?;
    Ok(Count::one_passed())
}

/// The most packages that are compiled for the command of a clone. With 534 it took a newcomer forty minutes to see a page.
const LEAN_PACKAGES: usize = 300;

/// What the command of a clone does without: each is a feature that a release has.
const NOT_LEAN: [&str; 15] = [
    "arrow-array", "burn-wgpu", "campanile-desk", "campanile-eval", "campanile-export",
    "campanile-laboratory", "campanile-parts", "campanile-reference", "campanile-webgpu",
    "campanile-website", "hayro", "parquet", "tokenizers", "url", "wgpu",
];

/// Packages, each with the features that a selection of packages asks of it.
fn features(tree: &mut Command) -> Result<BTreeSet<String>> {
    let tree = output(tree.args(["--prefix", "none", "--format", "{p} with {f}"]))?;
    // A tree shows what is below a package once, and marks the other places.
    Ok(tree.lines().map(|line| line.trim_end_matches(" (*)").to_owned()).collect())
}

/// Holds that the tests ask nothing of a package that the command does not: a feature more, and cargo compiles the package and
/// all that stands on it a second time.
fn compiled_once(workspace: &Workspace) -> Result<()> {
    let native = |edges: &str| {
        let mut tree = workspace.cargo();
        features(native_packages(tree.arg("tree")).args(["--edges", edges]))
    };
    let (of_the_command, of_the_tests) = (native("normal,build")?, native("normal,build,dev")?);
    let mut twice: Vec<&String> = of_the_command.difference(&of_the_tests).collect();
    twice.truncate(5);
    ensure!(
        twice.is_empty(),
        "the tests have other features on, so that these and what stands on them are compiled twice: {twice:#?}\n\
         way out: ask for the same features where the command depends on them, as the workspace's manifest does with `idna`"
    );
    modules_alike(workspace)
}

/// The packages that the browser's modules may ask different features of: compiled again in seconds, or for a reason.
const UNLIKE_IN_MODULES: [&str; 2] = [
    // The `core` module does without the general tokenizers.
    "campanile-model", // Bindings of what wgpu calls, which little stands on.
    "web-sys",
];

/// Holds the same for the modules of the browser, which are compiled one after the other.
fn modules_alike(workspace: &Workspace) -> Result<()> {
    let mut asked: BTreeMap<String, Vec<BTreeSet<String>>> = BTreeMap::new();
    for package in BROWSER_PACKAGES {
        let mut tree = workspace.cargo();
        tree.args(["tree", "--package", package, "--target", WASM_TARGET]);
        // A package may be compiled twice for one module: for the macros, and into it.
        let mut of_module: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for line in features(tree.args(["--edges", "normal,build"]))? {
            let (package, features) = line.split_once(" with ").unwrap_or((&line, ""));
            of_module.entry(package.to_owned()).or_default().insert(features.to_owned());
        }
        for (package, features) in of_module {
            asked.entry(package).or_default().push(features);
        }
    }
    asked.retain(|package, modules| {
        let name = package.split(' ').next().unwrap_or(package);
        !UNLIKE_IN_MODULES.contains(&name) && !are_nested(modules)
    });
    ensure!(
        asked.is_empty(),
        "the browser's modules ask different features of these, so that they and what stands on them are compiled twice: {asked:#?}\n\
         way out: ask for all of them in crates/browser/shared/Cargo.toml"
    );
    Ok(())
}

/// Whether of any two sets one has all that the other has.
fn are_nested(sets: &[BTreeSet<String>]) -> bool {
    sets.iter().all(|one| sets.iter().all(|other| one.is_subset(other) || other.is_subset(one)))
}

/// Holds that who only builds and asks sites compiles neither experiments, nor tables, nor what graphics cards need, and that
/// the command is whole without them.
fn lean(context: &Context<'_>, log: &Log) -> Result<Count> {
    let mut tree = context.workspace.cargo();
    tree.args(["tree", "--package", "campanile", "--edges", "normal,build"]);
    let tree = output(tree.args(["--prefix", "none", "--format", "{p}"]))?;
    let packages: BTreeSet<Vec<&str>> =
        tree.lines().map(|line| line.split(' ').take(2).collect()).collect();
    for name in NOT_LEAN {
        let known = packages.iter().any(|package| package.first() == Some(&name));
        ensure!(!known, "the command of a clone depends on {name}");
    }
    ensure!(
        packages.len() <= LEAN_PACKAGES,
        "the command of a clone has {} packages, and {LEAN_PACKAGES} are the most: make what brings them a feature",
        packages.len()
    );
    compiled_once(context.workspace)?;
    let mut cargo = context.workspace.cargo();
    // All packages, but without the features that a release has: what is not of this workspace is as it was for `clippy`, and
    // is not looked at a second time.
    cargo.args(["clippy", "--release"]);
    log.run(without_browser(&mut cargo).args(["--", "-D", "warnings"]))?;
    Ok(Count::one_passed())
}

fn docs(context: &Context<'_>, log: &Log) -> Result<Count> {
    let mut cargo = context.workspace.cargo();
    cargo
        .args(["doc", "--release", "--no-deps", "--keep-going"])
        .env("RUSTDOCFLAGS", "-D warnings");
    log.run(checked_packages(&mut cargo))?;
    Ok(Count::one_passed())
}

/// Workspace packages below the browser modules are checked with them, under the configuration
/// that knows what blocks a browser's thread.
fn clippy_wasm(context: &Context<'_>, log: &Log) -> Result<Count> {
    let mut cargo = context.workspace.cargo();
    cargo.args(["clippy", "--keep-going"]).args(FOR_WASM);
    for package in BROWSER_PACKAGES {
        cargo.args(["--package", package]);
    }
    cargo.env("CLIPPY_CONF_DIR", context.workspace.root.join("crates/browser"));
    log.run(cargo.args(["--", "-D", "warnings"]))?;
    Ok(Count::one_passed())
}

fn browser_modules(context: &Context<'_>, _log: &Log) -> Result<Count> {
    web::build(context.workspace, &WebOptions::default())?;
    Ok(Count::one_passed())
}

fn command(context: &Context<'_>, _log: &Log) -> Result<Count> {
    campanile::build(context.workspace)?;
    campanile::fetch_models(context.workspace)?;
    Ok(Count::one_passed())
}

/// Targets with tests. Examples have none and are slow to compile (a tenth of the step).
const TESTED: [&str; 3] = ["--lib", "--bins", "--tests"];

/// The example that a test runs. Built by itself: `cargo test --example` makes a test program of it instead.
const RUN_EXAMPLE: &str = "build_site";

/// The profile in `.config/nextest.toml` that writes the report.
const NEXTEST_PROFILE: &str = "xtask";

/// Native tests by nextest: tests of several programs run at a time, each in a process of its own, so that a crash is one failure
/// with a name. What that costs on a quiet machine has not been measured: tests that share a model load it once each.
///
/// All packages at once: with fewer at a time, cargo would choose other features for the dependencies and compile some of
/// them twice.
fn cargo_tests(context: &Context<'_>, log: &Log) -> Result<Count> {
    let workspace = context.workspace;
    context.browser()?;
    // Native tests of WebGPU run on the adapter that was made for Chromium.
    let adapter = setup::browser::native_adapter(workspace)?;
    let mut example = workspace.cargo();
    example.args(["build", "--release"]);
    log.run(native_packages(example.args(["--example", RUN_EXAMPLE])))?;
    let mut nextest = setup::nextest(workspace)?;
    nextest.args(["run", "--release", "--profile", NEXTEST_PROFILE]).args(TESTED);
    // A backtrace for each failure would leave no room for the failures themselves.
    native_packages(&mut nextest).env("RUST_BACKTRACE", "0").envs(adapter.clone());
    // nextest keeps its reports below the checkout, wherever cargo compiles into.
    let report = workspace.root.join("target/nextest").join(NEXTEST_PROFILE).join("junit.xml");
    let mut tests = count_by_report(log, &mut nextest, &report)?;
    tests.skipped.extend(libtest::left_out_by_nextest(&log.text()?));

    // Nextest runs no doctests. They have a log of their own, since it is counted by its text.
    let log = workspace.log("doctests")?;
    let mut cargo = workspace.cargo();
    cargo.args(["test", "--release", "--no-fail-fast", "--doc"]).env("RUST_BACKTRACE", "0");
    let end = log.status(native_packages(&mut cargo).envs(adapter))?;
    Ok(tests.with(Count::of_tests(&log, end, Ok(libtest::count(&log.text()?)))))
}

fn wasm_tests(context: &Context<'_>, log: &Log) -> Result<Count> {
    // Also where this step is asked for by name, and no other has fetched it.
    setup::install_wasm_test_runner(context.workspace)?;
    let workspace = context.workspace;
    let browser = context.browser()?;
    let runner = setup::wasm_test_runner(workspace)?;
    let mut cargo = workspace.cargo();
    // `--tests` leaves out documentation and examples, which have no place to run there.
    cargo.args(["test", "--tests", "--no-fail-fast"]).args(FOR_WASM);
    cargo.args(["--package", WASM_TESTS, "--package", WASM_KERNELS]);
    cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", runner);
    cargo.env("CHROMEDRIVER", &browser.driver);
    cargo
        .env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", webdriver_settings(workspace, &browser.chromium)?);
    cargo.env("WASM_BINDGEN_TEST_TIMEOUT", WASM_TEST_SECONDS.to_string());
    let temporary = TemporaryFiles::of("wasm-tests")?;
    let end = log.status(cargo.env("TMPDIR", &temporary.0))?;
    Ok(Count::of_tests(log, end, Ok(libtest::count(&log.text()?))))
}

/// A folder for a step's temporary files, removed when the step ends: a killed WebDriver server does not remove its browser's
/// profile of 230 MB.
struct TemporaryFiles(PathBuf);

impl TemporaryFiles {
    fn of(step: &str) -> Result<Self> {
        // A short path: sockets lie there too.
        let folder = env::temp_dir().join(format!("campanile-{step}-{}", process::id()));
        files::make_folder(&folder)?;
        Ok(Self(folder))
    }
}

impl Drop for TemporaryFiles {
    fn drop(&mut self) {
        // A browser that is still ending may write there: what it leaves is no failure.
        let _ = files::remove_folder(&self.0);
    }
}

fn browser_tests(context: &Context<'_>, log: &Log) -> Result<Count> {
    let mut node = engines_script(context)?;
    node.env("CAMPANILE_BROWSER_MODELS", web::models_module(context.workspace)?);
    setup::install_hosts(context.workspace)?;
    node.env("CAMPANILE_HOSTS", setup::hosts_folder(context.workspace));
    node.env("CAMPANILE_MDBOOK", setup::mdbook_program(context.workspace));
    let report = log.path().with_extension("xml");
    let temporary = TemporaryFiles::of("browser-tests")?;
    node.arg("tests/browser/run.js").env("CAMPANILE_JUNIT", &report).env("TMPDIR", &temporary.0);
    count_by_report(log, &mut node, &report)
}

/// Node.js with what a script wants to know that drives all three engines.
fn engines_script(context: &Context<'_>) -> Result<Command> {
    let mut node = page_script(context)?;
    node.env("CHROMEDRIVER", &context.browser()?.driver);
    node.envs(engines::provide(context.workspace)?);
    Ok(node)
}

/// Node.js with what the scripts of `tests/browser` want to know, and an empty folder for them.
fn page_script(context: &Context<'_>) -> Result<Command> {
    let workspace = context.workspace;
    let command = workspace.command();
    // Said once, instead of by each of the files.
    ensure!(command.is_file(), "{} is missing: run the step `command` before", command.display());
    let work = workspace.target.join("browser-tests");
    files::remove_folder(&work)?;
    let mut node = workspace.program("node");
    node.env("CAMPANILE_COMMAND", command);
    node.env("CAMPANILE_CHROMIUM", &context.browser()?.chromium);
    node.env("CAMPANILE_NODE_TOOLS", workspace.node_tools());
    node.env("CAMPANILE_WORK", &work);
    Ok(node)
}

/// Writes the browser's start-up settings for the WebDriver server; the flags are those of the
/// other browser tests.
fn webdriver_settings(workspace: &Workspace, chromium: &Path) -> Result<PathBuf> {
    let flags = files::read_json(&workspace.root.join("tests/browser/chromium-flags.json"))?;
    let settings = json!({ "goog:chromeOptions": { "binary": chromium, "args": flags } });
    let path = workspace.target.join("webdriver.json");
    files::write(&path, settings.to_string())?;
    Ok(path)
}

fn test_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = files::list(folder)?;
    files.retain(|path| path.to_string_lossy().contains(".test."));
    // Without a file, node would look for tests by itself, everywhere.
    ensure!(!files.is_empty(), "{} holds no tests", folder.display());
    Ok(files)
}
