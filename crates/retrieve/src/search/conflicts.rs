//! Finds where the passages shown contradict each other because different levels speak.

use campanile_bundle::Fetch;

use super::Search;
use crate::clock::Clock;
use crate::conflict::{Conflict, Voice, conflicts};
use crate::passage::{Passage, context};

impl<F: Fetch, C: Clock> Search<'_, F, C> {
    /// Compares what passages of different levels state; course material, what is for others and what speaks for a
    /// department or a faculty that is not known to be the reader's take no part.
    pub(super) fn conflicts(&mut self, passages: &[Passage]) -> Vec<Conflict> {
        let started = self.now();
        let mut voices = Vec::new();
        for (place, passage) in passages.iter().enumerate() {
            let Some(verdict) = self.verdict(passage.chunk) else { continue };
            let Some(level) = verdict.voice else { continue };
            if verdict.applies && !verdict.is_academic {
                voices.push(Voice {
                    place,
                    level,
                    is_readers: self.reader.as_ref().is_some_and(|it| it.belongs_to(level)),
                    document: &passage.document.path,
                    faculties: passage.document.metadata.faculties.listed(),
                    context: context(&passage.document.title, &passage.section_path()),
                    text: passage.text(),
                });
            }
        }
        let found = conflicts(&voices, &self.query, self.engine.analyzer());
        if voices.iter().any(|voice| voices.first().is_some_and(|it| it.level != voice.level)) {
            self.trace.record("conflicts", found.len(), self.now() - started);
        }
        found
    }
}
