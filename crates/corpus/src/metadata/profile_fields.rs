//! A profile as people write it: in a file, or in words on the command line.

use std::collections::BTreeMap;

use serde_json::Value;

use super::problem::{MetadataProblem, nearest, shown};
use super::{Date, Profile};

/// A profile's fields: the first name of each is the one that messages use.
const FIELDS: [&[&str]; 10] = [
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
            let known = FIELDS.iter().flat_map(|names| names.first().copied());
            let expected = format!(
                "a profile has only the fields {}",
                known.clone().collect::<Vec<_>>().join(", ")
            );
            let mut problem = wrong(&expected);
            problem.nearest = nearest(name, known).map(str::to_owned);
            problem
        })?;
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
    FIELDS.iter().find(|names| names.contains(&wanted.as_str()))?.first().copied()
}

fn word(value: &Value) -> Option<String> {
    match value {
        Value::Null => Some(String::new()),
        Value::String(text) => Some(text.split_whitespace().collect::<Vec<_>>().join(" ")),
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
