//! The text that a prompt is made of, with places for what changes.
//!
//! Its parts stand between lines of `---`: the instructions, the message, and how one passage is written. A
//! `{name}` is a place; a paragraph whose places are all empty is left out with its heading.

use std::fmt;

/// The template of a site that brings none of its own.
pub(super) const DEFAULT: &str = include_str!("default.txt");

const BETWEEN: &str = "\n---\n";
/// The form of a passage where a template does not give one.
const PASSAGE: &str = "[{number}] {title}: {text}";

const INSTRUCTIONS: [&str; 2] = ["site", "reader"];
const MESSAGE: [&str; 7] = ["site", "reader", "passages", "academic", "other", "found", "question"];
const OF_PASSAGE: [&str; 7] = ["number", "rank", "score", "level", "section", "title", "text"];

/// A template in its parts.
pub(super) struct Template<'a> {
    pub(super) system: &'a str,
    pub(super) user: &'a str,
    pub(super) passage: &'a str,
}

impl<'a> Template<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let mut parts = text.trim().split(BETWEEN);
        Self {
            system: parts.next().unwrap_or_default(),
            user: parts.next().unwrap_or_default(),
            passage: parts.next().unwrap_or(PASSAGE),
        }
    }

    /// The labels of the message, each with its colon: what no foreign text may look like.
    pub(super) fn labels(&self) -> Vec<&'a str> {
        let label = |line: &'a str| line.split('{').next().map(str::trim);
        let is_label = |label: &&str| label.len() > 1 && label.ends_with(':');
        self.user.lines().filter_map(label).filter(is_label).collect()
    }
}

/// A part of a template with its places filled; what a value holds is never looked at again.
pub(super) fn fill(part: &str, value: &dyn Fn(&str) -> Option<String>) -> String {
    let mut filled = String::new();
    for paragraph in part.split("\n\n") {
        let mut text = String::new();
        let (mut end, mut has_places, mut is_said) = (0, false, false);
        for (start, name) in places(paragraph) {
            let Some(value) = value(name) else { continue };
            has_places = true;
            is_said |= !value.is_empty();
            text.push_str(&paragraph[end..start]);
            text.push_str(&value);
            end = start + name.len() + 2;
        }
        if has_places && !is_said {
            continue;
        }
        text.push_str(&paragraph[end..]);
        if !filled.is_empty() {
            filled.push_str("\n\n");
        }
        filled.push_str(text.trim());
    }
    filled
}

/// Every `{name}` in a text, with where it begins.
fn places(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.match_indices('{').filter_map(|(start, _)| {
        let (name, _) = text[start + 1..].split_once('}')?;
        let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase());
        is_name.then_some((start, name))
    })
}

/// Looks at a template before it goes into a site.
///
/// # Errors
/// Where it has not two or three parts, names a place that there is none of in that part, or has no place for the
/// question or the evidence.
///
/// ```
/// use campanile_answer::check_prompt_template;
///
/// assert!(check_prompt_template("Answer briefly.\n---\n{passages}\n\n{question}").is_ok());
/// let error = check_prompt_template("Answer.\n---\n{pasages}\n\n{question}").unwrap_err();
/// assert!(error.to_string().starts_with("line 3: there is no `{pasages}`"));
/// ```
pub fn check_prompt_template(text: &str) -> Result<(), PromptTemplateError> {
    let text = text.trim();
    let parts: Vec<&str> = text.split(BETWEEN).collect();
    if !(2..=3).contains(&parts.len()) {
        return Err(PromptTemplateError::Parts { found: parts.len() });
    }
    let known: [&'static [&'static str]; 3] = [&INSTRUCTIONS, &MESSAGE, &OF_PASSAGE];
    let mut line = 1;
    for (part, known) in parts.iter().zip(known) {
        for (start, name) in places(part) {
            if !known.contains(&name) {
                let line = line + part[..start].matches('\n').count();
                return Err(PromptTemplateError::Unknown { line, name: name.to_owned(), known });
            }
        }
        line += part.matches('\n').count() + 2;
    }
    let Template { user, passage, .. } = Template::new(text);
    let has = |part: &str, wanted: &str| places(part).any(|(_, name)| name == wanted);
    let has_evidence = has(user, "passages") || (has(user, "academic") && has(user, "other"));
    let missing = [
        (has(user, "question"), "`{question}` in the message"),
        (has_evidence, "`{passages}`, or `{academic}` and `{other}`, in the message"),
        (has(passage, "text"), "`{text}` in the passage"),
    ];
    match missing.into_iter().find(|(is_there, _)| !is_there) {
        Some((_, place)) => Err(PromptTemplateError::Missing { place }),
        None => Ok(()),
    }
}

/// Why a template cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PromptTemplateError {
    /// It has another number of parts.
    Parts {
        /// The number of parts found.
        found: usize,
    },
    /// It names a place that there is none of.
    Unknown {
        /// The line of the template, from 1.
        line: usize,
        /// The name.
        name: String,
        /// The names that may stand there.
        known: &'static [&'static str],
    },
    /// A place that every prompt needs is not in it.
    Missing {
        /// Which, and in which part.
        place: &'static str,
    },
}

impl fmt::Display for PromptTemplateError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parts { found } => write!(
                formatter,
                "expected two or three parts with a line `---` between them (instructions, message, passage), \
                 found {found}"
            ),
            Self::Unknown { line, name, known } => {
                write!(formatter, "line {line}: there is no `{{{name}}}` in this part, but")?;
                known.iter().try_for_each(|name| write!(formatter, " `{{{name}}}`"))
            }
            Self::Missing { place } => write!(formatter, "expected {place}, found none"),
        }
    }
}

impl std::error::Error for PromptTemplateError {}
