//! Profiles: a visitor as people write them down, and the decision if a document is for them.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::audience::{either, validity};
use super::date::{Date, Timeliness};
use super::reading::{MetadataProblem, nearest_name, shown};
use super::{Batches, Metadata, Names, Numbers};
use crate::facts::single_spaced;

/// The facts that a visitor told about themselves; all of it optional.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Profile {
    /// The degree programme.
    pub programme: Option<String>,
    /// The department.
    pub department: Option<String>,
    /// The faculty; [`Organisation::complete`](super::Organisation::complete) finds it from the
    /// department.
    pub faculty: Option<String>,
    /// The batch: the year in which they began, or its name.
    pub batch: Option<String>,
    /// The specialisation within the programme.
    pub specialisation: Option<String>,
    /// The year of study, from 1.
    pub year: Option<u8>,
    /// The semester of study, from 1.
    pub semester: Option<u8>,
    /// The courses that they take; where none are told here or as completed: not told.
    pub courses: Vec<String>,
    /// The courses that they have taken.
    pub completed: Vec<String>,
    /// The day for which they ask; without one, validity is not looked at.
    pub date: Option<Date>,
}

/// The decision if a document is for a profile, and the reasons.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Applicability {
    /// One reason for each rule that was looked at, in a fixed order.
    pub reasons: Vec<Reason>,
}

/// The result of one rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// The aspect that was compared.
    pub aspect: Aspect,
    /// The outcome of the comparison.
    pub outcome: Outcome,
}

/// An aspect of a document that is compared with a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Aspect {
    /// The courses taken.
    Course,
    /// The degree programme.
    Programme,
    /// The department.
    Department,
    /// The faculty.
    Faculty,
    /// The batch.
    Batch,
    /// The specialisation.
    Specialisation,
    /// The year of study.
    Year,
    /// The semester of study.
    Semester,
    /// The day.
    Validity,
}

/// The outcome of one comparison.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The document restricts nothing here.
    Unrestricted,
    /// The document restricts, but the profile does not tell.
    NotTold,
    /// The profile is among those that the document is for.
    Included {
        /// The profile's value.
        profile: String,
    },
    /// The profile is not among them.
    Excluded {
        /// The visitors that the document is for.
        document: String,
        /// The profile's value.
        profile: String,
    },
}

impl Profile {
    /// The courses taken and completed.
    pub fn all_courses(&self) -> impl Iterator<Item = &str> {
        self.courses.iter().chain(&self.completed).map(String::as_str)
    }

    /// Returns `true` if nothing is told of who asks; the day tells nothing of them.
    pub fn is_silent(&self) -> bool {
        Self { date: None, ..self.clone() } == Self::default()
    }

    /// The visitor in words: "MSc Hydroinformatics, batch 2024"; empty where nothing is told.
    // Small in a page rather than a part of each search there.
    #[inline(never)]
    pub fn describe(&self) -> String {
        let unit = match (&self.programme, &self.department, &self.faculty) {
            // A programme says where it belongs.
            (Some(programme), ..) => Some(programme.clone()),
            (None, Some(department), _) => Some(department.clone()),
            (None, None, faculty) => faculty.as_ref().map(|name| format!("faculty {name}")),
        };
        let courses: Vec<&str> = self.all_courses().collect();
        let parts = [
            unit,
            self.specialisation.clone(),
            self.batch.as_ref().map(|batch| format!("batch {batch}")),
            self.year.map(|year| format!("year {year}")),
            self.semester.map(|semester| format!("semester {semester}")),
            (!courses.is_empty()).then(|| format!("courses {}", courses.join(", "))),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

impl Applicability {
    /// Returns `true` if the document is for the profile: no rule excludes it.
    pub fn applies(&self) -> bool {
        self.exclusions().next().is_none()
    }

    /// The rules that exclude the profile.
    pub fn exclusions(&self) -> impl Iterator<Item = &Reason> {
        self.reasons.iter().filter(|reason| matches!(reason.outcome, Outcome::Excluded { .. }))
    }
}

impl Metadata {
    /// Decides if the document is for a profile, after the academic advisor's rules (stage 2), by inclusion:
    /// what the document leaves open excludes nobody.
    ///
    /// - Course material goes by the course alone, whatever programme or department its visitors
    ///   are of. Where the profile tells no courses, the other rules decide as for all documents.
    /// - Everything else goes by programme, department, faculty and batch, by specialisation, year
    ///   and semester of study, and by the courses concerned.
    /// - Validity goes by the day for which the profile asks.
    pub fn applies_to(&self, profile: &Profile) -> Applicability {
        let courses = self.all_courses();
        let told: Vec<&str> = profile.all_courses().collect();
        // The course is looked at first and in any case: the reasons stand in a fixed order, which answers show.
        let mut reasons = vec![Reason::new(Aspect::Course, course(&courses, &told))];
        if !self.is_academic() || told.is_empty() {
            let study = &self.study;
            reasons.extend([
                Reason::new(Aspect::Programme, named(&self.programmes, &profile.programme)),
                Reason::new(Aspect::Department, named(&self.departments, &profile.department)),
                Reason::new(Aspect::Faculty, named(&self.faculties, &profile.faculty)),
                Reason::new(Aspect::Batch, batch(&self.batches, &profile.batch)),
                Reason::new(
                    Aspect::Specialisation,
                    named(&study.specialisations, &profile.specialisation),
                ),
                Reason::new(Aspect::Year, number(&study.years, profile.year)),
                Reason::new(Aspect::Semester, number(&study.semesters, profile.semester)),
            ]);
        }
        reasons.push(Reason::new(Aspect::Validity, self.on(profile.date)));
        Applicability { reasons }
    }

    fn on(&self, day: Option<Date>) -> Outcome {
        if self.validity == super::Validity::default() {
            return Outcome::Unrestricted;
        }
        let Some(day) = day else {
            return Outcome::NotTold;
        };
        let profile = day.to_string();
        match self.validity.on(day) {
            Timeliness::Valid => Outcome::Included { profile },
            Timeliness::NotYet { .. } | Timeliness::Expired { .. } => Outcome::Excluded {
                document: validity(&self.validity).unwrap_or_default(),
                profile,
            },
        }
    }
}

fn named(names: &Names, told: &Option<String>) -> Outcome {
    let document = || either(names.listed());
    compared(names.is_everybody(), told.as_deref(), |told| names.lists(told), document)
}

fn batch(batches: &Batches, told: &Option<String>) -> Outcome {
    let document = || either(batches.listed());
    compared(batches.is_everybody(), told.as_deref(), |told| batches.lists(told), document)
}

fn number(numbers: &Numbers, told: Option<u8>) -> Outcome {
    let document = || either(numbers.listed());
    let text = told.map(|number| number.to_string());
    let is_listed = |_: &str| told.is_some_and(|number| numbers.lists(number));
    compared(numbers.is_everybody(), text.as_deref(), is_listed, document)
}

fn course(courses: &Names, told: &[&str]) -> Outcome {
    let taken = |_: &str| told.iter().any(|code| courses.lists_course(code));
    let all = told.join(", ");
    let told = (!told.is_empty()).then_some(all.as_str());
    compared(courses.is_everybody(), told, taken, || either(courses.listed()))
}

fn compared(
    is_everybody: bool,
    told: Option<&str>,
    is_listed: impl Fn(&str) -> bool,
    document: impl Fn() -> String,
) -> Outcome {
    match told.map(str::trim).filter(|told| !told.is_empty()) {
        _ if is_everybody => Outcome::Unrestricted,
        None => Outcome::NotTold,
        Some(told) if is_listed(told) => Outcome::Included { profile: told.to_owned() },
        Some(told) => Outcome::Excluded { document: document(), profile: told.to_owned() },
    }
}

impl Reason {
    fn new(aspect: Aspect, outcome: Outcome) -> Self {
        Self { aspect, outcome }
    }
}

impl fmt::Display for Aspect {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Course => "course",
            Self::Programme => "degree programme",
            Self::Department => "department",
            Self::Faculty => "faculty",
            Self::Batch => "batch",
            Self::Specialisation => "specialisation",
            Self::Year => "year of study",
            Self::Semester => "semester of study",
            Self::Validity => "validity",
        })
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let aspect = self.aspect;
        match &self.outcome {
            Outcome::Unrestricted => write!(formatter, "{aspect}: not restricted"),
            Outcome::NotTold => write!(formatter, "{aspect}: the profile does not say"),
            Outcome::Included { profile } if aspect == Aspect::Validity => {
                write!(formatter, "{aspect}: holds on {profile}")
            }
            Outcome::Included { profile } => write!(formatter, "{aspect}: {profile} is included"),
            Outcome::Excluded { document, profile } if aspect == Aspect::Validity => {
                write!(formatter, "{aspect}: {document}, and the day asked for is {profile}")
            }
            Outcome::Excluded { document, profile } => {
                write!(formatter, "{aspect}: for {document}, and the profile says {profile}")
            }
        }
    }
}

/// A profile's fields: the first name of each is the one that messages use.
const PROFILE_FIELDS: [&[&str]; 10] = [
    &["programme", "program", "degree_programme", "degree_program"],
    &["department"],
    &["faculty"],
    &["batch"],
    &["specialisation", "specialization"],
    &["year", "study_year", "year_of_study"],
    &["semester", "study_semester", "semester_of_study"],
    &["courses", "course", "enrolled", "enrolled_courses"],
    &["completed", "completed_courses"],
    &["date"],
];

impl Profile {
    /// Reads a profile from fields as people write them, names in any case and with hyphens too: a
    /// word or number for each, a list (or a line with commas) for courses.
    ///
    /// # Errors
    /// The first field that is not known or cannot be understood.
    pub fn read(fields: &BTreeMap<String, Value>) -> Result<Self, MetadataProblem> {
        let mut profile = Self::default();
        for (name, value) in fields {
            profile.set(name, value)?;
        }
        Ok(profile)
    }

    /// Sets one field; an empty value takes it away, and courses are added to.
    ///
    /// # Errors
    /// Where the field is not known or the value cannot be understood.
    pub fn set(&mut self, name: &str, value: &Value) -> Result<(), MetadataProblem> {
        let wrong = |expected: &str| MetadataProblem::new(name, shown(value), expected);
        let field = field_of(name).ok_or_else(|| {
            let known = PROFILE_FIELDS.iter().flat_map(|names| names.first().copied());
            let expected = format!(
                "a profile has only the fields {}",
                known.clone().collect::<Vec<_>>().join(", ")
            );
            let mut problem = wrong(&expected);
            problem.nearest = nearest_name(name, known).map(str::to_owned);
            problem
        })?;
        // Courses add up, as a student types them one by one; every other field replaces.
        if matches!(field, "courses" | "completed") {
            let codes = codes(value).ok_or_else(|| wrong("it must be a course or a list"))?;
            let place = if field == "courses" { &mut self.courses } else { &mut self.completed };
            place.extend(codes);
            return Ok(());
        }
        let text = word(value).ok_or_else(|| wrong("it must be a word or a number"))?;
        let told = Some(text.clone()).filter(|text| !text.is_empty());
        let number = || match &told {
            None => Ok(None),
            Some(text) => text
                .parse()
                .ok()
                .filter(|number| (1..=99).contains(number))
                .map(Some)
                .ok_or_else(|| wrong("it must be a number from 1 to 99")),
        };
        match field {
            "programme" => self.programme = told,
            "department" => self.department = told,
            "faculty" => self.faculty = told,
            "batch" => self.batch = told,
            "specialisation" => self.specialisation = told,
            "year" => self.year = number()?,
            "semester" => self.semester = number()?,
            _ => {
                let day = |text: &String| Date::of_timestamp(text);
                let date = told.as_ref().map(|text| {
                    day(text).ok_or_else(|| wrong("it must be a date, as in 2026-03-31"))
                });
                self.date = date.transpose()?;
            }
        }
        Ok(())
    }
}

fn field_of(name: &str) -> Option<&'static str> {
    let key = |name: &str| name.trim().to_lowercase().replace(['-', ' '], "_");
    let wanted = key(name);
    PROFILE_FIELDS.iter().find(|names| names.contains(&wanted.as_str()))?.first().copied()
}

fn word(value: &Value) -> Option<String> {
    match value {
        Value::Null => Some(String::new()),
        Value::String(text) => Some(single_spaced(text)),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// The members of a list, or the parts of a line between commas and plus signs.
fn codes(value: &Value) -> Option<Vec<String>> {
    let codes: Vec<String> = match value {
        Value::Array(values) => values.iter().map(word).collect::<Option<_>>()?,
        value => word(value)?.split([',', '+']).map(|code| code.trim().to_owned()).collect(),
    };
    Some(codes.into_iter().filter(|code| !code.is_empty()).collect())
}
