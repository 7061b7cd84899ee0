//! Questions with their answers, however a document sets them: as a table, as paragraphs, as headings.
//!
//! A department's FAQ is a list of questions in a bold line, in a line that opens (`<summary>`), in a term of a
//! list of definitions, or in the column of a sheet. Each becomes a heading with its answer below it, so that a
//! question is found as itself and its answer stands alone. Which headings that ask are then entries of a FAQ, and not
//! rhetoric, is told by all sections together ([`mark_entries`](campanile_corpus::mark_entries)); only a table with a
//! column of questions is a FAQ in any case.

use campanile_corpus::{Block, BlockKind, Section, Span, asks};

use crate::assemble::DEEPEST_HEADING;
use crate::inline::InlineText;
use crate::table::{CellDraft, TableDraft};

/// One or two paragraphs that ask are rhetoric; as many as this are a FAQ.
// With one, a page that asks what it goes on to tell is cut to pieces (`rhetoric_is_no_faq`); with five,
// a short FAQ is none.
const LEAST_ASKED: usize = 3;
/// A paragraph that is longer than this does not stand as a heading.
const HEADING_BYTES: usize = 200;

/// Names of a column, in lower case, by what stands in it. English and German.
const QUESTION: &[&str] = &["question", "questions", "q", "frage", "fragen"];
const ANSWER: &[&str] = &["answer", "answers", "a", "antwort", "antworten", "reply", "response"];
const TOPIC: &[&str] =
    &["topic", "category", "section", "group", "thema", "kategorie", "rubrik", "bereich"];

/// One question with its answer.
#[derive(Default)]
pub(crate) struct Entry {
    /// The heading that it stands under; may be empty.
    pub(crate) topic: String,
    pub(crate) question: InlineText,
    pub(crate) answer: InlineText,
    /// Its other columns, each after its name; may be empty.
    pub(crate) further: String,
}

/// The caption and the entries of a table with a column of questions and one of answers; any other table as it was.
pub(crate) fn entries(table: TableDraft) -> Result<(InlineText, Vec<Entry>), TableDraft> {
    let Some((head, body)) = table.rows.split_first().filter(|(head, _)| head.is_head) else {
        return Err(table);
    };
    let names: Vec<String> =
        head.cells.iter().map(|cell| cell.text.text.trim().to_lowercase()).collect();
    let column = |known: &[&str]| names.iter().position(|name| known.contains(&name.as_str()));
    let is_plain = |cell: &CellDraft| cell.columns == 1 && cell.rows == 1;
    let fits = body.iter().all(|row| !row.is_head && row.cells.iter().all(is_plain));
    let (Some(question), Some(answer)) = (column(QUESTION), column(ANSWER)) else {
        return Err(table);
    };
    if !fits || body.is_empty() {
        return Err(table);
    }
    let topic = column(TOPIC);
    let titles: Vec<String> = head.cells.iter().map(|cell| cell.text.text.clone()).collect();
    let entry = |cells: Vec<CellDraft>| {
        let mut entry = Entry::default();
        for (index, cell) in cells.into_iter().enumerate() {
            if index == question {
                entry.question = cell.text;
            } else if index == answer {
                entry.answer = cell.text;
            } else if Some(index) == topic {
                entry.topic = cell.text.text;
            } else if let Some(title) = titles.get(index).filter(|_| !cell.text.text.is_empty()) {
                let separator = if entry.further.is_empty() { "" } else { "; " };
                entry.further.push_str(&format!("{separator}{title}: {}", cell.text.text));
            }
        }
        entry
    };
    let entries = table.rows.into_iter().skip(1).map(|row| entry(row.cells)).collect();
    Ok((table.caption, entries))
}

/// The sections, with paragraphs and list items that ask as the headings of what follows them, where a document has
/// several such.
pub(crate) fn with_asked_paragraphs(sections: Vec<Section>, text: &str) -> Vec<Section> {
    let places: Vec<Vec<usize>> = sections.iter().map(|section| asked(section, text)).collect();
    if places.iter().map(Vec::len).sum::<usize>() < LEAST_ASKED {
        return sections;
    }
    let split = |(section, asked): (Section, Vec<usize>)| split(section, &asked, text);
    sections.into_iter().zip(places).flat_map(split).collect()
}

/// The places of a section's blocks that ask and have an answer behind them.
fn asked(section: &Section, text: &str) -> Vec<usize> {
    let asks = |block: &Block, kind: BlockKind| {
        let own = block.span.slice(text).unwrap_or_default();
        block.kind == kind && own.len() <= HEADING_BYTES && asks(without_label(own))
    };
    let answered = |kind: BlockKind| -> Vec<(usize, bool)> {
        let blocks = section.blocks.iter().enumerate().filter(|(_, block)| asks(block, kind));
        // A question behind a question is a list of questions.
        let is_answer = |place: usize| {
            section
                .blocks
                .get(place + 1)
                .is_some_and(|next| !asks(next, kind) && !asks(next, BlockKind::Paragraph))
        };
        blocks.map(|(place, _)| (place, is_answer(place))).collect()
    };
    let paragraphs = answered(BlockKind::Paragraph).into_iter().filter(|(_, is)| *is);
    let mut places: Vec<usize> = paragraphs.map(|(place, _)| place).collect();
    // A list of questions to think about has no answers: of a FAQ that is a list, each question has one.
    let items = answered(BlockKind::ListItem);
    if items.len() >= LEAST_ASKED && items.iter().all(|(_, is_answered)| *is_answered) {
        places.extend(items.into_iter().map(|(place, _)| place));
        places.sort_unstable();
    }
    places
}

/// A section up to the first of the blocks that ask, and from there on a section for each of these. Their places are in
/// order.
fn split(section: Section, asked: &[usize], text: &str) -> Vec<Section> {
    let mut made = vec![Section { blocks: Vec::new(), ..section.clone() }];
    for (place, block) in section.blocks.iter().enumerate() {
        if asked.binary_search(&place).is_ok() {
            let heading = without_label(block.span.slice(text).unwrap_or_default()).to_owned();
            let path = section.path.iter().cloned().chain([heading.clone()]).collect();
            made.push(Section {
                heading,
                level: section.level.saturating_add(1).min(DEEPEST_HEADING),
                path,
                is_question: false,
                anchor: section.anchor.clone(),
                span: Span::new(block.span.end, block.span.end),
                blocks: Vec::new(),
            });
        } else if let Some(last) = made.last_mut() {
            last.span =
                if last.blocks.is_empty() { block.span } else { last.span.joined(block.span) };
            last.blocks.push(*block);
        }
    }
    if let Some(first) = made.first_mut().filter(|first| first.blocks.is_empty()) {
        first.span = Span::new(section.span.start, section.span.start);
    }
    // What stood before the first question was nothing, not even a heading.
    made.retain(|section| section.level > 0 || !section.blocks.is_empty());
    made
}

/// A question without the letter or the number that some lists put before it: `Q:`, `3.`
fn without_label(question: &str) -> &str {
    let (label, rest) = question.split_once([':', '.', ')']).unwrap_or(("", question));
    let is_number = !label.is_empty() && label.chars().all(|sign| sign.is_ascii_digit());
    // `F:` is the German `Q:`.
    let is_letter = QUESTION.iter().chain(&["f"]).any(|known| label.eq_ignore_ascii_case(known));
    if (is_number || is_letter) && rest.starts_with(char::is_whitespace) {
        rest.trim_start()
    } else {
        question
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail")]

    use super::without_label;
    use campanile_corpus::Document;

    use crate::read_bytes;

    fn read(path: &str, source: &str) -> Document {
        read_bytes(path, source.as_bytes(), &Default::default()).unwrap().documents.remove(0)
    }

    /// Each section: its heading, whether it asks, and its text.
    fn told(document: &Document) -> Vec<(&str, bool, &str)> {
        let of = |section: &'_ campanile_corpus::Section| {
            (section.is_question, section.span.slice(&document.text).unwrap_or("?"))
        };
        let sections = document.sections.iter();
        sections.map(|section| (section.heading.as_str(), of(section).0, of(section).1)).collect()
    }

    #[test]
    fn a_faq_is_read_however_it_is_set() {
        let entries = [
            ("How do I enrol?", true, "With form E-1."),
            ("What does it cost?", true, "EUR 40."),
            ("May I pay later?", true, "Until 3 May."),
        ];
        let cases = [
            (
                "a.html",
                "<h1>FAQ</h1><details><summary>How do I enrol?</summary><p>With form E-1.</p></details>\
              <details><summary>What does it cost?</summary>EUR 40.</details>\
              <details><summary>May I pay later?</summary><div>Until 3 May.</div></details>",
            ),
            (
                "b.html",
                "<h1>FAQ</h1><dl><dt>How do I enrol?</dt><dd>With form E-1.</dd><dt>What does it cost?\
              </dt><dd>EUR 40.</dd><dt>May I pay later?<dd><p>Until 3 May.</p></dl>",
            ),
            (
                "c.md",
                "# FAQ\n\n**How do I enrol?**\n\nWith form E-1.\n\n**What does it cost?**\n\nEUR 40.\n\n\
              **May I pay later?**\n\nUntil 3 May.\n",
            ),
            (
                "d.md",
                "# FAQ\n\n## How do I enrol?\n\nWith form E-1.\n\n## What does it cost?\nEUR 40.\n\n\
              ## May I pay later?\nUntil 3 May.\n",
            ),
            (
                "e.md",
                "# FAQ\n\nQ: How do I enrol?\n\nWith form E-1.\n\nQ. What does it cost?\n\nEUR 40.\n\n\
              Frage: May I pay later?\n\nUntil 3 May.\n",
            ),
        ];
        for (path, source) in cases {
            let document = read(path, source);
            let found: Vec<_> = told(&document).into_iter().filter(|(_, asks, _)| *asks).collect();
            assert_eq!(found, entries, "{path}: {document:#?}");
            let path_of = document.sections.last().map(|section| section.path.join(" > "));
            assert_eq!(path_of.as_deref(), Some("FAQ > May I pay later?"), "{path}");
        }
    }

    #[test]
    fn a_table_of_questions_is_a_faq() {
        let cases = [
            (
                "a.csv",
                "question,answer,topic,updated\nHow do I enrol?,With form E-1.,Start,May\nThe cost,EUR 40.,Money,\n",
            ),
            (
                "b.jsonl",
                "{\"question\":\"How do I enrol?\",\"answer\":\"With form E-1.\",\"topic\":\"Start\",\"updated\":\"May\"}\n\
              {\"question\":\"The cost\",\"answer\":\"EUR 40.\",\"topic\":\"Money\"}\n",
            ),
        ];
        for (path, source) in cases {
            let document = read(path, source);
            let expected = [
                ("Start", false, ""),
                ("How do I enrol?", true, "With form E-1.\n\nupdated: May"),
                ("Money", false, ""),
                ("The cost", true, "EUR 40."),
            ];
            assert_eq!(told(&document), expected, "{path}");
            assert!(document.tables.is_empty());
        }
    }

    #[test]
    fn rhetoric_is_no_faq() {
        let text = "# Guide\n\nWhat now?\n\nRead on.\n\nWho are we?\n\nA desk.\n";
        let document = read("a.md", text);
        assert_eq!(document.sections.len(), 1);
        let list = "# Think\n\n- Who asks?\n- Why?\n- It is for you to say.\n- When?\n- By then.\n- Where?\n- Here.\n";
        assert_eq!(read("b.md", list).sections.len(), 1);
        let other = read("a.csv", "question,points\nWhat is a field?,3\n");
        assert_eq!(other.tables.len(), 1);
    }

    #[test]
    fn labels_are_not_part_of_a_question() {
        let cases = [
            ("Q: Who?", "Who?"),
            ("12. Who?", "Who?"),
            ("Frage: Wer?", "Wer?"),
            ("Note: who?", "Note: who?"),
            ("3.5 credits?", "3.5 credits?"),
        ];
        for (question, expected) in cases {
            assert_eq!(without_label(question), expected);
        }
    }
}
