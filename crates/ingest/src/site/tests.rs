#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::{Beside, finding, laid_beside, name_pages, repeats};
use crate::{IngestOptions, Reading, discover, read};

/// A folder of files, as a generator or a person left it.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let root = TempDir::new().unwrap();
    for (path, text) in files {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    root
}

/// What is left out of a folder, before and after reading, as `kind path`.
fn left_out(files: &[(&str, &str)]) -> Vec<String> {
    let root = folder(files);
    let found = discover(root.path()).unwrap().files;
    let beside = laid_beside(root.path(), &found);
    let is_read = |path: &&PathBuf| !beside.iter().any(|(own, _)| own == *path);
    let kept: Vec<&PathBuf> = found.iter().filter(is_read).collect();
    let readings = readings(root.path(), &kept);
    let repeated = repeats(root.path(), &readings);
    let repeated = repeated.iter().map(|(place, kind)| (kept[*place].clone(), *kind));
    let mut all: Vec<(PathBuf, Beside)> = beside.iter().cloned().chain(repeated).collect();
    all.sort();
    all.into_iter().map(|(path, kind)| format!("{kind:?} {}", path.display())).collect()
}

fn readings(root: &Path, paths: &[&PathBuf]) -> Vec<Reading> {
    let options = IngestOptions::default();
    paths.iter().map(|path| read(root, path, &options).unwrap()).collect()
}

fn titles(files: &[(&str, &str)]) -> Vec<String> {
    let root = folder(files);
    let found = discover(root.path()).unwrap().files;
    let mut readings = readings(root.path(), &found.iter().collect::<Vec<_>>());
    name_pages(&mut readings);
    readings.into_iter().map(|mut reading| reading.documents.remove(0).title).collect()
}

const BOATS: &str = "<title>Boats - Rowing club</title><main><h1>Boats</h1>\
    <p>A single scull is booked for two hours at most, and brought back dry and clean.</p></main>";
const OARS: &str = "<title>Oars - Rowing club</title><main><h1>Oars</h1>\
    <p>Whoever breaks an oar pays half of its price to the club within four weeks.</p></main>";

/// Cases: what each shows, the files, what is left out of them.
type Case = (&'static str, &'static [(&'static str, &'static str)], &'static [&'static str]);

const CASES: &[Case] = &[
    (
        "sources of pages that are there, and the page's licence",
        &[
            ("boats.html", BOATS),
            ("_sources/boats.md.txt", "# Boats\n"),
            ("_sources/notes.rst.txt", "Notes\n=====\n"),
            ("_static/jquery.min.js.LICENSE.txt", "MIT"),
            ("_static/macros.html", "<p>macro</p>"),
            ("_static/price-list.csv", "Oar;30"),
        ],
        &[
            "Source _sources/boats.md.txt",
            "Source _sources/notes.rst.txt",
            "Looks _static/jquery.min.js.LICENSE.txt",
            "Looks _static/macros.html",
        ],
    ),
    (
        "lists of versions, templates and empty lists",
        &[
            ("index.html", BOATS),
            ("1.0/oars.html", OARS),
            ("versions.json", r#"[{"version": "1.0", "title": "1.0", "aliases": []}]"#),
            ("sheet/versions.json", r#"[{"version": "9.0", "changes": "Oars"}]"#),
            ("guide_versions.json", r#"["3.1"]"#),
            ("guide_versioned_docs/version-3.1/sail.md", "# Sails\n\nOf canvas."),
            ("_layouts/page.html", "<main>{{ content }}</main>"),
            ("layouts/rooms.html", "<p>The layout of the rooms.</p>"),
            ("tags.json", r#"{"mappings": []}"#),
            ("prices.json", "{}"),
        ],
        &[
            "Looks _layouts/page.html",
            "Versions guide_versions.json",
            "SearchIndex tags.json",
            "Versions versions.json",
        ],
    ),
    (
        "menus of sources, without a page around",
        &[
            ("SUMMARY.md", "# Summary\n\n- [Boats](boats.md)\n- Sails\n- [Oars](oars.md)\n"),
            ("guide/_sidebar.md", "- [Boats](../boats.md)\n"),
            (
                "guide/summary.md",
                "# Summary\n\nAll of it, see [Boats](../boats.md), in one sentence.\n",
            ),
            ("m/nav.adoc", "* xref:boats.adoc[Boats]\n** xref:oars.adoc[Oars]\n"),
            ("boats.md", "# Boats\n\nA scull is booked for two hours."),
        ],
        &["Listing SUMMARY.md", "Listing guide/_sidebar.md", "Listing m/nav.adoc"],
    ),
    (
        "a part of a page that was copied beside it",
        &[
            ("boats.html", BOATS),
            ("scull.md", "A single scull is booked for two hours at most."),
            ("other.md", "A single scull is booked for three hours on Sundays."),
        ],
        &["Source scull.md"],
    ),
    (
        "folders of these names without a site around",
        &[
            ("index.html", BOATS),
            ("_sources/harbour.txt", "Letters about the harbour."),
            ("_static/electricity.txt", "Charge builds up."),
            ("LICENSE.txt", "Whoever rows here has a licence."),
            ("licences/rowing-licence.md", "# Rowing licence\n\nIt is valid for a year."),
            ("licences/form.md", "# Form"),
        ],
        &[],
    ),
    (
        "licences among fonts",
        &[
            ("index.html", BOATS),
            ("fonts/sans.woff2", "x"),
            ("fonts/SANS-LICENSE.txt", "OFL"),
            ("vendor/menu.css", "x"),
            ("vendor/menu.css.license.txt", "MIT"),
        ],
        &["Licence fonts/SANS-LICENSE.txt", "Licence vendor/menu.css.license.txt"],
    ),
    (
        "search indexes that name the pages, or hold no text",
        &[
            ("index.html", "<h1>Club</h1><p>x"),
            ("boats/index.html", BOATS),
            ("oars/index.html", OARS),
            (
                "search/search_index.json",
                r#"{"docs": [{"location": "boats/", "text": "A single scull is booked"},
               {"location": "oars/#price", "text": "Whoever breaks an oar pays"}]}"#,
            ),
            ("hashmap.json", r#"{"boats_index.md": "a7f2", "oars_index.md": "99c1"}"#),
            (
                "pagefind/pagefind-entry.json",
                r#"{"version": "9", "languages": {"en": {"page_count": 3}}}"#,
            ),
            (
                "index.json",
                r#"[{"permalink": "https:\/\/club.example\/boats\/"}, {"permalink": "https:\/\/club.example\/oars\/"}]"#,
            ),
            (
                "search-results-2026.json",
                r#"{"result": "The search for a new coach has ended with nobody."}"#,
            ),
            ("price-index.json", r#"{"oar": 30}"#),
        ],
        &[
            "SearchIndex hashmap.json",
            "SearchIndex index.json",
            "SearchIndex pagefind/pagefind-entry.json",
            "SearchIndex search/search_index.json",
        ],
    ),
    (
        "pages of one site for searching, for errors and for printing",
        &[
            ("boats.html", BOATS),
            ("oars.html", OARS),
            (
                "suche.html",
                "<h1>Suche</h1><main><form><input name=q></form><p>Bitte Wort eingeben.</p></main>",
            ),
            (
                "404.html",
                "<main><h1>Gone</h1><p>The page that you asked for is not here.</p></main>",
            ),
            (
                "print.html",
                "<main><h1>Boats</h1><p>A single scull is booked for two hours at most, and \
              brought back dry and clean.</p><h1>Oars</h1><p>Whoever breaks an oar pays half of its \
              price to the club within four weeks.</p></main>",
            ),
            (
                "llms-full.txt",
                "# Boats\n\nA single scull is booked for two hours at most, and brought \
              back dry and clean.",
            ),
        ],
        &[
            "ErrorPage 404.html", "Together llms-full.txt", "Together print.html",
            "SearchPage suche.html",
        ],
    ),
    (
        "pages that are only called so",
        &[
            (
                "boats.html",
                "<main><h1>Boats</h1><p>They lie in <a href=404.html>room 404</a>, where \
              the key hangs.</p></main>",
            ),
            ("404.html", "<main><h1>Room 404</h1><p>Open from nine to five.</p></main>"),
            (
                "search.html",
                "<main><h1>Search</h1><p>The search for a new coach goes on.</p></main>",
            ),
            (
                "print.html",
                "<main><h1>Print</h1><p>A page costs four cents in the club's office.</p></main>",
            ),
            (
                "tags.html",
                "<main><h1>Tags</h1><p>Every boat has a tag with the name of its keeper and \
              the day of its last repair, which is written on it by hand.</p></main>",
            ),
        ],
        &[],
    ),
    (
        "text beside the page that was made of it",
        &[
            ("boats.html", BOATS),
            (
                "boats.md",
                "# Boats\n\nA single scull is **booked** for two hours at most, and brought \
              back dry and clean.",
            ),
            ("oars/index.html", OARS),
            (
                "oars/index.md",
                "# Oars\n\nOars are kept in the shed, and nobody has ever paid for one.",
            ),
        ],
        &["Source boats.md"],
    ),
    (
        "lists of articles that are there",
        &[
            ("boats.html", BOATS),
            ("oars.html", OARS),
            (
                "index.html",
                "<main><h2>News</h2><article><h2><a href=/boats.html>Boats</a></h2><p>1 May 2026 by Ada</p>\
              <p>A single scull is booked for two hours at …</p><a href=/boats.html>Read more</a></article>\
              <article><h2><a href=/oars.html>Oars</a></h2><p>Whoever breaks an oar pays half of …</p></article></main>",
            ),
            (
                "plain.html",
                "<main><h1>News</h1><ul><li><a href=boats.html>Boats</a> A single scull is booked for two…\
              <li><a href=oars.html>Oars</a> Whoever breaks an oar pays half of its price</ul></main>",
            ),
            (
                "numbered.html",
                "<main><h1>Most read</h1><ol><li><a href=oars.html>Oars</a> Whoever breaks an oar pays half of its price\
              <li><a href=boats.html>Boats</a> A single scull is booked for two…</ol></main>",
            ),
            (
                "tag/money.html",
                "<main><h1>Tagged with money</h1><article><h2><a href=../oars.html>Oars</a></h2>\
              <p>Whoever breaks an oar pays half of its price to…</p></article></main>",
            ),
            (
                "category/gear/index.html",
                "<main><h1>Gear</h1><ul><li>1 May 2026 <a href=/oars.html>Oars</a></ul></main>",
            ),
            (
                "archives.html",
                "<main><h1>Archives</h1><dl><dt>1 May 2026<dd><a href=boats.html>Boats</a>\
              <dt>2 May 2026<dd><a href=oars.html>Oars</a></dl></main>",
            ),
            (
                "genindex.html",
                "<main><h1>Index</h1><a href='#O'>O</a><h2 id=O>O</h2><table><tr><td><ul><li>\
              <a href='oars.html#x'>Oar</a></ul></table></main>",
            ),
        ],
        &[
            "Listing archives.html",
            "Listing category/gear/index.html",
            "Listing genindex.html",
            "Listing index.html",
            "Listing numbered.html",
            "Listing plain.html",
            "Listing tag/money.html",
        ],
    ),
    (
        "pages with links that say something themselves",
        &[
            ("boats.html", BOATS),
            ("oars.html", OARS),
            (
                "overview.html",
                "<main><h1>What we lend</h1><article><h2><a href=boats.html>Boats</a></h2>\
              <p>We have four of them, and the newest is from last year.</p></article>\
              <article><h2><a href=oars.html>Oars</a></h2><p>There are nine, of carbon and of wood, and two for children.</p></article></main>",
            ),
            (
                "links.html",
                "<main><h1>All about rowing</h1><ul><li><a href=boats.html>Boats</a><li><a href=oars.html>Oars</a></ul></main>",
            ),
            (
                "article.html",
                "<main><article><h2><a href=article.html>The race</a></h2><p>The race begins at nine on the \
              first Sunday in June, and everybody who can row takes part in it with a boat of the club, which is \
              drawn by lot on the evening before.</p></article><h3><a href=boats.html>Boats</a></h3>\
              <p>A single scull is booked for two hours at …</p><h3><a href=oars.html>Oars</a></h3>\
              <p>Whoever breaks an oar pays half of …</p></main>",
            ),
        ],
        &[],
    ),
    (
        "posts of a year, and files for robots",
        &[
            ("boats.html", BOATS),
            ("index.html", "<h1>Club</h1><p>Row with us."),
            (
                "2026/index.html",
                "<main><h1>Posts of 2026</h1><ul><li>1 May <a href=../boats.html>Boats</a></ul></main>",
            ),
            (
                "2025/index.html",
                "<main><h1>2025</h1><p>In that year the club had <a href=../boats.html>nine boats</a> and a shed.</p></main>",
            ),
            ("robots.txt", "User-agent: *\nDisallow: /admin\n"),
            ("rules/robots.txt", "Robots may not row."),
        ],
        &["Listing 2026/index.html", "Robots robots.txt"],
    ),
    (
        "pages at old addresses",
        &[
            ("boats.html", BOATS),
            (
                "old.html",
                "<title>https://club.example/boats/</title><meta http-equiv=refresh content='0; url=boats.html'>",
            ),
            (
                "moved.html",
                "<title>Redirecting…</title><meta http-equiv=Refresh content='0;URL=boats.html'><p>Go to <a href=boats.html>Boats</a>.",
            ),
            (
                "script.html",
                "<title>On</title><noscript><meta http-equiv=refresh content='1; url=boats.html'></noscript>\
                 <script>window.location.replace('boats.html')</script><p>Leads to <a href=boats.html>Boats</a>...",
            ),
            (
                "oars.html",
                "<meta http-equiv=refresh content='0;url=https://elsewhere.example/'><p>Whoever breaks an oar pays half of its price.",
            ),
            ("clock.html", "<meta http-equiv=refresh content=60><h1>Clock</h1><p>It is noon."),
        ],
        &["Redirect moved.html", "Redirect old.html", "Redirect script.html"],
    ),
    ("no website", &[("print.md", "# Print\n\nx"), ("all.md", "# Print\n\nx")], &[]),
];

#[test]
fn what_is_laid_beside_pages_is_left_out() {
    for (shows, files, expected) in CASES {
        assert_eq!(left_out(files), *expected, "{shows}");
    }
}

#[test]
fn one_line_tells_what_was_left_out() {
    let left_out = [
        ("tag/b.html", Beside::Listing),
        ("_sources/a.rst.txt", Beside::Source),
        ("tag/a.html", Beside::Listing),
    ];
    let told = finding(&left_out.map(|(path, kind)| (path.to_owned(), kind))).unwrap();
    assert_eq!(
        told.to_string(),
        "left out 3 files that only repeat what the pages say, or serve them: 1 source of a page \
         that is there (`_sources/a.rst.txt`), 2 lists of pages that are there (`tag/a.html`, \
         `tag/b.html`). What should be read all the same is named in `include` of `[documents]`"
    );
    assert!(finding(&[]).is_none());
}

/// Cases: what each shows, the pages in the order of their paths, their titles.
type Titles = (&'static str, &'static [(&'static str, &'static str)], &'static [&'static str]);

const TITLES: &[Titles] = &[
    (
        "the name behind",
        &[
            ("a.html", "<title>Boats » Rowing club</title><p>x"),
            ("b.html", "<title>Oars » Rowing club</title><p>x"),
            ("c.html", "<title>Rooms » Rowing club</title><h2>Keys</h2><p>x"),
            ("index.html", "<title>Rowing club</title><h2>Welcome to the shed</h2><p>x"),
        ],
        &["Boats", "Oars", "Rooms", "Welcome to the shed"],
    ),
    (
        "the name in front, in two languages",
        &[
            ("a.html", "<title>Ruderclub | Rowing club | Boats - Prices</title><p>x"),
            ("b.html", "<title>Ruderclub | Rowing club | Oars</title><p>x"),
            ("c.html", "<title>Ruderclub | Rowing club | Rooms</title><p>x"),
        ],
        &["Boats - Prices", "Oars", "Rooms"],
    ),
    (
        "the name with a colon, and a page of another site",
        &[
            ("a.html", "<title>Club: Boats</title><p>x"),
            ("b.html", "<title>Club: Oars</title><p>x"),
            ("c.html", "<title>Club: Rooms</title><p>x"),
            ("d.html", "<title>Lakes: a guide</title><p>x"),
        ],
        &["Boats", "Oars", "Rooms", "Lakes: a guide"],
    ),
    (
        "two pages share a part by chance",
        &[
            ("a.html", "<title>Prices - Boats</title><p>x"),
            ("b.html", "<title>Prices - Oars</title><p>x"),
        ],
        &["Prices - Boats", "Prices - Oars"],
    ),
    (
        "a site that names itself",
        &[("a.html", "<title>Club · Prices</title><meta property=og:site_name content=Club><p>x")],
        &["Prices"],
    ),
    (
        "the site's name as the heading of each page",
        &[
            ("a.html", "<title>Club | Boats</title><h1>Rowing club</h1><p>x"),
            ("b.html", "<title>Club | Oars</title><h1>Rowing club</h1><p>x"),
            ("c.html", "<title>Club | Rooms</title><h1>Rowing club</h1><p>x"),
        ],
        &["Boats", "Oars", "Rooms"],
    ),
    (
        "one heading on pages that their titles tell apart",
        &[
            ("a.html", "<title>Rules for children</title><h1>Rules</h1><p>x"),
            ("b.html", "<title>Rules for guests</title><h1>Rules</h1><p>x"),
        ],
        &["Rules for children", "Rules for guests"],
    ),
    (
        "a heading that links to its own page",
        &[
            ("a/boats/index.html", "<title>Boats | Club</title><h1><a href=.>Boats</a></h1><p>x"),
            ("a/oars/index.html", "<title>Oars | Club</title><h1><a href=../../>Club</a></h1><p>x"),
        ],
        &["Boats", "Oars"],
    ),
    (
        "a title in the front matter",
        &[("a.html", "---\ntitle: Club | Boats\n---\n<h1>Boats of the club</h1><p>x")],
        &["Club | Boats"],
    ),
    (
        "years at the ends of titles",
        &[
            ("a.html", "<title>Boats 2025 / 26</title><p>x"),
            ("b.html", "<title>Oars 2025 / 26</title><p>x"),
            ("c.html", "<title>Rooms 2025 / 26</title><p>x"),
        ],
        &["Boats 2025 / 26", "Oars 2025 / 26", "Rooms 2025 / 26"],
    ),
];

#[test]
fn the_sites_name_is_no_title() {
    for (shows, files, expected) in TITLES {
        assert_eq!(titles(files), *expected, "{shows}");
    }
}
