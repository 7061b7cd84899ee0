//! Headings in plain text: underlined, numbered, or in capitals.

/// Longest heading, in characters.
const LONGEST_CHARS: usize = 90;
/// Numbered lines are taken for headings only where there are this many of them.
const FEWEST_NUMBERED: usize = 3;

/// The level of a heading whose next line is `line`: 1 for `====`, 2 for `----`.
pub(super) fn underline(line: &str) -> Option<u8> {
    let line = line.trim();
    let is_all = |mark: char| line.len() >= 3 && line.chars().all(|c| c == mark);
    if is_all('=') {
        Some(1)
    } else if is_all('-') || is_all('~') {
        Some(2)
    } else {
        None
    }
}

/// Which styles of heading a text uses.
#[derive(Debug)]
pub(super) struct Headings {
    numbered: bool,
    capitals: bool,
}

impl Headings {
    pub(super) fn of(source: &str) -> Self {
        let numbered = source.lines().filter(|line| number_level(line).is_some()).count();
        Self {
            numbered: numbered >= FEWEST_NUMBERED,
            // In a text that is all capitals they mark nothing.
            capitals: source.contains(char::is_lowercase),
        }
    }

    /// The level of a line that is a heading by itself. `is_alone`: blank lines around it.
    pub(super) fn level(&self, line: &str, is_alone: bool) -> Option<u8> {
        if self.numbered
            && let Some(level) = number_level(line)
        {
            return Some(level);
        }
        (self.capitals && is_alone && is_capitals(line)).then_some(1)
    }
}

/// `1.2 The degree` is of level 2. One number alone (`1 Welcome`) may as well count a list, and a
/// line with dots to a page number belongs to a table of contents, one full of digits or with a
/// `9.0` in front to a timetable.
fn number_level(line: &str) -> Option<u8> {
    let line = line.trim();
    let (number, title) = line.split_once(char::is_whitespace)?;
    let title = title.trim();
    let parts: Vec<&str> = number.trim_end_matches('.').split('.').collect();
    let is_number = |part: &&str| {
        (1..=2).contains(&part.len())
            && part.bytes().all(|byte| byte.is_ascii_digit())
            && *part != "0"
    };
    let letters = title.chars().filter(|c| c.is_alphabetic()).count();
    let digits = title.chars().filter(char::is_ascii_digit).count();
    let is_title = title.starts_with(char::is_uppercase)
        && letters >= 3
        && digits <= 4
        && line.chars().count() <= LONGEST_CHARS
        && !title.contains("..")
        && !title.contains('\t')
        && !title.ends_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | ';' | ':'));
    let level = u8::try_from(parts.len()).ok().filter(|level| (2..=6).contains(level))?;
    (is_title && parts.iter().all(is_number)).then_some(level)
}

fn is_capitals(line: &str) -> bool {
    let line = line.trim();
    let letters = line.chars().filter(|c| c.is_alphabetic()).count();
    letters >= 4
        && letters * 2 > line.chars().count()
        && line.chars().count() <= LONGEST_CHARS
        && !line.contains(char::is_lowercase)
        && !line.starts_with('(')
        && !line.ends_with(['.', ',', ';', ':'])
}
