//! Metadata in plain words, fit to be read aloud.

use super::{Batch, DocumentKind, Metadata, Names, Numbers, Run, Validity};

impl Metadata {
    /// Whom the document is for: "students of Water Engineering, batch 2021 and later".
    pub fn audience(&self) -> String {
        let place = self.place();
        match &self.kind {
            DocumentKind::Academic { .. } if !self.all_courses().is_everybody() => {
                let takers = taking(&self.all_courses());
                match place {
                    Some(place) => format!(
                        "students {takers}; where a student tells no courses, students {place}"
                    ),
                    None => format!("students {takers}"),
                }
            }
            _ if self.courses.is_everybody() => {
                place.map_or_else(|| "everybody".to_owned(), |place| format!("students {place}"))
            }
            _ => {
                let takers = taking(&self.courses);
                let place = place.map(|place| format!("{place} ")).unwrap_or_default();
                format!("students {place}{takers}")
            }
        }
    }

    /// Audience and validity in one sentence, without a full stop.
    pub fn describe(&self) -> String {
        match validity(&self.validity) {
            Some(validity) => format!("{}; {validity}", self.audience()),
            None => self.audience(),
        }
    }

    /// "of A or B in the department C, batch 2021"; `None` where nothing is restricted.
    fn place(&self) -> Option<String> {
        let mut parts = Vec::new();
        let programmes = listed(&self.programmes).map(|names| format!("of {names}"));
        let departments = listed(&self.departments);
        let faculties = listed(&self.faculties).map(|names| format!("the faculty {names}"));
        let unit = match (&programmes, departments, faculties) {
            (Some(_), Some(departments), _) => Some(format!("in the department {departments}")),
            // A department lies in its faculty, so that one need not be said.
            (None, Some(departments), _) => Some(format!("of {departments}")),
            (Some(_), None, Some(faculties)) => Some(format!("in {faculties}")),
            (None, None, Some(faculties)) => Some(format!("of {faculties}")),
            (_, None, None) => None,
        };
        parts.extend(programmes);
        parts.extend(unit);
        let units = parts.join(" ");
        let study = &self.study;
        let specialisation =
            listed(&study.specialisations).map(|names| format!("specialisation {names}"));
        let details: Vec<String> = [
            specialisation,
            batches(self.batches.listed()),
            counted("year", &study.years),
            counted("semester", &study.semesters),
        ]
        .into_iter()
        .flatten()
        .collect();
        match (units.is_empty(), details.is_empty()) {
            (true, true) => None,
            (true, false) => Some(format!("of {}", details.join(", "))),
            (false, true) => Some(units),
            (false, false) => Some(format!("{units}, {}", details.join(", "))),
        }
    }
}

/// "semester 5 and later"; `None` where it does not count.
fn counted(what: &str, numbers: &Numbers) -> Option<String> {
    (!numbers.is_everybody()).then(|| format!("{what} {}", either(numbers.listed())))
}

fn listed(names: &Names) -> Option<String> {
    (!names.is_everybody()).then(|| either(names.listed()))
}

fn taking(courses: &Names) -> String {
    format!("who take or have taken {}", either(courses.listed()))
}

fn batches(batches: &[Batch]) -> Option<String> {
    match batches {
        [] => None,
        [batch @ Batch::Years(Run { from, until })] if from != until && until.is_some() => {
            Some(format!("batches {batch}"))
        }
        [batch] => Some(format!("batch {batch}")),
        batches => Some(format!("batches {}", either(batches))),
    }
}

/// "valid from 2024-10-01 until 2025-03-31"; `None` where it is not limited.
pub(crate) fn validity(validity: &Validity) -> Option<String> {
    match (validity.from, validity.until) {
        (None, None) => None,
        (Some(from), None) => Some(format!("valid from {from}")),
        (None, Some(until)) => Some(format!("valid until {until}")),
        (Some(from), Some(until)) => Some(format!("valid from {from} until {until}")),
    }
}

/// `A`, `A or B`, `A, B or C`.
pub(crate) fn either<T: ToString>(names: &[T]) -> String {
    let mut names: Vec<String> = names.iter().map(ToString::to_string).collect();
    match names.pop() {
        Some(last) if !names.is_empty() => format!("{} or {last}", names.join(", ")),
        last => last.unwrap_or_default(),
    }
}
