//! The replies of a model so far.
//!
//! A file of JSON lines, one for each passage. A line is on the disk before the next passage is asked about, so that an
//! interrupted run loses the one reply that was on its way; a line that was cut short is asked for again. A batch job
//! writes the same file: `{"id": …, "reply": …}`, with the id that `campanile questions export` gave.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::Context as _;
use serde::{Deserialize, Serialize};

use crate::prompt::Pair;

/// One line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    /// The passage's name.
    pub id: String,
    /// Who replied and what was asked; a batch job may leave it out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The model's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply: Option<String>,
    /// Or the pairs themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub questions: Option<Vec<Pair>>,
}

/// The replies by passage.
#[derive(Debug, Default)]
pub struct Replies {
    known: BTreeMap<String, Reply>,
    /// Lines that are no reply.
    pub unreadable: usize,
    log: Option<(PathBuf, File)>,
}

impl Replies {
    /// Reads what a batch job wrote.
    ///
    /// # Errors
    /// Where the file cannot be read, or no line of it is a reply.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let text = fs::read_to_string(path)
            .with_context(|| format!("cannot read the replies `{}`", path.display()))?;
        let replies = Self::of(&text, |_| true);
        anyhow::ensure!(
            !replies.known.is_empty() || text.trim().is_empty(),
            "`{}` holds no reply\n  way out: a line for each passage, {{\"id\": …, \"reply\": …}}, with the id \
             that `campanile questions export` gave",
            path.display()
        );
        Ok(replies)
    }

    /// Opens the memory of earlier runs, of the replies that `by` gave; `fresh` forgets them.
    ///
    /// # Errors
    /// Where the file can be neither read nor written.
    pub fn open(path: &Path, by: &str, fresh: bool) -> anyhow::Result<Self> {
        let failed = || format!("cannot keep replies in `{}`", path.display());
        let text = match fs::read_to_string(path) {
            Ok(text) if !fresh => text,
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(error).with_context(failed);
            }
            _ => String::new(),
        };
        let mut options = File::options();
        options.create(true);
        let mut file = match fresh {
            true => options.write(true).truncate(true).open(path),
            false => options.append(true).open(path),
        }
        .with_context(failed)?;
        if !text.is_empty() && !text.ends_with('\n') {
            // The last run was interrupted in the middle of a line.
            file.write_all(b"\n").with_context(failed)?;
        }
        let mut replies = Self::of(&text, |reply| reply.by.as_deref() == Some(by));
        replies.log = Some((path.to_owned(), file));
        Ok(replies)
    }

    fn of(text: &str, is_wanted: impl Fn(&Reply) -> bool) -> Self {
        let mut replies = Self::default();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            match serde_json::from_str::<Reply>(line) {
                Ok(reply) if is_wanted(&reply) => {
                    replies.known.insert(reply.id.clone(), reply);
                }
                Ok(_) => {}
                Err(_) => replies.unreadable += 1,
            }
        }
        replies
    }

    /// The reply about a passage.
    pub fn get(&self, id: &str) -> Option<&Reply> {
        self.known.get(id)
    }

    /// Keeps a reply, on the disk as well.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn add(&mut self, reply: Reply) -> anyhow::Result<()> {
        if let Some((path, file)) = &mut self.log {
            let line = serde_json::to_string(&reply)? + "\n";
            file.write_all(line.as_bytes())
                .and_then(|()| file.flush())
                .with_context(|| format!("cannot keep replies in `{}`", path.display()))?;
        }
        self.known.insert(reply.id.clone(), reply);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail")]

    use super::{Replies, Reply};

    fn reply(id: &str, by: &str) -> Reply {
        Reply { id: id.into(), by: Some(by.into()), reply: Some("[]".into()), questions: None }
    }

    #[test]
    fn what_was_replied_is_known_after_an_interruption() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("replies.jsonl");
        let mut replies = Replies::open(&path, "a", false).unwrap();
        replies.add(reply("1", "a")).unwrap();
        replies.add(reply("2", "a")).unwrap();
        drop(replies);
        // Killed while it wrote the second line.
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, &text[..text.len() - 9]).unwrap();
        let mut replies = Replies::open(&path, "a", false).unwrap();
        assert!(replies.get("1").is_some() && replies.get("2").is_none());
        replies.add(reply("3", "a")).unwrap();
        let replies = Replies::open(&path, "a", false).unwrap();
        assert!(replies.get("3").is_some());
        // Another model knows nothing of it.
        assert!(Replies::open(&path, "b", false).unwrap().get("1").is_none());
        assert!(Replies::open(&path, "a", true).unwrap().get("1").is_none());
    }
}
