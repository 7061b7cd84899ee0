use std::path::PathBuf;
use std::time::Duration;

use crate::{Kind, RuleError};

/// The reason why a document, or a folder of them, could not be read. Each message names the file and the way
/// out; it is written for the person who keeps the documents.
#[derive(Debug, thiserror::Error)]
pub enum IngestError {
    /// The folder of documents is not there, or is no folder.
    #[error("`{}` is not a folder: name the folder that holds the documents", root.display())]
    NotAFolder {
        /// The path that was given.
        root: PathBuf,
    },
    /// The folder holds nothing that can be read.
    #[error(
        "`{}` holds no documents{}: put {} files there, or name another folder",
        root.display(),
        seen(other_files),
        Kind::list()
    )]
    NoDocuments {
        /// The folder.
        root: PathBuf,
        /// The files of other kinds that lie there, counted by extension: `.pdf (3), .docx (1)`.
        other_files: String,
    },
    /// One document.
    #[error("{}`{path}`{trouble}", trouble.before())]
    Document {
        /// The document.
        path: String,
        /// Why, in words that follow its name.
        trouble: Trouble,
    },
}

/// The reason why one document could not be read, and the way out.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// The operating system refused to hand the file over.
    #[error(" cannot be read ({0}): check that it is there and its permissions")]
    Unreadable(std::io::Error),
    /// The file is larger than is sensible for a document.
    #[error(
        " is too large ({} MB, the limit is {} MB): split it into smaller documents, or \
         raise `max_file_mb` in the settings",
        megabytes(*bytes),
        megabytes(*limit_bytes)
    )]
    TooLarge {
        /// Its size in bytes.
        bytes: u64,
        /// The limit in bytes.
        limit_bytes: u64,
    },
    /// The file holds more text than is sensible for a document.
    #[error(
        " holds too much text ({} MB, the limit is {} MB): split it into smaller documents, \
         leave it out with `exclude`, or raise `max_text_mb` in the settings",
        megabytes(*bytes),
        megabytes(*limit_bytes)
    )]
    TooMuchText {
        /// The size of its text, in bytes.
        bytes: u64,
        /// The limit in bytes.
        limit_bytes: u64,
    },
    /// No reader knows this kind of file.
    #[error(" is of a kind that cannot be read: {0}")]
    UnsupportedKind(&'static str),
    /// The bytes are neither UTF-8 nor UTF-16 with a byte order mark, nor what the page declares, nor
    /// do they look like Windows-1252.
    #[error(
        " is not UTF-8 (byte 0x{byte:02X} at offset {offset}): convert it with \
         `iconv -f {likely} -t UTF-8`, or save it as UTF-8 in your editor"
    )]
    WrongEncoding {
        /// The place of the first byte that is no UTF-8.
        offset: usize,
        /// That byte.
        byte: u8,
        /// The probable encoding: the one that the page declares, or a common one.
        likely: String,
    },
    /// Half a character pair in a UTF-16 file.
    #[error(
        " is damaged: its UTF-16 text is broken off at offset {offset}. Save it again as \
         UTF-8"
    )]
    BrokenUtf16 {
        /// The place of the fault, in bytes.
        offset: usize,
    },
    /// The file holds NUL bytes, so it is no text whatever its name says.
    #[error(
        " looks binary (a NUL byte at offset {offset}): it is no text file despite its \
         name. Export it as Markdown, HTML or text; UTF-16 needs a byte order mark"
    )]
    Binary {
        /// The place of the first NUL byte.
        offset: usize,
    },
    /// The file is of another kind than its name says, and of one that no reader knows.
    #[error(
        " is {0} despite its name: give it the ending of its kind, or export it as \
         Markdown, HTML or text"
    )]
    WrongExtension(String),
    /// The page's elements lie too deep inside one another.
    #[error(
        " is nested {depth} elements deep (the limit is {limit}): close its tags, or export \
         it again from its source"
    )]
    TooDeep {
        /// The depth, judged by its tags.
        depth: usize,
        /// The greatest depth that is read.
        limit: usize,
    },
    /// Reading it took too long.
    #[error(
        " was not read within {} seconds: split it into smaller documents, or raise \
         `max_seconds` in the settings",
        .0.as_secs_f64()
    )]
    TooSlow(Duration),
    /// Reading it took too much memory.
    #[error(
        " needs more than {} MB of memory to be read: split it into smaller documents, or \
         raise `max_memory_mb` in the settings",
        megabytes(*limit_bytes)
    )]
    TooMuchMemory {
        /// The memory it was given, in bytes.
        limit_bytes: u64,
    },
    /// No process could be started to read it in.
    #[error(" was not read, since no process could be started for it ({0})")]
    NoChild(std::io::Error),
    /// The bytes are not what the file's name says.
    #[error(
        " is no sound {format} file ({reason}): repair it, or save it again with the program \
         it came from"
    )]
    Malformed {
        /// The format that it should have.
        format: &'static str,
        /// The problem, and its place.
        reason: String,
    },
    /// The file is sound, but of another kind than its name says.
    #[error(" looks like {looks_like} despite its name: {way_out}")]
    LooksLike {
        /// The kind of file that it looks like, with its article.
        looks_like: &'static str,
        /// The way out.
        way_out: &'static str,
    },
    /// The file can be opened with a password only.
    #[error(" is encrypted: save it without a password, or leave it out with `exclude`")]
    Encrypted,
    /// Unpacked, the file is far larger than it looks.
    #[error(
        " holds more than {} MB when it is unpacked: if it is sound, split it into smaller \
         files, or raise `max_inflated_mb` in the settings",
        megabytes(*limit_bytes)
    )]
    Inflated {
        /// The most that is unpacked, in bytes.
        limit_bytes: u64,
    },
    /// The file consists of more pieces than is sensible for a document.
    #[error(" consists of more than {limit} {what}: if it is sound, split it into smaller files")]
    TooManyInside {
        /// The kind of pieces: `parts`, `elements`.
        what: &'static str,
        /// The most that are read.
        limit: usize,
    },
    /// A rule for records does not fit the file.
    #[error(": {0}")]
    Rule(Box<RuleError>),
    /// A PDF whose encryption nobody here knows.
    #[error(
        " is encrypted in a way that is not known here: save it without encryption, or \
         leave it out with `exclude`"
    )]
    UnknownEncryption,
    /// A PDF that is cut short or broken, or none at all.
    #[error(
        " is no PDF that can be read: it is cut short, damaged, or of another kind despite \
         its name. Export it again from its source"
    )]
    DamagedPdf,
    /// A PDF in which no page is found.
    #[error(" has no pages: export it again from its source, or leave it out with `exclude`")]
    NoPages,
    /// Pages are pictures, and the program that is to read them is not there.
    #[error(
        " has pages that are pictures, and `{0}`, which is to read them, is not \
         installed: install it (`apt install tesseract-ocr`, `brew install tesseract`), or set \
         `ocr = false`"
    )]
    OcrMissing(String),
    /// Pages are pictures, and this program was compiled without what draws them.
    #[cfg(not(feature = "ocr"))]
    #[error(
        " has pages that are pictures, and this `campanile` was compiled without what draws them for \
         `tesseract`: a release has it, and so has `cargo install --path . --features ocr`; or set `ocr = false`"
    )]
    OcrNotCompiled,
    /// The program that is to read pictures failed.
    #[error(
        " is a picture that `{command}` could not read ({reason}): check that \
         its languages are installed, or set `ocr = false`"
    )]
    OcrFailed {
        /// The page, from 1.
        page: u32,
        /// The program.
        command: String,
        /// The program's message.
        reason: String,
    },
    /// A reader gave up in a way it should not have.
    #[error(
        " made its reader fail ({0}): leave the document out or simplify it, and \
         please report it"
    )]
    ReaderFailed(String),
}

impl Trouble {
    /// The words before the document's name.
    fn before(&self) -> String {
        match self {
            Self::OcrFailed { page, .. } => format!("page {page} of "),
            _ => String::new(),
        }
    }

    /// The error that names the document.
    pub(crate) fn of(self, path: impl Into<String>) -> IngestError {
        IngestError::Document { path: path.into(), trouble: self }
    }

    pub(crate) fn malformed(format: &'static str, reason: impl ToString) -> Self {
        Self::Malformed { format, reason: reason.to_string() }
    }
}

fn megabytes(bytes: u64) -> String {
    // One decimal is enough to see which side of the limit a file is on.
    let tenths = bytes.div_ceil(100_000);
    format!("{}.{}", tenths / 10, tenths % 10)
}

fn seen(other_files: &str) -> String {
    if other_files.is_empty() {
        return String::new();
    }
    format!(" that can be read (found: {other_files})")
}

// The old formats would each take a reader of its own; an office program saves them anew in seconds.
/// The way out by the end of the file's name, for one file or more: `save as ...`.
pub(crate) fn way_out(path: &str) -> &'static str {
    let extension = path.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    match extension.as_deref().unwrap_or_default() {
        "doc" | "dot" | "dotx" | "dotm" | "rtf" | "wps" | "wpd" | "pages" | "ott" | "sxw" => {
            "open in an office program and save as `.docx`"
        }
        "ppt" | "pps" | "pot" | "potx" | "key" | "otp" | "sxi" => {
            "open in an office program and save as `.pptx`"
        }
        "xlsb" | "xlt" | "xltx" | "numbers" | "ots" | "sxc" | "wk1" | "dbf" => {
            "open in a spreadsheet program and save as `.xlsx`"
        }
        "mdb" | "accdb" | "sqlite" | "sqlite3" | "db" | "odb" | "sav" | "dta" | "parquet" => {
            "export its tables as `.csv`"
        }
        "msg" | "oft" | "pst" | "ost" | "olm" | "dbx" => {
            "open in a mail program and save as `.eml`, or export as `.mbox`"
        }
        "mobi" | "azw" | "azw3" | "fb2" | "lit" | "kfx" => {
            "convert to EPUB (`.epub`) with a program for e-books"
        }
        "tex" | "latex" | "ltx" | "dvi" | "ps" | "eps" | "typ" | "indd" | "pub" | "xps"
        | "oxps" | "djvu" => "make a PDF of it and put that beside it",
        "vsd" | "vsdx" | "odg" | "drawio" | "dwg" | "dxf" | "ai" | "cdr" => {
            "export as PDF, if it holds text that should be found"
        }
        "png" | "jpg" | "jpeg" | "gif" | "tif" | "tiff" | "bmp" | "webp" | "heic" | "svg" => {
            "if it shows text that should be found, make a PDF of it and set `ocr = true` in campanile.toml"
        }
        "mp3" | "m4a" | "wav" | "ogg" | "mp4" | "m4v" | "mov" | "avi" | "mkv" | "webm" | "wmv" => {
            "put its subtitles (`.vtt` or `.srt`) beside it"
        }
        "zip" | "7z" | "rar" | "tar" | "gz" | "tgz" | "bz2" | "xz" | "zst" => {
            "unpack it into the folder"
        }
        "wiki" | "mediawiki" | "textile" | "creole" | "dita" | "docbook" | "dbk" | "tei"
        | "xml" | "chm" => "convert to HTML (`.html`) or Markdown (`.md`) what should be found",
        "one" | "onepkg" | "onetoc2" | "enex" => "export its pages as PDF or HTML",
        "gdoc" | "gsheet" | "gslides" => {
            "it only leads to a document elsewhere: download that as `.docx`, `.xlsx` or `.pptx`"
        }
        "url" | "webloc" | "lnk" | "desktop" => {
            "it only leads elsewhere: put the document itself there, or name the website in campanile.toml"
        }
        "vcf" => "export as `.csv` the contacts that should be found",
        "p7m" | "pgp" | "gpg" | "asc" => "decrypt it, and save what is inside",
        _ => {
            "convert to Word (`.docx`), Markdown (`.md`), HTML (`.html`) or plain text (`.txt`) what \
             should be found"
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::read_bytes;

    #[test]
    fn old_office_files_are_saved_anew() {
        let cases = [
            ("a/x.doc", "save as `.docx`"),
            ("a/x.RTF", "save as `.docx`"),
            ("a/x.ppt", "save as `.pptx`"),
            ("a/x.msg", "`.eml`"),
            ("a/x.tex", "PDF"),
            ("a/x.mp4", "`.vtt`"),
            ("a/x.azw3", "`.epub`"),
            ("a/x.zip", "unpack"),
            ("a/x.xyz", "Markdown"),
            ("a/x", "Markdown"),
        ];
        for (path, expected) in cases {
            let message = read_bytes(path, b"", &Default::default()).map(|_| ());
            let message = message.err().map(|error| error.to_string()).unwrap_or_default();
            assert!(message.contains(path) && message.contains(expected), "{message}");
        }
    }
}
