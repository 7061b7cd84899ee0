//! Blocks: sections, paragraphs, and what stands between lines of marks.

use super::references::section_id;
use super::{DEEPEST, Place, Reader, lists};
use crate::assemble::DEEPEST_HEADING;
use crate::html::escaped;
use crate::marked::{attribute, raw};

/// What the lines in brackets above a block say of it.
#[derive(Clone, Debug, Default)]
pub(super) struct BlockAttributes {
    pub(super) title: Option<String>,
    pub(super) id: Option<String>,
    /// The first word: `quote`, `source`, `NOTE`.
    pub(super) style: String,
    pub(super) roles: Vec<String>,
    pub(super) options: Vec<String>,
    /// All words in their order, the style first.
    pub(super) positional: Vec<String>,
    pub(super) named: Vec<(String, String)>,
}

impl BlockAttributes {
    pub(super) fn named(&self, name: &str) -> Option<&str> {
        self.named.iter().rev().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    pub(super) fn has_option(&self, name: &str) -> bool {
        let options = self.named("options").or_else(|| self.named("opts")).unwrap_or_default();
        self.options.iter().any(|own| own == name)
            || options.split(',').any(|own| own.trim() == name)
    }

    /// Takes `[quote#id.role%option,name=value]`; false for what is no such line.
    fn take(&mut self, line: &str) -> bool {
        if let Some(inner) = line.strip_prefix("[[").and_then(|line| line.strip_suffix("]]")) {
            self.id = inner.split(',').next().map(|id| id.trim().to_owned());
            return true;
        }
        let Some(inner) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) else {
            return false;
        };
        for (number, word) in values(inner).into_iter().enumerate() {
            match word.split_once('=') {
                Some((name, value)) if is_name(name.trim()) => {
                    let value = value.trim().trim_matches(['"', '\'']).to_owned();
                    self.named.push((name.trim().to_owned(), value));
                }
                _ => {
                    let word = word.trim().trim_matches('"');
                    if number == 0 {
                        self.shorthand(word);
                    }
                    self.positional.push(word.to_owned());
                }
            }
        }
        if let Some(id) = self.named("id").map(str::to_owned) {
            self.id = Some(id);
        }
        if let Some(title) = self.named("title").map(str::to_owned) {
            self.title = Some(title);
        }
        true
    }

    fn shorthand(&mut self, word: &str) {
        let mut rest = word;
        let mut mark = ' ';
        loop {
            let end = rest.find(['#', '.', '%']).unwrap_or(rest.len());
            let (part, behind) = rest.split_at(end);
            let part = part.trim().to_owned();
            match mark {
                _ if part.is_empty() => {}
                '#' => self.id = Some(part),
                '.' => self.roles.push(part),
                '%' => self.options.push(part),
                _ => self.style = part,
            }
            let Some(next) = behind.chars().next() else { return };
            mark = next;
            rest = behind.get(1..).unwrap_or_default();
        }
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
}

/// The values between commas; those within quotation marks part nothing.
pub(super) fn values(text: &str) -> Vec<String> {
    let mut values = vec![String::new()];
    let mut is_quoted = false;
    for character in text.chars() {
        is_quoted ^= character == '"';
        match values.last_mut() {
            Some(_) if character == ',' && !is_quoted => values.push(String::new()),
            Some(last) => last.push(character),
            None => {}
        }
    }
    values
}

/// The level (from 1) and the words of `== Title`.
pub(super) fn section_title(line: &str) -> Option<(u8, &str)> {
    let mark = line.chars().next().filter(|mark| matches!(mark, '=' | '#'))?;
    let marks = line.len() - line.trim_start_matches(mark).len();
    let title = line.get(marks..)?.strip_prefix(' ')?.trim();
    let level = u8::try_from(marks).ok().filter(|level| (1..=6).contains(level))?;
    (!title.is_empty()).then_some((level, title))
}

/// Blocks between two lines of the same marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fence {
    Comment,
    Code,
    Literal,
    Example,
    Sidebar,
    Quote,
    Open,
    Raw,
    Table,
}

pub(super) fn fence(line: &str) -> Option<Fence> {
    if matches!(line, "|===" | ",===" | ":===" | "!===")
        || line.len() > 4 && line.starts_with("|====")
    {
        return Some(Fence::Table);
    }
    if line == "--" {
        return Some(Fence::Open);
    }
    if line.starts_with("```") && !line.get(3..).is_some_and(|rest| rest.contains('`')) {
        return Some(Fence::Code);
    }
    let mark = line.chars().next()?;
    if line.len() < 4 || line.chars().any(|own| own != mark) {
        return None;
    }
    match mark {
        '/' => Some(Fence::Comment),
        '-' => Some(Fence::Code),
        '.' => Some(Fence::Literal),
        '=' => Some(Fence::Example),
        '*' => Some(Fence::Sidebar),
        '_' => Some(Fence::Quote),
        '+' => Some(Fence::Raw),
        _ => None,
    }
}

impl Reader {
    /// Reads a run of lines.
    pub(super) fn blocks(&mut self, lines: &[&str], place: Place) -> String {
        let mut out = String::new();
        let mut at = 0;
        while at < lines.len() {
            let (block, next) = self.block(lines, at, place);
            out.push_str(&block);
            at = next.max(at + 1);
        }
        out
    }

    /// Reads one block with the lines above it that speak of it; the place behind it.
    pub(super) fn block(&mut self, lines: &[&str], start: usize, place: Place) -> (String, usize) {
        let mut own = BlockAttributes::default();
        let mut at = start;
        while let Some(line) = lines.get(at).copied() {
            if line.is_empty()
                || line == "<<<"
                || matches!(line, "'''" | "---" | "***" | "- - -" | "* * *")
            {
                at += 1;
            } else if let Some(next) = self.attribute_entry(lines, at) {
                at = next;
            } else if line.starts_with("//")
                && fence(line) != Some(Fence::Comment)
                && !line.starts_with("///")
            {
                self.report.comments += 1;
                at += 1;
            } else if own.take(line) {
                at += 1;
            } else if let Some(title) = line
                .strip_prefix('.')
                .filter(|title| !title.is_empty() && !title.starts_with(['.', ' ']))
            {
                own.title = Some(title.to_owned());
                at += 1;
            } else {
                return self.block_of(lines, at, &own, place);
            }
        }
        (String::new(), at)
    }

    fn block_of(
        &mut self,
        lines: &[&str],
        at: usize,
        own: &BlockAttributes,
        place: Place,
    ) -> (String, usize) {
        let line = lines.get(at).copied().unwrap_or_default();
        if place.depth >= DEEPEST {
            return (format!("<p>{}</p>", escaped(line)), at + 1);
        }
        if let Some((level, title)) = section_title(line)
            && (place.depth == 0 || matches!(own.style.as_str(), "discrete" | "float"))
        {
            return (self.section(level, title, own), at + 1);
        }
        if let Some(fence) = fence(line) {
            return self.fenced(lines, at, fence, own, place);
        }
        if let Some(block) = self.block_macro(line, own) {
            return (block, at + 1);
        }
        if lists::item(line).is_some() {
            let (list, next) = self.list(lines, at, &mut Vec::new(), own, place);
            return (format!("{}{list}", self.title(own)), next);
        }
        if let Some(level) = underlined(line, lines.get(at + 1)).filter(|_| place.depth == 0) {
            return (self.section(level, line, own), at + 2);
        }
        self.paragraph(lines, at, own, place)
    }

    fn section(&mut self, level: u8, title: &str, own: &BlockAttributes) -> String {
        let title = self.attributes.filled(title);
        let level = i32::from(level).saturating_add(self.attributes.offset());
        let level = u8::try_from(level.clamp(1, i32::from(DEEPEST_HEADING))).unwrap_or(1);
        let id = own.id.clone().unwrap_or_else(|| section_id(&title, &self.attributes));
        let is_counted = self.attributes.is_set("sectnums") || self.attributes.is_set("numbered");
        let number = (is_counted && level > 1 && own.style.is_empty()).then(|| self.number(level));
        let words = self.inline(&title);
        format!(
            "<h{level} id=\"{}\">{}{words}</h{level}>\n",
            attribute(&id),
            number.flatten().unwrap_or_default()
        )
    }

    /// `1.2. ` in front of a section, down to the level that is numbered.
    fn number(&mut self, level: u8) -> Option<String> {
        let deepest = self.attributes.value("sectnumlevels").and_then(|levels| levels.parse().ok());
        let depth = usize::from(level.saturating_sub(1));
        if depth > deepest.unwrap_or(3) {
            return None;
        }
        self.numbers.resize(depth, 0);
        if let Some(last) = self.numbers.last_mut() {
            *last += 1;
        }
        let numbers: Vec<String> = self.numbers.iter().map(usize::to_string).collect();
        Some(format!("{}. ", numbers.join(".")))
    }

    pub(super) fn title(&mut self, own: &BlockAttributes) -> String {
        match &own.title {
            Some(title) => format!("<p>{}</p>\n", self.inline(&title.clone())),
            None => String::new(),
        }
    }

    /// Reads what stands between this line and the next of the same marks.
    fn fenced(
        &mut self,
        lines: &[&str],
        at: usize,
        fence: Fence,
        own: &BlockAttributes,
        place: Place,
    ) -> (String, usize) {
        let open = lines.get(at).copied().unwrap_or_default();
        let close = if open.starts_with("```") { "```" } else { open };
        let below = lines.get(at + 1..).unwrap_or_default();
        let length = below.iter().position(|line| *line == close).unwrap_or(below.len());
        let inner = below.get(..length).unwrap_or_default();
        let next = at + 2 + length;
        let title = if fence == Fence::Table { String::new() } else { self.title(own) };
        let block = match fence {
            Fence::Comment => {
                self.report.comments += 1;
                return (String::new(), next);
            }
            _ if own.style == "comment" => {
                self.report.comments += 1;
                return (String::new(), next);
            }
            Fence::Code | Fence::Literal => verbatim(inner),
            Fence::Raw if matches!(own.style.as_str(), "stem" | "latexmath") => formula(inner),
            Fence::Raw => raw(inner),
            Fence::Table => self.table(open, inner, own, place),
            Fence::Quote if own.style == "verse" => {
                let lines: Vec<String> = inner.iter().map(|line| self.inline(line)).collect();
                format!(
                    "<blockquote><p>{}</p>{}</blockquote>",
                    lines.join("<br>"),
                    self.source_of(own)
                )
            }
            Fence::Quote => {
                let text = self.blocks(inner, place.inside());
                format!("<blockquote>{text}{}</blockquote>", self.source_of(own))
            }
            Fence::Open if matches!(own.style.as_str(), "source" | "listing" | "literal") => {
                verbatim(inner)
            }
            Fence::Open if own.style == "quote" => {
                let text = self.blocks(inner, place.inside());
                format!("<blockquote>{text}{}</blockquote>", self.source_of(own))
            }
            Fence::Open | Fence::Example | Fence::Sidebar => {
                format!("<div>{}</div>", self.blocks(inner, place.inside()))
            }
        };
        (format!("{title}{block}\n"), next)
    }

    /// Who is quoted, and from where: `[quote,Dean,Letter of May]`.
    fn source_of(&mut self, own: &BlockAttributes) -> String {
        let named = [own.named("attribution"), own.named("citetitle")];
        let words: Vec<String> = match own.positional.get(1..) {
            Some([_, ..]) => own.positional.iter().skip(1).cloned().collect(),
            _ => named.into_iter().flatten().map(str::to_owned).collect(),
        };
        let words: Vec<String> = words.into_iter().filter(|word| !word.is_empty()).collect();
        if words.is_empty() {
            String::new()
        } else {
            format!("<p>{}</p>", self.inline(&words.join(", ")))
        }
    }

    /// `image::plan.png[Plan]`, `toc::[]`
    fn block_macro(&mut self, line: &str, own: &BlockAttributes) -> Option<String> {
        let (name, rest) = line.split_once("::")?;
        if !matches!(name, "image" | "video" | "audio" | "toc") || rest.starts_with(' ') {
            return None;
        }
        rest.strip_suffix(']').filter(|rest| rest.contains('['))?;
        // Of a picture its words may say a sentence, beside its caption.
        let picture = match name {
            "image" => format!("<p>{}</p>", self.inline(&format!("image:{rest}"))),
            _ => String::new(),
        };
        Some(picture + &self.title(own))
    }

    fn paragraph(
        &mut self,
        lines: &[&str],
        at: usize,
        own: &BlockAttributes,
        place: Place,
    ) -> (String, usize) {
        let ends = |line: &&&str| {
            line.is_empty()
                || **line == "+" && place.is_in_list
                || fence(line).is_some()
                || place.is_in_list && lists::item(line).is_some()
                || line.starts_with("[[") && line.ends_with("]]")
        };
        let below = lines.get(at + 1..).unwrap_or_default();
        let length = 1 + below.iter().take_while(|line| !ends(line)).count();
        let own_lines = lines.get(at..at + length).unwrap_or_default();
        let is_comment = |line: &&&str| line.starts_with("//") && !line.starts_with("///");
        self.report.comments += own_lines.iter().filter(|line| is_comment(line)).count();
        let kept: Vec<&str> = own_lines.iter().filter(|line| !is_comment(line)).copied().collect();
        let block = self.paragraph_of(&kept, own);
        (format!("{}{block}\n", self.title(own)), at + length)
    }

    fn paragraph_of(&mut self, lines: &[&str], own: &BlockAttributes) -> String {
        let is_indented = lines.first().is_some_and(|line| line.starts_with([' ', '\t']));
        if matches!(own.style.as_str(), "source" | "listing" | "literal")
            || is_indented && own.style != "normal"
        {
            return verbatim(lines);
        }
        if matches!(own.style.as_str(), "stem" | "latexmath") {
            return formula(lines);
        }
        if own.style == "pass" {
            return raw(lines);
        }
        let text = lines.join("\n");
        let text = ["NOTE: ", "TIP: ", "IMPORTANT: ", "WARNING: ", "CAUTION: "]
            .iter()
            .find_map(|mark| text.strip_prefix(mark))
            .unwrap_or(&text)
            .to_owned();
        let breaks = own.has_option("hardbreaks") || self.attributes.is_set("hardbreaks-option");
        let mut words = self.inline(&text);
        if breaks || own.style == "verse" {
            words = words.replace('\n', "<br>\n");
        }
        if matches!(own.style.as_str(), "quote" | "verse") {
            return format!("<blockquote><p>{words}</p>{}</blockquote>", self.source_of(own));
        }
        match own.roles.iter().any(|role| role == "line-through") {
            true => format!("<p><s>{words}</s></p>"),
            false => format!("<p>{words}</p>"),
        }
    }
}

/// The level of a title with a line of marks below it, as it was written before 2013.
fn underlined(line: &str, below: Option<&&str>) -> Option<u8> {
    let below = below?;
    let mark = below.chars().next()?;
    let length = line.chars().count();
    let fits = below.len().abs_diff(length) <= 1
        && below.len() >= 3
        && below.chars().all(|own| own == mark)
        && line.starts_with(char::is_alphanumeric);
    let level = match mark {
        '=' => 1,
        '-' => 2,
        '~' => 3,
        '^' => 4,
        '+' => 5,
        _ => return None,
    };
    fits.then_some(level)
}

/// Lines as they stand. The numbers that refer to notes below them are no part of the code.
fn verbatim(lines: &[&str]) -> String {
    let lines: Vec<String> = lines
        .iter()
        .map(|line| {
            let plain = line.trim_end();
            let mark = plain.rfind('<').filter(|start| {
                plain.get(start + 1..).and_then(|mark| mark.strip_suffix('>')).is_some_and(|mark| {
                    mark == "."
                        || !mark.is_empty() && mark.bytes().all(|byte| byte.is_ascii_digit())
                })
            });
            escaped(mark.and_then(|end| plain.get(..end)).unwrap_or(line).trim_end())
        })
        .collect();
    format!("<pre>{}</pre>", lines.join("\n"))
}

fn formula(lines: &[&str]) -> String {
    format!("<p><span class=\"math\">\\({}\\)</span></p>", escaped(&lines.join(" ")))
}
