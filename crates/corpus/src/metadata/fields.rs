//! From fields as people write them to values.

use std::collections::BTreeMap;

use serde_json::Value;

use super::field::Field;
use super::problem::{MetadataProblem, shown};
use super::value::{self, FieldValue};

/// The statements of a front matter, a sidecar or a rule, field by field.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fields {
    /// The fields that are stated and understood. A field with nothing in it is not stated;
    /// `"*"` is.
    pub values: BTreeMap<Field, FieldValue>,
    /// The fields that are not known, as they were written.
    pub unknown: BTreeMap<String, Value>,
    /// The values that could not be understood.
    pub problems: Vec<MetadataProblem>,
}

impl Fields {
    /// Reads fields in the order of their names.
    pub fn read(fields: &BTreeMap<String, Value>) -> Self {
        let mut read = Self::default();
        let mut named: BTreeMap<Field, &str> = BTreeMap::new();
        for (name, value) in fields {
            let Some(field) = Field::of(name) else {
                read.unknown.insert(name.clone(), value.clone());
                continue;
            };
            match value::read(field, name, value) {
                Ok(stated) => {
                    for (field, stated) in stated {
                        read.state(field, stated, name, value, &mut named);
                    }
                }
                Err(problem) => read.problems.push(problem),
            }
        }
        read
    }

    /// The first name of a field holds; a second one that says something else is a problem.
    fn state<'a>(
        &mut self,
        field: Field,
        stated: FieldValue,
        name: &'a str,
        written: &Value,
        named: &mut BTreeMap<Field, &'a str>,
    ) {
        if let Some(before) = named.get(&field) {
            if self.values.get(&field) != Some(&stated) {
                let expected = format!("`{before}` says the same with another value: keep one");
                self.problems.push(MetadataProblem::new(name, shown(written), &expected));
            }
            return;
        }
        named.insert(field, name);
        self.values.insert(field, stated);
    }
}
