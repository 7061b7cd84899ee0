//! Captions of tables as Pandoc and Quarto write them: `: Fees of the desk {#tbl-fees}` above or below the table.

const PARAGRAPH: &str = "<p>";
const PARAGRAPH_END: &str = "</p>\n";
/// The beginnings of a paragraph that is a caption.
const MARKS: &[&str] = &[": ", "Table: "];
const TABLE: &str = "<table>";
const TABLE_END: &str = "</table>\n";
/// The longest caption, in bytes, so that a page of beginnings alone is not searched again and again.
const LONGEST: usize = 2_000;

/// The page with the captions of its tables within the tables.
pub(super) fn within_tables(page: String) -> String {
    if !page.contains(TABLE) || !page.contains(": ") {
        return page;
    }
    let mut out = String::with_capacity(page.len() + 64);
    let mut rest = page.as_str();
    while let Some(at) = rest.find(PARAGRAPH) {
        let (before, here) = rest.split_at(at);
        out.push_str(before);
        rest = match caption(here) {
            Some((caption, behind)) if out.ends_with(TABLE_END) => {
                out.truncate(out.len() - TABLE_END.len());
                out.extend(["<caption>", caption, "</caption>", TABLE_END]);
                behind
            }
            Some((caption, behind)) if behind.starts_with(TABLE) => {
                out.extend([TABLE, "<caption>", caption, "</caption>"]);
                behind.get(TABLE.len()..).unwrap_or_default()
            }
            _ => {
                out.push_str(PARAGRAPH);
                here.get(PARAGRAPH.len()..).unwrap_or_default()
            }
        };
    }
    out.push_str(rest);
    out
}

/// The caption that a paragraph is, and what stands behind it.
fn caption(paragraph: &str) -> Option<(&str, &str)> {
    let inner = paragraph.strip_prefix(PARAGRAPH)?;
    let words = MARKS.iter().find_map(|mark| inner.strip_prefix(mark))?;
    let window = words.get(..words.floor_char_boundary(LONGEST))?;
    let (words, behind) = words.split_at(window.find(PARAGRAPH_END)?);
    Some((without_attributes(words), behind.strip_prefix(PARAGRAPH_END)?))
}

/// `Fees {#tbl-fees}` without its braces.
fn without_attributes(words: &str) -> &str {
    let words = words.trim();
    match words.rsplit_once('{') {
        Some((caption, inner)) if inner.ends_with('}') => caption.trim_end(),
        _ => words,
    }
}

#[cfg(test)]
mod tests {
    use crate::read_bytes;

    #[test]
    fn a_caption_belongs_to_its_table() {
        let table = "| Boat | Fee |\n|---|---|\n| Gull | 5 |";
        for (name, source) in [
            (
                "below",
                format!(
                    "{table}\n\n: Hire of *boats* {{#tbl-hire .striped tbl-colwidths=\"[60,40]\"}}\n\nThen."
                ),
            ),
            ("above", format!("Table: Hire of *boats*\n\n{table}\n\nThen.")),
        ] {
            let reading = read_bytes("a.qmd", source.as_bytes(), &Default::default());
            let document = reading.ok().and_then(|mut reading| reading.documents.pop());
            let document = document.unwrap_or_default();
            assert!(document.text.starts_with("Hire of boats"), "{name}: {}", document.text);
            assert!(
                document.text.ends_with("Boat: Gull; Fee: 5\n\nThen."),
                "{name}: {}",
                document.text
            );
        }
        let reading =
            read_bytes("a.md", b": not a caption\n\nText\n\nTable: none", &Default::default());
        let document = reading.ok().and_then(|mut reading| reading.documents.pop());
        assert_eq!(document.unwrap_or_default().text, ": not a caption\n\nText\n\nTable: none");
    }
}
