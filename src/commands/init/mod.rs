//! `campanile init`: from a folder of documents to one that publishes itself.
//!
//! Five questions, answered at the terminal or by flags, become `campanile.toml`, the job that builds and publishes the site,
//! and a `.gitignore`. The job's files are those of `template/`, with the documents' folder in its place.

mod answers;

use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use campanile_build::config::{self, schema};
use campanile_terminal::{console, say, tell};
use serde_json::json;

use crate::cli::{Host, InitArguments};
use answers::{Answers, Guesses, Unasked};

/// Too little was typed to go on; the code of a flag that is not known.
const EXIT_USAGE: u8 = 2;

/// The folder that the site is advised to go into, from the root.
const SITE: &str = "public";

const WORKFLOW: &str = include_str!("../../../template/.github/workflows/publish.yml");
const GITLAB_JOB: &str = include_str!("../../../template/.gitlab-ci.yml");
const IGNORED: &str = include_str!("../../../template/.gitignore");
/// The template's name for the documents' folder.
const TEMPLATE_DOCUMENTS: &str = "\"documents\"";

/// Asks, writes, and says what was written and what comes next.
pub fn run(arguments: &InitArguments) -> anyhow::Result<ExitCode> {
    let place = Place::find(&arguments.folder)?;
    let settings = place.documents.join(config::FILE_NAME);
    // Settings that are there are left alone by whoever only wants to publish them.
    let keeps_settings = settings.exists() && !arguments.force && !arguments.is_about_settings();
    if settings.exists() && !arguments.force && !keeps_settings {
        return Err(is_there(&[settings]));
    }
    if keeps_settings {
        config::load(&place.documents, None)?;
    }
    let guesses = Guesses::of(&place.documents, &place.root);
    let mut answers = match Answers::given(arguments, &guesses, keeps_settings) {
        Ok(answers) => answers,
        Err(Unasked(flags)) => {
            if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
                tell!(
                    "error: there is no terminal to ask at, and no answer to {}\n  \
                     way out: give these flags, or `--yes` for the defaults",
                    flags.join(", ")
                );
                return Ok(ExitCode::from(EXIT_USAGE));
            }
            Answers::asked(
                arguments,
                &guesses,
                keeps_settings,
                &mut io::stdin().lock(),
                &mut io::stderr().lock(),
            )?
        }
    };
    answers.tidy();
    let mut files = Vec::new();
    if !keeps_settings {
        files.push((settings.clone(), settings_text(&answers)));
    }
    files.extend(place.job(answers.publish));
    let in_the_way: Vec<PathBuf> = files
        .iter()
        .filter(|(path, text)| path.exists() && !holds(path, text))
        .map(|(path, _)| path.clone())
        .collect();
    if !arguments.force && !in_the_way.is_empty() {
        return Err(is_there(&in_the_way));
    }
    files.extend(place.ignored()?);
    for (path, text) in &files {
        if holds(path, text) {
            say!("Kept      {}", shown(path));
        } else {
            write(path, text)?;
            say!("Wrote     {}", shown(path));
        }
    }
    if keeps_settings {
        say!("Kept      {}", shown(&settings));
    }
    say!("");
    place.say_what_is_next(answers.publish);
    Ok(ExitCode::SUCCESS)
}

/// Returns `true` if a file is there with this text.
fn holds(path: &Path, text: &str) -> bool {
    std::fs::read(path).is_ok_and(|bytes| bytes == text.as_bytes())
}

fn is_there(files: &[PathBuf]) -> anyhow::Error {
    let names: Vec<String> = files.iter().map(|path| format!("`{}`", shown(path))).collect();
    let (are, them) = if names.len() == 1 { ("is", "it") } else { ("are", "them") };
    anyhow::anyhow!(
        "{} {are} there already, and nothing was written\n  way out: `--force` replaces {them}",
        names.join(" and ")
    )
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    let folder = path.parent().unwrap_or(path);
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot create `{}`", folder.display()))?;
    console::replace(path, text)?;
    Ok(())
}

/// A path as it is shown: from where the command runs, if it lies below.
fn shown(path: &Path) -> String {
    let here = std::env::current_dir().and_then(|folder| folder.canonicalize());
    let inside = here.as_deref().map(|here| path.strip_prefix(here).unwrap_or(path));
    slashed(inside.unwrap_or(path))
}

fn slashed(path: &Path) -> String {
    if path.as_os_str().is_empty() {
        return ".".to_owned();
    }
    path.to_string_lossy().replace('\\', "/")
}

/// The settings that were asked for, each with what it does.
fn settings_text(answers: &Answers) -> String {
    let Answers { title, contact, examples, language, .. } = answers;
    let examples = match examples.as_slice() {
        [] => "[]".to_owned(),
        all => {
            let lines: String = all.iter().map(|it| format!("  {},\n", json!(it))).collect();
            format!("[\n{lines}]")
        }
    };
    // A basic string of TOML escapes what one of JSON does.
    let lines = [
        ("title", json!(title).to_string()),
        ("contact", json!(contact).to_string()),
        ("examples", examples),
        ("language", json!(language.code()).to_string()),
    ];
    let mut text = String::from(
        "# Settings of the site, all of them optional: `campanile settings` prints the others.\n\n[site]\n",
    );
    let schema = schema::json_schema();
    for (key, value) in lines {
        text.push_str(&format!("# {}\n{key} = {value}\n", help(&schema, key)));
    }
    text
}

/// The line that says what a setting of `[site]` does.
fn help(schema: &serde_json::Value, key: &str) -> String {
    let description = &schema["properties"]["site"]["properties"][key]["description"];
    description.as_str().unwrap_or_default().replace('\n', " ")
}

/// Where documents lie, and where what belongs to them goes.
struct Place {
    /// The documents' folder.
    documents: PathBuf,
    /// The folder of the git repository that the documents lie in; without one, their own.
    root: PathBuf,
    is_repository: bool,
}

impl Place {
    fn find(folder: &Path) -> anyhow::Result<Self> {
        let Some(documents) = folder.canonicalize().ok().filter(|path| path.is_dir()) else {
            bail!(
                "`{}` is no folder\n  way out: create it, put the documents there, and run \
                 `campanile init {}` again",
                folder.display(),
                folder.display()
            );
        };
        let root = documents.ancestors().find(|folder| folder.join(".git").exists());
        let is_repository = root.is_some();
        let root = root.unwrap_or(&documents).to_owned();
        Ok(Self { documents, root, is_repository })
    }

    /// The documents' folder from the root, as the job's files have it.
    fn inside(&self) -> String {
        slashed(self.documents.strip_prefix(&self.root).unwrap_or(&self.documents))
    }

    /// The file that has a host build and publish the site.
    fn job(&self, host: Host) -> Option<(PathBuf, String)> {
        let (path, template) = match host {
            Host::Github => (".github/workflows/publish.yml", WORKFLOW),
            Host::Gitlab => (".gitlab-ci.yml", GITLAB_JOB),
            Host::Elsewhere => return None,
        };
        // YAML reads a string as JSON has it.
        let text = template.replace(TEMPLATE_DOCUMENTS, &json!(self.inside()).to_string());
        Some((self.root.join(path), text))
    }

    /// The repository's `.gitignore` with what a build writes; none where it has that already.
    fn ignored(&self) -> anyhow::Result<Option<(PathBuf, String)>> {
        let path = self.root.join(".gitignore");
        let mut text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => {
                return Err(error).with_context(|| format!("cannot read `{}`", path.display()));
            }
        };
        let missing: Vec<&str> =
            IGNORED.lines().filter(|line| !text.lines().any(|own| own.trim() == *line)).collect();
        if missing.is_empty() {
            return Ok(None);
        }
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        missing.iter().for_each(|line| text.push_str(&format!("{line}\n")));
        Ok(Some((path, text)))
    }

    fn say_what_is_next(&self, host: Host) {
        let documents = quoted(&shown(&self.documents));
        let site = quoted(&shown(&self.root.join(SITE)));
        say!("Next      campanile build {documents} -o {site}");
        say!("          campanile serve {site}");
        let repository = if self.is_repository { "" } else { "make the folder a git repository, " };
        match host {
            Host::Github => say!(
                "Publish   {repository}commit and push; in the repository's settings on GitHub choose Pages, \
                 Source: GitHub Actions"
            ),
            Host::Gitlab => {
                say!("Publish   {repository}commit and push: the job `pages` does the rest")
            }
            Host::Elsewhere => say!("Publish   copy {site} to any web server"),
        }
    }
}

/// A path as a shell takes it.
fn quoted(path: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./:~\\".contains(c);
    if path.chars().all(is_plain) { path.to_owned() } else { format!("\"{path}\"") }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use campanile_build::config::Config;
    use campanile_text::Language;

    use super::*;

    #[test]
    fn what_is_written_reads_back_as_it_was_answered() {
        let cases = [
            ("Handbook", "", vec![]),
            (
                "Rules \"and\" fees \\ # [site]",
                "Office, office@example.edu, room 1 #2",
                vec!["Wann beginnt die Prüfung?", "What's \"late\"?"],
            ),
            ("日本", "'", vec!["a]", "= 3"]),
        ];
        for (title, contact, examples) in cases {
            let answers = Answers {
                title: title.to_owned(),
                contact: contact.to_owned(),
                examples: examples.iter().map(ToString::to_string).collect(),
                language: Language::German,
                publish: Host::Elsewhere,
            };
            let text = settings_text(&answers);
            let site = toml::from_str::<Config>(&text).unwrap().site;
            assert_eq!((site.title.as_str(), site.contact.as_str()), (title, contact), "{text}");
            assert_eq!((site.examples, site.language), (answers.examples, Language::German));
            assert_eq!(text.matches("\n# ").count(), 4, "each setting says what it does: {text}");
        }
    }

    #[test]
    fn the_template_is_what_is_written() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("template");
        let place = Place {
            documents: folder.join("documents"),
            root: folder.clone(),
            is_repository: true,
        };
        let answers = Answers {
            title: "Ask our documents".to_owned(),
            contact: String::new(),
            examples: vec!["What is this?".to_owned(), "When is the site built anew?".to_owned()],
            language: Language::English,
            publish: Host::Github,
        };
        let mut files = vec![(place.documents.join("campanile.toml"), settings_text(&answers))];
        files.extend([Host::Github, Host::Gitlab].into_iter().filter_map(|host| place.job(host)));
        for (path, text) in files {
            if std::env::var_os("CAMPANILE_WRITE_DOCS").is_some() {
                std::fs::write(&path, &text).unwrap();
            }
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "{}", path.display());
            let version = env!("CARGO_PKG_VERSION");
            let is_job = path.extension().is_some_and(|extension| extension == "yml");
            assert!(!is_job || text.contains(version), "{} is for {version}", path.display());
            let action = env!("CARGO_PKG_REPOSITORY").trim_start_matches("https://github.com/");
            let uses = format!("uses: {action}@v{version}\n");
            assert!(!path.ends_with("publish.yml") || text.contains(&uses), "no {uses} in {text}");
            assert!(!is_job || text.contains(TEMPLATE_DOCUMENTS), "{}", path.display());
        }
        let guesses = Guesses::of(&place.documents, &folder);
        assert_eq!(
            guesses.examples, answers.examples,
            "the template asks what its document answers"
        );
    }
}
