use std::fmt;

use serde::{Deserialize, Serialize};

use crate::IngestError;
use crate::error::way_out;

/// Stands for the ending of files that have none.
pub(crate) const NO_EXTENSION: &str = "(none)";

/// Something worth telling the keeper of the documents, about one of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The document or folder it is about; for passed-over kinds, the first file of that kind.
    pub path: String,
    /// The finding itself.
    pub noticed: Noticed,
}

/// A finding about a document, in words that follow its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Noticed {
    /// The document could not be read and is missing from the corpus.
    #[error("{0}")]
    Failed(String),
    /// The front matter is broken; the page was read without it.
    #[error(
        ", line {line}: the front matter was left out ({reason}). A value that holds `: ` \
         or begins with `{{`, `[`, `@` or `%` needs quotes around it"
    )]
    FrontMatter {
        /// The line of the file, from 1.
        line: usize,
        /// The parser's message.
        reason: String,
    },
    /// The page says that it is not published, and was left out.
    #[error(" was left out, since its front matter says `{0}`. Take that away to have it found")]
    Unpublished(String),
    /// Text that a browser would not show was left out.
    #[error(
        ": text that a reader of the page does not see was left out ({}, \
         such as \"{example}\"). Make it visible if it should be found",
        counted(*pieces, "piece")
    )]
    HiddenText {
        /// The number of pieces.
        pieces: usize,
        /// The beginning of the longest.
        example: String,
    },
    /// Words that are struck out were left out: whoever struck them out says that they do not hold.
    #[error(
        ": words that are struck out were left out ({}, such as \"{example}\"). Take the line \
         away if they hold",
        counted(*pieces, "piece")
    )]
    StruckOut {
        /// The number of pieces.
        pieces: usize,
        /// The beginning of the longest.
        example: String,
    },
    /// Words that lie slanted across a page, or large and pale under its text, were left out: watermarks.
    #[error(
        ": words that lie across the page were left out ({}, such as \"{example}\"). Set them \
         level if they should be found",
        counted(*pieces, "piece")
    )]
    Slanted {
        /// The number of pieces.
        pieces: usize,
        /// The beginning of the longest.
        example: String,
    },
    /// What asks for an entry in a form ("Click here to enter text") was left out.
    #[error(
        ": what asks for an entry was left out ({}, such as \"{example}\"). Fill it in if something \
         should be found there",
        counted(*pieces, "piece")
    )]
    Prompts {
        /// The number of pieces.
        pieces: usize,
        /// The beginning of the longest.
        example: String,
    },
    /// Numbers of lines in the margin were left out.
    #[error(": left out {} in the margin. Nothing needs to be done", counted(*.0, "line number"))]
    LineNumbers(usize),
    /// Characters that show nothing, or change how others show, were left out.
    #[error(
        ": left out {} (tags or direction overrides). They can hide text from readers: look \
         at where they came from",
        counted(*.0, "invisible character")
    )]
    HiddenCharacters(usize),
    /// Control tokens of a language model were left out.
    #[error(
        ": left out {} of a language model, such as `{example}`. In a document they are an \
         attempt to steer a model, or a slip: look at where they came from",
        counted(*count, "control token")
    )]
    ChatTokens {
        /// The number of tokens.
        count: usize,
        /// The longest.
        example: String,
    },
    /// Comments were left out.
    #[error(": left out {}. Nothing needs to be done", counted(*.0, "comment"))]
    Comments(usize),
    /// Changes that nobody has accepted or rejected yet were read as if accepted.
    #[error(
        ": read {} as if accepted. Accept or reject them in the document if it should be \
         found otherwise",
        counted(*.0, "tracked change")
    )]
    TrackedChanges(usize),
    /// Tags of a site generator were left out; what they would insert is unknown here.
    #[error(
        ": left out {}. For what they insert, index the built site's HTML instead",
        counted(*.0, "template tag")
    )]
    TemplateTags(usize),
    /// Events of a calendar were left out.
    #[error(": left out {} ({reason}), such as \"{example}\"", counted(*count, "event"))]
    EventsLeftOut {
        /// The number of events.
        count: usize,
        /// The reason: they are cancelled, private, or too many.
        reason: String,
        /// The longest name.
        example: String,
    },
    /// A link that a reader should not follow lost its target; its words are kept.
    #[error(
        ": a link to `{0}` was left out. Only web, mail and relative addresses are \
         kept"
    )]
    LinkDropped(String),
    /// The file is of another kind than its name says, and was read as what it is.
    #[error(" is {0} despite its name, and was read as such. Give it the ending of its kind")]
    WrongExtension(String),
    /// The document was read and holds no text.
    #[error(
        " holds no text besides headings: nothing in it can be found. Remove it, or give it a body"
    )]
    Empty,
    /// The end of the file is missing; what is there was read.
    #[error(
        " is cut short: its end is missing, and pages may be missing with it. Download or \
         export it again"
    )]
    CutShort,
    /// Some pages are pictures, such as scans, whose text is not read.
    #[error(
        ": {} without text, page {first} first: pictures, it seems. With `ocr = true` in \
         campanile.toml and `tesseract` installed they are read",
        counted(*pages, "page")
    )]
    PicturePages {
        /// The number of these pages.
        pages: usize,
        /// The first of them, from 1.
        first: u32,
    },
    /// The text of some pages was read from their pictures.
    #[error(
        ": {} read from pictures. Where an answer looks odd, compare it with the page",
        counted(*.0, "page")
    )]
    ReadFromPictures(usize),
    /// Words in pictures could not be made out.
    #[error(
        ": {} in its pictures could not be made out, such as `{example}`: left out. A better scan helps",
        counted(*words, "word")
    )]
    UnclearWords {
        /// The number of words.
        words: usize,
        /// The longest of them.
        example: String,
    },
    /// The document has more pages than are read.
    #[error(
        " has {total} pages, of which the first {read} were read. Split it, or raise \
         `max_pages` in the settings"
    )]
    PagesLeftOut {
        /// The number of pages that were read.
        read: usize,
        /// The number of all pages.
        total: usize,
    },
    /// Letters whose fonts do not say which they are were left out.
    #[error(
        ": left out {} whose font does not say which they are. If text is missing, export \
         the PDF again with its fonts embedded",
        counted(*.0, "letter")
    )]
    UnknownLetters(usize),
    /// Numbers of pages were left out.
    #[error(": left out {}. Nothing needs to be done", counted(*.0, "page number"))]
    PageNumbers(usize),
    /// Running headers and footers were left out: lines that repeat.
    #[error(
        ": left out {} that stand at the same place on several pages, apart from their text: \
         {lines}. If one of them is text, move it into the text",
        counted(*rows, "line")
    )]
    RunningLines {
        /// The number of lines.
        rows: usize,
        /// The lines, each once.
        lines: String,
    },
    /// Running headers and footers were left out: the file says which they are.
    #[error(
        ": left out {} that the file marks as part of the page and not of its text: {lines}. If \
         one of them is text, take the mark away",
        counted(*rows, "line")
    )]
    PageMarks {
        /// The number of lines.
        rows: usize,
        /// The lines, each once.
        lines: String,
    },
    /// A printed table of contents was left out, since it repeats the headings.
    #[error(": left out a table of contents of {}, which repeats the headings", counted(*.0, "line"))]
    ContentsLeftOut(usize),
    /// The file is a part of others and stands in them.
    #[error(" is read within {0}, which takes it in, and is no document of its own")]
    TakenIn(String),
    /// The file holds other files, which were not read.
    #[error(
        " holds {} that {} not read: {names}. Save {} beside it to have {} found",
        counted(*files, "other file"),
        if *files == 1 { "was" } else { "were" },
        if *files == 1 { "it" } else { "them" },
        if *files == 1 { "it" } else { "them" }
    )]
    FilesWithin {
        /// The number of files.
        files: usize,
        /// Their names.
        names: String,
    },
    /// Steps of slides were left out, since the last step shows them again.
    #[error(
        ": left out {} of slides, which the page after them shows again. What only a step shows \
         was kept",
        counted(*.0, "step")
    )]
    StepsLeftOut(usize),
    /// Files of a kind that no reader knows were passed over.
    #[error(
        "passed over {} {}, such as `{example}`: {}",
        counted(*count, "file"),
        if extension == NO_EXTENSION { "without an ending".to_owned() } else { format!("of the kind `{extension}`") },
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
    /// Files that a website is made of beside its pages were passed over.
    #[error("passed over {} that the pages are made with ({kinds})", counted(*count, "file"))]
    Machinery {
        /// The number of files.
        count: usize,
        /// Their extensions.
        kinds: String,
    },
    /// Files were left out that a generator laid beside its pages: copies, lists and search indexes of them.
    #[error(
        "left out {} that only {} what the pages say, or {} them: {kinds}. What should be read all \
         the same is named in `include` of `[documents]`",
        counted(*count, "file"),
        if *count == 1 { "repeats" } else { "repeat" },
        if *count == 1 { "serves" } else { "serve" }
    )]
    LaidBeside {
        /// The number of files.
        count: usize,
        /// What they are, with the names of some.
        kinds: String,
    },
    /// Rows of a table have more fields than its header names.
    #[error(
        ": {} more fields than the first row, the first of them in line {line}. Is a quotation \
         mark missing, or a delimiter doubled?",
        counted_with(*count, "row has", "rows have")
    )]
    RaggedRows {
        /// The number of these rows.
        count: usize,
        /// The line of the first, from 1.
        line: u64,
    },
    /// The file is neither UTF-8 nor UTF-16, does not say what it is, and was read as what old
    /// programs write.
    #[error(
        " is not UTF-8 and was read as Windows-1252. If its letters look wrong, save it as \
         UTF-8 (in a spreadsheet program, as \"CSV UTF-8\")"
    )]
    OldEncoding,
    /// Lines of a file of JSON lines are no JSON; the others were read.
    #[error(
        ": left out {}, the first of them line {line} ({reason}). Correct them, or remove \
         them",
        counted_with(*count, "line that is no JSON", "lines that are no JSON")
    )]
    BadLines {
        /// The number of these lines.
        count: usize,
        /// The first of them, from 1.
        line: usize,
        /// The parser's message about it.
        reason: String,
    },
    /// Records lack a field that their rule names.
    #[error(
        ": {count} of {of} records have no field `{field}`, which the rule for `{rule}` \
         names{}",
        nearest.as_ref().map(|name| format!(". Is `{name}` meant?")).unwrap_or_default()
    )]
    FieldMissing {
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
        ": {}, such as `{example}`. They were numbered; choose an `id` that differs for each",
        counted_with(*count, "record repeats another's id", "records repeat another's id")
    )]
    RepeatedIds {
        /// The number of records that repeat another's name.
        count: usize,
        /// The first such name.
        example: String,
    },
    /// Records were read without a rule for them.
    #[error(
        " was read as it stands. If it holds records, a `[[records]]` table in the settings \
         makes a document of each, with its own title and link"
    )]
    NoRule,
    /// Sheets, rows or cells of a workbook were left out.
    #[error(": left out {0}")]
    SheetParts(String),
    /// Parts of a mail were left out.
    #[error(": left out {0}")]
    MailParts(String),
    /// A folder was not entered.
    #[error(" was passed over: {0}")]
    FolderSkipped(String),
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
        match &self.noticed {
            Noticed::Failed(_) => Severity::Failure,
            // These stand in most documents of some kinds, and nobody need do anything about them.
            Noticed::Comments(_)
            | Noticed::TrackedChanges(_)
            | Noticed::TemplateTags(_)
            | Noticed::NoRule
            | Noticed::ReadFromPictures(_)
            | Noticed::PageNumbers(_)
            | Noticed::RunningLines { .. }
            | Noticed::PageMarks { .. }
            | Noticed::StepsLeftOut(_)
            | Noticed::Slanted { .. }
            | Noticed::Prompts { .. }
            | Noticed::LineNumbers(_)
            | Noticed::TakenIn(_)
            | Noticed::Machinery { .. }
            | Noticed::LaidBeside { .. }
            | Noticed::MailParts(_)
            | Noticed::ContentsLeftOut(_) => Severity::Note,
            _ => Severity::Warning,
        }
    }

    /// Returns `true` if a document is missing because of it.
    pub fn is_failure(&self) -> bool {
        self.severity() == Severity::Failure
    }

    /// The failure of one document as a finding, so that a build can go on and report it.
    pub fn failed(path: impl Into<String>, error: &IngestError) -> Self {
        Noticed::Failed(error.to_string()).of(path)
    }
}

impl Noticed {
    /// The finding about a document or a folder.
    pub(crate) fn of(self, path: impl Into<String>) -> Finding {
        Finding { path: path.into(), noticed: self }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.noticed {
            // These name it themselves.
            Noticed::Failed(_)
            | Noticed::UnsupportedKind { .. }
            | Noticed::Machinery { .. }
            | Noticed::LaidBeside { .. } => self.noticed.fmt(formatter),
            Noticed::FolderSkipped(_) => {
                write!(formatter, "the folder `{}`{}", self.path, self.noticed)
            }
            noticed => write!(formatter, "`{}`{noticed}", self.path),
        }
    }
}

fn counted_with(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}
