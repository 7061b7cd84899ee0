//! Words in angle brackets that were never meant as HTML.
//!
//! `Dear <title> <name>,` is a letter with blanks to fill in, but to an HTML parser everything
//! behind `<title>` is the page's title, and the rest of the page is lost.

/// Elements that take in what follows them, and of which no text is read.
const SWALLOWING: &[&str] = &[
    "applet", "audio", "canvas", "iframe", "noembed", "noframes", "noscript", "object", "select",
    "svg", "template", "textarea", "title", "video", "xmp",
];

/// The page with the opening tags of such elements written as text where nothing closes them.
pub(super) fn escaped(page: String) -> String {
    let lower = page.to_ascii_lowercase();
    let mut places: Vec<usize> = Vec::new();
    for name in SWALLOWING {
        let last_close = lower.rfind(&format!("</{name}")).unwrap_or(0);
        places.extend(openings(&lower, name).filter(|place| *place >= last_close));
    }
    // Nothing can close this one at all.
    places.extend(openings(&lower, "plaintext"));
    if places.is_empty() {
        return page;
    }
    places.sort_unstable();
    let mut out = String::with_capacity(page.len() + places.len() * 4);
    let mut position = 0;
    for place in places {
        out.push_str(page.get(position..place).unwrap_or_default());
        out.push_str("&lt;");
        position = place + 1;
    }
    out.push_str(page.get(position..).unwrap_or_default());
    out
}

/// Finds the places where `<name` stands as a whole word.
fn openings<'a>(lower: &'a str, name: &'a str) -> impl Iterator<Item = usize> + 'a {
    lower.match_indices('<').map(|(place, _)| place).filter(move |place| {
        lower
            .get(place + 1..)
            .and_then(|rest| rest.strip_prefix(name))
            .is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '-'))
    })
}
