//! Sentences of a language model, each judged by a person: whether it is true, and whether it is about what was asked.
//!
//! No metric tells whether prose helps. Words in common with a gold answer miss a "not", and a checker that marks sentences
//! cannot be its own judge. So a site's model writes ([`JudgedSentence`]), a person looks at every sentence
//! ([`judge_sentences`]), and [`ProseTally`] says what the sentences that a page shows are worth, beside those that it
//! leaves out.

use std::fmt::Write as _;
use std::io::{BufRead, Write};
use std::{fmt, io};

use campanile_answer::Support;
use campanile_questions::review::{FormEnd, ask};
use campanile_questions::{read_lines, write_lines};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::significance::wilson;

/// A sentence with what a person says of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgedSentence {
    /// The site, where the file holds several sites' sentences.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site: Option<String>,
    /// The question's name.
    pub id: String,
    /// The question; nothing where the name tells it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub question: String,
    /// The passages that the model was given, and those that the sentence rests on.
    pub passages: Vec<JudgedPassage>,
    /// The whole text that the model wrote.
    pub reply: String,
    /// The sentence.
    pub sentence: String,
    /// The site's own finding. People judge without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub support: Option<Support>,
    /// The probability, by the site's checker, that it follows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entailed: Option<f32>,
    /// `true` if the passages say all that it claims; nothing as long as nobody has looked.
    #[serde(rename = "true", default, skip_serializing_if = "Option::is_none")]
    pub is_true: Option<bool>,
    /// `true` if it is about what was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answers: Option<bool>,
    /// The reason in a few words, where one of the two is false.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
}

/// A passage beside a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgedPassage {
    /// The document's title.
    pub title: String,
    /// The headings above it.
    pub section: String,
    /// Its words.
    pub text: String,
}

/// A line is no judged sentence.
#[derive(Debug, Error)]
#[error("line {line} of the sentences: {source}")]
pub struct JudgedProseError {
    /// 1-based.
    pub line: usize,
    /// The problem with it.
    pub source: serde_json::Error,
}

impl JudgedSentence {
    /// Reads sentences, one a line.
    ///
    /// # Errors
    /// The first line that is none.
    pub fn read_all(text: &str) -> Result<Vec<Self>, JudgedProseError> {
        read_lines(text, |line, source| JudgedProseError { line, source })
    }

    /// The sentences as [`read_all`](Self::read_all) reads them.
    ///
    /// # Errors
    /// Where a probability is no number.
    pub fn write_all(sentences: &[Self]) -> serde_json::Result<String> {
        write_lines(sentences)
    }

    /// Returns `true` if a page shows it.
    fn is_shown(&self) -> bool {
        self.support == Some(Support::Supported)
    }
}

/// The shares of some sentences that people found true, about what was asked, and both.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProseShares {
    /// Judged sentences.
    pub sentences: usize,
    /// The true ones of these.
    pub is_true: usize,
    /// Those about what was asked.
    pub answers: usize,
    /// Those that are both.
    pub both: usize,
}

/// The findings of people on a file of sentences.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProseTally {
    /// Those that a page shows.
    pub shown: ProseShares,
    /// Those that a page leaves out.
    pub left_out: ProseShares,
    /// Sentences that nobody has looked at.
    pub undecided: usize,
}

impl ProseTally {
    /// Counts sentences.
    pub fn of(sentences: &[JudgedSentence]) -> Self {
        let mut tally = Self::default();
        for sentence in sentences {
            let (Some(is_true), Some(answers)) = (sentence.is_true, sentence.answers) else {
                tally.undecided += 1;
                continue;
            };
            let group = if sentence.is_shown() { &mut tally.shown } else { &mut tally.left_out };
            group.sentences += 1;
            group.is_true += usize::from(is_true);
            group.answers += usize::from(answers);
            group.both += usize::from(is_true && answers);
        }
        tally
    }
}

impl ProseShares {
    /// The number of these sentences as a share, for example `96 %`; a dash where there are none.
    pub(crate) fn percent(&self, count: usize) -> String {
        match self.sentences {
            0 => "–".to_owned(),
            _ => format!("{:.0} %", 100.0 * count as f64 / self.sentences as f64),
        }
    }

    /// The share of those that are both, with its 95 % interval (Wilson), for example `70 % (59 to 79 %)`.
    pub(crate) fn both_in_words(&self) -> String {
        let interval =
            wilson(self.both, self.sentences, 0.95).map_or_else(String::new, |interval| {
                format!(" ({:.0} to {:.0} %)", 100.0 * interval.lower, 100.0 * interval.upper)
            });
        format!("{}{interval}", self.percent(self.both))
    }
}

impl fmt::Display for ProseTally {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            formatter,
            "            sentences    true   about what was asked   both (95 % interval)"
        )?;
        for (name, group) in [("shown", self.shown), ("left out", self.left_out)] {
            writeln!(
                formatter,
                "{name:<12}{:>9}{:>8}{:>23}   {}",
                group.sentences,
                group.percent(group.is_true),
                group.percent(group.answers),
                group.both_in_words()
            )?;
        }
        match self.undecided {
            0 => Ok(()),
            1 => writeln!(formatter, "1 sentence nobody has looked at"),
            many => writeln!(formatter, "{many} sentences nobody has looked at"),
        }
    }
}

/// Shows each sentence that nobody has judged, without what the site found of it, and asks. `save` is called after
/// every one; an input that ends is a person who stops.
///
/// # Errors
/// Where the input or the output fails, or `save` does.
pub fn judge_sentences(
    sentences: &mut [JudgedSentence],
    input: &mut dyn BufRead,
    output: &mut dyn Write,
    save: &mut dyn FnMut(&[JudgedSentence]) -> io::Result<()>,
) -> io::Result<FormEnd> {
    let total = sentences.len();
    for place in 0..total {
        let sentence = &mut sentences[place];
        if sentence.is_true.is_some() && sentence.answers.is_some() {
            continue;
        }
        // What the site found is not shown: who knows it tends to agree.
        write!(output, "\n{} of {total}\n{}", place + 1, shown(sentence))?;
        let says_so = "Do the passages say all that it claims? [y]es  [n]o  [q]uit > ";
        let Some(is_true) = yes_or_no(says_so, input, output)? else {
            return Ok(FormEnd::Stopped);
        };
        let answers = "Is it about what was asked? [y]es  [n]o  [q]uit > ";
        let Some(answers) = yes_or_no(answers, input, output)? else {
            return Ok(FormEnd::Stopped);
        };
        if !(is_true && answers) {
            let why = "Why not, in a few words (Enter for nothing): ";
            let Some(why) = ask(why, input, output)? else { return Ok(FormEnd::Stopped) };
            sentence.why = why;
        }
        (sentence.is_true, sentence.answers) = (Some(is_true), Some(answers));
        save(sentences)?;
    }
    Ok(FormEnd::Done)
}

/// A reply to a question of the form; `None` where the person stops.
fn yes_or_no(
    prompt: &str,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> io::Result<Option<bool>> {
    loop {
        match ask(prompt, input, output)?.map(|typed| typed.to_lowercase()).as_deref() {
            Some("y" | "yes") => return Ok(Some(true)),
            Some("n" | "no") => return Ok(Some(false)),
            None | Some("q" | "quit") => return Ok(None),
            Some(_) => {}
        }
    }
}

fn shown(sentence: &JudgedSentence) -> String {
    let mut text = String::new();
    for JudgedPassage { title, section, text: words } in &sentence.passages {
        let place = if section.is_empty() { title } else { section };
        // Writing into a string does not fail.
        let _ = writeln!(text, "{place}");
        for line in words.lines().filter(|line| !line.trim().is_empty()) {
            let _ = writeln!(text, "  | {line}");
        }
    }
    let question = if sentence.question.is_empty() { &sentence.id } else { &sentence.question };
    let _ = writeln!(
        text,
        "Question: {question}\nWritten:  {}\nSentence: {}",
        sentence.reply, sentence.sentence
    );
    text
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail")]

    use super::{FormEnd, JudgedSentence, ProseTally, judge_sentences};

    /// A sentence, what the site found, and what a person says.
    fn line(support: &str, judged: &str) -> String {
        format!(
            r#"{{"id": "q", "question": "Fee?", "passages": [{{"title": "Fees", "section": "", "text": "It is 5 euros."}}], "reply": "5 euros.", "sentence": "5 euros.", "support": "{support}"{judged}}}"#
        )
    }

    #[test]
    fn what_is_shown_is_counted_beside_what_is_left_out() {
        let file = [
            line("supported", r#", "true": true, "answers": true"#),
            line("supported", r#", "true": true, "answers": false"#),
            line("aside", r#", "true": true, "answers": true"#),
            line("unsupported", r#", "true": false, "answers": true, "why": "another fee""#),
            line("supported", ""),
        ];
        let sentences = JudgedSentence::read_all(&file.join("\n")).unwrap();
        let tally = ProseTally::of(&sentences);
        assert_eq!((tally.shown.sentences, tally.shown.is_true, tally.shown.both), (2, 2, 1));
        assert_eq!((tally.left_out.sentences, tally.left_out.both), (2, 1));
        assert_eq!(tally.undecided, 1);
        let told = tally.to_string();
        assert!(told.contains("50 % (9 to 91 %)") && told.contains("1 sentence nobody"), "{told}");
    }

    #[test]
    fn a_file_is_written_as_it_was_read_and_a_wrong_line_is_named() {
        let sentences = JudgedSentence::read_all(&line("aside", r#", "true": false"#)).unwrap();
        let written = JudgedSentence::write_all(&sentences).unwrap();
        assert_eq!(JudgedSentence::read_all(&written).unwrap(), sentences);
        let wrong = format!("{written}{{\"id\": 5}}");
        assert!(JudgedSentence::read_all(&wrong).unwrap_err().to_string().starts_with("line 2 of"));
    }

    #[test]
    fn who_stops_goes_on_where_they_stopped() {
        let file = [line("supported", ""), line("aside", ""), line("unsupported", "")].join("\n");
        let mut sentences = JudgedSentence::read_all(&file).unwrap();
        let mut saved = 0;
        let mut run = |sentences: &mut [JudgedSentence], typed: &str| {
            let mut output = Vec::new();
            let end = judge_sentences(sentences, &mut typed.as_bytes(), &mut output, &mut |_| {
                saved += 1;
                Ok(())
            });
            (end.unwrap(), String::from_utf8(output).unwrap())
        };
        let (end, output) = run(&mut sentences, "y\nperhaps\ny\nn\nq\n");
        assert_eq!(end, FormEnd::Stopped);
        assert!(output.contains("It is 5 euros.") && !output.contains("supported"), "{output}");
        let judged: Vec<_> = sentences.iter().map(|it| (it.is_true, it.answers)).collect();
        assert_eq!(judged[0], (Some(true), Some(true)));
        assert_eq!(judged[1], (None, None), "a half judgement is none");
        let (end, output) = run(&mut sentences, "n\ny\nanother row\ny\ny\n");
        assert_eq!(end, FormEnd::Done);
        assert!(output.contains("2 of 3") && !output.contains("1 of 3"), "{output}");
        assert_eq!(sentences[1].why, "another row");
        assert_eq!(saved, 3);
    }
}
