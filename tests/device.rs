//! A site whose passages were embedded on a graphics card answers as one of the processor's.
//!
//! Any adapter does, also a software one: Mesa's lavapipe where `cargo xtask test` runs these.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::collections::BTreeMap;
use std::path::Path;

use campanile_bundle::{Bundle, ChunkId, DirectoryFetch};
use campanile_eval::SitePassages;
use campanile_model::{Encoder, EncoderConfig, Shards, Tokenizer};
use campanile_retrieve::{Engine, SystemClock};
use campanile_webgpu::{StartOptions, WebGpu, WebGpuEncoder};
use futures_lite::future::block_on;
use serde_json::Value;

use support::{build, campanile, campanile_with, folder, manifest, root, text, tree};

const PAGES: [&str; 3] = ["internship.md", "late-work.md", "resits.md"];
/// How many sources of an answer are compared.
const SOURCES: usize = 5;
/// Fused scores that are no further apart may change places. Between the sites of lavapipe and the processor over the
/// ten pages of the sample's department, 99 of 100 fused scores were within 0.035 of each other, and the furthest 0.22
/// apart: one number of a coded token vector had the other sign, and fusion measures by the scores' spread.
const ROUNDING: f64 = 0.25;
/// Cosines of a question and a passage, of which the index keeps 8 bits a number: at most 0.0003 apart there.
const COSINE_ROUNDING: f64 = 0.001;
/// What a vector of one device is to have in common with the other's.
const LOWEST_COSINE: f64 = 0.9999;
/// Drivers are looked for where none is.
const NO_DRIVER: [(&str, &str); 2] =
    [("VK_DRIVER_FILES", "/nowhere/none.json"), ("VK_ICD_FILENAMES", "/nowhere/none.json")];

#[test]
fn a_site_of_a_card_answers_as_one_of_the_processor() {
    // A software adapter takes the better part of a second for a passage.
    let docs = folder(&[]);
    for name in PAGES {
        let page = root().join("samples/campus/department").join(name);
        std::fs::copy(page, docs.path().join(name)).unwrap();
    }
    let [cpu, gpu] = ["cpu", "gpu"].map(|device| {
        let site = folder(&[]);
        let run = built(docs.path(), site.path(), &["--device", device]).expect_code(0);
        (site, run)
    });
    assert!(cpu.1.json()["embedded_on"].is_null());
    assert!(manifest(cpu.0.path())["embedded_on"].is_null());
    let named = &manifest(gpu.0.path())["embedded_on"];
    assert_eq!(&gpu.1.json()["embedded_on"], named);
    let (adapter, backend) =
        (named["adapter"].as_str().unwrap(), named["backend"].as_str().unwrap());
    gpu.1.says(&[&format!("device: `{adapter}` through {backend}")]);

    let questions = root().join("samples/questions.jsonl");
    let questions = std::fs::read_to_string(questions).unwrap();
    for line in questions.lines().step_by(4) {
        let line: Value = serde_json::from_str(line).unwrap();
        let question = line["question"].as_str().unwrap();
        let [of_cpu, of_gpu] = [&cpu.0, &gpu.0].map(|site| {
            let arguments = ["ask", text(site.path()), question, "--json", "--sources", "10"];
            campanile(&arguments).expect_code(0).json()
        });
        same_but_for_ties(question, &sources(&of_cpu), &sources(&of_gpu));
    }
}

#[test]
fn vectors_of_one_device_are_not_taken_by_another() {
    let docs = folder(&[
        ("a.md", "# Parking\n\nStudents park behind the gymnasium.\n"),
        ("b.md", "# Lockers\n\nLockers are let by the porter.\n"),
    ]);
    let site = folder(&[]);
    let embedded = |device: &str| {
        let run = built(docs.path(), site.path(), &["--device", device]).expect_code(0);
        run.json()["embedded"].as_u64().unwrap()
    };
    let found = ["gpu", "cpu", "gpu", "cpu"].map(embedded);
    assert_eq!(found, [2, 2, 0, 0], "each device embeds once");
    // What the settings say holds where the command line says nothing.
    std::fs::write(docs.path().join("campanile.toml"), "[encoder]\ndevice = \"gpu\"\n").unwrap();
    built(docs.path(), site.path(), &[]).expect_code(0);
    assert!(manifest(site.path())["embedded_on"].is_object());
}

#[test]
fn a_software_adapter_is_taken_only_when_it_is_asked_for() {
    let docs = folder(&[("a.md", "# Parking\n\nStudents park behind the gymnasium.\n")]);
    let (cpu, run) = build(docs.path(), 0);
    assert!(!run.stderr.contains("device:"), "{}", run.stderr);
    let auto = folder(&[]);
    let run = built(docs.path(), auto.path(), &["--device", "auto"]).expect_code(0);
    let real = folder(&[]);
    let asked = built(docs.path(), real.path(), &["--device", "gpu"]).expect_code(0);
    if asked.stderr.contains("a software adapter") {
        run.says(&["device: the processor, since the only adapter is `", "a software one"]);
        assert!(tree(cpu.path()) == tree(auto.path()), "the processor's sites are alike");
    } else {
        assert!(manifest(auto.path())["embedded_on"].is_object());
    }
}

#[test]
fn without_an_adapter_a_build_says_what_was_looked_for() {
    let docs = folder(&[("a.md", "# Parking\n\nStudents park behind the gymnasium.\n")]);
    let site = folder(&[]);
    let arguments =
        ["build", text(docs.path()), "-o", text(site.path()), "--index-only", "--no-report"];
    let with =
        |device| campanile_with(&[&arguments[..], &["--device", device]].concat(), &NO_DRIVER);
    let refused = with("gpu");
    if refused.code == 0 {
        campanile_test_data::skip("this system has drivers that no variable hides");
        return;
    }
    refused.expect_code(1).says(&[
        "Vulkan, Metal or DirectX 12",
        "install the driver",
        "--device cpu",
    ]);
    assert!(tree(site.path()).is_empty(), "nothing is written");
    with("auto").expect_code(0).says(&[
        "device: the processor, since no adapter of Vulkan, Metal or DirectX 12 could be started",
    ]);
    assert!(manifest(site.path())["embedded_on"].is_null());
}

#[test]
fn passages_of_the_sample_campus_have_the_processors_vectors() {
    let gpu = block_on(WebGpu::start(StartOptions::default())).expect(
        "an adapter: install mesa-vulkan-drivers, or set VK_DRIVER_FILES to a driver's JSON file",
    );
    let (site, _) = build(&root().join("samples/campus"), 0);
    let fetch = || DirectoryFetch::new(site.path());
    let engine = block_on(Engine::open(fetch(), SystemClock::default())).unwrap();
    let passages = block_on(SitePassages::read(&engine)).unwrap();
    let texts: Vec<&str> = (0..)
        .map_while(|chunk| passages.get(ChunkId(chunk)))
        .map(|passage| passage.text.as_str())
        .collect();
    assert!(texts.len() > 200, "{} passages", texts.len());
    // All of them take five minutes on an adapter in software; all were compared when this was written.
    let texts: Vec<&str> = texts.into_iter().step_by(4).collect();

    let bundle = block_on(Bundle::open(fetch())).unwrap();
    let files: BTreeMap<&str, Vec<u8>> = bundle
        .manifest()
        .encoder
        .iter()
        .flat_map(|model| &model.files)
        .map(|file| (file.name.as_str(), block_on(bundle.model_file(file)).unwrap()))
        .collect();
    let config = EncoderConfig::from_json(&files["config.json"]).unwrap();
    let weights = files.iter().filter(|(name, _)| name.ends_with(".safetensors"));
    let weights = Shards::new(weights.map(|(_, bytes)| bytes.clone()).collect()).unwrap();
    let tokenizer = Tokenizer::from_json(&files["tokenizer.json"]).unwrap();
    let encoder = Encoder::load(&config, tokenizer, &weights).unwrap();
    let mut on_gpu = block_on(WebGpuEncoder::load(&gpu, &config, &weights)).unwrap();

    let (mut of_passages, mut of_tokens) = (1f64, 1f64);
    for group in texts.chunks(32) {
        let expected = encoder.token_vectors(group).unwrap();
        let sequences = encoder.passage_tokens(group).unwrap();
        let found = block_on(on_gpu.token_vectors(&sequences, None)).unwrap();
        assert_eq!(found.len(), expected.len());
        for (vectors, expected) in found.into_iter().zip(&expected) {
            assert_eq!(vectors.len(), expected.vectors.len());
            let width = encoder.dimension();
            let tokens = vectors.chunks_exact(width).zip(expected.vectors.chunks_exact(width));
            of_tokens =
                tokens.map(|(found, expected)| cosine(found, expected)).fold(of_tokens, f64::min);
            let found = campanile_model::TokenVectors { ids: expected.ids.clone(), vectors };
            of_passages = of_passages.min(cosine(&encoder.pool(&found), &encoder.pool(expected)));
        }
    }
    println!(
        "{}: lowest cosine of {} passages {of_passages}, of their tokens {of_tokens}",
        gpu.name(),
        texts.len()
    );
    assert!(of_passages > LOWEST_COSINE, "passages: {of_passages}");
    assert!(of_tokens > LOWEST_COSINE, "tokens: {of_tokens}");
}

/// A run of `campanile build` without page and report, with its summary as JSON.
fn built(docs: &Path, site: &Path, more: &[&str]) -> support::Run {
    let arguments =
        ["build", text(docs), "-o", text(site), "--index-only", "--no-report", "--json"];
    campanile(&[&arguments[..], more].concat())
}

/// A source, with its scores.
#[derive(Debug)]
struct Source {
    name: String,
    fused: f64,
    dense: Option<f64>,
}

fn sources(reply: &Value) -> Vec<Source> {
    let source = |source: &Value| Source {
        name: format!("{} {}", source["document"], source["span"]),
        fused: source["scores"]["fused"]["score"].as_f64().unwrap(),
        dense: source["scores"]["dense"]["score"].as_f64(),
    };
    reply["sources"].as_array().unwrap().iter().map(source).collect()
}

/// Fails unless two lists begin with the same sources in the same order, but for those whose scores are equal within
/// rounding.
#[track_caller]
fn same_but_for_ties(question: &str, cpu: &[Source], gpu: &[Source]) {
    assert_eq!(cpu.len().min(SOURCES), gpu.len().min(SOURCES), "{question}");
    for (rank, (expected, found)) in cpu.iter().zip(gpu).enumerate().take(SOURCES) {
        let on_cpu = cpu.iter().find(|source| source.name == found.name);
        let gap = on_cpu.map(|source| (source.fused - expected.fused).abs());
        assert!(
            expected.name == found.name || gap.is_some_and(|gap| gap < ROUNDING),
            "{question}: source {} differs, and is no tie\n{cpu:#?}\n{gpu:#?}",
            rank + 1
        );
        let cosines = on_cpu.and_then(|source| source.dense).zip(found.dense);
        assert!(
            cosines.is_none_or(|(cpu, gpu)| (cpu - gpu).abs() < COSINE_ROUNDING),
            "{question}: cosines of {} are {cosines:?}",
            found.name
        );
    }
}

fn cosine(left: &[f32], right: &[f32]) -> f64 {
    let product = |one: &[f32], other: &[f32]| -> f64 {
        one.iter().zip(other).map(|(one, other)| f64::from(*one) * f64::from(*other)).sum()
    };
    product(left, right) / (product(left, left) * product(right, right)).sqrt()
}
