//! The JSON Schema of all settings, the ranges of numbers, and the listing in the guide.

use std::fmt;

use campanile_bundle::SearchOverrides;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};
use serde_yaml_ng::{Error, Value as Setting};

use super::Config;

/// The JSON Schema (draft 2020-12) of `campanile.toml`, for completion in editors.
///
/// ```
/// let schema = campanile_build::config::schema::json_schema();
/// let pool = &schema["properties"]["search"]["properties"]["pool"];
/// assert_eq!((&pool["default"], &pool["maximum"]), (&50.into(), &500.into()));
/// ```
pub fn json_schema() -> Value {
    let mut schema = schema_of::<Config>();
    schema["title"] = json!("Settings of a Campanile site (campanile.toml)");
    schema
}

/// The schema of a table, with the tables in it in their places.
fn schema_of<T: JsonSchema>() -> Value {
    let settings =
        SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    tidy(&mut schema);
    schema
}

/// Takes out a table's default as a whole, which its keys have, and Rust's names of number types; a default
/// that is an `f32` gets the digits that it was written with.
fn tidy(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            object.remove("format");
            if object.contains_key("properties") {
                object.remove("default");
            }
            object.values_mut().for_each(tidy);
        }
        Value::Array(all) => all.iter_mut().for_each(tidy),
        Value::Number(number) if number.is_f64() => {
            let short = number.as_f64().and_then(|value| shortest(value).parse().ok());
            if let Some(short) = short {
                *schema = if f64::fract(short) == 0.0 { json!(short as i64) } else { json!(short) };
            }
        }
        _ => {}
    }
}

/// A number with no more digits than tell it from others of its type.
fn shortest(value: f64) -> String {
    let single = value as f32;
    if f64::from(single) == value { single.to_string() } else { value.to_string() }
}

/// The values that a number may have.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Range {
    least: Option<f64>,
    most: Option<f64>,
    /// The value has to be greater than this.
    above: Option<f64>,
    /// The value has to be a whole multiple of this.
    step: Option<f64>,
}

impl Range {
    /// No less than `least` and no more than `most`.
    pub fn between(least: f64, most: f64) -> Self {
        Self { least: Some(least), most: Some(most), ..Self::default() }
    }

    fn of(schema: &Value) -> Self {
        let number = |key: &str| schema.get(key).and_then(Value::as_f64);
        Self {
            least: number("minimum"),
            most: number("maximum"),
            above: number("exclusiveMinimum"),
            step: number("multipleOf"),
        }
    }

    /// Returns `true` if a value may be; one that is no number may not.
    pub fn holds(self, value: f64) -> bool {
        !value.is_nan()
            && self.least.is_none_or(|least| value >= least)
            && self.most.is_none_or(|most| value <= most)
            && self.above.is_none_or(|above| value > above)
            && self.step.is_none_or(|step| (value / step).fract() == 0.0)
    }
}

impl fmt::Display for Range {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.least, self.above, self.most) {
            (Some(least), _, Some(most)) => {
                write!(formatter, "it must lie between {least} and {most}")?;
            }
            (Some(0.0), _, None) => formatter.write_str("it must not be negative")?,
            (Some(least), _, None) => write!(formatter, "it must be at least {least}")?,
            (None, Some(above), Some(most)) => {
                write!(formatter, "it must be greater than {above}, and no more than {most}")?;
            }
            (None, Some(above), None) => write!(formatter, "it must be greater than {above}")?,
            (None, None, Some(most)) => write!(formatter, "it must be no more than {most}")?,
            (None, None, None) => formatter.write_str("it must be a number")?,
        }
        match self.step {
            Some(step) => write!(formatter, ", in steps of {step}"),
            None => Ok(()),
        }
    }
}

/// The first number that its range does not hold: table and key, what it is, and what it may be.
///
/// # Errors
/// Where the settings cannot be written out, and so not be looked through.
pub fn out_of_range(config: &Config) -> Result<Option<(String, f64, Range)>, Error> {
    Ok(first_wrong("", &json_schema(), &values(config)?))
}

fn first_wrong(place: &str, schema: &Value, value: &Setting) -> Option<(String, f64, Range)> {
    if let Setting::Mapping(keys) = value {
        return keys.iter().find_map(|(key, value)| {
            let key = key.as_str()?;
            let place = if place.is_empty() { key.to_owned() } else { format!("{place}.{key}") };
            first_wrong(&place, schema.get("properties")?.get(key)?, value)
        });
    }
    let (value, range) = (value.as_f64()?, Range::of(schema));
    // As it was written: 0.3 as an `f32` has more digits.
    let written = || shortest(value).parse().unwrap_or(value);
    (!range.holds(value)).then(|| (place.to_owned(), written(), range))
}

/// The settings as they are written, in their order. YAML's data model, unlike JSON's, has numbers that are
/// none, and keeps the order of keys.
fn values(config: &Config) -> Result<Setting, Error> {
    serde_yaml_ng::to_value(config)
}

/// The column in which a key's description begins, and the last one of a line.
const DESCRIPTION: usize = 32;
const WIDTH: usize = 120;
/// A space at which no line is broken: written as a usual one.
const UNBROKEN: &str = "\u{a0}";

/// Tables whose own tables are left out of the listing: the weights of `[answers]` are not written by
/// hand, `campanile eval --calibrate` prints them.
const WITHOUT_TABLES: &[&str] = &["answers"];

/// Every setting with its default and its description, as TOML: a `campanile.toml` to begin with. A setting
/// without a default is commented out, with an example.
///
/// # Errors
/// Where the defaults cannot be written out.
pub fn listing() -> Result<String, Error> {
    let (schema, defaults) = (json_schema(), values(&Config::default())?);
    let mut text = String::new();
    if let Setting::Mapping(tables) = &defaults {
        for (name, table) in tables {
            let name = name.as_str().unwrap_or_default();
            list_table(&mut text, name, &schema["properties"][name], table);
        }
    }
    Ok(text)
}

fn list_table(text: &mut String, name: &str, schema: &Value, table: &Setting) {
    let Setting::Mapping(keys) = table else { return };
    if !text.is_empty() {
        text.push('\n');
    }
    describe(text, &format!("[{name}]"), schema);
    for (key, value) in keys.iter().filter(|(_, value)| !value.is_mapping()) {
        let key = key.as_str().unwrap_or_default();
        let schema = &schema["properties"][key];
        let line = match value {
            Setting::Null => format!("# {key} = {}", schema["examples"][0]),
            _ => format!("{key} = {}", as_toml(value)),
        };
        describe(text, &line, schema);
    }
    for (key, value) in keys.iter().filter(|(_, value)| value.is_mapping()) {
        let key = key.as_str().unwrap_or_default();
        if !WITHOUT_TABLES.contains(&name) {
            list_table(text, &format!("{name}.{key}"), &schema["properties"][key], value);
        }
    }
}

fn as_toml(value: &Setting) -> String {
    match value {
        Setting::Bool(value) => value.to_string(),
        Setting::Number(number) if number.is_f64() => {
            let digits = shortest(number.as_f64().unwrap_or(f64::NAN));
            if digits.contains('.') { digits } else { format!("{digits}.0") }
        }
        Setting::Number(number) => number.to_string(),
        Setting::Sequence(all) => {
            format!("[{}]", all.iter().map(as_toml).collect::<Vec<_>>().join(", "))
        }
        // A basic string of TOML escapes what one of JSON does.
        other => json!(other.as_str().unwrap_or_default()).to_string(),
    }
}

/// A line with its description beside it, which goes on in the same column.
fn describe(text: &mut String, line: &str, schema: &Value) {
    let description = schema["description"].as_str().unwrap_or_default();
    let first_paragraph = description.split("\n\n").next().unwrap_or_default();
    let mut rest = unlinked(first_paragraph);
    rest.push_str(&bounds(schema));
    let mut words = rest.split_ascii_whitespace().peekable();
    let mut column = format!("{line:<width$}", width = DESCRIPTION - 1);
    loop {
        let mut comment = " #".to_owned();
        let begin = column.chars().count();
        while let Some(word) = words.peek() {
            if begin + comment.chars().count() + 1 + word.chars().count() > WIDTH {
                break;
            }
            comment.push(' ');
            comment.push_str(word);
            words.next();
        }
        let line = format!("{column}{comment}").replace(UNBROKEN, " ");
        text.push_str(line.trim_end_matches([' ', '#']).trim_end());
        text.push('\n');
        if words.peek().is_none() {
            return;
        }
        column = " ".repeat(DESCRIPTION - 1);
    }
}

/// The range of a number, as it stands after its description.
fn bounds(schema: &Value) -> String {
    let Range { least, most, above, step } = Range::of(schema);
    let bounds = match (least, most, above) {
        (Some(least), Some(most), _) => format!("{least} to {most}"),
        (Some(least), None, _) if least != 0.0 => format!("{least} or more"),
        (None, Some(most), Some(above)) => format!("more than {above}, up to {most}"),
        _ => return String::new(),
    };
    let step = step.map(|step| format!(", in steps of {step}")).unwrap_or_default();
    // Kept together when a line is wrapped.
    format!(" ({bounds}{step})").replace(' ', UNBROKEN).replacen(UNBROKEN, " ", 1)
}

/// Links of rustdoc as the names that they show.
fn unlinked(text: &str) -> String {
    text.replace("[`", "`").replace("`]", "`")
}

/// The settings that experiments and single questions may change, as rows of a table of Markdown: name and
/// description.
pub fn override_rows() -> String {
    let schema = schema_of::<SearchOverrides>();
    let row = |(name, schema): (&String, &Value)| {
        let description = schema["description"].as_str().unwrap_or_default().replace('\n', " ");
        format!("| `{name}` | {} |\n", unlinked(&description))
    };
    schema["properties"].as_object().into_iter().flatten().map(row).collect()
}
