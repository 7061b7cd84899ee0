use std::collections::BTreeMap;
use std::sync::Arc;

use campanile_bundle::{Manifest, check_path};
use campanile_index::late::{LateHead, LateQuery};
use campanile_index::{
    Candidate, Graph, LexicalHead, Partitions, PostingsShard, ReducedTable, Sketch, VectorTable,
    beliefs,
};
use campanile_ingest::{
    Fields, IngestError, IngestOptions, RecordRule, TextField, Trouble, read_bytes,
};
use campanile_website::{Page, Robots, Sitemap};

use crate::{check_chunks, check_document, corpus, models, sound};

/// A place where foreign bytes become values of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// An adapter's file.
    Adapter,
    /// An AsciiDoc page.
    Asciidoc,
    /// An e-book, by parts.
    BookParts,
    /// An iCalendar file.
    Calendar,
    /// Separated values: as CSV and as TSV.
    Csv,
    /// The front matter of a Markdown page, without the lines of dashes around it.
    FrontMatter,
    /// An HTML page.
    Html,
    /// The parts of an index: its first byte says which.
    Index,
    /// JSON and JSON lines, as an outline and as records.
    Json,
    /// A mail: as one, as a box of mails, as a saved web page.
    Mail,
    /// A Markdown page.
    Markdown,
    /// A model's files: GGUF, safetensors, a tokenizer or a configuration; the first byte says which.
    Model,
    /// A Jupyter notebook.
    Notebook,
    /// A text document or slides, by parts.
    OfficeParts,
    /// An Org page.
    Org,
    /// Any zip file, as each kind of office document.
    Package,
    /// A PDF.
    Pdf,
    /// A `robots.txt`.
    Robots,
    /// A reStructuredText page.
    Rst,
    /// A sitemap: XML, plain, packed or not.
    Sitemap,
    /// Subtitles of both forms.
    Subtitles,
    /// Plain text.
    Text,
    /// A page as the fetcher of websites reads it.
    WebPage,
    /// A workbook, by parts.
    WorkbookParts,
}

impl Target {
    /// All of them, by name.
    pub const ALL: [Self; 24] = [
        Self::Adapter,
        Self::Asciidoc,
        Self::BookParts,
        Self::Calendar,
        Self::Csv,
        Self::FrontMatter,
        Self::Html,
        Self::Index,
        Self::Json,
        Self::Mail,
        Self::Markdown,
        Self::Model,
        Self::Notebook,
        Self::OfficeParts,
        Self::Org,
        Self::Package,
        Self::Pdf,
        Self::Robots,
        Self::Rst,
        Self::Sitemap,
        Self::Subtitles,
        Self::Text,
        Self::WebPage,
        Self::WorkbookParts,
    ];

    /// The name of its program, its seeds and its corpus.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Adapter => "adapter",
            Self::Asciidoc => "asciidoc",
            Self::BookParts => "book_parts",
            Self::Calendar => "calendar",
            Self::Csv => "csv",
            Self::FrontMatter => "front_matter",
            Self::Html => "html",
            Self::Index => "index",
            Self::Json => "json",
            Self::Mail => "mail",
            Self::Markdown => "markdown",
            Self::Model => "model",
            Self::Notebook => "notebook",
            Self::OfficeParts => "office_parts",
            Self::Org => "org",
            Self::Package => "package",
            Self::Pdf => "pdf",
            Self::Robots => "robots",
            Self::Rst => "rst",
            Self::Sitemap => "sitemap",
            Self::Subtitles => "subtitles",
            Self::Text => "text",
            Self::WebPage => "web_page",
            Self::WorkbookParts => "workbook_parts",
        }
    }

    /// Reads `bytes` as this target's reader would.
    ///
    /// # Panics
    /// Where something does not hold that must hold of any bytes: that is what it is for.
    pub fn run(self, bytes: &[u8]) {
        match self {
            Self::Adapter => models::adapter(bytes),
            Self::Asciidoc => read(&["a/b.adoc"], bytes),
            Self::BookParts => package(&["a/b.epub"], bytes),
            Self::Calendar => read(&["a/b.ics"], bytes),
            Self::Csv => read(&["a/b.csv", "a/b.tsv"], bytes),
            Self::FrontMatter => {
                read(
                    &["a/b.md"],
                    &[b"---\n", bytes, b"\n---\n# Fees\n\nPay at the desk.\n"].concat(),
                );
            }
            Self::Html => read(&["a/b.html"], bytes),
            Self::Index => index(bytes),
            Self::Json => read(&["a/b.json", "a/b.jsonl", RECORDS], bytes),
            Self::Mail => read(&["a/b.eml", "a/b.mbox", "a/b.mht"], bytes),
            Self::Markdown => read(&["a/b.md"], bytes),
            Self::Model => models::model(bytes),
            Self::Notebook => read(&["a/b.ipynb"], bytes),
            Self::OfficeParts => {
                package(&["a/b.docx", "a/b.pptx", "a/b.odt", "a/b.odp", "a/b.ods"], bytes);
            }
            Self::Org => read(&["a/b.org"], bytes),
            Self::Package => {
                let names = ["docx", "pptx", "odt", "odp", "ods", "xlsx", "xls", "epub"]
                    .map(|end| format!("a/b.{end}"));
                read(&names.each_ref().map(String::as_str), bytes);
            }
            Self::Pdf => read(&["a/b.pdf"], bytes),
            Self::Robots => robots(bytes),
            Self::Rst => read(&["a/b.rst"], bytes),
            Self::Sitemap => {
                let sitemap = Sitemap::parse(bytes);
                assert!(sitemap.pages.len() + sitemap.sitemaps.len() <= 50_000);
            }
            Self::Subtitles => read(&["a/b.vtt", "a/b.srt"], bytes),
            Self::Text => read(&["a/b.txt"], bytes),
            Self::WebPage => web_page(bytes),
            Self::WorkbookParts => package(&["a/b.xlsx"], bytes),
        }
    }
}

/// A file that [`options`] has a rule for.
const RECORDS: &str = "records/b.json";

/// Limits that an input of a few kilobytes can reach, and a rule for records.
fn options() -> IngestOptions {
    let rule = RecordRule {
        files: "records/*.json".to_owned(),
        rows: None,
        id: Some("id".to_owned()),
        title: "{id} {name}".to_owned(),
        text: vec![TextField::Plain("description".to_owned())],
        facts: Fields::default(),
        tables: BTreeMap::new(),
        link: Some("https://example.edu/{id}".to_owned()),
        metadata: BTreeMap::new(),
    };
    IngestOptions {
        max_text_bytes: 2_000_000,
        max_inflated_bytes: 4_000_000,
        max_pages: 20,
        records: vec![rule],
        ..IngestOptions::default()
    }
}

fn read(paths: &[&str], bytes: &[u8]) {
    let options = options();
    for path in paths {
        match read_bytes(path, bytes, &options) {
            Ok(reading) => {
                for document in &reading.documents {
                    check_document(document);
                    check_chunks(document);
                }
                for finding in reading.findings {
                    let told = finding.to_string();
                    assert!(told.contains(path), "a finding names its file: {told}");
                }
            }
            Err(error) => {
                assert!(error.to_string().contains(path), "an error names its file: {error}");
                let IngestError::Document { trouble, .. } = &error else { continue };
                let caught = matches!(trouble, Trouble::ReaderFailed(_));
                assert!(!(caught && sound::was_ours()), "our own code panicked: {error}");
            }
        }
    }
}

fn package(paths: &[&str], bytes: &[u8]) {
    // A name that no zip file can hold makes no package to read.
    if let Ok(package) = corpus::zipped(&corpus::parts(bytes)) {
        read(paths, &package);
    }
}

fn robots(bytes: &[u8]) {
    let robots = Robots::parse(bytes);
    for product in ["campanile", "other"] {
        let rules = robots.rules_for(product);
        assert!(rules.allow("/robots.txt"), "robots.txt is always to be had");
        for path in ["/", "/a/b.html?c=d", "/a%2fb", "/\u{e9}"] {
            rules.allow(path);
        }
    }
}

fn web_page(bytes: &[u8]) {
    let html = String::from_utf8_lossy(bytes);
    let Ok(address) = "https://www.example.edu/studies/index.html".parse() else { return };
    let page = Page::read(&html, &address, "campanile");
    for (number, link) in page.links.iter().enumerate() {
        assert!(!page.links.iter().take(number).any(|earlier| earlier == link), "twice: {link}");
        assert!(matches!(link.scheme(), "http" | "https"), "{link}");
    }
}

/// An index part that is decoded is also searched: what later code relies on must hold.
fn index(bytes: &[u8]) {
    let Some((kind, bytes)) = bytes.split_first() else { return };
    match kind % 8 {
        0 => {
            if let Ok(head) = LexicalHead::decode(bytes) {
                let shard = head.shard_of("fees");
                assert!(shard.is_none_or(|shard| shard < head.shard_count()));
                assert_eq!(head.lengths().len(), head.chunk_count() as usize);
            }
        }
        1 => {
            const CHUNKS: u32 = 50;
            if let Ok(shard) = PostingsShard::decode(bytes, CHUNKS) {
                let terms: Vec<String> = shard.terms().map(str::to_owned).collect();
                for postings in terms.iter().filter_map(|term| shard.get(term)) {
                    assert!(postings.iter().all(|posting| posting.chunk < CHUNKS));
                }
            }
        }
        2 => {
            if let Ok(table) = VectorTable::decode(bytes) {
                search(&table);
            }
            if let Ok(table) = ReducedTable::decode(bytes) {
                let vector = vec![0.5; table.dimension()];
                let hits = table.search(&vector, 5, &|_| true).unwrap_or_default();
                assert_eq!(hits.len(), table.len().min(5));
                let all: Vec<u32> = (0..table.len() as u32).collect();
                assert_eq!(table.mean(&all).is_some(), !table.is_empty());
            }
        }
        3 => {
            // The vectors stand in front of the graph, behind their length.
            let Some((length, rest)) = bytes.split_first_chunk::<2>() else { return };
            let length = usize::from(u16::from_le_bytes(*length)).min(rest.len());
            let (vectors, graph) = rest.split_at(length);
            let Ok(table) = VectorTable::decode(vectors) else { return };
            let (dimension, rows) = (table.dimension(), table.len());
            if let Ok(graph) = Graph::decode(graph, Arc::new(table)) {
                let hits = graph.search(&vec![0.5; dimension], 5, &|_| true).unwrap_or_default();
                assert!(hits.iter().all(|hit| (hit.id as usize) < rows));
            }
        }
        4 => {
            if let Ok(manifest) = Manifest::decode(bytes) {
                assert!(manifest.entries().all(|entry| check_path(&entry.path).is_ok()));
                let again = manifest.encode().and_then(|bytes| Manifest::decode(&bytes));
                assert!(again.is_ok_and(|again| again == manifest), "written and read again");
            }
        }
        5 => late(bytes),
        6 => partitions(bytes),
        _ => sketch(bytes),
    }
}

/// The sketch of a site, asked among others.
fn sketch(bytes: &[u8]) {
    let Ok(sketch) = Sketch::decode(bytes) else { return };
    assert_eq!(sketch.encode(), bytes, "one spelling");
    let mut terms: Vec<String> = sketch.terms().take(3).map(str::to_owned).collect();
    terms.push("fees".to_owned());
    let candidate = Candidate { sketch: &sketch, terms: &terms };
    for vector in [None, Some(&[0.5f32; 8][..])] {
        let found = beliefs(&[candidate, candidate], vector);
        assert!(found.iter().all(|belief| (belief - 0.5).abs() < 1e-3), "{found:?}");
    }
}

/// A head of partitions and, behind its length, the first of them.
fn partitions(bytes: &[u8]) {
    let Some((length, rest)) = bytes.split_first_chunk::<2>() else { return };
    let length = usize::from(u16::from_le_bytes(*length)).min(rest.len());
    let (head, partition) = rest.split_at(length);
    let Ok(head) = Partitions::decode(head) else { return };
    let question = vec![0.5; head.dimension()];
    let near = head.nearest(&question, 100).unwrap_or_default();
    assert!(near.iter().all(|number| (*number as usize) < head.len()));
    let (Ok(bits), Ok(partition)) = (head.query(&question), head.partition(0, partition)) else {
        return;
    };
    let hits = bits.search([&partition], 5, &|_| true);
    assert_eq!(hits.len(), partition.rows().len().min(5));
    assert!(hits.iter().all(|hit| (hit.id as usize) < head.row_count()));
}

/// A head of token vectors and, behind its length, a shard of them.
fn late(bytes: &[u8]) {
    let Some((length, rest)) = bytes.split_first_chunk::<2>() else { return };
    let length = usize::from(u16::from_le_bytes(*length)).min(rest.len());
    let (head, shard) = rest.split_at(length);
    let Ok(head) = LateHead::decode(head) else { return };
    let tokens = vec![0.5; head.projection().input()];
    let Ok(question) = LateQuery::new(head.codec(), &head.projection().apply(&tokens)) else {
        return;
    };
    if let Ok(records) = head.records(0, shard) {
        assert!(records.iter().all(|record| !question.max_sim(record).is_nan()));
        assert!(head.place_of(records.len() as u32).is_none_or(|(shard, _)| shard == 1));
    }
}

fn search(table: &VectorTable) {
    let vector = vec![0.5; table.dimension()];
    let hits = table.search(&vector, 5, &|_| true).unwrap_or_default();
    assert!(hits.iter().all(|hit| (hit.id as usize) < table.len()));
    assert_eq!(hits.len(), table.len().min(5));
}
