use serde::{Deserialize, Serialize};

use crate::IngestError;
use crate::error::way_out;

/// Something worth telling the keeper of the documents, about one of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Finding {
    /// The document could not be read and is missing from the corpus.
    #[error("{reason}")]
    Failed {
        /// The document.
        path: String,
        /// The whole message of the [`IngestError`]: it names the file and the way out.
        reason: String,
    },
    /// The front matter is broken; the page was read without it.
    #[error(
        "`{path}`, line {line}: the front matter was left out ({reason}). A value that holds `: ` \
         or begins with `{{`, `[`, `@` or `%` needs quotes around it"
    )]
    FrontMatter {
        /// The document.
        path: String,
        /// The line of the file, from 1.
        line: usize,
        /// The parser's message.
        reason: String,
    },
    /// The page says that it is not published, and was left out.
    #[error(
        "`{path}` was left out, since its front matter says `{field}`. Take that away to have it found"
    )]
    Unpublished {
        /// The document.
        path: String,
        /// The field: `draft: true`.
        field: String,
    },
    /// Text that a browser would not show was left out.
    #[error(
        "`{path}`: text that a reader of the page does not see was left out ({}, \
         such as \"{example}\"). Make it visible if it should be found",
        counted(*pieces, "piece")
    )]
    HiddenText {
        /// The document.
        path: String,
        /// The number of pieces.
        pieces: usize,
        /// The beginning of the first.
        example: String,
    },
    /// Characters that show nothing, or change how others show, were left out.
    #[error(
        "`{path}`: left out {} (tags or direction overrides). They can hide text from readers: look \
         at where they came from",
        counted(*count, "invisible character")
    )]
    HiddenCharacters {
        /// The document.
        path: String,
        /// The number of characters.
        count: usize,
    },
    /// Control tokens of a language model were left out.
    #[error(
        "`{path}`: left out {} of a language model, such as `{example}`. In a document they are an \
         attempt to steer a model, or a slip: look at where they came from",
        counted(*count, "control token")
    )]
    ChatTokens {
        /// The document.
        path: String,
        /// The number of tokens.
        count: usize,
        /// The first.
        example: String,
    },
    /// Comments were left out.
    #[error("`{path}`: left out {}. Nothing needs to be done", counted(*count, "comment"))]
    Comments {
        /// The document.
        path: String,
        /// The number of comments.
        count: usize,
    },
    /// Changes that nobody has accepted or rejected yet were read as if accepted.
    #[error(
        "`{path}`: read {} as if accepted. Accept or reject them in the document if it should be \
         found otherwise",
        counted(*count, "tracked change")
    )]
    TrackedChanges {
        /// The document.
        path: String,
        /// The number of changes.
        count: usize,
    },
    /// Tags of a site generator were left out; what they would insert is unknown here.
    #[error(
        "`{path}`: left out {}. For what they insert, index the built site's HTML instead",
        counted(*count, "template tag")
    )]
    TemplateTags {
        /// The document.
        path: String,
        /// The number of tags.
        count: usize,
    },
    /// Events of a calendar were left out.
    #[error("`{path}`: left out {} ({reason}), such as \"{example}\"", counted(*count, "event"))]
    EventsLeftOut {
        /// The document.
        path: String,
        /// The number of events.
        count: usize,
        /// The reason: they are cancelled, private, or too many.
        reason: String,
        /// The name of the first.
        example: String,
    },
    /// A link that a reader should not follow lost its target; its words are kept.
    #[error(
        "`{path}`: a link to `{target}` was left out. Only web, mail and relative addresses are \
         kept"
    )]
    LinkDropped {
        /// The document.
        path: String,
        /// The target, cut if long.
        target: String,
    },
    /// The file is of another kind than its name says, and was read as what it is.
    #[error(
        "`{path}` is {found} despite its name, and was read as such. Give it the ending of its kind"
    )]
    WrongExtension {
        /// The document.
        path: String,
        /// The kind of file that it is: `an HTML page`.
        found: String,
    },
    /// The document was read and holds no text.
    #[error(
        "`{path}` holds no text besides headings: nothing in it can be found. Remove it, or give it a body"
    )]
    Empty {
        /// The document.
        path: String,
    },
    /// The end of the file is missing; what is there was read.
    #[error(
        "`{path}` is cut short: its end is missing, and pages may be missing with it. Download or \
         export it again"
    )]
    CutShort {
        /// The document.
        path: String,
    },
    /// Some pages are pictures, such as scans, whose text is not read.
    #[error(
        "`{path}`: {} without text, page {first} first: pictures, it seems. With `ocr = true` in \
         campanile.toml and `tesseract` installed they are read",
        counted(*pages, "page")
    )]
    PicturePages {
        /// The document.
        path: String,
        /// The number of these pages.
        pages: usize,
        /// The first of them, from 1.
        first: u32,
    },
    /// The text of some pages was read from their pictures.
    #[error(
        "`{path}`: {} read from pictures. Where an answer looks odd, compare it with the page",
        counted(*pages, "page")
    )]
    ReadFromPictures {
        /// The document.
        path: String,
        /// The number of these pages.
        pages: usize,
    },
    /// The document has more pages than are read.
    #[error(
        "`{path}` has {total} pages, of which the first {read} were read. Split it, or raise \
         `max_pages` in the settings"
    )]
    PagesLeftOut {
        /// The document.
        path: String,
        /// The number of pages that were read.
        read: usize,
        /// The number of all pages.
        total: usize,
    },
    /// Letters whose fonts do not say which they are were left out.
    #[error(
        "`{path}`: left out {} whose font does not say which they are. If text is missing, export \
         the PDF again with its fonts embedded",
        counted(*count, "letter")
    )]
    UnknownLetters {
        /// The document.
        path: String,
        /// The number of letters.
        count: usize,
    },
    /// Running headers, footers and page numbers were left out.
    #[error(
        "`{path}`: left out {} that stand on every page, such as \"{example}\". Nothing needs to be \
         done",
        counted(*rows, "line")
    )]
    Furniture {
        /// The document.
        path: String,
        /// The number of lines.
        rows: usize,
        /// One of them.
        example: String,
    },
    /// A printed table of contents was left out, since it repeats the headings.
    #[error("`{path}`: left out a table of contents of {}. Nothing needs to be done", counted(*lines, "line"))]
    ContentsLeftOut {
        /// The document.
        path: String,
        /// The number of lines.
        lines: usize,
    },
    /// Files of a kind that no reader knows were passed over.
    #[error(
        "passed over {} of the kind `{extension}`, such as `{example}`: {}",
        counted(*count, "file"),
        way_out(extension)
    )]
    UnsupportedKind {
        /// The extension with its dot, in lower case; `(none)` for files without.
        extension: String,
        /// The number of files.
        count: usize,
        /// The first of them.
        example: String,
    },
    /// Rows of a table have more fields than its header names.
    #[error(
        "`{path}`: {} more fields than the first row, the first of them in line {line}. Is a quotation \
         mark missing, or a delimiter doubled?",
        counted_with(*count, "row has", "rows have")
    )]
    RaggedRows {
        /// The document.
        path: String,
        /// The number of these rows.
        count: usize,
        /// The line of the first, from 1.
        line: u64,
    },
    /// The file is neither UTF-8 nor UTF-16, does not say what it is, and was read as what old
    /// programs write.
    #[error(
        "`{path}` is not UTF-8 and was read as Windows-1252. If its letters look wrong, save it as \
         UTF-8 (in a spreadsheet program, as \"CSV UTF-8\")"
    )]
    OldEncoding {
        /// The document.
        path: String,
    },
    /// Lines of a file of JSON lines are no JSON; the others were read.
    #[error(
        "`{path}`: left out {}, the first of them line {line} ({reason}). Correct them, or remove \
         them",
        counted_with(*count, "line that is no JSON", "lines that are no JSON")
    )]
    BadLines {
        /// The document.
        path: String,
        /// The number of these lines.
        count: usize,
        /// The first of them, from 1.
        line: usize,
        /// The parser's message about it.
        reason: String,
    },
    /// Records lack a field that their rule names.
    #[error(
        "`{path}`: {count} of {of} records have no field `{field}`, which the rule for `{rule}` \
         names{}",
        nearest.as_ref().map(|name| format!(". Is `{name}` meant?")).unwrap_or_default()
    )]
    FieldMissing {
        /// The file of records.
        path: String,
        /// The rule's pattern.
        rule: String,
        /// The field.
        field: String,
        /// The number of records that lack it.
        count: usize,
        /// The number of all records.
        of: usize,
        /// The field of most similar name, if no record has this one.
        nearest: Option<String>,
    },
    /// Several records have the same name; all but the first got a number.
    #[error(
        "`{path}`: {}, such as `{example}`. They were numbered; choose an `id` that differs for each",
        counted_with(*count, "record repeats another's id", "records repeat another's id")
    )]
    RepeatedIds {
        /// The file of records.
        path: String,
        /// The number of records that repeat another's name.
        count: usize,
        /// The first such name.
        example: String,
    },
    /// Records were read without a rule for them.
    #[error(
        "`{path}` was read as it stands. If it holds records, a `[[records]]` table in the settings \
         makes a document of each, with its own title and link"
    )]
    NoRule {
        /// The file.
        path: String,
    },
    /// Sheets, rows or cells of a workbook were left out.
    #[error("`{path}`: left out {what}")]
    SheetParts {
        /// The workbook.
        path: String,
        /// The parts, and what to do if they should be found.
        what: String,
    },
    /// A folder was not entered.
    #[error("the folder `{path}` was passed over: {reason}")]
    FolderSkipped {
        /// The folder.
        path: String,
        /// The reason, and what to do if it should not be.
        reason: String,
    },
}

/// The severity of a [`Finding`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Worth counting, not worth a line.
    Note,
    /// Worth a look; the document is in the corpus.
    Warning,
    /// A document, or a folder of them, is missing from the corpus.
    Failure,
}

impl Finding {
    /// Returns its severity.
    pub fn severity(&self) -> Severity {
        match self {
            Self::Failed { .. } => Severity::Failure,
            // These stand in most documents of some kinds, and nobody need do anything about them.
            Self::Comments { .. }
            | Self::TrackedChanges { .. }
            | Self::TemplateTags { .. }
            | Self::NoRule { .. }
            | Self::ReadFromPictures { .. }
            | Self::Furniture { .. }
            | Self::ContentsLeftOut { .. } => Severity::Note,
            _ => Severity::Warning,
        }
    }

    /// Returns `true` if a document is missing because of it.
    pub fn is_failure(&self) -> bool {
        self.severity() == Severity::Failure
    }

    /// The document or folder it is about; for passed-over kinds, the first file of that kind.
    pub fn path(&self) -> &str {
        match self {
            Self::Failed { path, .. }
            | Self::FrontMatter { path, .. }
            | Self::Unpublished { path, .. }
            | Self::HiddenText { path, .. }
            | Self::HiddenCharacters { path, .. }
            | Self::ChatTokens { path, .. }
            | Self::Comments { path, .. }
            | Self::TrackedChanges { path, .. }
            | Self::TemplateTags { path, .. }
            | Self::EventsLeftOut { path, .. }
            | Self::LinkDropped { path, .. }
            | Self::WrongExtension { path, .. }
            | Self::OldEncoding { path }
            | Self::RaggedRows { path, .. }
            | Self::BadLines { path, .. }
            | Self::FieldMissing { path, .. }
            | Self::RepeatedIds { path, .. }
            | Self::NoRule { path }
            | Self::SheetParts { path, .. }
            | Self::CutShort { path }
            | Self::PicturePages { path, .. }
            | Self::ReadFromPictures { path, .. }
            | Self::PagesLeftOut { path, .. }
            | Self::UnknownLetters { path, .. }
            | Self::Furniture { path, .. }
            | Self::ContentsLeftOut { path, .. }
            | Self::Empty { path }
            | Self::FolderSkipped { path, .. } => path,
            Self::UnsupportedKind { example, .. } => example,
        }
    }

    /// The failure of one document as a finding, so that a build can go on and report it.
    pub fn failed(path: impl Into<String>, error: &IngestError) -> Self {
        Self::Failed { path: path.into(), reason: error.to_string() }
    }
}

fn counted_with(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}
