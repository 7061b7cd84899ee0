//! The models on this machine's graphics processor.

use std::fs;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};

use super::machine;
use crate::process::output;
use crate::setup;
use crate::test;
use crate::workspace::Workspace;

/// The text that `cargo xtask bench gpu --help` prints.
pub const HELP: &str = "\
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
pub fn run(workspace: &Workspace) -> Result<ExitCode> {
    let models = super::ours::models_folder(workspace);
    let encoder = models.join("all-MiniLM-L6-v2");
    let decoder = models.join("smollm2-135m-instruct/SmolLM2-135M-Instruct.Q4_1.gguf");
    ensure!(
        encoder.is_dir() && decoder.is_file(),
        "no models in {}: `cargo xtask setup` fetches them",
        models.display()
    );
    println!("build   the program that measures (some minutes the first time)");
    let mut cargo = workspace.cargo();
    cargo.args(["run", "--release", "--package", "campanile-webgpu", "--example", "device_speed"]);
    cargo.arg("--").arg(&encoder).arg(&decoder);
    if !machine::has_graphics() {
        cargo.envs(setup::browser::native_adapter(workspace)?);
    }
    let table = output(&mut cargo).context("the models could not be measured")?;
    let table = table + &in_page(workspace)?;
    let report = format!("{}\n\n{table}", machine::describe(workspace).line());
    let folder = workspace.target.join("bench");
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let path = folder.join("gpu.md");
    fs::write(&path, &report).with_context(|| format!("cannot write {}", path.display()))?;
    println!("{report}\nbench   written into {}", path.display());
    Ok(ExitCode::SUCCESS)
}

/// More rows of the table, measured in Chromium.
fn in_page(workspace: &Workspace) -> Result<String> {
    setup::everything(workspace)?;
    let mut node = test::page_program(workspace)?;
    if machine::has_graphics() {
        node.env("CAMPANILE_GRAPHICS", "hardware");
    }
    output(node.arg(PAGE)).context("reading in the page could not be measured")
}
