//! The context of a chunk, and the text that is embedded and indexed: the context in front of its own words.

use campanile_text::Span;

use crate::{Chunk, Document, Section, SentenceUnit};

/// The longest context in bytes, so that a chunk's own text keeps most of an encoder's room.
///
/// In tokens it is about a fifth of this for English, and never more than this: no tokenizer in
/// use makes more tokens than it reads bytes.
// At its worst, a token a byte, it leaves 96 of the default encoder's 256 tokens to the text; twice as much would
// leave none.
pub const CONTEXT_BYTES: usize = 160;

const SEPARATOR: &str = " > ";
const ELLIPSIS: &str = "…";

/// Returns the context of a section: the document's title and the headings down to it, `Title > A > B`.
///
/// A first heading that only repeats the title is left out. Beyond [`CONTEXT_BYTES`] the headings
/// in the middle go first (`Title > … > B`), then the title and the section's own heading are cut
/// at a word.
///
/// ```
/// use campanile_corpus::{Document, Section, context};
///
/// let document = Document { title: "Exam rules".into(), ..Document::default() };
/// let section = Section {
///     path: vec!["Exam rules".into(), "Resits".into()],
///     ..Section::default()
/// };
/// assert_eq!(context(&document, &section), "Exam rules > Resits");
/// ```
pub fn context(document: &Document, section: &Section) -> String {
    within(document, section, None).text
}

/// The context of text that begins at `place` in a section: in the rows of a table, the table's
/// caption is its last part.
///
/// A row says little without it (`38` of what?), and repeated in every row it would drown them.
pub fn context_at(document: &Document, section: &Section, place: u32) -> String {
    context_of(document, section, place).text
}

/// A context, and how much of it is the document's title.
#[derive(Default)]
struct Context {
    pub(crate) text: String,
    /// Bytes of the title at its beginning.
    pub(crate) title: usize,
}

/// As [`context_at`], with what in it is the title.
fn context_of(document: &Document, section: &Section, place: u32) -> Context {
    let caption = document.table_at(place).map(|table| table.caption.as_str());
    within(document, section, caption)
}

/// The contexts of a section, each with the place from which on it holds.
pub(crate) fn contexts(document: &Document, section: &Section, from: u32) -> Vec<(u32, String)> {
    let mut found = vec![(from, context(document, section))];
    // Tables lie in the order of the text, and a catalogue has thousands: only those of the section are looked at.
    let first = document.tables.partition_point(|table| table.span().end <= section.span.start);
    let tables = document.tables.iter().skip(first);
    for table in tables.take_while(|table| table.span().start < section.span.end) {
        if table.caption.is_empty() {
            continue;
        }
        let Span { start, end } = table.span();
        found.push((start, within(document, section, Some(&table.caption)).text));
        found.push((end, context(document, section)));
    }
    found
}

fn within(document: &Document, section: &Section, caption: Option<&str>) -> Context {
    let title = document.title.trim();
    let headings: Vec<&str> = section
        .path
        .iter()
        .map(|heading| heading.trim())
        .filter(|heading| !heading.is_empty())
        .collect();
    // "Rules (biology)" is the same heading, told apart from that of other documents.
    let is_title = |heading: &str| {
        let (heading, title) = (heading.to_lowercase(), title.to_lowercase());
        title.strip_prefix(&heading).is_some_and(|rest| rest.is_empty() || rest.starts_with(" ("))
    };
    let repeats = headings.first().is_some_and(|first| is_title(first));
    let headings = &headings[usize::from(repeats)..];
    let mut parts = Vec::with_capacity(headings.len() + 1);
    if !title.is_empty() {
        parts.push(title);
    }
    parts.extend(headings);
    let caption = caption.map(str::trim).filter(|caption| {
        let repeats =
            parts.last().is_some_and(|last| last.to_lowercase() == caption.to_lowercase());
        !caption.is_empty() && !repeats
    });
    parts.extend(caption);
    let whole = parts.join(SEPARATOR);
    let parts = match whole.len() <= CONTEXT_BYTES {
        true => parts.into_iter().map(str::to_owned).collect(),
        false => shortened(&parts),
    };
    let title = if title.is_empty() { 0 } else { parts.first().map_or(0, String::len) };
    Context { text: parts.join(SEPARATOR), title }
}

/// Keeps the first and the last part and as many before the last as find room.
fn shortened(parts: &[&str]) -> Vec<String> {
    // Half each for the first and the last part, so that one long title never pushes the section's own heading out.
    let room = (CONTEXT_BYTES - 2 * SEPARATOR.len() - ELLIPSIS.len()) / 2;
    let (Some((first, rest)), Some(last)) = (parts.split_first(), parts.last()) else {
        return Vec::new();
    };
    let Some((_, middle)) = rest.split_last() else {
        return vec![cut(first, CONTEXT_BYTES)];
    };
    let first = cut(first, room);
    let last = cut(last, room);
    let mut kept = vec![last];
    let mut length = first.len() + SEPARATOR.len() + kept.iter().map(String::len).sum::<usize>();
    let gap = SEPARATOR.len() + ELLIPSIS.len();
    for part in middle.iter().rev() {
        length += SEPARATOR.len() + part.len();
        if length + gap > CONTEXT_BYTES {
            kept.push(ELLIPSIS.to_owned());
            break;
        }
        kept.push((*part).to_owned());
    }
    kept.push(first);
    kept.reverse();
    kept
}

/// The text in at most `bytes` bytes, cut behind a word where there is one.
fn cut(text: &str, bytes: usize) -> String {
    if text.len() <= bytes {
        return text.to_owned();
    }
    let mut end = bytes.saturating_sub(ELLIPSIS.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let head = &text[..end];
    // Not before the middle: of one monstrous word behind a short one nearly nothing would be left.
    let words = head.rfind(char::is_whitespace).filter(|at| *at > end / 2);
    let head = &head[..words.unwrap_or(end)];
    format!("{}{ELLIPSIS}", head.trim_end())
}

/// The one place that says how context and text are put together.
pub(crate) fn with_context(context: &str, text: &str) -> String {
    if context.is_empty() {
        return text.to_owned();
    }
    format!("{context}\n{text}")
}

/// A text as it is embedded and indexed, and where its fields lie in it: the document's title, the
/// headings and a table's caption, and behind them its own words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexedText {
    /// [Context](crate::context_at), a newline, its own words.
    pub text: String,
    /// Bytes of the title, with which the text begins.
    pub title: usize,
    /// Bytes in front of its own words: title, headings and what stands between them.
    pub context: usize,
}

impl IndexedText {
    /// A text that carries its context in its own words.
    pub fn plain(text: String) -> Self {
        Self { text, ..Self::default() }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// A span of a document behind its context.
    fn of(document: &Document, section: u32, span: Span) -> Self {
        let section = document.sections.get(section as usize);
        let context = section.map(|section| context_of(document, section, span.start));
        let context = context.unwrap_or_default();
        let own = span.cut_from(&document.text);
        let text = with_context(&context.text, own);
        Self { title: context.title, context: text.len() - own.len(), text }
    }
}

/// The text of a chunk as it is embedded and indexed: its context, a newline, its own text.
pub fn indexed_text(document: &Document, chunk: &Chunk) -> IndexedText {
    IndexedText::of(document, chunk.section, chunk.span)
}

/// The text of a sentence as it is embedded and indexed: its context, a newline, its own text.
pub fn indexed_sentence(document: &Document, sentence: &SentenceUnit) -> IndexedText {
    IndexedText::of(document, sentence.section, sentence.span)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{CONTEXT_BYTES, IndexedText, context, context_at, contexts, indexed_text};
    use crate::{Chunk, Document, Section, Span, Table, TableLine};

    fn of(title: &str, path: &[&str]) -> String {
        let document = Document { title: title.to_owned(), ..Document::default() };
        let section = Section {
            path: path.iter().map(|heading| (*heading).to_owned()).collect(),
            ..Section::default()
        };
        context(&document, &section)
    }

    #[test]
    fn context_reads_from_the_title_down() {
        assert_eq!(of("Leave", &[]), "Leave");
        assert_eq!(of("Leave", &["Paid", "Sick"]), "Leave > Paid > Sick");
        assert_eq!(of("Leave", &["LEAVE ", "Sick"]), "Leave > Sick");
        assert_eq!(of("", &["Sick"]), "Sick");
        assert_eq!(of("", &[]), "");
    }

    #[test]
    fn the_middle_goes_first_when_room_is_short() {
        let middle = "a heading of some forty bytes in all, ok";
        let long = of("Title", &[middle, middle, middle, middle, "Own"]);
        assert_eq!(long, format!("Title > … > {middle} > {middle} > {middle} > Own"));
        let huge = "word ".repeat(100);
        let cut = of(&huge, &["x", &huge]);
        assert!(cut.starts_with("word word") && cut.contains("… > x > word"));
    }

    #[test]
    fn in_a_table_the_caption_comes_last() {
        let table = Table {
            caption: "Maximum ECTS per year".to_owned(),
            lines: vec![TableLine { row: 1, span: Span::new(10, 20) }],
            ..Table::default()
        };
        let document =
            Document { title: "Guide".into(), tables: vec![table], ..Document::default() };
        let section =
            Section { path: vec!["ECTS".into()], span: Span::new(0, 30), ..Section::default() };
        let at = |place| context_at(&document, &section, place);
        assert_eq!(at(9), "Guide > ECTS");
        assert_eq!(at(10), "Guide > ECTS > Maximum ECTS per year");
        assert_eq!(at(19), "Guide > ECTS > Maximum ECTS per year");
        assert_eq!(at(20), "Guide > ECTS");
        let all = contexts(&document, &section, 0);
        assert_eq!(all.iter().map(|(from, _)| *from).collect::<Vec<_>>(), [0, 10, 20]);
        assert!(all.iter().all(|(from, context)| *context == at(*from)));
    }

    proptest! {
        #[test]
        fn context_is_never_longer_than_promised(
            title in "\\PC{0,200}", path in proptest::collection::vec("\\PC{0,120}", 0..7)
        ) {
            let path: Vec<_> = path.iter().map(String::as_str).collect();
            prop_assert!(of(&title, &path).len() <= CONTEXT_BYTES);
        }
    }

    fn indexed_of(title: &str, path: &[&str], text: &str) -> IndexedText {
        let section = Section {
            path: path.iter().map(|heading| (*heading).to_owned()).collect(),
            span: Span::from_range(0..text.len()),
            ..Section::default()
        };
        let document = Document {
            title: title.to_owned(),
            text: text.to_owned(),
            sections: vec![section],
            ..Document::default()
        };
        indexed_text(
            &document,
            &Chunk { section: 0, span: Span::from_range(0..text.len()), index: 0 },
        )
    }

    /// Title, what stands between it and the own words, and those.
    fn fields(indexed: &IndexedText) -> [&str; 3] {
        let IndexedText { text, title, context } = indexed;
        [&text[..*title], &text[*title..*context], &text[*context..]]
    }

    #[test]
    fn fields_lie_one_behind_the_other() {
        let long = "word ".repeat(60);
        let cases: [(&str, &[&str], [&str; 3]); 6] = [
            ("Leave", &["Paid", "Sick"], ["Leave", " > Paid > Sick\n", "Stay."]),
            ("Leave", &["LEAVE", "Sick"], ["Leave", " > Sick\n", "Stay."]),
            ("Leave > now", &[], ["Leave > now", "\n", "Stay."]),
            ("", &["Sick"], ["", "Sick\n", "Stay."]),
            ("", &[], ["", "", "Stay."]),
            (" Leave ", &[], ["Leave", "\n", "Stay."]),
        ];
        for (title, path, expected) in cases {
            assert_eq!(fields(&indexed_of(title, path, "Stay.")), expected, "{title:?} {path:?}");
        }
        // A title that is too long is cut, and what is left of it is title still.
        let cut = indexed_of(&long, &["Sick"], "Stay.");
        let [title, headings, own] = fields(&cut);
        assert!(title.starts_with("word word") && title.ends_with('…'), "{title}");
        assert_eq!([headings, own], [" > Sick\n", "Stay."]);
    }

    proptest! {
        #[test]
        fn own_words_stand_whole_behind_the_context(
            title in "\\PC{0,200}",
            path in proptest::collection::vec("\\PC{0,90}", 0..4),
            text in "\\PC{1,60}",
        ) {
            let path: Vec<&str> = path.iter().map(String::as_str).collect();
            let indexed = indexed_of(&title, &path, &text);
            let [first, _, own] = fields(&indexed);
            prop_assert_eq!(own, &text);
            prop_assert!(title.trim().starts_with(first.trim_end_matches('…')));
            prop_assert_eq!(first.is_empty(), title.trim().is_empty());
        }
    }
}
