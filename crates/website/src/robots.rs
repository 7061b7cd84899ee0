//! `robots.txt`, read as RFC 9309 has it.
//!
//! The reader is our own. The crate that is there, `texting_robots` 0.2.2, rests on versions long
//! superseded (`nom` 7, `bstr` 0.2), refuses a whole file for one rule that it cannot compile,
//! knows an agent only by its exact spelling (`User-agent: Campanile/1.0` is nobody) and does not
//! compare escapes by what they stand for. What is needed is less than its dependencies: a walk
//! over lines and a match of `*` and `$`.

use crate::address::{is_delimiter, normalised};
use crate::options::product_token;
use std::time::Duration;

/// The most bytes of a file that are read; RFC 9309 asks for 500 KiB at least.
pub(crate) const MOST_BYTES: u64 = 1 << 20;

/// The longest `Crawl-delay` that is a delay and no mistake: a day. It has to be cut before it becomes a [`Duration`],
/// which panics at more seconds than it can count.
const LONGEST_DELAY_SECS: f64 = 86_400.0;

/// A `robots.txt` (RFC 9309).
///
/// ```
/// let robots = campanile_website::Robots::parse(b"User-agent: *\nDisallow: /internal/\nCrawl-delay: 2");
/// let rules = robots.rules_for("campanile");
/// assert!(rules.allow("/studies/") && !rules.allow("/internal/minutes"));
/// assert_eq!(rules.crawl_delay.map(|delay| delay.as_secs()), Some(2));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Robots {
    groups: Vec<Group>,
    /// The `Sitemap:` lines, for everybody.
    pub sitemaps: Vec<String>,
}

#[derive(Debug, Clone, Default)]
struct Group {
    agents: Vec<String>,
    rules: Rules,
}

/// The rules for one agent.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    rules: Vec<(Pattern, bool)>,
    /// The pause between two requests that the site asks for. No part of RFC 9309, but widespread.
    pub crawl_delay: Option<Duration>,
}

impl Robots {
    /// Reads any bytes: what is no rule is passed over.
    pub fn parse(bytes: &[u8]) -> Self {
        let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
        let mut robots = Self::default();
        // Agents in one run of lines share the rules after it; the next agent begins a group of its own.
        let mut naming = false;
        for line in bytes.split(|byte| matches!(byte, b'\n' | b'\r')) {
            let Some((key, value)) = field(line) else {
                continue;
            };
            match key.as_str() {
                "user-agent" => {
                    if !naming {
                        robots.groups.push(Group::default());
                    }
                    naming = true;
                    robots.name(value);
                }
                "allow" | "disallow" => {
                    naming = false;
                    robots.rule(value, key == "allow");
                }
                // These end no run of agents: only rules do (RFC 9309, section 2.2.1).
                "crawl-delay" => robots.delay(value),
                "sitemap" => robots.sitemaps.extend(String::from_utf8(value.to_vec()).ok()),
                _ => {}
            }
        }
        robots
    }

    fn name(&mut self, value: &[u8]) {
        let value = String::from_utf8_lossy(value);
        let agent = if value == "*" { "*" } else { product_token(&value) };
        if let Some(group) = self.groups.last_mut() {
            group.agents.push(agent.to_ascii_lowercase());
        }
    }

    fn rule(&mut self, value: &[u8], allow: bool) {
        // An empty rule matches nothing; one before any agent is nobody's.
        if let (Some(group), false) = (self.groups.last_mut(), value.is_empty()) {
            group.rules.rules.push((Pattern::new(value), allow));
        }
    }

    fn delay(&mut self, value: &[u8]) {
        let secs = std::str::from_utf8(value).ok().and_then(|text| text.parse::<f64>().ok());
        let secs = secs.filter(|secs| secs.is_finite() && *secs >= 0.0);
        if let (Some(group), Some(secs)) = (self.groups.last_mut(), secs) {
            let delay = Duration::from_secs_f64(secs.min(LONGEST_DELAY_SECS));
            group.rules.crawl_delay = group.rules.crawl_delay.max(Some(delay));
        }
    }

    /// The rules for the agent `product`: those of all groups that name it, or else of all that
    /// name `*`.
    pub fn rules_for(&self, product: &str) -> Rules {
        let product = product.to_ascii_lowercase();
        let ours = if self.groups_of(&product).next().is_some() { product.as_str() } else { "*" };
        let mut merged = Rules::default();
        for group in self.groups_of(ours) {
            merged.rules.extend(group.rules.rules.iter().cloned());
            merged.crawl_delay = merged.crawl_delay.max(group.rules.crawl_delay);
        }
        merged
    }

    fn groups_of<'s>(&'s self, agent: &'s str) -> impl Iterator<Item = &'s Group> {
        self.groups.iter().filter(move |group| group.agents.iter().any(|named| named == agent))
    }
}

impl Rules {
    /// Returns `true` if a path with its query may be asked for: the longest rule that matches decides, and
    /// of two that are as long the one that allows.
    pub fn allow(&self, path: &str) -> bool {
        let path = normalised_path(path);
        path == "/robots.txt"
            || self
                .rules
                .iter()
                .filter(|(pattern, _)| pattern.matches(&path))
                .map(|(pattern, allow)| (pattern.len(), *allow))
                .max()
                .is_none_or(|(_, allow)| allow)
    }
}

/// `key: value`, without the comment; the key in lower case.
fn field(line: &[u8]) -> Option<(String, &[u8])> {
    let line = line.split(|byte| *byte == b'#').next().unwrap_or_default();
    let colon = line.iter().position(|byte| *byte == b':')?;
    let (key, value) = (&line[..colon], &line[colon + 1..]);
    let key = std::str::from_utf8(key.trim_ascii()).ok()?.to_ascii_lowercase();
    Some((key, value.trim_ascii()))
}

/// A pattern, its escapes in one form.
#[derive(Debug, Clone)]
struct Pattern {
    /// The texts between the `*`.
    pieces: Vec<String>,
    /// `true` if the match must reach the path's end.
    anchored: bool,
    len: usize,
}

impl Pattern {
    fn new(text: &[u8]) -> Self {
        let (text, anchored) = match text.strip_suffix(b"$") {
            Some(rest) => (rest, true),
            None => (text, false),
        };
        let pieces: Vec<String> =
            text.split(|byte| *byte == b'*').map(|piece| normalised(piece, is_ordinary)).collect();
        let stars = pieces.len().saturating_sub(1);
        let len = pieces.iter().map(String::len).sum::<usize>() + stars + usize::from(anchored);
        Self { pieces, anchored, len }
    }

    /// Its length in bytes: the longest pattern that matches decides.
    fn len(&self) -> usize {
        self.len
    }

    /// Returns `true` if a path as [`normalised_path`] gives it matches.
    fn matches(&self, path: &str) -> bool {
        let Some((first, rest)) = self.pieces.split_first() else {
            return true;
        };
        let Some(mut path) = path.strip_prefix(first.as_str()) else {
            return false;
        };
        let Some((last, middle)) = rest.split_last() else {
            return !self.anchored || path.is_empty();
        };
        // The earliest place for each piece leaves the most for those after it.
        for piece in middle {
            match path.split_once(piece.as_str()) {
                Some((_, after)) => path = after,
                None => return false,
            }
        }
        if self.anchored { path.ends_with(last.as_str()) } else { path.contains(last.as_str()) }
    }
}

/// A path with its query, its escapes in the same form as a pattern's. A `*` or `$` in it is no
/// wildcard: a rule writes those as `%2A` and `%24`.
fn normalised_path(path: &str) -> String {
    normalised(path.as_bytes(), is_ordinary)
}

fn is_ordinary(byte: u8) -> bool {
    is_delimiter(byte) && !matches!(byte, b'*' | b'$')
}

#[cfg(test)]
mod tests;
