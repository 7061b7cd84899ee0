//! Benchmarks: the models, the searches and the server beside others, what a first visit waits for, the page in three browsers,
//! and the models on this machine's graphics processor. The machine is told beside the figures, as far as it says so itself.

mod beside;
pub mod build;
pub mod campus;
pub mod engines;
pub mod export;
mod facts;
pub mod generators;
pub mod growth;
pub mod makers;
pub mod model;
pub mod page;
pub mod parts;
mod report;
pub mod search;
pub mod serve;
pub mod tab;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::thread;

use anyhow::{Context, Result, ensure};

use crate::campanile::{self, DemoOptions};
use crate::files;
use crate::process::output;
use crate::setup;
use crate::test;
use crate::workspace::Workspace;

/// Instruction sets that decide how fast matrices are multiplied.
const FLAGS: [&str; 7] =
    ["avx2", "fma", "avx_vnni", "avx512f", "avx512_vnni", "avx512_bf16", "amx_int8"];
/// Others' work for each core from which on times mean little. One program in the background on the four cores of a
/// small machine is below it.
const BUSY_PER_CORE: f64 = 0.3;

/// The machine, as it is described beside the figures.
struct Machine {
    processor: String,
    cores: usize,
    flags: Vec<String>,
    /// Programs that waited for a core in the last minute, before the measuring began.
    load: Option<f64>,
    commit: String,
}

/// Asks the system; what it does not tell is left out.
fn describe(workspace: &Workspace) -> Machine {
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let present = field(&cpuinfo, "flags").unwrap_or_default();
    let present: Vec<&str> = present.split_whitespace().collect();
    // Figures of code that is in no commit must not pass for the commit's.
    let commit = output(workspace.program("git").args(["describe", "--always", "--dirty"]));
    Machine {
        processor: field(&cpuinfo, "model name")
            .unwrap_or_else(|| std::env::consts::ARCH.to_owned()),
        cores: thread::available_parallelism().map_or(1, usize::from),
        flags: FLAGS.into_iter().filter(|flag| present.contains(flag)).map(str::to_owned).collect(),
        load: fs::read_to_string("/proc/loadavg").ok().and_then(|text| first_number(&text)),
        commit: commit.map_or_else(|_| "unknown".to_owned(), |text| text.trim().to_owned()),
    }
}

/// Returns `true` if there may be a graphics processor: on Linux its device file tells, elsewhere the
/// driver is asked.
fn has_graphics() -> bool {
    !cfg!(target_os = "linux")
        || fs::read_dir("/dev/dri").is_ok_and(|mut files| files.next().is_some())
}

/// Asks the system, says what it told, and warns where other programs are at work.
fn announce(workspace: &Workspace) -> Machine {
    let machine = describe(workspace);
    println!("bench   {}", machine.line());
    if let Some(warning) = machine.busy() {
        println!("bench   {warning}");
    }
    machine
}

/// Builds the sample campus with the command and the page as they are now; the site's folder.
fn sample_site(workspace: &Workspace) -> Result<PathBuf> {
    campanile::demo(workspace, &DemoOptions { serve: false, ..DemoOptions::default() })?;
    Ok(workspace.cache.join("demo-site"))
}

/// The folder whose texts are the passages of sites that grow.
fn passage_data(workspace: &Workspace) -> Result<PathBuf> {
    let data = workspace.root.join("../shared/data");
    ensure!(
        data.is_dir(),
        "there are no passages\n  way out: put the public data into ../shared/data"
    );
    Ok(data)
}

/// Node.js with a script that drives the browser of the tests.
fn browser_script(workspace: &Workspace, script: &str) -> Result<Command> {
    let mut node = workspace.program("node");
    node.arg(script).env("CAMPANILE_NODE_TOOLS", workspace.node_tools());
    node.env("CAMPANILE_CHROMIUM", setup::browser::provide(workspace)?.chromium);
    Ok(node)
}

/// The path of a file of figures, in a folder that is there.
fn results(workspace: &Workspace, name: &str) -> Result<PathBuf> {
    let folder = workspace.target.join("bench");
    files::make_folder(&folder)?;
    Ok(folder.join(name))
}

/// The benchmarks to run: those named, or all, in the order of `known`.
fn chosen<'k>(known: &[&'k str], names: &[String]) -> Vec<&'k str> {
    let is_chosen = |known: &&str| names.is_empty() || names.iter().any(|name| name == known);
    known.iter().copied().filter(is_chosen).collect()
}

/// Returns the folder in which `campanile model fetch` puts models.
fn models_folder(workspace: &Workspace) -> PathBuf {
    std::env::var_os("CAMPANILE_MODELS")
        .map_or_else(|| workspace.cache.join("models"), PathBuf::from)
}

/// The encoder that a site has by default, as it was published.
fn published_encoder(workspace: &Workspace) -> PathBuf {
    models_folder(workspace).join("all-MiniLM-L6-v2")
}

/// The language model, as it was published.
fn published_decoder(workspace: &Workspace) -> PathBuf {
    models_folder(workspace).join("smollm2-135m-instruct/SmolLM2-135M-Instruct.Q4_1.gguf")
}

impl Machine {
    /// One line for terminal and document.
    fn line(&self) -> String {
        let flags = if self.flags.is_empty() {
            String::new()
        } else {
            format!(" ({})", self.flags.join(", "))
        };
        let load = self.load.map_or_else(String::new, |load| format!(", load {load} before"));
        format!(
            "{}, cores: {}{flags}, {} {}{load}, commit {}",
            self.processor,
            self.cores,
            std::env::consts::OS,
            std::env::consts::ARCH,
            self.commit
        )
    }

    /// A warning where other programs are at work.
    fn busy(&self) -> Option<String> {
        let load = self.load.filter(|load| *load > BUSY_PER_CORE * self.cores as f64)?;
        Some(format!(
            "this machine is busy (load {load} on {} cores): wait, or trust the ratios of single threads alone",
            self.cores
        ))
    }
}

fn field(text: &str, name: &str) -> Option<String> {
    let mut pairs = text.lines().filter_map(|line| line.split_once(':'));
    pairs.find(|(key, _)| key.trim() == name).map(|(_, value)| value.trim().to_owned())
}

fn first_number(text: &str) -> Option<f64> {
    text.split_whitespace().next()?.parse().ok()
}

/// The text that `cargo xtask bench gpu --help` prints.
pub const GPU_HELP: &str = "\
Measures the models on this machine's graphics processor

Usage: cargo xtask bench gpu

A prompt and a text of the language model, the share of the memory's bandwidth that a token reaches,
and a batch of passages through the encoder, beside the processor; then, in Chromium, the passages of a
question read by the modules of a page, on WebGPU and on one thread of the processor. It needs a driver for Vulkan, Metal
or DirectX 12; where there is no graphics processor the tests' software adapter is measured, which the
table says and which tells nothing about speed.

The table is printed and written into bench/gpu.md of the target folder. Please send it along when
you report how fast a page is: docs/concepts/neural-core.md says what is expected.";

/// Reads passages in a page.
const PAGE: &str = "benches/model/passages.js";

/// Builds the example that measures, runs it and the page, and keeps the table of both.
pub fn run_gpu(workspace: &Workspace) -> Result<ExitCode> {
    let (encoder, decoder) = (published_encoder(workspace), published_decoder(workspace));
    ensure!(
        encoder.is_dir() && decoder.is_file(),
        "no models in {}: `cargo xtask setup` fetches them",
        models_folder(workspace).display()
    );
    println!("build   the program that measures (some minutes the first time)");
    let mut cargo = workspace.cargo();
    cargo.args(["run", "--release", "--package", "campanile-webgpu", "--example", "device_speed"]);
    cargo.arg("--").arg(&encoder).arg(&decoder);
    // The tests' adapter would hide a graphics processor that is there.
    if !has_graphics() {
        cargo.envs(setup::browser::native_adapter(workspace)?);
    }
    let table = output(&mut cargo).context("the models could not be measured")?;
    let table = table + &in_page(workspace)?;
    let report = format!("{}\n\n{table}", describe(workspace).line());
    let path = results(workspace, "gpu.md")?;
    files::write(&path, &report)?;
    println!("{report}\nbench   written into {}", path.display());
    Ok(ExitCode::SUCCESS)
}

/// More rows of the table, measured in Chromium.
fn in_page(workspace: &Workspace) -> Result<String> {
    setup::everything(workspace)?;
    let mut node = test::page_program(workspace)?;
    if has_graphics() {
        node.env("CAMPANILE_GRAPHICS", "hardware");
    }
    output(node.arg(PAGE)).context("reading in the page could not be measured")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_fields_and_load() {
        let cpuinfo = "processor\t: 0\nmodel name\t: Some Processor @ 2 GHz\nflags\t\t: sse avx2\n";
        assert_eq!(field(cpuinfo, "model name").as_deref(), Some("Some Processor @ 2 GHz"));
        assert_eq!(field(cpuinfo, "bogomips"), None);
        assert_eq!(first_number("1.25 0.9 0.1 2/300 77"), Some(1.25));
    }
}
