//! What a page says about itself in plain lines at its top, without marks around them.
//!
//! Pelican and other readers of Python-Markdown's metadata write `Title: Fees`, Nikola writes `.. title: Fees`, in Markdown within
//! a comment. Two signs tell such lines from text: the title comes first, and another field that generators know follows.

/// Fields besides the title, as Pelican and Nikola call them.
const KNOWN: &[&str] = &[
    "author", "authors", "category", "date", "description", "keywords", "lang", "link", "modified",
    "save_as", "slug", "status", "subtitle", "summary", "tags", "template", "translation", "type",
    "updated", "url",
];
/// Lines that are looked at.
const MOST_LINES: usize = 60;

/// The fields by their names in small letters, and the text below them.
pub(crate) type Head<'a> = (Vec<(String, String)>, &'a str);

/// Parts a page into these lines and its text; `None` where it begins with none.
pub(crate) fn split(source: &str) -> Option<Head<'_>> {
    let source = source.trim_start_matches('\u{feff}');
    let inner = source.strip_prefix("<!--").map(str::trim_start);
    let start = inner.unwrap_or(source);
    let has_dots = start.starts_with(".. ");
    // A comment is read only where it is plain that it is none.
    if inner.is_some() && !has_dots {
        return None;
    }
    let mut fields: Vec<(String, String)> = Vec::new();
    let mut length = 0;
    for line in start.split_inclusive('\n').take(MOST_LINES) {
        let bare = line.trim_end();
        let field = field(bare, has_dots);
        match (field, fields.last_mut()) {
            (Some(field), _) => fields.push(field),
            (None, Some((_, value))) if !bare.trim().is_empty() && bare.starts_with("    ") => {
                value.push(' ');
                value.push_str(bare.trim());
            }
            _ => break,
        }
        length += line.len();
    }
    let rest = start.get(length..)?;
    let rest = match inner.is_some() {
        true => rest.trim_start().strip_prefix("-->")?,
        false => rest,
    };
    let is_ended = inner.is_some() || rest.trim().is_empty() || rest.starts_with(['\n', '\r']);
    let is_known = |(name, _): &(String, String)| KNOWN.contains(&name.as_str());
    let is_head = fields.first().is_some_and(|(name, _)| name == "title");
    (is_head && is_ended && fields.iter().any(is_known)).then_some((fields, rest))
}

/// `Title: Fees`, `.. title: Fees`
fn field(line: &str, has_dots: bool) -> Option<(String, String)> {
    let line = if has_dots { line.strip_prefix(".. ")? } else { line };
    let (name, value) = line.split_once(':')?;
    let is_name = !name.is_empty()
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    let is_apart = value.is_empty() || value.starts_with([' ', '\t']);
    (is_name && is_apart).then(|| (name.to_lowercase(), value.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn lines_at_the_top_are_read_as_fields() {
        for (source, names, rest) in [
            ("Title: Boats\nDate: 2026-05-01\n\nText", "title date", "\nText"),
            (
                "Title: Boats\nSlug: boats\nSummary: Long\n    one\n\n## Text",
                "title slug summary",
                "\n## Text",
            ),
            (".. title: Boats\n.. slug: boats\n.. x-y:\n\nText", "title slug x-y", "\nText"),
            ("<!--\n.. title: Boats\n.. slug: boats\n-->\n\nText", "title slug", "\n\nText"),
            ("Title: Boats\nStatus: draft\n", "title status", ""),
        ] {
            let found = split(source).map(|(fields, rest)| {
                let names: Vec<String> = fields.into_iter().map(|(name, _)| name).collect();
                (names.join(" "), rest)
            });
            assert_eq!(found, Some((names.to_owned(), rest)), "{source}");
        }
        let long = split("Title: Boats\nSummary: Long\n    one\n\nText");
        assert_eq!(
            long.and_then(|(mut fields, _)| fields.pop()).map(|(_, value)| value).as_deref(),
            Some("Long one")
        );
    }

    #[test]
    fn text_that_begins_alike_stays_text() {
        for source in [
            "Title: Boats\n\nText",
            "Title: Boats\nCaptain: Ann\n\nText",
            "Date: 2026-05-01\nTitle: Boats\n\nText",
            "Title: Boats\nDate: 2026-05-01\ngoes on at once",
            ".. title:: Boats\n.. slug: boats\n\nText",
            "<!-- title: Boats\ndate: 1 -->\n\nText",
            "<!--\n.. title: Boats\n.. slug: boats\nText",
            "",
        ] {
            assert_eq!(split(source), None, "{source}");
        }
    }
}
