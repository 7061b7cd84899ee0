//! Who asks, as files and the command line tell it.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, anyhow, bail};
use campanile_build::metadata::today;
use campanile_bundle::AudienceTable;
use campanile_corpus::metadata::{Profile, Unit, nearest_name, same_name};
use campanile_ingest::json_of_toml;
use campanile_terminal::tell;
use serde_json::Value;

use crate::cli::AskerArguments;

const WAY_OUT: &str = "way out: docs/guide/profiles.md shows profiles";

/// The profile that was told: a file, and flags that override it. The day is today's in UTC where
/// none is told.
///
/// # Errors
/// Where the file cannot be read, or a value in it or on the command line cannot be understood.
pub fn told(arguments: &AskerArguments) -> anyhow::Result<Profile> {
    let mut profile = match &arguments.profile {
        Some(path) => read(path)?,
        None => Profile::default(),
    };
    let flags = [
        ("programme", &arguments.programme),
        ("department", &arguments.department),
        ("faculty", &arguments.faculty),
        ("batch", &arguments.batch),
        ("specialisation", &arguments.specialisation),
        ("year", &arguments.year),
        ("semester", &arguments.semester),
    ];
    for (name, value) in flags {
        if let Some(value) = value {
            profile
                .set(name, &Value::from(value.as_str()))
                .map_err(|problem| anyhow!("`--{name}` cannot be used: {problem}\n  {WAY_OUT}"))?;
        }
    }
    if !arguments.course.is_empty() {
        profile.courses.clone_from(&arguments.course);
    }
    profile.date = arguments.today.or(profile.date).or_else(today);
    Ok(profile)
}

/// Holds what was told against the names that a site knows: those in its settings, and those that its documents tell
/// their visitors apart by. What is like none of them is told, and may be right all the same.
///
/// # Errors
/// Where the settings list the names, and a value is none of them but nearly one: every document for that one would be
/// left out.
pub fn check(profile: &Profile, table: &AudienceTable) -> anyhow::Result<()> {
    let (organisation, choices) = (table.organisation(), table.choices());
    let told = [
        ("programme", Unit::Programme, &profile.programme, choices.programmes),
        ("department", Unit::Department, &profile.department, choices.departments),
        ("faculty", Unit::Faculty, &profile.faculty, choices.faculties),
    ];
    for (name, unit, value, choices) in told {
        let Some(value) = value else { continue };
        let is_known = organisation.proper(unit, value).is_some()
            || choices.iter().any(|choice| same_name(choice, value));
        let mut known: Vec<&str> = organisation.names(unit).collect();
        for choice in &choices {
            if !known.contains(&choice.as_str()) {
                known.push(choice);
            }
        }
        if is_known || known.is_empty() {
            continue;
        }
        if let Some(near) = organisation.nearest(unit, value) {
            bail!(
                "this site knows no {name} \"{value}\". Did you mean \"{near}\"?\n  \
                 way out: it knows {}",
                known.join(", ")
            );
        }
        let near = nearest_name(value, known.iter().copied());
        let meant = near.map(|near| format!(" Did you mean \"{near}\"?")).unwrap_or_default();
        tell!(
            "warning: this site knows no {name} \"{value}\".{meant}\n  way out: it knows {}",
            known.join(", ")
        );
    }
    Ok(())
}

/// A profile in TOML or JSON.
fn read(path: &Path) -> anyhow::Result<Profile> {
    let shown = path.display();
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read the profile `{shown}`\n  {WAY_OUT}"))?;
    let fields: BTreeMap<String, Value> = if path.extension().is_some_and(|it| it == "json") {
        serde_json::from_str(&text).with_context(|| format!("`{shown}` is no JSON object"))?
    } else {
        let table: toml::Table =
            toml::from_str(&text).with_context(|| format!("`{shown}` is no TOML"))?;
        table.into_iter().map(|(name, value)| (name, json_of_toml(value))).collect()
    };
    Profile::read(&fields)
        .map_err(|problem| anyhow!("in the profile `{shown}`: {problem}\n  {WAY_OUT}"))
}
