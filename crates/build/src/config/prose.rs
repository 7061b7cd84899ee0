//! `[prose]`: the language model, and what it is asked.

use std::path::{Path, PathBuf};

use campanile_answer::check_prompt_template;
use campanile_bundle::{ProseOffer, SearchDefaults, UnsupportedProse, WorkedExample};
use serde::Deserialize;

use super::ModelChoice;

/// `[prose]`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ProseConfig {
    /// Name of the language model to ship with the site; none by default, since it adds about
    /// 100 MB to the site (readers download it only when they ask for prose).
    pub model: Option<String>,
    /// What changes it so that it words answers as they are found: `"built-in"`, `"none"` or an adapter's file beside the
    /// documents.
    pub adapter: ModelChoice,
    /// The template of its prompt, a file beside the documents, and none of them.
    pub prompt: Option<PathBuf>,
    /// What stands in that file.
    #[serde(skip)]
    pub template: Option<String>,
    /// Questions answered as it should answer, JSON lines in a file beside the documents, and none of them.
    pub examples: Option<PathBuf>,
    /// What stands in that file.
    #[serde(skip)]
    pub worked_examples: Vec<WorkedExample>,
    /// How many of them it is shown: those nearest to the question.
    pub examples_shown: u32,
    /// How many passages it is given.
    pub passages: u32,
    /// How many words they may have together.
    pub words: u32,
    /// In which order they stand.
    pub order: EvidenceOrder,
    /// Which answers it is offered for: `sure` ones, or `always`.
    pub offered: ProseOffer,
    /// What becomes of a sentence of it that no passage says: `remove` leaves it out, `flag` marks it.
    pub unsupported: UnsupportedProse,
}

/// In which order passages stand in a prompt.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EvidenceOrder {
    /// The best first, the next best last: small models read the two ends best.
    #[default]
    Edges,
    /// By rank.
    Rank,
}

impl Default for ProseConfig {
    fn default() -> Self {
        let search = SearchDefaults::default();
        Self {
            model: None,
            adapter: ModelChoice::default(),
            prompt: None,
            template: None,
            examples: None,
            worked_examples: Vec::new(),
            examples_shown: search.prompt_examples,
            passages: search.prompt_passages,
            words: search.prompt_words,
            order: EvidenceOrder::default(),
            offered: ProseOffer::default(),
            unsupported: UnsupportedProse::default(),
        }
    }
}

/// Reads a template and looks whether it can be used.
///
/// # Errors
/// Why it can't, in words.
pub fn template(path: &Path) -> Result<String, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    check_prompt_template(&text).map_err(|error| error.to_string())?;
    Ok(text)
}

/// More than this in a site would make every reader's first download longer for those few who ask for prose.
const MOST_EXAMPLES: usize = 40;

/// Reads worked examples, one a line.
///
/// # Errors
/// Why they can't be used, in words.
pub fn worked_examples(path: &Path) -> Result<Vec<WorkedExample>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let lines = text.trim_start_matches('\u{feff}').lines().zip(1..);
    let mut examples = Vec::new();
    for (line, number) in lines.filter(|(line, _)| !line.trim().is_empty()) {
        let example: WorkedExample =
            serde_json::from_str(line).map_err(|error| format!("line {number}: {error}"))?;
        let parts = [
            ("question", &example.question),
            ("passage", &example.passage),
            ("answer", &example.answer),
        ];
        if let Some((name, _)) = parts.iter().find(|(_, text)| text.trim().is_empty()) {
            return Err(format!("line {number}: its `{name}` is empty"));
        }
        examples.push(example);
    }
    match examples.len() {
        0 => Err("there is no example in it".to_owned()),
        found if found > MOST_EXAMPLES => {
            Err(format!("it holds {found} examples, and {MOST_EXAMPLES} are the most"))
        }
        _ => Ok(examples),
    }
}

#[cfg(test)]
mod tests {
    use super::{template, worked_examples};

    #[test]
    fn examples_that_cannot_be_used_say_why() {
        let folder = tempfile::tempdir().unwrap_or_else(|error| unreachable!("{error}"));
        let path = folder.path().join("examples.jsonl");
        assert!(worked_examples(&path).is_err(), "there is no such file");
        let line = r#"{"question": "Q?", "passage": "P.", "answer": "A."}"#;
        let many = format!("{line}\n").repeat(41);
        let cases = [
            (format!("\u{feff}{line}\r\n\n{line}"), Ok(2)),
            (String::new(), Err("there is no example")),
            (format!("{line}\n{{}}"), Err("line 2: missing field `question`")),
            (line.replace("Q?", " "), Err("line 1: its `question` is empty")),
            (line.replace("answer", "reply"), Err("line 1: unknown field `reply`")),
            (many, Err("41 examples, and 40 are the most")),
        ];
        for (text, expected) in cases {
            assert!(std::fs::write(&path, &text).is_ok());
            let read = worked_examples(&path).map(|examples| examples.len());
            match expected {
                Ok(count) => assert_eq!(read, Ok(count), "{text}"),
                Err(reason) => {
                    assert!(read.as_ref().is_err_and(|it| it.contains(reason)), "{read:?}")
                }
            }
        }
    }

    #[test]
    fn a_template_that_cannot_be_used_says_why() {
        let folder = tempfile::tempdir().unwrap_or_else(|error| unreachable!("{error}"));
        let path = folder.path().join("prompt.txt");
        assert!(template(&path).is_err(), "there is no such file");
        let cases = [
            ("\u{feff}Answer.\r\n---\r\n{passages}\r\n{question}\r\n", None),
            ("Answer.\n---\n{passage}\n{question}\n", Some("line 3: there is no `{passage}`")),
            ("Answer {question}", Some("two or three parts")),
        ];
        for (text, reason) in cases {
            assert!(std::fs::write(&path, text).is_ok());
            let read = template(&path);
            match reason {
                None => assert_eq!(read, Ok("Answer.\n---\n{passages}\n{question}\n".to_owned())),
                Some(reason) => {
                    assert!(read.as_ref().is_err_and(|it| it.contains(reason)), "{read:?}")
                }
            }
        }
    }
}
