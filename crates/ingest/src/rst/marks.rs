//! Marks by which a line begins a title, an item, a field, a table.

/// Characters that lists begin with.
const BULLETS: &[char] = &['-', '*', '+', '•', '‣', '⁃'];

/// The width of a line in columns, each character taken for one.
fn width(line: &str) -> usize {
    line.chars().count()
}

/// Counts the spaces that a line begins with.
pub(super) fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

pub(super) fn is_blank(line: &str) -> bool {
    line.is_empty()
}

/// The character of a line that is drawn with it alone.
pub(super) fn adornment(line: &str) -> Option<char> {
    let first = line.chars().next().filter(char::is_ascii_punctuation)?;
    line.chars().all(|character| character == first).then_some(first)
}

/// A line that parts two paragraphs.
pub(super) fn is_transition(line: &str) -> bool {
    adornment(line).is_some() && line.len() >= 4
}

pub(super) struct Title<'a> {
    pub(super) text: &'a str,
    /// Its character, and whether it also stands above.
    pub(super) style: (char, bool),
    /// The number of lines that it takes.
    pub(super) lines: usize,
}

/// The title that these lines begin with.
pub(super) fn title<'a>(lines: &[&'a str]) -> Option<Title<'a>> {
    let [first, second, rest @ ..] = lines else {
        return None;
    };
    if is_blank(first) || is_blank(second) {
        return None;
    }
    if let Some(character) = adornment(first) {
        let is_drawn_below = rest.first().and_then(|third| adornment(third)) == Some(character);
        let is_wide = first.len() >= 4 || first.len() >= width(second);
        let is_title = is_drawn_below && is_wide && adornment(second).is_none();
        let text = second.trim_start();
        return is_title.then_some(Title { text, style: (character, true), lines: 3 });
    }
    let character = adornment(second)?;
    let is_wide = second.len() >= 4 || second.len() >= width(first);
    let is_text = !first.starts_with(' ')
        && bullet(first).is_none()
        && !first.starts_with(".. ")
        && !first.starts_with("| ")
        && !first.starts_with(">>> ");
    // `::` ends a paragraph more often than it underlines a title.
    let is_mark = *second == "::" || *second == "..";
    let title = Title { text: first, style: (character, false), lines: 2 };
    (is_wide && is_text && !is_mark).then_some(title)
}

/// Returns how many bytes the mark of a bulleted item takes, with the spaces behind it.
pub(super) fn bullet(line: &str) -> Option<usize> {
    let mark = line.chars().next().filter(|first| BULLETS.contains(first))?;
    let rest = line.get(mark.len_utf8()..)?;
    if rest.is_empty() {
        return Some(line.len());
    }
    rest.starts_with(' ').then(|| mark.len_utf8() + indent(rest))
}

/// The same for `1.`, `2)`, `(iv)`, `#.`, `B.`; `next` is the line below, which must not go on in
/// the first column: `A. Turing` may stand anywhere in a text.
pub(super) fn enumerator(line: &str, next: Option<&str>) -> Option<usize> {
    let length = enumerator_alone(line)?;
    let fits = next
        .is_none_or(|next| is_blank(next) || indent(next) > 0 || enumerator_alone(next).is_some());
    fits.then_some(length)
}

fn enumerator_alone(line: &str) -> Option<usize> {
    let (mark, rest) = line.split_once(' ').unwrap_or((line, ""));
    let inner = match mark.strip_prefix('(') {
        Some(inner) => inner.strip_suffix(')')?,
        None => mark.strip_suffix(['.', ')'])?,
    };
    let is_number = inner.len() <= 6 && inner.bytes().all(|byte| byte.is_ascii_digit());
    let is_letter = inner.len() == 1 && inner.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_roman = inner.len() <= 8
        && (inner.bytes().all(|byte| b"ivxlcdm".contains(&byte))
            || inner.bytes().all(|byte| b"IVXLCDM".contains(&byte)));
    let counts = !inner.is_empty() && (inner == "#" || is_number || is_letter || is_roman);
    counts.then(|| line.len() - rest.trim_start().len())
}

/// The name and the beginning of the body of `:name: body`.
pub(super) fn field(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix(':')?;
    if rest.starts_with([' ', ':']) {
        return None;
    }
    let mut from = 0;
    loop {
        let end = from + rest.get(from..)?.find(':')?;
        let name = rest.get(..end)?;
        let body = rest.get(end + 1..)?;
        let is_escaped = name.ends_with('\\');
        // `:ref:`x`` is a role.
        if !is_escaped && (body.is_empty() || body.starts_with(' ')) {
            let is_name = !name.ends_with(' ') && !name.contains('`');
            return is_name.then_some((name, body.trim_start()));
        }
        from = end + 1;
    }
}

/// The options and the beginning of the description of `-a, --all  Everything`.
pub(super) fn option<'a>(line: &'a str, next: Option<&str>) -> Option<(&'a str, &'a str)> {
    let is_option = |word: &str| {
        let name = word.strip_prefix("--").or_else(|| word.strip_prefix(['-', '/', '+']));
        name.is_some_and(|name| name.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '?'))
    };
    let (options, description) = match line.split_once("  ") {
        Some((options, description)) => (options, description.trim_start()),
        None if next.is_some_and(|next| indent(next) > 1) => (line, ""),
        None => return None,
    };
    let all_are = options.split(", ").all(|option| {
        let mut words = option.split([' ', '=']);
        words.next().is_some_and(is_option) && words.count() <= 1
    });
    all_are.then_some((options, description))
}

/// A line such as `====  =====`, above, within and below a simple table.
pub(super) fn is_simple_border(line: &str) -> bool {
    line.starts_with('=')
        && line.contains(' ')
        && line.bytes().all(|byte| matches!(byte, b'=' | b' '))
}

/// `+----+----+`
pub(super) fn is_grid_border(line: &str) -> bool {
    line.len() >= 3
        && line.starts_with("+-")
        && line.ends_with('+')
        && line.bytes().all(|byte| matches!(byte, b'+' | b'-'))
}

/// Counts the lines, from the first on, that are blank or begin with a space, blank ones at the end aside.
pub(super) fn indented(lines: &[&str]) -> usize {
    let count = lines.iter().take_while(|line| is_blank(line) || line.starts_with(' ')).count();
    let taken = &lines[..count];
    taken.iter().rposition(|line| !is_blank(line)).map_or(0, |last| last + 1)
}

/// The lines without the spaces that all of them begin with, but for no more than `most`.
pub(super) fn dedented<'a>(lines: &[&'a str], most: usize) -> Vec<&'a str> {
    let common = lines.iter().filter(|line| !is_blank(line)).map(|line| indent(line)).min();
    let common = common.unwrap_or(0).min(most);
    lines.iter().map(|line| line.get(common..).unwrap_or_default()).collect()
}
