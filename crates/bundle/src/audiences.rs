//! Whom a site's documents are for, in one small table: a page decides for every passage whether a
//! visitor may find it before it has fetched any document.

#[cfg(test)]
mod tests;

use campanile_corpus::ChunkId;
use campanile_corpus::metadata::{
    Audience, Batch, Date, Organisation, Run, same_course, same_name,
};
use serde::{Deserialize, Serialize};

use crate::DocumentId;

/// The distinct audiences of a site, and which document has which.
///
/// Stored behind the counts of the documents head, where programs that know nothing of it do not
/// look: two numbers a document, and each distinct audience and date once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AudienceTable {
    stored: Stored,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Stored {
    /// In the order of the first document that has each.
    audiences: Vec<Audience>,
    /// For each document its place in `audiences`.
    of_documents: Vec<u32>,
    /// The distinct dates of documents, in order.
    dates: Vec<Date>,
    /// For each document its place in `dates`, from 1; 0 where it states none.
    dates_of_documents: Vec<u32>,
    /// Chunks that another document says too, with that document's place in `audiences`; in order.
    further: Vec<(ChunkId, u32)>,
    /// The university's parts, from which a visitor's faculty follows.
    organisation: Organisation,
}

/// The notes that a site's documents head keeps besides the shape of the documents.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DocumentNotes {
    /// The documents that others among them have taken the place of, in order.
    pub older: Vec<crate::OlderEdition>,
    /// Chunks that documents say which are kept only once, each with the audience of one more
    /// document.
    pub further_audiences: Vec<(ChunkId, Audience)>,
    /// The university's parts.
    pub organisation: Organisation,
}

impl AudienceTable {
    /// The table of documents with these audiences and dates, in their order.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn new(
        documents: &[(Audience, Option<Date>)],
        further: Vec<(ChunkId, Audience)>,
        organisation: Organisation,
    ) -> Self {
        let mut stored = Stored { organisation, ..Stored::default() };
        stored.dates = documents.iter().filter_map(|(_, date)| *date).collect();
        stored.dates.sort_unstable();
        stored.dates.dedup();
        for (audience, date) in documents {
            let number = stored.number(audience);
            stored.of_documents.push(number);
            let place = date.and_then(|date| stored.dates.binary_search(&date).ok());
            stored.dates_of_documents.push(place.map_or(0, |place| place as u32 + 1));
        }
        stored.further =
            further.iter().map(|(chunk, audience)| (*chunk, stored.number(audience))).collect();
        stored.further.sort_unstable();
        stored.further.dedup();
        Self { stored }
    }

    /// Returns `true` if it says anything: some document is restricted or dated, or is of another level or
    /// kind than the rest.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn is_telling(&self) -> bool {
        let Stored { audiences, dates, .. } = &self.stored;
        audiences.len() > 1 || !dates.is_empty() || audiences.iter().any(Audience::is_restricted)
    }

    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn encode(&self) -> Result<Vec<u8>, postcard::Error> {
        postcard::to_allocvec(&self.stored)
    }

    /// Reads an encoded table of so many documents and chunks; the error says what was expected and
    /// found.
    pub(crate) fn decode(bytes: &[u8], documents: u32, chunks: u32) -> Result<Self, String> {
        let stored: Stored = postcard::from_bytes(bytes)
            .map_err(|error| format!("expected audiences, found other data ({error})"))?;
        let counted = [stored.of_documents.len(), stored.dates_of_documents.len()];
        if let Some(found) = counted.into_iter().find(|found| *found != documents as usize) {
            return Err(format!("expected audiences of {documents} documents, found {found}"));
        }
        let audiences = stored.audiences.len();
        let mut numbers = stored.of_documents.iter().chain(stored.further.iter().map(|(_, it)| it));
        if let Some(stray) = numbers.find(|number| **number as usize >= audiences) {
            return Err(format!("expected an audience below {audiences}, found {stray}"));
        }
        let dates = stored.dates.len();
        if let Some(stray) = stored.dates_of_documents.iter().find(|it| **it as usize > dates) {
            return Err(format!("expected a date among {dates}, found {stray}"));
        }
        if let Some((stray, _)) = stored.further.iter().find(|(chunk, _)| chunk.0 >= chunks) {
            return Err(format!("expected a chunk below {chunks}, found {}", stray.0));
        }
        Ok(Self { stored })
    }

    /// The distinct audiences.
    pub fn audiences(&self) -> &[Audience] {
        &self.stored.audiences
    }

    /// For each document its place in [`AudienceTable::audiences`].
    pub fn of_documents(&self) -> &[u32] {
        &self.stored.of_documents
    }

    /// Chunks that another document says too, each with the place of that document's audience.
    pub fn further(&self) -> &[(ChunkId, u32)] {
        &self.stored.further
    }

    /// The audience of a document.
    pub fn audience_of(&self, document: DocumentId) -> Option<&Audience> {
        let number = self.stored.of_documents.get(document.0 as usize)?;
        self.stored.audiences.get(*number as usize)
    }

    /// When a document was written, where it says so.
    pub fn date_of(&self, document: DocumentId) -> Option<Date> {
        let number = self.stored.dates_of_documents.get(document.0 as usize)?;
        self.stored.dates.get((*number as usize).checked_sub(1)?).copied()
    }

    /// The university's parts; empty where the site does not name them.
    pub fn organisation(&self) -> &Organisation {
        &self.stored.organisation
    }

    /// Returns what a visitor may tell that makes a difference.
    pub fn choices(&self) -> Choices {
        Choices::of(&self.stored.audiences)
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl Stored {
    /// The audience's place, at the end where it is new.
    fn number(&mut self, audience: &Audience) -> u32 {
        // A site has tens of audiences: no map is needed.
        let known = self.audiences.iter().position(|known| known == audience);
        known.unwrap_or_else(|| {
            self.audiences.push(audience.clone());
            self.audiences.len() - 1
        }) as u32
    }
}

/// The names by which a site's documents tell their visitors apart, each list sorted; a list is empty
/// where they do not.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct Choices {
    /// Degree programmes.
    pub programmes: Vec<String>,
    /// Departments.
    pub departments: Vec<String>,
    /// Faculties.
    pub faculties: Vec<String>,
    /// Specialisations.
    pub specialisations: Vec<String>,
    /// Batches; the years that are the ends of runs among them.
    pub batches: Vec<String>,
    /// Courses.
    pub courses: Vec<String>,
    /// `true` if some documents are for years of study.
    pub years: bool,
    /// `true` if some documents are for semesters of study.
    pub semesters: bool,
    /// `true` if some documents hold only for a time.
    pub validity: bool,
}

impl Choices {
    pub(super) fn of(audiences: &[Audience]) -> Self {
        let mut choices = Self::default();
        for audience in audiences {
            let metadata = audience.metadata();
            let study = &metadata.study;
            add(&mut choices.programmes, metadata.programmes.listed(), same_name);
            add(&mut choices.departments, metadata.departments.listed(), same_name);
            add(&mut choices.faculties, metadata.faculties.listed(), same_name);
            add(&mut choices.specialisations, study.specialisations.listed(), same_name);
            add(&mut choices.courses, metadata.all_courses().listed(), same_course);
            let batches = metadata.batches.listed().iter().flat_map(offered);
            choices.batches.extend(batches);
            choices.years |= !study.years.is_everybody();
            choices.semesters |= !study.semesters.is_everybody();
            choices.validity |= metadata.validity != Default::default();
        }
        choices.sorted()
    }

    /// These and those of another site.
    pub fn with(self, other: &Self) -> Self {
        let joined = |mut list: Vec<String>, more: &[String], same: fn(&str, &str) -> bool| {
            add(&mut list, more, same);
            list
        };
        Self {
            programmes: joined(self.programmes, &other.programmes, same_name),
            departments: joined(self.departments, &other.departments, same_name),
            faculties: joined(self.faculties, &other.faculties, same_name),
            specialisations: joined(self.specialisations, &other.specialisations, same_name),
            courses: joined(self.courses, &other.courses, same_course),
            batches: joined(self.batches, &other.batches, same_name),
            years: self.years || other.years,
            semesters: self.semesters || other.semesters,
            validity: self.validity || other.validity,
        }
        .sorted()
    }

    fn sorted(mut self) -> Self {
        let lists = [
            &mut self.programmes,
            &mut self.departments,
            &mut self.faculties,
            &mut self.specialisations,
            &mut self.courses,
            &mut self.batches,
        ];
        for list in lists {
            list.sort_unstable();
            list.dedup();
        }
        self
    }

    /// Returns `true` if documents differ by anything that a visitor could tell of themselves.
    pub fn any(&self) -> bool {
        let told = Self { validity: false, ..self.clone() };
        told != Self::default()
    }
}

fn add(list: &mut Vec<String>, names: &[String], same: fn(&str, &str) -> bool) {
    for name in names {
        if !list.iter().any(|known| same(known, name)) {
            list.push(name.clone());
        }
    }
}

/// The batches that a run names: itself, or the years at its ends.
fn offered(batch: &Batch) -> Vec<String> {
    match batch {
        Batch::Named(name) => vec![name.clone()],
        Batch::Years(Run { from, until }) => {
            from.iter().chain(until.iter()).map(ToString::to_string).collect()
        }
    }
}
