//! The files of models: what is opened also gives its tensors, and an adapter is also run, on a network as small as
//! there is.

use std::borrow::Cow;
use std::sync::LazyLock;

use campanile_model::gguf::GgufFile;
use campanile_model::{
    Adapter, AdapterTask, ClaimChecker, DecoderConfig, Encoder, EncoderConfig, Encoding,
    ModelError, Reader, Reranker, Shards, Side, SideAdapter, StoredTensor, TensorSource, Tokenizer,
};

/// A network of one layer, four wide.
const CONFIG: &str = r#"{"vocab_size": 8, "hidden_size": 4, "num_hidden_layers": 1,
    "num_attention_heads": 2, "intermediate_size": 8, "max_position_embeddings": 24,
    "type_vocab_size": 2, "layer_norm_eps": 1e-6, "max_tokens": 24}"#;

const TOKENIZER: &str = r###"{"added_tokens": [],
    "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
        "strip_accents": null, "lowercase": true},
    "pre_tokenizer": {"type": "BertPreTokenizer"},
    "post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 2], "cls": ["[CLS]", 1]},
    "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": true},
    "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 100,
        "vocab": {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "fees": 3, "are": 4, "due": 5, "##s": 6, ".": 7}}}"###;

/// Numbers that follow from their places.
struct Weights;

impl TensorSource for Weights {
    fn names(&self) -> Vec<String> {
        Vec::new()
    }

    fn stored(&self, name: &str) -> Result<StoredTensor<'_>, ModelError> {
        let shape = match name {
            "embeddings.word_embeddings.weight" => vec![8, 4],
            "embeddings.position_embeddings.weight" => vec![24, 4],
            "embeddings.token_type_embeddings.weight" => vec![2, 4],
            _ if name.ends_with("intermediate.dense.weight") => vec![8, 4],
            _ if name.ends_with("intermediate.dense.bias") => vec![8],
            _ if name.ends_with("LayerNorm.weight") || name.ends_with("bias") => vec![4],
            _ if name.contains("attention") => vec![4, 4],
            _ => vec![4, 8],
        };
        let values: usize = shape.iter().product();
        let value = |place: usize| ((place * 7 + name.len()) % 11) as f32 / 11.0 - 0.4;
        let bytes = (0..values).flat_map(|place| value(place).to_le_bytes()).collect();
        StoredTensor::new(name, shape, Encoding::F32, Cow::Owned(bytes), Vec::new())
    }
}

static ENCODER: LazyLock<Option<Encoder>> = LazyLock::new(|| encoder().ok());

fn encoder() -> Result<Encoder, ModelError> {
    let config = EncoderConfig::from_json(CONFIG.as_bytes())?;
    Encoder::load(&config, Tokenizer::from_json(TOKENIZER.as_bytes())?, &Weights)
}

const QUESTION: &str = "Are fees due?";
const PASSAGES: [&str; 3] =
    ["", "Fees are due.", "Dues are fees. Fées are due. Fees. Are. Due. Fees. Are. Due."];

/// An adapter that is read is also run.
pub(crate) fn adapter(bytes: &[u8]) {
    if let Ok(count) = results(bytes) {
        assert_eq!(count, PASSAGES.len());
    }
}

/// The number of results that an adapter gives; the error where it is none, or one of another network.
fn results(bytes: &[u8]) -> Result<usize, ModelError> {
    let Some(encoder) = &*ENCODER else { unreachable!("the network is sound") };
    if let Ok(adapter) = SideAdapter::read(Side::Query, bytes) {
        let adapted = self::encoder()?.with_adapter(adapter)?;
        return Ok(adapted.encode_queries(&PASSAGES)?.len());
    }
    let adapter = Adapter::read(bytes)?;
    Ok(match adapter.task() {
        AdapterTask::Reader => {
            let readings = Reader::new(encoder, &adapter)?.read(QUESTION, &PASSAGES, 3)?;
            for (reading, passage) in readings.iter().zip(PASSAGES) {
                assert!(reading.spans.len() <= 3);
                let inside = |bytes| passage.get(bytes).is_some_and(|text: &str| !text.is_empty());
                assert!(reading.spans.iter().all(|span| inside(span.bytes.clone())));
            }
            readings.len()
        }
        AdapterTask::Reranker => {
            Reranker::new(encoder, &adapter)?.score(QUESTION, &PASSAGES)?.len()
        }
        AdapterTask::Checker => {
            ClaimChecker::new(encoder, &adapter)?.check(QUESTION, &PASSAGES)?.len()
        }
    })
}

/// A model that is opened also gives its tensors, or says why not.
pub(crate) fn model(bytes: &[u8]) {
    let Some((kind, bytes)) = bytes.split_first() else { return };
    match kind % 5 {
        0 => {
            if let Ok(file) = GgufFile::new(bytes.to_vec()) {
                let _config = file.decoder_config();
                let _tokenizer = file.tokenizer_json();
                read_tensors(&file);
            }
        }
        1 => {
            if let Ok(shards) = Shards::new(vec![bytes.to_vec()]) {
                read_tensors(&shards);
            }
        }
        2 => {
            if let Ok(tokenizer) = Tokenizer::from_json(bytes) {
                let _tokens = tokenizer.encode("Fees are due on 1 March.");
            }
        }
        3 => {
            let _config = EncoderConfig::from_json(bytes);
        }
        _ => {
            let _config = DecoderConfig::from_json(bytes);
        }
    }
}

fn read_tensors(source: &dyn TensorSource) {
    for name in source.names() {
        if let Ok(stored) = source.stored(&name) {
            let values: usize = stored.shape().iter().product();
            assert_eq!(stored.decode().values.len(), values, "{name}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{PASSAGES, results};
    use crate::{Corpus, Target};

    #[test]
    fn every_seed_is_read_and_run() -> Result<(), Box<dyn std::error::Error>> {
        let corpus = Corpus::load(Target::Adapter)?;
        let seeds = corpus.inputs.iter().filter(|(name, _)| name.ends_with(".safetensors"));
        let counts: Vec<usize> =
            seeds.map(|(_, bytes)| results(bytes)).collect::<Result<_, _>>()?;
        assert_eq!(counts, [PASSAGES.len(); 5]);
        Ok(())
    }
}
