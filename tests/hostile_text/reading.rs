//! What a document with an attack in it becomes when it is read.

use campanile_corpus::Document;
use campanile_ingest::{IngestOptions, Reading, read_bytes};

use crate::corpus::{Attack, Control, corpus};

fn read(attack: &Attack, control: &Control) -> Reading {
    read_bytes(&attack.path(), &attack.hostile(control), &IngestOptions::default())
        .unwrap_or_else(|error| panic!("{}: {error}", attack.name))
}

/// Everything that a site keeps of a document and shows, or gives to a model.
fn kept(document: &Document) -> String {
    let headings = document.sections.iter().map(|section| section.heading.as_str());
    let links = document.links.iter().map(|link| link.target.as_str());
    let tables = serde_json::to_string(&document.tables).unwrap();
    let metadata = serde_json::to_string(&document.metadata).unwrap();
    let parts = [document.title.as_str(), document.link.as_deref().unwrap_or_default()];
    let parts = parts.into_iter().chain([document.text.as_str(), &tables, &metadata]);
    parts.chain(headings).chain(links).collect::<Vec<_>>().join("\n")
}

#[test]
fn nothing_is_kept_that_may_not_be_and_what_is_left_out_is_said() {
    let mut faults = Vec::new();
    for (attack, control) in corpus().iter().filter(|(attack, _)| !attack.is_in_question()) {
        let Reading { documents, findings, .. } = read(attack, control);
        let kept: String = documents.iter().map(kept).collect();
        let said: Vec<String> = findings.iter().map(ToString::to_string).collect();
        let said = said.join("\n");
        let mut fault = |what: &str, text: &str| {
            let start: String = kept.chars().take(300).collect();
            faults.push(format!("{}: {what} {text:?}\n  {start:?}\n  {said}", attack.name));
        };
        for text in attack.absent.iter().filter(|text| kept.contains(text.as_str())) {
            fault("kept", text);
        }
        for text in attack.present.iter().filter(|text| !kept.contains(text.as_str())) {
            fault("lost", text);
        }
        for text in attack.reported.iter().filter(|text| !said.contains(text.as_str())) {
            fault("not reported", text);
        }
        if !kept.contains(&control.fact) {
            fault("lost the fact", &control.fact);
        }
        if let Some(token) = control_token(&kept) {
            fault("a control token is left", token);
        }
        if let Some(character) = kept.chars().find(|&character| is_unseen(character)) {
            fault("an invisible character is left", &format!("{:x}", u32::from(character)));
        }
        for link in documents.iter().flat_map(|document| &document.links) {
            if !leads_to_a_place(&link.target) {
                fault("a link leads to", &link.target);
            }
        }
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

/// The first `<|name|>` in a text.
fn control_token(text: &str) -> Option<&str> {
    let open = regex::Regex::new(r"<[|｜][^|｜>\s]{1,64}[|｜]>").unwrap();
    open.find(text).map(|found| found.as_str())
}

/// Tags, overrides, isolates, zero widths, and controls but for line breaks and tabs.
fn is_unseen(character: char) -> bool {
    matches!(
        character,
        '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{61c}' | '\u{ad}'
            | '\u{e0000}'..='\u{e0fff}'
    ) || (character.is_control() && !matches!(character, '\n' | '\t'))
}

/// Whether a link's target is relative or of the web or mail.
fn leads_to_a_place(target: &str) -> bool {
    match target.split_once(':') {
        Some((scheme, _)) if scheme.chars().all(|c| c.is_ascii_alphanumeric()) => {
            matches!(scheme.to_ascii_lowercase().as_str(), "http" | "https" | "mailto" | "tel")
        }
        _ => true,
    }
}

#[test]
fn the_corpus_is_sound() {
    let corpus = corpus();
    assert!(corpus.len() >= 100, "{}", corpus.len());
    let mut names: Vec<&str> = corpus.iter().map(|(attack, _)| attack.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), corpus.len(), "each attack has a name of its own");
    for (attack, control) in &corpus {
        let kept = read_bytes(&attack.path(), &attack.harmless(control), &IngestOptions::default());
        let kept = kept.unwrap_or_else(|error| panic!("{}: {error}", attack.name));
        // A text that is not there without the attack either shows nothing.
        let text: String = kept.documents.iter().map(kept_text).collect();
        assert!(text.contains(&control.fact), "{}: {text}", attack.name);
        for absent in &attack.absent {
            assert!(!text.contains(absent.as_str()), "{}: {absent}", attack.name);
        }
    }
}

fn kept_text(document: &Document) -> String {
    kept(document)
}
