//! From the tree of a page to headings and blocks, in reading order.
//!
//! The tree is walked by its edges rather than by recursion: a page may be nested deeper than a
//! stack.

use campanile_corpus::BlockKind;
use ego_tree::iter::Edge;
use ego_tree::{NodeId, NodeRef};
use scraper::Node;
use scraper::node::Element;

use super::content::{Skip, skip};
use super::hiding::is_spoken;
use super::pictures;
use super::ticks::tick;
use super::{Layout, tables};
use crate::assemble::Assembler;
use crate::inline::{Inline, InlineText};
use crate::report::Report;

/// Elements that begin and end a line of their own.
const BLOCKS: &[&str] = &[
    "address", "article", "aside", "blockquote", "body", "button", "caption", "center", "dd",
    "details", "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer",
    "form", "header", "hgroup", "hr", "html", "legend", "li", "main", "menu", "nav", "ol",
    "option", "p", "pre", "search", "section", "summary", "table", "tbody", "td", "tfoot", "th",
    "thead", "tr", "ul",
];

pub(crate) fn is_block(name: &str) -> bool {
    BLOCKS.contains(&name) || heading_level(name).is_some()
}

pub(super) fn heading_level(name: &str) -> Option<u8> {
    match name.as_bytes() {
        [b'h', level @ b'1'..=b'6'] => Some(level - b'0'),
        _ => None,
    }
}

/// Reads all that lies under `root`.
pub(super) fn walk(assembler: &mut Assembler, root: NodeRef<'_, Node>, layout: Layout) {
    let mut walker = Walker {
        assembler,
        inline: Inline::default(),
        kinds: Vec::new(),
        skipping: None,
        is_term: false,
        layout,
    };
    for edge in root.traverse() {
        match edge {
            Edge::Open(node) => walker.open(node),
            Edge::Close(node) => walker.close(node),
        }
    }
    walker.flush();
}

struct Walker<'a> {
    assembler: &'a mut Assembler,
    inline: Inline,
    /// The kinds of the elements around the current one, innermost last.
    kinds: Vec<BlockKind>,
    /// The element whose content is passed over, or was read already.
    skipping: Option<NodeId>,
    /// A `<dt>` was read and waits for its `<dd>`.
    is_term: bool,
    layout: Layout,
}

impl Walker<'_> {
    fn open(&mut self, node: NodeRef<'_, Node>) {
        if self.skipping.is_some() {
            return;
        }
        match node.value() {
            Node::Text(text) => self.inline.push_text(text),
            Node::Comment(comment) => {
                self.assembler.report.comments += usize::from(!comment.trim().is_empty());
            }
            Node::Element(element) => self.open_element(node, element),
            _ => {}
        }
    }

    fn open_element(&mut self, node: NodeRef<'_, Node>, element: &Element) {
        if let Some(sentence) = pictures::sentence(node, element) {
            self.flush();
            self.assembler.block(BlockKind::Paragraph, InlineText::plain(sentence));
            return;
        }
        if let Some(tick) = tick(node, element) {
            return self.inline.push_text(tick);
        }
        if passes_over(node, element, self.layout, &mut self.assembler.report) {
            self.skipping = Some(node.id());
            return;
        }
        if let Some(formula) = pictures::formula(node, element) {
            self.inline.push_text(&formula);
            self.skipping = Some(node.id());
            return;
        }
        let name = element.name();
        if let Some(level) = heading_level(name) {
            return self.heading(node, level);
        }
        if name == "table" && self.table(node) {
            return;
        }
        match name {
            "dd" if self.is_term => {
                self.is_term = false;
                // Some generators write the colon themselves.
                self.inline.glue(if self.inline.ends_with(':') { " " } else { ": " });
                self.kinds.push(BlockKind::ListItem);
                return;
            }
            // Terms that share one definition.
            "dt" if self.is_term && has_definition(node) => {
                self.inline.glue(", ");
                self.kinds.push(BlockKind::ListItem);
                return;
            }
            // The definition's first paragraph goes on where the term ended.
            "p" if self.inline.last_character().is_none() && self.ends_in_colon() => return,
            _ => {}
        }
        if is_block(name) {
            self.flush();
        }
        if let Some(kind) = kind(name) {
            self.kinds.push(kind);
        }
        match name {
            "pre" => self.inline.preformatted = true,
            _ => open_inline(&mut self.inline, node, element, &mut self.assembler.report),
        }
    }

    fn close(&mut self, node: NodeRef<'_, Node>) {
        if let Some(skipped) = self.skipping {
            if skipped == node.id() {
                self.skipping = None;
            }
            return;
        }
        let Some(element) = node.value().as_element() else {
            return;
        };
        let name = element.name();
        match name {
            // A term that asks stands above its answer as a question does, not in front of it.
            "dt" if self.inline.ends_with('?') => {
                self.kinds.pop();
                self.flush();
                return;
            }
            "dt" if !self.inline.is_blank() => self.is_term = true,
            "a" => self.inline.close_link(),
            "abbr" | "time" => push_note(&mut self.inline, node, &mut self.assembler.report),
            _ if is_block(name) => self.flush(),
            _ => {}
        }
        if name == "pre" {
            self.inline.preformatted = false;
        }
        if kind(name).is_some() {
            self.kinds.pop();
        }
    }

    /// Returns `true` if a term and its colon are all there is of the block so far.
    fn ends_in_colon(&self) -> bool {
        self.kinds.last() == Some(&BlockKind::ListItem) && self.inline.ends_with(':')
    }

    fn heading(&mut self, node: NodeRef<'_, Node>, level: u8) {
        self.flush();
        let mut heading = inline_of(node, false, self.layout, &mut self.assembler.report);
        let length = without_mark(&heading.text).len();
        let whole = heading.text.len();
        heading = heading.without(std::slice::from_ref(&(length..whole)));
        self.assembler.heading(level, heading, anchor(node));
        self.skipping = Some(node.id());
    }

    /// Reads a table of data; false for one that only lays out the page.
    fn table(&mut self, node: NodeRef<'_, Node>) -> bool {
        let Some(table) = tables::data(node, self.layout, &mut self.assembler.report) else {
            return false;
        };
        self.flush();
        self.assembler.table(table);
        self.skipping = Some(node.id());
        true
    }

    /// Ends the block that was being read.
    fn flush(&mut self) {
        self.is_term = false;
        let block = self.inline.take();
        let kind = self.kinds.last().copied().unwrap_or(BlockKind::Paragraph);
        self.assembler.block(kind, block);
    }
}

/// Terms in a row that may share a definition.
const MOST_TERMS: usize = 10;

/// Returns `true` if a definition follows a term and its like.
fn has_definition(term: NodeRef<'_, Node>) -> bool {
    let elements = term.next_siblings().filter_map(|node| node.value().as_element());
    elements
        .take(MOST_TERMS)
        .find(|element| element.name() != "dt")
        .is_some_and(|it| it.name() == "dd")
}

/// A heading without the sign that some sites put behind it to link to it.
pub(super) fn without_mark(heading: &str) -> &str {
    let plain = heading.trim_end_matches(['¶', '🔗', ' ']);
    plain.strip_suffix(" #").map_or(plain, str::trim_end)
}

fn kind(name: &str) -> Option<BlockKind> {
    match name {
        "li" | "dt" | "dd" => Some(BlockKind::ListItem),
        "blockquote" => Some(BlockKind::Quote),
        "pre" => Some(BlockKind::Code),
        "td" | "th" => Some(BlockKind::Paragraph),
        _ => None,
    }
}

/// The text of an element on one line. Blocks inside it are set apart, by commas in a table's cell.
pub(super) fn inline_of(
    root: NodeRef<'_, Node>,
    is_cell: bool,
    layout: Layout,
    report: &mut Report,
) -> InlineText {
    let mut inline = Inline::default();
    let mut skipping = None;
    for edge in root.traverse() {
        match edge {
            Edge::Open(node) if skipping.is_none() => match node.value() {
                Node::Text(text) => inline.push_text(text),
                Node::Comment(comment) => {
                    report.comments += usize::from(!comment.trim().is_empty());
                }
                Node::Element(element) => {
                    // In a cell a picture is what the cell says.
                    let words = pictures::words(node, element).filter(|_| is_cell);
                    if let Some(words) = words.or_else(|| pictures::formula(node, element)) {
                        inline.push_text(&words);
                        skipping = Some(node.id());
                    } else if let Some(tick) = tick(node, element) {
                        inline.push_text(tick);
                    } else if is_cell && is_spoken(element) && pictures::is_alone(node, root) {
                        // Beside an icon alone, the words for those who hear the page are what it says.
                        // The element itself was judged by whoever asks for its text.
                    } else if node.id() != root.id() && passes_over(node, element, layout, report) {
                        skipping = Some(node.id());
                    } else if is_block(element.name()) || element.name() == "br" {
                        inline.separate(is_cell);
                    } else {
                        open_inline(&mut inline, node, element, report);
                    }
                }
                _ => {}
            },
            Edge::Close(node) if skipping.is_none() => {
                let name = node.value().as_element().map(Element::name);
                match name {
                    Some("a") => inline.close_link(),
                    Some("abbr" | "time") => push_note(&mut inline, node, report),
                    Some(name) if is_block(name) => inline.separate(is_cell),
                    _ => {}
                }
            }
            Edge::Close(node) if skipping == Some(node.id()) => skipping = None,
            Edge::Open(_) | Edge::Close(_) => {}
        }
    }
    inline.take()
}

/// Words for those who hear a page, such as the name of an icon, are no longer than this: more may be a trick.
const SPOKEN_CHARS: usize = 80;

/// Returns `true` if an element is passed over; hidden text is reported, and so is text that is struck out.
pub(super) fn passes_over(
    node: NodeRef<'_, Node>,
    element: &Element,
    layout: Layout,
    report: &mut Report,
) -> bool {
    match skip(node, element, layout) {
        None => false,
        Some(Skip::Silent) => true,
        Some(left_out) => {
            let texts = node.descendants().filter_map(|below| below.value().as_text());
            // More than an example shows, however much a page hides.
            let text: String = texts.flat_map(|text| text.chars()).take(500).collect();
            match left_out {
                Skip::Struck => report.struck(&text),
                // A link to a heading has a name for those who do not see its sign.
                // The same formula, as it is drawn.
                _ if pictures::is_beside_formula(node) => {}
                _ if is_spoken(element)
                    && names_a_control(node)
                    && text.chars().count() <= SPOKEN_CHARS => {}
                _ => report.hidden_words(&text),
            }
            true
        }
    }
}

/// Returns `true` within what is pressed, followed or ticked.
fn names_a_control(node: NodeRef<'_, Node>) -> bool {
    let mut above = node.ancestors().take(3).chain([node]);
    above.any(|node| {
        node.value().as_element().is_some_and(|element| {
            matches!(element.name(), "a" | "button" | "label" | "summary")
                || element.attr("role") == Some("button")
        })
    })
}

/// The fragment that leads to a heading: its own id, one inside it, or that of the element that it
/// opens.
fn anchor(heading: NodeRef<'_, Node>) -> Option<String> {
    let id = |node: NodeRef<'_, Node>| {
        let element = node.value().as_element()?;
        let own = element.id().or_else(|| element.attr("name"))?;
        let own = own.trim_start_matches('#').trim();
        (!own.is_empty() && !own.contains(char::is_whitespace)).then(|| own.to_owned())
    };
    let is_blank = |node: &NodeRef<'_, Node>| {
        let mut texts = node.descendants().filter_map(|below| below.value().as_text());
        texts.all(|text| text.trim().is_empty())
    };
    let opens_parent = || {
        // Labels stand in front of a heading as elements without a word.
        let before = heading.prev_siblings().all(|node| is_blank(&node));
        heading.parent().filter(|_| before)
    };
    // What a generator offers to copy leads to the heading, whatever else has an id.
    let offered = || {
        let parent = heading.parent().filter(|parent| !is_block_of_text(*parent));
        let links =
            heading.descendants().chain(parent.into_iter().flat_map(|node| node.children()));
        links.filter_map(|node| node.value().as_element()).find_map(|element| {
            let is_permalink = element.classes().any(|class| PERMALINKS.contains(&class));
            let target = element.attr("href").filter(|_| is_permalink)?.strip_prefix('#')?;
            (!target.is_empty() && !target.contains(char::is_whitespace)).then(|| target.to_owned())
        })
    };
    let label = || {
        let mut before = heading.prev_siblings().filter(|node| node.value().is_element());
        let before = before.next().filter(is_blank)?;
        before.descendants().find_map(id)
    };
    id(heading)
        .or_else(offered)
        .or_else(|| heading.descendants().find_map(id))
        .or_else(|| opens_parent().and_then(id))
        .or_else(label)
}

/// Classes of the links that lead to the heading that they stand in or beside.
const PERMALINKS: &[&str] =
    &["anchor", "hash-link", "header-anchor", "headerlink", "heading-anchor", "sl-anchor-link"];

/// Returns `true` for an element that holds more than a heading and what belongs to it.
fn is_block_of_text(node: NodeRef<'_, Node>) -> bool {
    // Not counted to the end: a page may have a hundred thousand headings side by side.
    node.children().filter(|child| child.value().is_element()).nth(2).is_some()
}

/// Elements within a line.
fn open_inline(
    inline: &mut Inline,
    node: NodeRef<'_, Node>,
    element: &Element,
    report: &mut Report,
) {
    match element.name() {
        "br" => inline.break_line(),
        "a" => {
            let target = element.attr("href").filter(|target| !target.trim().is_empty());
            if let Some(target) = target.and_then(|target| report.safe_link(target)) {
                inline.open_link(target);
            }
        }
        // 10<sup>6</sup> is not 106.
        "sup" => {
            let follows_digit = inline.last_character().is_some_and(|last| last.is_ascii_digit());
            if follows_digit && begins_with_digit(node) {
                inline.push_text("^");
            }
        }
        _ => {}
    }
}

/// Adds what an element means behind what it shows: the day with its year, and what is short for
/// what, once on a page.
fn push_note(inline: &mut Inline, node: NodeRef<'_, Node>, report: &mut Report) {
    let Some(element) = node.value().as_element() else {
        return;
    };
    let shown: String = node
        .descendants()
        .filter_map(|below| below.value().as_text())
        .flat_map(|text| text.chars())
        .take(200)
        .collect();
    let shown = shown.trim();
    let note = match element.name() {
        "time" => element.attr("datetime").and_then(|stated| day_with_year(stated, shown)),
        _ => element.attr("title").map(str::trim).filter(|title| {
            title.len() > shown.len()
                && !shown.is_empty()
                && report.written_out.insert(shown.to_owned())
        }),
    };
    match note {
        Some(note) if shown.is_empty() => inline.push_text(note),
        Some(note) => inline.push_text(&format!(" ({note})")),
        None => {}
    }
}

/// The day of `2026-10-12T09:00`, if its year is not shown.
fn day_with_year<'a>(stated: &'a str, shown: &str) -> Option<&'a str> {
    let day = stated.trim().get(.."2026-10-12".len())?;
    let fits = |(at, byte): (usize, u8)| {
        if matches!(at, 4 | 7) { byte == b'-' } else { byte.is_ascii_digit() }
    };
    let year = day.get(..4)?;
    (day.bytes().enumerate().all(fits) && !shown.contains(year)).then_some(day)
}

fn begins_with_digit(node: NodeRef<'_, Node>) -> bool {
    let mut texts = node.descendants().filter_map(|below| below.value().as_text());
    texts.next().is_some_and(|text| text.trim_start().starts_with(|c: char| c.is_ascii_digit()))
}
