use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The language of a corpus: decides stop words and stemming.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema,
)]
pub enum Language {
    /// English.
    #[default]
    #[serde(rename = "en")]
    English,
    /// German.
    #[serde(rename = "de")]
    German,
    /// Any other: no stop words, no stemming.
    #[serde(rename = "none")]
    None,
}

/// A language this crate has no stemmer for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown language `{found}`: use `en`, `de`, or `none` for a corpus in any other")]
pub struct UnknownLanguage {
    /// What was asked for.
    pub found: String,
}

impl Language {
    /// The name used in configuration and manifests: `en`, `de`, `none`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
            Self::None => "none",
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.code())
    }
}

impl FromStr for Language {
    type Err = UnknownLanguage;

    fn from_str(code: &str) -> Result<Self, Self::Err> {
        match code.to_ascii_lowercase().as_str() {
            "en" => Ok(Self::English),
            "de" => Ok(Self::German),
            "none" => Ok(Self::None),
            _ => Err(UnknownLanguage { found: code.to_owned() }),
        }
    }
}
