//! A drawing with all that belongs to it.

use std::fmt::Write as _;

use super::Drawing;
use super::svg::escaped;

/// A drawing, what it shows in words, and its numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// Unique on its page.
    pub id: String,
    /// The title: what is shown.
    pub title: String,
    /// The drawing in words, for those who do not see it.
    pub description: String,
    /// The caption: how to read it.
    pub caption: String,
    /// The drawing.
    pub drawing: Drawing,
    /// The numbers.
    pub table: Table,
}

/// Numbers under headings; the first columns name the row.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Table {
    /// A heading for each column.
    pub head: Vec<String>,
    /// As many cells as there are headings.
    pub rows: Vec<Vec<String>>,
    /// The number of columns that name the row, at least one.
    pub names: usize,
}

impl Figure {
    /// The figure as HTML.
    pub fn html(&self) -> String {
        let Self { id, title, description, caption, drawing, table } = self;
        let Drawing { width, height, content } = drawing;
        let [id, title, description, caption] =
            [id, title, description, caption].map(|text| escaped(text));
        format!(
            "<figure id=\"{id}\"><h4>{title}</h4>\
             <svg class=\"plot\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-labelledby=\"{id}-title {id}-text\">\
             <title id=\"{id}-title\">{title}</title><desc id=\"{id}-text\">{description}</desc>{content}</svg>\
             <figcaption>{caption}</figcaption>\
             <details class=\"numbers\"><summary>The numbers<span class=\"aside\">: {title}</span></summary>\
             <div class=\"wide\">{}</div></details></figure>\n",
            table.html(&title)
        )
    }
}

impl Table {
    fn html(&self, caption: &str) -> String {
        let mut text = format!("<table><caption class=\"aside\">{caption}</caption><thead><tr>");
        // Writing to a string does not fail.
        for (column, head) in self.head.iter().enumerate() {
            let _ = write!(text, "<th scope=\"col\"{}>{}</th>", self.class(column), escaped(head));
        }
        text.push_str("</tr></thead><tbody>");
        for row in &self.rows {
            text.push_str("<tr>");
            for (column, cell) in row.iter().enumerate() {
                let cell = escaped(cell);
                let _ = match column {
                    0 => write!(text, "<th scope=\"row\">{cell}</th>"),
                    _ => write!(text, "<td{}>{cell}</td>", self.class(column)),
                };
            }
            text.push_str("</tr>");
        }
        text.push_str("</tbody></table>");
        text
    }

    /// Numbers stand to the right.
    fn class(&self, column: usize) -> &'static str {
        if column < self.names.max(1) { "" } else { " class=\"n\"" }
    }
}
