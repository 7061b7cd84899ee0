//! The files with which hosts publish a site, run here: the steps of the GitHub Action, GitLab's job, the container's file.
//!
//! The release that they fetch lies in a folder of this machine. Steps that are the host's own (checkout, cache, Pages) are
//! not run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context as _, Result, bail, ensure};
use serde_yaml_ng::Value;

use crate::files;
use crate::process;
use crate::release;
use crate::workspace::Workspace;

/// A document of the handbook that is published, and what the site has to answer from it.
const DOCUMENT: &str = "# Library\n\nThe library is open from 8 to 20 o'clock on weekdays.\n\n## Loans\n\nBooks are lent for \
                        four weeks.\n";
const QUESTION: &str = "For how long are books lent?";
const ANSWER: &str = "four weeks";

/// The beginning of what only an empty machine needs.
const INSTALLS_TOOLS: &str = "apt-get ";

/// Publishes a handbook as each host does, and has what goes wrong on the way told.
pub fn try_hosts(workspace: &Workspace) -> Result<()> {
    let releases = release::lay_out(workspace)?;
    let folder = releases.with_file_name("published");
    files::remove_folder(&folder)?;
    let host = Host {
        root: workspace.root.clone(),
        releases: format!("file://{}", releases.display()),
        models: models(workspace)?,
        command: workspace.command(),
        folder,
    };
    host.github()?;
    host.gitlab()?;
    host.container()?;
    host.faults(&releases)?;
    files::remove_folder(&host.folder)?;
    files::remove_folder(&releases)
}

/// The folder that keeps models, as the command tells where one lies.
fn models(workspace: &Workspace) -> Result<PathBuf> {
    let told = process::output(workspace.program(workspace.command()).args(["model", "list"]))?;
    let line = told.lines().find(|line| line.starts_with("all-MiniLM-L6-v2"));
    let path = line.and_then(|line| line.split('`').nth(1)).map(PathBuf::from);
    let folder = path.as_deref().and_then(Path::parent);
    Ok(folder
        .context("the encoder's files are not here: run the step `command` before")?
        .to_owned())
}

/// A machine on which nothing of ours is installed.
struct Host {
    root: PathBuf,
    /// The address of the releases.
    releases: String,
    models: PathBuf,
    /// The command that asks what was published.
    command: PathBuf,
    folder: PathBuf,
}

impl Host {
    /// An empty checkout with a handbook, for one trial.
    fn checkout(&self, name: &str) -> Result<PathBuf> {
        let checkout = self.folder.join(name);
        let documents = checkout.join("the handbook");
        files::make_folder(&documents)?;
        files::write(&documents.join("library.md"), DOCUMENT)?;
        Ok(checkout)
    }

    /// Runs one line of a shell.
    fn sh(
        &self,
        line: &str,
        checkout: &Path,
        environment: &BTreeMap<String, String>,
    ) -> Result<Output> {
        let mut sh = Command::new("sh");
        sh.args(["-e", "-c", line]).current_dir(checkout).env_clear();
        sh.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        sh.env("HOME", checkout).env("CAMPANILE_MODELS", &self.models).envs(environment);
        sh.output().with_context(|| format!("cannot run `sh` for `{line}`"))
    }

    /// Runs one line of a shell, which has to succeed.
    fn run(
        &self,
        line: &str,
        checkout: &Path,
        environment: &BTreeMap<String, String>,
    ) -> Result<()> {
        let output = self.sh(line, checkout, environment)?;
        ensure!(output.status.success(), "`{line}` failed\n{}", all_printed(&output));
        Ok(())
    }

    fn answers(&self, site: &Path) -> Result<()> {
        ensure!(site.join("index.html").is_file(), "{} has no page", site.display());
        let answer =
            process::output(Command::new(&self.command).arg("ask").arg(site).arg(QUESTION))?;
        ensure!(answer.contains(ANSWER), "{} answers otherwise:\n{answer}", site.display());
        Ok(())
    }

    /// The steps of `action.yml` that are ours, with its defaults but for the folder and the release's address.
    fn github(&self) -> Result<()> {
        let action = yaml(&self.root.join("action.yml"))?;
        let checkout = self.checkout("github")?;
        let runner = checkout.join("runner");
        files::make_folder(&runner)?;
        let mut known = BTreeMap::from([("runner.temp".to_owned(), path_text(&runner)?)]);
        for (name, input) in action["inputs"].as_mapping().context("the action has no inputs")? {
            let name = name.as_str().context("an input's name is no text")?;
            let default =
                input["default"].as_str().with_context(|| format!("{name} has no default"))?;
            known.insert(format!("inputs.{name}"), default.to_owned());
        }
        let project = known.insert("inputs.releases".to_owned(), self.releases.clone());
        let job = files::read_text(&self.root.join("template/.gitlab-ci.yml"))?;
        let project = project.context("the action says nothing of releases")?;
        ensure!(job.contains(&project), "action and GitLab's job name different releases");
        known.insert("inputs.documents".to_owned(), "the handbook".to_owned());
        let mut ran = 0;
        for step in action["runs"]["steps"].as_sequence().context("the action has no steps")? {
            let Some(line) = step["run"].as_str() else { continue };
            ensure!(line.lines().count() == 1, "a step of the action is more than a line: {line}");
            ensure!(!line.contains("${{"), "what is typed would be run by the shell: {line}");
            let mut environment = BTreeMap::from([
                ("GITHUB_ACTION_PATH".to_owned(), path_text(&self.root)?),
                ("GITHUB_ACTIONS".to_owned(), "true".to_owned()),
                ("GITHUB_PATH".to_owned(), path_text(&runner.join("path"))?),
                ("GITHUB_OUTPUT".to_owned(), path_text(&runner.join("output"))?),
            ]);
            for (name, value) in step["env"].as_mapping().into_iter().flatten() {
                let (name, value) = (name.as_str(), value.as_str());
                let (name, value) = name.zip(value).context("a variable of a step is no text")?;
                environment.insert(name.to_owned(), evaluated(value, &known)?);
            }
            self.run(line, &checkout, &environment)?;
            ran += 1;
            let Some(id) = step["id"].as_str() else { continue };
            for output in files::read_text(&runner.join("output"))?.lines() {
                let (name, value) = output.split_once('=').context("an output has no value")?;
                known.insert(format!("steps.{id}.outputs.{name}"), value.to_owned());
            }
        }
        ensure!(ran == 2, "{ran} steps of the action were run");
        let site =
            action["outputs"]["site"]["value"].as_str().context("the action tells no site")?;
        self.answers(Path::new(&evaluated(site, &known)?))?;
        let path = files::read_text(&runner.join("path"))?;
        let command = Path::new(path.trim()).join("campanile");
        ensure!(command.is_file(), "the path of later steps has no command: {path}");
        Ok(())
    }

    /// The lines of GitLab's job as `campanile init` writes it.
    fn gitlab(&self) -> Result<()> {
        let checkout = self.checkout("gitlab")?;
        let mut init = Command::new(&self.command);
        init.current_dir(&checkout).args(["init", "the handbook", "--yes", "--publish", "gitlab"]);
        files::make_folder(&checkout.join(".git"))?;
        process::output(&mut init)?;
        let job = yaml(&checkout.join(".gitlab-ci.yml"))?;
        let job = &job["pages"];
        let home = path_text(&checkout)?;
        let mut environment = BTreeMap::new();
        for (name, value) in job["variables"].as_mapping().context("the job has no variables")? {
            let (name, value) =
                name.as_str().zip(value.as_str()).context("a variable is no text")?;
            environment.insert(name.to_owned(), value.replace("$CI_PROJECT_DIR", &home));
        }
        environment.insert("CAMPANILE_RELEASES".to_owned(), self.releases.clone());
        for part in ["before_script", "script"] {
            for line in job[part].as_sequence().with_context(|| format!("the job has no {part}"))? {
                let line = line.as_str().context("a line of the job is no text")?;
                if !line.starts_with(INSTALLS_TOOLS) {
                    self.run(line, &checkout, &environment)?;
                }
            }
        }
        self.answers(&checkout.join("public"))?;
        // Once more: the command is kept, and a second site takes the place of the first.
        let kept = checkout.join(".campanile/command/campanile");
        environment.insert("CAMPANILE_RELEASES".to_owned(), "file:///nowhere".to_owned());
        self.run("sh \"$CAMPANILE_HOME/publish.sh\" fetch", &checkout, &environment)?;
        ensure!(kept.is_file(), "the command was not kept");
        self.run("sh .campanile/publish.sh build \"$DOCUMENTS\" public", &checkout, &environment)
    }

    /// The lines of the container's file that need no container: those that run the command and its script.
    fn container(&self) -> Result<()> {
        let text = files::read_text(&self.root.join("publish/Containerfile"))?;
        let checkout = self.checkout("container")?;
        let home = checkout.join("opt/campanile");
        let at_home =
            |text: &str| Ok::<_, anyhow::Error>(text.replace("/opt/campanile", &path_text(&home)?));
        files::make_folder(&home)?;
        // No version, as where nobody names one: it is the checkout's.
        let mut environment =
            BTreeMap::from([("CAMPANILE_RELEASES".to_owned(), self.releases.clone())]);
        let let_in = files::read_text(&self.root.join("publish/Containerfile.dockerignore"))?;
        for line in text.lines() {
            let Some((instruction, rest)) = line.split_once(' ') else { continue };
            match instruction {
                "ENV" => {
                    let pairs = rest.split(' ').filter_map(|pair| pair.split_once('='));
                    for (name, value) in pairs {
                        let path = std::env::var("PATH")?;
                        let value = at_home(value)?.replace("$PATH", &path);
                        environment.insert(name.to_owned(), value);
                    }
                    // What a container would fetch is here.
                    environment.insert("CAMPANILE_MODELS".to_owned(), path_text(&self.models)?);
                }
                "COPY" => {
                    let (from, to) = rest.split_once(' ').context("COPY of one word")?;
                    let is_let_in = let_in.lines().any(|line| line.strip_prefix('!') == Some(from));
                    ensure!(is_let_in, "publish/Containerfile.dockerignore keeps {from} out");
                    let to = PathBuf::from(at_home(to)?);
                    files::make_folder(to.parent().context("COPY to no folder")?)?;
                    files::copy(&self.root.join(from), &to)?;
                }
                "RUN" if !rest.starts_with(INSTALLS_TOOLS) => {
                    self.run(rest, &checkout, &environment)?;
                }
                _ => {}
            }
        }
        self.run("campanile build 'the handbook' -o public", &checkout, &environment)?;
        self.answers(&checkout.join("public"))
    }

    /// Each fault is told, and nothing is installed or published because of it.
    fn faults(&self, releases: &Path) -> Result<()> {
        let script = path_text(&self.root.join("publish/publish.sh"))?;
        let checkout = self.checkout("faults")?;
        let home = checkout.join("home");
        let environment = |version: &str, releases: &str| -> Result<BTreeMap<String, String>> {
            Ok(BTreeMap::from([
                ("CAMPANILE_HOME".to_owned(), path_text(&home)?),
                ("CAMPANILE_VERSION".to_owned(), version.to_owned()),
                ("CAMPANILE_RELEASES".to_owned(), releases.to_owned()),
            ]))
        };
        let fails = |line: &str, environment: &BTreeMap<String, String>, told: &str| {
            let output = self.sh(&format!("sh '{script}' {line}"), &checkout, environment)?;
            let printed = all_printed(&output);
            ensure!(!output.status.success(), "`{line}` succeeds although {told}");
            ensure!(printed.contains(told), "`{line}` does not tell {told:?}:\n{printed}");
            Ok(())
        };
        let here = environment("", &self.releases)?;
        fails(
            "fetch",
            &environment("9.9.9", &self.releases)?,
            "is there a release of this version?",
        )?;
        fails("publish", &here, "usage: publish.sh fetch")?;
        fails("build", &here, "usage: publish.sh fetch")?;

        let spoilt = self.folder.join("spoilt");
        let release = spoilt.join(concat!("v", env!("CARGO_PKG_VERSION")));
        files::make_folder(&release)?;
        for file in files::list(&releases.join(concat!("v", env!("CARGO_PKG_VERSION"))))? {
            let name = file.file_name().context("a file without a name")?;
            let mut bytes = files::read(&file)?;
            if name.to_string_lossy().ends_with(".tar.gz") {
                let middle = bytes.len() / 2;
                bytes[middle] ^= 1;
            }
            files::write(&release.join(name), bytes)?;
        }
        let spoilt = environment("", &format!("file://{}", spoilt.display()))?;
        fails("fetch", &spoilt, "is not what its checksum says")?;
        ensure!(files::list(&home)?.is_empty(), "something of a spoilt release was left behind");

        // A document that cannot be read: the others are published, and somebody is told.
        let mut environment = environment("", &self.releases)?;
        self.run(&format!("sh '{script}' fetch"), &checkout, &environment)?;
        files::write(&checkout.join("the handbook/broken.pdf"), "%PDF-1.4 and no more")?;
        let build = format!("sh '{script}' build 'the handbook' public");
        let output = self.sh(&build, &checkout, &environment)?;
        let printed = all_printed(&output);
        ensure!(output.status.success(), "a document that cannot be read stops all:\n{printed}");
        ensure!(printed.contains("warning: some documents could not be read"), "{printed}");
        self.answers(&checkout.join("public"))?;
        environment.insert("GITHUB_ACTIONS".to_owned(), "true".to_owned());
        let printed = all_printed(&self.sh(&build, &checkout, &environment)?);
        ensure!(printed.contains("::warning title=Campanile::some documents"), "{printed}");
        // Nothing to publish is a failure.
        files::remove_folder(&checkout.join("the handbook"))?;
        fails("build 'the handbook' public", &environment, "is no folder")
    }
}

fn all_printed(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes)).concat()
}

fn yaml(path: &Path) -> Result<Value> {
    let text = files::read_text(path)?;
    serde_yaml_ng::from_str(&text).with_context(|| format!("{} is no YAML", path.display()))
}

fn path_text(path: &Path) -> Result<String> {
    Ok(path.to_str().context("a path is not valid Unicode")?.to_owned())
}

/// A text of an action with the values of its expressions. There are only names in them: no conditions, no functions.
fn evaluated(text: &str, known: &BTreeMap<String, String>) -> Result<String> {
    let mut whole = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${{") {
        let (name, after) = after.split_once("}}").context("an expression has no end")?;
        let Some(value) = known.get(name.trim()) else {
            bail!("`{}` is not known here", name.trim())
        };
        whole.push_str(before);
        whole.push_str(value);
        rest = after;
    }
    Ok(whole + rest)
}
