//! Indented code that is none.
//!
//! Four spaces behind a blank line make code, also of the inside of an HTML block that an editor
//! has indented neatly.

use pulldown_cmark::{CodeBlockKind, CowStr, Event, Tag, TagEnd};

/// The events with indented code that is plainly a part of an HTML block turned back into HTML:
/// code that holds nothing but tags, or closes more elements than it opens.
pub(super) fn as_html<'a>(
    mut events: impl Iterator<Item = Event<'a>>,
) -> impl Iterator<Item = Event<'a>> {
    let mut waiting = Vec::new().into_iter();
    std::iter::from_fn(move || {
        loop {
            if let Some(event) = waiting.next() {
                return Some(event);
            }
            let event = events.next()?;
            if !matches!(event, Event::Start(Tag::CodeBlock(CodeBlockKind::Indented))) {
                return Some(event);
            }
            let mut block = vec![event];
            for event in events.by_ref() {
                let ends = matches!(event, Event::End(TagEnd::CodeBlock));
                block.push(event);
                if ends {
                    break;
                }
            }
            let code: String = block.iter().filter_map(text).collect();
            if is_html(&code) {
                return Some(Event::Html(CowStr::from(code)));
            }
            waiting = block.into_iter();
        }
    })
}

fn text<'e>(event: &'e Event<'_>) -> Option<&'e str> {
    match event {
        Event::Text(text) => Some(text),
        _ => None,
    }
}

fn is_html(code: &str) -> bool {
    let opened = code
        .match_indices('<')
        .filter(|(place, _)| code.as_bytes().get(place + 1).is_some_and(u8::is_ascii_alphabetic));
    let closed = code.matches("</").count();
    closed > opened.count()
        || code.lines().map(str::trim).all(|line| line.is_empty() || is_tag(line))
}

fn is_tag(line: &str) -> bool {
    let inner = line.strip_prefix('<').and_then(|line| line.strip_suffix('>'));
    inner.is_some_and(|inner| {
        inner.starts_with(|c: char| c == '/' || c.is_ascii_alphabetic())
            && !inner.contains(['<', '>'])
    })
}
