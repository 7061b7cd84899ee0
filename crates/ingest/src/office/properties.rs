//! The properties that a document states about itself, and its title.

use std::collections::BTreeMap;

use campanile_corpus::Document;
use serde_json::Value;

use super::flow::Flow;
use super::package::{Package, Relationships};
use super::xml::Element;
use crate::Trouble;
use crate::assemble::title_from_path;
use crate::report::Report;
use crate::sanitize::clean_line;

/// The title and the other properties of a document.
#[derive(Debug, Default)]
pub(super) struct Properties {
    title: Option<String>,
    metadata: BTreeMap<String, Value>,
}

/// Elements of the core properties, and of OpenDocument's `meta.xml`, and what they are called here.
const NAMES: &[(&str, &str)] = &[
    ("dc:creator", "author"),
    ("meta:initial-creator", "author"),
    ("dc:subject", "subject"),
    ("dc:description", "description"),
    ("dc:language", "language"),
    ("cp:keywords", "keywords"),
    ("cp:category", "category"),
    ("cp:contentStatus", "status"),
    ("cp:version", "version"),
    ("dcterms:created", "created"),
    ("meta:creation-date", "created"),
    ("dcterms:modified", "modified"),
    ("dc:date", "modified"),
];

/// Properties that programs keep for themselves, and LibreOffice as if they were the keeper's.
const OF_PROGRAMS: &[&str] = &[
    "AppVersion", "DocSecurity", "HiddenSlides", "HyperlinksChanged", "KSOProductBuildVer",
    "LinksUpToDate", "MMClips", "Notes", "Paragraphs", "PresentationFormat", "ScaleCrop",
    "ShareDoc", "Slides",
];

/// Titles that programs give by themselves, in lower case.
const JUNK: &[&str] = &[
    "bildschirmpräsentation",
    "document",
    "dokument",
    "folie 1",
    "kein folientitel",
    "microsoft powerpoint",
    "microsoft word",
    "no slide title",
    "no title",
    "normal",
    "powerpoint presentation",
    "powerpoint-präsentation",
    "powerpoint-presentatie",
    "presentación de powerpoint",
    "presentation",
    "presentation title",
    "presentazione standard di powerpoint",
    "présentation powerpoint",
    "präsentation",
    "slide 1",
    "title",
    "titel",
    "untitled",
    "unbenannt",
    "word document",
    "word-dokument",
];

impl Properties {
    /// Those of an Office Open XML package: core and custom properties.
    pub(super) fn of_package(
        package: &mut Package<'_>,
        report: &mut Report,
    ) -> Result<Self, Trouble> {
        let mut properties = Self::default();
        let start = Relationships::of(package, "")?;
        // In this order: a property of the keeper's own does not replace one of these.
        if let Some(part) = start.first("core-properties")
            && let Some(core) = package.xml(part)?
        {
            properties.add(&core, report);
        }
        if let Some(part) = start.first("custom-properties")
            && let Some(custom) = package.xml(part)?
        {
            for property in custom.elements() {
                let value = property.elements().next();
                if let (Some(name), Some(value)) = (property.attribute("name"), value) {
                    let kind = value.name.rsplit(':').next().unwrap_or_default();
                    let value = typed(kind, &value.text(), report);
                    properties.custom(name, value);
                }
            }
        }
        Ok(properties)
    }

    /// Those in the element that holds them.
    pub(super) fn add(&mut self, list: &Element, report: &mut Report) {
        let mut keywords = Vec::new();
        for property in list.elements() {
            let text = clean_line(&property.text(), report);
            if text.is_empty() {
                continue;
            }
            match &*property.name {
                "dc:title" => self.title = Some(text),
                // One element each; other programs write all of them into one.
                "meta:keyword" => keywords.push(text),
                "meta:user-defined" => {
                    if let Some(name) = property.attribute("meta:name") {
                        let kind = property.attribute("meta:value-type").unwrap_or_default();
                        self.custom(name, typed(kind, &text, report));
                    }
                }
                name => {
                    if let Some((_, own)) = NAMES.iter().find(|(known, _)| *known == name) {
                        self.metadata.entry((*own).to_owned()).or_insert(Value::String(text));
                    }
                }
            }
        }
        if !keywords.is_empty() {
            self.metadata.insert("keywords".to_owned(), Value::String(keywords.join(", ")));
        }
    }

    /// A property of the keeper's own: it may not change what the document says by its own fields.
    fn custom(&mut self, name: &str, value: Value) {
        let name = name.trim();
        let is_own = !name.is_empty() && !OF_PROGRAMS.contains(&name);
        if is_own && value != Value::String(String::new()) {
            self.metadata.entry(name.to_owned()).or_insert(value);
        }
    }

    /// The document, called by its stated title, its title on the page, its first heading or its
    /// file's name.
    pub(super) fn finish(self, path: &str, mut flow: Flow) -> (Document, Report) {
        flow.settle();
        let mut assembler = flow.assembler;
        let heading = assembler.first_title().or_else(|| assembler.opening_heading());
        let title = self
            .title
            .filter(|title| !is_junk(title))
            .or(flow.title)
            .or_else(|| heading.map(str::to_owned))
            .map(|title| clean_line(&title, &mut assembler.report))
            .filter(|title| !title.is_empty())
            .unwrap_or_else(|| title_from_path(path));
        assembler.finish(path, title, None, self.metadata)
    }
}

fn typed(kind: &str, text: &str, report: &mut Report) -> Value {
    let text = clean_line(text, report);
    match kind {
        "bool" | "boolean" => Value::Bool(matches!(text.as_str(), "true" | "1")),
        // Whole numbers first, so that they stay whole.
        "i1" | "i2" | "i4" | "i8" | "int" | "ui1" | "ui2" | "ui4" | "uint" | "r4" | "r8"
        | "decimal" | "float" => text
            .parse::<i64>()
            .map(Value::from)
            .or_else(|_| text.parse::<f64>().map(Value::from))
            .unwrap_or(Value::String(text)),
        _ => Value::String(text),
    }
}

/// Returns `true` if a title was made by a program rather than by a person.
pub(crate) fn is_junk(title: &str) -> bool {
    let lower = title.trim().to_lowercase();
    let ends_as_file = [".doc", ".docx", ".dot", ".dotx", ".odt", ".ppt", ".pptx", ".odp", ".rtf"]
        .iter()
        .any(|extension| lower.ends_with(extension));
    let numbered = |name: &str| {
        let rest = lower.strip_prefix(name).map(str::trim);
        rest.is_some_and(|rest| rest.chars().all(|character| character.is_ascii_digit()))
    };
    ends_as_file
        || lower.starts_with("microsoft word - ")
        || lower.starts_with("microsoft powerpoint - ")
        || !lower.chars().any(char::is_alphanumeric)
        || ["document", "dokument", "presentation", "präsentation", "untitled"]
            .into_iter()
            .any(numbered)
        || JUNK.contains(&lower.as_str())
}

#[cfg(test)]
mod tests {
    use super::is_junk;

    #[test]
    fn titles_of_programs_are_told_from_titles() {
        for junk in [
            "PowerPoint Presentation",
            "PowerPoint-Präsentation",
            "Microsoft Word - fees_2024.doc",
            "fees.docx",
            "Document1",
            "Dokument 2",
            "---",
        ] {
            assert!(is_junk(junk), "{junk}");
        }
        for title in ["Fees", "Document your work", "Presentation skills", "Word processing"] {
            assert!(!is_junk(title), "{title}");
        }
    }
}
