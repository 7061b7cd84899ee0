//! The parts of an Excel workbook, for what its cells do not tell by themselves.

use std::collections::BTreeMap;

use super::package::{Package, Relationships};
use super::sheet_drawings::Drawn;
use super::xml::Element;
use crate::decode::decode;
use crate::{IngestOptions, Trouble};

/// A workbook as its parts.
pub(crate) struct WorkbookParts<'a> {
    package: Package<'a>,
    /// The part of each sheet, by the sheet's name.
    sheets: BTreeMap<String, String>,
    shared_strings: Option<String>,
    /// The file asks the program that opens it to calculate all formulas: whoever wrote it has not.
    pub(crate) is_uncalculated: bool,
}

impl<'a> WorkbookParts<'a> {
    pub(crate) fn open(bytes: &'a [u8], options: &IngestOptions) -> Result<Self, Trouble> {
        let mut package = Package::open(bytes, options)?;
        let start = Relationships::of(&mut package, "")?;
        let main = start.first("officeDocument").unwrap_or("xl/workbook.xml").to_owned();
        let links = Relationships::of(&mut package, &main)?;
        let workbook = package.required(&main)?;
        let below = |name: &str| workbook.elements().find(|part| local(part) == name);
        let sheet_list = below("sheets").into_iter().flat_map(Element::elements);
        let sheets = sheet_list.filter_map(|sheet| {
            let part = links.part(sheet.attribute("r:id")?)?;
            Some((sheet.attribute("name")?.to_owned(), part.to_owned()))
        });
        let calculates = below("calcPr").and_then(|own| own.attribute("fullCalcOnLoad"));
        Ok(Self {
            sheets: sheets.collect(),
            shared_strings: links.first("sharedStrings").map(str::to_owned),
            is_uncalculated: calculates.is_some_and(is_on),
            package,
        })
    }

    /// The source of a sheet's part, if there is one.
    pub(crate) fn sheet(&mut self, name: &str) -> Result<Option<String>, Trouble> {
        match self.sheets.get(name).cloned() {
            Some(part) => self.text(&part),
            None => Ok(None),
        }
    }

    /// What lies over the cells of a sheet.
    pub(crate) fn drawn(&mut self, name: &str) -> Result<Drawn, Trouble> {
        let Some(sheet) = self.sheets.get(name) else { return Ok(Drawn::default()) };
        let links = Relationships::of(&mut self.package, sheet)?;
        let Some(part) = links.first("drawing") else { return Ok(Drawn::default()) };
        let drawing = self.package.xml(part)?;
        Ok(drawing.map(|drawing| Drawn::of(&drawing)).unwrap_or_default())
    }

    /// The source of the part with the texts that cells share, if there is one.
    pub(crate) fn shared_strings(&mut self) -> Result<Option<String>, Trouble> {
        match self.shared_strings.clone() {
            Some(part) => self.text(&part),
            None => Ok(None),
        }
    }

    fn text(&mut self, part: &str) -> Result<Option<String>, Trouble> {
        let bytes = self.package.bytes(part)?;
        bytes.map(|bytes| decode(&bytes)).transpose()
    }
}

/// The name of an element without its prefix.
pub(super) fn local(element: &Element) -> &str {
    element.name.rsplit(':').next().unwrap_or_default()
}

/// The value of an attribute that is on or off.
pub(crate) fn is_on(value: &str) -> bool {
    matches!(value.trim(), "1" | "true" | "on")
}
