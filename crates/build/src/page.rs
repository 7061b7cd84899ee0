//! The page: the files of a site that are the same for all documents.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use minijinja::HtmlEscape;
use sha2::{Digest, Sha256};

use crate::config::{PageConfig, SiteConfig};

/// The module that a site cannot do without.
pub(crate) const CORE_MODULE: &str = "campanile/pkg/core/campanile_core_bg.wasm";
/// The module that reads on a graphics processor.
pub(crate) const GPU_MODULE: &str = "campanile/pkg/gpu/campanile_gpu_bg.wasm";
const SERVICE_WORKER: &str = "service-worker.js";
/// The module that tells the page what its files are.
const FILES_MODULE: &str = "campanile/files.js";
/// The scripts of a site in one file, which are in no other.
const SINGLE_FILE: &str = "campanile/pkg/single-file/";
/// The page itself, to which hosts add words of their own.
const INDEX: &str = "index.html";
/// All of the page's style sheets in one: a browser asks a host for six files at once, and on a slow line each round takes
/// half a second.
const STYLES: &str = "styles/all.css";
/// The HTML before and after the path of a style sheet.
const STYLE_LINK: [&str; 2] = ["<link rel=\"stylesheet\" href=\"", "\">"];
/// The scripts that nothing but the browser can hold against what was published: they are what would do it. Damaged, one
/// may still run, and go wrong for as long as the browser keeps it. (What a worker begins with, no browser compares.)
const FIRST_SCRIPTS: [&str; 2] = ["campanile/campanile-ask.js", "campanile/page.js"];
/// The place for their hashes in the page: before anything names a script.
const FIRST_NAMED: &str = "<link rel=\"modulepreload\"";
/// Where the page's policy says what is fetched.
const CONNECT_POLICY: &str = "connect-src 'self'";
/// Where the page's policy says whose scripts run.
const SCRIPT_POLICY: &str = "script-src 'self'";
/// The page's description where a site has none of its own.
const DESCRIPTION: &str = "Ask these documents a question and see the passage that answers it. Everything happens on your device.";
/// The question box in the page.
const ELEMENT: &str = "<campanile-ask";
/// So many hexadecimal digits of a hash tell a damaged file from a whole one.
const DIGITS: usize = 16;
/// Fetched when they are asked for, not with the page: the language model's module, and the
/// licences.
const ON_DEMAND: [&str; 2] = ["campanile/pkg/gpu/", LICENCES];
/// The licences of the software in the browser's modules; a build adds those of the models.
pub(crate) const LICENCES: &str = "campanile/pkg/third-party-licences.txt";

/// The files of a page, each with its path in the site, ordered by path. The command has them inside.
#[derive(Debug, Clone, Copy)]
pub struct Page<'a> {
    files: &'a [(&'a str, &'a [u8])],
}

impl<'a> Page<'a> {
    /// The page of these files; `None` if the browser's core module is not among them.
    pub fn new(files: &'a [(&'a str, &'a [u8])]) -> Option<Self> {
        files.iter().any(|(path, _)| *path == CORE_MODULE).then_some(Self { files })
    }

    /// Every file with its path in the site. The page has the site's title and description in it. It and its service
    /// worker know what each of the other files is by its hash; the service worker also knows a version that changes
    /// when any of them does, and whether it isolates the page.
    pub(crate) fn files(
        &self,
        site: &SiteConfig,
        settings: &PageConfig,
        reached: &[String],
    ) -> Vec<(&'a str, Vec<u8>)> {
        let (joined, styles) = self.styles();
        let own = (self.files.iter())
            .filter(|(path, _)| !joined.contains(path) && !path.starts_with(SINGLE_FILE));
        let mut digests: BTreeMap<&str, String> = (own.clone())
            .filter(|(path, _)| ![SERVICE_WORKER, FILES_MODULE, INDEX, LICENCES].contains(path))
            .map(|&(path, content)| (path, digits(Sha256::digest(content))))
            .collect();
        digests.extend(styles.as_ref().map(|styles| (STYLES, digits(Sha256::digest(styles)))));
        let files_module = format!("export const FILES={};\n", serde_json::json!(digests));
        digests.insert(FILES_MODULE, digits(Sha256::digest(&files_module)));
        let digests = serde_json::json!(digests).to_string();
        let isolated = if settings.cross_origin_isolated { "true" } else { "false" };
        let version = self.version(site, reached);
        let with_content = |&(path, content): &(&'a str, &[u8])| {
            let content = match path {
                SERVICE_WORKER => String::from_utf8_lossy(content)
                    .replace("__CAMPANILE_VERSION__", &version)
                    .replace("__CAMPANILE_FILES__", &digests)
                    .replace("__CAMPANILE_ISOLATED__", isolated)
                    .into_bytes(),
                FILES_MODULE => files_module.clone().into_bytes(),
                INDEX => {
                    let page = with_styles(&String::from_utf8_lossy(content), &joined);
                    let page = reaching(&titled(&page, site, settings), reached);
                    self.compared(&page).into_bytes()
                }
                _ => content.to_vec(),
            };
            (path, content)
        };
        let mut files: Vec<_> = own.map(with_content).collect();
        files.extend(styles.map(|styles| (STYLES, styles)));
        files.sort_by_key(|(path, _)| *path);
        files
    }

    /// The page with the hashes of its first scripts, by which a browser refuses one that is damaged; what to do then, the
    /// page's line of rescue says. They stand in an import map, where a script is named that another imports (HTML Standard,
    /// section 8.1.6.2); a browser that knows no hashes there goes on without.
    fn compared(&self, page: &str) -> String {
        let hashes: BTreeMap<String, String> = (self.files.iter())
            .filter(|(path, _)| FIRST_SCRIPTS.contains(path))
            .map(|(path, script)| (format!("./{path}"), source_hash(script)))
            .collect();
        let map = serde_json::json!({ "integrity": hashes }).to_string();
        let policy = format!("{SCRIPT_POLICY} '{}'", source_hash(&map));
        let element = format!("<script type=\"importmap\">{map}</script>\n  {FIRST_NAMED}");
        page.replacen(FIRST_NAMED, &element, 1).replacen(SCRIPT_POLICY, &policy, 1)
    }

    /// A script of a site in one file, by its name.
    pub(crate) fn single_file_script(&self, name: &str) -> Option<&'a [u8]> {
        let is_meant = |path: &str| path.strip_prefix(SINGLE_FILE) == Some(name);
        self.files.iter().find(|(path, _)| is_meant(path)).map(|&(_, script)| script)
    }

    /// The style sheets that the page names, and all of them in one, in the order in which the page names them.
    fn styles(&self) -> (Vec<&'a str>, Option<Vec<u8>>) {
        let file = |wanted: &str| self.files.iter().copied().find(|(path, _)| *path == wanted);
        let Some((_, page)) = file(INDEX) else { return (Vec::new(), None) };
        let page = String::from_utf8_lossy(page);
        let sheets = style_links(&page).filter_map(|(_, path)| file(path));
        let (paths, contents): (Vec<_>, Vec<_>) = sheets.unzip();
        let all = (paths.len() > 1).then(|| contents.join(b"\n".as_slice()));
        if all.is_some() { (paths, all) } else { (Vec::new(), None) }
    }

    /// The beginning of the hash over all paths and contents, and over what the page is told of the site.
    fn version(&self, site: &SiteConfig, reached: &[String]) -> String {
        let told = [&site.title, &site.description].into_iter().chain(reached);
        let told = told.map(|told| ("", told.as_bytes()));
        let mut hash = Sha256::new();
        for (path, content) in self.files.iter().copied().chain(told) {
            hash.update(path.as_bytes());
            hash.update([0]);
            hash.update((content.len() as u64).to_le_bytes());
            hash.update(content);
        }
        digits(hash.finalize())
    }
}

/// The links to style sheets in a page: each link whole, and its path.
fn style_links(page: &str) -> impl Iterator<Item = (&str, &str)> {
    let [before, after] = STYLE_LINK;
    page.match_indices(before).filter_map(move |(at, _)| {
        let rest = &page[at..];
        let path = rest[before.len()..].split(after).next()?;
        Some((rest.get(..before.len() + path.len() + after.len())?, path))
    })
}

/// The page with one link to all of these style sheets, in the place of the first.
fn with_styles(page: &str, joined: &[&str]) -> String {
    let links: Vec<&str> = (style_links(page).filter(|(_, path)| joined.contains(path)))
        .map(|(link, _)| link)
        .collect();
    let [before, after] = STYLE_LINK;
    let mut page = page.to_owned();
    for (number, link) in links.iter().enumerate() {
        let instead = if number == 0 { format!("{before}{STYLES}{after}") } else { String::new() };
        page = page.replace(link, &instead);
    }
    page
}

/// The page with the site's title and description in their places: nothing moves when the manifest arrives, and a
/// link to the site is shown under its name.
fn titled(page: &str, site: &SiteConfig, settings: &PageConfig) -> String {
    let [title, description] =
        [&site.title, &site.description].map(|text| HtmlEscape(text).to_string());
    let mut page = page.replace(">Campanile<", &format!(">{title}<"));
    if let Some(language) = settings.language.tag() {
        page = page.replace(ELEMENT, &format!("{ELEMENT} lang=\"{language}\""));
    }
    if description.is_empty() {
        return page;
    }
    page.replace("id=\"site-description\"><", &format!("id=\"site-description\">{description}<"))
        .replace(DESCRIPTION, &description)
}

/// The page with leave to fetch from these origins besides its own.
fn reaching(page: &str, reached: &[String]) -> String {
    let policy = std::iter::once(CONNECT_POLICY).chain(reached.iter().map(String::as_str));
    page.replacen(CONNECT_POLICY, &policy.collect::<Vec<_>>().join(" "), 1)
}

/// The beginning of a hash in hexadecimal digits.
fn digits(hash: impl AsRef<[u8]>) -> String {
    hash.as_ref().iter().take(DIGITS / 2).map(|byte| format!("{byte:02x}")).collect()
}

/// The hash by which policies and import maps name a script (Subresource Integrity, section 3.5; CSP 3, section 2.3.1).
pub(crate) fn source_hash(script: impl AsRef<[u8]>) -> String {
    format!("sha256-{}", BASE64.encode(Sha256::digest(script)))
}

/// Returns `true` if a file of the page is fetched only when a visitor asks for it.
pub(crate) fn is_on_demand(path: &str) -> bool {
    ON_DEMAND.iter().any(|start| path.starts_with(start))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::expect_used)]
    use super::*;
    use crate::config::PageLanguage;

    const WORKER: &[u8] = include_bytes!("../../../web/service-worker.js");

    #[test]
    fn the_service_worker_is_told_all_it_asks_for() {
        let files = [(CORE_MODULE, b"module".as_slice()), (SERVICE_WORKER, WORKER)];
        let page = Page::new(&files).expect("the core module is there");
        for (cross_origin_isolated, told) in
            [(true, "ISOLATED = true;"), (false, "ISOLATED = false;")]
        {
            let files = page.files(
                &SiteConfig::default(),
                &PageConfig { cross_origin_isolated, ..PageConfig::default() },
                &[],
            );
            let (_, content) =
                files.iter().find(|(path, _)| *path == SERVICE_WORKER).expect("it is there");
            let text = String::from_utf8_lossy(content);
            assert!(text.contains(told), "{told}");
            assert!(!text.contains("__CAMPANILE_"), "a token is left");
        }
    }

    #[test]
    fn a_campus_may_fetch_from_the_hosts_of_its_sites_and_no_others() {
        let page = "connect-src 'self'; img-src 'self'";
        let reached = ["https://physics.example.edu".to_owned()];
        assert_eq!(
            reaching(page, &reached),
            "connect-src 'self' https://physics.example.edu; img-src 'self'"
        );
        assert_eq!(reaching(page, &[]), page);
    }

    #[test]
    fn the_page_speaks_the_language_that_is_set() {
        for (language, element) in [
            (PageLanguage::Auto, "<campanile-ask>"),
            (PageLanguage::French, "<campanile-ask lang=\"fr\">"),
        ] {
            let settings = PageConfig { language, ..PageConfig::default() };
            let page = titled("<campanile-ask>", &SiteConfig::default(), &settings);
            assert_eq!(page, element);
        }
    }

    #[test]
    fn the_page_and_its_service_worker_know_the_same_hashes() {
        let files = [
            (CORE_MODULE, b"module".as_slice()),
            (FILES_MODULE, b"export const FILES = {};"),
            (INDEX, b"<campanile-ask>"),
            (LICENCES, b"licences"),
            (SERVICE_WORKER, b"__CAMPANILE_FILES__"),
        ];
        let page = Page::new(&files).expect("the core module is there");
        let files: BTreeMap<&str, String> =
            (page.files(&SiteConfig::default(), &PageConfig::default(), &[]).into_iter())
                .map(|(path, content)| (path, String::from_utf8_lossy(&content).into_owned()))
                .collect();
        // printf module | sha256sum
        let known = r#""campanile/pkg/core/campanile_core_bg.wasm":"120970d812836f19"}"#;
        assert_eq!(files[FILES_MODULE], format!("export const FILES={{{known};\n"));
        let own = digits(Sha256::digest(files[FILES_MODULE].as_bytes()));
        assert_eq!(files[SERVICE_WORKER], format!(r#"{{"campanile/files.js":"{own}",{known}"#));
    }

    #[test]
    fn the_page_knows_its_first_scripts_by_their_hashes() {
        let index = include_bytes!("../../../www/index.html");
        let files = [
            ("campanile/page.js", b"theme()".as_slice()),
            (CORE_MODULE, b"module"),
            (INDEX, index),
        ];
        let page = Page::new(&files).expect("the core module is there");
        let files = page.files(&SiteConfig::default(), &PageConfig::default(), &[]);
        let (_, page) = files.iter().find(|(path, _)| *path == INDEX).expect("it is there");
        let page = String::from_utf8_lossy(page);
        // printf 'theme()' | openssl dgst -sha256 -binary | base64
        let map = r#"{"integrity":{"./campanile/page.js":"sha256-Rfr3GgHZFiXm+TmNr+li+0sZ4J9FGllo8jsXcJF5XZ8="}}"#;
        let at = page.find(&format!("<script type=\"importmap\">{map}</script>"));
        let at = at.expect("the map is there");
        assert!(page.find("campanile/page.js\"></script>").expect("the script is there") > at);
        let policy = format!("script-src 'self' '{}' 'wasm-unsafe-eval'", source_hash(map));
        assert!(page.contains(&policy), "the policy lets it in");
    }

    #[test]
    fn style_sheets_that_the_page_names_become_one() {
        let page = "<link rel=\"stylesheet\" href=\"styles/b.css\">\n<link rel=\"stylesheet\" href=\"styles/a.css\">";
        let files = [
            (CORE_MODULE, b"module".as_slice()),
            (INDEX, page.as_bytes()),
            ("styles/a.css", b"a{}"),
            ("styles/b.css", b"b{}"),
            ("styles/other.css", b"other{}"),
        ];
        let page = Page::new(&files).expect("the core module is there");
        let files: BTreeMap<&str, String> =
            (page.files(&SiteConfig::default(), &PageConfig::default(), &[]).into_iter())
                .map(|(path, content)| (path, String::from_utf8_lossy(&content).into_owned()))
                .collect();
        assert_eq!(files[INDEX].trim_end(), "<link rel=\"stylesheet\" href=\"styles/all.css\">");
        assert_eq!(files[STYLES], "b{}\na{}");
        let paths: Vec<&str> = files.keys().copied().collect();
        assert_eq!(paths, [CORE_MODULE, INDEX, STYLES, "styles/other.css"]);
    }

    #[test]
    fn the_page_has_the_sites_title_and_description_in_it() {
        let page = include_str!("../../../www/index.html");
        let site = SiteConfig {
            title: "Rules & <rooms>".to_owned(),
            description: "Of the \"Faculty\".".to_owned(),
            ..SiteConfig::default()
        };
        let titled = titled(page, &site, &PageConfig::default());
        for (place, count) in [
            ("<title>Rules &amp; &lt;rooms&gt;</title>", 1),
            ("id=\"site-title\">Rules &amp; &lt;rooms&gt;</span>", 1),
            ("id=\"site-description\">Of the &quot;Faculty&quot;.</p>", 1),
            ("name=\"description\" content=\"Of the &quot;Faculty&quot;.\"", 1),
            (">Campanile<", 0),
        ] {
            assert_eq!(titled.matches(place).count(), count, "{place}");
        }
        assert!(
            super::titled(page, &SiteConfig::default(), &PageConfig::default())
                .contains(DESCRIPTION)
        );
    }

    #[test]
    fn without_its_module_a_page_is_none() {
        assert!(Page::new(&[(SERVICE_WORKER, WORKER)]).is_none());
    }
}
