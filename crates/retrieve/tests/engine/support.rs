//! Sites of a few English texts, and a small random encoder.

use std::fs;
use std::path::Path;

use campanile_bundle::{BundleWriter, Counts, DocumentNotes, DocumentRecord, Manifest};
use campanile_index::{Bm25Parameters, LexicalBuilder};
use campanile_model::{EncoderConfig, Tokenizer};
use campanile_text::{Analyzer, Language};

/// A file of one of the models that the tests of `campanile-model` have.
pub fn fixture(name: &str, file: &str) -> Vec<u8> {
    let folder = Path::new("../model/tests/fixtures/encoders").join(name);
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join(file)).unwrap()
}

/// A file of the encoder.
pub fn model(file: &str) -> Vec<u8> {
    fixture("bert-cls", file)
}

pub fn config() -> EncoderConfig {
    EncoderConfig::from_json(&model("config.json")).unwrap()
}

pub fn tokenizer() -> Tokenizer {
    Tokenizer::from_json(&model("tokenizer.json")).unwrap()
}

/// The manifest of a site with a document of one chunk for each text, of which the lexical index and the documents are
/// written.
pub fn manifest(writer: &mut BundleWriter, texts: &[&str]) -> Manifest {
    let analyzer = Analyzer::new(Language::English);
    let mut lexical = LexicalBuilder::new(Bm25Parameters::default());
    for text in texts {
        lexical.add_chunk(analyzer.analyze(text).into_iter().map(|token| token.term));
    }
    let documents = (0..)
        .zip(texts)
        .map(|(number, text)| DocumentRecord::plain("Page", &format!("{number}.md"), text));
    let count = texts.len() as u32;
    Manifest::plain(
        "Tests",
        Counts { documents: count, chunks: count },
        writer.add_lexical(&lexical.finish(1)).unwrap(),
        writer.add_documents(documents, DocumentNotes::default(), 1).unwrap(),
    )
}
