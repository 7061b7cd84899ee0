use toml::{Table, Value};

use super::error::PlanError;

/// So many combinations are run at most.
const LIMIT: usize = 500;

/// Every combination of the values of a grid, with a name made of those that differ; none of no grid.
///
/// A key may be dotted, or a table: `build.chunks.strategy = […]`.
pub(super) fn combinations(grid: &Table) -> Result<Vec<(String, Table)>, PlanError> {
    let mut axes = Vec::new();
    collect(grid, &mut Vec::new(), &mut axes)?;
    if axes.is_empty() {
        return Ok(Vec::new());
    }
    let count = axes.iter().map(|(_, values)| values.len()).product();
    if count > LIMIT {
        return Err(PlanError::Large { count, limit: LIMIT });
    }
    let mut all = vec![(String::new(), Table::new())];
    for (path, values) in &axes {
        let differs = values.len() > 1 || count == 1;
        let with = |(name, table): &(String, Table), value: &Value| {
            let mut table = table.clone();
            set(&mut table, path, value);
            let separator = if name.is_empty() || !differs { "" } else { ", " };
            let word = if differs { word(path, value) } else { String::new() };
            (format!("{name}{separator}{word}"), table)
        };
        all = all
            .iter()
            .flat_map(|known| values.iter().map(move |value| with(known, value)))
            .collect();
    }
    Ok(all)
}

type Axis = (Vec<String>, Vec<Value>);

fn collect(table: &Table, path: &mut Vec<String>, axes: &mut Vec<Axis>) -> Result<(), PlanError> {
    for (key, value) in table {
        path.push(key.clone());
        match value {
            Value::Table(inner) => collect(inner, path, axes)?,
            Value::Array(values) if values.is_empty() => {
                return Err(PlanError::Empty(path.join(".")));
            }
            Value::Array(values) => axes.push((path.clone(), values.clone())),
            one => axes.push((path.clone(), vec![one.clone()])),
        }
        path.pop();
    }
    Ok(())
}

/// Words speak for themselves; a number needs its setting's name.
fn word(path: &[String], value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => format!("{} {other}", path.last().map_or("", String::as_str)),
    }
}

fn set(table: &mut Table, path: &[String], value: &Value) {
    let Some((key, rest)) = path.split_first() else { return };
    if rest.is_empty() {
        table.insert(key.clone(), value.clone());
        return;
    }
    let inner = table.entry(key.clone()).or_insert_with(|| Value::Table(Table::new()));
    if let Value::Table(inner) = inner {
        set(inner, rest, value);
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail")]

    use super::*;

    #[test]
    fn every_combination_has_a_name() {
        let grid: Table = "retriever = ['lexical', 'dense']\ndepth = [20, 80]\n\
                           build.chunks.strategy = ['fixed']"
            .parse()
            .unwrap();
        let all = combinations(&grid).unwrap();
        let names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
        let expected =
            ["lexical, depth 20", "lexical, depth 80", "dense, depth 20", "dense, depth 80"];
        assert_eq!(names, expected);
        let last: Table =
            "retriever = 'dense'\ndepth = 80\nbuild.chunks.strategy = 'fixed'".parse().unwrap();
        assert_eq!(all[3].1, last);
        assert_eq!(combinations(&Table::new()).unwrap(), []);
        let one: Table = "retriever = 'dense'\ndepth = 80".parse().unwrap();
        assert_eq!(combinations(&one).unwrap()[0].0, "dense, depth 80", "nothing differs");
        let empty: Table = "depth = []".parse().unwrap();
        assert!(matches!(combinations(&empty), Err(PlanError::Empty(key)) if key == "depth"));
        let ten = format!("{:?}", (0..10).collect::<Vec<_>>());
        let large: Table = format!("a = {ten}\nb = {ten}\nc = {ten}").parse().unwrap();
        assert!(matches!(combinations(&large), Err(PlanError::Large { count: 1000, .. })));
    }
}
