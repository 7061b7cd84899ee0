//! Lines that stand in the page only where an attribute is set: `ifdef::exam[]`.
//!
//! A page is read as it is published as HTML. What tells other forms of it apart (`backend-pdf`) is not set.

use super::attributes::{Attributes, entry};
use crate::report::Report;

/// Conditions within conditions.
const DEEPEST: usize = 100;
/// Attributes that hold wherever a page is published as HTML.
const OF_HTML: &[&str] =
    &["backend-html5", "basebackend-html", "asciidoctor", "asciidoctor-version"];

/// The lines that are shown, in the order of the page.
pub(super) fn chosen<'t>(source: &'t str, report: &mut Report) -> Vec<&'t str> {
    let mut attributes = Attributes::default();
    OF_HTML.iter().for_each(|name| attributes.set(name, ""));
    let mut open: Vec<bool> = Vec::new();
    let mut lines = Vec::new();
    for line in source.lines() {
        let is_shown = open.iter().all(|holds| *holds);
        match condition(line, &mut attributes) {
            Some(Condition::Begins(holds)) if open.len() < DEEPEST => open.push(holds),
            Some(Condition::Line(holds, words)) if holds && is_shown => lines.push(words),
            Some(Condition::Ends) => drop(open.pop()),
            Some(Condition::Include) if is_shown => report.template_tags += 1,
            Some(Condition::Begins(_) | Condition::Include | Condition::Line(..)) => {}
            None if is_shown => {
                if let Some((name, value)) = entry(line) {
                    attributes.define(name, value);
                }
                // A backslash keeps such a line from being one.
                let escaped = line
                    .strip_prefix('\\')
                    .filter(|line| condition(line, &mut attributes).is_some());
                lines.push(escaped.unwrap_or(line));
            }
            None => {}
        }
    }
    lines
}

enum Condition<'t> {
    Begins(bool),
    Line(bool, &'t str),
    Ends,
    /// A file that was not there to be put in.
    Include,
}

fn condition<'t>(line: &'t str, attributes: &mut Attributes) -> Option<Condition<'t>> {
    let (name, rest) = line.split_once("::")?;
    if !matches!(name, "ifdef" | "ifndef" | "ifeval" | "endif" | "include") {
        return None;
    }
    let (names, words) = rest.trim_end().strip_suffix(']')?.split_once('[')?;
    let holds = |attributes: &Attributes| {
        let is_set = |name: &str| attributes.is_set(&name.trim().to_lowercase());
        if names.contains('+') {
            names.split('+').all(is_set)
        } else {
            names.split(',').any(is_set)
        }
    };
    let found = match name {
        "endif" => Condition::Ends,
        "include" => Condition::Include,
        "ifeval" => Condition::Begins(evaluated(&attributes.filled(words)).unwrap_or(true)),
        _ => {
            let holds = holds(attributes) == (name == "ifdef");
            if words.is_empty() { Condition::Begins(holds) } else { Condition::Line(holds, words) }
        }
    };
    Some(found)
}

/// `"a" == "b"`; `None` where it cannot be told.
fn evaluated(expression: &str) -> Option<bool> {
    let operators = ["==", "!=", "<=", ">=", "<", ">"];
    let operator = operators.iter().find(|operator| expression.contains(**operator))?;
    let (left, right) = expression.split_once(operator)?;
    let value = |text: &str| text.trim().trim_matches(['"', '\'']).to_owned();
    let (left, right) = (value(left), value(right));
    let order = match (left.parse::<f64>(), right.parse::<f64>()) {
        (Ok(left), Ok(right)) => left.partial_cmp(&right)?,
        _ => left.cmp(&right),
    };
    Some(match *operator {
        "==" => order.is_eq(),
        "!=" => order.is_ne(),
        "<=" => order.is_le(),
        ">=" => order.is_ge(),
        "<" => order.is_lt(),
        _ => order.is_gt(),
    })
}
