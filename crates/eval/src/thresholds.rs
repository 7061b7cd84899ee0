//! Numbers that an experiment has to reach.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::experiment::Experiment;

/// The table whose limits hold for every run.
const ALL: &str = "all";
/// The most names that a message suggests.
const SUGGESTIONS: usize = 3;
/// The least similarity of a suggested name: Jaro–Winkler, 0 to 1.
const ALIKE: f64 = 0.6;

/// The thresholds that a file asks for.
///
/// ```
/// use campanile_eval::Thresholds;
///
/// let thresholds = Thresholds::read(r#"
///     [all]                       # every configuration on every set
///     median_ms = { max = 200 }
///
///     [handbook]                  # every configuration on this set
///     "recall@5" = { min = 0.5 }
///
///     [handbook.hybrid]
///     "recall@5" = { min = 0.7, max = 0.99 }
/// "#)?;
/// assert_eq!(thresholds.rules.len(), 3);
/// # Ok::<(), campanile_eval::ThresholdError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Thresholds {
    /// In the order of the file.
    pub rules: Vec<Rule>,
}

/// A limit on one metric, for the runs that it concerns.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// The set; `None` for all.
    pub set: Option<String>,
    /// The configuration; `None` for all.
    pub configuration: Option<String>,
    /// A name of [`Run::measures`](crate::Run::measures).
    pub metric: String,
    /// Between what it has to be.
    pub limit: Limit,
}

/// Between what a number has to be, both ends included; at least one is given.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limit {
    /// At least this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// At most this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
}

/// One rule held against one run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Check {
    /// The set.
    pub set: String,
    /// The configuration.
    pub configuration: String,
    /// The metric.
    pub metric: String,
    /// The limit that was asked for.
    pub wanted: Limit,
    /// The value that came out.
    pub measured: f64,
    /// `true` if it is within the limit.
    pub passed: bool,
}

/// Why thresholds cannot be read or checked.
#[derive(Debug, Error)]
pub enum ThresholdError {
    /// The file is not TOML.
    #[error("the thresholds are not valid TOML: {0}")]
    Toml(#[from] toml::de::Error),
    /// A value is neither a limit nor a table of limits.
    #[error("the thresholds: `{place}` should be a limit such as `{{ min = 0.7 }}`{hint}")]
    Limit {
        /// The keys that lead to it.
        place: String,
        /// The problem with it, or nothing.
        hint: String,
    },
    /// The file asks for nothing.
    #[error(
        "the thresholds ask for nothing: write a table such as `[all]` with `\"recall@5\" = {{ min = 0.7 }}`"
    )]
    Empty,
    /// The experiment has no such set, configuration or metric.
    #[error("the thresholds name the {what} `{name}`, which {place} does not have{}", nearest(.near))]
    Unknown {
        /// `set`, `configuration` or `metric`.
        what: &'static str,
        /// The name in the file.
        name: String,
        /// The place where it was looked for.
        place: String,
        /// The names that are there and most like it, the most alike first.
        near: Vec<String>,
    },
}

impl Thresholds {
    /// Reads a file's text.
    ///
    /// # Errors
    /// A text that is no TOML, a value that is no limit, a limit without an end or with its ends crossed, a file
    /// without limits.
    pub fn read(text: &str) -> Result<Self, ThresholdError> {
        let file: toml::Table = toml::from_str(text)?;
        let mut rules = Vec::new();
        for (set, table) in &file {
            let table = table.as_table().ok_or_else(|| wrong(set, String::new()))?;
            let set_name = (set != ALL).then(|| set.clone());
            for (key, value) in table {
                let place = format!("{set}.{key}");
                if is_limit(value) {
                    let limit = limit(value, &place)?;
                    let (set, metric) = (set_name.clone(), key.clone());
                    rules.push(Rule { set, configuration: None, metric, limit });
                    continue;
                }
                let inner = value.as_table().filter(|_| set_name.is_some());
                for (metric, value) in inner.ok_or_else(|| wrong(&place, String::new()))? {
                    let limit = limit(value, &format!("{place}.{metric}"))?;
                    let (set, configuration) = (set_name.clone(), Some(key.clone()));
                    rules.push(Rule { set, configuration, metric: metric.clone(), limit });
                }
            }
        }
        if rules.is_empty() { Err(ThresholdError::Empty) } else { Ok(Self { rules }) }
    }

    /// Holds every rule against the runs it concerns, in the order of the file and of the experiment.
    ///
    /// A rule for several runs passes over those that do not measure its metric (a run without answers
    /// has no scores of answers), as long as one does.
    ///
    /// # Errors
    /// A set, configuration or metric that the experiment does not have, with the nearest names.
    pub fn check(&self, experiment: &Experiment) -> Result<Vec<Check>, ThresholdError> {
        let measures: Vec<BTreeMap<String, f64>> =
            experiment.runs.iter().map(crate::Run::measures).collect();
        let mut checks = Vec::new();
        for rule in &self.rules {
            let before = checks.len();
            let mut known = BTreeSet::new();
            for (run, measures) in experiment.runs.iter().zip(&measures) {
                if !rule.concerns(&run.set, &run.configuration.name) {
                    continue;
                }
                known.extend(measures.keys().map(String::as_str));
                checks.extend(measures.get(&rule.metric).map(|&measured| Check {
                    set: run.set.clone(),
                    configuration: run.configuration.name.clone(),
                    metric: rule.metric.clone(),
                    wanted: rule.limit,
                    measured,
                    passed: rule.limit.holds(measured),
                }));
            }
            // A rule that meets no run is a slip in the file, and would pass unseen.
            if checks.len() == before {
                return Err(rule.unknown(experiment, &known));
            }
        }
        Ok(checks)
    }
}

impl Rule {
    fn concerns(&self, set: &str, configuration: &str) -> bool {
        self.set.as_deref().is_none_or(|wanted| wanted == set)
            && self.configuration.as_deref().is_none_or(|wanted| wanted == configuration)
    }

    /// Why the rule concerns nothing: the widest name that is unknown.
    fn unknown(&self, experiment: &Experiment, metrics: &BTreeSet<&str>) -> ThresholdError {
        let runs = || experiment.runs.iter();
        let of_set = |run: &&crate::Run| self.set.as_ref().is_none_or(|set| *set == run.set);
        let sets: BTreeSet<&str> = runs().map(|run| run.set.as_str()).collect();
        let configurations: BTreeSet<&str> =
            runs().filter(of_set).map(|run| run.configuration.name.as_str()).collect();
        let on_set = match &self.set {
            Some(set) => format!("the set `{set}`"),
            None => "the experiment".to_owned(),
        };
        let missing = |what, name: &str, place: &str, known: &BTreeSet<&str>| {
            let (name, place) = (name.to_owned(), place.to_owned());
            let near = near(&name, known);
            ThresholdError::Unknown { what, name, place, near }
        };
        if let Some(set) = self.set.as_deref().filter(|set| !sets.contains(set)) {
            return missing("set", set, "the experiment", &sets);
        }
        let configuration = self.configuration.as_deref();
        if let Some(name) = configuration.filter(|name| !configurations.contains(name)) {
            return missing("configuration", name, &on_set, &configurations);
        }
        let place = match configuration {
            Some(name) => format!("`{name}` on {on_set}"),
            None => on_set,
        };
        missing("metric", &self.metric, &place, metrics)
    }
}

impl Limit {
    /// Returns `true` if a number lies within; one that is not a number does not.
    pub fn holds(&self, measured: f64) -> bool {
        !measured.is_nan()
            && self.min.is_none_or(|min| measured >= min)
            && self.max.is_none_or(|max| measured <= max)
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.min, self.max) {
            (Some(min), Some(max)) => write!(formatter, "between {min} and {max}"),
            (Some(min), None) => write!(formatter, "at least {min}"),
            (None, Some(max)) => write!(formatter, "at most {max}"),
            (None, None) => write!(formatter, "anything"),
        }
    }
}

impl fmt::Display for Check {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { set, configuration, metric, wanted, measured, passed } = self;
        let verdict = if *passed { "ok" } else { "missed" };
        write!(
            formatter,
            "{verdict}: {configuration} on {set}: {metric} is {measured:.4}, wanted {wanted}"
        )
    }
}

/// Returns `true` if a value is meant as a limit and not as a table of them.
fn is_limit(value: &toml::Value) -> bool {
    value.as_table().is_some_and(|table| {
        table.values().all(|end| !end.is_table())
            && (table.is_empty() || table.keys().any(|key| key == "min" || key == "max"))
    })
}

fn limit(value: &toml::Value, place: &str) -> Result<Limit, ThresholdError> {
    let limit: Limit = value
        .clone()
        .try_into()
        .map_err(|error: toml::de::Error| wrong(place, format!(": {}", error.message())))?;
    match (limit.min, limit.max) {
        (None, None) => Err(wrong(place, ": it has neither `min` nor `max`".to_owned())),
        (Some(min), Some(max)) if min > max => {
            Err(wrong(place, format!(": `min` ({min}) is above `max` ({max})")))
        }
        _ => Ok(limit),
    }
}

fn wrong(place: &str, hint: String) -> ThresholdError {
    ThresholdError::Limit { place: place.to_owned(), hint }
}

/// The known names that are most like a wrong one, the most alike first.
fn near(name: &str, known: &BTreeSet<&str>) -> Vec<String> {
    let mut near: Vec<(f64, &str)> = known
        .iter()
        .map(|known| (strsim::jaro_winkler(&name.to_lowercase(), &known.to_lowercase()), *known))
        .filter(|(alike, _)| *alike >= ALIKE)
        .collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    near.into_iter().take(SUGGESTIONS).map(|(_, known)| known.to_owned()).collect()
}

fn nearest(near: &[String]) -> String {
    if near.is_empty() {
        return String::new();
    }
    let names: Vec<String> = near.iter().map(|name| format!("`{name}`")).collect();
    format!("; the nearest: {}", names.join(", "))
}

#[cfg(test)]
mod tests;
