//! The five questions: what was answered by flags, what is asked, and the defaults.

use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::path::Path;

use anyhow::{Context as _, bail};
use campanile_build::config::schema;
use campanile_ingest::{Kind, discover};
use campanile_text::{Language, fold, is_stop_word};
use clap::ValueEnum as _;

use super::help;
use crate::cli::{Host, InitArguments};

/// The title of a site whose folder has a name that says nothing.
const TITLE: &str = "Ask our documents";
/// Names of folders that say nothing of what is in them.
const NAMES_OF_ANYTHING: [&str; 9] =
    ["doc", "docs", "document", "documents", "documentation", "files", "content", "pages", "src"];

/// So many example questions are proposed. A start page with more is a list that nobody reads.
const EXAMPLES: usize = 3;
/// The characters that a question of the documents has if it is proposed as an example.
const EXAMPLE_CHARS: std::ops::RangeInclusive<usize> = 10..=90;

/// So many files are looked into for defaults, and so many bytes of each: an answer is expected at once.
const FILES: usize = 200;
const BYTES: usize = 20_000;
/// A text with fewer common words does not tell its language.
const COMMON_WORDS: usize = 20;

/// The answers to the five questions.
#[derive(Debug, PartialEq, Eq)]
pub struct Answers {
    /// Title of the page.
    pub title: String,
    /// Whom to ask where the documents do not answer.
    pub contact: String,
    /// Questions for the start page.
    pub examples: Vec<String>,
    /// Language of the documents.
    pub language: Language,
    /// Where the site is published.
    pub publish: Host,
}

/// The flags of questions that have no answer yet.
#[derive(Debug, PartialEq, Eq)]
pub struct Unasked(pub Vec<&'static str>);

impl Answers {
    /// The answers, if flags give all of them. Where the settings are kept, only where to publish counts.
    pub fn given(
        arguments: &InitArguments,
        guesses: &Guesses,
        keeps_settings: bool,
    ) -> Result<Self, Unasked> {
        let InitArguments { title, contact, examples, language, publish, yes, .. } = arguments;
        let open = [
            ("--title", title.is_none() && !keeps_settings),
            ("--contact", contact.is_none() && !keeps_settings),
            ("--example", examples.is_empty() && !keeps_settings),
            ("--language", language.is_none() && !keeps_settings),
            ("--publish", publish.is_none()),
        ];
        let open: Vec<_> = open.iter().filter(|(_, open)| *open).map(|(flag, _)| *flag).collect();
        if !open.is_empty() && !yes {
            return Err(Unasked(open));
        }
        let or_guess =
            |given: &Option<String>, guess: &str| given.clone().unwrap_or_else(|| guess.to_owned());
        Ok(Self {
            title: or_guess(title, &guesses.title),
            contact: or_guess(contact, ""),
            examples: if examples.is_empty() { guesses.examples.clone() } else { examples.clone() },
            language: language.unwrap_or(guesses.language),
            publish: publish.unwrap_or(guesses.publish),
        })
    }

    /// Asks what no flag answers.
    pub fn asked(
        arguments: &InitArguments,
        guesses: &Guesses,
        keeps_settings: bool,
        input: &mut impl BufRead,
        output: &mut impl Write,
    ) -> anyhow::Result<Self> {
        let all = InitArguments { yes: true, ..arguments.clone() };
        let Ok(mut answers) = Self::given(&all, guesses, keeps_settings) else {
            bail!("there are questions without a default");
        };
        let schema = schema::json_schema();
        let mut desk = Desk { input, output };
        writeln!(desk.output, "An empty line takes what stands in brackets.")?;
        if !keeps_settings {
            if arguments.title.is_none() {
                answers.title = desk.line("Title", &help(&schema, "title"), &answers.title)?;
            }
            if arguments.contact.is_none() {
                let about = &help(&schema, "contact");
                answers.contact = desk.line("Contact", about, &answers.contact)?;
            }
            if arguments.examples.is_empty() {
                let about = &help(&schema, "examples");
                answers.examples = desk.lines("Examples", about, &answers.examples)?;
            }
            if arguments.language.is_none() {
                let about = &help(&schema, "language");
                let default = answers.language.code();
                answers.language = desk.parsed("Language", about, default, |code| {
                    code.parse().map_err(|error: campanile_text::UnknownLanguage| error.to_string())
                })?;
            }
        }
        if arguments.publish.is_none() {
            let about = "Where the site is published: \"github\" (Pages), \"gitlab\" (Pages) or \"elsewhere\".";
            let default = answers.publish.name();
            answers.publish =
                desk.parsed("Publish", about, &default, |name| Host::from_str(name, true))?;
        }
        Ok(answers)
    }

    /// Puts each text on one line: what is pasted may hold anything.
    pub fn tidy(&mut self) {
        let texts = [&mut self.title, &mut self.contact].into_iter().chain(&mut self.examples);
        for text in texts {
            let visible = text.replace(|c: char| c.is_control(), " ");
            *text = visible.split_whitespace().collect::<Vec<_>>().join(" ");
        }
        self.examples.retain(|example| !example.is_empty());
    }
}

/// Where questions are asked and answered.
struct Desk<'a, I, O> {
    input: &'a mut I,
    output: &'a mut O,
}

impl<I: BufRead, O: Write> Desk<'_, I, O> {
    /// A line; the default where it is empty.
    fn line(&mut self, name: &str, about: &str, default: &str) -> anyhow::Result<String> {
        writeln!(self.output, "\n{about}")?;
        let shown = if default.is_empty() { "none" } else { default };
        write!(self.output, "{name} [{shown}]: ")?;
        self.output.flush()?;
        let line = self.read()?;
        Ok(if line.is_empty() { default.to_owned() } else { line })
    }

    /// Lines up to an empty one; the defaults where the first is empty.
    fn lines(
        &mut self,
        name: &str,
        about: &str,
        default: &[String],
    ) -> anyhow::Result<Vec<String>> {
        writeln!(self.output, "\n{about} One a line; an empty line ends them.")?;
        let shown = if default.is_empty() { "none".to_owned() } else { default.join(" / ") };
        write!(self.output, "{name} [{shown}]: ")?;
        let mut lines = Vec::new();
        loop {
            self.output.flush()?;
            let line = self.read()?;
            if line.is_empty() {
                return Ok(if lines.is_empty() { default.to_vec() } else { lines });
            }
            lines.push(line);
            write!(self.output, "  and: ")?;
        }
    }

    /// A line that has to be understood; it is asked for again until it is.
    fn parsed<T>(
        &mut self,
        name: &str,
        about: &str,
        default: &str,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> anyhow::Result<T> {
        loop {
            match parse(&self.line(name, about, default)?) {
                Ok(value) => return Ok(value),
                Err(reason) => writeln!(self.output, "{reason}")?,
            }
        }
    }

    fn read(&mut self) -> anyhow::Result<String> {
        let mut line = String::new();
        let length = self.input.read_line(&mut line).context("cannot read an answer")?;
        if length == 0 {
            bail!("the answers ended before the questions: nothing was written");
        }
        Ok(line.trim().to_owned())
    }
}

/// The defaults: what the folder tells by itself.
#[derive(Debug)]
pub struct Guesses {
    /// By the folder's name.
    pub title: String,
    /// Questions that stand as headings in the documents.
    pub examples: Vec<String>,
    /// By the documents' words.
    pub language: Language,
    /// By where the repository was cloned from.
    pub publish: Host,
}

impl Guesses {
    /// Looks at the folder of the documents, and at that of their repository.
    pub fn of(documents: &Path, root: &Path) -> Self {
        let texts = texts(documents);
        Self {
            title: title(documents, root),
            examples: texts.iter().flat_map(|text| questions(text)).take(EXAMPLES).collect(),
            language: language(&texts).unwrap_or(Language::English),
            publish: host(root),
        }
    }
}

/// The beginnings of texts that need no parser to be looked into.
fn texts(documents: &Path) -> Vec<String> {
    // A folder without documents has no defaults; the build says what is wrong with it.
    let files = discover(documents).map(|found| found.files).unwrap_or_default();
    let is_plain = |kind| {
        matches!(
            kind,
            Kind::Markdown | Kind::Text | Kind::Rst | Kind::Html | Kind::Asciidoc | Kind::Org
        )
    };
    let plain = files.iter().filter(|path| Kind::of(&path.to_string_lossy()).is_some_and(is_plain));
    let read = |path| {
        let bytes = std::fs::read(documents.join(path)).ok()?;
        let start = bytes.get(..BYTES).unwrap_or(&bytes);
        Some(String::from_utf8_lossy(start).into_owned())
    };
    plain.take(FILES).filter_map(read).collect()
}

/// The headings of a text that ask.
fn questions(text: &str) -> impl Iterator<Item = String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let asked =
        headings.map(|line| line.trim_start_matches('#').trim().trim_end_matches('#').trim());
    let is_example =
        |line: &&str| line.ends_with('?') && EXAMPLE_CHARS.contains(&line.chars().count());
    asked.filter(is_example).map(str::to_owned)
}

/// The language that most of the common words belong to.
fn language(texts: &[String]) -> Option<Language> {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for text in texts {
        for word in text.split(|c: char| !c.is_alphabetic()).filter(|word| word.len() > 1) {
            let word = fold(word);
            for (place, language) in Language::ALL.into_iter().enumerate() {
                *counts.entry(place).or_default() += usize::from(is_stop_word(language, &word));
            }
        }
    }
    let (place, count) =
        counts.into_iter().max_by_key(|&(place, count)| (count, std::cmp::Reverse(place)))?;
    (count >= COMMON_WORDS).then(|| Language::ALL.get(place).copied())?
}

/// The name of the folder, or of its repository, where it says something.
fn title(documents: &Path, root: &Path) -> String {
    let named = |folder: &Path| {
        let name = folder.file_name()?.to_string_lossy().replace(['-', '_'], " ");
        let says_nothing = NAMES_OF_ANYTHING.contains(&name.to_lowercase().as_str());
        (!says_nothing && name.chars().any(char::is_alphabetic)).then_some(name)
    };
    let Some(name) = named(documents).or_else(|| named(root)) else {
        return TITLE.to_owned();
    };
    let mut letters = name.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// The host that the repository's `origin` names; GitHub where there is none yet.
fn host(root: &Path) -> Host {
    let settings = std::fs::read_to_string(root.join(".git/config")).unwrap_or_default();
    let addresses = settings.lines().filter_map(|line| line.trim().strip_prefix("url = "));
    let mut hosts = addresses.map(|address| match address {
        address if address.contains("github.com") => Host::Github,
        address if address.contains("gitlab") => Host::Gitlab,
        _ => Host::Elsewhere,
    });
    hosts.next().unwrap_or(Host::Github)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn guesses() -> Guesses {
        Guesses {
            title: "Handbook".to_owned(),
            examples: vec!["When?".to_owned()],
            language: Language::English,
            publish: Host::Github,
        }
    }

    /// The typed lines; then title, contact, examples, language and host, or a part of the error.
    type Case = (&'static str, Result<[&'static str; 5], &'static str>);

    const CASES: &[Case] = &[
        ("\n\n\n\n\n", Ok(["Handbook", "", "When?", "en", "github"])),
        (
            "Rules\nthe office\nHow?\nWhy?\n\nde\ngitlab\n",
            Ok(["Rules", "the office", "How?|Why?", "de", "gitlab"]),
        ),
        // What is not understood is asked for again.
        (
            "\n\n\nKlingon\nDE\nthe moon\nelsewhere\n",
            Ok(["Handbook", "", "When?", "de", "elsewhere"]),
        ),
        ("  Rules \r\n\n\n\nGitHub\n", Ok(["Rules", "", "When?", "en", "github"])),
        ("Rules\n", Err("the answers ended")),
    ];

    #[test]
    fn questions_are_asked_until_they_are_answered() {
        for (typed, expected) in CASES {
            let mut shown = Vec::new();
            let asked = Answers::asked(
                &InitArguments::default(),
                &guesses(),
                false,
                &mut typed.as_bytes(),
                &mut shown,
            );
            match expected {
                Ok(expected) => {
                    let answers = asked.unwrap();
                    let Answers { title, contact, examples, language, publish } = answers;
                    let examples = examples.join("|");
                    let found = [&title, &contact, &examples, language.code(), &publish.name()]
                        .map(str::to_owned);
                    assert_eq!(found, expected.map(str::to_owned), "{typed:?}");
                }
                Err(reason) => {
                    let error = asked.unwrap_err().to_string();
                    assert!(error.contains(reason), "{typed:?}: {error}");
                }
            }
            let shown = String::from_utf8(shown).unwrap();
            assert!(shown.contains("\n\nTitle of the page.\nTitle [Handbook]: "), "{shown}");
        }
    }

    #[test]
    fn what_a_flag_answers_is_not_asked() {
        let arguments = InitArguments {
            title: Some("Rules".to_owned()),
            examples: vec!["How?".to_owned()],
            publish: Some(Host::Elsewhere),
            ..InitArguments::default()
        };
        let open = Answers::given(&arguments, &guesses(), false);
        assert_eq!(open, Err(Unasked(vec!["--contact", "--language"])));
        let mut shown = Vec::new();
        let answers =
            Answers::asked(&arguments, &guesses(), false, &mut "me\nde\n".as_bytes(), &mut shown)
                .unwrap();
        assert_eq!((answers.title.as_str(), answers.contact.as_str()), ("Rules", "me"));
        assert_eq!(answers.language, Language::German);
        // Settings that are kept leave one question.
        let kept = InitArguments::default();
        assert_eq!(Answers::given(&kept, &guesses(), true), Err(Unasked(vec!["--publish"])));
    }

    #[test]
    fn the_folder_tells_the_defaults() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("cs-department");
        let documents = root.join("docs");
        std::fs::create_dir_all(root.join(".git")).unwrap();
        std::fs::create_dir_all(&documents).unwrap();
        std::fs::write(
            root.join(".git/config"),
            "[remote \"origin\"]\n\turl = git@gitlab.example.edu:cs/docs.git\n",
        )
        .unwrap();
        let german = "# Prüfungen\n\n## Wann beginnt die Prüfung? ##\n\nDie Prüfung beginnt um acht. Wer nicht da \
                      ist, hat sie nicht bestanden und muss sie in dem Semester danach noch einmal ablegen. Das \
                      gilt auch für die, die mit dem Bus kommen und bei dem Wetter nicht zu der Zeit da sind.\n\n\
                      ## Und?\n";
        std::fs::write(documents.join("a.md"), german).unwrap();
        let guesses = Guesses::of(&documents, &root);
        assert_eq!(guesses.title, "Cs department");
        assert_eq!(guesses.language, Language::German);
        assert_eq!(guesses.publish, Host::Gitlab);
        assert_eq!(
            guesses.examples,
            ["Wann beginnt die Prüfung?"],
            "`Und?` is too short to be one"
        );
        assert_eq!(title(Path::new("/docs"), Path::new("/docs")), TITLE);
    }
}
