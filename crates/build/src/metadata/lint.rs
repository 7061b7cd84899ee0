//! The report of `campanile lint`: for each document whom it is for, and what looks wrong.

use std::collections::{BTreeMap, BTreeSet};

use campanile_corpus::metadata::{
    Applicability, Date, Field, FieldValue, Metadata, Profile, remarks, same_name,
};
use campanile_corpus::{Document, Titled, same_titles, supersession};
use campanile_ingest::{Finding, Severity};
use serde::Serialize;

use super::{Origin, Resolved, Resolver};
use crate::documents::FileOutcome;

/// All that was found.
#[derive(Debug, Serialize)]
pub struct Report {
    /// The day for which validity was judged.
    pub today: Date,
    /// The documents, in the order of their paths.
    pub documents: Vec<DocumentReport>,
    /// Likely mistakes in settings and sidecars.
    pub warnings: Vec<String>,
}

/// The report on one document.
#[derive(Debug, Serialize)]
pub struct DocumentReport {
    /// Its path.
    pub path: String,
    /// Whom it is for and when it holds, in words.
    pub audience: String,
    /// Its values, with where they came from.
    pub values: Vec<Stated>,
    /// Whether it is for the profile, where one was given.
    pub applicability: Option<Applicability>,
    /// Likely mistakes in its metadata.
    pub warnings: Vec<String>,
    /// Put together.
    pub metadata: Metadata,
}

/// A value and where it came from.
#[derive(Debug, Serialize)]
pub struct Stated {
    /// The field.
    pub field: &'static str,
    /// The value, for display.
    pub value: String,
    /// Where that stands.
    pub origin: String,
}

impl Report {
    /// The report with what was noticed while the files were read: what a build would warn of.
    pub fn with_findings(mut self, files: &[FileOutcome], passed_over: &[Finding]) -> Self {
        let is_warning = |finding: &&Finding| finding.severity() == Severity::Warning;
        for file in files {
            for finding in file.findings.iter().filter(is_warning) {
                let message = finding.to_string();
                let is_about = |path: &str| path == file.path || path == finding.path;
                match self.documents.iter_mut().find(|it| is_about(&it.path)) {
                    Some(document) => {
                        let own = message.strip_prefix(&format!("`{}`: ", finding.path));
                        document.warnings.push(own.unwrap_or(&message).to_owned());
                    }
                    // All records of the file are concerned.
                    None => self.warnings.push(message),
                }
            }
        }
        self.warnings.extend(passed_over.iter().filter(is_warning).map(ToString::to_string));
        self
    }

    /// The number of likely mistakes.
    pub fn warnings(&self) -> usize {
        self.warnings.len() + self.documents.iter().map(|it| it.warnings.len()).sum::<usize>()
    }
}

/// Looks at all documents.
pub fn lint(
    documents: &[Document],
    resolver: &Resolver,
    profile: Option<&Profile>,
    today: Date,
) -> Report {
    let profile = profile.map(|profile| resolver.organisation.complete(profile));
    let mut reports: Vec<DocumentReport> = documents
        .iter()
        .map(|document| {
            let resolved = resolver.resolve(&document.path, &document.metadata);
            let applicability =
                profile.as_ref().map(|profile| resolved.metadata.applies_to(profile));
            DocumentReport {
                path: document.path.clone(),
                audience: resolved.metadata.describe(),
                values: stated(&resolved),
                applicability,
                warnings: document_warnings(document, &resolved, resolver, today),
                metadata: resolved.metadata,
            }
        })
        .collect();
    for (index, warning) in versions(&reports) {
        if let Some(report) = reports.get_mut(index) {
            report.warnings.push(warning);
        }
    }
    let mut warnings = general(&reports, resolver);
    warnings.extend(one_title(documents, &reports));
    Report { today, warnings, documents: reports }
}

/// Titles that one warning each is for, and paths that it names.
const MOST_NAMED: usize = 5;

/// Warnings about titles that several documents have.
fn one_title(documents: &[Document], reports: &[DocumentReport]) -> Vec<String> {
    let titled = |(document, report): (&'_ Document, &'_ DocumentReport)| {
        // What is stated about a document elsewhere may tell it from others.
        report.metadata.title.clone().unwrap_or_else(|| document.title.clone())
    };
    let titles: Vec<String> = documents.iter().zip(reports).map(titled).collect();
    let titled: Vec<Titled<'_>> = documents
        .iter()
        .zip(&titles)
        .map(|(document, title)| Titled { title, ..Titled::from(document) })
        .collect();
    let older = supersession(documents).iter().map(|edition| edition.older).collect();
    let groups = same_titles(&titled, &older);
    let warning = |group: &Vec<usize>| {
        let named = group.iter().take(MOST_NAMED).map(|place| format!("`{}`", titled[*place].path));
        let mut named: Vec<String> = named.collect();
        if let others @ 1.. = group.len().saturating_sub(MOST_NAMED) {
            named.push(format!("{others} more"));
        }
        let title = group.first().map_or("", |place| titled[*place].title);
        format!(
            "{} documents are called \"{title}\" ({}): their folders' or files' names stand behind it to tell them \
             apart. Give each a title of its own",
            group.len(),
            named.join(", ")
        )
    };
    let mut warnings: Vec<String> = groups.iter().take(MOST_NAMED).map(warning).collect();
    if let others @ 1.. = groups.len().saturating_sub(MOST_NAMED) {
        let title = if others == 1 { "title is" } else { "titles are" };
        warnings.push(format!("{others} more {title} those of several documents"));
    }
    warnings
}

fn stated(resolved: &Resolved) -> Vec<Stated> {
    let stated = |(field, (value, origin)): (&Field, &(FieldValue, Origin))| Stated {
        field: field.name(),
        value: value.to_string(),
        origin: origin.to_string(),
    };
    resolved.values.iter().map(stated).collect()
}

fn document_warnings(
    document: &Document,
    resolved: &Resolved,
    resolver: &Resolver,
    today: Date,
) -> Vec<String> {
    let mut warnings: Vec<String> = resolved
        .problems
        .iter()
        .map(|located| format!("in {}, {}", located.origin, located.problem))
        .collect();
    let found = remarks(&resolved.metadata, &resolver.organisation, &document.path, today);
    warnings.extend(found.iter().map(ToString::to_string));
    warnings.extend(resolved.unknown.keys().filter_map(|name| misspelt(name)));
    warnings
}

fn misspelt(name: &str) -> Option<String> {
    let known = Field::nearest(name).filter(|_| Field::of(name).is_none())?;
    Some(format!("the field `{name}` is not known. Did you mean `{known}`?"))
}

/// Rules and sidecars that do nothing, or something else than was meant.
fn general(documents: &[DocumentReport], resolver: &Resolver) -> Vec<String> {
    let paths: Vec<&str> = documents.iter().map(|document| document.path.as_str()).collect();
    let mut warnings: Vec<String> =
        resolver.sidecars.errors.iter().map(ToString::to_string).collect();
    warnings.extend(resolver.sidecars.orphans(&paths).map(|path| {
        format!("`{path}` speaks about a document that is not there: rename it, or take it away")
    }));
    let idle = resolver.rules.idle(&paths);
    warnings.extend(
        idle.map(|rule| format!("{rule} matches no document: correct it, or take it away")),
    );
    let fields: BTreeSet<String> = resolver
        .rules
        .field_names()
        .filter_map(|(rule, name)| Some(format!("in {rule}, {}", misspelt(name)?)))
        .chain(
            resolver
                .sidecars
                .field_names()
                .filter_map(|(path, name)| Some(format!("in `{path}`, {}", misspelt(name)?))),
        )
        .collect();
    warnings.extend(fields);
    warnings
}

/// Documents that replace each other, or nothing, and versions that are there twice; by document.
fn versions(documents: &[DocumentReport]) -> Vec<(usize, String)> {
    let places: BTreeMap<&str, usize> =
        documents.iter().enumerate().map(|(index, it)| (it.path.as_str(), index)).collect();
    let mut found = Vec::new();
    for (index, document) in documents.iter().enumerate() {
        for replaced in &document.metadata.replaces {
            let path = replaced.trim_start_matches('/');
            let Some(other) = places.get(path).and_then(|other| documents.get(*other)) else {
                let warning = format!("it replaces `{path}`, which is not there: correct the path");
                found.push((index, warning));
                continue;
            };
            let says_the_same = |back: &String| back.trim_start_matches('/') == document.path;
            if other.metadata.replaces.iter().any(says_the_same) {
                let warning = format!("it and `{path}` say that they replace each other: keep one");
                found.push((index, warning));
            }
        }
        // A build asks too, of all documents: those of no series, which are most, are compared with none.
        let twin = document.metadata.series.as_ref().and_then(|_| {
            documents.iter().find(|other| {
                other.path != document.path && is_same_version(&other.metadata, &document.metadata)
            })
        });
        if let Some(twin) = twin {
            let warning = format!(
                "it and `{}` are the same version of one series: give one another `version`",
                twin.path
            );
            found.push((index, warning));
        }
    }
    found
}

/// Whether neither of two documents of one series can be told to be the newer.
fn is_same_version(left: &Metadata, right: &Metadata) -> bool {
    let same = |left: &Option<String>, right: &Option<String>| match (left, right) {
        (Some(left), Some(right)) => same_name(left, right),
        (None, None) => true,
        _ => false,
    };
    let is_series = left.series.is_some() && same(&left.series, &right.series);
    let is_dated = left.version.is_none() && left.date != right.date;
    is_series && same(&left.version, &right.version) && !is_dated
}
