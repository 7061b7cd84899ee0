//! A site in one file: a page with all that it needs inside, which opens by a double click, without a server.
//!
//! The other files of the site lie in it as base64 (RFC 4648), each in a script element of its own that no browser runs;
//! `web/single-file.js` takes them from there. Its styles and scripts are inline, and allowed by their hashes alone. The
//! language model is no part of it: it is many times larger than all the rest.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use campanile_bundle::{
    Bundle, BundleError, ChildIndex, DirectoryFetch, Fetch, FetchError, Freshness, MANIFEST_PATH,
    Manifest,
};
use flate2::Compression;
use flate2::write::GzEncoder;
use futures_lite::future::block_on;
use thiserror::Error;

use crate::page::{CORE_MODULE, GPU_MODULE, LICENCES, Page, source_hash};

/// The reason why a site was not written into one file.
#[derive(Debug, Error)]
pub enum SingleFileError {
    /// The command has no browser modules inside.
    #[error("this program was built without the page's scripts")]
    NoPage,
    /// A file of the site, by its path, cannot be read, or the one file cannot be written.
    #[error("`{}` cannot be read or written", .0.display())]
    File(PathBuf, #[source] io::Error),
    /// The site's index cannot be read.
    #[error("the site cannot be read")]
    Site(#[from] BundleError),
    /// The page lacks a place for what belongs into it, which is a mistake of this crate.
    #[error("the page has no `{0}`")]
    Place(&'static str),
}

/// Writes the site in the folder `site` into the one file `to`, and gives the file's length in bytes. Without the encoder,
/// and the models that build on it, it is searched by keywords and, roughly, by meaning.
///
/// # Errors
/// [`SingleFileError`]
pub fn write(
    page: &Page<'_>,
    site: &Path,
    with_encoder: bool,
    to: &Path,
) -> Result<u64, SingleFileError> {
    let manifest = lean(Manifest::decode(&read(site, MANIFEST_PATH)?)?, with_encoder).encode()?;
    let index = SiteInOneFile { site: DirectoryFetch::new(site), manifest: &manifest };
    let shards = block_on(async { Bundle::open(&index).await?.shards().await })?;
    let mut parts = String::new();
    add_part(&mut parts, MANIFEST_PATH, &manifest)?;
    for shard in &shards {
        add_part(&mut parts, &shard.path, &read(site, &shard.path)?)?;
    }
    let modules = if with_encoder { [CORE_MODULE, GPU_MODULE].as_slice() } else { &[CORE_MODULE] };
    for path in modules {
        add_part(&mut parts, path, &read(site, path)?)?;
    }
    add_part(&mut parts, LICENCES, &read(site, LICENCES)?)?;
    for worker in ["worker.js", "reading-worker.js"] {
        let script = page.single_file_script(worker).ok_or(SingleFileError::NoPage)?;
        add_part(&mut parts, &format!("campanile/{worker}"), script)?;
    }
    let script = page.single_file_script("page.js").ok_or(SingleFileError::NoPage)?;
    let html = text(site, "index.html")?;
    let html = with_all_inside(html, site, &String::from_utf8_lossy(script), &parts)?;
    let unfinished = to.with_extension("html.unfinished");
    let written = fs::write(&unfinished, &html).and_then(|()| fs::rename(&unfinished, to));
    written.map_err(|error| SingleFileError::File(to.to_owned(), error))?;
    Ok(html.len() as u64)
}

/// The manifest of what is in the file.
fn lean(manifest: Manifest, with_encoder: bool) -> Manifest {
    let manifest = Manifest { prose: None, prompt: None, worked_examples: Vec::new(), ..manifest };
    if with_encoder {
        return manifest;
    }
    let child =
        |child: ChildIndex| ChildIndex { vectors: None, graph: None, partitions: None, ..child };
    Manifest {
        encoder: None,
        embedded_on: None,
        dimension: 0,
        reader: None,
        reranker: None,
        checker: None,
        vectors: None,
        graph: None,
        partitions: None,
        late: None,
        children: manifest.children.into_iter().map(child).collect(),
        ..manifest
    }
}

/// The site with another manifest: its index is read through it, which names the shards that belong to it.
struct SiteInOneFile<'a> {
    site: DirectoryFetch,
    manifest: &'a [u8],
}

impl Fetch for SiteInOneFile<'_> {
    async fn fetch(&self, path: &str, freshness: Freshness) -> Result<Vec<u8>, FetchError> {
        if path == MANIFEST_PATH {
            return Ok(self.manifest.to_vec());
        }
        self.site.fetch(path, freshness).await
    }
}

fn read(site: &Path, path: &str) -> Result<Vec<u8>, SingleFileError> {
    let file = site.join(path);
    fs::read(&file).map_err(|error| SingleFileError::File(file, error))
}

fn text(site: &Path, path: &str) -> Result<String, SingleFileError> {
    Ok(String::from_utf8_lossy(&read(site, path)?).into_owned())
}

/// Adds a file of the site. Programs and licences are packed; shards are so already, and scripts are unpacked while the page
/// waits.
fn add_part(parts: &mut String, path: &str, bytes: &[u8]) -> Result<(), SingleFileError> {
    let is_packed = path.ends_with(".wasm") || path.ends_with(".txt");
    let packed = is_packed.then(|| gzip(bytes)).transpose();
    let packed = packed.map_err(|error| SingleFileError::File(path.into(), error))?;
    let encoding = if packed.is_some() { " data-encoding=\"gzip\"" } else { "" };
    *parts += &format!("<script type=\"text/plain\" data-part=\"{path}\"{encoding}>");
    BASE64.encode_string(packed.as_deref().unwrap_or(bytes), parts);
    *parts += "</script>\n";
    Ok(())
}

fn gzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(bytes)?;
    packed.finish()
}

/// Elements of the page that are replaced when it becomes one file.
const STYLES: &str = "<link rel=\"stylesheet\" href=\"styles/all.css\">";
const ICON: &str = "href=\"icons/campanile.svg\"";
const THEME: &str = "<script src=\"campanile/theme.js\"></script>";
const PAGE: &str = "<script type=\"module\" src=\"campanile/page.js\"></script>";
const RESCUE: &str = "<script async src=\"campanile/rescue.js\"></script>";
const POLICY: &str = "<meta http-equiv=\"Content-Security-Policy\" content=\"";
/// The beginnings of lines that name files which a page from a file does without.
const LEFT_OUT: [&str; 4] = [
    "<script type=\"importmap\"",
    "<link rel=\"modulepreload\"",
    "<link rel=\"apple-touch-icon\"",
    "<link rel=\"manifest\"",
];

/// The page with its styles, scripts and parts in it.
fn with_all_inside(
    html: String,
    site: &Path,
    script: &str,
    parts: &str,
) -> Result<String, SingleFileError> {
    let styles = text(site, "styles/all.css")?;
    let theme = inline_script(&text(site, "campanile/theme.js")?);
    let script = inline_script(script);
    let icon = BASE64.encode(read(site, "icons/campanile.svg")?);
    let kept =
        html.lines().filter(|line| !LEFT_OUT.iter().any(|start| line.trim().starts_with(start)));
    let mut html = kept.collect::<Vec<_>>().join("\n");
    html.push('\n');
    let policy = format!(
        "default-src 'none'; script-src '{}' '{}' blob: 'wasm-unsafe-eval'; worker-src blob:; style-src '{}'; \
         img-src data:; base-uri 'none'; form-action 'none'",
        source_hash(&theme),
        source_hash(&script),
        source_hash(&styles),
    );
    let old_policy = (html.split_once(POLICY).and_then(|(_, rest)| rest.split_once('"')))
        .map(|(old, _)| format!("{POLICY}{old}\""))
        .ok_or(SingleFileError::Place(POLICY))?;
    let changes = [
        (POLICY, old_policy.as_str(), format!("{POLICY}{policy}\"")),
        (STYLES, STYLES, format!("<style>{styles}</style>")),
        (ICON, ICON, format!("href=\"data:image/svg+xml;base64,{icon}\"")),
        (THEME, THEME, format!("<script>{theme}</script>")),
        (PAGE, PAGE, String::new()),
        // Behind all parts, which it takes at once.
        (RESCUE, RESCUE, format!("{parts}<script type=\"module\">{script}</script>")),
    ];
    for (name, old, new) in changes {
        if !html.contains(old) {
            return Err(SingleFileError::Place(name));
        }
        html = html.replacen(old, &new, 1);
    }
    Ok(html)
}

/// A script so that nothing in it ends its element, or seems to begin a comment around it: both stand in texts alone.
fn inline_script(script: &str) -> String {
    script.replace("</script", "<\\/script").replace("<!--", "<\\!--")
}

#[cfg(test)]
mod tests {
    #![expect(clippy::expect_used)]
    use super::*;

    const INDEX: &str = include_str!("../../../www/index.html");

    fn site() -> tempfile::TempDir {
        let site = tempfile::tempdir().expect("there is room");
        let files = [
            ("styles/all.css", "p{}"),
            ("campanile/theme.js", "theme()"),
            ("icons/campanile.svg", "<svg/>"),
        ];
        for (path, content) in files {
            let file = site.path().join(path);
            fs::create_dir_all(file.parent().expect("it lies in a folder")).expect("it is made");
            fs::write(file, content).expect("it is written");
        }
        site
    }

    #[test]
    fn the_page_fetches_nothing_and_runs_its_own_scripts_alone() {
        let site = site();
        // As a build writes it, with one style sheet.
        let lines = INDEX.lines().filter(|line| !line.contains("\"styles/")).collect::<Vec<_>>();
        let index = lines.join("\n").replace(THEME, &format!("{STYLES}\n{THEME}"));
        let script = "ask('</script>', '<!-- ')";
        let page = with_all_inside(index, site.path(), script, "<parts>").expect("it is whole");
        let named = [" src=\"", "rel=\"stylesheet\"", "modulepreload", "rel=\"manifest\""];
        for name in named {
            assert!(!page.contains(name), "{name}");
        }
        assert!(
            page.contains("<parts><script type=\"module\">ask('<\\/script>', '<\\!-- ')</script>")
        );
        // printf 'theme()' | openssl dgst -sha256 -binary | base64
        assert!(page.contains("'sha256-Rfr3GgHZFiXm+TmNr+li+0sZ4J9FGllo8jsXcJF5XZ8='"), "{page}");
        assert!(page.contains("default-src 'none'"));
        assert!(!page.contains("connect-src") && !page.contains("unsafe-inline"));
    }

    #[test]
    fn a_page_without_a_place_for_a_part_is_no_page() {
        let site = site();
        let page = with_all_inside(INDEX.replace(RESCUE, ""), site.path(), "", "");
        assert!(matches!(page, Err(SingleFileError::Place(_))), "{page:?}");
    }
}
