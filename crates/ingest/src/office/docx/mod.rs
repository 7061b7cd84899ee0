//! Word documents (ECMA-376, part 1, chapter 17).

mod blocks;
mod numbering;
mod runs;
mod styles;
mod tables;

use std::collections::BTreeMap;

use campanile_corpus::Document;

use super::bold_lines::BoldLines;
use super::chart::charts;
use super::flow::Flow;
use super::package::{Package, Relationships};
use super::properties::Properties;
use super::xml::Element;
use crate::Trouble;
use crate::report::Report;
use numbering::{Counters, Numbering};
use runs::Fields;
use styles::Styles;

pub(super) fn read(
    path: &str,
    package: &mut Package<'_>,
    main: &str,
) -> Result<(Document, Report), Trouble> {
    let mut report = Report::default();
    let root = package.required(main)?;
    let links = Relationships::of(package, main)?;
    let mut part = |kind: &str| match links.first(kind) {
        Some(name) => package.xml(name),
        None => Ok(None),
    };
    let styles = Styles::of(part("styles")?.as_ref());
    let numbering = Numbering::of(part("numbering")?.as_ref(), &styles);
    let (footnotes, endnotes) = (part("footnotes")?, part("endnotes")?);
    let note_links = [
        relationships(package, links.first("footnotes"))?,
        relationships(package, links.first("endnotes"))?,
    ];
    let charts = charts(package, &links)?;
    let properties = Properties::of_package(package, &mut report)?;

    let mut reader = Reader {
        styles: &styles,
        numbering: &numbering,
        notes: notes([footnotes.as_ref(), endnotes.as_ref()]),
        note_links: &note_links,
        charts: charts.iter().map(|(part, chart)| (part.as_str(), chart)).collect(),
        links: &links,
        counters: Counters::default(),
        fields: Fields::of(&root),
        after: Vec::new(),
        bold_lines: BoldLines::default(),
        is_below_heading: false,
        // On a page of another colour white text is seen.
        is_shaded: root.child("w:background").is_some(),
        flow: Flow::default(),
    };
    if let Some(body) = root.child("w:body") {
        reader.bold_lines = reader.bold_lines_of(body);
        reader.blocks(body);
    }
    let (document, noticed) = properties.finish(path, reader.flow);
    report.absorb(noticed);
    Ok((document, report))
}

fn relationships(package: &mut Package<'_>, part: Option<&str>) -> Result<Relationships, Trouble> {
    part.map_or(Ok(Relationships::default()), |part| Relationships::of(package, part))
}

fn notes(parts: [Option<&Element>; 2]) -> BTreeMap<(usize, &str), &Element> {
    // Footnotes and endnotes have ids of their own.
    let parts = parts.into_iter().enumerate();
    let notes = parts.flat_map(|(part, root)| {
        let notes = root.into_iter().flat_map(Element::elements);
        notes.filter_map(move |note| Some(((part, note.attribute("w:id")?), note)))
    });
    notes.collect()
}

/// Walks the body and what hangs on it.
struct Reader<'a> {
    styles: &'a Styles,
    numbering: &'a Numbering,
    /// The notes that no paragraph referred to yet, by part (footnotes, endnotes) and id.
    notes: BTreeMap<(usize, &'a str), &'a Element>,
    /// The addresses in each of their parts.
    note_links: &'a [Relationships; 2],
    /// The charts that were not read yet, by their parts.
    charts: BTreeMap<&'a str, &'a Element>,
    /// The addresses in the part that is being read.
    links: &'a Relationships,
    counters: Counters,
    fields: Fields,
    /// The blocks that stand behind the paragraph or table that is being read.
    after: Vec<After<'a>>,
    /// What a bold line of the body means: a heading, where there are no others, or one above them all.
    bold_lines: BoldLines,
    /// A heading by its style has been read: bold lines are headings below it.
    is_below_heading: bool,
    /// `true` if the ground is not known to be white: white text may be seen.
    is_shaded: bool,
    flow: Flow,
}

/// Blocks that hang on a paragraph.
#[derive(Clone, Copy)]
enum After<'a> {
    TextBox(&'a Element),
    Chart(&'a Element),
    /// The number of the notes' part, and the note.
    Note(usize, &'a Element),
}

impl Reader<'_> {
    fn report(&mut self) -> &mut Report {
        self.flow.report()
    }
}

/// Returns `true` if a switch (`w:vanish`, `w:b`) is on; it is unless it says otherwise.
fn is_on(switch: &Element) -> bool {
    !matches!(switch.attribute("w:val"), Some("0" | "false" | "off"))
}
