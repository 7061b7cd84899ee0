//! PDF files.
//!
//! A PDF says where each glyph stands, and little else. So the text is put together from what the
//! page shows, in steps that each know only the one before:
//!
//! 1. `collect` watches an interpreter draw the page and notes glyphs, rules, grounds and images
//!    (`ink`); what a reader of the page cannot see, or sees struck out (`struck`), is set aside and
//!    reported. `fonts` and `codes` say what a glyph is where the file does not.
//! 2. `formulas` puts fractions and sums onto their lines; `words` and `lines` group glyphs by the gaps between them (`spacing`), raised figures with the
//!    word that they stand at (`marks`), an initial with its word (`initials`); `margin` takes off the
//!    numbers of lines, `gutters` parts lines of neighbouring columns.
//! 3. `furniture` takes off what is on every page, `contents` printed lists of contents, `overlays`
//!    the steps of a slide but the last.
//! 4. `tables` takes out what rules draw; `panels`, `side_notes` and `beside` what is beside the text;
//!    `columns` puts the rest in the order of reading, `notes` those at the foot after what refers to
//!    them. Tables without rules are found in each column.
//! 5. `paragraphs` joins lines, mends hyphens and goes on over columns and pages; `captions` go to
//!    their tables.
//! 6. Tags (`structure`), bookmarks (`catalog`) and contents tell `headings` what is one, and of which
//!    level; `markers` finds lists; `attachments` are named.

mod attachments;
mod beside;
mod captions;
mod catalog;
mod codes;
mod collect;
mod columns;
mod contents;
mod fonts;
mod formulas;
mod furniture;
mod gutters;
mod headings;
mod initials;
mod ink;
mod letters;
mod lines;
mod margin;
mod markers;
mod marks;
mod notes;
#[cfg(feature = "ocr")]
mod ocr;
mod overlays;
mod pages;
mod panels;
mod paragraphs;
mod side_notes;
mod spacing;
mod struck;
mod structure;
mod tables;
mod text;
mod words;

use campanile_corpus::Document;
use hayro_syntax::{DecryptionError, LoadPdfError, Pdf};

use crate::assemble::{Assembler, PageBreak, title_from_path};
use crate::inline::single_spaced;
use crate::report::Report;
use crate::{IngestOptions, Ocr, Trouble};
use headings::{Clues, Levels};
use pages::Leaf;
use text::Part;

pub(crate) fn read(
    path: &str,
    bytes: &[u8],
    options: &IngestOptions,
) -> Result<(Document, Report), Trouble> {
    let pdf = open(bytes)?;
    let total = pdf.pages().len();
    let limit = usize::try_from(options.max_pages).unwrap_or(usize::MAX);
    let mut leaves = pages::leaves(&pdf, limit);
    let count = leaves.len();
    let mut assembler = Assembler::default();
    if let Some(ocr) = &options.ocr {
        read_pictures(&pdf, &mut leaves, ocr, &mut assembler.report)?;
    }
    let labels = catalog::labels(&pdf, count);
    assembler.report.steps_left_out += overlays::leave_out_steps(&mut leaves, &labels);
    assembler.report.files_within.extend(attachments::names(&pdf, count));
    note(&mut assembler.report, &leaves, total, is_cut_short(bytes));
    let bookmarks = catalog::bookmarks(&pdf);
    let text::Text { mut parts, removed, contents: printed } =
        text::text(leaves, &labels, &bookmarks);
    // Before headings are looked for: it names them, and its own lines look like some.
    let contents = furniture::take_contents(&mut parts);
    for (sign, text) in &removed.rows {
        assembler.report.line_left_out(*sign, text);
    }
    assembler.report.contents_lines += printed.lines + contents.lines;
    let titles = printed.titles.into_iter().chain(contents.titles).collect();
    let clues = Clues { bookmarks, contents: titles };
    let levels = headings::headings(&mut parts, &clues);

    let info = pdf.metadata();
    let title = catalog::title(info, &mut assembler.report)
        .or_else(|| largest_heading(&parts, &levels))
        .unwrap_or_else(|| title_from_path(path));
    let metadata = catalog::metadata(info, total, &mut assembler.report);
    assemble(&mut assembler, parts, &levels, &labels);
    Ok(assembler.finish(path, title, None, metadata))
}

fn open(bytes: &[u8]) -> Result<Pdf, Trouble> {
    // Junk may come before the header, but not much of it.
    let head = bytes.get(..bytes.len().min(2_000)).unwrap_or_default();
    if !head.windows(5).any(|window| window == b"%PDF-") {
        return Err(Trouble::DamagedPdf);
    }
    let pdf = Pdf::new(bytes.to_vec()).map_err(|error| match error {
        LoadPdfError::Decryption(
            DecryptionError::PasswordProtected | DecryptionError::MissingIDEntry,
        ) => Trouble::Encrypted,
        LoadPdfError::Decryption(_) => Trouble::UnknownEncryption,
        LoadPdfError::Invalid => Trouble::DamagedPdf,
    })?;
    if pdf.pages().is_empty() {
        return Err(Trouble::NoPages);
    }
    Ok(pdf)
}

/// Returns `true` if the mark at the end of every PDF is missing.
fn is_cut_short(bytes: &[u8]) -> bool {
    let end = bytes.get(bytes.len().saturating_sub(2_000)..).unwrap_or_default();
    !end.windows(5).any(|window| window == b"%%EOF")
}

/// Without what draws a page, one that is a picture is an error where the settings say that it is to be read.
#[cfg(not(feature = "ocr"))]
fn read_pictures(_: &Pdf, leaves: &mut [Leaf], _: &Ocr, _: &mut Report) -> Result<(), Trouble> {
    match leaves.iter().any(|leaf| leaf.is_picture) {
        true => Err(Trouble::OcrNotCompiled),
        false => Ok(()),
    }
}

/// Reads the pages that are pictures, and reports how many those are and what could not be made out.
#[cfg(feature = "ocr")]
fn read_pictures(
    pdf: &Pdf,
    leaves: &mut [Leaf],
    options: &Ocr,
    report: &mut Report,
) -> Result<(), Trouble> {
    for (index, (leaf, page)) in leaves.iter_mut().zip(pdf.pages().iter()).enumerate() {
        if !leaf.is_picture {
            continue;
        }
        let ocr::Text { pieces, unclear } = ocr::text(page, options).map_err(|fault| {
            let (page, command) = (page_number(index), options.command.clone());
            match fault {
                ocr::Fault::Missing => Trouble::OcrMissing(command),
                ocr::Fault::Failed(reason) => Trouble::OcrFailed { page, command, reason },
            }
        })?;
        unclear.iter().for_each(|word| report.unclear_word(word));
        // A picture without words stays one.
        if !pieces.is_empty() {
            leaf.is_picture = false;
            leaf.pieces.extend(pieces);
            report.pages_by_ocr += 1;
        }
    }
    Ok(())
}

/// Reports what was not read, or not for what it is.
fn note(report: &mut Report, leaves: &[Leaf], total: usize, is_cut_short: bool) {
    for (index, leaf) in leaves.iter().enumerate() {
        for piece in &leaf.hidden {
            report.hidden(piece);
        }
        for words in &leaf.struck {
            report.struck(words);
        }
        for words in &leaf.slanted {
            report.slanted(words);
        }
        report.line_numbers += leaf.line_numbers;
        if leaf.is_picture {
            report.picture_pages.push(page_number(index));
        }
        report.dropped_links.extend(leaf.dropped.iter().cloned());
        report.unknown_letters += leaf.unknown_glyphs;
    }
    report.is_cut_short = is_cut_short;
    if leaves.len() < total {
        report.pages_left_out = Some((leaves.len(), total));
    }
}

fn page_number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX).saturating_add(1)
}

/// The heading of the first page that stands out most.
fn largest_heading(parts: &[Part], levels: &Levels) -> Option<String> {
    let headings = parts.iter().zip(levels).filter_map(|(part, level)| match part {
        Part::Paragraph(paragraph) if level.is_some() && paragraph.page == 0 => Some(paragraph),
        _ => None,
    });
    // Backwards, as `max_by` keeps the last of equals: of two as large the first is the title.
    let largest = headings.rev().max_by(|a, b| a.size.total_cmp(&b.size))?;
    let title = single_spaced(&largest.text.text);
    Some(title).filter(|title| title.contains(char::is_alphabetic))
}

/// Lays the parts out page by page.
fn assemble(
    assembler: &mut Assembler,
    parts: Vec<Part>,
    levels: &Levels,
    labels: &[Option<String>],
) {
    let kinds = markers::block_kinds(&parts, levels);
    let mut described = parts.into_iter().zip(levels).zip(kinds).peekable();
    let label = |page: usize| labels.get(page).cloned().flatten();
    // A table that goes on over pages has begun them by itself.
    let mut begun = 0;
    for page in 0..labels.len() {
        if page >= begun {
            assembler.page(page_number(page), label(page));
            begun = page + 1;
        }
        while let Some(((part, level), kind)) =
            described.next_if(|((part, _), _)| part.page() <= page)
        {
            match part {
                Part::Table(table) => {
                    let breaks = table.page_breaks.iter().map(|(row, page)| PageBreak {
                        row: *row,
                        number: page_number(*page),
                        label: label(*page),
                    });
                    let last = table.page_breaks.last().map_or(0, |(_, page)| page + 1);
                    assembler.table_over_pages(table.draft, breaks.collect());
                    begun = begun.max(last);
                }
                Part::Paragraph(paragraph) => match level {
                    Some(level) => assembler.heading(*level, paragraph.text, None),
                    None => assembler.block(kind, markers::without_bullet(paragraph.text)),
                },
            }
        }
    }
}
