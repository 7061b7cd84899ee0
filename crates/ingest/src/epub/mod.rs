//! E-books (EPUB 2 and 3): a zip file of pages, and a package that says in which order they are read.
//!
//! The pages of the spine are put together and read as one page of HTML, so that a note in a file of its own stands behind what
//! refers to it. The navigation says how deep each file lies in the book, and names those without a heading. The printed table of
//! contents is left out, as in a PDF; numbers of printed pages are too. Sources cannot open a book at a place, so its sections have no
//! anchors.

mod contents;
mod package;
mod page;
#[cfg(test)]
mod tests;

use campanile_corpus::Document;

use crate::assemble::{Assembler, title_from_path};
use crate::html::{self, Layout};
use crate::report::Report;
use crate::sanitize::clean_line;
use crate::{IngestOptions, Trouble};
use contents::Contents;
use package::Book;
use page::Files;

pub(crate) fn read(
    path: &str,
    bytes: &[u8],
    options: &IngestOptions,
) -> Result<(Document, Report), Trouble> {
    let mut book = Book::open(bytes, options).map_err(of_a_book)?;
    let contents = Contents::of(&mut book).map_err(of_a_book)?;
    let mut assembler = Assembler::default();
    let files = Files::of(&book);
    let mut pages = String::from("<html><body>");
    for (number, file) in book.spine.clone().iter().enumerate() {
        if contents.is_printed(file) {
            assembler.report.contents_lines += contents.entries.len();
            continue;
        }
        let source = book.text(file).map_err(of_a_book)?;
        let place = contents.place(file);
        pages.push_str(&files.page(number, file, &source, place, &mut assembler.report)?);
    }
    pages.push_str("</body></html>");
    let mut page = html::parse(&pages)?;
    let numbers = html::list_numbers(&page);
    html::move_notes(&mut page);
    html::write_numbers(&mut page, numbers, Layout::Text);
    html::read_into(&mut assembler, &page, Layout::Text);
    let stated = book.title.take().map(|title| clean_line(&title, &mut assembler.report));
    let title = stated
        .filter(|title| !title.is_empty())
        .or_else(|| assembler.first_title().map(str::to_owned))
        .unwrap_or_else(|| title_from_path(path));
    let metadata = std::mem::take(&mut book.metadata);
    let (mut document, report) = assembler.finish(path, title, None, metadata);
    document.links.retain(|link| !link.target.starts_with('#'));
    for section in &mut document.sections {
        section.anchor = None;
    }
    Ok((document, report))
}

/// The package is opened as those of office documents are.
fn of_a_book(trouble: Trouble) -> Trouble {
    match trouble {
        Trouble::Malformed { format: "office", reason } => Trouble::malformed("EPUB", reason),
        other => other,
    }
}
