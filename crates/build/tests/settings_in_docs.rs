//! The pages that list settings say what the code says.
//!
//! `CAMPANILE_WRITE_DOCS=1 cargo test --package campanile-build --test settings_in_docs` writes them anew.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

use std::fs;
use std::path::{Path, PathBuf};

use campanile_build::config::{Config, load, schema};

fn docs(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(path)
}

/// Holds a page against what it should be, or writes it.
fn held(path: &str, expected: &str) {
    let path = docs(path);
    if std::env::var_os("CAMPANILE_WRITE_DOCS").is_some() {
        fs::write(&path, expected).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == expected,
        "{} is not as the settings are defined\n  way out: CAMPANILE_WRITE_DOCS=1 cargo test \
         --package campanile-build --test settings_in_docs",
        path.display()
    );
}

/// A page whose part between `<!-- NAME: … -->` and `<!-- /NAME -->` is `part`.
fn with_part(page: &str, name: &str, part: &str) -> String {
    let text = fs::read_to_string(docs(page)).unwrap();
    let begin = text.find(&format!("<!-- {name}: ")).unwrap_or_else(|| panic!("{page}: no {name}"));
    let begin = begin + text[begin..].find("-->\n").unwrap() + 4;
    let end = begin + text[begin..].find(&format!("<!-- /{name} -->")).unwrap();
    format!("{}{part}{}", &text[..begin], &text[end..])
}

#[test]
fn the_guide_lists_every_setting() {
    let listing = format!("\n```toml\n{}```\n\n", schema::listing().unwrap());
    held("guide/configuration.md", &with_part("guide/configuration.md", "settings", &listing));
}

#[test]
fn the_guide_to_experiments_lists_what_a_question_may_change() {
    let table = format!("\n| setting | what it says |\n|---|---|\n{}\n", schema::override_rows());
    held("guide/evaluation.md", &with_part("guide/evaluation.md", "overrides", &table));
}

#[test]
fn the_schema_is_published() {
    let schema = serde_json::to_string_pretty(&schema::json_schema()).unwrap();
    held("reference/settings.schema.json", &format!("{schema}\n"));
}

#[test]
fn the_listing_is_the_default_and_its_examples_are_settings() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("campanile.toml");
    let listing = schema::listing().unwrap();
    fs::write(&file, &listing).unwrap();
    assert_eq!(load(folder.path(), None).unwrap(), Config::default());

    // With the examples of what has no default; the files that some of them name are not there.
    let uncommented: String = listing
        .lines()
        .map(|line| line.strip_prefix("# ").filter(|rest| rest.contains(" = ")).unwrap_or(line))
        .filter(|line| !line.contains(".txt\"") && !line.contains(".jsonl\""))
        .flat_map(|line| [line, "\n"])
        .collect();
    fs::write(&file, uncommented).unwrap();
    let config = load(folder.path(), None).unwrap();
    assert_eq!(config.search.least_sources, Some(5));
    assert_eq!(config.prose.model.as_deref(), Some("smollm2-135m-instruct"));
}

#[test]
fn an_editor_is_told_of_mistakes_by_the_schema() {
    let schema = schema::json_schema();
    let (mut schemas, mut compiler) = (boon::Schemas::new(), boon::Compiler::new());
    compiler.add_resource("settings.json", schema).unwrap();
    let index = compiler.compile("settings.json", &mut schemas).unwrap();
    let cases = [
        ("[search]\npool = 20\ndense = 'graph'", true),
        ("[[rules]]\nmatch = 'a/'\ndepartment = 'Physics'", true),
        ("[metadata]\nlanguage = 'en'", true),
        ("[search]\npool = 0", false),
        ("[search]\npoll = 20", false),
        ("[search]\ndense = 'grahp'", false),
        ("[search]\ntitle_weight = 0.3", false),
        ("[answers]\nsure_from = 1.5", false),
        ("[chunks]\nparts = ['sentences']", false),
    ];
    for (text, expected) in cases {
        let value: toml::Table = toml::from_str(text).unwrap();
        let value = serde_json::to_value(value).unwrap();
        assert_eq!(schemas.validate(&value, index).is_ok(), expected, "{text}");
    }
}
