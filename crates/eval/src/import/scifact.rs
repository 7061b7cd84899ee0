//! SciFact (Wadden et al. 2020): claims, and the abstracts that bear them out or contradict them.

use std::collections::{BTreeMap, BTreeSet};

use campanile_questions::{Category, Gold, Question, QuestionKind};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::documents::{DocumentContent, ImportedDocument, on_one_line};
use super::{ImportError, ImportedSet, SetFiles};

const LAYOUT: &str = "SciFact";
const CORPUS: &str = "corpus_train.csv";

#[derive(Deserialize)]
struct Abstract {
    doc_id: String,
    title: String,
    #[serde(rename = "abstract")]
    sentences: String,
}

/// A claim with one of its rationales; a claim with several takes several rows.
#[derive(Deserialize)]
struct Row {
    id: String,
    claim: String,
    evidence_doc_id: String,
    evidence_sentences: String,
    cited_doc_ids: String,
}

/// Reads SciFact as CSV files, a folder or a zip. Gold are the rationale sentences; an abstract that
/// is cited without a rationale is gold as a whole, as BEIR has it. Without a `split`, all claims are
/// read whose evidence is published (`train` and `validation`; BEIR's test split is `validation`).
///
/// # Errors
/// Where a file is missing or not as it should be, and where the split is not there.
pub fn scifact(files: &SetFiles, split: Option<&str>) -> Result<ImportedSet, ImportError> {
    let corpus = files.need(LAYOUT, CORPUS)?;
    let mut set = ImportedSet { is_benchmark: true, ..ImportedSet::default() };
    let mut sentences = BTreeMap::new();
    for (line, row) in rows::<Abstract>(files, corpus)? {
        let texts = printed_texts(&row.sentences).ok_or_else(|| {
            let reason = "`abstract`: a list is expected, as in ['One sentence.' 'Another.']";
            ImportError::content(corpus, Some(line), reason)
        })?;
        let texts: Vec<String> = texts.iter().map(|text| on_one_line(text)).collect();
        set.documents.push(ImportedDocument {
            path: path(&row.doc_id),
            content: DocumentContent::Page { title: row.title, paragraphs: vec![texts.join(" ")] },
        });
        sentences.insert(row.doc_id, texts);
    }
    let mut uncited = 0;
    for file in claims_files(files, split)? {
        let mut claims: Vec<Question> = Vec::new();
        for (line, row) in rows::<Row>(files, file)? {
            if claims.last().is_none_or(|claim| claim.id != row.id) {
                let mut claim =
                    Question::new(&row.id, on_one_line(&row.claim), Category::Answerable);
                claim.kind = Some(QuestionKind::Inferential);
                claims.push(claim);
            }
            let gold = gold(&row, &sentences)
                .map_err(|reason| ImportError::content(file, Some(line), reason))?;
            if let Some(claim) = claims.last_mut() {
                claim.gold.extend(gold);
            }
        }
        for mut claim in claims {
            settle(&mut claim.gold);
            if claim.gold.is_empty() { uncited += 1 } else { set.questions.push(claim) }
        }
    }
    set.remark(uncited, "claims have no published evidence and are left out");
    Ok(set)
}

/// Returns the gold of a row: the documents that it cites, and the sentences of its evidence.
fn gold(row: &Row, sentences: &BTreeMap<String, Vec<String>>) -> Result<Vec<Gold>, String> {
    let cited = printed_numbers(&row.cited_doc_ids)
        .ok_or("`cited_doc_ids`: a list is expected, as in [5152028 11705328]")?;
    let mut gold: Vec<Gold> =
        cited.iter().map(|id| Gold::document(path(&id.to_string()))).collect();
    let evidence = row.evidence_doc_id.trim();
    if evidence.is_empty() {
        return Ok(gold);
    }
    let of_document = sentences
        .get(evidence)
        .ok_or_else(|| format!("`evidence_doc_id`: the corpus has no abstract {evidence}"))?;
    let numbers = printed_numbers(&row.evidence_sentences)
        .ok_or("`evidence_sentences`: a list is expected, as in [2 5]")?;
    for number in numbers {
        let sentence = usize::try_from(number).ok().and_then(|number| of_document.get(number));
        let sentence = sentence.ok_or_else(|| {
            format!("`evidence_sentences`: abstract {evidence} has no sentence {number}")
        })?;
        gold.push(Gold::passage(path(evidence), sentence));
    }
    Ok(gold)
}

/// Each once; a document whose sentences are named is not named as a whole.
fn settle(gold: &mut Vec<Gold>) {
    let with_passage: BTreeSet<String> = gold
        .iter()
        .filter(|gold| gold.passage.is_some())
        .filter_map(|gold| gold.document.clone())
        .collect();
    gold.retain(|gold| {
        let document = gold.document.as_ref();
        gold.passage.is_some() || document.is_none_or(|path| !with_passage.contains(path))
    });
    let key = |gold: &Gold| (gold.document.clone(), gold.passage.clone());
    let mut seen = BTreeSet::new();
    gold.retain(|gold| seen.insert(key(gold)));
}

fn path(document: &str) -> String {
    format!("{document}.html")
}

/// The files of claims with evidence, or of one split.
fn claims_files<'a>(files: &'a SetFiles, split: Option<&str>) -> Result<Vec<&'a str>, ImportError> {
    let split_of = |file: &'a str| {
        let name = file.rsplit('/').next()?;
        name.strip_prefix("claims_")?.strip_suffix(".csv")
    };
    let known: Vec<(&str, &str)> =
        files.names().filter_map(|file| Some((split_of(file)?, file))).collect();
    let Some(asked) = split else {
        return Ok(known.into_iter().map(|(_, file)| file).collect());
    };
    let file = known.iter().find(|(name, _)| *name == asked);
    file.map(|(_, file)| vec![*file]).ok_or_else(|| ImportError::split(asked, &known))
}

/// The rows of a CSV file with their lines.
fn rows<T: DeserializeOwned>(files: &SetFiles, name: &str) -> Result<Vec<(usize, T)>, ImportError> {
    let bytes = files.bytes(name)?;
    let mut reader = csv::Reader::from_reader(bytes.as_slice());
    let mut rows = Vec::new();
    for row in reader.deserialize() {
        let row = row.map_err(|error| ImportError::of_csv(name, &error))?;
        // Behind the header in line 1. Counted in rows: one with line breaks in a cell shifts those below it.
        rows.push((rows.len() + 2, row));
    }
    Ok(rows)
}

/// The texts of a printed list: items in single or double quotes, as Python writes them.
fn printed_texts(printed: &str) -> Option<Vec<String>> {
    let inner = printed.trim().strip_prefix('[')?.strip_suffix(']')?;
    let mut items = Vec::new();
    let mut characters = inner.chars();
    loop {
        let quote = characters.by_ref().find(|c| !c.is_whitespace() && *c != ',');
        match quote {
            None => return Some(items),
            Some(quote @ ('\'' | '"')) => items.push(quoted(&mut characters, quote)?),
            Some(_) => return None,
        }
    }
}

/// The numbers of a printed list: `[2 5]`.
fn printed_numbers(printed: &str) -> Option<Vec<u64>> {
    let inner = printed.trim().strip_prefix('[')?.strip_suffix(']')?;
    let parts = inner.split(|c: char| c.is_whitespace() || c == ',');
    parts.filter(|part| !part.is_empty()).map(|part| part.parse().ok()).collect()
}

/// The rest of a quoted text; escapes as in Python's `repr`.
fn quoted(characters: &mut std::str::Chars<'_>, quote: char) -> Option<String> {
    let mut text = String::new();
    loop {
        match characters.next()? {
            '\\' => text.push(escape(characters)?),
            end if end == quote => return Some(text),
            other => text.push(other),
        }
    }
}

fn escape(characters: &mut std::str::Chars<'_>) -> Option<char> {
    let digits = match characters.next()? {
        'n' => return Some('\n'),
        't' => return Some('\t'),
        'r' => return Some('\r'),
        'x' => 2,
        'u' => 4,
        'U' => 8,
        other => return Some(other),
    };
    let hexadecimal: String = characters.take(digits).collect();
    char::from_u32(u32::from_str_radix(&hexadecimal, 16).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_lists_are_read() {
        let cases: [(&str, Option<&[&str]>); 7] = [
            ("['a' 'b']", Some(&["a", "b"])),
            ("['a'\n \"it's\"]", Some(&["a", "it's"])),
            (r"['it\'s\n' 'x\xa0y']", Some(&["it's\n", "x\u{a0}y"])),
            ("[]", Some(&[])),
            ("['a' ...]", None),
            ("['a", None),
            ("a", None),
        ];
        for (printed, expected) in cases {
            let expected = expected.map(|items| items.iter().map(|it| (*it).to_owned()).collect());
            assert_eq!(printed_texts(printed), expected, "{printed}");
        }
        assert_eq!(printed_numbers("[ 5152028 11705328]"), Some(vec![5_152_028, 11_705_328]));
        assert_eq!(printed_numbers("[]"), Some(Vec::new()));
        assert_eq!(printed_numbers("[a]"), None);
    }
}
