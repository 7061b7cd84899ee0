//! From a question to ranked passages, with a trace of how they came to be ranked.
//!
//! Retrieval runs in small steps over plain values. The question becomes a [`Query`]: terms, and a
//! vector once the encoder is there. Each search gives a list of hits. The lists are fused, by
//! [standard scores](standard_scores) or by [reciprocal rank fusion](reciprocal_rank_fusion), and
//! the best chunks become [`Passage`]s with their text. An [`Engine`] opens a site and runs these
//! steps. Nothing here knows whether it runs natively or in a page: the bundle comes through
//! [`Fetch`](campanile_bundle::Fetch), time through [`Clock`].
//!
//! Two properties shape the code:
//!
//! - **It answers with what it has.** Without an encoder the ranking is lexical. With a damaged
//!   shard the rest is searched, and the shard is named in [`Retrieval::problems`].
//! - **It shows its work.** Every passage carries its rank and score from each search, and
//!   [`Trace`] tells how many candidates each stage saw and how long it took.

mod children;
mod clock;
mod comparison;
mod conflict;
mod depth;
mod diversity;
mod editions;
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
mod reader;
mod rerank;
mod retrieval;
mod search;
mod settings;
mod spelling;
mod static_encoder;
mod streams;
mod trace;

pub use clock::Clock;
#[cfg(not(target_arch = "wasm32"))]
pub use clock::SystemClock;
pub use comparison::compares;
pub use conflict::{Conflict, Kind as ValueKind, Stated, Value, values};
pub use depth::{Depth, Floor};
pub use diversity::{maximal_marginal_relevance, spread};
pub use engine::{
    ADAPTER_FILE, Engine, LOW_RANK, PairTask, QUERY_ADAPTER_FILE, ReaderParts, SPANS,
};
pub use error::RetrieveError;
pub use expansion::{
    Expansion, Feedback, OtherForms, Phrasing, Rewording, RewordingPrompt, RewordingTask,
    feedback_terms, keeps_names, read_phrasings,
};
pub use fuse::{Fused, Pool, Signal, Weights, adapted, reciprocal_rank_fusion, standard_scores};
pub use keywords::{Heads, Keywords, Step};
pub use neighbours::{Around, Excerpt, ExcerptPart, with_neighbours};
pub use options::{Retriever, SearchOptions, Semantics};
pub use passage::{MatchedQuestion, Passage, Scores, StageScore, context};
pub use query::Query;
pub use rerank::{ContentPieces, vocabulary_lines};
pub use retrieval::{LeftOut, Ranking, Rankings, Retrieval};
pub use spelling::Correction;
pub use static_encoder::StaticEncoder;
pub use trace::{Stage, Trace};
