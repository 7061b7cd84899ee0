//! The choices that a form may offer to a reader.

use campanile_corpus::metadata::{Audience, Batch, Names, Run, same_course, same_name};
use serde::Serialize;

/// The names by which a site's documents tell their readers apart, each list sorted; a list is empty
/// where they do not.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
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
            add(&mut choices.programmes, &metadata.programmes, same_name);
            add(&mut choices.departments, &metadata.departments, same_name);
            add(&mut choices.faculties, &metadata.faculties, same_name);
            add(&mut choices.specialisations, &study.specialisations, same_name);
            add(&mut choices.courses, &metadata.all_courses(), same_course);
            let batches = metadata.batches.listed().iter().flat_map(offered);
            choices.batches.extend(batches);
            choices.years |= !study.years.is_everybody();
            choices.semesters |= !study.semesters.is_everybody();
            choices.validity |= metadata.validity != Default::default();
        }
        let lists = [
            &mut choices.programmes,
            &mut choices.departments,
            &mut choices.faculties,
            &mut choices.specialisations,
            &mut choices.courses,
            &mut choices.batches,
        ];
        for list in lists {
            list.sort_unstable();
            list.dedup();
        }
        choices
    }

    /// Returns `true` if documents differ by anything that a reader could tell of themselves.
    pub fn any(&self) -> bool {
        let told = Self { validity: false, ..self.clone() };
        told != Self::default()
    }
}

fn add(list: &mut Vec<String>, names: &Names, same: fn(&str, &str) -> bool) {
    for name in names.listed() {
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
