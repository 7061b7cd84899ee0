//! Jupyter notebooks (nbformat 3 and 4): the Markdown in them, as one page.
//!
//! Code and what it printed are left out: a reader asks what is to be handed in, not how a plot was drawn.

use campanile_corpus::Document;

use crate::anchors::AnchorRule;
use crate::json::{Json, parse};
use crate::report::Report;
use crate::{Trouble, markdown};

pub(crate) fn read(path: &str, source: &str) -> Result<(Document, Report), Trouble> {
    let notebook = parse(source)?;
    let mut page = String::new();
    for cell in cells(&notebook) {
        if matches!(text(cell, "cell_type").as_str(), "markdown" | "heading") {
            let source = text(cell, "source");
            // In the third format headings were cells of their own.
            let level = text(cell, "level").parse::<usize>().unwrap_or(0).min(6);
            page.push_str(&"#".repeat(level));
            page.push_str(if level > 0 { " " } else { "" });
            page.push_str(&source);
            page.push_str("\n\n");
        }
    }
    markdown::read(path, &page, AnchorRule::default())
}

/// The cells of a notebook; of one in the third format those of its sheets.
fn cells(notebook: &Json) -> Vec<&Json> {
    let own = list(notebook, "cells");
    if !own.is_empty() {
        return own;
    }
    list(notebook, "worksheets").into_iter().flat_map(|sheet| list(sheet, "cells")).collect()
}

fn field<'a>(value: &'a Json, name: &str) -> Option<&'a Json> {
    match value {
        Json::Object(fields) => fields.iter().find(|(own, _)| own == name).map(|(_, value)| value),
        _ => None,
    }
}

fn list<'a>(value: &'a Json, name: &str) -> Vec<&'a Json> {
    match field(value, name) {
        Some(Json::List(values)) => values.iter().collect(),
        _ => Vec::new(),
    }
}

/// A text, or its lines as they are kept.
fn text(value: &Json, name: &str) -> String {
    match field(value, name) {
        Some(Json::Text(text)) => text.clone(),
        Some(Json::List(lines)) => {
            let line = |line: &Json| match line {
                Json::Text(text) => text.clone(),
                _ => String::new(),
            };
            lines.iter().map(line).collect()
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail")]

    use crate::read_bytes;

    fn text(source: &str) -> String {
        let reading = read_bytes("a/lab.ipynb", source.as_bytes(), &Default::default()).unwrap();
        let document = &reading.documents[0];
        format!("{}: {}", document.title, document.text)
    }

    #[test]
    fn the_markdown_of_a_notebook_is_a_page() {
        let cell = |kind: &str, source: &str| {
            format!(r#"{{"cell_type":"{kind}","metadata":{{}},"source":{source}}}"#)
        };
        let cells = [
            cell("markdown", r##"["# Lab\n","\n","Due on 17 June."]"##),
            cell("code", r#""v = 4.5""#),
            cell("markdown", r###""## Tools\nBring a *card*.""###),
            cell("raw", r#""not this""#),
        ];
        let expected = "Lab: Lab\n\nDue on 17 June.\n\nTools\n\nBring a card.";
        assert_eq!(text(&format!(r#"{{"cells":[{}],"nbformat":4}}"#, cells.join(","))), expected);
        let old = r#"{"worksheets":[{"cells":[{"cell_type":"heading","level":1,"source":["Lab"]},{"cell_type":"markdown","source":["Due."]}]}],"nbformat":3}"#;
        assert_eq!(text(old), "Lab: Lab\n\nDue.");
        assert!(read_bytes("a.ipynb", b"{", &Default::default()).is_err());
        assert_eq!(read_bytes("a.ipynb", b"[]", &Default::default()).unwrap().findings.len(), 1);
    }
}
