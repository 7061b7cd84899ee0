use campanile_corpus::Granularity;

/// How one question is searched; the defaults come from the bundle's manifest.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SearchOptions {
    /// How many passages to return; the manifest's number when `None`.
    pub limit: Option<usize>,
    /// Search by keywords alone, even when the encoder is loaded.
    pub lexical_only: bool,
    /// The size of the units to search; the manifest's when `None`.
    pub granularity: Option<Granularity>,
}
