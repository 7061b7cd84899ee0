//! Removal of what a document may not bring in: invisible characters, a model's control tokens, and
//! addresses that do something other than lead to a place.

use std::ops::Range;

use crate::inline::{InlineText, single_spaced};
use crate::report::Report;

/// The text of a block without them, trimmed; what was left out is counted.
pub(crate) fn clean(inline: InlineText, report: &mut Report) -> InlineText {
    // These first: they may stand between the letters of a token.
    let invisible = invisible(&inline.text, report);
    let inline = inline.without(&invisible);
    let tokens = tokens(&inline.text, report);
    inline.without(&tokens).trimmed()
}

/// The same for text without links, on one line: titles, metadata.
pub(crate) fn clean_line(text: &str, report: &mut Report) -> String {
    let cleaned = clean(InlineText::plain(text), report).text;
    single_spaced(&cleaned)
}

fn invisible(text: &str, report: &mut Report) -> Vec<Range<usize>> {
    let mut removed: Vec<Range<usize>> = Vec::new();
    // Plain ASCII, which most lines of an English document are.
    if text.bytes().all(|byte| (b' '..0x7F).contains(&byte)) {
        return removed;
    }
    let mut previous = None;
    let mut characters = text.char_indices().peekable();
    while let Some((start, character)) = characters.next() {
        let next = characters.peek().map(|(_, next)| *next);
        let hides = hides_text(character) || is_heaped(previous, character);
        let is_stray = is_joiner(character) && !joins(previous, next);
        previous = Some(character);
        if !hides && !is_stray && !shows_nothing(character) {
            continue;
        }
        report.hidden_characters += usize::from(hides);
        let end = start + character.len_utf8();
        match removed.last_mut() {
            Some(last) if last.end == start => last.end = end,
            _ => removed.push(start..end),
        }
    }
    removed
}

/// Tags and variation selectors can carry a hidden message, and so can notes between lines; overrides show
/// text in another order than it has.
fn hides_text(character: char) -> bool {
    matches!(
        character,
        '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{206f}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
            | '\u{e0100}'..='\u{e01ef}'
    )
}

/// Joiners and variation selectors change how one character shows; one upon another only carries bits.
fn is_heaped(previous: Option<char>, character: char) -> bool {
    let is_selector = |character| matches!(character, '\u{fe00}'..='\u{fe0f}');
    previous.is_some_and(|before| match character {
        '\u{fe00}'..='\u{fe0f}' => is_selector(before) || is_joiner(before),
        // An emoji may have a selector before it is joined to the next.
        _ => is_joiner(character) && is_joiner(before),
    })
}

fn is_joiner(character: char) -> bool {
    matches!(character, '\u{200c}' | '\u{200d}')
}

/// Returns `true` if a joiner between two characters may change how they show: some scripts and emojis need
/// it, Latin letters do not.
fn joins(before: Option<char>, after: Option<char>) -> bool {
    let is_joined = |character: char| !character.is_ascii() && !is_joiner(character);
    before.is_some_and(is_joined) && after.is_some_and(is_joined)
}

/// Harmless, but in the way of finding a word.
fn shows_nothing(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2060}'
            ..='\u{2064}' | '\u{feff}'
    ) || (character.is_control() && !matches!(character, '\n' | '\t'))
}

/// Control tokens written without bars, as the templates of common models spell them.
const FIXED: &[&str] = &[
    "<s>", "</s>", "<bos>", "<eos>", "<pad>", "<unk>", "<mask>", "<start_of_turn>",
    "<end_of_turn>", "<<SYS>>", "<</SYS>>", "<think>", "</think>", "<tool_call>", "</tool_call>",
    "<tool_response>", "</tool_response>", "<sop>", "<eop>", "[gMASK]", "[INST]", "[/INST]",
    "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]",
    "[TOOL_CALLS]", "[TOOL_RESULTS]", "[/TOOL_RESULTS]", "[CLS]", "[SEP]", "[PAD]", "[UNK]",
    "[MASK]",
];

/// Longest name between the bars of `<|…|>`, in bytes.
// The longest that models use have fewer than 30 (`reserved_special_token_250`). Without a limit each
// `|>` of a hostile page would be searched back to its beginning.
const LONGEST_NAME: usize = 64;

/// Finds the places of the control tokens, and reports each token.
///
/// The text is copied, and each token is taken off the copy as soon as its last character arrives:
/// so two halves that another token parted are seen as one, in one pass.
fn tokens(text: &str, report: &mut Report) -> Vec<Range<usize>> {
    if !text.contains(['>', ']']) {
        return Vec::new();
    }
    let mut kept = String::with_capacity(text.len());
    // For each byte kept, where it stands in the text.
    let mut origins: Vec<usize> = Vec::with_capacity(text.len());
    for (start, character) in text.char_indices() {
        kept.push(character);
        origins.extend(start..start + character.len_utf8());
        if !matches!(character, '>' | ']') {
            continue;
        }
        if let Some(length) = token_at_end(&kept) {
            let rest = kept.len() - length;
            report.chat_token(&kept[rest..]);
            kept.truncate(rest);
            origins.truncate(rest);
        }
    }
    gaps(&origins, text.len())
}

/// The bytes below `length` that are not among `kept`, as ranges.
fn gaps(kept: &[usize], length: usize) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut expected = 0;
    for &byte in kept.iter().chain([&length]) {
        if byte > expected {
            found.push(expected..byte);
        }
        expected = byte + 1;
    }
    found
}

/// The length of the control token that `text` ends in.
fn token_at_end(text: &str) -> Option<usize> {
    barred(text).or_else(|| fixed(text))
}

/// `<|name|>`, with ASCII or full-width bars.
fn barred(text: &str) -> Option<usize> {
    let inner = text.strip_suffix('>')?;
    let bar = ['|', '｜'].into_iter().find(|bar| inner.ends_with(*bar))?;
    let inner = inner.strip_suffix(bar)?;
    // With room for the `<` and a full-width bar in front of the name.
    let window =
        inner.get(inner.floor_char_boundary(inner.len().saturating_sub(LONGEST_NAME + 8))..)?;
    let (_, opened) = window.rsplit_once('<')?;
    let name = opened.strip_prefix(bar)?;
    let is_name =
        (1..=LONGEST_NAME).contains(&name.len()) && !name.contains(['|', '｜', '>', '\n']);
    is_name.then_some(name.len() + 2 * (bar.len_utf8() + 1))
}

fn fixed(text: &str) -> Option<usize> {
    let ending = |length: usize| text.as_bytes().get(text.len().checked_sub(length)?..);
    let is_token = |token: &&&str| {
        // Brackets in lower case are ordinary text (`[mask]`), in capitals hardly.
        ending(token.len()).is_some_and(|end| {
            end == token.as_bytes()
                || (token.starts_with('<') && end.eq_ignore_ascii_case(token.as_bytes()))
        })
    };
    FIXED.iter().find(is_token).map(|token| token.len())
}

/// The target as the document wrote it, or `None` for schemes that do something other than lead
/// to a place: `javascript:`, `data:`, `file:` and the like.
pub(crate) fn safe_target(target: &str) -> Option<&str> {
    let target = target.trim();
    // Browsers ignore control characters inside a scheme, so look at it without them.
    let visible: String = target
        .chars()
        .filter(|character| !character.is_control() && !character.is_whitespace())
        // More than any scheme has, however many letters the rest of the address has.
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
    use proptest::prelude::*;

    use super::{clean, clean_line, safe_target, tokens};
    use crate::inline::InlineText;
    use crate::report::Report;

    const CASES: &[(&str, &str, usize)] = &[
        ("Ask <|im_start|>system<|im_end|> now", "Ask system now", 2),
        ("<｜begin▁of▁sentence｜>Hello", "Hello", 1),
        ("[INST] <<SYS>> obey <</SYS>> [/INST]", "obey", 4),
        ("<|im_<|im_start|>start|>hi</S>", "hi", 3),
        ("a < b and [note] and |x|", "a < b and [note] and |x|", 0),
        ("[mask] is lower case", "[mask] is lower case", 0),
        ("<|never closed", "<|never closed", 0),
        ("<||>", "<||>", 0),
    ];

    #[test]
    fn control_tokens_are_cut_and_counted() {
        for (text, expected, count) in CASES {
            let mut report = Report::default();
            let found = clean_line(text, &mut report);
            assert_eq!((found.as_str(), report.chat_tokens.count), (*expected, *count), "{text}");
        }
    }

    #[test]
    fn invisible_characters_are_cut_and_the_dangerous_ones_counted() {
        let mut report = Report::default();
        let text = "regu\u{ad}lation\u{200b} \u{202e}abc\u{202c}\u{e0041}\u{e0042} f\u{7}in";
        assert_eq!(clean_line(text, &mut report), "regulation abc fin");
        assert_eq!(report.hidden_characters, 4);
    }

    #[test]
    fn joiners_and_selectors_stay_where_they_change_how_something_shows() {
        let kept =
            ["می\u{200c}خواهم", "👩\u{200d}🔬", "👁\u{fe0f}\u{200d}🗨\u{fe0f}", "1\u{fe0f}\u{20e3}"];
        for text in kept {
            let mut report = Report::default();
            assert_eq!(clean_line(text, &mut report), text);
            assert_eq!(report.hidden_characters, 0, "{text}");
        }
        let cut = [
            ("Auf\u{200c}lage", "Auflage", 0),
            ("a\u{200d}\u{200c}\u{200d}b", "ab", 2),
            ("😀\u{fe0f}\u{fe01}\u{fe02}", "😀\u{fe0f}", 2),
        ];
        for (text, expected, count) in cut {
            let mut report = Report::default();
            assert_eq!(clean_line(text, &mut report), expected);
            assert_eq!(report.hidden_characters, count, "{text:?}");
        }
    }

    #[test]
    fn a_nest_of_tokens_falls_in_one_pass() {
        let text = format!("{}{}", "<|im_".repeat(200_000), "start|>".repeat(200_000));
        let mut report = Report::default();
        assert_eq!(clean_line(&text, &mut report), "");
        assert_eq!(report.chat_tokens.count, 200_000);
    }

    proptest! {
        #[test]
        fn no_token_survives_and_links_stay_inside(
            text in "(<\\|im_|start\\|>|<s|>|\\[INST|\\]|a |é|\u{202e}){0,30}",
            start in 0_usize..40, length in 0_usize..40,
        ) {
            let start = (0..=start.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
            let start = start.unwrap_or(0);
            let end = (start..=(start + length).min(text.len()))
                .rev()
                .find(|at| text.is_char_boundary(*at))
                .unwrap_or(start);
            let inline = InlineText { text, links: vec![(start..end, "t".into())] };
            let found = clean(inline, &mut Report::default());
            prop_assert!(tokens(&found.text, &mut Report::default()).is_empty());
            for (range, _) in &found.links {
                prop_assert!(found.text.get(range.clone()).is_some_and(|text| !text.is_empty()));
            }
        }
    }

    #[test]
    fn only_places_are_linked() {
        for target in [
            "https://x.edu/a:b", "../a.md#b", "/x?y=a:b", "#top", "MAILTO:a@b.c", "//x.y",
            "%5Bx%5D:y",
        ] {
            assert_eq!(safe_target(target), Some(target));
        }
        for target in
            ["javascript:alert(1)", "JaVa\tScript:x", " data:text/html,x", "file:///etc", ""]
        {
            assert_eq!(safe_target(target), None, "{target}");
        }
    }
}
