//! `[organisation]`: the parts of the university, as settings name them.
//!
//! A part is a name (`"Physics"`) or a table with a name, aliases and what lies in it.

use std::fmt;
use std::marker::PhantomData;

use campanile_corpus::metadata::{Department, Faculty, Organisation, Programme};
use serde::de::value::{MapAccessDeserializer, MapDeserializer};
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// `[organisation]`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OrganisationConfig {
    /// The faculties.
    faculties: Vec<Named<FacultyTable>>,
    /// Departments that belong to no faculty.
    departments: Vec<Named<DepartmentTable>>,
    /// Programmes that belong to no faculty.
    programmes: Vec<Named<ProgrammeTable>>,
}

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct FacultyTable {
    name: String,
    #[serde(default)]
    aliases: Vec<String>,
    #[serde(default)]
    departments: Vec<Named<DepartmentTable>>,
    #[serde(default)]
    programmes: Vec<Named<ProgrammeTable>>,
}

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct DepartmentTable {
    name: String,
    #[serde(default)]
    aliases: Vec<String>,
    #[serde(default)]
    programmes: Vec<Named<ProgrammeTable>>,
}

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProgrammeTable {
    name: String,
    #[serde(default)]
    aliases: Vec<String>,
}

/// A table that may be written as its name alone.
#[derive(Debug, Clone, Default, PartialEq)]
struct Named<Table>(Table);

impl<'de, Table: Deserialize<'de>> Deserialize<'de> for Named<Table> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NameOrTable<Table>(PhantomData<Table>);

        impl<'de, Table: Deserialize<'de>> Visitor<'de> for NameOrTable<Table> {
            type Value = Table;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a name, or a table with `name` and `aliases`")
            }

            fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Table, E> {
                Table::deserialize(MapDeserializer::new([("name", name)].into_iter()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Table, A::Error> {
                Table::deserialize(MapAccessDeserializer::new(map))
            }
        }

        deserializer.deserialize_any(NameOrTable(PhantomData)).map(Self)
    }
}

impl OrganisationConfig {
    /// The organisation that these settings describe.
    pub fn organisation(&self) -> Organisation {
        Organisation {
            faculties: self
                .faculties
                .iter()
                .map(|Named(faculty)| Faculty {
                    name: faculty.name.clone(),
                    aliases: faculty.aliases.clone(),
                    departments: departments(&faculty.departments),
                    programmes: programmes(&faculty.programmes),
                })
                .collect(),
            departments: departments(&self.departments),
            programmes: programmes(&self.programmes),
        }
    }
}

fn departments(tables: &[Named<DepartmentTable>]) -> Vec<Department> {
    let department = |Named(table): &Named<DepartmentTable>| Department {
        name: table.name.clone(),
        aliases: table.aliases.clone(),
        programmes: programmes(&table.programmes),
    };
    tables.iter().map(department).collect()
}

fn programmes(tables: &[Named<ProgrammeTable>]) -> Vec<Programme> {
    let programme = |Named(table): &Named<ProgrammeTable>| Programme {
        name: table.name.clone(),
        aliases: table.aliases.clone(),
    };
    tables.iter().map(programme).collect()
}
