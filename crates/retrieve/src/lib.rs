//! From a question to ranked passages, with a trace of how they came to be ranked.
//!
//! Retrieval runs in small steps over plain values. The question becomes a [`Query`]: terms, and a
//! vector once the encoder is there. Each search gives a list of hits. The lists are fused, by
//! [standard scores](standard_scores) or by reciprocal rank fusion, and the best chunks become
//! [`Passage`]s with their text. An [`Engine`] opens a site and runs these
//! steps. Nothing here knows whether it runs natively or in a page: the bundle comes through
//! [`Fetch`](campanile_bundle::Fetch), time through [`Clock`].
//!
//! Two properties shape the code:
//!
//! - **It answers with what it has.** Without an encoder the ranking is lexical. With a damaged
//!   shard the rest is searched, and the shard is named in [`Retrieval::problems`].
//! - **It shows its work.** Every passage carries its rank and score from each search, and
//!   [`Trace`] tells how many candidates each stage saw and how long it took.

mod conflict;
mod depth;
mod engine;
mod error;
mod expansion;
mod families;
mod fuse;
mod keywords;
mod levels;
mod neighbours;
mod options;
mod passage;
mod query;
mod rerank;
mod retrieval;
mod search;
mod settings;
mod spelling;
mod visitor;

pub use conflict::{Conflict, Kind as ValueKind, Stated, Value, values};
pub use depth::{Depth, maximal_marginal_relevance};
#[cfg(not(target_arch = "wasm32"))]
pub use engine::SystemClock;
pub use engine::{
    ADAPTER_FILE, Clock, Contents, Engine, LOW_RANK, NEAR_WORDS_FILE, PairTask, QUERY_ADAPTER_FILE,
    ReaderParts, SPANS, is_word_part, word_part_file,
};
pub use error::RetrieveError;
pub use expansion::{Expansion, Feedback, Phrasing, Rewording, RewordingPrompt, RewordingTask};
pub use fuse::standard_scores;
pub use keywords::{Heads, Keywords, Step};
pub use neighbours::{Around, Excerpt, ExcerptPart};
pub use options::{Retriever, SearchOptions, Semantics};
pub use passage::{MatchedQuestion, Passage, Scores, StageScore, context};
pub use query::{Query, compares};
pub use rerank::{ContentPieces, vocabulary_lines};
pub use retrieval::{LeftOut, Ranking, Rankings, Retrieval, Stage, Trace};
pub use spelling::Correction;
