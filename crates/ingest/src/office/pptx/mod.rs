//! PowerPoint presentations (ECMA-376, part 1, chapters 19 and 21).

mod places;
mod shapes;

use std::collections::BTreeMap;

use campanile_corpus::Document;

use super::chart::charts;
use super::flow::{Flow, Slide};
use super::package::{Package, Relationships};
use super::properties::Properties;
use super::xml::Element;
use crate::Trouble;
use crate::report::Report;
use places::{Frame, Layouts};
use shapes::Shapes;

pub(super) fn read(
    path: &str,
    package: &mut Package<'_>,
    main: &str,
) -> Result<(Document, Report), Trouble> {
    let mut report = Report::default();
    let root = package.required(main)?;
    let links = Relationships::of(package, main)?;
    let size = root.child("p:sldSz");
    let length = |name: &str, usual: i64| {
        size.and_then(|size| size.number(name)).filter(|length| *length > 0).unwrap_or(usual)
    };
    // 10 by 7.5 inches, in English Metric Units, where nothing is stated.
    let (width, height) = (length("cx", 9_144_000), length("cy", 6_858_000));
    let mut deck = Deck {
        package,
        layouts: Layouts::default(),
        size: Frame { x: 0, y: 0, width, height },
        flow: Flow::default(),
    };
    let first: u32 = root.number("firstSlideNum").unwrap_or(1);
    let ids = root.child("p:sldIdLst").into_iter().flat_map(Element::elements);
    // Hidden slides count too, as in the program.
    for (number, id) in (1_u32..).zip(ids) {
        let Some(part) = id.attribute("r:id").and_then(|id| links.part(id)) else {
            continue;
        };
        let Some(root) = deck.package.xml(part)? else {
            continue;
        };
        let mut slide = deck.slide(part, &root)?;
        if matches!(root.attribute("show"), Some("0" | "false")) {
            slide.hide(deck.flow.report());
            continue;
        }
        slide.number = number;
        slide.label = (first != 1).then(|| first.saturating_add(number - 1).to_string());
        slide.write(&mut deck.flow, height);
    }
    let flow = deck.flow;
    let properties = Properties::of_package(package, &mut report)?;
    let (document, noticed) = properties.finish(path, flow);
    report.absorb(noticed);
    Ok((document, report))
}

struct Deck<'a, 'b> {
    package: &'a mut Package<'b>,
    layouts: Layouts,
    size: Frame,
    flow: Flow,
}

impl Deck<'_, '_> {
    /// Reads what one slide shows, with its notes.
    fn slide(&mut self, part: &str, root: &Element) -> Result<Slide, Trouble> {
        let package = &mut *self.package;
        let links = Relationships::of(package, part)?;
        let inherited = self.layouts.of(package, &links)?;
        let parts = (diagrams(package, &links)?, charts(package, &links)?);
        let report = self.flow.report();
        let mut shapes = Shapes::new(&links, &inherited, parts, self.size, report);
        if let Some(tree) = root.descend(&["p:cSld", "p:spTree"]) {
            shapes.read(tree);
        }
        let mut slide = shapes.finish();
        if let Some(part) = links.first("notesSlide")
            && let Some(notes) = package.xml(part)?
        {
            let links = Relationships::of(package, part)?;
            slide.notes = shapes::notes(&notes, &links, report);
        }
        for part in links.parts("comments") {
            if let Some(comments) = package.xml(part)? {
                report.comments += comments.elements().count();
            }
        }
        Ok(slide)
    }
}

/// The parts with the words of a slide's diagrams, by name.
fn diagrams(
    package: &mut Package<'_>,
    links: &Relationships,
) -> Result<BTreeMap<String, Element>, Trouble> {
    let mut found = BTreeMap::new();
    for part in links.parts("diagramData") {
        if let Some(root) = package.xml(part)? {
            found.insert(part.to_owned(), root);
        }
    }
    Ok(found)
}
