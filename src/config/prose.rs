//! `[prose]`: the language model, and what it is asked.

use std::path::{Path, PathBuf};

use campanile_answer::check_prompt_template;
use campanile_bundle::{SearchDefaults, UnsupportedProse};
use serde::Deserialize;

/// `[prose]`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ProseConfig {
    /// Name of the language model to ship with the site; none by default, since it adds about
    /// 100 MB to the site (readers download it only when they ask for prose).
    pub model: Option<String>,
    /// The template of its prompt, a file beside the documents, and none of them.
    pub prompt: Option<PathBuf>,
    /// What stands in that file.
    #[serde(skip)]
    pub template: Option<String>,
    /// How many passages it is given.
    pub passages: u32,
    /// How many words they may have together.
    pub words: u32,
    /// In which order they stand.
    pub order: EvidenceOrder,
    /// What becomes of a sentence of it that no passage says: `flag` marks it, `remove` leaves it out.
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
            prompt: None,
            template: None,
            passages: search.prompt_passages,
            words: search.prompt_words,
            order: EvidenceOrder::default(),
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

#[cfg(test)]
mod tests {
    use super::template;

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
