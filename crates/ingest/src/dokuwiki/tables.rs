//! Tables: `^ Item ^ Fee ^` and `| Key | EUR 25 |`, with cells over several columns (`||`) and rows (`:::`).

use super::inline::{Inlines, bracketed};

/// A cell as it is written.
struct Cell<'a> {
    is_header: bool,
    text: &'a str,
    column: usize,
    columns: usize,
    rows: usize,
}

pub(super) fn rendered(lines: &[&str], inlines: &mut Inlines<'_>) -> String {
    let mut rows: Vec<Vec<Cell<'_>>> = Vec::with_capacity(lines.len());
    // For each column the row and the place of the cell above, so that `:::` finds what it goes on with.
    let mut above: Vec<(usize, usize)> = Vec::new();
    for line in lines {
        let mut row: Vec<Cell<'_>> = Vec::new();
        let number = rows.len();
        for (column, (is_header, raw)) in cells(line).into_iter().enumerate() {
            if above.len() <= column {
                above.push((usize::MAX, 0));
            }
            if raw.trim() == ":::" {
                let cell =
                    above.get(column).and_then(|(row, place)| rows.get_mut(*row)?.get_mut(*place));
                // One that is wider says so in its first column alone.
                if let Some(cell) = cell.filter(|cell| cell.column == column) {
                    cell.rows += 1;
                }
            } else if raw.is_empty()
                && row.last().is_some_and(|last| last.column + last.columns == column)
            {
                if let Some(last) = row.last_mut() {
                    last.columns += 1;
                }
                let place = (number, row.len() - 1);
                above[column] = place;
            } else {
                above[column] = (number, row.len());
                row.push(Cell { is_header, text: raw.trim(), column, columns: 1, rows: 1 });
            }
        }
        rows.push(row);
    }
    written(&rows, inlines)
}

fn written(rows: &[Vec<Cell<'_>>], inlines: &mut Inlines<'_>) -> String {
    let is_head = |row: &Vec<Cell<'_>>| row.iter().all(|cell| cell.is_header);
    let heads = rows.iter().take_while(|row| is_head(row)).count();
    // A table of heads alone has none.
    let heads = if heads < rows.len() { heads } else { 0 };
    let mut out = String::from("<table>\n");
    for (number, row) in rows.iter().enumerate() {
        if number == 0 && heads > 0 {
            out.push_str("<thead>\n");
        }
        if number == heads && heads > 0 {
            out.push_str("</thead>\n");
        }
        out.push_str("<tr>");
        for cell in row {
            let name = if cell.is_header { "th" } else { "td" };
            out.extend(["<", name]);
            if cell.columns > 1 {
                out.push_str(&format!(" colspan={}", cell.columns));
            }
            if cell.rows > 1 {
                out.push_str(&format!(" rowspan={}", cell.rows));
            }
            let text = inlines.rendered(cell.text);
            out.extend([">", text.as_str(), "</", name, ">"]);
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</table>\n");
    out
}

/// The cells of a line: whether each is a heading's, and what stands in it with the spaces around it.
fn cells(line: &str) -> Vec<(bool, &str)> {
    let mut found: Vec<(bool, &str)> = Vec::new();
    let line = line.trim_end();
    let mut begun: Option<(bool, usize)> = None;
    let mut at = 0;
    while let Some(rest) = line.get(at..).filter(|rest| !rest.is_empty()) {
        // A stroke in a link or a note belongs to it.
        if let Some(length) = bracketed(rest) {
            at += length;
            continue;
        }
        let Some(sign) = rest.chars().next() else { break };
        if matches!(sign, '^' | '|') {
            if let Some((is_header, start)) = begun {
                found.push((is_header, line.get(start..at).unwrap_or_default()));
            }
            begun = Some((sign == '^', at + 1));
        }
        at += sign.len_utf8();
    }
    // A row need not be closed.
    let last = begun.and_then(|(is_header, start)| Some((is_header, line.get(start..)?)));
    found.extend(last.filter(|(_, text)| !text.trim().is_empty()));
    found
}
