//! The parts of a generator's tag that are certain: an address it stands for, words that it shows.
//!
//! Two kinds of tag: Liquid's and Nunjucks' (`{% link a.md %}`), and Hugo's shortcodes
//! (`{{< figure caption="The plan" >}}`, `{{% notice note %}} … {{% /notice %}}`).

use std::borrow::Cow;

use super::templates::Tag;

/// The address that a tag stands for: its first quoted words, or all of a `{% link a.md %}`.
pub(super) fn target(name: &str, arguments: &str) -> String {
    let address = quoted(arguments).or_else(|| {
        matches!(name, "link" | "post_url" | "page" | "url" | "ref" | "relref").then_some(arguments)
    });
    // Within `](…)` each of them would end the address.
    let escape = |character: char| match character {
        ' ' => "%20".to_owned(),
        '(' => "%28".to_owned(),
        ')' => "%29".to_owned(),
        other => other.to_string(),
    };
    address.unwrap_or_default().chars().map(escape).collect()
}

/// Words in a tag that a reader of the page sees, such as a notice's title.
pub(super) fn words<'a>(tag: &Tag<'a>) -> Option<Cow<'a, str>> {
    if tag.name.starts_with("include") {
        return given(tag.arguments).map(Cow::Owned);
    }
    let silent = ["include", "image", "img", "icon", "figure", "video", "embed", "end", "render"];
    let is_silent = silent.iter().any(|part| tag.name.contains(part))
        || STRUCTURE.contains(&tag.name)
        || tag.arguments.contains('=');
    let text = quoted(tag.arguments).filter(|_| !is_silent)?;
    let is_path = text.contains('/') && !text.contains(' ');
    (!is_path).then_some(Cow::Borrowed(text))
}

/// The texts that a page hands to what it includes, for it to show: `{% include note.html title="Mind" content="It is late." %}`.
fn given(arguments: &str) -> Option<String> {
    let title = ["title", "label", "header"].iter().find_map(|name| parameter(arguments, name));
    let text = ["content", "text", "body", "caption", "message"]
        .iter()
        .find_map(|name| parameter(arguments, name));
    let texts: Vec<&str> = title.into_iter().chain(text).collect();
    (!texts.is_empty()).then(|| texts.join("\n\n"))
}

/// Tags that steer the generator and show nothing themselves.
const STRUCTURE: &[&str] = &[
    "assign", "asset", "block", "call", "capture", "case", "css", "cycle", "decrement", "else",
    "elsif", "extends", "filter", "for", "from", "gist", "highlight", "if", "import", "increment",
    "layout", "link", "load", "macro", "page", "post_url", "section", "set", "tablerow", "unless",
    "url", "when", "with", "youtube",
];

/// A text to be printed; of a link whose address is filled in (`[Team](mailto:{})`) the words.
pub(super) fn filled(text: &str) -> Option<&str> {
    if !text.contains("{}") {
        return Some(text);
    }
    let (words, _) = text.strip_prefix('[')?.split_once("](")?;
    (!words.contains("{}")).then_some(words)
}

/// The first text in single or double quotes.
pub(super) fn quoted(arguments: &str) -> Option<&str> {
    let start = arguments.find(['"', '\''])?;
    let quote = arguments.get(start..)?.chars().next()?;
    let inner = arguments.get(start + 1..)?;
    let end = inner.find(quote)?;
    inner.get(..end).filter(|text| !text.is_empty())
}

/// The content between the braces of a shortcode.
#[derive(Debug)]
pub(super) struct Shortcode<'a> {
    pub(super) name: &'a str,
    pub(super) arguments: &'a str,
    /// `true` if it ends what another of its name began.
    pub(super) closes: bool,
    /// For one that is shown rather than run (`{{</* name */>}}`): what is shown.
    pub(super) shown: Option<&'a str>,
}

/// Parameters whose value a reader sees, the likeliest first.
const SHOWN: &[&str] =
    &["caption", "title", "header", "label", "summary", "text", "name", "content"];
/// Shortcodes whose first word says what to fetch, not what to show.
const SILENT: &[&str] = &[
    "audio", "figure", "gist", "highlight", "icon", "image", "img", "include", "instagram",
    "param", "readfile", "ref", "relref", "tweet", "video", "vimeo", "x", "youtube",
];

impl<'a> Shortcode<'a> {
    /// From what stands between `{{` and `}}`.
    pub(super) fn of(inner: &'a str) -> Option<Self> {
        let marked = |mark: char| {
            inner.strip_prefix(mark)?.strip_suffix(if mark == '<' { '>' } else { mark })
        };
        let inner = marked('<').or_else(|| marked('%'))?.trim();
        let comment = inner.strip_prefix("/*").and_then(|inner| inner.strip_suffix("*/"));
        let inner = comment.map_or(inner, str::trim).trim_end_matches('/');
        let (closes, inner) = match inner.strip_prefix('/') {
            Some(inner) => (true, inner.trim_start()),
            None => (false, inner),
        };
        let (name, arguments) = inner.split_once(char::is_whitespace).unwrap_or((inner, ""));
        Some(Self { name, arguments: arguments.trim(), closes, shown: comment.map(str::trim) })
    }

    /// Words that a reader of the page sees, such as a caption.
    pub(super) fn words(&self) -> Option<&'a str> {
        let named = SHOWN.iter().find_map(|name| parameter(self.arguments, name));
        // With names for its parameters, what is not named as shown is a setting.
        if named.is_some() || self.arguments.contains('=') {
            return named;
        }
        let text = quoted(self.arguments).filter(|_| !SILENT.contains(&self.name))?;
        let is_path = text.contains('/') && !text.contains(' ');
        (!is_path).then_some(text)
    }
}

/// The value of `name="value"`.
pub(super) fn parameter<'a>(arguments: &'a str, name: &str) -> Option<&'a str> {
    let starts = arguments.match_indices(name).map(|(start, _)| start);
    starts
        .filter(|start| {
            let before = arguments.get(..*start).and_then(|text| text.chars().next_back());
            before.is_none_or(char::is_whitespace)
        })
        .find_map(|start| {
            let rest = arguments.get(start + name.len()..)?.strip_prefix('=')?;
            // MDX may write a text as a program does: `title={"Fees"}`.
            let rest = rest.strip_prefix('{').map_or(rest, str::trim_start);
            rest.starts_with(['"', '\'']).then(|| quoted(rest)).flatten()
        })
}
