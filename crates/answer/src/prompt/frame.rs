use campanile_bundle::Manifest;

/// What a prompt is made with beside a reply's evidence: what the site says, and who asks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PromptFrame {
    /// What the site is called.
    pub site: String,
    /// Who asks, in words; empty where nothing is told.
    pub reader: String,
    /// The department's own template.
    pub template: Option<String>,
    /// How many passages the language model is given.
    pub passages: usize,
    /// How many words they may have together.
    pub words: usize,
    /// Whether they stand by rank; else the best comes first and the next best last.
    pub by_rank: bool,
}

impl PromptFrame {
    /// As a site has it, for a reader.
    pub fn new(manifest: &Manifest, reader: String) -> Self {
        Self {
            site: manifest.title.clone(),
            reader,
            template: manifest.prompt.clone(),
            passages: manifest.search.prompt_passages as usize,
            words: manifest.search.prompt_words as usize,
            by_rank: manifest.search.prompt_by_rank,
        }
    }
}
