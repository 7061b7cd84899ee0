//! The searches beside other engines, natively and in a page, and a whole site beside Pagefind's.
//!
//! The programs are packages of their own below `benches/`: their peers are large, and only who
//! measures compiles them.

use std::env::consts::EXE_SUFFIX;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, ensure};

use super::beside::Beside;
use super::report::Measured;
use super::{Machine, announce, browser_script, chosen, passage_data, published_encoder};
use crate::campanile::{self, DemoOptions};
use crate::evaluate;
use crate::files;
use crate::process::Log;
use crate::setup;
use crate::web::{self, WebOptions};
use crate::workspace::Workspace;

/// The text that `cargo xtask bench search --help` prints.
pub const HELP: &str = "\
Measures the searches beside other engines, in turns on this machine, on one thread

Usage: cargo xtask bench search [BENCHMARK...]

Benchmarks, all of them unless some are named:
  keywords             BM25, beside tantivy
  meaning              the scan of all vectors and the graph, beside usearch
  web-search           both of ours in Chromium
  whole                a whole question in the page, from words to passages, over SciFact's abstracts
  pagefind             the sample campus as a site, beside Pagefind and MiniSearch: bytes until the
                       first result, and how many questions find a right document

The texts are those of ../shared/data; beyond 13,092 passages they are repeated with changes. The
first run compiles the peers (some minutes) and embeds the passages (some more). The tables go into
docs/reference/performance.md, the samples into bench/*.json of the target folder.";

/// The benchmarks by name.
pub const BENCHMARKS: [&str; 5] = ["keywords", "meaning", "web-search", "whole", "pagefind"];

/// Passages. The last is beyond the texts at hand, to show how time grows.
const SIZES: [&str; 3] = ["1000", "10000", "100000"];
const MODULE: &str = "campanile_search";

/// Runs the named benchmarks, or all of them. Fails when the sides did not find the same.
pub fn run(workspace: &Workspace, names: &[String]) -> Result<ExitCode> {
    let bench = Bench::prepare(workspace)?;
    let machine = announce(workspace);
    let mut all_passed = true;
    for name in chosen(&BENCHMARKS, names) {
        println!("bench   {name}: measuring");
        all_passed &= match name {
            "pagefind" => bench.pagefind(&machine)?,
            "web-search" => bench.in_browser(name, &machine)?,
            "whole" => bench.whole(name, &machine)?,
            _ => bench.natively(name, &machine)?,
        };
    }
    ensure!(all_passed, "not all is as it should be: see the checks above");
    Ok(ExitCode::SUCCESS)
}

struct Bench<'a> {
    workspace: &'a Workspace,
    program: PathBuf,
    data: PathBuf,
    results: PathBuf,
    model: PathBuf,
}

impl<'a> Bench<'a> {
    fn prepare(workspace: &'a Workspace) -> Result<Self> {
        let data = passage_data(workspace)?;
        let model = published_encoder(workspace);
        ensure!(model.is_dir(), "no model in {}: `cargo xtask setup` fetches it", model.display());
        println!("build   the native benchmark (some minutes the first time)");
        let mut cargo = workspace.cargo();
        // Not `--locked`: our own crates may have come to need something since; peers are pinned.
        cargo.args(["build", "--release", "--manifest-path", "benches/search/Cargo.toml"]);
        workspace.log("bench-search-build")?.run(&mut cargo)?;
        let results = workspace.target.join("bench");
        files::make_folder(&results.join("parts"))?;
        let program = format!("release/campanile-search-bench{EXE_SUFFIX}");
        Ok(Self { workspace, program: workspace.target.join(program), data, model, results })
    }

    fn natively(&self, name: &str, machine: &Machine) -> Result<bool> {
        let out = self.out(name);
        let mut measure = self.workspace.program(&self.program);
        // One thread for whatever has a pool; the searches have none.
        measure.env("RAYON_NUM_THREADS", "1");
        measure.arg(name).arg(&self.data).arg(&out);
        if name == "meaning" {
            measure.arg(&self.model).arg(self.vectors());
        }
        self.log(name)?.run(measure.args(SIZES))?;
        self.report(name, &out, machine)
    }

    fn in_browser(&self, name: &str, machine: &Machine) -> Result<bool> {
        setup::for_web(self.workspace)?;
        let module = self.module()?;
        // Indexed natively and read in the page, as a site is.
        let parts = self.results.join("parts");
        for size in SIZES {
            let mut write = self.workspace.program(&self.program);
            write.arg("parts").arg(&self.data).arg(parts.join(size));
            self.log("parts")?.run(write.arg(&self.model).arg(self.vectors()).arg(size))?;
        }
        let out = self.out(name);
        let mut node = browser_script(self.workspace, "benches/search/browser.js")?;
        self.log(name)?.run(node.arg(&module).arg(&parts).arg(&out))?;
        self.report(name, &out, machine)
    }

    /// The searches as a module for the page, built as the page's own is.
    fn module(&self) -> Result<PathBuf> {
        println!("build   the module of the searches");
        let log = self.log("search-module")?;
        let mut cargo = self.workspace.cargo();
        cargo.args(["build", "--release", "--target", "wasm32-unknown-unknown"]);
        log.run(cargo.args(["--manifest-path", "benches/search/module/Cargo.toml"]))?;
        let linked = "wasm32-unknown-unknown/release/campanile_search_module.wasm";
        let linked = self.workspace.target.join(linked);
        let folder = self.results.join("search-module");
        web::bind(self.workspace, &linked, &folder, MODULE, &log)?;
        Ok(folder)
    }

    /// A site of some 10,000 passages, and a hundred claims asked in it.
    fn whole(&self, name: &str, machine: &Machine) -> Result<bool> {
        setup::for_web(self.workspace)?;
        web::build(self.workspace, &WebOptions::default())?;
        campanile::build(self.workspace)?;
        let set = evaluate::sets(self.workspace)?.join("scifact");
        let site = self.results.join("whole-site");
        let mut campanile = self.workspace.program(self.workspace.command());
        campanile.arg("build").arg(set.join("documents")).arg("-o").arg(&site).arg("--no-report");
        self.log("whole-site")?.run(&mut campanile)?;
        let out = self.out(name);
        let mut node = browser_script(self.workspace, "benches/search/whole.js")?;
        node.arg(&site).arg(set.join("questions.jsonl")).arg(&out);
        self.log(name)?.run(&mut node)?;
        self.report(name, &out, machine)
    }

    fn pagefind(&self, machine: &Machine) -> Result<bool> {
        campanile::demo(self.workspace, &DemoOptions { serve: false, ..DemoOptions::default() })?;
        let site = self.workspace.cache.join("demo-site");
        let pages = self.results.join("pages");
        files::remove_folder(&pages)?;
        let mut write = self.workspace.program(&self.program);
        self.log("pages")?.run(write.arg("pages").arg(&site).arg(&pages))?;
        let questions = self.workspace.root.join("samples/questions.jsonl");
        let out = self.out("pagefind");
        let beside = Beside { site: &site, pages: &pages, questions: &questions, out };
        let table = beside.measure(self.workspace, &self.log("pagefind")?)?;
        println!("\n{}", table.markdown());
        table.write_into(&self.workspace.root, "pagefind", "bench search pagefind", machine)?;
        Ok(true)
    }

    fn report(&self, name: &str, out: &Path, machine: &Machine) -> Result<bool> {
        let measured = Measured::read(out)?;
        println!("\n{}", measured.table());
        measured.write_into(&self.workspace.root, ("search", name), machine)?;
        Ok(measured.all_passed())
    }

    fn out(&self, name: &str) -> PathBuf {
        self.results.join(format!("{name}.json"))
    }

    /// Returns the path of the vectors that were embedded once.
    fn vectors(&self) -> PathBuf {
        self.results.join("passages.f32")
    }

    fn log(&self, name: &str) -> Result<Log> {
        self.workspace.log(&format!("bench-{name}"))
    }
}
