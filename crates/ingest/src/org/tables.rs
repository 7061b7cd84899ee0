//! Tables between bars.

use super::Reader;

/// Cells that say how a column is set, or that its rows are one group.
fn is_setting(cell: &str) -> bool {
    matches!(cell, "<" | ">" | "<>" | "/")
        || cell.strip_prefix('<').and_then(|cell| cell.strip_suffix('>')).is_some_and(|look| {
            !look.is_empty()
                && look
                    .trim_start_matches(['l', 'c', 'r'])
                    .bytes()
                    .all(|byte| byte.is_ascii_digit())
        })
}

impl Reader {
    pub(super) fn table(&mut self, lines: &[&str], caption: Option<String>) -> String {
        let is_row = |line: &&&str| line.trim_start().starts_with('|');
        let rows: Vec<&str> = lines.iter().filter(is_row).map(|line| line.trim()).collect();
        let is_rule = |line: &str| line.starts_with("|-");
        // Rows above the first rule are the head, where rows stand below it.
        let first = rows.iter().position(|row| !is_rule(row)).unwrap_or(0);
        let rule = rows.iter().skip(first).position(|row| is_rule(row)).map(|at| at + first);
        let head =
            rule.filter(|rule| rows.iter().skip(*rule).any(|row| !is_rule(row))).unwrap_or(0);
        let mut out = String::from("<table>");
        out.extend(caption.map(|caption| format!("<caption>{caption}</caption>")));
        for (number, row) in rows.iter().enumerate().filter(|(_, row)| !is_rule(row)) {
            let cells: Vec<&str> = cells(row);
            let filled = || cells.iter().filter(|cell| !cell.is_empty());
            if filled().count() > 0 && filled().all(|cell| is_setting(cell)) {
                continue;
            }
            let is_head = number < head;
            let name = if is_head { "th" } else { "td" };
            out.push_str(if is_head { "<thead><tr>" } else { "<tr>" });
            for cell in cells {
                out.push_str(&format!("<{name}>{}</{name}>", self.inline(cell)));
            }
            out.push_str(if is_head { "</tr></thead>\n" } else { "</tr>\n" });
        }
        out.push_str("</table>\n");
        out
    }
}

/// The cells of `| a | b |`. A bar itself is written `\vert`.
fn cells(row: &str) -> Vec<&str> {
    let inner = row.strip_prefix('|').unwrap_or(row);
    inner.strip_suffix('|').unwrap_or(inner).split('|').map(str::trim).collect()
}
