//! Reads the folders of `languages/` and writes their words as Rust. Shared by the build script and its tests.
//!
//! The files of the first language say which sections there are, what each is for and what shape its entries have. The
//! README shows all of it by example.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use campanile_unicode::fold;

/// A mistake in a file, with its place: `languages/de/calendar.txt:7: …`.
type Mistake = String;

/// A folder of `languages/`.
struct Language {
    /// The name of the folder.
    code: String,
    facts: Facts,
    files: Vec<File>,
}

/// A file of words, by its name without the ending.
struct File {
    name: String,
    path: PathBuf,
    sections: Vec<Section>,
}

/// A heading in square brackets with the lines below it.
struct Section {
    name: String,
    /// Behind the heading; only in the first language.
    shape: String,
    /// The comment right below the heading.
    comment: Vec<String>,
    line: usize,
    /// Lines with their numbers.
    entries: Vec<(usize, String)>,
}

/// The rows of a `language.toml`.
#[derive(Default)]
struct Facts {
    name: String,
    order: u32,
    /// Documents may be in it; if not, it is only told from the others in a question.
    is_of_documents: bool,
    stemmer: String,
    thousands: String,
    has_month_first: bool,
    has_day_stop: bool,
    has_capital_names: bool,
    joins_numbers: bool,
}

/// The Rust source of all tables.
pub fn tables(folder: &Path) -> Result<String, Mistake> {
    let mut languages = Vec::new();
    for path in sorted_entries(folder)? {
        languages.push(Language::read(&path)?);
    }
    languages.sort_by_key(|language| language.facts.order);
    for pair in languages.windows(2) {
        if let [left, right] = pair
            && left.facts.order == right.facts.order
        {
            let toml = folder.join(&right.code).join("language.toml");
            return Err(format!("{}: `order` is that of `{}` too", toml.display(), left.code));
        }
    }
    let first = languages.first().ok_or_else(|| format!("{}: no language", folder.display()))?;
    for language in &languages[1..] {
        language.check(first)?;
    }
    let mut out = String::new();
    write_languages(&languages, &mut out);
    for file in &first.files {
        let mut body = String::new();
        for section in &file.sections {
            Table { languages: &languages, file, section }.write(&mut body)?;
        }
        let uses = [
            ("Language", "language: Language"),
            ("Phrases", "Phrases::of("),
            ("Words", "Words::of("),
        ];
        let uses: Vec<&str> =
            uses.iter().filter(|(_, sign)| body.contains(sign)).map(|(name, _)| *name).collect();
        let head =
            format!("pub mod {} {{\n    use super::{{{}}};", rust(&file.name), uses.join(", "));
        let _ = write!(out, "/// The words of `{}.txt`.\n{head}\n\n{body}}}\n\n", file.name);
    }
    Ok(out)
}

fn sorted_entries(folder: &Path) -> Result<Vec<PathBuf>, Mistake> {
    let failed = |error| format!("{}: {error}", folder.display());
    let entries = fs::read_dir(folder).map_err(failed)?;
    let paths: Result<Vec<PathBuf>, _> = entries.map(|entry| Ok(entry?.path())).collect();
    let mut paths = paths.map_err(failed)?;
    // A folder's order is another on each system.
    paths.sort();
    Ok(paths)
}

fn read(path: &Path) -> Result<String, Mistake> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn at(path: &Path, line: usize, what: &str) -> Mistake {
    format!("{}:{line}: {what}", path.display())
}

/// `office-hours` as Rust names it.
fn rust(name: &str) -> String {
    name.replace('-', "_")
}

impl Language {
    fn read(folder: &Path) -> Result<Self, Mistake> {
        let facts = Facts::read(&folder.join("language.toml"))?;
        let mut files = Vec::new();
        for path in sorted_entries(folder)? {
            if path.extension().is_some_and(|ending| ending == "txt") {
                files.push(File::read(path)?);
            } else if !path.ends_with("language.toml") {
                return Err(format!("{}: neither `language.toml` nor a `.txt`", path.display()));
            }
        }
        Ok(Self { code: stem(folder), facts, files })
    }

    /// Fails where a file or a section is one that the first language does not have.
    fn check(&self, first: &Self) -> Result<(), Mistake> {
        for file in &self.files {
            let no_file =
                || format!("{}: `{}` has no file of this name", file.path.display(), first.code);
            let known = first.file(&file.name).ok_or_else(no_file)?;
            for section in &file.sections {
                let what = match known.section(&section.name) {
                    None => format!("`{}` has no section [{}]", known.path.display(), section.name),
                    Some(_) if section.shape.is_empty() => continue,
                    Some(_) => {
                        format!("the shape is told in `{}`, and not here", known.path.display())
                    }
                };
                return Err(at(&file.path, section.line, &what));
            }
        }
        Ok(())
    }

    fn file(&self, name: &str) -> Option<&File> {
        self.files.iter().find(|file| file.name == name)
    }
}

impl File {
    fn read(path: PathBuf) -> Result<Self, Mistake> {
        let mut sections: Vec<Section> = Vec::new();
        for (line, text) in (1..).zip(read(&path)?.lines().map(str::trim)) {
            if let Some(heading) = text.strip_prefix('[') {
                let no_end = || at(&path, line, "a heading ends in `]`");
                let (name, shape) = heading.split_once(']').ok_or_else(no_end)?;
                if sections.iter().any(|other| other.name == name) {
                    return Err(at(&path, line, &format!("[{name}] stands here twice")));
                }
                let (name, shape) = (name.to_owned(), shape.trim().to_owned());
                sections.push(Section {
                    name,
                    shape,
                    comment: Vec::new(),
                    line,
                    entries: Vec::new(),
                });
            } else if let Some(comment) = text.strip_prefix('#') {
                let open = sections.last_mut().filter(|section| section.entries.is_empty());
                open.into_iter()
                    .for_each(|section| section.comment.push(comment.trim().to_owned()));
            } else if !text.is_empty() {
                let section =
                    sections.last_mut().ok_or_else(|| at(&path, line, "no [heading] above it"))?;
                section.entries.push((line, text.to_owned()));
            }
        }
        Ok(Self { name: stem(&path), path, sections })
    }

    fn section(&self, name: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.name == name)
    }
}

impl Facts {
    fn read(path: &Path) -> Result<Self, Mistake> {
        let mut facts =
            Self { is_of_documents: true, thousands: ",".to_owned(), ..Self::default() };
        for (line, row) in (1..).zip(read(path)?.lines().map(str::trim)) {
            if row.is_empty() || row.starts_with('#') {
                continue;
            }
            let (key, value) = row.split_once('=').unwrap_or((row, ""));
            let (key, value) = (key.trim(), value.trim().trim_matches('"'));
            let is = |yes: &str, no: &str| {
                let other = || at(path, line, &format!("`{key}` is `{yes}` or `{no}`"));
                if value == yes || value == no { Ok(value == yes) } else { Err(other()) }
            };
            match key {
                "name" => facts.name = value.to_owned(),
                "order" => {
                    facts.order = value.parse().map_err(|_| at(path, line, "no whole number"))?
                }
                "documents" => facts.is_of_documents = is("true", "false")?,
                "stemmer" => facts.stemmer = value.to_owned(),
                "thousands" => facts.thousands = value.to_owned(),
                "slash_dates" => facts.has_month_first = is("month first", "day first")?,
                "days" => facts.has_day_stop = is("3.", "3")?,
                "capitals" => facts.has_capital_names = is("names", "nouns")?,
                "number_words" => facts.joins_numbers = is("joined", "apart")?,
                _ => return Err(at(path, line, &format!("`{key}` is no row of a language"))),
            }
        }
        let is_whole = !facts.name.is_empty() && facts.order > 0;
        is_whole.then_some(facts).ok_or_else(|| at(path, 1, "`name` and `order` are needed"))
    }
}

/// The enum `Language`, and what each `language.toml` says as its methods.
fn write_languages(languages: &[Language], out: &mut String) {
    let own: Vec<&Language> = languages.iter().filter(|it| it.facts.is_of_documents).collect();
    out.push_str(
        "/// The language of a corpus: decides stop words and stemming.\n\
         #[derive(\n    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema,\n)]\n\
         #[cfg_attr(feature = \"typescript\", derive(tsify::Tsify))]\n\
         pub enum Language {\n",
    );
    for (place, Language { code, facts, .. }) in own.iter().enumerate() {
        let default = if place == 0 { "    #[default]\n" } else { "" };
        let name = &facts.name;
        let _ =
            write!(out, "    /// {name}.\n{default}    #[serde(rename = {code:?})]\n    {name},\n");
    }
    out.push_str(
        "    /// Any other: no stop words, no stemming.\n    #[serde(rename = \"none\")]\n    None,\n}\n\n\
         impl Language {\n",
    );
    let all: Vec<String> = own.iter().map(|it| format!("Self::{}", it.facts.name)).collect();
    let (count, all) = (own.len(), all.join(", "));
    let _ = write!(
        out,
        "    /// Those that documents may be in.\n    pub const ALL: [Self; {count}] = [{all}];\n\n"
    );
    let mut method = |head: &str,
                      comment: &str,
                      none: &str,
                      value: &dyn Fn(&Language) -> String| {
        let _ =
            write!(out, "    /// {comment}\n    pub const fn {head} {{\n        match self {{\n");
        for language in &own {
            let _ =
                writeln!(out, "            Self::{} => {},", language.facts.name, value(language));
        }
        let _ = write!(out, "            Self::None => {none},\n        }}\n    }}\n\n");
    };
    let comment = "The name used in configuration and manifests: `en`, `de`, `none`.";
    method("code(self) -> &'static str", comment, "\"none\"", &|it| format!("{:?}", it.code));
    let comment = "The name in English; none for any other language.";
    method("name(self) -> Option<&'static str>", comment, "None", &|it| {
        format!("Some({:?})", it.facts.name)
    });
    let comment = "The Snowball stemmer, where there is one.";
    method("stemmer(self) -> Option<Algorithm>", comment, "None", &|it| match it
        .facts
        .stemmer
        .as_str()
    {
        "" => "None".to_owned(),
        stemmer => format!("Some(Algorithm::{stemmer})"),
    });
    let comment = "The mark between thousands.";
    let mark = |it: &Language| format!("{:?}", it.facts.thousands.chars().next().unwrap_or(','));
    method("thousands(self) -> char", comment, "','", &mark);
    let comment = "Returns `true` if `5/3/2024` begins with its month.";
    method("has_month_first(self) -> bool", comment, "false", &|it| {
        it.facts.has_month_first.to_string()
    });
    let comment = "Returns `true` if a full stop stands behind a day: `3. Mai`.";
    method("has_day_stop(self) -> bool", comment, "false", &|it| it.facts.has_day_stop.to_string());
    let comment = "Returns `true` if a capital inside a sentence tells a name, and not any noun.";
    method("has_capital_names(self) -> bool", comment, "false", &|it| {
        it.facts.has_capital_names.to_string()
    });
    let comment =
        "Returns `true` if a number is one word with its units before its tens: `einundzwanzig`.";
    method("joins_numbers(self) -> bool", comment, "false", &|it| {
        it.facts.joins_numbers.to_string()
    });
    out.push_str("}\n\n");
}

/// One section in all languages.
struct Table<'a> {
    languages: &'a [Language],
    file: &'a File,
    section: &'a Section,
}

/// The entries of a language: a line's words, or the line as a whole.
type Rows = Vec<Vec<String>>;

impl Table<'_> {
    fn write(&self, out: &mut String) -> Result<(), Mistake> {
        let Section { name, shape, comment, line, .. } = self.section;
        let mistake = |what: &str| at(&self.file.path, *line, what);
        if comment.is_empty() {
            return Err(mistake("a comment below the heading says what the section is for"));
        }
        let mut found = Vec::new();
        for language in self.languages {
            if let Some(rows) = self.rows(language)? {
                found.push((language, rows));
            }
        }
        let name = rust(name);
        let upper = name.to_uppercase();
        for line in comment {
            let _ = writeln!(out, "    /// {line}");
        }
        let all: Rows = found.iter().flat_map(|(_, rows)| rows.clone()).collect();
        let table = match shape.as_str() {
            "words" => format!("const {upper}: Words = {}", list(once(all.concat()))),
            "phrases" => {
                let phrases = once(all.concat()).join("|");
                format!("const {upper}: Phrases = Phrases::of({phrases:?})")
            }
            "rows" => format!("static {upper}: &[Words] = &[{}]", lists(all)),
            "words, by language" => {
                let of = |rows: &Rows| list(rows.concat());
                by_language(&name, "Words", &list(Vec::new()), &found, out, &of);
                return Ok(());
            }
            "sorted, by language" => {
                let of = |rows: &Rows| {
                    let sorted: BTreeSet<String> = folded(rows).into_iter().collect();
                    format!("&{:?}", Vec::from_iter(sorted))
                };
                let kind = "&'static [&'static str]";
                by_language(&name, kind, "&[]", &found, out, &of);
                return Ok(());
            }
            "words, by name" => {
                let rows = found.iter().map(|(language, rows)| {
                    format!("({:?}, {})", language.facts.name, list(once(folded(rows))))
                });
                let rows = Vec::from_iter(rows).join(", ");
                format!("static {upper}: &[(&str, Words)] = &[{rows}]")
            }
            _ => {
                let count = self.count().ok_or_else(|| {
                    mistake(&format!("`{shape}` is no shape; the README lists them"))
                })?;
                // Texts are compared folded, and shown as they are written.
                let both =
                    |row: &Vec<String>| once([row.clone(), folded(&vec![row.clone()])].concat());
                let of = |rows: &Rows| {
                    format!("const {{ &[{}] }}", lists(rows.iter().map(both).collect()))
                };
                let kind = format!("&'static [Words; {count}]");
                let none = format!("const {{ &[Words::of(\"\"); {count}] }}");
                by_language(&name, &kind, &none, &found, out, &of);
                let _ = writeln!(out, "    /// [`{name}`] in all languages, folded.");
                let row = |at: usize| found.iter().map(|(_, rows)| rows[at].clone()).collect();
                let rows = (0..count).map(|at| once(folded(&row(at))));
                format!("static {upper}: [Words; {count}] = [{}]", lists(rows.collect()))
            }
        };
        let _ = writeln!(out, "    pub {table};\n");
        Ok(())
    }

    /// The number of rows that each language has, if the shape tells it.
    fn count(&self) -> Option<usize> {
        self.section.shape.strip_suffix(" rows")?.parse().ok()
    }

    /// The entries in one language, checked.
    fn rows(&self, language: &Language) -> Result<Option<Rows>, Mistake> {
        let Some(file) = language.file(&self.file.name) else { return Ok(None) };
        let Some(section) = file.section(&self.section.name) else { return Ok(None) };
        let shape = self.section.shape.as_str();
        let is_rows = shape.ends_with("rows");
        let mut rows: Rows = Vec::new();
        let mut seen = BTreeSet::new();
        for (line, text) in &section.entries {
            let mistake = |what: String| at(&file.path, *line, &what);
            if text.contains(['"', '\\', '|']) {
                return Err(mistake(
                    "entries have no quotation marks, bars or backslashes".to_owned(),
                ));
            }
            let words: Vec<&str> = match shape {
                "phrases" => vec![text],
                _ => text.split_whitespace().filter(|word| *word != "-").collect(),
            };
            if is_rows {
                seen.clear();
            }
            let mut row = Vec::new();
            for word in words {
                if !seen.insert(word) {
                    return Err(mistake(format!("`{word}` stands in [{}] twice", section.name)));
                }
                if let Some(without) = word.strip_prefix('!') {
                    rows.iter_mut()
                        .chain([&mut row])
                        .for_each(|row| row.retain(|other| other != without));
                } else if let Some(place) = word.strip_prefix('@') {
                    let named = self.named(language, place).ok_or_else(|| {
                        mistake(format!("there is no section `{place}`: write `@calendar.months`"))
                    })?;
                    row.extend(named);
                } else {
                    row.push(word.to_owned());
                }
            }
            rows.push(row);
        }
        if let Some(count) = self.count().filter(|count| *count != rows.len()) {
            let what = format!("[{}] has {} rows, and needs {count}", section.name, rows.len());
            return Err(at(&file.path, section.line, &what));
        }
        Ok(Some(rows))
    }

    /// The words of another section, in small letters; none where the language lacks it.
    fn named(&self, language: &Language, place: &str) -> Option<Vec<String>> {
        let (file, section) = place.split_once('.')?;
        self.languages.first()?.file(file)?.section(section)?;
        let own = language.file(file).and_then(|file| file.section(section));
        let lines = own.map(|section| section.entries.as_slice()).unwrap_or_default();
        let words = lines.iter().flat_map(|(_, text)| text.split_whitespace());
        Some(words.filter(|word| *word != "-").map(str::to_lowercase).collect())
    }
}

/// The words, each once: two languages may share one.
fn once(mut words: Vec<String>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    words.retain(|word| seen.insert(word.clone()));
    words
}

fn folded(rows: &Rows) -> Vec<String> {
    rows.concat().iter().map(|word| fold(word)).collect()
}

fn list(words: Vec<String>) -> String {
    format!("Words::of({:?})", words.join(" "))
}

fn lists(rows: Rows) -> String {
    Vec::from_iter(rows.into_iter().map(list)).join(", ")
}

/// Writes a function that returns a section's entries in a language.
fn by_language(
    name: &str,
    kind: &str,
    none: &str,
    found: &[(&Language, Rows)],
    out: &mut String,
    value: &dyn Fn(&Rows) -> String,
) {
    let _ = write!(
        out,
        "    pub const fn {name}(language: Language) -> {kind} {{\n        match language {{\n"
    );
    for (language, rows) in found.iter().filter(|(it, _)| it.facts.is_of_documents) {
        let _ = writeln!(out, "            Language::{} => {},", language.facts.name, value(rows));
    }
    let _ = write!(out, "            _ => {none},\n        }}\n    }}\n\n");
}
