//! Roles, and what each shows of the text it marks.

/// The words that a role leaves to be shown, and where they lead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shown {
    pub(super) words: String,
    pub(super) target: Option<String>,
}

/// Roles that name something of a program, whose last part may be all that is shown.
const OBJECTS: &[&str] =
    &["attr", "class", "const", "data", "exc", "func", "meth", "mod", "obj", "property", "type"];

impl Shown {
    pub(super) fn words(words: impl Into<String>) -> Self {
        Self { words: words.into(), target: None }
    }

    /// Returns what `` :role:`text` `` shows, but for the roles that lead to a place of this page.
    pub(super) fn of(role: &str, text: &str) -> Self {
        let (words, target) = titled(text);
        let role = role.rsplit(':').next().unwrap_or(role);
        match role {
            "doc" => Self {
                words: target.map_or_else(|| page_name(text), |_| words.to_owned()),
                target: page(target.unwrap_or(text)),
            },
            "download" => {
                Self { words: words.to_owned(), target: Some(target.unwrap_or(text).to_owned()) }
            }
            "pep" | "PEP" | "pep-reference" => Self {
                words: format!("PEP {text}"),
                target: Some(format!("https://peps.python.org/pep-{text:0>4}")),
            },
            "rfc" | "RFC" | "rfc-reference" => Self {
                words: format!("RFC {text}"),
                target: Some(format!("https://datatracker.ietf.org/doc/html/rfc{text}")),
            },
            "guilabel" => Self::words(text.replace('&', "")),
            "menuselection" => Self::words(text.replace('&', "").replace("-->", ">")),
            role if role.starts_with("raw") => Self::words(""),
            role if OBJECTS.contains(&role) && target.is_none() => Self::words(short(text)),
            _ => Self::words(words.strip_prefix('!').unwrap_or(words)),
        }
    }
}

/// `title <target>`, or the text without a target.
pub(super) fn titled(text: &str) -> (&str, Option<&str>) {
    let found = text.strip_suffix('>').and_then(|text| text.rsplit_once('<'));
    match found {
        Some((words, target)) if words.is_empty() || words.ends_with(char::is_whitespace) => {
            let words = words.trim_end();
            (if words.is_empty() { target } else { words }, Some(target))
        }
        _ => (text, None),
    }
}

/// `~package.module.Name` shows `Name`.
fn short(text: &str) -> &str {
    match text.strip_prefix('~') {
        Some(path) => path.rsplit('.').next().unwrap_or(path),
        None => text.strip_prefix(['!', '.']).unwrap_or(text),
    }
}

/// The words for a page whose title is not known here.
fn page_name(path: &str) -> String {
    crate::name::readable(path.trim_start_matches('/'))
}

/// The file of a page; `project:page` lies in another project, whose place is not known here.
fn page(path: &str) -> Option<String> {
    (!path.contains(':')).then(|| format!("{path}.rst"))
}
