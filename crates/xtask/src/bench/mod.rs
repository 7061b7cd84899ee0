//! Benchmarks of the models beside other engines: the same work, the same machine, in turns.
//!
//! The measuring itself is in `benches/model`, since most of it happens in a browser. This job
//! brings the peers and our own programs, runs each benchmark, and reports.

pub mod gpu;
mod machine;
mod ours;
mod pages;
mod peers;
mod report;
pub mod search;

use std::fs;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};

use crate::process::Log;
use crate::setup;
use crate::workspace::Workspace;
use report::Measured;

/// The text that `cargo xtask bench model --help` prints.
pub const HELP: &str = "\
Measures the models beside other engines, in turns on this machine

Usage: cargo xtask bench model [BENCHMARK...]

Benchmarks, all of them unless some are named:
  native-encoder       embedding passages, beside onnxruntime
  web-encoder          embedding one question in Chromium, beside onnxruntime-web
  native-decoder       reading a prompt and writing, beside llama.cpp (Linux on x86-64)
  web-decoder          the same in Chromium, beside wllama

The peers are installed into the cache folder the first time (about 400 MB); Python 3 with its
`venv` module and Node.js have to be there. The models are those of `cargo xtask setup`.

A ratio is the peer's time divided by ours: above 1 we are faster. The table is printed, written
into docs/reference/performance.md, and the samples into bench/*.json of the target folder. Run it
on a quiet machine: the sides take turns, so a busy one spoils times more than ratios.";

/// The benchmarks by name.
pub const BENCHMARKS: [&str; 4] =
    ["native-encoder", "web-encoder", "native-decoder", "web-decoder"];

/// Runs the named benchmarks, or all of them. Fails when the sides did not compute the same.
pub fn run(workspace: &Workspace, names: &[String]) -> Result<ExitCode> {
    setup::for_web(workspace)?;
    let chosen: Vec<&str> = BENCHMARKS
        .into_iter()
        .filter(|known| names.is_empty() || names.iter().any(|name| name == known))
        .collect();
    let in_browser = chosen.iter().any(|name| name.starts_with("web-"));
    let peers = peers::install(workspace)?;
    let ours = ours::build(workspace, in_browser)?;
    ours.models(workspace, &peers)?;

    let chromium =
        if in_browser { Some(setup::browser::provide(workspace)?.chromium) } else { None };
    let results = workspace.target.join("bench");
    fs::create_dir_all(&results).with_context(|| format!("cannot create {}", results.display()))?;
    let machine = machine::describe(workspace);
    println!("bench   {}", machine.line());
    if let Some(warning) = machine.busy() {
        println!("bench   {warning}");
    }
    let mut all_passed = true;
    for name in chosen {
        println!("bench   {name}: measuring");
        let out = results.join(format!("{name}.json"));
        let mut node = workspace.program("node");
        node.arg("benches/model/run.js").arg(name).arg(&out);
        peers.environment(&mut node);
        ours.environment(&mut node);
        node.env("CAMPANILE_NODE_TOOLS", workspace.node_tools());
        if let Some(chromium) = &chromium {
            node.env("CAMPANILE_CHROMIUM", chromium);
        }
        Log::create(&workspace.logs(), &format!("bench-{name}"))?.run(&mut node)?;
        let measured = Measured::read(&out)?;
        println!("\n{}", measured.table());
        measured.write_into(&workspace.root, ("model", name), &machine)?;
        all_passed &= measured.all_passed();
    }
    ensure!(
        all_passed,
        "the sides did not compute the same, so their times do not compare: see the checks above"
    );
    Ok(ExitCode::SUCCESS)
}
