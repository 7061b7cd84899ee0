//! The settings of a fetch: what is fetched, and with how much restraint.

use serde::{Deserialize, Serialize};

/// The entry of [`WebsiteOptions::sitemaps`] that stands for the sitemaps named in the `robots.txt`
/// of each address.
pub(crate) const AUTO: &str = "auto";

/// The settings of a fetch: what is fetched, and with how much restraint. All of them have a default but
/// the addresses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WebsiteOptions {
    /// Pages to fetch, and where to start following links.
    pub addresses: Vec<String>,
    /// Sitemaps (XML, an index of sitemaps, plain text, each gzipped or not). `auto` stands
    /// for those that the `robots.txt` of each address names.
    pub sitemaps: Vec<String>,
    /// `true` if links are followed: on the same host, below the folder of a start address.
    pub follow: bool,
    /// The most links that a page may be away from a start address.
    pub depth: u32,
    /// Glob patterns on paths (`/studies/**`); if there are any, a page must match one.
    pub include: Vec<String>,
    /// Glob patterns on paths; a page that matches one is left out.
    pub exclude: Vec<String>,
    /// The most pages that are asked for.
    pub max_pages: usize,
    /// The most bytes of one page; a longer one is left out.
    pub max_bytes: u64,
    /// Milliseconds between two requests to one host. A longer `Crawl-delay` wins.
    pub delay_ms: u64,
    /// Seconds until an answer begins, and the longest silence within it; a whole answer may take
    /// four times as long.
    pub timeout_secs: u64,
    /// The address or mail address of somebody to ask about these requests; the servers are told.
    pub contact: String,
    /// Another name to go by than `Campanile/VERSION (+CONTACT)`. Its first word is looked up in
    /// `robots.txt`.
    pub user_agent: Option<String>,
    /// The most redirects on the way to one page.
    pub max_redirects: u32,
}

impl Default for WebsiteOptions {
    fn default() -> Self {
        Self {
            addresses: Vec::new(),
            sitemaps: Vec::new(),
            follow: false,
            // With `max_pages`, an end to sites whose links have none.
            depth: 8,
            include: Vec::new(),
            exclude: Vec::new(),
            // Half an hour, at a request a second.
            max_pages: 2_000,
            // A page is held in memory whole, a text twice: as it came and in UTF-8.
            max_bytes: 20_000_000,
            delay_ms: 1_000,
            timeout_secs: 30,
            contact: String::new(),
            user_agent: None,
            // As many as a `robots.txt` is followed through.
            max_redirects: 5,
        }
    }
}

impl WebsiteOptions {
    /// The name told to servers.
    #[must_use]
    pub(crate) fn agent(&self) -> String {
        const NAME: &str = concat!("Campanile/", env!("CARGO_PKG_VERSION"));
        match (&self.user_agent, self.contact.trim()) {
            (Some(agent), _) => agent.trim().to_owned(),
            (None, "") => NAME.to_owned(),
            (None, contact) => format!("{NAME} (+{contact})"),
        }
    }

    /// The word of [`agent`](Self::agent) that `robots.txt` may name: its product token
    /// (RFC 9309, section 2.2.1).
    #[must_use]
    pub(crate) fn product(&self) -> String {
        product_token(&self.agent()).to_owned()
    }
}

/// The letters, `-` and `_` at the start.
pub(crate) fn product_token(agent: &str) -> &str {
    let end = agent.find(|character: char| {
        !(character.is_ascii_alphabetic() || matches!(character, '-' | '_'))
    });
    agent.split_at(end.unwrap_or(agent.len())).0
}

#[cfg(test)]
mod tests {
    use super::WebsiteOptions;

    #[test]
    fn the_agent_names_who_to_ask() {
        let mut options = WebsiteOptions::default();
        assert!(options.agent().starts_with("Campanile/"));
        options.contact = "mailto:web@example.edu".to_owned();
        assert!(options.agent().ends_with(" (+mailto:web@example.edu)"));
        assert_eq!(options.product(), "Campanile");
        options.user_agent = Some("campus-reader/2.0".to_owned());
        assert_eq!(
            (options.agent().as_str(), options.product().as_str()),
            ("campus-reader/2.0", "campus-reader")
        );
    }
}
