//! Reads what a fetched page says about itself and about others.
//!
//! Only tags are looked at, as they come, and no tree is built: the time is in proportion to the
//! page's length however it is nested.

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::{RawKind, Rawtext, Rcdata, ScriptData};
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use std::cell::RefCell;
use std::collections::BTreeSet;
use url::Url;

/// The most links that are taken from one page: more than a list of all of a university's courses has. A page that is
/// nothing but links, of the 20 MB that one may have, would give a million.
pub(crate) const MOST_LINKS: usize = 5_000;

/// The longest title. It is a line among others in lists of documents, and in the index once a page.
const MOST_TITLE_CHARS: usize = 300;

/// The facts that an HTML page tells.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// Its title, on one line.
    pub title: Option<String>,
    /// The address that the page says is its proper one.
    pub canonical: Option<Url>,
    /// The things that robots are asked not to do with the page.
    pub directives: Directives,
    /// The addresses it links to, in their one spelling, each once, in order.
    pub links: Vec<Url>,
    /// Links that were not taken: to what is no web page, marked `nofollow`, or too many.
    pub passed_over: usize,
}

/// The things that a page or its headers ask of robots.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Directives {
    /// Not to be found by a search.
    pub noindex: bool,
    /// Its links are not to be followed.
    pub nofollow: bool,
}

impl Directives {
    /// Adds a comma-separated list.
    pub(crate) fn add(&mut self, list: &str) {
        for word in list.split(',').map(|word| word.trim().to_ascii_lowercase()) {
            self.noindex |= matches!(word.as_str(), "noindex" | "none");
            self.nofollow |= matches!(word.as_str(), "nofollow" | "none");
        }
    }

    /// Adds the value of an `X-Robots-Tag`, which may begin with the agent it is meant for.
    pub(crate) fn add_header(&mut self, value: &str, product: &str) {
        match value.split_once(':') {
            Some((agent, list)) if !agent.contains(',') => {
                let agent = agent.trim();
                // `unavailable_after: DATE` has a colon as well, and asks for something else.
                if agent.eq_ignore_ascii_case(product) {
                    self.add(list);
                }
            }
            _ => self.add(value),
        }
    }
}

impl Page {
    /// Reads the page at `address`. `product` is the name under which it may speak to us.
    pub fn read(html: &str, address: &Url, product: &str) -> Self {
        let sink = Sink {
            product: product.to_ascii_lowercase(),
            address: address.clone(),
            seen: RefCell::default(),
        };
        let input = BufferQueue::default();
        let options =
            TokenizerOpts { exact_errors: false, discard_bom: true, ..TokenizerOpts::default() };
        let tokenizer = Tokenizer::new(sink, options);
        input.push_back(StrTendril::from_slice(html));
        // The tokenizer stops at the end of each script, for those who would run it.
        while !input.is_empty() {
            let _ = tokenizer.feed(&input);
        }
        tokenizer.end();
        tokenizer.sink.finish()
    }
}

struct Sink {
    product: String,
    address: Url,
    /// In a cell, since html5ever hands its tokens to a sink that it only borrows.
    seen: RefCell<Seen>,
}

/// The tags that matter, so far.
#[derive(Default)]
struct Seen {
    base: Option<Url>,
    in_title: bool,
    title: Option<String>,
    canonical: Option<String>,
    directives: Directives,
    links: Vec<String>,
    passed_over: usize,
}

impl Sink {
    fn start(&self, tag: &Tag) -> TokenSinkResult<()> {
        let mut seen = self.seen.borrow_mut();
        match &*tag.name {
            "title" => {
                // A drawing in the page (SVG) has a `title` as well.
                seen.in_title = seen.title.is_none();
                seen.title.get_or_insert_default();
                return TokenSinkResult::RawData(Rcdata);
            }
            // Of several, the first counts, as in a browser.
            "base" if seen.base.is_none() => {
                let href = attribute(tag, "href");
                seen.base = href.and_then(|href| self.address.join(href.trim()).ok());
            }
            "meta" => {
                let name = attribute(tag, "name").map(|name| name.trim().to_ascii_lowercase());
                let is_ours = name.is_some_and(|name| name == "robots" || name == self.product);
                if let (true, Some(content)) = (is_ours, attribute(tag, "content")) {
                    seen.directives.add(content);
                }
            }
            "link" if seen.canonical.is_none() && has_relation(tag, "canonical") => {
                seen.canonical = attribute(tag, "href").map(str::to_owned);
            }
            "a" | "area" => seen.anchor(tag),
            name => {
                return raw_kind(name).map_or(TokenSinkResult::Continue, TokenSinkResult::RawData);
            }
        }
        TokenSinkResult::Continue
    }

    fn finish(self) -> Page {
        let seen = self.seen.into_inner();
        // Only now: a `base` may stand behind the first links.
        let base = seen.base.unwrap_or(self.address);
        let mut passed_over = seen.passed_over;
        let mut known = BTreeSet::new();
        let mut links = Vec::new();
        for href in seen.links {
            match crate::address::join(&base, &href) {
                Ok(url) if known.insert(url.as_str().to_owned()) => links.push(url),
                Ok(_) => {}
                Err(_) => passed_over += 1,
            }
        }
        Page {
            title: seen.title.and_then(|title| one_line(&title)),
            canonical: seen.canonical.and_then(|href| crate::address::join(&base, &href).ok()),
            directives: seen.directives,
            links,
            passed_over,
        }
    }
}

impl Seen {
    fn anchor(&mut self, tag: &Tag) {
        let Some(href) = attribute(tag, "href") else {
            return;
        };
        if has_relation(tag, "nofollow") || self.links.len() >= MOST_LINKS {
            self.passed_over += 1;
        } else {
            self.links.push(href.to_owned());
        }
    }
}

impl TokenSink for Sink {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        match token {
            Token::TagToken(tag) if tag.kind == TagKind::StartTag => return self.start(&tag),
            Token::TagToken(tag) if &*tag.name == "title" => {
                self.seen.borrow_mut().in_title = false
            }
            Token::CharacterTokens(text) => {
                let seen = &mut *self.seen.borrow_mut();
                if let (true, Some(title)) = (seen.in_title, &mut seen.title) {
                    title.push_str(&text);
                }
            }
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

/// Elements whose content is no markup.
fn raw_kind(name: &str) -> Option<RawKind> {
    match name {
        "script" => Some(ScriptData),
        "style" | "xmp" | "iframe" | "noembed" | "noframes" => Some(Rawtext),
        "textarea" => Some(Rcdata),
        _ => None,
    }
}

fn attribute<'t>(tag: &'t Tag, name: &str) -> Option<&'t str> {
    tag.attrs
        .iter()
        .find(|attribute| &*attribute.name.local == name)
        .map(|attribute| &*attribute.value)
}

fn has_relation(tag: &Tag, relation: &str) -> bool {
    attribute(tag, "rel").is_some_and(|list| {
        list.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case(relation))
    })
}

fn one_line(text: &str) -> Option<String> {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (!line.is_empty()).then(|| line.chars().take(MOST_TITLE_CHARS).collect())
}

#[cfg(test)]
mod tests;
