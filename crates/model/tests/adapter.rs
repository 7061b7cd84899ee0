//! Adapters on a small random encoder: what must hold whatever the numbers are.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::borrow::Cow;
use std::collections::BTreeMap;

use campanile_model::{
    Adapter, ClaimChecker, ClassifierConfig, Encoder, EncoderConfig, Encoding, ModelError,
    NetworkChanges as _, Published, Reader, Reranker, SequenceClassifier, Shards, Side,
    SideAdapter, SpanModel, StoredTensor, TensorSource,
};
use proptest::prelude::*;
use support::adapters::{File, HIDDEN, LAYERS, MATRICES, encoder, model};

const QUESTION: &str = "When does the library open?";
const PASSAGES: [&str; 4] = [
    "The library opens at nine o'clock.",
    "",
    "Größe & Länge: 12,5 cm – naïve café, 東京 🎓!",
    "A first extension is granted by the supervisor. A second one, of four weeks at most, needs \
     the signature of the chair; the form lies in room B 2.14. Bring your card.",
];

/// Published weights with some tensors replaced.
struct Changed<'a> {
    weights: &'a Shards,
    changed: BTreeMap<String, (Vec<usize>, Vec<f32>)>,
}

impl TensorSource for Changed<'_> {
    fn names(&self) -> Vec<String> {
        let mut names = self.weights.names();
        names.extend(self.changed.keys().cloned());
        names.sort_unstable();
        names.dedup();
        names
    }

    fn stored(&self, name: &str) -> Result<StoredTensor<'_>, ModelError> {
        let Some((shape, values)) = self.changed.get(name) else {
            return self.weights.stored(name);
        };
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        StoredTensor::new(name, shape.clone(), Encoding::F32, Cow::Owned(bytes), Vec::new())
    }
}

/// The encoder's names of [`MATRICES`].
const PUBLISHED: [&str; 6] = [
    "attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense",
    "intermediate.dense", "output.dense",
];

/// `W + scale · up down` for every matrix that a file changes.
fn merged(file: &File, weights: &Shards) -> BTreeMap<String, (Vec<usize>, Vec<f32>)> {
    let scale: f32 = file.fields["scale"].parse().unwrap();
    let mut changed = BTreeMap::new();
    for layer in 0..LAYERS {
        for ((name, inputs, outputs), published) in MATRICES.into_iter().zip(PUBLISHED) {
            let published = format!("encoder.layer.{layer}.{published}.weight");
            let mut weight = weights.read(&published).unwrap().values;
            let (shape, down) = &file.tensors[&format!("layer.{layer}.{name}.down")];
            let (_, up) = &file.tensors[&format!("layer.{layer}.{name}.up")];
            for row in 0..outputs {
                for column in 0..inputs {
                    let low =
                        (0..shape[0]).map(|r| up[row * shape[0] + r] * down[r * inputs + column]);
                    weight[row * inputs + column] += scale * low.sum::<f32>();
                }
            }
            changed.insert(published, (vec![outputs, inputs], weight));
        }
    }
    changed
}

/// The same adapter without any change to the network.
fn unchanged(file: &File) -> File {
    let mut head = file.clone().with("layers", "");
    head.tensors.retain(|name, _| name.starts_with("head."));
    head
}

#[test]
fn two_thin_products_are_what_merged_weights_give() {
    let (config, tokenizer, weights) = model("bert-cls");
    let config = EncoderConfig::from_json(&config).unwrap();
    for pooling in ["cls", "mean"] {
        let file = File::reranker().with("pooling", pooling);
        let source = Changed { weights: &weights, changed: merged(&file, &weights) };
        let full = Encoder::load(&config, tokenizer.clone(), &source).unwrap();
        let head = Adapter::read(&unchanged(&file).bytes()).unwrap();
        let expected = Reranker::new(&full, &head).unwrap().score(QUESTION, &PASSAGES).unwrap();

        let (encoder, adapter) = (encoder(), Adapter::read(&file.bytes()).unwrap());
        let found = Reranker::new(&encoder, &adapter).unwrap().score(QUESTION, &PASSAGES).unwrap();
        let plain = Reranker::new(&encoder, &head).unwrap().score(QUESTION, &PASSAGES).unwrap();
        for ((expected, found), plain) in expected.iter().zip(&found).zip(&plain) {
            assert!((expected - found).abs() < 1e-4, "{expected} {found}");
            assert!((plain - found).abs() > 1e-3, "the adapter changes something: {plain} {found}");
        }
    }
}

#[test]
fn questions_or_passages_are_embedded_by_what_merged_weights_give_and_the_other_side_as_before() {
    let (config, tokenizer, weights) = model("bert-cls");
    let config = EncoderConfig::from_json(&config).unwrap();
    let file = File::query();
    let source = Changed { weights: &weights, changed: merged(&file, &weights) };
    let full = Encoder::load(&config, tokenizer, &source).unwrap();
    let plain = encoder();
    let embedded = |encoder: &Encoder, side| match side {
        Side::Query => encoder.encode_queries(&PASSAGES).unwrap(),
        Side::Passage => encoder.encode_passages(&PASSAGES).unwrap(),
    };
    for (side, other, task) in
        [(Side::Query, Side::Passage, "query"), (Side::Passage, Side::Query, "passage")]
    {
        let adapter = SideAdapter::read(side, &file.clone().with("task", task).bytes()).unwrap();
        let adapted = encoder().with_adapter(adapter).unwrap();
        assert!(adapted.has_adapter(side) && !adapted.has_adapter(other));
        assert!(!plain.has_adapter(side));
        assert_eq!(embedded(&adapted, other), embedded(&plain, other));
        assert_eq!(adapted.encode(&PASSAGES).unwrap(), plain.encode(&PASSAGES).unwrap());
        let (expected, found) = (embedded(&full, side), embedded(&adapted, side));
        assert_ne!(found, embedded(&plain, side));
        for (text, (expected, found)) in PASSAGES.iter().zip(expected.iter().zip(&found)) {
            let in_one_pass = match side {
                Side::Query => adapted.encode_query(text).unwrap().0,
                Side::Passage => adapted.encode_passages_and(&[text], |_| ()).unwrap().remove(0).0,
            };
            assert_eq!(&in_one_pass, found);
            for (expected, found) in expected.iter().zip(found) {
                assert!((expected - found).abs() < 1e-4, "{text}: {expected} {found}");
            }
        }
    }
}

#[test]
fn an_adapter_of_one_side_says_what_it_cannot_be() {
    let read = |file: &File| {
        SideAdapter::read(Side::Query, &file.bytes()).err().map(|error| error.to_string())
    };
    let mut with_head = File::query();
    with_head.random("head.score.weight", &[1, HIDDEN]);
    let cases = [
        (File::query(), None),
        (File::reader(), Some("for the task \"reader\"")),
        (File::query().with("task", "passage"), Some("for the task \"passage\"")),
        (File::query().with("version", "2"), Some("version 2")),
        (File::query().with("layers", ""), Some("changes no layer")),
        (File::query().with("rank", "5"), Some("it should be [5, 32]")),
        (with_head, Some("it holds 25 tensors, 24 of them")),
    ];
    for (file, expected) in cases {
        match (read(&file), expected) {
            (None, None) => {}
            (Some(found), Some(expected)) => assert!(found.contains(expected), "{found}"),
            (found, expected) => panic!("{found:?}, expected {expected:?}"),
        }
    }
    let read = Adapter::read(&File::query().bytes()).err().map(|error| error.to_string());
    assert!(read.is_some_and(|error| error.contains("`task` is \"query\"")));
}

#[test]
fn an_encoder_s_own_vectors_stay_the_same_bits() {
    let encoder = encoder();
    let before = encoder.encode(&PASSAGES).unwrap();
    let [reader, reranker, checker] = [File::reader(), File::reranker(), File::checker()]
        .map(|f| Adapter::read(&f.bytes()).unwrap());
    let reader = Reader::new(&encoder, &reader).unwrap();
    let reranker = Reranker::new(&encoder, &reranker).unwrap();
    let checker = ClaimChecker::new(&encoder, &checker).unwrap();
    let read = reader.read(QUESTION, &PASSAGES, 3).unwrap();
    let scores = reranker.score(QUESTION, &PASSAGES).unwrap();
    let verdicts = checker.check(QUESTION, &PASSAGES).unwrap();
    assert_eq!(encoder.encode(&PASSAGES).unwrap(), before);
    // Nor does it matter what was asked before, or what stands beside.
    for (number, passage) in PASSAGES.iter().enumerate() {
        assert_eq!(checker.check(QUESTION, &[passage]).unwrap(), verdicts[number..=number]);
        assert_eq!(reader.read(QUESTION, &[passage], 3).unwrap(), read[number..=number]);
        assert_eq!(reranker.score(QUESTION, &[passage]).unwrap(), scores[number..=number]);
    }
}

#[test]
fn a_score_of_the_first_vector_is_that_of_all_of_them() {
    // A checker whose pooling is the first vector computes no other in the last layer; a reader's
    // head that is the same numbers sees them all.
    let encoder = encoder();
    let mut reader = File::reader();
    let (_, weights) = &reader.tensors["head.span.weight"];
    let (_, biases) = &reader.tensors["head.span.bias"];
    let mut reranker = reader.clone().with("task", "reranker");
    reranker.tensors.retain(|name, _| !name.starts_with("head."));
    reranker
        .tensors
        .insert("head.score.weight".into(), (vec![1, HIDDEN], weights[..HIDDEN].to_vec()));
    reranker.tensors.insert("head.score.bias".into(), (vec![1], biases[..1].to_vec()));
    let answerable =
        [("weight", vec![1, HIDDEN], &weights[..HIDDEN]), ("bias", vec![1], &biases[..1])];
    let answerable: Vec<_> = answerable
        .map(|(part, shape, values)| (format!("head.answerable.{part}"), (shape, values.to_vec())))
        .into();
    reader.tensors.extend(answerable);
    let reader = Adapter::read(&reader.with("null", "answerable").bytes()).unwrap();
    let reranker = Adapter::read(&reranker.bytes()).unwrap();
    let margins = Reader::new(&encoder, &reader).unwrap().read(QUESTION, &PASSAGES, 1).unwrap();
    let scores = Reranker::new(&encoder, &reranker).unwrap().score(QUESTION, &PASSAGES).unwrap();
    for (number, (reading, score)) in margins.iter().zip(scores).enumerate() {
        if !PASSAGES[number].is_empty() {
            assert_eq!(reading.margin.to_bits(), score.to_bits(), "{}", PASSAGES[number]);
        }
    }
}

#[test]
fn a_head_that_is_there_need_not_be_asked() {
    let encoder = encoder();
    let mut file = File::reader();
    let plain = Adapter::read(&file.bytes()).unwrap();
    file.random("head.answerable.weight", &[1, HIDDEN]);
    file.random("head.answerable.bias", &[1]);
    let unasked = Adapter::read(&file.bytes()).unwrap();
    let read =
        |adapter| Reader::new(&encoder, adapter).unwrap().read(QUESTION, &PASSAGES, 2).unwrap();
    assert_eq!(read(&plain), read(&unasked));
    let asked = Adapter::read(&file.with("null", "answerable").bytes()).unwrap();
    assert_ne!(read(&plain), read(&asked));
}

#[test]
fn answers_are_cut_from_the_passage_as_it_is_written() {
    // A head that looks at nothing but a token's own place in a made-up direction would need
    // training; that all spans together are the whole passage needs none.
    let (encoder, adapter) = (encoder(), Adapter::read(&File::reader().bytes()).unwrap());
    let reader = Reader::new(&encoder, &adapter).unwrap();
    for passage in PASSAGES {
        let reading = &reader.read(QUESTION, &[passage], usize::MAX).unwrap()[0];
        let tokens = encoder.tokenizer().encode_spans(passage).unwrap();
        let expected: usize = (0..tokens.len()).map(|first| (tokens.len() - first).min(6)).sum();
        let windows = tokens.len() > 40 - 12 - 3;
        assert!(windows || reading.spans.len() == expected, "{passage}");
        for (_, bytes) in &tokens {
            assert!(reading.spans.iter().any(|span| &span.bytes == bytes), "{bytes:?}");
        }
        let all: f32 = reading.spans.iter().map(|span| span.probability).sum();
        let sum = all + reading.no_answer;
        assert!(windows || tokens.is_empty() || (sum - 1.0).abs() < 1e-4, "{sum}");
    }
    let empty = &reader.read(QUESTION, &[""], 3).unwrap()[0];
    assert_eq!((empty.spans.len(), empty.no_answer), (0, 1.0));
    assert!(reader.read(QUESTION, &[], 3).unwrap().is_empty());
    assert!(reader.read(QUESTION, &[PASSAGES[0]], 0).unwrap()[0].spans.is_empty());
}

#[test]
fn a_long_passage_is_read_whole() {
    let (encoder, adapter) = (encoder(), Adapter::read(&File::reader().bytes()).unwrap());
    let reader = Reader::new(&encoder, &adapter).unwrap();
    let passage = "The card is needed. ".repeat(30) + PASSAGES[0];
    let reading = &reader.read(QUESTION, &[&passage], usize::MAX).unwrap()[0];
    let (_, last) = encoder.tokenizer().encode_spans(&passage).unwrap().pop().unwrap();
    assert!(reading.spans.iter().any(|span| span.bytes.start == 0));
    assert!(reading.spans.iter().any(|span| span.bytes == last));
    // The margin is that of the window that is surest.
    let tail = &reader.read(QUESTION, &[PASSAGES[0]], 1).unwrap()[0];
    assert!(reading.margin.is_finite() && tail.margin.is_finite());
    let question = "when ".repeat(100);
    assert_eq!(reader.read(&question, &[PASSAGES[0]], 2).unwrap()[0].spans.len(), 2);
}

#[test]
fn whole_models_go_through_the_same_calls() {
    let short = [PASSAGES[0], PASSAGES[2]];
    let (config, tokenizer, weights) = model("bert-classifier");
    let config = ClassifierConfig::from_json(&config).unwrap();
    let model_of = SequenceClassifier::load(&config, tokenizer, &weights).unwrap();
    let pairs = short.map(|passage| ("When?", passage));
    let logits = model_of.logits(&pairs).unwrap().concat();
    assert_eq!(Reranker::whole(&model_of).unwrap().score("When?", &short).unwrap(), logits);
    let refused = ClaimChecker::whole(&model_of).err().unwrap().to_string();
    assert!(refused.contains("LABEL_0"), "{refused}");

    let (config, tokenizer, weights) = model("roberta-classifier");
    let config = ClassifierConfig::from_json(&config).unwrap();
    let model_of = SequenceClassifier::load(&config, tokenizer, &weights).unwrap();
    assert_eq!(model_of.labels(), ["contradiction", "entailment", "neutral"]);
    // The evidence stands first.
    let logits = model_of.logits(&[("It is nine.", "So?")]).unwrap().concat();
    let total: f32 = logits.iter().map(|logit| logit.exp()).sum();
    let verdict =
        ClaimChecker::whole(&model_of).unwrap().check("So?", &["It is nine."]).unwrap()[0];
    let found = [verdict.contradicted, verdict.entailed, verdict.neutral];
    for (logit, found) in logits.iter().zip(found) {
        assert!((logit.exp() / total - found).abs() < 1e-5, "{found}");
    }
    let refused = Reranker::whole(&model_of).err().unwrap().to_string();
    assert!(refused.contains("one label"), "{refused}");
}

#[test]
fn a_whole_reader_is_an_adapter_without_changes() {
    let (config, tokenizer, weights) = model("bert-cls");
    let file = unchanged(&File::reader().with("max_answer", "30"))
        .with("max_length", "40")
        .with("max_question", "10")
        .with("stride", "10");
    let head = ["weight", "bias"].map(|part| {
        (format!("qa_outputs.{part}"), file.tensors[&format!("head.span.{part}")].clone())
    });
    let source = Changed { weights: &weights, changed: head.into() };
    let model_of =
        SpanModel::load(&ClassifierConfig::from_json(&config).unwrap(), tokenizer, &source)
            .unwrap();
    assert_eq!(model_of.max_tokens(), 40);
    let (encoder, adapter) = (encoder(), Adapter::read(&file.bytes()).unwrap());
    let adapted = Reader::new(&encoder, &adapter).unwrap().read(QUESTION, &PASSAGES, 4).unwrap();
    let whole = Reader::whole(&model_of).unwrap().read(QUESTION, &PASSAGES, 4).unwrap();
    assert_eq!(adapted, whole);
}

#[test]
fn a_published_reader_keeps_its_head() {
    let (config, _, weights) = model("bert-cls");
    let mut config: serde_json::Value = serde_json::from_slice(&config).unwrap();
    config["architectures"] = serde_json::json!(["BertForQuestionAnswering"]);
    let read = |name: &str| match name {
        "config.json" => Some(config.to_string().into_bytes()),
        "tokenizer.json" => Some(Vec::new()),
        _ => None,
    };
    let published = Published::from_folder(read, weights).unwrap();
    assert!(published.names.iter().any(|name| name == "qa_outputs.weight"));
}

fn refused(file: &File) -> String {
    match Adapter::read(&file.bytes()) {
        Err(error) => error.to_string(),
        Ok(adapter) => {
            let encoder = encoder();
            let error = match adapter.task() {
                campanile_model::AdapterTask::Reader => Reader::new(&encoder, &adapter).err(),
                campanile_model::AdapterTask::Reranker => Reranker::new(&encoder, &adapter).err(),
                campanile_model::AdapterTask::Checker => {
                    ClaimChecker::new(&encoder, &adapter).err()
                }
            };
            error.map_or_else(|| panic!("it was taken"), |error| error.to_string())
        }
    }
}

#[test]
fn what_does_not_fit_is_named() {
    let fields = [
        ("version", "2", "version 2"),
        ("format", "another", "another"),
        ("task", "translator", "translator"),
        ("rank", "4", "should be [4, 32]"),
        ("rank", "0", "`rank` is \"0\""),
        ("rank", "-1", "`rank`"),
        ("scale", "NaN", "`scale`"),
        ("scale", "1e39", "`scale`"),
        ("layers", "0", "tensors"),
        ("layers", "1,0", "`layers`"),
        ("layers", "0,0", "`layers`"),
        ("layers", "0,1,2", "layer.2.attention.query.down"),
        ("layers", "99999999999", "`layers`"),
        ("temperature", "0", "`temperature`"),
        ("temperature", "-1", "`temperature`"),
        ("threshold", "inf", "`threshold`"),
        ("max_length", "49", "49 tokens"),
        ("max_length", "0", "`max_length`"),
        ("stride", "30", "overlap by 30"),
        ("stride", "18446744073709551615", "overlap"),
        ("max_question", "40", "40 of them"),
        ("null", "never", "never"),
        ("null", "answerable", "head.answerable.weight"),
        ("max_answer", "", "`max_answer`"),
    ];
    for (name, value, expected) in fields {
        let message = refused(&File::reader().with(name, value));
        assert!(message.contains(expected), "{name}={value}: {message}");
    }
    for name in File::reader().fields.keys().filter(|n| !matches!(n.as_str(), "labels" | "pooling"))
    {
        let mut file = File::reader();
        file.fields.remove(name);
        assert!(refused(&file).contains(&format!("`{name}`")), "{name}: {}", refused(&file));
    }
    let labels = [
        "a,b,c",
        "entailed,entailed,neutral",
        "entailed,neutral",
        "entailed,neutral,contradicted,more",
    ];
    for labels in labels {
        let message = refused(&File::checker().with("labels", labels));
        assert!(message.contains(labels), "{message}");
    }
    assert!(refused(&File::reranker().with("pooling", "max")).contains("max"));
}

#[test]
fn tensors_that_do_not_fit_are_named() {
    let with = |name: &str, shape: &[usize]| {
        let mut file = File::reranker();
        file.random(name, shape);
        refused(&file)
    };
    let named = |message: String, name: &str| assert!(message.contains(name), "{message}");
    named(with("more", &[1]), "26 of them");
    named(with("layer.2.attention.query.down", &[3, 32]), "26 of them");
    named(with("head.score.weight", &[2, 32]), "head.score.weight");
    named(with("head.score.weight", &[32]), "head.score.weight");
    named(with("head.score.weight", &[1, 0]), "head.score.weight");
    named(with("head.score.weight", &[1, 64]), "layer.0.attention.query.down");
    named(with("layer.0.feed_forward.inner.up", &[65, 3]), "layer.0.feed_forward.outer.down");
    named(with("layer.1.attention.value.up", &[3, 32]), "layer.1.attention.value.up");
    for bad in [f32::NAN, f32::INFINITY] {
        let mut file = File::reranker();
        file.tensors.get_mut("layer.1.attention.key.up").unwrap().1[5] = bad;
        named(refused(&file), "layer.1.attention.key.up");
    }
    let mut file = File::reranker().with("scale", "3e38");
    file.tensors.get_mut("layer.0.feed_forward.inner.up").unwrap().1[7] = 9.0;
    named(refused(&file), "layer.0.feed_forward.inner.up");
    for name in File::reranker().tensors.keys() {
        let mut file = File::reranker();
        file.tensors.remove(name);
        named(refused(&file), name);
    }
    // Another network's adapter: as wide, but with more layers or a wider block.
    let mut wide = unchanged(&File::reranker());
    wide.random("head.score.weight", &[1, 48]);
    named(refused(&wide), "width 48");
}

#[test]
fn an_adapter_is_for_its_task() {
    let encoder = encoder();
    let adapter = Adapter::read(&File::checker().bytes()).unwrap();
    for message in [
        Reader::new(&encoder, &adapter).err().unwrap().to_string(),
        Reranker::new(&encoder, &adapter).err().unwrap().to_string(),
    ] {
        assert!(message.contains("Checker"), "{message}");
    }
    assert_eq!(adapter.trunk(), "00");
}

#[test]
fn damaged_files_never_panic() {
    let encoder = encoder();
    let (checker, reader) = (File::checker().bytes(), File::reader().bytes());
    proptest!(|(at in 0..checker.len(), header in 0usize..4000, byte: u8, end in 0..checker.len())| {
        prop_assert!(Adapter::read(&checker[..end]).is_err());
        let mut damaged = checker.clone();
        damaged[at] = byte;
        if let Ok(adapter) = Adapter::read(&damaged)
            && let Ok(checker) = ClaimChecker::new(&encoder, &adapter)
        {
            prop_assert_eq!(checker.check("a", &["text"]).unwrap().len(), 1);
        }
        // The header alone, where most damage is found.
        let mut damaged = reader.clone();
        damaged[header] = byte;
        if let Ok(adapter) = Adapter::read(&damaged)
            && let Ok(reader) = Reader::new(&encoder, &adapter)
        {
            prop_assert_eq!(reader.read("a", &["text"], 1).unwrap().len(), 1);
        }
    });
}

#[test]
fn any_texts_are_read() {
    let encoder = encoder();
    let [reader, checker] =
        [File::reader(), File::checker()].map(|file| Adapter::read(&file.bytes()).unwrap());
    let reader = Reader::new(&encoder, &reader).unwrap();
    let checker = ClaimChecker::new(&encoder, &checker).unwrap();
    let config = ProptestConfig::with_cases(64);
    proptest!(config, |(question: String, text: String, more in "[a-z ,.é東]{0,200}")| {
        let passages = [text.as_str(), more.as_str()];
        let readings = reader.read(&question, &passages, 5).unwrap();
        for (reading, passage) in readings.iter().zip(passages) {
            prop_assert!((0.0..=1.0).contains(&reading.no_answer));
            prop_assert!(reading.spans.len() <= 5);
            let sorted = reading.spans.is_sorted_by(|a, b| a.probability >= b.probability);
            prop_assert!(sorted);
            for span in &reading.spans {
                prop_assert!(passage.get(span.bytes.clone()).is_some_and(|text| !text.is_empty()));
                prop_assert!((0.0..=1.0).contains(&span.probability));
            }
        }
        for verdict in checker.check(&question, &passages).unwrap() {
            let sum = verdict.entailed + verdict.contradicted + verdict.neutral;
            prop_assert!((sum - 1.0).abs() < 1e-5, "{}", sum);
        }
    });
}

#[test]
fn a_smaller_adapter_says_nearly_the_same() {
    use campanile_model::quantize::{AdapterBits, smaller_adapter};
    let published = include_bytes!("../../../training/adapters/reader.safetensors");
    let query = include_bytes!("../../../training/adapters/query.safetensors");
    let whole = Adapter::read(published).unwrap();
    for (bits, share, most) in [(AdapterBits::Eight, 0.54, 0.012), (AdapterBits::Four, 0.29, 0.2)] {
        let small = smaller_adapter(published, bits).unwrap();
        assert_eq!(small, smaller_adapter(published, bits).unwrap(), "the same bytes each time");
        assert_eq!(small, smaller_adapter(&small, bits).unwrap(), "and never a second time");
        let length = small.len() as f64 / published.len() as f64;
        assert!(length < share, "{length}");
        let small = Adapter::read(&small).unwrap();
        assert_eq!(small.trunk(), whole.trunk());
        for layer in 0..6 {
            let (Some(whole), Some(small)) = (whole.changes_to(layer), small.changes_to(layer))
            else {
                panic!("layer {layer} is changed by both");
            };
            let (whole, small) = (&whole.widen, &small.widen);
            for (whole, small) in [(&whole.down, &small.down), (&whole.up, &small.up)] {
                let size = whole.iter().map(|value| value * value).sum::<f32>().sqrt();
                let error = whole.iter().zip(small).map(|(a, b)| (a - b) * (a - b)).sum::<f32>();
                assert!(error.sqrt() / size < most, "{bits:?}: {}", error.sqrt() / size);
            }
        }
        // Of rank 16: its rows are no whole blocks everywhere.
        let small = smaller_adapter(query, bits).unwrap();
        assert!(small.len() * 100 < query.len() * 59, "{} bytes", small.len());
        assert_eq!(
            SideAdapter::read(Side::Query, &small).unwrap().trunk(),
            SideAdapter::read(Side::Query, query).unwrap().trunk()
        );
    }
    assert!(smaller_adapter(b"something else", AdapterBits::Eight).is_err());
}
