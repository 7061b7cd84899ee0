//! Two more places name the columns: the guide, and the table that PostgreSQL is given.

use campanile_export::{COLUMNS_VERSION, passages, questions};

const GUIDE: &str = include_str!("../../../docs/guide/export.md");
const POSTGRES: &str = include_str!("../../../deploy/export/postgres.sql");
const SCRIPTS: [&str; 2] = [
    include_str!("../../../deploy/export/tables.py"),
    include_str!("../../../deploy/export/to_postgres.mjs"),
];

#[test]
fn the_guide_tells_of_each_column() {
    for field in passages::schema(384).fields() {
        let name = format!("`{}`", field.name());
        let row = GUIDE.lines().find(|line| {
            line.starts_with('|')
                && line.split('|').nth(1).is_some_and(|names| names.contains(&name))
        });
        assert!(row.is_some(), "{name}");
    }
}

#[test]
fn postgres_has_the_same_columns_and_lets_the_same_be_null() {
    let (_, table) = POSTGRES.split_once("CREATE TABLE passages (").unwrap_or_default();
    for field in passages::schema(384).fields() {
        let is_it = |line: &&str| {
            line.trim().split(' ').next().map(|name| name.trim_matches('"')) == Some(field.name())
        };
        let line = table.lines().find(is_it).unwrap_or_default();
        assert_eq!(
            line.contains("NOT NULL") || line.contains("PRIMARY KEY"),
            !field.is_nullable(),
            "{}: {line:?}",
            field.name()
        );
    }
}

#[test]
fn the_scripts_know_this_version_and_what_questions_are_compared_by() {
    for script in SCRIPTS {
        let stated = script.lines().find(|line| line.contains("COLUMNS = ")).unwrap_or_default();
        assert!(stated.contains(&COLUMNS_VERSION.to_string()), "{stated:?}");
        let stated = script.lines().find(|line| line.contains("COMPARED = ")).unwrap_or_default();
        assert!(stated.contains(&questions::FOUND.to_string()), "{stated:?}");
    }
}
