//! All that is said about a document, put together.

use std::collections::BTreeMap;

use campanile_corpus::metadata::{
    Field, FieldValue, Fields, Metadata, MetadataProblem, Names, Organisation,
};
use serde_json::Value;

use super::Origin;
use super::rules::{MetadataConfigError, Rules, json_fields};
use super::sidecar::Sidecars;
use crate::config::Config;

/// Resolves the metadata of documents.
#[derive(Debug, Default)]
pub struct Resolver {
    /// The parts of the university.
    pub organisation: Organisation,
    /// `[[rules]]`.
    pub rules: Rules,
    /// What lies beside the documents.
    pub sidecars: Sidecars,
    defaults: BTreeMap<String, Value>,
}

/// What is known about one document.
#[derive(Debug, Default)]
pub struct Resolved {
    /// Put together.
    pub metadata: Metadata,
    /// Each value with its origin.
    pub values: BTreeMap<Field, (FieldValue, Origin)>,
    /// The document's own fields that are not known.
    pub unknown: BTreeMap<String, Value>,
    /// Values that could not be understood.
    pub problems: Vec<Located>,
}

/// A problem and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// Where.
    pub origin: Origin,
    /// What.
    pub problem: MetadataProblem,
}

impl Resolver {
    /// From settings and sidecars.
    ///
    /// # Errors
    /// A rule that cannot be used.
    pub fn new(config: &Config, sidecars: Sidecars) -> Result<Self, MetadataConfigError> {
        Ok(Self {
            organisation: config.organisation.organisation(),
            rules: Rules::compile(&config.rules)?,
            sidecars,
            defaults: json_fields(&config.metadata),
        })
    }

    /// What is known about a document. `front_matter` is [`campanile_corpus::Document::metadata`].
    pub fn resolve(&self, path: &str, front_matter: &BTreeMap<String, Value>) -> Resolved {
        let mut resolved = Resolved::default();
        resolved.add(&self.defaults, &Origin::Defaults);
        for rule in self.rules.matching(path) {
            resolved.add(&rule.fields, &Origin::Rule(rule.place.clone()));
        }
        for (file, fields) in self.sidecars.about(path) {
            resolved.add(fields, &Origin::Sidecar { path: file.clone() });
        }
        resolved.unknown = resolved.add(front_matter, &Origin::FrontMatter);
        self.complete(&mut resolved);
        resolved
    }

    /// Proper names, and the faculty that follows from the department.
    fn complete(&self, resolved: &mut Resolved) {
        let mut values: BTreeMap<Field, FieldValue> =
            resolved.values.iter().map(|(field, (value, _))| (*field, value.clone())).collect();
        self.organisation.name_properly(&mut values);
        if let (Some(FieldValue::Names(departments)), None) =
            (values.get(&Field::Departments), values.get(&Field::Faculties))
        {
            let faculties = self.organisation.faculties_of(departments);
            if faculties != Names::EVERYBODY {
                values.insert(Field::Faculties, FieldValue::Names(faculties));
            }
        }
        resolved.metadata = Metadata::from_values(&values);
        for (field, value) in values {
            let origin = resolved.values.remove(&field).map(|(_, origin)| origin);
            resolved.values.insert(field, (value, origin.unwrap_or(Origin::Organisation)));
        }
    }
}

impl Resolved {
    /// Lets fields override what is there; gives back those that are not known.
    fn add(
        &mut self,
        fields: &BTreeMap<String, Value>,
        origin: &Origin,
    ) -> BTreeMap<String, Value> {
        let read = Fields::read(fields);
        for (field, value) in read.values {
            self.values.insert(field, (value, origin.clone()));
        }
        let located = |problem| Located { origin: origin.clone(), problem };
        self.problems.extend(read.problems.into_iter().map(located));
        read.unknown
    }
}
