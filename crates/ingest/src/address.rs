//! Which addresses a reader may be sent to.

/// The target as the document wrote it, or `None` for schemes that do something other than lead
/// to a place: `javascript:`, `data:`, `file:` and the like.
pub(crate) fn safe(target: &str) -> Option<&str> {
    let target = target.trim();
    // Browsers ignore control characters inside a scheme, so look at it without them.
    let visible: String = target
        .chars()
        .filter(|character| !character.is_control() && !character.is_whitespace())
        .take(32)
        .collect();
    let scheme = visible
        .split_once(':')
        .map(|(scheme, _)| scheme.to_ascii_lowercase())
        .filter(|scheme| is_scheme(scheme));
    let is_safe = match scheme.as_deref() {
        None => true,
        Some(scheme) => {
            matches!(scheme, "http" | "https" | "mailto" | "tel" | "sms" | "ftp" | "geo" | "webcal")
        }
    };
    (is_safe && !target.is_empty()).then_some(target)
}

/// Returns `true` if a browser would take it for a scheme at all (RFC 3986, section 3.1).
fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
}

#[cfg(test)]
mod tests {
    use super::safe;

    #[test]
    fn only_places_are_linked() {
        for target in [
            "https://x.edu/a:b",
            "../a.md#b",
            "/x?y=a:b",
            "#top",
            "MAILTO:a@b.c",
            "//x.y",
            "%5Bx%5D:y",
        ] {
            assert_eq!(safe(target), Some(target));
        }
        for target in
            ["javascript:alert(1)", "JaVa\tScript:x", " data:text/html,x", "file:///etc", ""]
        {
            assert_eq!(safe(target), None, "{target}");
        }
    }
}
