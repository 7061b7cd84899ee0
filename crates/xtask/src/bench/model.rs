//! Benchmarks of the models beside other engines: the same work, the same machine, in turns.
//!
//! The measuring itself is in `benches/model`, since most of it happens in a browser. This job
//! brings the peers and our own programs, runs each benchmark, and reports.

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Result, bail, ensure};

use super::report::Measured;
use super::{announce, chosen, published_decoder, published_encoder};
use crate::files;
use crate::setup::{self, NodePackages, PythonPackages};
use crate::sources::Fingerprint;
use crate::web;
use crate::workspace::Workspace;

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
    let chosen = chosen(&BENCHMARKS, names);
    let in_browser = chosen.iter().any(|name| name.starts_with("web-"));
    let peers = Peers::install(workspace)?;
    let ours = Ours::build(workspace, in_browser)?;
    ours.models(workspace, &peers)?;

    let chromium =
        if in_browser { Some(setup::browser::provide(workspace)?.chromium) } else { None };
    let results = workspace.target.join("bench");
    files::make_folder(&results)?;
    let machine = announce(workspace);
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
        workspace.log(&format!("bench-{name}"))?.run(&mut node)?;
        let measured = Measured::read(&out)?;
        println!("\n{}", measured.table());
        // Written even where a check failed: the table says so beside the figures.
        measured.write_into(&workspace.root, ("model", name), &machine)?;
        all_passed &= measured.all_passed();
    }
    ensure!(
        all_passed,
        "the sides did not compute the same, so their times do not compare: see the checks above"
    );
    Ok(ExitCode::SUCCESS)
}

const MAKE_ONNX: &str = "benches/model/make_onnx.py";
const ENCODER_FILES: [&str; 3] = ["config.json", "tokenizer.json", "model.safetensors"];
const STAMP: &str = "made-from.txt";

/// The paths of our programs and the models.
struct Ours {
    program: PathBuf,
    module: Option<PathBuf>,
    models: PathBuf,
    gguf: PathBuf,
    encoder: PathBuf,
}

impl Ours {
    /// Compiles our side; the browser's module only where a benchmark needs it.
    fn build(workspace: &Workspace, in_browser: bool) -> Result<Self> {
        println!("build   the native benchmark (some minutes the first time)");
        let mut cargo = workspace.cargo();
        cargo.args(["build", "--release", "--locked", "--package", "campanile-model"]);
        cargo.args(["--example", "benchmark"]);
        workspace.log("bench-build")?.run(&mut cargo)?;
        let program =
            workspace.target.join("release/examples").join(format!("benchmark{EXE_SUFFIX}"));
        let module = if in_browser { Some(web::models_module(workspace)?) } else { None };
        Ok(Self {
            program,
            module,
            models: workspace.target.join("bench/models"),
            gguf: published_decoder(workspace),
            encoder: published_encoder(workspace),
        })
    }

    /// Tells the scripts where our side is.
    fn environment(&self, command: &mut Command) {
        command.env("CAMPANILE_BENCH_PROGRAM", &self.program);
        command.env("CAMPANILE_BENCH_MODELS", &self.models);
        command.env("CAMPANILE_BENCH_GGUF", &self.gguf);
        if let Some(module) = &self.module {
            command.env("CAMPANILE_BENCH_MODULE", module);
        }
    }

    /// Writes the models as a site carries them, and the encoder as an ONNX graph.
    fn models(&self, workspace: &Workspace, peers: &Peers) -> Result<()> {
        let published = ENCODER_FILES.map(|name| self.encoder.join(name));
        if let Some(missing) = published.iter().chain([&self.gguf]).find(|path| !path.exists()) {
            bail!("{} is missing: `cargo xtask setup` fetches the models", missing.display());
        }
        let wanted = self.fingerprint(workspace)?;
        let stamp = self.models.join(STAMP);
        if files::holds(&stamp, &wanted) {
            println!("bench   the models: here");
            return Ok(());
        }
        println!("bench   the models: writing them as each engine wants them");
        // What another version of the program wrote may have had more files.
        files::remove_folder(&self.models)?;
        let unquantised = self.models.join("encoder-f32");
        files::make_folder(&unquantised)?;
        for (name, path) in ENCODER_FILES.into_iter().zip(&published) {
            fs::copy(path, unquantised.join(name))?;
        }
        let log = workspace.log("bench-models")?;
        let mut prepare = workspace.program(&self.program);
        log.run(prepare.arg("prepare").arg(&self.encoder).arg(&self.gguf).arg(&self.models))?;
        let mut onnx = workspace.program(&peers.python);
        onnx.arg(MAKE_ONNX).arg(&self.encoder).arg(self.models.join("encoder.onnx"));
        log.run(onnx.arg("--int8").arg(self.models.join("encoder-int8.onnx")))?;
        files::write(&stamp, wanted)
    }

    /// Changes with the program that writes our files and the script that writes the peer's.
    fn fingerprint(&self, workspace: &Workspace) -> Result<String> {
        let mut fingerprint = Fingerprint::default();
        fingerprint.file(&workspace.root, &self.program)?;
        fingerprint.file(&workspace.root, Path::new(MAKE_ONNX))?;
        Ok(fingerprint.finish())
    }
}

const SOURCE: &str = "benches/model";
const REQUIREMENTS: &str = "benches/model/requirements.txt";

/// The paths of the peers.
struct Peers {
    python: PathBuf,
    node_packages: PathBuf,
}

impl Peers {
    /// Installs what is missing or of another version than the pinned one.
    fn install(workspace: &Workspace) -> Result<Self> {
        let node_packages = workspace.tools().join("bench-node");
        setup::install_node_packages(
            workspace,
            &NodePackages {
                source: Path::new(SOURCE),
                folder: &node_packages,
                what: "Node.js packages (onnxruntime-web, wllama, node-llama-cpp)",
                effort: "installing (about 250 MB on disk)",
                // Not `ci`, which wants optional packages in the lock file even when they are omitted:
                // here they are 640 MB of builds for other devices.
                words: &["install", "--omit=optional", "--no-save"],
            },
        )?;
        let python = setup::install_python_packages(
            workspace,
            &PythonPackages {
                requirements: Path::new(REQUIREMENTS),
                folder: &workspace.tools().join("bench-python"),
                what: "Python packages (onnxruntime, onnx)",
                effort: "installing (about 200 MB on disk)",
            },
        )?;
        Ok(Self { python, node_packages })
    }

    /// Tells the scripts where the peers are.
    fn environment(&self, command: &mut Command) {
        command.env("CAMPANILE_BENCH_PYTHON", &self.python);
        command.env("CAMPANILE_BENCH_PEERS", &self.node_packages);
    }
}
