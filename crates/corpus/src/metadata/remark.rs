//! Remarks on metadata that looks wrong, though each value can be read.

use super::lists::course_key;
use super::{
    Date, DocumentKind, HierarchyLevel, Metadata, Organisation, Timeliness, Unit, same_course,
    same_name,
};

/// Something about one document's metadata that its keeper should look at.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Remark {
    /// The level names a kind of unit, and no such unit is named.
    #[error(
        "the level is {level}, but no {level} is named, so the document is for everybody: add \
         `{level}`, or make the level university"
    )]
    LevelWithoutUnit {
        /// The level.
        level: HierarchyLevel,
    },
    /// A document of the whole university is for a part of it.
    #[error(
        "the level is university, but the document is only for the {unit} {name}: make the level \
         {unit}, or take the {unit} away"
    )]
    UniversityRestricted {
        /// The kind of unit that it is restricted to.
        unit: Unit,
        /// Its name.
        name: String,
    },
    /// A department and a faculty are named that do not belong together.
    #[error(
        "the {unit} {name} belongs to the faculty {faculty}, which is not among the faculties of the \
         document: correct one of them"
    )]
    OtherFaculty {
        /// Department or programme.
        unit: Unit,
        /// Its name.
        name: String,
        /// The faculty it belongs to.
        faculty: String,
    },
    /// A department, faculty or programme that the settings do not name.
    #[error(
        "the {unit} \"{name}\" is not in the settings (`[organisation]`){}",
        suggestion(nearest)
    )]
    UnknownUnit {
        /// Its kind.
        unit: Unit,
        /// Its name.
        name: String,
        /// The known name that differs least.
        nearest: Option<String>,
    },
    /// The document ends before it begins to hold.
    #[error(
        "it is valid from {from} but only until {until}, so it is never valid: correct one of them"
    )]
    NeverValid {
        /// The first day.
        from: Date,
        /// The last day.
        until: Date,
    },
    /// Course material of no course.
    #[error(
        "the type is academic, but no course is named, so everybody finds it: add `course_code`, or \
         make the type non-academic"
    )]
    AcademicWithoutCourse,
    /// The file's name holds another course code than the metadata.
    #[error(
        "the file's name says {in_name}, but `course_code` says {course_code}: correct one of them"
    )]
    OtherCourseInName {
        /// The code in the file's name.
        in_name: String,
        /// The code in the metadata.
        course_code: String,
    },
    /// The document holds no more.
    #[error("it was valid until {until}: take it away, or let a newer document replace it")]
    Expired {
        /// The last day.
        until: Date,
    },
    /// The document does not hold yet.
    #[error("it is valid only from {from}: until then nobody finds it")]
    NotYetValid {
        /// The first day.
        from: Date,
    },
}

fn suggestion(nearest: &Option<String>) -> String {
    match nearest {
        Some(nearest) => format!(". Did you mean \"{nearest}\"?"),
        None => ": add it there, or correct its name".to_owned(),
    }
}

/// Returns what looks wrong about a document's metadata, in a fixed order. `path` is the document's, for the
/// course code in its name; `today` is the day for which validity is judged.
pub fn remarks(
    metadata: &Metadata,
    organisation: &Organisation,
    path: &str,
    today: Date,
) -> Vec<Remark> {
    let mut found = Vec::new();
    found.extend(level(metadata));
    found.extend(foreign_units(metadata, organisation));
    found.extend(unknown_units(metadata, organisation));
    found.extend(course(metadata, path));
    found.extend(validity(metadata, today));
    found
}

fn level(metadata: &Metadata) -> Option<Remark> {
    let units = [(Unit::Department, &metadata.departments), (Unit::Faculty, &metadata.faculties)];
    let level = metadata.level?;
    match level {
        HierarchyLevel::Department if metadata.departments.is_everybody() => {
            Some(Remark::LevelWithoutUnit { level })
        }
        HierarchyLevel::Faculty
            if metadata.faculties.is_everybody() && metadata.departments.is_everybody() =>
        {
            Some(Remark::LevelWithoutUnit { level })
        }
        HierarchyLevel::University => units.into_iter().find_map(|(unit, names)| {
            let name = names.listed().first()?.clone();
            Some(Remark::UniversityRestricted { unit, name })
        }),
        _ => None,
    }
}

/// Departments and programmes whose faculty is not among those that are named.
fn foreign_units<'a>(
    metadata: &'a Metadata,
    organisation: &'a Organisation,
) -> impl Iterator<Item = Remark> + 'a {
    let faculties = &metadata.faculties;
    units(metadata).filter(|(unit, _)| *unit != Unit::Faculty).filter_map(move |(unit, name)| {
        let faculty = organisation.faculty_of(unit, name)?;
        let is_named = |known: &String| {
            same_name(known, faculty)
                || organisation.proper(Unit::Faculty, known).is_some_and(|it| it == faculty)
        };
        let agrees = faculties.is_everybody() || faculties.listed().iter().any(is_named);
        (!agrees).then(|| Remark::OtherFaculty {
            unit,
            name: name.to_owned(),
            faculty: faculty.to_owned(),
        })
    })
}

fn unknown_units<'a>(
    metadata: &'a Metadata,
    organisation: &'a Organisation,
) -> impl Iterator<Item = Remark> + 'a {
    units(metadata).filter_map(|(unit, name)| {
        let is_unknown = organisation.knows(unit) && organisation.proper(unit, name).is_none();
        is_unknown.then(|| Remark::UnknownUnit {
            unit,
            name: name.to_owned(),
            nearest: organisation.nearest(unit, name).map(str::to_owned),
        })
    })
}

fn units(metadata: &Metadata) -> impl Iterator<Item = (Unit, &str)> {
    [
        (Unit::Faculty, &metadata.faculties),
        (Unit::Department, &metadata.departments),
        (Unit::Programme, &metadata.programmes),
    ]
    .into_iter()
    .flat_map(|(unit, names)| names.listed().iter().map(move |name| (unit, name.as_str())))
}

fn course(metadata: &Metadata, path: &str) -> Option<Remark> {
    let DocumentKind::Academic { course_code } = &metadata.kind else {
        return None;
    };
    let courses = metadata.all_courses();
    if courses.is_everybody() {
        return Some(Remark::AcademicWithoutCourse);
    }
    let course_code = course_code.as_ref()?;
    let in_name = codes_in_name(path, course_code);
    let agrees = in_name.is_empty() || in_name.iter().any(|code| courses.lists_course(code));
    (!agrees).then(|| Remark::OtherCourseInName {
        in_name: in_name.join(" and "),
        course_code: course_code.clone(),
    })
}

/// The pieces of a file's name that are built like a course code: letters and digits in the same
/// places.
fn codes_in_name(path: &str, like: &str) -> Vec<String> {
    let name = path.rsplit('/').next().unwrap_or_default();
    let pieces: Vec<&str> =
        name.split(|c: char| !c.is_alphanumeric()).filter(|piece| !piece.is_empty()).collect();
    let shape = shape(like);
    if !shape.contains('9') || !shape.contains('a') {
        return Vec::new();
    }
    // `WEN-210` is two pieces of a file's name, `WEN210` one.
    let single = pieces.iter().map(|piece| (*piece).to_owned());
    let pairs = pieces.windows(2).map(|pair| pair.concat());
    let mut codes: Vec<String> = Vec::new();
    for code in single.chain(pairs).filter(|code| self::shape(code) == shape) {
        if !codes.iter().any(|known| same_course(known, &code)) {
            codes.push(code);
        }
    }
    codes
}

/// `WEN 210` as `aaa999`.
fn shape(code: &str) -> String {
    course_key(code).chars().map(|c| if c.is_numeric() { '9' } else { 'a' }).collect()
}

fn validity(metadata: &Metadata, today: Date) -> Option<Remark> {
    if let (Some(from), Some(until)) = (metadata.validity.from, metadata.validity.until)
        && until < from
    {
        return Some(Remark::NeverValid { from, until });
    }
    match metadata.validity.on(today) {
        Timeliness::Valid => None,
        Timeliness::Expired { until } => Some(Remark::Expired { until }),
        Timeliness::NotYet { from } => Some(Remark::NotYetValid { from }),
    }
}
