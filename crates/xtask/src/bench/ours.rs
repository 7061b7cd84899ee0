//! Our own side: the native program, the browser module, and the models as each engine wants them.

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::peers::Peers;
use crate::process::Log;
use crate::web;
use crate::web::stamp::Fingerprint;
use crate::workspace::Workspace;

const MAKE_ONNX: &str = "benches/model/make_onnx.py";
const ENCODER_FILES: [&str; 3] = ["config.json", "tokenizer.json", "model.safetensors"];
const STAMP: &str = "made-from.txt";

/// The paths of our programs and the models.
pub struct Ours {
    program: PathBuf,
    module: Option<PathBuf>,
    models: PathBuf,
    gguf: PathBuf,
    encoder: PathBuf,
}

/// Compiles our side; the browser's module only where a benchmark needs it.
pub fn build(workspace: &Workspace, in_browser: bool) -> Result<Ours> {
    println!("build   the native benchmark (some minutes the first time)");
    let mut cargo = workspace.cargo();
    cargo.args(["build", "--release", "--locked", "--package", "campanile-model"]);
    cargo.args(["--example", "benchmark"]);
    Log::create(&workspace.logs(), "bench-build")?.run(&mut cargo)?;
    let program = workspace.target.join("release/examples").join(format!("benchmark{EXE_SUFFIX}"));
    let module = if in_browser { Some(web::models_module(workspace)?) } else { None };
    let models = models_folder(workspace);
    Ok(Ours {
        program,
        module,
        models: workspace.target.join("bench/models"),
        gguf: models.join("smollm2-135m-instruct/SmolLM2-135M-Instruct.Q4_1.gguf"),
        encoder: models.join("all-MiniLM-L6-v2"),
    })
}

impl Ours {
    /// Tells the scripts where our side is.
    pub fn environment(&self, command: &mut Command) {
        command.env("CAMPANILE_BENCH_PROGRAM", &self.program);
        command.env("CAMPANILE_BENCH_MODELS", &self.models);
        command.env("CAMPANILE_BENCH_GGUF", &self.gguf);
        if let Some(module) = &self.module {
            command.env("CAMPANILE_BENCH_MODULE", module);
        }
    }

    /// Writes the models as a site carries them, and the encoder as an ONNX graph.
    pub fn models(&self, workspace: &Workspace, peers: &Peers) -> Result<()> {
        let published = ENCODER_FILES.map(|name| self.encoder.join(name));
        if let Some(missing) = published.iter().chain([&self.gguf]).find(|path| !path.exists()) {
            bail!("{} is missing: `cargo xtask setup` fetches the models", missing.display());
        }
        let wanted = self.fingerprint(workspace)?;
        let stamp = self.models.join(STAMP);
        if fs::read_to_string(&stamp).is_ok_and(|made| made == wanted) {
            println!("bench   the models: here");
            return Ok(());
        }
        println!("bench   the models: writing them as each engine wants them");
        // What another version of the program wrote may have had more files.
        if self.models.exists() {
            fs::remove_dir_all(&self.models)?;
        }
        let unquantised = self.models.join("encoder-f32");
        fs::create_dir_all(&unquantised)
            .with_context(|| format!("cannot create {}", unquantised.display()))?;
        for (name, path) in ENCODER_FILES.into_iter().zip(&published) {
            fs::copy(path, unquantised.join(name))?;
        }
        let log = Log::create(&workspace.logs(), "bench-models")?;
        let mut prepare = workspace.program(&self.program);
        log.run(prepare.arg("prepare").arg(&self.encoder).arg(&self.gguf).arg(&self.models))?;
        let mut onnx = workspace.program(&peers.python);
        onnx.arg(MAKE_ONNX).arg(&self.encoder).arg(self.models.join("encoder.onnx"));
        log.run(onnx.arg("--int8").arg(self.models.join("encoder-int8.onnx")))?;
        fs::write(&stamp, wanted)?;
        Ok(())
    }

    /// Changes with the program that writes our files and the script that writes the peer's.
    fn fingerprint(&self, workspace: &Workspace) -> Result<String> {
        let mut fingerprint = Fingerprint::default();
        fingerprint.file(&workspace.root, &self.program)?;
        fingerprint.file(&workspace.root, Path::new(MAKE_ONNX))?;
        Ok(fingerprint.finish())
    }
}

/// Returns the folder in which `campanile model fetch` puts models.
pub fn models_folder(workspace: &Workspace) -> PathBuf {
    std::env::var_os("CAMPANILE_MODELS")
        .map_or_else(|| workspace.cache.join("models"), PathBuf::from)
}
