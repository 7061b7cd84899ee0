//! The parts of a template tag that are certain: an address it stands for, words that it shows.

use super::templates::Tag;

/// The address that a tag stands for: its first quoted words, or all of a `{% link a.md %}`.
pub(super) fn target(name: &str, arguments: &str) -> String {
    let address = quoted(arguments).or_else(|| {
        matches!(name, "link" | "post_url" | "page" | "url" | "ref" | "relref").then_some(arguments)
    });
    let escape = |character: char| match character {
        ' ' => "%20".to_owned(),
        '(' => "%28".to_owned(),
        ')' => "%29".to_owned(),
        other => other.to_string(),
    };
    address.unwrap_or_default().chars().map(escape).collect()
}

/// Words in a tag that a reader of the page sees, such as a notice's title.
pub(super) fn words<'a>(tag: &Tag<'a>) -> Option<&'a str> {
    let silent = ["include", "image", "img", "icon", "figure", "video", "embed", "end", "render"];
    let is_silent = silent.iter().any(|part| tag.name.contains(part))
        || STRUCTURE.contains(&tag.name)
        || tag.arguments.contains('=');
    let text = quoted(tag.arguments).filter(|_| !is_silent)?;
    let is_path = text.contains('/') && !text.contains(' ');
    (!is_path).then_some(text)
}

/// Tags that steer the generator and show nothing themselves.
const STRUCTURE: &[&str] = &[
    "assign",
    "asset",
    "block",
    "call",
    "capture",
    "case",
    "css",
    "cycle",
    "decrement",
    "else",
    "elsif",
    "extends",
    "filter",
    "for",
    "from",
    "gist",
    "highlight",
    "if",
    "import",
    "increment",
    "layout",
    "link",
    "load",
    "macro",
    "page",
    "post_url",
    "section",
    "set",
    "tablerow",
    "unless",
    "url",
    "when",
    "with",
    "youtube",
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
