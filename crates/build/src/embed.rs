//! Embeds chunks with the encoder, reusing what earlier builds computed.

use std::collections::BTreeSet;
use std::error::Error;
use std::time::{Duration, Instant};

use campanile_bundle::Digest;
use campanile_corpus::{SentenceSimilarity, TokenCounter};
use campanile_index::late::Record;
use campanile_model::{
    Encoder, EncoderConfig, ModelError, Shards, Side, SideAdapter, TokenRows, TokenSequence,
    TokenVectors, Tokenizer,
};
use rayon::prelude::*;

use crate::device::{Device, DeviceError};
use crate::kept::{Cache, Kept, Key, key, place};
use crate::late::{RecordCache, TokenCoder};
use crate::observer::{Observer, Stage};
use crate::pair_models::passage_adapter;
use crate::{BuildError, LoadError, Plan, page_encoder};

/// Texts that are embedded between two steps of the progress bar.
const STEP: usize = 128;
/// Vectors are saved this often, so that an interrupted build goes on from there. A small department's whole build takes
/// less than a minute, so that a number of texts would be reached too late there.
const BETWEEN_SAVES: Duration = Duration::from_secs(10);
/// All that is known is written each time, which takes a large site seconds: saving takes at most one part in so many of
/// the time.
const SAVES_TAKE_ONE_IN: u32 = 20;

/// The encoder, with the files it was loaded from.
pub struct Embedder {
    /// The encoder as the page has it: the same weights give the same vectors there.
    pub encoder: Encoder,
    /// Its files for the page, by name.
    pub files: Vec<(String, Vec<u8>)>,
    /// The same encoder as it embeds passages.
    pub of_passages: PassageEncoder,
}

/// The encoder of passages: with more of the published weights' precision than the page's, and with an adapter of its own, where
/// there is one for the network.
pub struct PassageEncoder {
    /// The encoder.
    pub encoder: Encoder,
    /// Its weights.
    pub weights: Shards,
    /// The file of its adapter.
    pub adapter: Option<&'static [u8]>,
}

/// The vectors of all texts.
pub struct Vectors {
    /// One unit vector for each text.
    pub rows: Vec<Vec<f32>>,
    /// The coded token vectors of the passages, where there is a coder.
    pub records: Vec<Record>,
    /// The number of them that this build computed.
    pub embedded: usize,
}

impl Embedder {
    /// Loads a plan's encoder from its folder.
    pub fn load(plan: &Plan) -> Result<Self, LoadError> {
        let model = plan.encoder;
        let load = || -> Result<Self, LoadError> {
            let files = page_encoder::files(model, plan.observer)?;
            let (config, weights) = network(&files)?;
            let tokenizer = Tokenizer::from_json(file(&files, page_encoder::TOKENIZER))?;
            let encoder = Encoder::load(&config, tokenizer, &weights)?;
            let of_passages = PassageEncoder::load(plan, &files)?;
            Ok(Self { encoder, files, of_passages })
        };
        load().map_err(|error| error.of(format!("cannot load the encoder `{}`", model.name)))
    }

    /// The network's configuration.
    ///
    /// # Errors
    /// Where the file is damaged.
    pub fn config(&self) -> Result<EncoderConfig, ModelError> {
        config(&self.files)
    }

    /// The network with its weights, to be run elsewhere.
    ///
    /// # Errors
    /// Where the files are damaged.
    pub fn network(&self) -> Result<(EncoderConfig, Shards), ModelError> {
        network(&self.files)
    }

    /// Embeds texts and codes their tokens, on all cores of the processor.
    fn on_processor(&self, texts: &[&str], role: Role<'_>) -> Result<Vec<Row>, BuildError> {
        let rows = match role {
            Role::Passages { coder } => {
                let record = |tokens: TokenRows<'_>| coder.map(|coder| coder.record(tokens));
                let encoder = &self.of_passages.encoder;
                return encoder.encode_passages_and(texts, record).map_err(refused);
            }
            Role::Units => self.encoder.encode_passages(texts),
            Role::Questions => self.encoder.encode_queries(texts),
        };
        Ok(rows.map_err(refused)?.into_iter().map(|row| (row, None)).collect())
    }

    /// The tokens that a card is given.
    fn tokens(&self, texts: &[&str], role: Role<'_>) -> Result<Vec<TokenSequence>, BuildError> {
        let tokens = match role {
            Role::Passages { .. } | Role::Units => self.encoder.passage_tokens(texts),
            Role::Questions => self.encoder.query_tokens(texts),
        };
        tokens.map_err(refused)
    }

    /// One row for each text from the token vectors that a card gave, on all cores.
    fn reduced(&self, texts: &[TokenVectors], coder: Option<&TokenCoder>) -> Vec<Row> {
        let reduced = |tokens: &TokenVectors| {
            (self.encoder.pool(tokens), coder.map(|coder| coder.record(tokens.rows())))
        };
        texts.par_iter().map(reduced).collect()
    }
}

impl PassageEncoder {
    fn load(plan: &Plan, files: &[(String, Vec<u8>)]) -> Result<Self, LoadError> {
        let config = config(files)?;
        let weights = page_encoder::weights_for_passages(plan.encoder, &config, plan.observer)?;
        let tokenizer = Tokenizer::from_json(file(files, page_encoder::TOKENIZER))?;
        let mut encoder = Encoder::load(&config, tokenizer, &weights)?;
        let adapter = passage_adapter(plan)?;
        if let Some(bytes) = adapter {
            encoder = encoder.with_adapter(SideAdapter::read(Side::Passage, bytes)?)?;
        }
        Ok(Self { encoder, weights, adapter })
    }
}

fn refused(error: ModelError) -> BuildError {
    BuildError::Encoder("embed the texts", error)
}

/// A text's vector, and the coded vectors of its tokens.
pub type Row = (Vec<f32>, Option<Record>);

fn config(files: &[(String, Vec<u8>)]) -> Result<EncoderConfig, ModelError> {
    EncoderConfig::from_json(file(files, page_encoder::CONFIG))
}

/// The network in a page's files, with its weights.
fn network(files: &[(String, Vec<u8>)]) -> Result<(EncoderConfig, Shards), ModelError> {
    let mut weights = Shards::default();
    for (name, bytes) in files {
        if name.ends_with(page_encoder::WEIGHTS_ENDING) {
            weights.add(name, bytes.clone())?;
        }
    }
    Ok((config(files)?, weights))
}

fn file<'a>(files: &'a [(String, Vec<u8>)], name: &str) -> &'a [u8] {
    let found = files.iter().find(|(known, _)| known == name);
    found.map_or(&[][..], |(_, bytes)| bytes)
}

impl TokenCounter for Embedder {
    fn count(&self, text: &str) -> usize {
        let special = self.encoder.max_tokens() - self.encoder.max_text_tokens();
        // A text that the tokenizer refuses is counted by its bytes: never fewer than its tokens.
        self.encoder.count_tokens(text).unwrap_or(text.len()) + special
    }
}

impl SentenceSimilarity for Embedder {
    fn similarities(
        &self,
        texts: &[&str],
        pairs: &[(usize, usize)],
    ) -> Result<Vec<f32>, Box<dyn Error + Send + Sync>> {
        let vectors = self.encoder.encode_passages(texts)?;
        let vector = |place: usize| vectors.get(place).ok_or("a text has no vector");
        let cosine = |&(left, right): &(usize, usize)| {
            let products = vector(left)?.iter().zip(vector(right)?).map(|(a, b)| a * b);
            Ok(products.sum())
        };
        pairs.iter().map(cosine).collect()
    }
}

/// The role that texts are embedded in.
#[derive(Clone, Copy)]
pub enum Role<'a> {
    /// Passages, whose tokens are coded in the same pass.
    Passages {
        /// Makes the records of late interaction from their token vectors, where a site has them.
        coder: Option<&'a TokenCoder>,
    },
    /// Other texts that are searched: sentences, propositions, the questions that documents answer.
    Units,
    /// Texts like questions, which a static encoder is learned from.
    Questions,
}

impl<'a> Role<'a> {
    /// Makes the records of these texts, where they have any.
    pub fn coder(self) -> Option<&'a TokenCoder> {
        match self {
            Self::Passages { coder } => coder,
            Self::Units | Self::Questions => None,
        }
    }

    /// The kind of these texts.
    pub fn kind(self) -> Kind {
        match self {
            Self::Passages { .. } => Kind::Passage,
            Self::Units => Kind::Unit,
            Self::Questions => Kind::Question,
        }
    }
}

/// The kind of a text, as the encoder takes it: the same text has another vector as each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A passage.
    Passage,
    /// Something else that is searched.
    Unit,
    /// A text like a question.
    Question,
}

impl Kind {
    /// The file of earlier builds that vectors of this kind are in.
    fn kept_as(self) -> &'static str {
        match self {
            Self::Passage => "passages",
            Self::Unit => "",
            Self::Question => "questions",
        }
    }
}

/// A build with the encoder and the device that embed its texts.
pub struct Job<'a> {
    /// The build.
    pub plan: &'a Plan<'a>,
    /// The encoder.
    pub embedder: &'a Embedder,
    /// The device that runs its layers.
    pub device: &'a Device,
}

/// One vector for each text, and what becomes of the passages' tokens: those that the plan brings, else those that earlier
/// builds kept, and the rest computed now, with a progress bar.
pub fn vectors(job: &Job<'_>, all: &[&str], role: Role<'_>) -> Result<Vectors, BuildError> {
    let Job { plan, embedder, device } = *job;
    let dimension = embedder.encoder.dimension();
    if let Some(brought) = plan.vectors {
        return brought.of(all, role, dimension);
    }
    let identity = identity(plan)? + role.kind().kept_as() + &device.identity();
    let path = place("vectors", plan.docs, &identity, "vectors");
    let mut cache = Cache::open(Kept { path, what: "the vectors" }, plan.fresh);
    let known =
        |cache: &Cache, key: &Key| cache.get(key).and_then(|bytes| vector(bytes, dimension));
    let keys: Vec<Key> = all.iter().map(|text| key(text)).collect();
    let mut records = role.coder().map(|coder| coder.cache(plan, device));
    let is_known = |key| {
        let has_record = |records: &RecordCache| records.get(key).is_some();
        known(&cache, key).is_some() && records.as_ref().is_none_or(has_record)
    };
    let mut missing: Vec<usize> = Vec::new();
    let mut asked = BTreeSet::new();
    for (index, key) in keys.iter().enumerate() {
        if !is_known(key) && asked.insert(key) {
            missing.push(index);
        }
    }
    let embedded = missing.len();
    let (mut saved, mut between_saves) = (Instant::now(), BETWEEN_SAVES);
    let done = embed(job, all, role, missing, &mut |group, rows| {
        for (index, (row, record)) in group.iter().zip(rows) {
            cache.insert(keys[*index], row.iter().flat_map(|value| value.to_le_bytes()).collect());
            if let (Some(records), Some(record)) = (&mut records, &record) {
                records.insert(keys[*index], record);
            }
        }
        if saved.elapsed() >= between_saves {
            let began = Instant::now();
            save(&mut cache, &mut records, plan.observer);
            saved = Instant::now();
            between_saves = BETWEEN_SAVES.max((saved - began) * SAVES_TAKE_ONE_IN);
        }
    });
    if let Err(error) = done {
        save(&mut cache, &mut records, plan.observer);
        return Err(error);
    }
    let rows = keys
        .iter()
        .map(|key| known(&cache, key).ok_or(BuildError::Lost("embedded")))
        .collect::<Result<Vec<_>, _>>()?;
    let made = records.iter().flat_map(|records| {
        keys.iter().map(|key| records.get(key).ok_or(BuildError::Lost("coded")))
    });
    let made = made.collect::<Result<Vec<_>, _>>()?;
    if embedded > 0 {
        cache.save(Some(&keys), plan.observer);
        if let Some(records) = &mut records {
            records.save(Some(&keys), plan.observer);
        }
    }
    Ok(Vectors { rows, records: made, embedded })
}

/// Embeds the texts at `places`, some at a time, and hands over each such group with what became of it. A text's vector
/// does not depend on those beside it.
pub fn embed(
    job: &Job<'_>,
    all: &[&str],
    role: Role<'_>,
    mut places: Vec<usize>,
    done: &mut dyn FnMut(&[usize], Vec<Row>),
) -> Result<(), BuildError> {
    let Job { plan, embedder, device } = *job;
    let (label, what) = match role {
        Role::Passages { .. } => ("Embedding", "passages"),
        Role::Units => ("Embedding", "other texts"),
        Role::Questions => ("Learning", "texts"),
    };
    // Texts of like length share a batch without padding.
    places.sort_by_key(|index| all[*index].len());
    let pieces = format!("{what} on {device}");
    let embedding = plan.observer.begin(&Stage::counted(label, places.len(), &pieces));
    let mut count = 0;
    for group in places.chunks(STEP) {
        let texts: Vec<&str> = group.iter().map(|index| all[*index]).collect();
        let rows = match device {
            Device::Processor => embedder.on_processor(&texts, role)?,
            Device::Card(card) => {
                let tokens = card.token_vectors(embedder.tokens(&texts, role)?, role.kind());
                let failed = |source| {
                    let (about, total) = (card.about().clone(), places.len());
                    DeviceError::Failed { about, done: count, total, source }
                };
                embedder.reduced(&tokens.map_err(failed)?, role.coder())
            }
        };
        done(group, rows);
        embedding.advance(group.len());
        count += group.len();
    }
    Ok(())
}

/// The hashes of the encoder's files and of the adapter by which it embeds passages, and what became of its weights: vectors of
/// another encoder are of no use.
///
/// # Errors
/// Where the adapter that comes with the command is damaged.
pub fn identity(plan: &Plan) -> Result<String, LoadError> {
    let hashes = plan.encoder.files.iter().map(|file| file.sha256.as_str());
    let forms = [page_encoder::FORM, page_encoder::FORM_FOR_PASSAGES];
    let identity: String = hashes.chain(forms).collect();
    let of_passages = passage_adapter(plan)?.map(|bytes| Digest::of(bytes).to_string());
    Ok(identity + &of_passages.unwrap_or_default())
}

/// A vector as the cache has it; one of another dimension is none.
fn vector(bytes: &[u8], dimension: usize) -> Option<Vec<f32>> {
    let (values, rest) = bytes.as_chunks::<4>();
    let fits = values.len() == dimension && rest.is_empty();
    fits.then(|| values.iter().copied().map(f32::from_le_bytes).collect())
}

/// Saves all that is known, so that an interrupted build goes on from there.
fn save(cache: &mut Cache, records: &mut Option<RecordCache>, observer: &dyn Observer) {
    cache.save(None, observer);
    if let Some(records) = records {
        records.save(None, observer);
    }
}
