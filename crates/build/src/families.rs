//! Which documents are of one make.

use campanile_corpus::Document;
use campanile_corpus::families::{PageFamilies, Passage};
use campanile_text::Analyzer;

use crate::chunks::Indexed;
use crate::config::Config;

/// The families among the documents, by their passages and the passages' vectors; none where they are not wanted.
pub fn of(
    documents: &[Document],
    chunks: &[Indexed],
    vectors: &[Vec<f32>],
    config: &Config,
) -> PageFamilies {
    if !config.search.families {
        return PageFamilies::default();
    }
    let passages = chunks.iter().zip(vectors).map(|(indexed, vector)| Passage {
        document: indexed.document,
        section: indexed.chunk.section as usize,
        vector,
    });
    let analyzer = Analyzer::new(config.site.language);
    PageFamilies::of(documents, &passages.collect::<Vec<_>>(), &analyzer)
}
