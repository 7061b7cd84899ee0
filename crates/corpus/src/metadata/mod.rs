//! The facts about a document beside its text: for whom it is, when it holds, and who says so.
//!
//! A university's documents contradict each other for good reasons: a department's rule is stricter
//! than the faculty's, last year's deadline lies beside this year's. What tells them apart is not
//! in their sentences but about them. [`Metadata`] is that, with a type for each field; the schema
//! is the academic advisor's (course material and everything else; programmes, departments,
//! faculties and batches affected; validity; level).
//!
//! People write fields in many ways, so reading is lenient ([`Fields::read`]): names of fields in
//! any case and several spellings, one name, a line with commas or a list, years and runs of years.
//! A value that cannot be understood is a [`MetadataProblem`] and counts as not stated; fields that
//! are not known are handed back.
//!
//! Matching works by inclusion ([`Metadata::applies_to`]): a field that is missing or says `"*"` is
//! for everybody, and a profile that does not tell something is not shut out by it. So these hold,
//! and the tests try to break them: metadata without restrictions applies to every profile, and a
//! restriction more never makes a document match more.
//!
//! ```
//! use campanile_corpus::metadata::{Fields, Metadata, Profile};
//! use serde_json::json;
//!
//! let stated = json!({ "Department": "Water Engineering", "batches": "2024+", "tags": ["lab"] });
//! let fields = Fields::read(&serde_json::from_value(stated)?);
//! let metadata = Metadata::from_values(&fields.values);
//! assert_eq!(metadata.audience(), "students of Water Engineering, batch 2024 and later");
//! assert_eq!(fields.unknown["tags"], json!(["lab"]));
//!
//! let student = Profile { batch: Some("2023".into()), ..Profile::default() };
//! let applicability = metadata.applies_to(&student);
//! assert!(!applicability.applies());
//! # Ok::<(), serde_json::Error>(())
//! ```

mod audience;
mod date;
mod field;
mod level;
mod lists;
mod organisation;
mod profile;
mod reading;
mod remark;
mod schema;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use audience::{Audience, Study};
pub use date::{Date, NotADate, Timeliness, Validity};
pub use field::Field;
pub use level::{HierarchyLevel, LevelPoints};
pub use lists::{Batch, Batches, Listed, Names, Numbers, Run, same_course, same_name};
pub use organisation::{Department, Faculty, Organisation, Programme, Unit};
pub use profile::{Applicability, Aspect, Outcome, Profile, Reason};
pub use reading::{FieldValue, Fields, MetadataProblem, nearest_name};
pub use remark::{Remark, remarks};
pub use schema::schema;

/// The facts known about a document besides its text.
///
/// Stored with the documents of a site: every field but the last is there in every format, so that
/// formats without names (postcard) can hold it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Metadata {
    /// Course material, or everything else.
    pub kind: DocumentKind,
    /// Policy, procedure, announcement, syllabus and so on; free text.
    pub subtype: Option<String>,
    /// The level of the university that speaks, where it is stated; see [`Metadata::effective_level`].
    pub level: Option<HierarchyLevel>,
    /// The courses that the document concerns, besides the one it belongs to.
    pub courses: Names,
    /// The degree programmes that it is for.
    pub programmes: Names,
    /// The departments that it is for.
    pub departments: Names,
    /// The faculties that it is for.
    pub faculties: Names,
    /// The years in which the students began that it is for.
    pub batches: Batches,
    /// The day on which it was written or uploaded.
    pub date: Option<Date>,
    /// The days on which it holds.
    pub validity: Validity,
    /// The title that takes the place of the document's own.
    pub title: Option<String>,
    /// The public address that takes the place of the document's own.
    pub link: Option<String>,
    /// The language of the text, as in `en` or `de-AT`.
    pub language: Option<String>,
    /// The name that the versions of one document have in common; the newest supersedes the others.
    pub series: Option<String>,
    /// The version of its series that it is; without one, the date decides.
    pub version: Option<String>,
    /// Paths of the documents that are no longer in force because of this one.
    pub replaces: Vec<String>,
    /// The specialisations, years of study and semesters that it is for.
    #[serde(default, with = "audience::beside")]
    pub study: Study,
}

/// The two streams that the academic advisor keeps apart.
///
/// Level and subtype are kept beside the kind, not in it: course pages state them too.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum DocumentKind {
    /// Course material: for those who take or have taken the course.
    Academic {
        /// The course; without one the material is for everybody.
        course_code: Option<String>,
    },
    /// Policies, procedures, announcements and all that states nothing else.
    #[default]
    NonAcademic,
}

impl Metadata {
    /// Reads metadata from fields as people write them; what is wrong with them and the fields that
    /// are not known come back beside it.
    pub fn from_fields(fields: &BTreeMap<String, Value>) -> (Self, Fields) {
        let fields = Fields::read(fields);
        (Self::from_values(&fields.values), fields)
    }

    /// Puts metadata together from values that were read, each field at most once.
    pub fn from_values(values: &BTreeMap<Field, FieldValue>) -> Self {
        let mut metadata = Self::default();
        let mut codes = Names::EVERYBODY;
        let mut is_academic = None;
        for (field, value) in values {
            match (field, value) {
                (Field::Kind, FieldValue::Academic(academic)) => is_academic = Some(*academic),
                (Field::CourseCode, FieldValue::Names(names)) => codes = names.clone(),
                _ => metadata.set(*field, value),
            }
        }
        let mut codes = codes.listed().iter();
        if is_academic.unwrap_or(codes.len() > 0) {
            metadata.kind = DocumentKind::Academic { course_code: codes.next().cloned() };
        }
        // What belongs to several courses, or is no course material, concerns them.
        if codes.len() > 0 {
            metadata.courses = Names::new(codes.chain(metadata.courses.listed()));
        }
        metadata
    }

    fn set(&mut self, field: Field, value: &FieldValue) {
        match value {
            FieldValue::Text(text) => {
                let place = match field {
                    Field::Title => &mut self.title,
                    Field::Link => &mut self.link,
                    Field::Language => &mut self.language,
                    Field::Subtype => &mut self.subtype,
                    Field::Series => &mut self.series,
                    Field::Version => &mut self.version,
                    _ => return,
                };
                *place = Some(text.clone());
            }
            FieldValue::Names(names) => match field {
                Field::Courses => self.courses = names.clone(),
                Field::Programmes => self.programmes = names.clone(),
                Field::Departments => self.departments = names.clone(),
                Field::Faculties => self.faculties = names.clone(),
                Field::Replaces => self.replaces = names.listed().to_vec(),
                Field::Specialisations => self.study.specialisations = names.clone(),
                _ => {}
            },
            FieldValue::Date(date) => match field {
                Field::Date => self.date = *date,
                Field::ValidFrom => self.validity.from = *date,
                Field::ValidUntil => self.validity.until = *date,
                _ => {}
            },
            FieldValue::Level(level) => self.level = Some(*level),
            FieldValue::Batches(batches) => self.batches = batches.clone(),
            FieldValue::Numbers(numbers) => match field {
                Field::StudyYears => self.study.years = numbers.clone(),
                Field::StudySemesters => self.study.semesters = numbers.clone(),
                _ => {}
            },
            // Read with the course code.
            FieldValue::Academic(_) => {}
            // Asked for while a site is built; what is kept of a document does not say it.
            FieldValue::Truth(_) => {}
        }
    }

    /// Returns `true` if it is course material.
    pub fn is_academic(&self) -> bool {
        matches!(self.kind, DocumentKind::Academic { .. })
    }

    /// The course that the material belongs to, and all others that it concerns.
    pub fn all_courses(&self) -> Names {
        let code = match &self.kind {
            DocumentKind::Academic { course_code } => course_code.as_ref(),
            DocumentKind::NonAcademic => None,
        };
        // A course of its own with "all courses" beside it is still a course of its own.
        Names::new(code.into_iter().chain(self.courses.listed()))
    }

    /// The level that is stated, else the one that the smallest named unit speaks for.
    pub fn effective_level(&self) -> HierarchyLevel {
        self.level.unwrap_or(if !self.departments.is_everybody() {
            HierarchyLevel::Department
        } else if !self.faculties.is_everybody() {
            HierarchyLevel::Faculty
        } else {
            HierarchyLevel::University
        })
    }
}
