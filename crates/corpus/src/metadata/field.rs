//! The fields that Campanile knows, and the names that people give them.

use std::fmt;

/// A field of the metadata.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    /// The title to show.
    Title,
    /// The public address.
    Link,
    /// The language of the text.
    Language,
    /// Academic or non-academic.
    Kind,
    /// Policy, procedure, announcement, syllabus and so on.
    Subtype,
    /// The level of the university that speaks.
    Level,
    /// The course that the document belongs to.
    CourseCode,
    /// The courses that the document concerns.
    Courses,
    /// Degree programmes.
    Programmes,
    /// Departments.
    Departments,
    /// Faculties.
    Faculties,
    /// The years in which students began.
    Batches,
    /// Specialisations within a programme.
    Specialisations,
    /// Years of study.
    StudyYears,
    /// Semesters of study.
    StudySemesters,
    /// The day on which the document was written or uploaded.
    Date,
    /// The first day on which it holds.
    ValidFrom,
    /// The last day on which it holds.
    ValidUntil,
    /// First and last day in one; read as the two fields before.
    Validity,
    /// The name that the versions of one document have in common.
    Series,
    /// The version of the series that it is.
    Version,
    /// The documents that it replaces.
    Replaces,
    /// `false` if its original file is not published with the site.
    Publish,
}

/// The kind of value that may stand in a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Text,
    Address,
    Kind,
    Level,
    Names,
    Batches,
    Numbers,
    Date,
    Limit,
    Period,
    Truth,
}

/// Everything about one field: its names (the first is the one that messages use), what may stand
/// in it, and what it is for.
pub(crate) struct Entry {
    pub(crate) field: Field,
    pub(crate) names: &'static [&'static str],
    pub(crate) shape: Shape,
    pub(crate) meaning: &'static str,
}

const fn entry(
    field: Field,
    names: &'static [&'static str],
    shape: Shape,
    meaning: &'static str,
) -> Entry {
    Entry { field, names, shape, meaning }
}

/// All fields, in the order of [`Field`].
pub(crate) const ENTRIES: [Entry; 23] = [
    entry(Field::Title, &["title"], Shape::Text, "The title to show."),
    entry(
        Field::Link,
        &["link"],
        Shape::Address,
        "The document's public address: sources lead there. {path} in it stands for the document's \
         path without its ending.",
    ),
    entry(
        Field::Language,
        &["language", "lang"],
        Shape::Text,
        "The language of the text, as in en or de-AT.",
    ),
    entry(
        Field::Kind,
        &["type"],
        Shape::Kind,
        "academic: course material, for those who take or have taken the course. non-academic: \
         everything else. Without it, a document with a course code is academic.",
    ),
    entry(
        Field::Subtype,
        &["subtype"],
        Shape::Text,
        "The category: policy, procedure, announcement, service, syllabus and so on.",
    ),
    entry(
        Field::Level,
        &["level", "hierarchy_level"],
        Shape::Level,
        "Who speaks: the department, the faculty or the university. The nearer rule comes first.",
    ),
    entry(
        Field::CourseCode,
        &["course_code", "course"],
        Shape::Names,
        "The course that the material belongs to.",
    ),
    entry(
        Field::Courses,
        &["courses", "courses_affecting"],
        Shape::Names,
        "The courses that the document concerns.",
    ),
    entry(
        Field::Programmes,
        &[
            "programmes", "programme", "programs", "program", "degree_programmes",
            "degree_programme", "degree_programs", "degree_program",
        ],
        Shape::Names,
        "The degree programmes that the document is for.",
    ),
    entry(
        Field::Departments,
        &["departments", "department", "departments_affecting", "department_affecting"],
        Shape::Names,
        "The departments that the document is for.",
    ),
    entry(
        Field::Faculties,
        &["faculties", "faculty", "faculties_affecting", "faculty_affecting"],
        Shape::Names,
        "The faculties that the document is for.",
    ),
    entry(
        Field::Batches,
        &["batches", "batch", "batches_affecting", "batch_affecting"],
        Shape::Batches,
        "The years in which the students began that the document is for.",
    ),
    entry(
        Field::Specialisations,
        &[
            "specialisations",
            "specialisation",
            "specializations",
            "specialization",
            "specialisations_affecting",
        ],
        Shape::Names,
        "The specialisations within a programme that the document is for.",
    ),
    entry(
        Field::StudyYears,
        &["study_years", "study_year", "years_of_study", "year_of_study"],
        Shape::Numbers,
        "The years of study that the document is for, counted from 1.",
    ),
    entry(
        Field::StudySemesters,
        &["study_semesters", "study_semester", "semesters_of_study", "semester_of_study"],
        Shape::Numbers,
        "The semesters of study that the document is for, counted from 1.",
    ),
    entry(
        Field::Date,
        &["date", "upload_date", "document_date"],
        Shape::Date,
        "When the document was written or uploaded.",
    ),
    entry(
        Field::ValidFrom,
        &["valid_from"],
        Shape::Limit,
        "The first day on which the document holds; * for no limit.",
    ),
    entry(
        Field::ValidUntil,
        &["valid_until", "valid_to"],
        Shape::Limit,
        "The last day on which the document holds; * for no limit.",
    ),
    entry(
        Field::Validity,
        &["validity"],
        Shape::Period,
        "First and last day in one, as in 2024-10-01/2025-03-31, from 2024-10-01 or until \
         2025-03-31.",
    ),
    entry(
        Field::Series,
        &["series"],
        Shape::Text,
        "What all versions of one document have in common: the newest supersedes the others.",
    ),
    entry(
        Field::Version,
        &["version"],
        Shape::Text,
        "Which version of its series the document is; without one, its date decides.",
    ),
    entry(
        Field::Replaces,
        &["replaces", "supersedes"],
        Shape::Names,
        "The documents that are no longer in force because of this one: paths below the documents' \
         folder.",
    ),
    entry(
        Field::Publish,
        &["publish"],
        Shape::Truth,
        "false: the original file stays unpublished where the settings publish originals. The text is found all the \
         same.",
    ),
];

impl Field {
    /// The field of a name, whatever its case, and with hyphens, spaces or nothing for `_`.
    ///
    /// ```
    /// use campanile_corpus::metadata::Field;
    ///
    /// assert_eq!(Field::of("Valid-From"), Some(Field::ValidFrom));
    /// assert_eq!(Field::of("faculties affecting"), Some(Field::Faculties));
    /// assert_eq!(Field::of("tags"), None);
    /// ```
    pub fn of(name: &str) -> Option<Self> {
        let key = field_key(name);
        ENTRIES
            .iter()
            .find(|entry| entry.names.iter().any(|known| field_key(known) == key))
            .map(|entry| entry.field)
    }

    /// The known name that a misspelt one was probably meant to be; `None` for names that are
    /// known, and for those that are far from all.
    pub fn nearest(name: &str) -> Option<&'static str> {
        let key = field_key(name);
        // In four letters one edit makes another word: `data`, `date`.
        let most_edits = match key.len() {
            0..=4 => return None,
            5..=8 => 1,
            _ => 2,
        };
        ENTRIES
            .iter()
            .flat_map(|entry| entry.names)
            .map(|known| (strsim::osa_distance(&key, &field_key(known)), *known))
            .min_by_key(|(edits, _)| *edits)
            .filter(|(edits, _)| (1..=most_edits).contains(edits))
            .map(|(_, known)| known)
    }

    /// The name that messages use.
    pub fn name(self) -> &'static str {
        self.entry().names[0]
    }

    pub(crate) fn shape(self) -> Shape {
        self.entry().shape
    }

    fn entry(self) -> &'static Entry {
        // The table stands in the order of the fields, which a test holds.
        &ENTRIES[self as usize]
    }
}

/// Returns what all spellings of a field's name share: letters and digits in lower case.
fn field_key(name: &str) -> String {
    name.chars()
        .filter(|character| character.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

impl fmt::Display for Field {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
