//! Fields of a record by their paths.

use std::collections::BTreeSet;

use crate::json::Json;

/// Names listed when the nearest is looked for.
const MOST_NAMES: usize = 2_000;

/// The values that a path of names leads to: several where it leads through a list, none where
/// there is no such field. A name may itself hold dots.
pub(super) fn lookup<'a>(value: &'a Json, path: &str) -> Vec<&'a Json> {
    match value {
        Json::List(values) => values.iter().flat_map(|value| lookup(value, path)).collect(),
        Json::Object(fields) => {
            if let Some(value) = get(fields, path) {
                return vec![value];
            }
            let dots = path.match_indices('.').map(|(dot, _)| dot);
            dots.filter_map(|dot| Some((get(fields, path.get(..dot)?)?, path.get(dot + 1..)?)))
                .map(|(value, rest)| lookup(value, rest))
                .find(|found| !found.is_empty())
                .unwrap_or_default()
        }
        Json::Null | Json::Text(_) => Vec::new(),
    }
}

/// Returns `true` if the record has the field, be it empty. Below a `null` or an empty list anything may be.
pub(super) fn has(value: &Json, path: &str) -> bool {
    match value {
        Json::Null => true,
        Json::Text(_) => false,
        Json::List(values) => values.is_empty() || values.iter().any(|value| has(value, path)),
        Json::Object(fields) => {
            let dots = path.match_indices('.').map(|(dot, _)| dot);
            let below =
                |dot: usize| Some(has(get(fields, path.get(..dot)?)?, path.get(dot + 1..)?));
            get(fields, path).is_some() || dots.filter_map(below).any(|found| found)
        }
    }
}

/// The first list that lies on the way to a field, with the path to it.
pub(super) fn lists_on<'a>(value: &'a Json, path: &str) -> Option<(String, &'a [Json])> {
    let dots: Vec<usize> = path.match_indices('.').map(|(dot, _)| dot).collect();
    dots.into_iter().find_map(|dot| {
        let prefix = path.get(..dot)?;
        match lookup(value, prefix).as_slice() {
            [Json::List(values)] => Some((prefix.to_owned(), values.as_slice())),
            _ => None,
        }
    })
}

/// As in JSON elsewhere, the last of several fields of one name counts.
fn get<'a>(fields: &'a [(String, Json)], name: &str) -> Option<&'a Json> {
    fields.iter().rev().find(|(own, _)| own == name).map(|(_, value)| value)
}

/// The field of the records whose name is most like `wanted`, if one is like it.
pub(super) fn nearest(records: &[Json], wanted: &str) -> Option<String> {
    let mut names = BTreeSet::new();
    for record in records.iter().take(50) {
        collect(record, "", &mut names);
    }
    let lower = wanted.to_lowercase();
    let likeness = |name: &String| {
        let whole = strsim::jaro_winkler(&lower, &name.to_lowercase());
        let last = name.rsplit('.').next().unwrap_or(name);
        whole.max(strsim::jaro_winkler(&lower, &last.to_lowercase()) - 0.05)
    };
    let best = names.into_iter().map(|name| (likeness(&name), name));
    let best = best.max_by(|a, b| a.0.total_cmp(&b.0).then_with(|| b.1.cmp(&a.1)))?;
    (best.0 > 0.75).then_some(best.1)
}

fn collect(value: &Json, prefix: &str, names: &mut BTreeSet<String>) {
    match value {
        Json::Object(fields) => {
            for (name, value) in fields {
                if names.len() >= MOST_NAMES {
                    return;
                }
                let path =
                    if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
                collect(value, &path, names);
                names.insert(path);
            }
        }
        Json::List(values) => values.iter().take(3).for_each(|value| collect(value, prefix, names)),
        Json::Null | Json::Text(_) => {}
    }
}
