//! Files of JSON values, one a line.

use serde::de::DeserializeOwned;

/// Reads the values of all lines but the empty ones. `wrong` makes the error of a line, given its number from 1, that is no such value.
pub fn read<T: DeserializeOwned, E>(
    text: &str,
    wrong: impl Fn(usize, serde_json::Error) -> E,
) -> Result<Vec<T>, E> {
    let lines = (1..).zip(text.lines()).filter(|(_, content)| !content.trim().is_empty());
    lines
        .map(|(line, content)| serde_json::from_str(content).map_err(|source| wrong(line, source)))
        .collect()
}
