//! The university's parts by name: what lies in what, and who is called how.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::lists::same_name;
use super::reading::nearest_name;
use super::{Field, FieldValue, Names, Profile};

/// The faculties, departments and degree programmes of a university. Empty where nobody wrote them
/// down; then every name counts as known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Organisation {
    /// The faculties.
    pub faculties: Vec<Faculty>,
    /// Departments that belong to no faculty.
    pub departments: Vec<Department>,
    /// Programmes that belong to no faculty.
    pub programmes: Vec<Programme>,
}

/// A faculty, or whatever the university calls its largest parts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Faculty {
    /// Its name, as visitors should see it.
    pub name: String,
    /// Its other names.
    pub aliases: Vec<String>,
    /// Its departments.
    pub departments: Vec<Department>,
    /// Its programmes that belong to no single department.
    pub programmes: Vec<Programme>,
}

/// A department.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Department {
    /// Its name, as visitors should see it.
    pub name: String,
    /// Its other names.
    pub aliases: Vec<String>,
    /// Its programmes.
    pub programmes: Vec<Programme>,
}

/// A degree programme.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Programme {
    /// Its name, as visitors should see it.
    pub name: String,
    /// Its other names.
    pub aliases: Vec<String>,
}

/// A kind of part of a university.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Faculties.
    Faculty,
    /// Departments.
    Department,
    /// Degree programmes.
    Programme,
}

/// A part of the university with what it lies in.
#[derive(Clone, Copy)]
struct Place<'a> {
    unit: Unit,
    name: &'a str,
    aliases: &'a [String],
    faculty: Option<&'a str>,
    department: Option<&'a str>,
}

impl Organisation {
    /// Returns `true` if any part of a kind is written down.
    pub fn knows(&self, unit: Unit) -> bool {
        self.places().any(|place| place.unit == unit)
    }

    /// The proper names of all parts of a kind, in the order of the settings.
    pub fn names(&self, unit: Unit) -> impl Iterator<Item = &str> {
        self.places().filter(move |place| place.unit == unit).map(|place| place.name)
    }

    /// The proper name of a part that is called by its name or an alias.
    pub fn proper(&self, unit: Unit, name: &str) -> Option<&str> {
        self.place(unit, name).map(|place| place.name)
    }

    /// The proper name of the part whose name or alias differs least.
    pub fn nearest(&self, unit: Unit, name: &str) -> Option<&str> {
        let spelled = self
            .places()
            .filter(|place| place.unit == unit)
            .flat_map(|place| place.aliases.iter().map(String::as_str).chain([place.name]));
        nearest_name(name, spelled).and_then(|spelling| self.proper(unit, spelling))
    }

    /// The faculty that a department or programme lies in.
    pub(crate) fn faculty_of(&self, unit: Unit, name: &str) -> Option<&str> {
        self.place(unit, name)?.faculty
    }

    /// The department that offers a programme.
    fn department_of(&self, programme: &str) -> Option<&str> {
        self.place(Unit::Programme, programme)?.department
    }

    /// The profile with proper names, and with the department and the faculty that follow from what
    /// was told.
    #[must_use]
    pub fn complete(&self, profile: &Profile) -> Profile {
        let proper = |unit, told: &Option<String>| {
            let told = told.as_deref().map(str::trim).filter(|told| !told.is_empty())?;
            Some(self.proper(unit, told).unwrap_or(told).to_owned())
        };
        let programme = proper(Unit::Programme, &profile.programme);
        let department = proper(Unit::Department, &profile.department)
            .or_else(|| self.department_of(programme.as_deref()?).map(str::to_owned));
        let faculty = proper(Unit::Faculty, &profile.faculty).or_else(|| {
            let by_department =
                department.as_deref().and_then(|name| self.faculty_of(Unit::Department, name));
            let by_programme =
                programme.as_deref().and_then(|name| self.faculty_of(Unit::Programme, name));
            by_department.or(by_programme).map(str::to_owned)
        });
        Profile { programme, department, faculty, ..profile.clone() }
    }

    /// Puts proper names in the place of aliases in a document's values, so that matching needs the
    /// organisation no more.
    pub fn name_properly(&self, values: &mut BTreeMap<Field, FieldValue>) {
        let units = [
            (Field::Faculties, Unit::Faculty),
            (Field::Departments, Unit::Department),
            (Field::Programmes, Unit::Programme),
        ];
        for (field, unit) in units {
            if let Some(FieldValue::Names(names)) = values.get_mut(&field) {
                let proper = |name: &String| self.proper(unit, name).unwrap_or(name).to_owned();
                *names = Names::new(names.listed().iter().map(proper));
            }
        }
    }

    /// The faculties of all these departments; everybody if the faculty of one is not known.
    pub fn faculties_of(&self, departments: &Names) -> Names {
        let faculties: Option<Vec<&str>> = departments
            .listed()
            .iter()
            .map(|department| self.faculty_of(Unit::Department, department))
            .collect();
        // Of two departments with one unknown faculty, to name the other alone would shut the first one's students
        // out.
        faculties.map_or(Names::EVERYBODY, Names::new)
    }

    fn place(&self, unit: Unit, name: &str) -> Option<Place<'_>> {
        self.places().find(|place| {
            place.unit == unit
                && (same_name(place.name, name)
                    || place.aliases.iter().any(|alias| same_name(alias, name)))
        })
    }

    /// All parts, faculties with what lies in them first.
    fn places(&self) -> impl Iterator<Item = Place<'_>> {
        let in_faculties = self.faculties.iter().flat_map(|faculty| {
            let name = Some(faculty.name.as_str());
            let itself = Place {
                unit: Unit::Faculty,
                name: &faculty.name,
                aliases: &faculty.aliases,
                faculty: name,
                department: None,
            };
            std::iter::once(itself)
                .chain(faculty.departments.iter().flat_map(move |it| it.places(name)))
                .chain(faculty.programmes.iter().map(move |it| it.place(name, None)))
        });
        in_faculties
            .chain(self.departments.iter().flat_map(|it| it.places(None)))
            .chain(self.programmes.iter().map(|it| it.place(None, None)))
    }
}

impl Department {
    fn places<'a>(&'a self, faculty: Option<&'a str>) -> impl Iterator<Item = Place<'a>> {
        let itself = Place {
            unit: Unit::Department,
            name: &self.name,
            aliases: &self.aliases,
            faculty,
            department: Some(&self.name),
        };
        let offered = self.programmes.iter();
        std::iter::once(itself).chain(offered.map(move |it| it.place(faculty, Some(&self.name))))
    }
}

impl Programme {
    fn place<'a>(&'a self, faculty: Option<&'a str>, department: Option<&'a str>) -> Place<'a> {
        Place {
            unit: Unit::Programme,
            name: &self.name,
            aliases: &self.aliases,
            faculty,
            department,
        }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Faculty => "faculty",
            Self::Department => "department",
            Self::Programme => "degree programme",
        })
    }
}
