//! Components in MDX pages: `<Tabs>`, `<TabItem label="Winter">`.
//!
//! Their names begin with a capital letter, which no element of HTML needs. The tags are taken away
//! here, since an HTML parser takes `<Icon />` for an element that is never closed.

use std::borrow::Cow;

use super::conventions::{columns, shown_attribute};
use super::tags::parameter;
use crate::report::Report;

/// The longest reach of a tag, in bytes.
// Attributes may hold whole objects; and from each `<` of a hostile page that far is looked.
const LONGEST_TAG: usize = 2_000;

/// Components that are open at once, and labels that are waiting in one of them: a page is hostile that has more.
const MOST_OPEN: usize = 100;
const MOST_LABELS: usize = 100;

/// The page without the tags of components and without comments in braces; code is left as it is.
pub(super) fn without_components<'a>(source: &'a str, report: &mut Report) -> Cow<'a, str> {
    let is_component = |(at, _): (usize, &str)| name(&source[at..]).is_some();
    if !source.contains("{/*") && !source.match_indices('<').any(is_component) {
        return Cow::Borrowed(source);
    }
    let mut page = Page { out: String::with_capacity(source.len()), open: Vec::new() };
    let mut is_code = false;
    let mut at = 0;
    let mut line_start = 0;
    let mut line_end = 0;
    // One pass, whatever is left open: each sign takes or leaves what is at its place.
    while let Some(rest) = source.get(at..).filter(|rest| !rest.is_empty()) {
        if at == line_start {
            let line = rest.split_inclusive('\n').next().unwrap_or_default();
            line_end = at + line.trim_end().len();
            let is_fence =
                line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
            let margin = page.margin(line, is_code);
            is_code ^= is_fence;
            if is_fence || is_code {
                page.out.push_str(&line[margin..]);
                at += line.len();
                line_start = at;
                continue;
            }
            at += margin;
        }
        let rest = &source[at..];
        let step = rest.find(['<', '{', '`', '\n']).unwrap_or(rest.len());
        page.out.push_str(&rest[..step]);
        at += step;
        let rest = &rest[step..];
        let taken = match rest.as_bytes() {
            [] => break,
            [b'\n', ..] => {
                line_start = at + 1;
                None
            }
            [b'`', ..] => code_span(rest).inspect(|length| page.out.push_str(&rest[..*length])),
            [b'{', ..] => comment(rest).inspect(|length| page.comment(&rest[..*length], report)),
            _ => tag(rest).inspect(|length| {
                let is_flow =
                    source[line_start..at].trim().is_empty() && source[..line_end].ends_with('>');
                page.tag(&rest[..*length], is_flow, source[line_start..at].len());
            }),
        };
        at += taken.unwrap_or(1);
        if taken.is_none() {
            page.out.push_str(&rest[..1]);
        }
    }
    Cow::Owned(page.out)
}

/// A component whose closing tag was not reached yet.
struct OpenComponent<'a> {
    name: &'a str,
    /// `true` if it is a block: only tags and what they hold are on its line.
    is_flow: bool,
    /// The columns that its tag is set in by.
    columns: usize,
    /// The columns that its content is set in by beyond its tag, once a line of it was read.
    step: Option<usize>,
    labels: Labels<'a>,
}

/// The labels that a component gives to the components in it.
#[derive(Default)]
struct Labels<'a> {
    /// `items={['BSc', 'MSc']}`: in their order, the next one last.
    in_order: Vec<&'a str>,
    /// `values={[{label: 'Master', value: 'm'}]}`: each with its value.
    by_value: Vec<(&'a str, &'a str)>,
}

struct Page<'a> {
    out: String,
    open: Vec<OpenComponent<'a>>,
}

impl<'a> Page<'a> {
    /// The bytes at the beginning of a line that only show that it lies within components.
    // To CommonMark four spaces are code. MDX knows no such code, so that its authors set in what they please.
    fn margin(&mut self, line: &str, is_code: bool) -> usize {
        if self.open.is_empty() || line.trim().is_empty() {
            return 0;
        }
        let own = columns(line);
        let closes = line.trim_start().starts_with("</");
        let mut total = 0;
        for component in &mut self.open {
            let step = match component.step {
                None if closes || !component.is_flow => 0,
                None => *component.step.insert(own.saturating_sub(component.columns)),
                // What is set in less than the content has left it, whether its tag was closed or not.
                Some(step) if own < component.columns + step && !is_code => {
                    if !closes {
                        component.step = Some(0);
                    }
                    0
                }
                Some(step) => step,
            };
            total += step;
        }
        let mut width = 0;
        let spaces = line.bytes().take_while(|byte| {
            width += if *byte == b'\t' { 4 } else { 1 };
            matches!(byte, b' ' | b'\t') && width <= total
        });
        spaces.count()
    }

    fn comment(&mut self, comment: &str, report: &mut Report) {
        let inner = comment.trim_start_matches("{/*").trim_end_matches("*/}").trim();
        let line = self.out.rsplit('\n').next().unwrap_or_default();
        let is_id =
            inner.len() > 1 && inner.starts_with('#') && !inner.contains(char::is_whitespace);
        if is_id && line.starts_with('#') {
            // MDX takes `{#id}` for a program.
            return self.out.extend(["{", inner, "}"]);
        }
        report.comments += 1;
    }

    /// Leaves a tag out, and writes the words that it shows. A component's own words stand apart from what it holds.
    fn tag(&mut self, tag: &'a str, is_flow: bool, columns: usize) {
        let Some(name) = name(tag) else { return };
        if tag.starts_with("</") {
            return self.close(name);
        }
        let words = shown_attribute(tag).or_else(|| self.label(name, tag));
        // Behind a tag of the same line it begins a block as well as at the line's beginning.
        let is_alone = is_flow || self.out.is_empty() || self.out.ends_with('\n');
        match words {
            Some(words) if is_alone => {
                let line = self.out.rfind('\n').map_or(0, |at| at + 1);
                let margin = self.out.get(line..).filter(|line| line.trim().is_empty());
                let margin = margin.unwrap_or_default().to_owned();
                self.out.extend(["\n", &margin, words, "\n\n", &margin]);
            }
            Some(words) => self.out.extend([" ", words, " "]),
            None => {}
        }
        if tag.ends_with("/>") {
            if is_flow {
                self.out.push('\n');
            }
        } else if self.open.len() < MOST_OPEN {
            let labels = Labels::of(tag);
            self.open.push(OpenComponent { name, is_flow, columns, step: None, labels });
        }
    }

    fn close(&mut self, name: &str) {
        let Some(place) = self.open.iter().rposition(|component| component.name == name) else {
            return;
        };
        let is_flow = self.open[place].is_flow;
        self.open.truncate(place);
        if is_flow {
            self.out.push_str("\n\n");
        }
    }

    /// The label that the component around gives to one in it.
    fn label(&mut self, name: &str, tag: &'a str) -> Option<&'a str> {
        let labels = &mut self.open.last_mut()?.labels;
        let value = parameter(tag, "value");
        let mut by_value = labels.by_value.iter();
        let named = value.and_then(|value| by_value.find(|(_, own)| *own == value));
        let named = named.map(|(label, _)| *label).or_else(|| labels.in_order.pop());
        // A tab without a label shows its value.
        named.or(value.filter(|_| name == "TabItem"))
    }
}

impl<'a> Labels<'a> {
    fn of(tag: &'a str) -> Self {
        let list = |name: &str| {
            let (_, behind) = tag.split_once(name)?;
            let list = behind.trim_start().strip_prefix("={")?.trim_start().strip_prefix('[')?;
            list.split(']').next()
        };
        let mut in_order: Vec<&str> =
            list(" items").map(|list| quotations(list).collect()).unwrap_or_default();
        in_order.reverse();
        let objects = list(" values").unwrap_or_default().split('{').take(MOST_LABELS);
        let pair = |object: &'a str| Some((property(object, "label")?, property(object, "value")?));
        Self { in_order, by_value: objects.filter_map(pair).collect() }
    }
}

/// The texts in quotes of a list.
fn quotations(list: &str) -> impl Iterator<Item = &str> {
    let mut rest = list;
    let texts = std::iter::from_fn(move || {
        let start = rest.find(['"', '\'', '`'])?;
        let quote = rest.get(start..)?.chars().next()?;
        let (text, behind) = rest.get(start + 1..)?.split_once(quote)?;
        rest = behind;
        Some(text)
    });
    texts.take(MOST_LABELS)
}

/// The text of `name: 'text'` in an object.
fn property<'a>(object: &'a str, name: &str) -> Option<&'a str> {
    let (_, behind) = object.split_once(name)?;
    let behind = behind.trim_start_matches(['"', '\'']).trim_start().strip_prefix(':')?;
    quotations(behind.split(',').next()?).next()
}

/// The name of the component that a text begins with a tag of.
fn name(rest: &str) -> Option<&str> {
    let inner = rest.strip_prefix('<')?;
    let inner = inner.strip_prefix('/').unwrap_or(inner);
    let end = inner.find(|c: char| !(c.is_ascii_alphanumeric() || c == '.')).unwrap_or(inner.len());
    let name = inner.get(..end)?;
    // Not an address, as in `<Office@x.edu>`; and old pages write `<TABLE>`.
    let ends = inner.get(end..).is_some_and(|rest| rest.starts_with([' ', '\t', '\n', '/', '>']));
    let is_component = ends
        && name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.contains(|c: char| c.is_ascii_lowercase());
    is_component.then_some(name)
}

/// The length of the tag of a component: its `>` stands outside of quotes and braces.
fn tag(rest: &str) -> Option<usize> {
    name(rest)?;
    let mut quote = None;
    let mut depth = 0_usize;
    for (at, byte) in rest.bytes().enumerate().take(LONGEST_TAG) {
        match (quote, byte) {
            (Some(open), _) if open == byte => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'{') => depth += 1,
            (None, b'}') => depth = depth.saturating_sub(1),
            (None, b'>') if depth == 0 => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// The length of `{/* … */}`.
fn comment(rest: &str) -> Option<usize> {
    rest.strip_prefix("{/*")?;
    let window = rest.get(..rest.floor_char_boundary(LONGEST_TAG))?;
    window.find("*/}").map(|end| end + 3)
}

/// The length of code between backticks within a line.
fn code_span(rest: &str) -> Option<usize> {
    let line = rest.lines().next()?;
    let line = line.get(..line.floor_char_boundary(LONGEST_TAG))?;
    let ticks = line.len() - line.trim_start_matches('`').len();
    let inner = line.get(ticks..)?;
    let close = inner.find(line.get(..ticks)?)?;
    Some(ticks + close + ticks)
}

#[cfg(test)]
mod tests {
    use crate::read_bytes;

    /// Cases: what each shows, the page, its text.
    const CASES: &[(&str, &str, &str)] = &[
        (
            "labels in a list of the component around",
            "<Tabs items={['Day', \"Night\", `Both`]}>\n  <Tabs.Tab>Till 6.</Tabs.Tab>\n  <Tabs.Tab>\n\nTill 2.\n\n  </Tabs.Tab>\n\
             <Tab title=\"All\">Ever.</Tab>\n<Tab>Never.</Tab>\n</Tabs>\n<Tab>Then.</Tab>",
            "Day\n\nTill 6.\n\nNight\n\nTill 2.\n\nAll\n\nEver.\n\nBoth\n\nNever.\n\nThen.",
        ),
        (
            "labels by value",
            "<Tabs values={[\n  {label: 'Part-time', value: 'p'},\n  {value: 'f', label: 'Full-time'},\n]}>\n\
             <TabItem value=\"f\">Six.</TabItem>\n<TabItem value=\"p\">Ten.</TabItem>\n<TabItem value=\"Guests\">None.</TabItem>\n</Tabs>",
            "Full-time\n\nSix.\n\nPart-time\n\nTen.\n\nGuests\n\nNone.",
        ),
        (
            "texts in braces",
            "<Tab label={'Day'}>A</Tab>\n<Card title={ \"Desk\" }>\nB\n</Card>",
            "Day\n\nA\n\nDesk\n\nB",
        ),
        (
            "what is set in is no code",
            "<Tabs>\n    <TabItem label=\"Day\">\n        Till *six*.\n\n        ```sh\n        ls\n          -a\n        ```\n\n        - one\n          - two\n    </TabItem>\n    <TabItem label=\"Night\">\n        Till two.\n    </TabItem>\n</Tabs>\n\nThen\n\n    code\n",
            "Day\n\nTill six.\n\nls\n  -a\n\none\ntwo\n\nNight\n\nTill two.\n\nThen\n\ncode",
        ),
        (
            "a component that is never closed",
            "<Note>\n  Mind.\n\n- one\n  - two\n\n      code\n",
            "Mind.\n\none\ntwo\ncode",
        ),
        (
            "in a list",
            "1. Open it.\n\n   <Aside title=\"Mind\">\n     Slowly.\n   </Aside>\n\n2. Close it.",
            "1. Open it.\nMind\nSlowly.\n2. Close it.",
        ),
        ("within a line", "It is <Badge text=\"new\" /> and <b>good</b>.", "It is new and good."),
        (
            "cards beside one another",
            "<Card title=\"Desk\" />\n<Card title=\"Hall\">Big.</Card>",
            "Desk\n\nHall\n\nBig.",
        ),
    ];

    #[test]
    fn components_show_their_labels_and_what_they_hold() {
        for (name, source, expected) in CASES {
            let reading = read_bytes("a.mdx", source.as_bytes(), &Default::default());
            let document = reading.ok().and_then(|mut reading| reading.documents.pop());
            assert_eq!(document.unwrap_or_default().text, *expected, "{name}");
        }
    }

    #[test]
    fn an_anchor_may_stand_in_a_comment() {
        let source = "## Fees {/* #money */}\n\nTen. {/* #7 */}";
        let reading = read_bytes("a.mdx", source.as_bytes(), &Default::default());
        let document =
            reading.ok().and_then(|mut reading| reading.documents.pop()).unwrap_or_default();
        let section = document.sections.first();
        assert_eq!(section.and_then(|section| section.anchor.as_deref()), Some("money"));
        assert_eq!(document.text, "Fees\n\nTen.");
    }
}
