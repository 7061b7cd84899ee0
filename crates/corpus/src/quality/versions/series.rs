//! Documents that name their series.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Because, Supersession, neighbours};
use crate::Document;

/// The fields that order a series, the first that all its documents have.
const ORDERS: [&str; 5] = ["version", "edition", "academic_year", "year", "date"];

/// Each document of a series that has a next one.
pub(super) fn found(documents: &[Document]) -> Vec<Supersession> {
    let mut all: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (place, document) in documents.iter().enumerate() {
        if let Some(Value::String(series)) = document.metadata.get("series") {
            all.entry(series.trim().to_lowercase()).or_default().push(place);
        }
    }
    let mut found = Vec::new();
    for (series, members) in all {
        let order = |field: &str| {
            let mut levels: BTreeMap<Vec<u32>, Vec<usize>> = BTreeMap::new();
            for member in &members {
                let value = documents.get(*member)?.metadata.get(field)?;
                levels.entry(numbers(value)?).or_default().push(*member);
            }
            Some(levels)
        };
        let Some(levels) = ORDERS.iter().find_map(|field| order(field)) else { continue };
        for (newer, older) in neighbours(&levels) {
            found.push(Supersession { newer, older, because: Because::Series(series.clone()) });
        }
    }
    found
}

/// The numbers of a version or a date, in their order; `None` where there is none.
fn numbers(value: &Value) -> Option<Vec<u32>> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    let runs = text.split(|character: char| !character.is_ascii_digit());
    let numbers: Vec<u32> = runs.filter_map(|run| run.parse().ok()).collect();
    (!numbers.is_empty()).then_some(numbers)
}
