//! The person who asks, and the passages that they may find.
//!
//! A site has tens of audiences and thousands of passages, so each audience is judged once for a
//! question, and every passage by its audience's number. Where a newer edition has taken a document's place, visitors
//! want the newer one, unless they name a year that the older one holds for.

use std::collections::BTreeSet;

use campanile_bundle::{AudienceTable, ChunkId, DocumentId, DocumentsHead};
use campanile_corpus::metadata::{
    Applicability, Aspect, Audience, Date, HierarchyLevel, Outcome, Profile, Reason, Validity,
};

/// The person who asks, as a site's documents see them.
#[derive(Debug, Clone)]
pub(crate) struct Visitor {
    /// The profile with the proper names of what was told, and what follows from it.
    profile: Profile,
    /// The years that the question names.
    years: BTreeSet<u16>,
    /// A verdict for each audience of the site.
    verdicts: Vec<Verdict>,
}

/// The meaning of one audience for the visitor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Verdict {
    /// `true` if its documents are for the visitor.
    pub(crate) applies: bool,
    /// `true` if they are course material.
    pub(crate) is_academic: bool,
    /// The level that speaks to the visitor.
    pub(crate) level: HierarchyLevel,
    /// The level that its documents speak for; none where that is a department or a faculty among several and
    /// nobody knows that it is the visitor's.
    pub(crate) voice: Option<HierarchyLevel>,
}

impl Visitor {
    pub(crate) fn new(profile: &Profile, years: BTreeSet<u16>, table: &AudienceTable) -> Self {
        let mut visitor =
            Self { profile: table.organisation().complete(profile), years, verdicts: Vec::new() };
        let audiences = table.audiences();
        // Counted over the site: where there is one department, it is everybody's, told or not.
        let departments = distinct(audiences, |it| it.metadata().departments.listed());
        let faculties = distinct(audiences, |it| it.metadata().faculties.listed());
        let verdict = |audience: &Audience| Verdict {
            applies: visitor.against(audience).is_empty(),
            is_academic: audience.is_academic(),
            level: visitor.level(audience, departments, faculties),
            voice: visitor.voice(audience, departments, faculties),
        };
        visitor.verdicts = audiences.iter().map(verdict).collect();
        visitor
    }

    /// The day for which the visitor asks.
    pub(crate) fn today(&self) -> Option<Date> {
        self.profile.date
    }

    /// Returns the meaning of the audience of this number for the visitor.
    pub(crate) fn verdict(&self, audience: u32) -> Option<Verdict> {
        self.verdicts.get(audience as usize).copied()
    }

    /// The reasons against the visitor; none where the audience's documents are for them.
    ///
    /// A document that held in a year which the question names may be found, though it holds no
    /// more.
    pub(crate) fn against(&self, audience: &Audience) -> Vec<Reason> {
        let applicability: Applicability = audience.applies_to(&self.profile);
        let held = self.years.iter().any(|year| held_in(&audience.metadata().validity, *year));
        applicability
            .exclusions()
            .filter(|reason| !(held && reason.aspect == Aspect::Validity))
            .cloned()
            .collect()
    }

    /// Returns `true` if the visitor told that they belong to a department, or a faculty.
    pub(crate) fn belongs_to(&self, level: HierarchyLevel) -> bool {
        match level {
            HierarchyLevel::University => false,
            HierarchyLevel::Faculty => self.profile.faculty.is_some(),
            HierarchyLevel::Department => self.profile.department.is_some(),
        }
    }

    /// The level that speaks to the visitor: of several departments, none is nearer than the
    /// university to someone who has not told theirs.
    fn level(&self, audience: &Audience, departments: usize, faculties: usize) -> HierarchyLevel {
        let level = audience.level();
        let (aspect, units) = match level {
            HierarchyLevel::University => return level,
            HierarchyLevel::Faculty => (Aspect::Faculty, faculties),
            HierarchyLevel::Department => (Aspect::Department, departments),
        };
        let is_foreign = units > 1 && self.has_not_told(aspect, audience);
        if is_foreign { HierarchyLevel::University } else { level }
    }

    /// Returns `true` if an audience is of some in this respect, and the visitor has not told theirs.
    fn has_not_told(&self, aspect: Aspect, audience: &Audience) -> bool {
        let mut reasons = audience.applies_to(&self.profile).reasons.into_iter();
        reasons.any(|reason| reason.aspect == aspect && reason.outcome == Outcome::NotTold)
    }

    /// The level that documents speak for by what they name: with a department, it is no faculty's rule.
    fn voice(
        &self,
        audience: &Audience,
        departments: usize,
        faculties: usize,
    ) -> Option<HierarchyLevel> {
        let metadata = audience.metadata();
        let is_department = !metadata.departments.is_everybody();
        let level = match audience.level() {
            HierarchyLevel::University if !metadata.faculties.is_everybody() => {
                HierarchyLevel::Faculty
            }
            level => level,
        };
        let level = if is_department { HierarchyLevel::Department } else { level };
        let (aspect, names, units) = match level {
            HierarchyLevel::University => return Some(level),
            HierarchyLevel::Faculty => (Aspect::Faculty, &metadata.faculties, faculties),
            HierarchyLevel::Department => (Aspect::Department, &metadata.departments, departments),
        };
        // The rule of one department among several is nobody's before they have told theirs: it was once told as the
        // university's.
        let is_unknown = units > 1 && (self.has_not_told(aspect, audience) || names.is_everybody());
        (!is_unknown).then_some(level)
    }
}

/// Counts the different names of one kind that the audiences have.
fn distinct<'a>(audiences: &'a [Audience], names: impl Fn(&'a Audience) -> &'a [String]) -> usize {
    let mut seen: Vec<&String> = Vec::new();
    for name in audiences.iter().flat_map(names) {
        // A site has tens of them: no set is needed.
        if !seen.contains(&name) {
            seen.push(name);
        }
    }
    seen.len()
}

/// Returns `true` if a validity has a day in a year.
fn held_in(validity: &Validity, year: u16) -> bool {
    let (Some(first), Some(last)) = (Date::new(year, 1, 1), Date::new(year, 12, 31)) else {
        return false;
    };
    validity.from.is_none_or(|from| from <= last) && validity.until.is_none_or(|it| it >= first)
}

/// The chunks that a question may find: none of editions that newer ones have taken the place of, and
/// of the others those that are for the visitor.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scope {
    /// A flag for each chunk; empty where all are current.
    current: Vec<bool>,
    /// A flag for each chunk; empty where all are for the visitor.
    for_reader: Vec<bool>,
}

impl Scope {
    /// The scope of a question that names these years; `visitor` is none where everything that is
    /// current may be found.
    pub(crate) fn new(
        head: &DocumentsHead,
        years: &BTreeSet<u16>,
        visitor: Option<&Visitor>,
    ) -> Self {
        let mut scope = Self::default();
        if !head.older_editions().is_empty() {
            scope.current = by_chunk(head, |document| is_current(head, document, years));
        }
        if let (Some(visitor), Some(table)) = (visitor, head.audiences()) {
            let applies = |audience: u32| visitor.verdict(audience).is_none_or(|it| it.applies);
            let of_documents = table.of_documents();
            scope.for_reader = by_chunk(head, |document| {
                of_documents.get(document.0 as usize).copied().is_none_or(applies)
            });
            // What another document says too is for that document's visitors as well.
            for (chunk, audience) in table.further() {
                if let Some(is_for_reader) = scope.for_reader.get_mut(chunk.index()) {
                    *is_for_reader |= applies(*audience);
                }
            }
            // Empty says the same: the searches then need not ask about each unit, and nothing is looked for behind
            // the filter.
            if scope.for_reader.iter().all(|is_for_reader| *is_for_reader) {
                scope.for_reader.clear();
            }
        }
        scope
    }

    /// Returns `true` if a chunk may be found.
    pub(crate) fn keeps(&self, chunk: ChunkId) -> bool {
        get(&self.current, chunk) && get(&self.for_reader, chunk)
    }

    /// Returns `true` if all chunks may be found.
    pub(crate) fn is_whole(&self) -> bool {
        self.current.is_empty() && self.for_reader.is_empty()
    }

    /// Returns `true` if a chunk is kept from being found only because it is for other visitors.
    pub(crate) fn is_for_others(&self, chunk: ChunkId) -> bool {
        get(&self.current, chunk) && !get(&self.for_reader, chunk)
    }

    /// Returns `true` if some chunk is kept from the visitor.
    pub(crate) fn leaves_visitors_out(&self) -> bool {
        !self.for_reader.is_empty()
    }
}

fn by_chunk(head: &DocumentsHead, keeps: impl Fn(DocumentId) -> bool) -> Vec<bool> {
    let mut kept = Vec::with_capacity(head.chunk_count() as usize);
    for document in (0..head.document_count()).map(DocumentId) {
        let keeps = keeps(document);
        kept.extend(head.chunks_of(document).map(|_| keeps));
    }
    kept
}

/// Reads a flag of a chunk. A chunk that the head does not count is for the index to refuse.
fn get(kept: &[bool], chunk: ChunkId) -> bool {
    kept.get(chunk.index()).copied().unwrap_or(true)
}

/// The years that a question names: `2023`, and both of `2023-24`, `2023/2024`.
pub(crate) fn years(question: &str) -> BTreeSet<u16> {
    let bytes = question.as_bytes();
    let mut found = BTreeSet::new();
    let mut place = 0;
    while place < bytes.len() {
        let digits = bytes.iter().skip(place).take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 {
            place += 1;
            continue;
        }
        if let Some(year) = (digits == 4).then(|| year(question, place)).flatten() {
            found.insert(year);
            found.extend(second_year(question, place + digits, year));
        }
        place += digits;
    }
    found
}

fn year(question: &str, place: usize) -> Option<u16> {
    let year = question.get(place..place + 4)?.parse().ok()?;
    // A number of four digits outside of these is a room, a telephone's extension or a sum.
    (1900..2100).contains(&year).then_some(year)
}

/// The `24` of `2023-24`, as a year.
fn second_year(question: &str, place: usize, first: u16) -> Option<u16> {
    let rest = question.get(place..)?;
    let rest = rest.strip_prefix(['-', '/', '–'])?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    let second: u16 = digits.parse().ok()?;
    // Only the next year makes a span of two: `2019-47` is the number of a regulation.
    (digits.len() == 2 && second == (first + 1) % 100).then_some(first + 1)
}

/// Returns `true` if no newer edition has taken a document's place, or if the question names a year that
/// the document holds for.
fn is_current(head: &DocumentsHead, document: DocumentId, years: &BTreeSet<u16>) -> bool {
    head.older_edition(document).is_none_or(|older| {
        // An edition that says nothing of its years may hold for any.
        let unknown = older.years.is_empty() && !years.is_empty();
        unknown || older.years.iter().any(|year| years.contains(year))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_are_read_from_questions() {
        let cases: &[(&str, &[u16])] = &[
            ("What did the 2019 handbook say?", &[2019]),
            ("calendar 2023-24, please", &[2023, 2024]),
            ("2023/24 or 2023–24", &[2023, 2024]),
            ("2023-2024", &[2023, 2024]),
            ("WS2024", &[2024]),
            ("2019-47", &[2019]),
            ("room 12345, phone 0951 2022334, 1066, 3000", &[]),
            ("", &[]),
        ];
        for (question, expected) in cases {
            assert_eq!(years(question).into_iter().collect::<Vec<_>>(), *expected, "{question}");
        }
    }
}
