//! `campanile model inspect`: what is in a model, and whether Campanile runs it.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use campanile_build::model_source::licence;
use campanile_build::model_source::{ModelSource, open_weights};
use campanile_model::gguf::{CHAT_TEMPLATE_FILE, GgufFile, Value};
use campanile_model::{TensorSource, Tokenizer};
use campanile_model_store::Store;
use campanile_terminal::{console, say};
use serde::Serialize;
use serde_json::Value as Json;

use crate::cli::InspectArguments;

/// All that is told of a model.
#[derive(Serialize)]
struct Inspection {
    path: PathBuf,
    name: Option<String>,
    architecture: Option<String>,
    licence: Option<String>,
    /// Numbers in all tensors together.
    parameters: u64,
    tensor_count: usize,
    tensor_bytes: u64,
    /// The number of tensors and their bytes, by encoding.
    encodings: BTreeMap<String, EncodingShare>,
    context_length: Option<u64>,
    tokenizer: Option<TokenizerKind>,
    chat_template: bool,
    /// Why Campanile cannot run the model; nothing where it can.
    problem: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tensors: Vec<Tensor>,
}

#[derive(Default, Serialize)]
struct EncodingShare {
    tensors: usize,
    bytes: u64,
}

#[derive(Serialize)]
struct TokenizerKind {
    kind: String,
    tokens: u64,
}

#[derive(Serialize)]
struct Tensor {
    name: String,
    shape: Vec<usize>,
    encoding: String,
    bytes: u64,
}

/// Prints what is in one model.
pub fn run(arguments: &InspectArguments, store: &Store) -> anyhow::Result<ExitCode> {
    let (path, source) = ModelSource::open(&arguments.model, store)?;
    let mut inspection = match &source {
        ModelSource::Gguf(file) => of_gguf(file)?,
        ModelSource::Folder(folder) => of_folder(folder)?,
    };
    inspection.licence = licence(&path, &source, store);
    inspection.problem = problem(&source).err().map(|error| format!("{error:#}"));
    inspection.path = path;
    if !arguments.tensors {
        inspection.tensors.clear();
    }
    if arguments.json {
        say!("{}", serde_json::to_string_pretty(&inspection)?);
    } else {
        match print(&inspection, &mut io::stdout().lock()) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
            outcome => outcome?,
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Whether Campanile can run the model; every tensor must be there, and the tokenizer readable.
fn problem(source: &ModelSource) -> anyhow::Result<()> {
    let model = source.published()?;
    for name in &model.names {
        model.tensors.describe(name)?;
    }
    for (name, bytes) in &model.small {
        if name == "tokenizer.json" {
            Tokenizer::from_json(bytes)?;
        }
    }
    Ok(())
}

fn of_gguf(file: &GgufFile) -> anyhow::Result<Inspection> {
    let text = |key: &str| file.get(key).and_then(Value::as_text).map(str::to_owned);
    let architecture = text("general.architecture");
    let context = architecture
        .as_ref()
        .and_then(|name| file.get(&format!("{name}.context_length")).and_then(Value::as_usize));
    let tokens = file.get("tokenizer.ggml.tokens").and_then(Value::as_array);
    let tokenizer = text("tokenizer.ggml.model").map(|kind| TokenizerKind {
        kind: match text("tokenizer.ggml.pre") {
            Some(rules) => format!("{kind} ({rules})"),
            None => kind,
        },
        tokens: tokens.map_or(0, |tokens| tokens.len() as u64),
    });
    Ok(Inspection {
        name: text("general.name"),
        architecture,
        context_length: context.map(|length| length as u64),
        tokenizer,
        chat_template: file.chat_template().is_some(),
        ..of_tensors(file)?
    })
}

fn of_folder(folder: &Path) -> anyhow::Result<Inspection> {
    let json = |name: &str| -> Option<Json> {
        serde_json::from_slice(&fs::read(folder.join(name)).ok()?).ok()
    };
    let config = json("config.json").unwrap_or_default();
    let positions = ["max_tokens", "max_position_embeddings"];
    let tokenizer = json("tokenizer.json").map(|file| TokenizerKind {
        kind: file["model"]["type"].as_str().unwrap_or("unknown").to_owned(),
        tokens: match &file["model"]["vocab"] {
            Json::Object(vocabulary) => vocabulary.len() as u64,
            Json::Array(vocabulary) => vocabulary.len() as u64,
            _ => 0,
        },
    });
    let in_tokenizer = json("tokenizer_config.json").is_some_and(|c| !c["chat_template"].is_null());
    Ok(Inspection {
        name: config["_name_or_path"].as_str().filter(|name| !name.is_empty()).map(str::to_owned),
        architecture: config["architectures"][0]
            .as_str()
            .or(config["model_type"].as_str())
            .map(str::to_owned),
        context_length: positions.iter().find_map(|key| config[key].as_u64()),
        tokenizer,
        chat_template: in_tokenizer || folder.join(CHAT_TEMPLATE_FILE).is_file(),
        ..of_tensors(&open_weights(folder)?)?
    })
}

/// Reads off the tensors what they tell; the rest is left open.
fn of_tensors(source: &dyn TensorSource) -> anyhow::Result<Inspection> {
    let mut inspection = Inspection {
        path: PathBuf::new(),
        name: None,
        architecture: None,
        licence: None,
        parameters: 0,
        tensor_count: 0,
        tensor_bytes: 0,
        encodings: BTreeMap::new(),
        context_length: None,
        tokenizer: None,
        chat_template: false,
        problem: None,
        tensors: Vec::new(),
    };
    for name in source.names() {
        // Whole numbers (positions, for example) are no weights, and are not read.
        let Ok(tensor) = source.describe(&name) else { continue };
        let encoding = serde_json::to_value(tensor.encoding).context("an encoding has no name")?;
        let encoding = encoding.as_str().unwrap_or_default().to_owned();
        let bytes = tensor.len_bytes as u64;
        let share = inspection.encodings.entry(encoding.clone()).or_default();
        share.tensors += 1;
        share.bytes += bytes;
        inspection.parameters += tensor.shape.iter().map(|&size| size as u64).product::<u64>();
        inspection.tensor_count += 1;
        inspection.tensor_bytes += bytes;
        inspection.tensors.push(Tensor { name, shape: tensor.shape, encoding, bytes });
    }
    Ok(inspection)
}

/// Prints all of it; a reader who has seen enough may close the pipe.
fn print(inspection: &Inspection, out: &mut impl Write) -> io::Result<()> {
    let open = |value: &Option<String>| value.clone().unwrap_or_else(|| "not stated".to_owned());
    writeln!(out, "Model         {}", inspection.path.display())?;
    if let Some(name) = &inspection.name {
        writeln!(out, "Name          {name}")?;
    }
    writeln!(out, "Architecture  {}", open(&inspection.architecture))?;
    writeln!(out, "Licence       {}", open(&inspection.licence))?;
    writeln!(out, "Parameters    {}", in_millions(inspection.parameters))?;
    writeln!(
        out,
        "Weights       {} in {}",
        console::bytes(inspection.tensor_bytes),
        console::count(inspection.tensor_count, "tensor")
    )?;
    for (encoding, share) in &inspection.encodings {
        writeln!(
            out,
            "              {encoding:<12}{:>10}  {}",
            console::bytes(share.bytes),
            console::count(share.tensors, "tensor")
        )?;
    }
    match inspection.context_length {
        Some(length) => {
            writeln!(out, "Context       {}", console::count(length as usize, "token"))?
        }
        None => writeln!(out, "Context       not stated")?,
    }
    match &inspection.tokenizer {
        Some(kind) => writeln!(out, "Tokenizer     {}, {} tokens", kind.kind, kind.tokens)?,
        None => writeln!(out, "Tokenizer     none that is read")?,
    }
    writeln!(out, "Chat template {}", if inspection.chat_template { "yes" } else { "no" })?;
    match &inspection.problem {
        None => writeln!(out, "Runs here     yes")?,
        Some(problem) => writeln!(out, "Runs here     no: {problem}")?,
    }
    if !inspection.tensors.is_empty() {
        writeln!(out)?;
    }
    for tensor in &inspection.tensors {
        let shape: Vec<String> = tensor.shape.iter().map(ToString::to_string).collect();
        writeln!(
            out,
            "{:<56}{:>16}  {:<6}{:>10}",
            tensor.name,
            shape.join(" x "),
            tensor.encoding,
            console::bytes(tensor.bytes)
        )?;
    }
    Ok(())
}

/// `134515008` as `134.5 million`.
fn in_millions(count: u64) -> String {
    match count {
        0..1_000_000 => count.to_string(),
        _ => format!("{:.1} million", count as f64 / 1e6),
    }
}
