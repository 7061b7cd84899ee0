use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::finding::NO_EXTENSION;
use crate::kind::beneath_old_name;
use crate::{Finding, IngestError, Kind, Noticed};

/// Folders that hold tools and copies, never documents.
const SKIPPED_FOLDERS: &[&str] =
    &["__pycache__", "_site", "bower_components", "node_modules", "venv"];

/// Names by which the folders that `campanile build` writes are known, since all of a kind hold them: a site and its report.
const OWN_FOLDERS: [&[&str]; 2] = [&["campanile.json", "shards"], &["report.html", "report.json"]];

/// The documents of a folder.
#[derive(Debug, Default)]
pub struct Discovery {
    /// The files to read, relative to the folder, in the order of their paths.
    pub files: Vec<PathBuf>,
    /// The files that say something about documents ([`is_sidecar`]), relative to the folder, in
    /// the order of their paths.
    pub sidecars: Vec<PathBuf>,
    /// The files and folders that were passed over, and why.
    pub findings: Vec<Finding>,
}

/// The name, without its extension, of a sidecar that speaks for its folder and all below.
const FOLDER_SIDECAR: &str = "_metadata";

/// Returns `true` if a file holds metadata of documents instead of being one: `exam.pdf.toml` (or `.yaml`,
/// `.yml`, `.json`) beside `exam.pdf`, and `_metadata.toml` in a folder.
///
/// ```
/// use campanile_ingest::is_sidecar;
///
/// assert!(is_sidecar("exams/resits.md.toml") && is_sidecar("exams/_metadata.yaml"));
/// assert!(!is_sidecar("exams/rooms.json") && !is_sidecar("exams/resits.md"));
/// ```
pub fn is_sidecar(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let Some((stem, extension)) = name.rsplit_once('.') else {
        return false;
    };
    let is_format =
        matches!(extension.to_ascii_lowercase().as_str(), "toml" | "yaml" | "yml" | "json");
    is_format && (stem == FOLDER_SIDECAR || Kind::of(stem).is_some())
}

/// What pages are made with, wherever it lies: style sheets, programs, fonts, icons.
const MACHINERY: &[&str] = &[
    ".css", ".eot", ".ico", ".js", ".less", ".map", ".mjs", ".otf", ".sass", ".scss", ".ts",
    ".ttf", ".wasm", ".webmanifest", ".woff", ".woff2",
];
/// Pictures, which pages show.
const PICTURES: &[&str] = &[".avif", ".gif", ".jpeg", ".jpg", ".png", ".svg", ".webp"];
/// Lists that a generator makes beside its pages: sitemaps, feeds, inventories.
const OF_SITES: &[&str] = &[".buildinfo", ".inv", ".pickle", ".rss", ".xml", ".xsl"];

/// Returns `true` for an ending of what pages are made with or show: programs, fonts, pictures.
pub(crate) fn is_machinery(ending: &str) -> bool {
    MACHINERY.contains(&ending) || PICTURES.contains(&ending)
}

/// The beginning of a file under an old name that is looked at: the directory of an office file in today's formats lies in it.
const HEAD_BYTES: u64 = 64 * 1024;

/// Looks for documents in a folder and all below it.
///
/// Hidden files and folders (`.git`) are passed over in silence, since nobody expects them in a
/// corpus; tools' folders (`node_modules`), sites that were built and their reports, links to folders, folders that cannot be read and files
/// of other kinds are passed over and reported. Order and result depend on the names alone, but for `.doc` and other
/// old names: under them lie pages and newer documents now and then, which are read as what they are.
///
/// # Errors
/// [`IngestError::NotAFolder`], and [`IngestError::NoDocuments`] for a folder without any.
pub fn discover(root: &Path) -> Result<Discovery, IngestError> {
    if !root.is_dir() {
        return Err(IngestError::NotAFolder { root: root.to_owned() });
    }
    let mut search = Search::default();
    // A list rather than recursion, as folders may lie deeper than a stack.
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        if let Err(error) = search.folder(root, &folder, &mut folders) {
            search.failed(&folder, &error);
        }
    }
    search.finish(root)
}

/// Returns `true` if a file with the name of an old office document begins as something that is read.
fn holds_newer(file: &Path) -> bool {
    let mut head = Vec::new();
    let read = fs::File::open(file).and_then(|file| file.take(HEAD_BYTES).read_to_end(&mut head));
    read.is_ok() && beneath_old_name(&head).is_some()
}

#[derive(Default)]
struct Search {
    /// By `/`-separated path, which is the order of the corpus.
    files: BTreeMap<String, PathBuf>,
    sidecars: BTreeMap<String, PathBuf>,
    /// By extension: how many, and the first by path.
    other_kinds: BTreeMap<String, (usize, String)>,
    skipped: BTreeMap<String, Finding>,
}

impl Search {
    fn folder(
        &mut self,
        root: &Path,
        folder: &Path,
        folders: &mut Vec<PathBuf>,
    ) -> std::io::Result<()> {
        let is_own =
            |names: &&[&str]| names.iter().all(|name| root.join(folder).join(name).exists());
        if folder != Path::new("") && OWN_FOLDERS.iter().any(is_own) {
            self.skip(folder, "it is a site that `campanile build` wrote, or its report");
            return Ok(());
        }
        for entry in fs::read_dir(root.join(folder))? {
            let entry = entry?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let path = folder.join(entry.file_name());
            if name.starts_with('.') {
                continue;
            }
            let kind = entry.file_type()?;
            if kind.is_dir() {
                self.subfolder(path, &name, folders);
            } else if kind.is_file() {
                self.file(root, path);
            } else if kind.is_symlink() {
                self.link(root, path);
            }
            // Pipes, sockets and devices are no documents.
        }
        Ok(())
    }

    fn subfolder(&mut self, path: PathBuf, name: &str, folders: &mut Vec<PathBuf>) {
        if SKIPPED_FOLDERS.contains(&name) {
            let reason = "folders of this name hold tools or copies. Rename it if it holds \
                          documents";
            self.skip(&path, reason);
        } else {
            folders.push(path);
        }
    }

    /// A link may point to a file; a linked folder could lead round in circles.
    fn link(&mut self, root: &Path, path: PathBuf) {
        let target = root.join(&path);
        if target.is_file() {
            self.file(root, path);
        } else if target.is_dir() {
            let reason = "it is a symbolic link to a folder. Copy the folder, or index it by \
                          its own path";
            self.skip(&path, reason);
        } else {
            let error = std::io::Error::new(
                std::io::ErrorKind::NotFound,
                "the symbolic link leads nowhere",
            );
            self.failed(&path, &error);
        }
    }

    fn file(&mut self, root: &Path, path: PathBuf) {
        let name = slashed(&path);
        if is_sidecar(&name) {
            self.sidecars.insert(name, path);
            return;
        }
        if Kind::of(&name).is_some() || Kind::has_old_name(&name) && holds_newer(&root.join(&path))
        {
            self.files.insert(name, path);
            return;
        }
        let extension = path.extension().map_or_else(
            || NO_EXTENSION.to_owned(),
            |extension| format!(".{}", extension.to_string_lossy().to_lowercase()),
        );
        let (count, first) = self.other_kinds.entry(extension).or_insert_with(|| (0, name.clone()));
        *count += 1;
        // Not the one that the system happened to list first.
        if name < *first {
            *first = name;
        }
    }

    fn skip(&mut self, path: &Path, reason: &str) {
        let path = slashed(path);
        let finding = Noticed::FolderSkipped(reason.to_owned()).of(path.as_str());
        self.skipped.insert(path, finding);
    }

    fn failed(&mut self, path: &Path, error: &std::io::Error) {
        let path = slashed(path);
        let shown = if path.is_empty() { "." } else { path.as_str() };
        let reason = format!(
            "`{shown}` cannot be read ({error}): check that it is there and its permissions"
        );
        let finding = Noticed::Failed(reason).of(shown);
        self.skipped.insert(path, finding);
    }

    fn finish(self, root: &Path) -> Result<Discovery, IngestError> {
        // A folder that cannot be opened at all is not the same as an empty one.
        if self.files.is_empty() && !self.skipped.values().any(Finding::is_failure) {
            let listed: Vec<String> = self
                .other_kinds
                .iter()
                .map(|(extension, (count, _))| format!("{extension} ({count})"))
                .collect();
            return Err(IngestError::NoDocuments {
                root: root.to_owned(),
                other_files: listed.join(", "),
            });
        }
        let mut findings: Vec<Finding> = self.skipped.into_values().collect();
        let has = |kinds: &[Kind]| {
            self.files.keys().filter_map(|name| Kind::of(name)).any(|kind| kinds.contains(&kind))
        };
        let has_pages = has(&[Kind::Html, Kind::Markdown, Kind::Rst, Kind::Asciidoc, Kind::Org]);
        let is_site = has(&[Kind::Html]);
        let is_machinery = |extension: &str| {
            let is_picture = PICTURES.contains(&extension);
            MACHINERY.contains(&extension)
                || is_picture && has_pages
                || is_site && OF_SITES.contains(&extension)
        };
        let (machinery, others): (Vec<_>, Vec<_>) =
            self.other_kinds.into_iter().partition(|(extension, _)| is_machinery(extension));
        findings.extend(others.into_iter().map(|(extension, (count, example))| {
            let path = example.clone();
            Noticed::UnsupportedKind { extension, count, example }.of(path)
        }));
        if let Some(path) = machinery.iter().map(|(_, (_, example))| example.clone()).min() {
            let count = machinery.iter().map(|(_, (count, _))| count).sum();
            let kinds: Vec<String> =
                machinery.into_iter().map(|(extension, _)| format!("`{extension}`")).collect();
            findings.push(Noticed::Machinery { count, kinds: kinds.join(", ") }.of(path));
        }
        Ok(Discovery {
            files: self.files.into_values().collect(),
            sidecars: self.sidecars.into_values().collect(),
            findings,
        })
    }
}

/// A relative path with `/` between its parts on every system.
pub fn slashed(path: &Path) -> String {
    let parts: Vec<_> = path.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    parts.join("/")
}
