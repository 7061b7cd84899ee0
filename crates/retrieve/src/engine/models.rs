//! Fetching models, and making them ready; the encoder that a site has learned for itself.

use std::rc::Rc;

use campanile_bundle::{Bundle, Fetch, ModelEntry, ModelFile};
use campanile_index::ReducedTable;
use campanile_model::{
    Adapter, Encoder, EncoderConfig, ModelError, NetworkChanges as _, Shards, Side, SideAdapter,
    Tokenizer, WordPieces,
};
use futures_util::future::join_all;

use super::pair_models::{ADAPTER_FILE, LOW_RANK};
use super::{Clock, Engine, PairTask};
use crate::error::RetrieveError;

/// The file beside an encoder's own by which it embeds questions.
pub const QUERY_ADAPTER_FILE: &str = "query-adapter.safetensors";

/// The file beside an encoder's own with the vectors of the tokens that the site's texts have.
pub const NEAR_WORDS_FILE: &str = "near-words.safetensors";

/// Begins the names of files with parts of an encoder's table of token vectors.
const WORDS: &str = "words-";

/// The file with a part of the encoder's table of token vectors.
pub fn word_part_file(part: usize) -> String {
    format!("{WORDS}{part:05}.safetensors")
}

/// Returns `true` for the name of such a file.
pub fn is_word_part(file: &str) -> bool {
    file.starts_with(WORDS)
}

/// The architecture of encoders this version runs.
const BERT: &str = "bert";

/// A model's files, as they were fetched.
pub(super) struct ModelFiles<'a> {
    name: &'a str,
    files: Vec<(&'a str, Vec<u8>)>,
}

impl ModelFiles<'_> {
    /// A file that the model cannot do without.
    pub(super) fn required(&self, file: &'static str) -> Result<&[u8], RetrieveError> {
        let found = self.files.iter().find(|(name, _)| *name == file);
        found.map(|(_, bytes)| bytes.as_slice()).ok_or_else(|| RetrieveError::ModelFile {
            name: self.name.to_owned(),
            file: file.to_owned(),
        })
    }

    /// Returns `true` if the model has a file of this name.
    pub(super) fn has(&self, file: &str) -> bool {
        self.files.iter().any(|(name, _)| *name == file)
    }

    /// The configuration of an encoder that belongs to an adapter, and the adapter.
    pub(super) fn own_encoder(&self) -> Result<(EncoderConfig, Adapter), RetrieveError> {
        let config = EncoderConfig::from_json(self.required("config.json")?)?;
        let adapter = Adapter::read(self.required(ADAPTER_FILE)?)?;
        // Against the encoder that it comes with, which need not be the site's.
        adapter.check(&config.network)?;
        Ok((config, adapter))
    }

    pub(super) fn tokenizer(&self) -> Result<Tokenizer, RetrieveError> {
        Ok(Tokenizer::from_json(self.required("tokenizer.json")?)?)
    }

    /// All files with weights.
    pub(super) fn weights(self) -> Result<Shards, RetrieveError> {
        // All that is nothing else: a model's weights come in one file or in several, by whatever names.
        let mut weights = Shards::default();
        for (name, bytes) in self.files {
            if !["config.json", "tokenizer.json", ADAPTER_FILE, QUERY_ADAPTER_FILE].contains(&name)
            {
                weights.add(name, bytes)?;
            }
        }
        Ok(weights)
    }
}

impl<F: Fetch, C: Clock> Engine<F, C> {
    /// Returns `true` if the encoder is loaded, so that questions can be embedded.
    pub fn encoder_ready(&self) -> bool {
        self.models.encoder.borrow().is_some()
    }

    /// The site's encoder, where it is loaded.
    pub fn encoder(&self) -> Option<Rc<Encoder>> {
        self.models.encoder.borrow().clone()
    }

    /// Fetches the site's encoder and makes it ready; `progress` is told loaded and total bytes.
    ///
    /// # Errors
    /// Where the site has none, a file of it is damaged twice over, or it cannot be run.
    pub async fn load_encoder(
        &self,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<(), RetrieveError> {
        if self.encoder_ready() {
            return Ok(());
        }
        let (config, files) = encoder_files(&self.bundle, Words::Near, progress).await?;
        let query_adapter = self.query_adapter(&files)?;
        let mut encoder = Encoder::load(&config, files.tokenizer()?, &files.weights()?)?;
        if let Some(adapter) = query_adapter {
            encoder = encoder.with_adapter(adapter)?;
        }
        self.models.encoder.replace(Some(Rc::new(encoder)));
        Ok(())
    }

    /// Runs what the encoder does with a text, again where the vectors of some of its tokens had to be fetched first.
    ///
    /// # Errors
    /// Those of `run`, and where a file of these vectors cannot be had.
    pub(crate) async fn with_words<R>(
        &self,
        run: impl Fn() -> Result<R, RetrieveError>,
    ) -> Result<R, RetrieveError> {
        loop {
            match run() {
                // Each time round there are fewer: what was named has come then.
                Err(RetrieveError::Model(ModelError::WordsMissing { parts })) => {
                    self.fetch_words(&parts).await?;
                }
                other => return other,
            }
        }
    }

    /// Fetches parts of the encoder's table of token vectors.
    async fn fetch_words(&self, parts: &[usize]) -> Result<(), RetrieveError> {
        let (Some(entry), Some(encoder)) = (&self.manifest().encoder, self.encoder()) else {
            return Err(RetrieveError::EncoderNotLoaded);
        };
        let fetches = parts.iter().map(|part| async {
            let file = word_part_file(*part);
            let Some(file) = entry.file(&file) else {
                return Err(RetrieveError::ModelFile { name: entry.name.clone(), file });
            };
            encoder.add_words(*part, self.bundle.model_file(file).await?)?;
            Ok::<_, RetrieveError>(())
        });
        join_all(fetches).await.into_iter().collect()
    }

    /// Fetches all of that table, for who calls the encoder by himself.
    ///
    /// # Errors
    /// Where the encoder is not loaded, or a file cannot be had.
    pub async fn load_words(&self) -> Result<(), RetrieveError> {
        let entry = self.manifest().encoder.as_ref().ok_or(RetrieveError::NoEncoder)?;
        let on_demand = entry.files.iter().filter(|file| file.on_demand).count();
        self.fetch_words(&(0..on_demand).collect::<Vec<_>>()).await
    }

    /// The adapter by which the site's encoder embeds questions, where it has one.
    fn query_adapter(&self, files: &ModelFiles<'_>) -> Result<Option<SideAdapter>, RetrieveError> {
        if !files.has(QUERY_ADAPTER_FILE) {
            return Ok(None);
        }
        let adapter = SideAdapter::read(Side::Query, files.required(QUERY_ADAPTER_FILE)?)?;
        if !changes_encoder_of(&self.bundle, adapter.trunk()) {
            return Err(RetrieveError::OtherEncoder { name: QUERY_ADAPTER_FILE.to_owned() });
        }
        Ok(Some(adapter))
    }
}

/// An encoder, the site's or the reader's own, and the change by which it reads, for a device other than the processor.
pub struct ReaderParts {
    /// The encoder's configuration.
    pub config: EncoderConfig,
    /// Cuts texts into tokens.
    pub tokenizer: Tokenizer,
    /// The encoder's weights.
    pub weights: Shards,
    /// The change and its head.
    pub adapter: Adapter,
}

impl ReaderParts {
    /// Fetches them; `progress` is told loaded and total bytes.
    ///
    /// # Errors
    /// Where the site has no reader, or one that is no change to an encoder; where a file is damaged twice over, or the
    /// change belongs to another encoder.
    pub async fn fetch<F: Fetch>(
        bundle: &Bundle<F>,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Self, RetrieveError> {
        let manifest = bundle.manifest();
        let entry = manifest.reader.as_ref().ok_or(RetrieveError::NoPairModel(PairTask::Reader))?;
        if entry.architecture != LOW_RANK {
            let files = model_files(bundle, entry, progress).await?;
            if !files.has(ADAPTER_FILE) {
                return Err(unknown_architecture(entry));
            }
            let (config, adapter) = files.own_encoder()?;
            let tokenizer = files.tokenizer()?;
            return Ok(Self { config, tokenizer, weights: files.weights()?, adapter });
        }
        let (config, files) = encoder_files(bundle, Words::All, progress).await?;
        // 1.4 MB beside the encoder's 14: what is told of the progress is the encoder's.
        let change = model_files(bundle, entry, &mut |_, _| {}).await?;
        Ok(Self {
            config,
            tokenizer: files.tokenizer()?,
            weights: files.weights()?,
            adapter: adapter_of(bundle, entry, &change)?,
        })
    }
}

/// The change to the site's encoder that a model's files hold.
pub(super) fn adapter_of<F: Fetch>(
    bundle: &Bundle<F>,
    entry: &ModelEntry,
    files: &ModelFiles<'_>,
) -> Result<Adapter, RetrieveError> {
    let adapter = Adapter::read(files.required(ADAPTER_FILE)?)?;
    if !changes_encoder_of(bundle, adapter.trunk()) {
        return Err(RetrieveError::OtherEncoder { name: entry.name.clone() });
    }
    Ok(adapter)
}

/// Returns `true` if a site's encoder has the published weights of this hash.
fn changes_encoder_of<F: Fetch>(bundle: &Bundle<F>, trunk: &str) -> bool {
    let encoder = bundle.manifest().encoder.as_ref();
    encoder.and_then(|encoder| encoder.weights_sha256.as_deref()) == Some(trunk)
}

/// Which token vectors of an encoder are fetched with it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Words {
    /// Those of the site's texts, where the site has them by themselves.
    Near,
    /// The whole table.
    All,
}

/// The encoder's files, with its configuration read.
async fn encoder_files<'a, F: Fetch>(
    bundle: &'a Bundle<F>,
    words: Words,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<(EncoderConfig, ModelFiles<'a>), RetrieveError> {
    let entry = bundle.manifest().encoder.as_ref().ok_or(RetrieveError::NoEncoder)?;
    if entry.architecture != BERT {
        return Err(unknown_architecture(entry));
    }
    let wanted = |file: &&ModelFile| match words {
        Words::Near => !file.on_demand,
        Words::All => file.name != NEAR_WORDS_FILE,
    };
    let files = some_files(bundle, entry, wanted, progress).await?;
    let config = EncoderConfig::from_json(files.required("config.json")?)?;
    Ok((config, files))
}

fn unknown_architecture(entry: &ModelEntry) -> RetrieveError {
    let ModelEntry { name, architecture, .. } = entry.clone();
    RetrieveError::Architecture { name, architecture }
}

/// Fetches a model's files; `progress` is told loaded and total bytes.
pub(super) async fn model_files<'a, F: Fetch>(
    bundle: &Bundle<F>,
    entry: &'a ModelEntry,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<ModelFiles<'a>, RetrieveError> {
    some_files(bundle, entry, |_| true, progress).await
}

async fn some_files<'a, F: Fetch>(
    bundle: &Bundle<F>,
    entry: &'a ModelEntry,
    wanted: impl Fn(&&ModelFile) -> bool,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<ModelFiles<'a>, RetrieveError> {
    let wanted: Vec<&ModelFile> = entry.files.iter().filter(wanted).collect();
    let total = wanted.iter().map(|file| file.shard.bytes).sum();
    let mut loaded = 0;
    let mut files = Vec::with_capacity(wanted.len());
    for file in wanted {
        files.push((file.name.as_str(), bundle.model_file(file).await?));
        loaded += file.shard.bytes;
        progress(loaded, total);
    }
    Ok(ModelFiles { name: &entry.name, files })
}

/// The static encoder and the passages' vectors, which search by meaning before the encoder is there.
///
/// It has no network: a text's vector is the mean of its word pieces' vectors, which were learned for this corpus when
/// the site was built (`campanile-distil`).
#[derive(Debug, Clone)]
pub(crate) struct Instant {
    pieces: WordPieces,
    /// One vector a piece.
    table: ReducedTable,
    /// One vector a chunk, for a question's to be compared with.
    pub(crate) passages: ReducedTable,
}

impl Instant {
    /// Puts pieces and their vectors together.
    ///
    /// # Errors
    /// [`RetrieveError::StaticEncoder`] where there are not as many of the one as of the other.
    pub(super) fn new(
        pieces: WordPieces,
        table: ReducedTable,
        passages: ReducedTable,
    ) -> Result<Self, RetrieveError> {
        if pieces.len() != table.len() {
            return Err(RetrieveError::StaticEncoder { pieces: pieces.len(), rows: table.len() });
        }
        Ok(Self { pieces, table, passages })
    }

    /// The vector of a text: `[dimension]` numbers of length 1, the same bits on every machine.
    /// `None` where the corpus has none of its words.
    pub(crate) fn embed(&self, text: &str) -> Option<Vec<f32>> {
        let mean = self.table.mean(&self.pieces.encode(text))?;
        let length = mean.iter().map(|value| value * value).sum::<f32>().sqrt();
        (length > 0.0).then(|| mean.into_iter().map(|value| value / length).collect())
    }
}
