//! Which answers are documents, and the extension under which the readers know them.

/// A kind of document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Kind {
    /// Without its dot.
    pub(crate) extension: &'static str,
    /// `true` if it is text in some character set, to be kept as UTF-8.
    pub(crate) is_text: bool,
}

impl Kind {
    pub(crate) fn is_html(self) -> bool {
        self.extension == "html"
    }
}

/// Media type, extension, whether it is text. The first extension of a type is the one it gets.
const KINDS: &[(&str, &str, bool)] = &[
    ("text/html", "html", true),
    ("application/xhtml+xml", "html", true),
    ("text/html", "htm", true),
    ("application/pdf", "pdf", false),
    ("application/x-pdf", "pdf", false),
    ("text/plain", "txt", true),
    ("text/markdown", "md", true),
    ("text/x-markdown", "md", true),
    ("text/markdown", "markdown", true),
    ("text/x-rst", "rst", true),
    ("text/prs.fallenstein.rst", "rst", true),
    ("text/csv", "csv", true),
    ("application/csv", "csv", true),
    ("text/tab-separated-values", "tsv", true),
    ("text/calendar", "ics", true),
    ("application/json", "json", true),
    ("text/json", "json", true),
    ("application/jsonl", "jsonl", true),
    ("application/x-ndjson", "jsonl", true),
    ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx", false),
    ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx", false),
    ("application/vnd.openxmlformats-officedocument.presentationml.presentation", "pptx", false),
    ("application/vnd.oasis.opendocument.text", "odt", false),
];

/// Types that servers give to files they do not know: the address may know better.
const VAGUE: &[&str] =
    &["", "text/plain", "application/octet-stream", "binary/octet-stream", "application/zip"];

/// The kind of an answer with this `Content-Type` from this path, or the type that is none.
pub(crate) fn of(content_type: Option<&str>, path: &str) -> Result<Kind, String> {
    let full = content_type.unwrap_or_default();
    let media = full.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let by_type = KINDS.iter().find(|(known, _, _)| *known == media);
    let found = if VAGUE.contains(&media.as_str()) { by_path(path).or(by_type) } else { by_type };
    match found {
        // `.htm` and `.markdown` are spellings of the first extension of their type.
        Some((known, _, is_text)) => KINDS
            .iter()
            .find(|(media, _, _)| media == known)
            .map(|(_, extension, _)| Kind { extension, is_text: *is_text })
            .ok_or(media),
        None if media.is_empty() => Err("no content type".to_owned()),
        None => Err(media.chars().take(100).collect()),
    }
}

fn by_path(path: &str) -> Option<&'static (&'static str, &'static str, bool)> {
    let name = path.rsplit('/').next()?;
    let (_, extension) = name.rsplit_once('.')?;
    let extension = extension.to_ascii_lowercase();
    KINDS.iter().find(|(_, known, _)| *known == extension)
}

/// The `charset` that a `Content-Type` names.
pub(crate) fn charset(content_type: Option<&str>) -> Option<String> {
    let parameters = content_type?.split(';').skip(1);
    parameters
        .filter_map(|parameter| parameter.split_once('='))
        .find(|(name, _)| name.trim().eq_ignore_ascii_case("charset"))
        .map(|(_, value)| value.trim().trim_matches(['"', '\'']).to_owned())
}

#[cfg(test)]
mod tests {
    use super::{charset, of};

    #[test]
    fn types_and_paths() {
        let cases = [
            (Some("text/html; charset=utf-8"), "/a", Ok("html")),
            (Some("TEXT/HTML"), "/a.pdf", Ok("html")),
            (Some("application/xhtml+xml"), "/a", Ok("html")),
            (Some("application/pdf"), "/a", Ok("pdf")),
            (Some("text/plain"), "/notes", Ok("txt")),
            (Some("text/plain; charset=utf-8"), "/notes.MD", Ok("md")),
            (Some("text/plain"), "/plan.markdown", Ok("md")),
            (Some("text/plain"), "/dates.ics", Ok("ics")),
            (Some("application/octet-stream"), "/dir/plan.xlsx", Ok("xlsx")),
            (Some("application/octet-stream"), "/dir.pdf/plan", Err("application/octet-stream")),
            (None, "/a.htm", Ok("html")),
            (None, "/a", Err("no content type")),
            (Some("image/png"), "/a.html", Err("image/png")),
            (Some("application/zip"), "/a.docx", Ok("docx")),
            (Some("video/mp4"), "/a.mp4", Err("video/mp4")),
            (Some("text/csv;header=present"), "/a", Ok("csv")),
        ];
        for (content_type, path, expected) in cases {
            let found = of(content_type, path).map(|kind| kind.extension);
            assert_eq!(found, expected.map_err(str::to_owned), "{content_type:?} {path}");
        }
    }

    #[test]
    fn charsets() {
        assert_eq!(
            charset(Some("text/html; Charset=\"ISO-8859-1\"")).as_deref(),
            Some("ISO-8859-1")
        );
        assert_eq!(
            charset(Some("text/csv; header=present; charset=utf-8")).as_deref(),
            Some("utf-8")
        );
        assert_eq!(charset(Some("text/html")), None);
        assert_eq!(charset(None), None);
    }
}
