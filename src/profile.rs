//! Who asks, as files and the command line tell it.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, anyhow};
use campanile_corpus::metadata::{Date, Profile};
use campanile_ingest::json_of_toml;
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

/// The day in UTC.
pub fn today() -> Option<Date> {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).ok()?.as_secs();
    Date::from_unix_days(i64::try_from(seconds / 86_400).ok()?)
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
