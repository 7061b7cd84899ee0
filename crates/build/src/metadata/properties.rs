//! Properties that metadata have, whatever the sources say.
#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::BTreeMap;

use campanile_corpus::metadata::{Field, Profile};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::{Value, json};

use super::{Resolver, Sidecars};
use crate::config::Config;

/// The document, whose folders have sidecars of their own.
const PATH: &str = "water/labs/safety.md";

/// Fields that one source may set, each with the values to choose from.
const VALUES: [(&str, Field, [&str; 4]); 5] = [
    ("level", Field::Level, ["university", "faculty", "department", "university"]),
    ("department", Field::Departments, ["Physics", "Water", "Law", "*"]),
    ("programmes", Field::Programmes, ["MSc Water", "BSc Law", "BSc Physics", "*"]),
    ("batches", Field::Batches, ["2020", "2021+", "2022", "*"]),
    ("subtype", Field::Subtype, ["notice", "plan", "form", "rule"]),
];

/// Where a source's words stand, the weakest first.
const PLACES: [&str; 8] = ["[metadata]", "rule", "rule", "", "water", "water/labs", "own", "front"];

type Fields = BTreeMap<String, Value>;

/// One source: any of the fields, each with any of its values.
fn fields() -> impl Strategy<Value = Fields> {
    let chosen =
        (subsequence(VALUES.to_vec(), 0..=VALUES.len()), proptest::array::uniform5(0_usize..4));
    chosen.prop_map(|(fields, values)| {
        let stated = fields.iter().zip(values);
        stated.map(|((name, _, all), value)| ((*name).to_owned(), json!(all[value]))).collect()
    })
}

/// A resolver of these sources, and what the document itself says.
fn resolver(sources: &[Fields]) -> (Resolver, Fields) {
    let mut settings = toml::Table::new();
    let mut sidecars = Sidecars::default();
    let mut rules = Vec::new();
    let mut front = Fields::new();
    for (place, fields) in PLACES.iter().zip(sources) {
        let table = || toml::Table::try_from(fields).unwrap();
        match *place {
            "[metadata]" => drop(settings.insert("metadata".to_owned(), table().into())),
            "rule" => {
                let mut rule = table();
                rule.insert("match".to_owned(), "water/".into());
                rules.push(toml::Value::Table(rule));
            }
            "own" => sidecars.add(&format!("{PATH}.toml"), fields.clone()),
            "front" => front.clone_from(fields),
            "" => sidecars.add("_metadata.toml", fields.clone()),
            folder => sidecars.add(&format!("{folder}/_metadata.toml"), fields.clone()),
        }
    }
    settings.insert("rules".to_owned(), rules.into());
    let config: Config = toml::from_str(&settings.to_string()).unwrap();
    (Resolver::new(&config, sidecars).unwrap(), front)
}

fn sources() -> impl Strategy<Value = Vec<Fields>> {
    proptest::collection::vec(fields(), PLACES.len())
}

fn profile() -> impl Strategy<Value = Profile> {
    let any = |values: [&'static str; 4]| proptest::option::of(select(values.to_vec()));
    let [_, (_, _, departments), (_, _, programmes), ..] = VALUES;
    (any(departments), any(programmes), any(["2019", "2020", "2021", "2023"])).prop_map(
        |(department, programme, batch)| Profile {
            department: department.map(str::to_owned),
            programme: programme.map(str::to_owned),
            batch: batch.map(str::to_owned),
            ..Profile::default()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_nearest_source_that_states_a_field_holds(sources in sources()) {
        let (resolver, front) = resolver(&sources);
        let resolved = resolver.resolve(PATH, &front);
        for (name, field, _) in VALUES {
            let nearest = sources.iter().rposition(|fields| fields.contains_key(name));
            let alone = nearest.map(|place| {
                let mut only = vec![Fields::new(); PLACES.len()];
                only[place].insert(name.to_owned(), sources[place][name].clone());
                let (resolver, front) = super::properties::resolver(&only);
                resolver.resolve(PATH, &front).values[&field].clone()
            });
            prop_assert_eq!(resolved.values.get(&field), alone.as_ref(), "{}", name);
        }
        prop_assert!(resolved.problems.is_empty() && resolved.unknown.is_empty());
    }

    #[test]
    fn a_source_that_says_nothing_or_the_same_changes_nothing(
        sources in sources(), place in 0..PLACES.len(),
    ) {
        let (first, front) = resolver(&sources);
        let resolved = first.resolve(PATH, &front);
        prop_assert_eq!(&first.resolve(PATH, &front).values, &resolved.values);
        let mut same = sources.clone();
        for (name, ..) in VALUES {
            let nearest = sources.iter().rev().find_map(|fields| fields.get(name));
            // What a nearer source states again, and what a weaker one states that is overridden.
            if let Some(value) = nearest {
                same[PLACES.len() - 1].insert(name.to_owned(), value.clone());
            }
        }
        same[place.min(PLACES.len() - 2)].clear();
        let (again, front) = resolver(&same);
        prop_assert_eq!(again.resolve(PATH, &front).metadata, resolved.metadata);
    }

    #[test]
    fn everybody_is_never_fewer(sources in sources(), place in 0..PLACES.len(), profile in profile()) {
        let (before, front) = resolver(&sources);
        let applied = before.resolve(PATH, &front).metadata.applies_to(&profile);
        let mut wider = sources;
        for (name, _, values) in VALUES {
            if values.contains(&"*") {
                wider[place].insert(name.to_owned(), json!("*"));
            }
        }
        // A nearer source may still narrow it, as it did before; here none does.
        wider[place + 1..].iter_mut().for_each(Fields::clear);
        let (after, front) = resolver(&wider);
        let metadata = after.resolve(PATH, &front).metadata;
        prop_assert!(!applied.applies() || metadata.applies_to(&profile).applies());
        prop_assert!(metadata.departments.is_everybody() && metadata.programmes.is_everybody());
    }

    #[test]
    fn other_documents_do_not_matter(sources in sources(), path in "[a-c]{1,2}(/[a-c]{1,2})?\\.md") {
        let (resolver, _) = resolver(&sources);
        let mut only = vec![Fields::new(); PLACES.len()];
        only[0].clone_from(&sources[0]);
        only[3].clone_from(&sources[3]);
        let (general, _) = super::properties::resolver(&only);
        let [found, expected] = [&resolver, &general].map(|it| it.resolve(&path, &Fields::new()));
        prop_assert_eq!(found.values, expected.values, "{}", path);
    }
}
