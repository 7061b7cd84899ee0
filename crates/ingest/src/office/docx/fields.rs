//! Fields: text that Word works out, with the code that says how.

use super::super::xml::Element;

/// The fields around the current position, the outermost first.
#[derive(Debug, Default)]
pub(super) struct Fields {
    open: Vec<Field>,
    /// Each field that begins also ends. Where that does not hold, a table of contents would take
    /// the rest of the document with it: then codes are left out, and nothing else.
    is_sound: bool,
}

#[derive(Debug, Default)]
struct Field {
    code: String,
    /// The code is over.
    is_result: bool,
}

/// The effect of a mark of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// The result begins, and leads to an address.
    Link(String),
    EndOfLink,
    Nothing,
}

impl Fields {
    pub(super) fn of(body: &Element) -> Self {
        let mut open = 0_i64;
        let mut is_sound = true;
        for mark in body.all("w:fldChar") {
            match mark.attribute("w:fldCharType") {
                Some("begin") => open += 1,
                Some("end") => open -= 1,
                _ => {}
            }
            is_sound &= open >= 0;
        }
        Self { open: Vec::new(), is_sound: is_sound && open == 0 }
    }

    /// Returns `true` if text is shown here: not in a code, nor in the result of an index.
    pub(super) fn shows(&self) -> bool {
        !self.is_sound || self.open.iter().all(|field| field.is_result && !is_left_out(&field.code))
    }

    pub(super) fn code(&mut self, text: &str) {
        if let Some(field) = self.open.last_mut().filter(|field| !field.is_result) {
            field.code.push_str(text);
        }
    }

    pub(super) fn mark(&mut self, mark: &Element) -> Turn {
        match mark.attribute("w:fldCharType") {
            Some("begin") => self.open.push(Field::default()),
            Some("separate") => {
                if let Some(field) = self.open.last_mut() {
                    field.is_result = true;
                    if let Some(address) = address(&field.code) {
                        return Turn::Link(address);
                    }
                }
            }
            Some("end") => {
                let ended = self.open.pop();
                if ended.is_some_and(|field| address(&field.code).is_some()) {
                    return Turn::EndOfLink;
                }
            }
            _ => {}
        }
        Turn::Nothing
    }
}

/// Returns `true` if what a field shows only repeats the document: a table of contents, an index.
pub(super) fn is_left_out(code: &str) -> bool {
    let name = code.split_whitespace().next().unwrap_or_default();
    ["TOC", "INDEX", "TOA"].iter().any(|own| own.eq_ignore_ascii_case(name))
}

/// Returns the address that a field leads to: `HYPERLINK "https://…"`. A place in the document itself is
/// none.
pub(super) fn address(code: &str) -> Option<String> {
    let (name, rest) = code.trim_start().split_once(char::is_whitespace)?;
    let rest = rest.trim_start();
    if !name.eq_ignore_ascii_case("HYPERLINK") || rest.starts_with('\\') {
        return None;
    }
    let address = match rest.strip_prefix(['"', '\u{201c}', '\u{201d}']) {
        Some(quoted) => quoted.split(['"', '\u{201c}', '\u{201d}']).next(),
        None => rest.split_whitespace().next(),
    };
    address.filter(|address| !address.is_empty()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::{address, is_left_out};

    #[test]
    fn codes_say_where_they_lead() {
        let cases = [
            (" HYPERLINK \"https://x.edu/a\" ", Some("https://x.edu/a")),
            ("hyperlink https://x.edu \\o tip", Some("https://x.edu")),
            (" HYPERLINK \\l \"top\"", None),
            (" PAGEREF _Toc1 \\h ", None),
            ("HYPERLINKS x", None),
            ("", None),
        ];
        for (code, expected) in cases {
            assert_eq!(address(code).as_deref(), expected, "{code}");
        }
        assert!(is_left_out(" TOC \\o \"1-3\" \\h"));
        assert!(!is_left_out(" REF toc"));
    }
}
