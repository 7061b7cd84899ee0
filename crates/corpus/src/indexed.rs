use campanile_text::Span;

use crate::context::{context_of, with_context};
use crate::{Chunk, Document, SentenceUnit};

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
        let own = span.slice(&document.text).unwrap_or_default();
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

    use super::{IndexedText, indexed_text};
    use crate::{Chunk, Document, Section, Span};

    fn of(title: &str, path: &[&str], text: &str) -> IndexedText {
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
            assert_eq!(fields(&of(title, path, "Stay.")), expected, "{title:?} {path:?}");
        }
        // A title that is too long is cut, and what is left of it is title still.
        let cut = of(&long, &["Sick"], "Stay.");
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
            let indexed = of(&title, &path, &text);
            let [first, _, own] = fields(&indexed);
            prop_assert_eq!(own, &text);
            prop_assert!(title.trim().starts_with(first.trim_end_matches('…')));
            prop_assert_eq!(first.is_empty(), title.trim().is_empty());
        }
    }
}
