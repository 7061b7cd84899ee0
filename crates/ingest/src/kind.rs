//! The kinds of file that can be read.

/// The kinds of file that can be read, by extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// `.md`, `.markdown`, `.mdx`
    Markdown,
    /// `.html`, `.htm`, `.xhtml`
    Html,
    /// `.txt`, `.text`
    Text,
    /// `.rst`, `.rest`
    Rst,
    /// `.ics`
    Calendar,
    /// `.docx`, `.docm`
    Docx,
    /// `.pptx`, `.pptm`, `.ppsx`
    Pptx,
    /// `.odt`
    Odt,
    /// `.odp`
    Odp,
    /// `.pdf`
    Pdf,
    /// `.csv`
    Csv,
    /// `.tsv`, `.tab`
    Tsv,
    /// `.xlsx`, `.xlsm`
    Xlsx,
    /// `.xls`
    Xls,
    /// `.ods`
    Ods,
    /// `.json`
    Json,
    /// `.jsonl`, `.ndjson`
    JsonLines,
}

/// Each kind with its name and its extensions, the usual one first.
const KINDS: &[(Kind, &str, &[&str])] = &[
    (Kind::Markdown, "Markdown", &["md", "markdown", "mdx"]),
    (Kind::Html, "HTML", &["html", "htm", "xhtml"]),
    (Kind::Text, "plain text", &["txt", "text"]),
    (Kind::Rst, "reStructuredText", &["rst", "rest"]),
    (Kind::Calendar, "iCalendar", &["ics"]),
    (Kind::Docx, "Word", &["docx", "docm"]),
    (Kind::Pptx, "PowerPoint", &["pptx", "pptm", "ppsx"]),
    (Kind::Odt, "OpenDocument text", &["odt"]),
    (Kind::Odp, "OpenDocument slides", &["odp"]),
    (Kind::Pdf, "PDF", &["pdf"]),
    (Kind::Csv, "CSV", &["csv"]),
    (Kind::Tsv, "TSV", &["tsv", "tab"]),
    (Kind::Xlsx, "Excel", &["xlsx", "xlsm"]),
    (Kind::Xls, "Excel 97 to 2003", &["xls"]),
    (Kind::Ods, "OpenDocument spreadsheet", &["ods"]),
    (Kind::Json, "JSON", &["json"]),
    (Kind::JsonLines, "JSON lines", &["jsonl", "ndjson"]),
];

impl Kind {
    /// The kind of a file by the end of its name, in either case; `None` if it cannot be read.
    pub fn of(path: &str) -> Option<Self> {
        let name = path.rsplit('/').next()?;
        let (stem, extension) = name.rsplit_once('.')?;
        let extension = extension.to_ascii_lowercase();
        let has =
            |(_, _, extensions): &&(Kind, &str, &[&str])| extensions.contains(&extension.as_str());
        KINDS.iter().find(has).filter(|_| !stem.is_empty()).map(|(kind, _, _)| *kind)
    }

    /// All kinds with their usual extensions, for messages and help:
    /// ``Markdown (`.md`), HTML (`.html`) or …``.
    pub fn list() -> String {
        let named = |(_, name, extensions): &(Kind, &str, &[&str])| {
            format!("{name} (`.{}`)", extensions.first().unwrap_or(&""))
        };
        let mut names: Vec<String> = KINDS.iter().map(named).collect();
        let last = names.pop().unwrap_or_default();
        format!("{} or {last}", names.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::Kind;

    #[test]
    fn kinds_are_known_by_their_extensions() {
        assert_eq!(Kind::of("a/B.CSV"), Some(Kind::Csv));
        assert_eq!(Kind::of("a.ndjson"), Some(Kind::JsonLines));
        assert_eq!(Kind::of(".csv"), None);
        assert_eq!(Kind::of("csv"), None);
        assert!(Kind::list().starts_with("Markdown (`.md`), HTML (`.html`), "));
        assert!(Kind::list().ends_with(" or JSON lines (`.jsonl`)"));
    }
}
