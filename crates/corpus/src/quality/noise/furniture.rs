//! Page furniture: what a page shows around its content.

use std::collections::BTreeSet;

use super::plain;
use crate::Document;

/// Lines that say nothing but where to click.
const PHRASES: &[&str] = &[
    "accept all cookies",
    "accept cookies",
    "back to overview",
    "back to the top",
    "back to top",
    "jump to content",
    "jump to main content",
    "jump to navigation",
    "jump to search",
    "main navigation",
    "nach oben",
    "print this page",
    "print page",
    "scroll to top",
    "search form",
    "seite drucken",
    "share this page",
    "skip navigation",
    "skip to content",
    "skip to footer",
    "skip to main content",
    "skip to navigation",
    "skip to search",
    "to the top",
    "toggle menu",
    "toggle navigation",
    "toggle search",
    "zum hauptinhalt springen",
    "zum inhalt",
    "zum inhalt springen",
    "zum seitenanfang",
    "zur navigation",
    "zurück zur übersicht",
];

/// Words of menus. Each of them can be content; a line of nothing else is a menu.
const MENU: &[&str] = &[
    "about",
    "account",
    "back",
    "close",
    "contact",
    "datenschutz",
    "facebook",
    "faq",
    "help",
    "home",
    "imprint",
    "impressum",
    "instagram",
    "kontakt",
    "linkedin",
    "login",
    "logout",
    "menu",
    "menü",
    "next",
    "news",
    "previous",
    "privacy",
    "register",
    "rss",
    "search",
    "share",
    "sitemap",
    "start",
    "startseite",
    "suche",
    "twitter",
    "weiter",
    "youtube",
    "zurück",
];

/// The longest cookie notice, in words.
const LONGEST_NOTICE: usize = 60;

/// Knows page furniture, running heads among it.
pub(super) struct Furniture {
    /// `true` if the document is about cookies or privacy itself.
    is_about_cookies: bool,
    /// The words that stood beside the page numbers so far.
    heads: BTreeSet<String>,
}

impl Furniture {
    pub(super) fn new(document: &Document) -> Self {
        let named = format!("{} {}", document.title, document.path).to_lowercase();
        let topics = ["cookie", "privacy", "datenschutz", "data protection"];
        let is_about_cookies = topics.iter().any(|topic| named.contains(topic));
        Self { is_about_cookies, heads: BTreeSet::new() }
    }

    pub(super) fn is_furniture(&mut self, text: &str) -> bool {
        let plain = plain(text);
        let words: Vec<&str> = plain.split(' ').collect();
        PHRASES.contains(&plain.as_str())
            || is_menu(&words)
            || (!self.is_about_cookies && is_cookie_notice(&plain, &words))
            || self.is_page_number(&words)
    }

    /// "Page 3 of 10", alone or beside a running head that stood on a page before.
    fn is_page_number(&mut self, words: &[&str]) -> bool {
        let Some(place) = page_number_at(words) else { return false };
        let (before, after) = (words.get(..place), words.get(place + 4..));
        let mut head = before.unwrap_or_default().to_vec();
        head.extend(after.unwrap_or_default());
        head.is_empty() || (head.len() <= 12 && !self.heads.insert(head.join(" ")))
    }
}

/// Finds the word at which "page 3 of 10" begins.
fn page_number_at(words: &[&str]) -> Option<usize> {
    let is_number = |word: &str| word.len() <= 4 && word.bytes().all(|byte| byte.is_ascii_digit());
    words.windows(4).position(|window| match window {
        ["page", number, "of", total] | ["seite", number, "von", total] => {
            is_number(number) && is_number(total)
        }
        _ => false,
    })
}

/// Two or more words of menus and no other: "Previous | Next". "Contact us" alone is a heading.
fn is_menu(words: &[&str]) -> bool {
    let mut items = words.iter().filter(|word| **word != "us");
    words.len() >= 2 && items.clone().count() >= 2 && items.all(|word| MENU.contains(word))
}

fn is_cookie_notice(plain: &str, words: &[&str]) -> bool {
    let notices = [
        "this site uses cookies",
        "this website uses cookies",
        "we use cookies",
        "diese website verwendet cookies",
        "wir verwenden cookies",
    ];
    let actions =
        ["accept", "agree", "by continuing", "consent", "got it", "akzeptieren", "zustimm"];
    words.len() <= LONGEST_NOTICE
        && notices.iter().any(|notice| plain.contains(notice))
        && actions.iter().any(|action| plain.contains(action))
}
