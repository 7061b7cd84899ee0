//! The anchors of headings that state none, as the program that builds the website makes them.
//!
//! A source opens a page at its heading only if both agree on the heading's name in an address, and
//! every generator has a rule of its own. Those that are not distinguished here follow GitHub's.

use std::collections::BTreeSet;
use std::path::Path;

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::assemble::UniqueNames;

/// The rule by which Markdown's headings get their anchors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AnchorRule {
    /// Letters and digits of every script, each space a `-`; the second of a name ends in `-1`. So do
    /// GitHub, mdBook, Hugo, Docusaurus, Starlight, Jekyll and MyST.
    #[default]
    Github,
    /// Latin letters without their accents, runs of spaces and hyphens one `-`; the second of a name
    /// ends in `_1`. MkDocs and Zensical, by `markdown.extensions.toc` of Python-Markdown.
    PythonMarkdown,
    /// As GitHub's, but the second of a name ends in `_1`: `pymdownx.slugs`, in lower case.
    Pymdownx,
    /// Signs are a `-` too, and a `_` comes before a digit: VitePress.
    Vitepress,
}

impl AnchorRule {
    /// The rule of the generator whose settings lie in a folder of documents, or beside it; `None`
    /// where none of them is one that is known here.
    pub fn of_folder(root: &Path) -> Option<Self> {
        let beside = root.canonicalize().ok().and_then(|root| root.parent().map(Path::to_owned));
        let folders = std::iter::once(root.to_owned()).chain(beside);
        folders.into_iter().find_map(|folder| {
            for name in ["mkdocs.yml", "mkdocs.yaml", "zensical.toml"] {
                let file = folder.join(name);
                if file.is_file() {
                    let settings = std::fs::read_to_string(file).unwrap_or_default();
                    let is_own = settings.contains("pymdownx.slugs");
                    return Some(if is_own { Self::Pymdownx } else { Self::PythonMarkdown });
                }
            }
            folder.join(".vitepress").is_dir().then_some(Self::Vitepress)
        })
    }

    /// The anchor of a heading, were it the only one of its name.
    fn plain(self, heading: &str) -> String {
        match self {
            Self::Github | Self::Pymdownx => heading
                .chars()
                .flat_map(char::to_lowercase)
                .filter_map(|character| match character {
                    ' ' | '\t' | '\n' => Some('-'),
                    '-' | '_' => Some(character),
                    other => is_word(other).then_some(other),
                })
                .collect(),
            Self::PythonMarkdown => {
                let kept = heading.nfkd().filter(char::is_ascii).filter(|character| {
                    character.is_alphanumeric() || "_- \t\n".contains(*character)
                });
                let kept: String = kept.collect::<String>().trim().to_ascii_lowercase();
                joined(&kept, |character| character == '-' || character.is_whitespace())
            }
            Self::Vitepress => {
                let kept: String = heading
                    .nfkd()
                    .filter(|character| !('\u{300}'..='\u{36F}').contains(character))
                    .filter(|character| !character.is_control())
                    .collect();
                let slug = joined(&kept, |character| {
                    character.is_whitespace()
                        || character.is_ascii_punctuation()
                        || "“”‘’".contains(character)
                });
                let slug = slug.trim_matches('-').to_lowercase();
                let begins_with_digit = slug.starts_with(|first: char| first.is_ascii_digit());
                if begins_with_digit { format!("_{slug}") } else { slug }
            }
        }
    }
}

/// A text with one hyphen for each run of such characters.
fn joined(text: &str, parts: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match parts(character) {
            true if out.ends_with('-') => {}
            true => out.push('-'),
            false => out.push(character),
        }
    }
    out
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || is_combining_mark(character)
}

/// Hands out one anchor for each heading of a document.
#[derive(Debug)]
pub(crate) struct Anchors {
    rule: AnchorRule,
    hyphenated: UniqueNames,
    numbered: BTreeSet<String>,
}

impl Anchors {
    pub(crate) fn new(rule: AnchorRule) -> Self {
        Self { rule, hyphenated: UniqueNames::default(), numbered: BTreeSet::new() }
    }

    /// The anchor of the next heading; empty where the rule makes none of it.
    pub(crate) fn next(&mut self, heading: &str) -> String {
        let plain = self.rule.plain(heading);
        match self.rule {
            AnchorRule::Github | AnchorRule::Vitepress => self.hyphenated.take(plain, 1),
            AnchorRule::PythonMarkdown | AnchorRule::Pymdownx => self.numbered(plain),
        }
    }

    /// `dates`, `dates_1`, `dates_2`; a heading that says `dates_1` itself is counted on from there.
    fn numbered(&mut self, plain: String) -> String {
        let mut name = plain;
        // Python-Markdown counts from one for each heading: a page of ten thousand equal ones is no page.
        for _ in 0..MOST_EQUAL {
            if !name.is_empty() && !self.numbered.contains(&name) {
                break;
            }
            let counted = name.rsplit_once('_').and_then(|(stem, number)| {
                let is_number =
                    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
                is_number.then(|| number.parse::<u64>().ok()).flatten().map(|number| (stem, number))
            });
            name = match counted {
                Some((stem, number)) => format!("{stem}_{}", number.saturating_add(1)),
                None => format!("{name}_1"),
            };
        }
        self.numbered.insert(name.clone());
        name
    }
}

/// Most headings of one name that are counted.
const MOST_EQUAL: usize = 500;

#[cfg(test)]
mod tests {
    use super::*;

    fn anchors(rule: AnchorRule, headings: &[&str]) -> Vec<String> {
        let mut anchors = Anchors::new(rule);
        headings.iter().map(|heading| anchors.next(heading)).collect()
    }

    #[test]
    fn headings_become_githubs_anchors() {
        let cases = [
            ("Getting started", "getting-started"),
            ("What's new?", "whats-new"),
            ("A & B", "a--b"),
            ("snake_case & C++", "snake_case--c"),
            ("Prüfungen 2024", "prüfungen-2024"),
            ("Getting started", "getting-started-1"),
            ("Getting started", "getting-started-2"),
            ("Getting started 1", "getting-started-1-1"),
            ("???", ""),
        ];
        let (headings, expected): (Vec<&str>, Vec<&str>) = cases.into_iter().unzip();
        assert_eq!(anchors(AnchorRule::Github, &headings), expected);
    }

    /// As built by MkDocs 1.6.1 and VitePress 1.6.4.
    #[test]
    fn headings_become_the_anchors_of_other_generators() {
        let headings = [
            "1. Fees",
            "Fees & deposits",
            "Gebühren für Gäste",
            "Dates",
            "Dates",
            "Dates",
            "2027/28 terms",
            "Rule 4.2: absence",
            "\"Quoted\" – dash",
            "Prüfung: An- und Abmeldung",
            "Größe",
            "時間",
        ];
        let python = [
            "1-fees",
            "fees-deposits",
            "gebuhren-fur-gaste",
            "dates",
            "dates_1",
            "dates_2",
            "202728-terms",
            "rule-42-absence",
            "quoted-dash",
            "prufung-an-und-abmeldung",
            "groe",
            "_1",
        ];
        assert_eq!(anchors(AnchorRule::PythonMarkdown, &headings), python);
        let vitepress = [
            "_1-fees",
            "fees-deposits",
            "gebuhren-fur-gaste",
            "dates",
            "dates-1",
            "dates-2",
            "_2027-28-terms",
            "rule-4-2-absence",
            "quoted-–-dash",
            "prufung-an-und-abmeldung",
            "große",
            "時間",
        ];
        assert_eq!(anchors(AnchorRule::Vitepress, &headings), vitepress);
        let pymdownx = ["fees--deposits", "dates", "dates_1"];
        assert_eq!(anchors(AnchorRule::Pymdownx, &["Fees & deposits", "Dates", "Dates"]), pymdownx);
        assert_eq!(anchors(AnchorRule::PythonMarkdown, &["A_1", "A", "A_1"]), ["a_1", "a", "a_2"]);
    }

    #[test]
    fn the_rule_is_that_of_the_settings_beside_the_documents() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        let docs = folder.path().join("docs");
        std::fs::create_dir_all(&docs)?;
        assert_eq!(AnchorRule::of_folder(&docs), None);
        std::fs::create_dir(docs.join(".vitepress"))?;
        assert_eq!(AnchorRule::of_folder(&docs), Some(AnchorRule::Vitepress));
        std::fs::remove_dir(docs.join(".vitepress"))?;
        let settings = folder.path().join("mkdocs.yml");
        std::fs::write(&settings, "site_name: A\n")?;
        assert_eq!(AnchorRule::of_folder(&docs), Some(AnchorRule::PythonMarkdown));
        std::fs::write(&settings, "slugify: !!python/name:pymdownx.slugs.uslugify\n")?;
        assert_eq!(AnchorRule::of_folder(&docs), Some(AnchorRule::Pymdownx));
        Ok(())
    }
}
