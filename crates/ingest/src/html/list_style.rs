//! How a list writes its numbers, as far as the page itself says so: by an attribute, its own styles, a rule of a style
//! sheet in the page, or a class that well-known style sheets have.
//!
//! Style sheets in other files are not read. Where they write the numbers, plain ones stand in their place.

use ego_tree::NodeRef;
use scraper::{ElementRef, Html, Node, Selector};

use super::hiding::Style;
use super::style_sheet;
use crate::numbers::NumberFormat;

// Each rule is held against each list, and a selector looks at all that is around the list: a page is hostile that has more.
/// Rules about lists that are read of one page.
const MOST_RULES: usize = 20;

/// The way in which a list writes its numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ListStyle {
    before: String,
    format: NumberFormat,
    after: String,
}

impl ListStyle {
    /// The number as the page shows it, with the signs around it.
    pub(super) fn written(&self, number: i64) -> String {
        let written = match (u32::try_from(number), self.format) {
            (Ok(number @ 1..), NumberFormat::LowerLetter) => letters(number).to_ascii_lowercase(),
            (Ok(number @ 1..), NumberFormat::UpperLetter) => letters(number),
            (Ok(number), format) => format.written(number),
            (Err(_), _) => number.to_string(),
        };
        format!("{}{written}{}", self.before, self.after)
    }

    fn plain(format: NumberFormat) -> Self {
        Self { before: String::new(), format, after: ".".to_owned() }
    }
}

/// `A` to `Z`, then `AA`, `AB`, as CSS counts with an alphabet.
fn letters(number: u32) -> String {
    let mut rest = number;
    let mut letters = Vec::new();
    while rest > 0 {
        let index = (rest - 1) % 26;
        letters.push(char::from_u32(u32::from('A') + index).unwrap_or('A'));
        rest = (rest - 1) / 26;
    }
    letters.iter().rev().collect()
}

/// The rules about lists in the style sheets of a page.
pub(super) struct StyleSheet {
    rules: Vec<Rule>,
    /// `true` if a rule of the page writes a counter, which may be that of a list without numbers of its own.
    has_counters: bool,
}

struct Rule {
    selector: Selector,
    /// `true` for what stands in front of an item rather than the item or its list.
    is_marker: bool,
    /// `None` where it takes the numbers away.
    style: Option<ListStyle>,
}

impl StyleSheet {
    pub(super) fn of(page: &Html) -> Self {
        let source = style_sheet::source(page);
        let rules = style_sheet::rules(&source)
            .filter_map(|(selectors, body)| Some((selectors, stated(body)?)));
        let mut found: Vec<Rule> = Vec::new();
        for (selectors, style) in rules {
            found.extend(selectors.split(',').filter_map(|one| Rule::new(one, style.clone())));
        }
        // The last of them win.
        let surplus = found.len().saturating_sub(MOST_RULES);
        found.drain(..surplus);
        Self {
            rules: found,
            has_counters: source.contains("counter(") || source.contains("counters("),
        }
    }

    /// The style of a list's numbers; `None` where it shows none. `item` is its first item.
    pub(super) fn style_of(
        &self,
        list: NodeRef<'_, Node>,
        item: Option<NodeRef<'_, Node>>,
    ) -> Option<ListStyle> {
        let nodes = [item, Some(list)];
        let marker =
            item.and_then(|item| self.last_rule(item, true)).and_then(|rule| rule.style.clone());
        if marker.is_some() {
            return marker;
        }
        let own = || nodes.into_iter().flatten().find_map(own_style);
        let by_rule = || {
            let mut rules =
                nodes.into_iter().flatten().filter_map(|node| self.last_rule(node, false));
            rules.next().map(|rule| rule.style.clone())
        };
        let element = list.value().as_element()?;
        let by_class = || element.classes().find_map(by_class);
        let by_type =
            || Some(Some(ListStyle::plain(NumberFormat::of_sample(element.attr("type")?))));
        let plain = || Some(Some(ListStyle::plain(NumberFormat::Decimal)));
        let stated = own().or_else(by_rule).or_else(by_class).or_else(by_type).or_else(plain)?;
        // A list that takes its numbers away has counters write them, where the page has any.
        stated.or_else(|| self.has_counters.then(|| ListStyle::plain(NumberFormat::Decimal)))
    }

    fn last_rule(&self, node: NodeRef<'_, Node>, is_marker: bool) -> Option<&Rule> {
        let element = ElementRef::wrap(node)?;
        let mut rules = self.rules.iter().rev().filter(|rule| rule.is_marker == is_marker);
        rules.find(|rule| rule.selector.matches(&element))
    }
}

impl Rule {
    fn new(selector: &str, style: Option<ListStyle>) -> Option<Self> {
        let selector = selector.trim();
        let marker = ["::before", ":before", "::marker"]
            .iter()
            .find_map(|pseudo| selector.strip_suffix(pseudo));
        let selector = style_sheet::selector(marker.unwrap_or(selector))?;
        Some(Self { selector, is_marker: marker.is_some(), style })
    }
}

/// What an element's own `style` says of a list's numbers.
fn own_style(node: NodeRef<'_, Node>) -> Option<Option<ListStyle>> {
    let style = Style::of(node.value().as_element()?);
    ["list-style-type", "list-style"].iter().find_map(|name| by_words(style.get(name)))
}

/// What the declarations of a rule say of a list's numbers.
fn stated(body: &str) -> Option<Option<ListStyle>> {
    let mut found = None;
    for declaration in body.split(';') {
        let Some((name, value)) = declaration.split_once(':') else { continue };
        let value = value.trim().trim_end_matches("!important").trim();
        found = match name.trim().to_ascii_lowercase().as_str() {
            "list-style" | "list-style-type" => by_words(&value.to_ascii_lowercase()),
            "content" => by_counter(value).map(Some),
            _ => None,
        }
        .or(found);
    }
    found
}

/// `lower-alpha`, `upper-roman inside`, `none`
fn by_words(value: &str) -> Option<Option<ListStyle>> {
    value.split_whitespace().find_map(|word| match word {
        "none" | "disc" | "circle" | "square" => Some(None),
        _ => by_name(word).map(|format| Some(ListStyle::plain(format))),
    })
}

fn by_name(name: &str) -> Option<NumberFormat> {
    match name {
        "decimal" => Some(NumberFormat::Decimal),
        "decimal-leading-zero" => Some(NumberFormat::DecimalZero),
        "lower-alpha" | "lower-latin" => Some(NumberFormat::LowerLetter),
        "upper-alpha" | "upper-latin" => Some(NumberFormat::UpperLetter),
        "lower-roman" => Some(NumberFormat::LowerRoman),
        "upper-roman" => Some(NumberFormat::UpperRoman),
        _ => None,
    }
}

/// Classes that generators give to lists, whose meaning is in their style sheets.
fn by_class(class: &str) -> Option<Option<ListStyle>> {
    let format = match class {
        "arabic" | "list-decimal" => NumberFormat::Decimal,
        "loweralpha" => NumberFormat::LowerLetter,
        "upperalpha" => NumberFormat::UpperLetter,
        "lowerroman" => NumberFormat::LowerRoman,
        "upperroman" => NumberFormat::UpperRoman,
        "list-unstyled" | "list-inline" | "list-none" => return Some(None),
        _ => return None,
    };
    Some(Some(ListStyle::plain(format)))
}

/// `"(" counter(rule, lower-alpha) ") "`: words around one counter.
fn by_counter(content: &str) -> Option<ListStyle> {
    let mut style = ListStyle { after: String::new(), ..ListStyle::plain(NumberFormat::Hidden) };
    let mut rest = content.trim();
    while let Some(first) = rest.chars().next() {
        rest = match first {
            '"' | '\'' => {
                let (words, behind) = rest.get(1..)?.split_once(first)?;
                let is_before = style.format == NumberFormat::Hidden;
                let place = if is_before { &mut style.before } else { &mut style.after };
                place.push_str(words);
                behind
            }
            _ if style.format == NumberFormat::Hidden => {
                let (arguments, behind) = rest.strip_prefix("counter(")?.split_once(')')?;
                let name = arguments.split_once(',').map_or("decimal", |(_, name)| name.trim());
                style.format = by_name(name)?;
                behind
            }
            // A second counter: `2.1`.
            _ => return None,
        }
        .trim_start();
    }
    style.after = style.after.trim_end().to_owned();
    (style.format != NumberFormat::Hidden).then_some(style)
}
