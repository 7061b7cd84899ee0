//! The documentation as a website: a book of `docs/`, with a page on which it answers questions about itself.

use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use crate::campanile;
use crate::files;
use crate::process;
use crate::setup;
use crate::web::{self, WebOptions};
use crate::workspace::Workspace;

/// The text that `cargo xtask docs-site --help` prints.
pub const HELP: &str = "\
Build the documentation as a website, which answers questions about itself

Usage: cargo xtask docs-site

It leaves the site in docs-site/book of the target folder: any server of static files shows it, any host publishes it. `docs/site` has its list of pages and its settings.";

/// Questions in other words than the documentation's, each with the page that answers it.
// Not one of them was used to choose a setting: they are here so that a site that answers nothing is noticed.
const QUESTIONS: [(&str, &str); 6] = [
    ("How do I keep some files out of the index?", "guide/documents.md"),
    ("Which Office formats can be indexed?", "guide/documents.md"),
    ("How can a rule be restricted to students of one department?", "guide/metadata.md"),
    ("May the language model state a figure that the passages lack?", "concepts/grounding.md"),
    ("What becomes of a sentence that the passages do not support?", "guide/prose.md"),
    ("How do I compare two configurations on my own questions?", "guide/evaluation.md"),
];
/// So many of them must have their page among their sources.
const LEAST_FOUND: usize = 5;

/// Builds all that the site needs, then the site, and says where it lies.
pub fn run(workspace: &Workspace) -> Result<()> {
    setup::for_web(workspace)?;
    web::build(workspace, &WebOptions::default())?;
    campanile::build(workspace)?;
    campanile::fetch_models(workspace)?;
    let book = build(workspace)?;
    println!("docs    {}", book.join("index.html").display());
    println!("        look at it: python3 -m http.server --directory {}", book.display());
    Ok(())
}

/// Builds the book and the site within it, with a command and models that are there.
pub fn build(workspace: &Workspace) -> Result<PathBuf> {
    setup::install_mdbook(workspace)?;
    let folder = workspace.target.join("docs-site");
    files::remove_folder(&folder)?;
    let pages = folder.join("src");
    stage(&workspace.root, &pages)?;
    files::copy(&workspace.root.join("docs/site/book.toml"), &folder.join("book.toml"))?;
    let mut mdbook = workspace.program(setup::mdbook_program(workspace));
    workspace.log("docs-site")?.run(mdbook.arg("build").arg(&folder))?;
    let book = folder.join("book");
    let mut command = workspace.program(workspace.command());
    command.arg("build").arg(&pages).arg("-o").arg(book.join("answers")).arg("--no-report");
    process::output(&mut command)?;
    Ok(book)
}

/// Builds the site and asks it.
pub fn try_site(workspace: &Workspace) -> Result<()> {
    let book = build(workspace)?;
    for page in ["index.html", "ask.html", "guide/configuration.html", "answers/campanile.json"] {
        ensure!(book.join(page).is_file(), "the documentation's site has no {page}");
    }
    let mut missed = Vec::new();
    for (question, page) in QUESTIONS {
        let mut ask = workspace.program(workspace.command());
        ask.arg("ask").arg(book.join("answers")).arg(question).arg("--json");
        let reply: Value = serde_json::from_str(&process::output(&mut ask)?)?;
        let sources = reply["sources"].as_array().context("a reply has no sources")?;
        let is_page = |source: &&Value| source["document"] == page;
        match sources.iter().find(is_page) {
            None => missed.push(format!("{question} ({page})")),
            Some(source) => {
                // The address leads from the site's folder to a page of the book.
                let link = source["link"].as_str().context("a source has no link")?;
                ensure!(book.join("answers").join(link).is_file(), "{link} leads to no page");
            }
        }
    }
    ensure!(
        QUESTIONS.len() - missed.len() >= LEAST_FOUND,
        "the documentation does not find what answers:\n  {}",
        missed.join("\n  ")
    );
    Ok(())
}

/// Copies the documentation into the book's folder. Links that leave it lead to the repository.
fn stage(root: &Path, pages: &Path) -> Result<()> {
    copy(root, Path::new("docs"), pages)?;
    for file in ["SUMMARY.md", "ask.md", "campanile.toml"] {
        files::copy(&root.join("docs/site").join(file), &pages.join(file))?;
    }
    let readme = files::read_text(&root.join("README.md"))?;
    files::write(&pages.join("README.md"), relink(&readme, root, Path::new("")))
}

/// Copies the pages and pictures of `folder`, relative to the checkout, with all below.
fn copy(root: &Path, folder: &Path, pages: &Path) -> Result<()> {
    for path in files::list(&root.join(folder))? {
        let name = path.file_name().context("a file without a name")?;
        let inside = folder.join(name);
        if path.is_dir() {
            if inside != Path::new("docs/site") {
                copy(root, &inside, pages)?;
            }
            continue;
        }
        let to = pages.join(inside.strip_prefix("docs").unwrap_or(&inside));
        files::make_folder(to.parent().unwrap_or(pages))?;
        if path.extension().is_some_and(|extension| extension == "md") {
            files::write(&to, relink(&files::read_text(&path)?, root, folder))?;
        } else {
            files::copy(&path, &to)?;
        }
    }
    Ok(())
}

/// The text of a page of `folder`, relative to the checkout, as it stands in the book: a link to a file of the
/// checkout that is no page of it leads to the repository.
fn relink(text: &str, root: &Path, folder: &Path) -> String {
    let mut linked = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("](") {
        let (before, after) = rest.split_at(start + 2);
        let end = after.find(')').unwrap_or(0);
        linked.push_str(before);
        linked.push_str(&in_book(&after[..end], root, folder));
        rest = &after[end..];
    }
    linked + rest
}

/// A link's target, as it is in the book.
fn in_book(target: &str, root: &Path, folder: &Path) -> String {
    let (path, fragment) = target.split_at(target.find('#').unwrap_or(target.len()));
    let Some(path) = normal(&folder.join(path)).filter(|found| root.join(found).exists()) else {
        return target.to_owned();
    };
    match path.strip_prefix("docs") {
        // Within the pages nothing changes, but for the readme, which moves one folder down.
        Ok(page) if folder.as_os_str().is_empty() => format!("{}{fragment}", page.display()),
        Ok(_) => target.to_owned(),
        Err(_) if target.is_empty() || target.starts_with('#') => target.to_owned(),
        Err(_) => {
            format!("{}/blob/main/{}{fragment}", env!("CARGO_PKG_REPOSITORY"), path.display())
        }
    }
}

/// A relative path without `..`; none where it leaves the checkout.
fn normal(path: &Path) -> Option<PathBuf> {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                if !normal.pop() {
                    return None;
                }
            }
            Component::Normal(name) => normal.push(name),
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(normal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_within_the_book_or_to_the_repository() {
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        let repository = env!("CARGO_PKG_REPOSITORY");
        for (folder, text, expected) in [
            ("", "see [the guide](docs/guide/prose.md#a)", "see [the guide](guide/prose.md#a)"),
            ("docs/guide", "[a](../concepts/reading.md) b", "[a](../concepts/reading.md) b"),
            (
                "docs/guide",
                "[a](#below), [b](https://x.example/)",
                "[a](#below), [b](https://x.example/)",
            ),
            (
                "docs",
                "[rooms](../ARCHITECTURE.md#rooms)",
                &format!("[rooms]({repository}/blob/main/ARCHITECTURE.md#rooms)"),
            ),
            ("docs/guide", "[gone](../../nothing.md)", "[gone](../../nothing.md)"),
            ("docs/guide", "a[0](", "a[0]("),
        ] {
            assert_eq!(relink(text, root, Path::new(folder)), expected);
        }
    }
}
