//! Ours beside Pagefind: what `benches/pagefind/compare.js` found, as a table.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use super::machine::Machine;
use super::report::write_section;

/// The rows, one a side.
pub struct Table(Value);

impl Table {
    /// Reads what the script wrote.
    pub fn read(path: &Path) -> Result<Self> {
        let text =
            fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok(Self(serde_json::from_str(&text).with_context(|| format!("in {}", path.display()))?))
    }

    /// For terminal and document.
    pub fn markdown(&self) -> String {
        let mut text = String::from(
            "| side | kB until the first result | kB more for meaning | whole sentences | keywords |\n\
             |---|---|---|---|---|\n",
        );
        let all = &self.0["questions"];
        for row in self.0["rows"].as_array().into_iter().flatten() {
            let name = row["name"].as_str().unwrap_or_default();
            let kilobytes = |key: &str| {
                row[key].as_f64().map_or_else(String::new, |bytes| format!("{:.0}", bytes / 1e3))
            };
            let found = |key: &str| match row[key].as_u64() {
                Some(right) => format!("{right} of {all}"),
                None => String::new(),
            };
            let _ = writeln!(
                text,
                "| {name} | {} | {} | {} | {} |",
                kilobytes("bytes_until_first_result"),
                kilobytes("encoder_bytes"),
                found("hit@5, sentence"),
                found("hit@5, keywords")
            );
        }
        text
    }

    /// Replaces the table in the document.
    pub fn write_into(&self, root: &Path, machine: &Machine) -> Result<()> {
        let chromium = self.0["chromium"].as_str().unwrap_or("of an unknown version");
        let section = format!(
            "\n`cargo xtask bench search pagefind` on {}; Chromium {chromium}, Pagefind 1.6.0.\n\n{}\n",
            machine.line(),
            self.markdown()
        );
        write_section(root, "pagefind", &section)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_says_bytes_and_questions() {
        let rows = serde_json::json!({ "questions": 48, "rows": [
            { "name": "ours", "bytes_until_first_result": 612_345, "encoder_bytes": 0,
              "hit@5, sentence": 36, "hit@5, keywords": 35 }] });
        let table = Table(rows).markdown();
        assert!(table.contains("| ours | 612 | 0 | 36 of 48 | 35 of 48 |"), "{table}");
    }
}
