use campanile_bundle::{RankingConfig, SearchOverrides};
use campanile_corpus::metadata::Profile;
use serde::{Deserialize, Serialize};

use crate::expansion::{Feedback, Phrasing};

/// The options for searching one question.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SearchOptions {
    /// The settings that differ from the site's.
    pub overrides: SearchOverrides,
    /// The searches that take part.
    pub retriever: Retriever,
    /// Which encoder searches by meaning.
    pub semantics: Semantics,
    /// The settings by which words of the best passages are added to the question; none are added when
    /// `None`.
    pub feedback: Option<Feedback>,
    /// The question in other words, searched beside it; a language model on the device may have written them
    /// ([`Rewording`](crate::Rewording)).
    pub phrasings: Vec<Phrasing>,
    /// Who asks, and for which day: documents that are for others are not searched.
    pub profile: Profile,
    /// `true` if all documents are searched, whomever they are for and whenever they hold.
    pub everyone: bool,
    /// `true` if [`Rankings::left_out`](crate::Rankings::left_out) also has what newer editions have taken
    /// the place of, which costs a search of it.
    pub behind_filter: bool,
    /// The bearing of levels and kinds of documents on the order; the manifest's when `None`.
    pub ranking: Option<RankingConfig>,
}

impl From<SearchOverrides> for SearchOptions {
    fn from(overrides: SearchOverrides) -> Self {
        Self { overrides, ..Self::default() }
    }
}

/// Which searches take part.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Retriever {
    /// Keywords alone, even when the encoder is loaded.
    Lexical,
    /// Meaning alone, which needs the encoder.
    Dense,
    /// Both, fused; keywords alone until the encoder is there.
    #[default]
    Hybrid,
}

/// Which encoder searches by meaning.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Semantics {
    /// The site's encoder where it is loaded; until then, beside keywords, the static encoder.
    #[default]
    Best,
    /// The static encoder, even when the other is loaded: what a page says in its first moments.
    Static,
    /// The site's encoder and no other.
    Encoder,
}
