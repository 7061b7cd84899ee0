//! Items, fields and options.

use campanile_corpus::BlockKind;

use super::marks::{dedented, field, indent, indented, is_blank};
use super::{Place, Reader};

/// Fields at the top of a page that hold paragraphs rather than a fact about it.
const PROSE_FIELDS: &[&str] = &["abstract", "dedication"];

impl Reader {
    /// Reads one item of a list, whose mark takes `mark` bytes.
    pub(super) fn item(&mut self, lines: &[&str], mark: usize, place: Place) -> usize {
        let (count, body) = body(lines, mark);
        self.emit_prefix(place.kind);
        self.blocks(&body, place.inside(BlockKind::ListItem));
        count
    }

    /// Reads `:name: body`: a fact about the page at its top, an entry of a list below.
    pub(super) fn field_item(
        &mut self,
        lines: &[&str],
        name: &str,
        first: &str,
        place: Place,
    ) -> usize {
        let is_head = place.depth == 0 && !self.assembler.has_text();
        let is_prose = PROSE_FIELDS.contains(&name.to_lowercase().as_str());
        if !is_head || is_prose {
            return self.described(lines, name, first, place);
        }
        let count = 1 + indented(lines.get(1..).unwrap_or_default());
        let below = lines.get(1..count).unwrap_or_default();
        let value = std::iter::once(first).chain(below.iter().map(|line| line.trim()));
        let value = value.collect::<Vec<_>>().join("\n");
        let value = self.line(&value).text;
        self.field(name, &value);
        count
    }

    /// Reads an entry with a name: `first` is the beginning of its body.
    pub(super) fn described(
        &mut self,
        lines: &[&str],
        name: &str,
        first: &str,
        place: Place,
    ) -> usize {
        let count = 1 + indented(lines.get(1..).unwrap_or_default());
        let below = dedented(lines.get(1..count).unwrap_or_default(), usize::MAX);
        let body: Vec<&str> = std::iter::once(first).chain(below).collect();
        self.described_by(name, &body, place);
        count
    }
}

/// Returns how many lines an item takes whose mark takes `mark` bytes, and its lines without the mark.
fn body<'a>(lines: &[&'a str], mark: usize) -> (usize, Vec<&'a str>) {
    let count = 1 + indented(lines.get(1..).unwrap_or_default());
    let below = dedented(lines.get(1..count).unwrap_or_default(), mark);
    let first = lines.first().and_then(|line| line.get(mark..)).unwrap_or_default();
    (count, std::iter::once(first).chain(below).collect())
}

/// The items of a list, each as its own lines; what stands between them is left out.
pub(super) fn items<'a>(lines: &[&'a str]) -> Vec<Vec<&'a str>> {
    let mut items = Vec::new();
    let mut at = 0;
    while let Some(rest) = lines.get(at..).filter(|rest| !rest.is_empty()) {
        let mark = rest.first().and_then(|line| super::marks::bullet(line));
        at += match mark {
            Some(mark) => {
                let (count, body) = body(rest, mark);
                items.push(body);
                count
            }
            None => 1,
        };
    }
    items
}

/// The options that a directive's lines begin with, and the lines behind them.
pub(super) fn options<'l, 'a>(lines: &'l [&'a str]) -> (Vec<(&'a str, String)>, &'l [&'a str]) {
    let mut found: Vec<(&str, String)> = Vec::new();
    let mut count = 0;
    for line in lines {
        match field(line) {
            Some((name, value)) => found.push((name, value.to_owned())),
            None if !is_blank(line) && indent(line) > 0 => match found.last_mut() {
                Some((_, value)) => value.extend(["\n", line.trim()]),
                None => break,
            },
            None => break,
        }
        count += 1;
    }
    (found, lines.get(count..).unwrap_or_default())
}
