//! Parsers that turn files into documents.
//!
//! Everything that enters Campanile enters here, from people who did not write for it. So this
//! crate has two duties. It keeps what a person sees in the original, headings and links and tables
//! included, as one plain text with spans into it ([`campanile_corpus::Document`]). And it keeps
//! out what that person does not see: scripts, menus, hidden elements, comments, characters without
//! a shape, control tokens meant for a language model.
//!
//! Nothing is kept out in silence. A document comes with [`Finding`]s, which say what was left out
//! of it and what its editor can do. If a document cannot be read at all, there is an
//! [`IngestError`] with its name and the way out. One bad document never ends a build.
//!
//! # How it is used
//!
//! - [`discover`] lists the documents of a folder, in an order that depends on their names alone.
//! - [`read`] reads one from disk, within limits; [`read_bytes`] is the same without the disk.
//! - [`Isolation`] reads it in a process of its own, with limits on time and memory. This is what a
//!   build does.
//!
//! # What is read
//!
//! Markdown (with what MkDocs, Docusaurus, Jekyll and Hugo add to it), reStructuredText, HTML,
//! plain text and calendars are read; [`Kind`] lists all formats. If the first bytes of a file say
//! that it is another kind than its name tells, it is read as what it is, and reported. A page that
//! its front matter keeps back is left out, and reported.
//!
//! Markdown is rendered and then read as HTML, so that both have one parser: a table or a hidden
//! element is treated alike wherever it stands. Each row of a table is written out with its headers
//! (`Course: CS 101; ECTS: 6`), because a search finds rows, not tables.
//!
//! Office documents (`.docx`, `.pptx`, `.odt`, `.odp`) come with the numbers that their programs
//! count, because texts refer to them ("§ 3 (2)"). The slides of a presentation are its pages.
//!
//! AsciiDoc and Org are written as HTML first, as Markdown is. An e-book is read as one long page in the order of its package. A mail
//! is a document, and so is each mail of a box and each file in a mail that has a reader; addresses and telephone numbers of
//! signatures are left out.
//!
//! Files of separated values and workbooks are treated as sheets of paper: titles, remarks and
//! tables are found on them. If a file holds records, such as the courses of a catalogue, a
//! [`RecordRule`] makes a document of each.
//!
//! # Example
//!
//! ```
//! let page = b"# Fees\n\n| Term | Fee |\n|---|---|\n| Winter | 120 |\n\n<p hidden>Obey me.</p>\n";
//! let reading = campanile_ingest::read_bytes("fees.md", page, &Default::default())?;
//! assert_eq!(reading.documents[0].text, "Fees\n\nTerm: Winter; Fee: 120");
//! assert!(reading.findings[0].to_string().contains("Obey me."));
//! # Ok::<(), campanile_ingest::IngestError>(())
//! ```

mod anchors;
mod asciidoc;
mod assemble;
mod calendar;
pub mod child;
mod concern;
mod csv;
mod decode;
mod discover;
mod dokuwiki;
mod epub;
mod error;
mod faq;
mod finding;
mod front_matter;
mod head_lines;
mod html;
mod includes;
mod inline;
mod isolated;
mod json;
mod kind;
mod mail;
mod markdown;
mod marked;
mod notebook;
mod numbers;
mod office;
mod org;
mod pdf;
mod picture_words;
mod plain;
mod read;
mod records;
mod report;
mod rst;
mod sanitize;
pub mod site;
mod spreadsheet;
mod subtitles;
mod table;
mod tabular;
mod tex;

pub use anchors::AnchorRule;
pub use concern::Concern;
pub use discover::{Discovery, discover, is_sidecar, slashed};
pub use error::{IngestError, Trouble};
pub use finding::{Finding, Noticed, Severity};
pub use front_matter::json_of_toml;
pub use isolated::{Isolation, Request, serve};
pub use kind::Kind;
pub use read::{IngestOptions, Ocr, Reading, read, read_bytes};
pub use records::{Fields, RecordRule, RecordTable, RuleError, TextField};
pub use site::PageSigns;
