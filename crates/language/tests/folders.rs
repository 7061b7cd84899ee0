//! A language comes in by a folder alone, and a mistake in a folder names its place.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../generate.rs"]
mod generate;

use std::fs;
use std::path::Path;

use tempfile::TempDir;

/// The folders of this crate, copied, with more files: paths in `languages/` and their texts.
fn with(files: &[(&str, &str)]) -> Result<String, String> {
    let copy = TempDir::new().unwrap();
    for language in fs::read_dir("languages").unwrap() {
        let language = language.unwrap().path();
        let folder = copy.path().join(language.file_name().unwrap());
        fs::create_dir(&folder).unwrap();
        for file in fs::read_dir(&language).unwrap() {
            let file = file.unwrap().path();
            fs::copy(&file, folder.join(file.file_name().unwrap())).unwrap();
        }
    }
    for (path, text) in files {
        let path = copy.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let root = format!("{}/", copy.path().display());
    generate::tables(copy.path()).map_err(|mistake| mistake.replace(&root, ""))
}

const MONTHS: &str =
    "[months]\nyan\nfév\nmár\napri\nmayo\nyuni\nyuli\nago\nsebti\nochto\nnofa\ndisi\n";

#[test]
fn a_language_comes_in_by_its_folder() {
    let toml = "name = \"Esperance\"\norder = 40\nstemmer = \"French\"\nthousands = \".\"\n\
                slash_dates = \"day first\"\nnumber_words = \"joined\"\n";
    let tables = with(&[
        ("xx/language.toml", toml),
        ("xx/calendar.txt", MONTHS),
        ("xx/stop-words.txt", "[stop-words]\nzü\nda\n"),
        ("xx/answers.txt", "[negations]\nnenio\n"),
    ]);
    let tables = tables.unwrap();
    for expected in [
        "#[serde(rename = \"xx\")]\n    Esperance,",
        "pub const ALL: [Self; 3] = [Self::English, Self::German, Self::Esperance];",
        "Self::Esperance => \"xx\",",
        "Self::Esperance => Some(Algorithm::French),",
        "Self::Esperance => '.',",
        "Language::Esperance => &[\"da\", \"zu\"],",
        "Words::of(\"february februar fev\")",
        "Words::of(\"fév fev\")",
    ] {
        assert!(tables.contains(expected), "{expected}");
    }
    let negations = tables.lines().find(|line| line.contains("const NEGATIONS")).unwrap();
    assert!(negations.contains(" nenio\""), "{negations}");
}

#[test]
fn a_language_may_lack_every_file_but_one() {
    let tables = with(&[("xx/language.toml", "name = \"Esperance\"\norder = 40\n")]).unwrap();
    assert!(tables.contains("Self::Esperance => \"xx\","));
    assert!(!tables.contains("Language::Esperance"));
}

#[test]
fn a_language_of_questions_only_is_no_language_of_documents() {
    let tables = with(&[]).unwrap();
    assert!(tables.contains("(\"French\", Words::of(") && !tables.contains("Self::French"));
}

#[test]
fn a_mistake_names_its_place() {
    let toml = "name = \"Esperance\"\norder = 40\n";
    let cases = [
        ("xx/language.toml", "order = 40\n", "xx/language.toml:1: `name` and `order` are needed"),
        ("xx/language.toml", "name = \"X\"\norder = 1\n", "language.toml: `order` is that of"),
        ("xx/language.toml", "nam = \"X\"\n", "xx/language.toml:1: `nam` is no row of a language"),
        (
            "xx/language.toml",
            "name = \"X\"\n\ncapitals = \"all\"\n",
            "xx/language.toml:3: `capitals` is `names` or `nouns`",
        ),
        ("xx/calender.txt", "", "xx/calender.txt: `en` has no file of this name"),
        ("xx/notes.md", "", "xx/notes.md: neither `language.toml` nor a `.txt`"),
        (
            "xx/calendar.txt",
            "\n[month]\n",
            "xx/calendar.txt:2: `en/calendar.txt` has no section [month]",
        ),
        ("xx/calendar.txt", "[weeks\n", "xx/calendar.txt:1: a heading ends in `]`"),
        ("xx/calendar.txt", "woche\n", "xx/calendar.txt:1: no [heading] above it"),
        (
            "xx/calendar.txt",
            "[weeks] words\n",
            "xx/calendar.txt:1: the shape is told in `en/calendar.txt`",
        ),
        (
            "xx/calendar.txt",
            "[months]\nyan\n",
            "xx/calendar.txt:1: [months] has 1 rows, and needs 12",
        ),
        (
            "xx/calendar.txt",
            "[weeks]\na b\nc a\n",
            "xx/calendar.txt:3: `a` stands in [weeks] twice",
        ),
        ("xx/calendar.txt", "[weeks]\n[weeks]\n", "xx/calendar.txt:2: [weeks] stands here twice"),
        (
            "xx/calendar.txt",
            "[weeks]\n\"a\"\n",
            "xx/calendar.txt:2: entries have no quotation marks",
        ),
        ("xx/calendar.txt", "[weeks]\n@calendar.moons\n", "xx/calendar.txt:2: there is no section"),
        ("en/extra.txt", "[new] words\na\n", "en/extra.txt:1: a comment below the heading"),
        ("en/extra.txt", "[new] list\n# Something.\na\n", "en/extra.txt:1: `list` is no shape"),
    ];
    for (path, text, expected) in cases {
        let mistake = with(&[("xx/language.toml", toml), (path, text)]).unwrap_err();
        assert!(mistake.starts_with(expected) || mistake.contains(expected), "{mistake}");
    }
}

/// The build script's own input is right, wherever the tests run.
#[test]
fn the_folders_of_this_crate_are_whole() {
    generate::tables(Path::new("languages")).unwrap();
}
