use campanile_bundle::{EvidenceOrder, Manifest, ProseOffer};

/// The parts of a prompt beside a reply's evidence: what the site says, and who asks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PromptFrame {
    /// The site's title.
    pub site: String,
    /// Who asks, in words; empty where nothing is told.
    pub visitor: String,
    /// The department's own template.
    pub template: Option<String>,
    /// The most passages that the language model is given.
    pub passages: usize,
    /// The most words that they may have together.
    pub words: usize,
    /// `true` if they stand by rank; else the best comes first and the next best last.
    pub by_rank: bool,
    /// `true` if it is offered beside answers that are not sure, too.
    pub always_offered: bool,
}

impl PromptFrame {
    /// As a site has it, for a visitor.
    pub fn new(manifest: &Manifest, visitor: String) -> Self {
        let settings = &manifest.prose_settings;
        Self {
            site: manifest.title.clone(),
            visitor,
            template: manifest.prompt.clone(),
            passages: settings.passages as usize,
            words: settings.words as usize,
            by_rank: settings.order == EvidenceOrder::Rank,
            always_offered: settings.offered == ProseOffer::Always,
        }
    }
}
