//! Where the passages shown contradict each other because different levels speak.

use campanile_bundle::Fetch;

use super::Search;
use crate::clock::Clock;
use crate::conflict::{Conflict, Voice, conflicts};
use crate::passage::Passage;

impl<F: Fetch, C: Clock> Search<'_, F, C> {
    /// Compares what passages of different levels state; course material and what is for others
    /// takes no part.
    pub(super) fn conflicts(&mut self, passages: &[Passage]) -> Vec<Conflict> {
        let started = self.now();
        let mut voices = Vec::new();
        for (place, passage) in passages.iter().enumerate() {
            let Some(verdict) = self.verdict(passage.chunk) else { continue };
            if verdict.applies && !verdict.is_academic {
                let document = passage.document.path.as_str();
                let level = verdict.level;
                let is_readers = self.reader.as_ref().is_some_and(|it| it.belongs_to(level));
                voices.push(Voice { place, level, is_readers, document, text: passage.text() });
            }
        }
        let found = conflicts(&voices, self.engine.analyzer());
        if voices.iter().any(|voice| voices.first().is_some_and(|it| it.level != voice.level)) {
            self.trace.record("conflicts", found.len(), self.now() - started);
        }
        found
    }
}
