//! From the links of a folder's pages to the pages that they lead to.

use std::collections::BTreeMap;

use percent_encoding::percent_decode_str;

/// Parts in front of a page's path in an address (`/~physics/handbook/fees.html`), at most.
const MOST_PARTS_BEFORE: usize = 5;

/// The pages of a folder by their addresses.
pub(super) struct Addresses {
    pages: BTreeMap<String, usize>,
}

impl Addresses {
    /// Of pages by their paths; the first of two that differ in their endings holds.
    pub(super) fn of<'a>(pages: impl IntoIterator<Item = (usize, &'a str)>) -> Self {
        let mut known = BTreeMap::new();
        for (number, path) in pages {
            known.entry(address(path).to_owned()).or_insert(number);
        }
        Self { pages: known }
    }

    /// The page of an address as [`address`] makes it.
    pub(super) fn at(&self, address: &str) -> Option<usize> {
        self.pages.get(address).copied()
    }

    /// The page that a link of the page at `path` leads to, if it is in the folder.
    pub(super) fn target(&self, path: &str, link: &str) -> Option<usize> {
        let bare = link.split(['#', '?']).next().unwrap_or_default();
        if bare.is_empty() {
            return self.at(address(path));
        }
        let decoded = percent_decode_str(bare).decode_utf8_lossy();
        let (is_whole, decoded) = without_host(&decoded)?;
        match decoded.strip_prefix('/') {
            Some(from_top) => self.below_a_top(path, from_top),
            None if is_whole => self.below_a_top(path, ""),
            None => self.at(address(&joined(path, decoded)?)),
        }
    }

    /// A path from the top of a website, which may be the folder, one in it, or one above it.
    fn below_a_top(&self, path: &str, from_top: &str) -> Option<usize> {
        let tops = std::iter::once("").chain(path.match_indices('/').map(|(at, _)| &path[..=at]));
        let cuts = from_top.match_indices('/').map(|(at, _)| at + 1).take(MOST_PARTS_BEFORE);
        let mut ways = std::iter::once(0).chain(cuts).map(|cut| &from_top[cut..]);
        ways.find_map(|way| {
            // Where parts were cut away, an empty rest would be any site's start page.
            let is_cut = way.len() < from_top.len();
            let mut found = tops.clone().map(|top| format!("{top}{way}"));
            found.find_map(|found| self.at(address(&found)).filter(|_| !is_cut || !way.is_empty()))
        })
    }
}

/// A page's path as addresses have it: without its ending, and without the name of an index page.
pub(super) fn address(path: &str) -> &str {
    let path = path.trim_end_matches('/');
    let file = path.rfind('/').map_or(0, |slash| slash + 1);
    let name = &path[file..];
    let stem = name.rsplit_once('.').filter(|(stem, end)| !stem.is_empty() && is_page(end));
    let stem = stem.map_or(name, |(stem, _)| stem);
    match stem {
        "index" => path[..file].trim_end_matches('/'),
        _ => &path[..file + stem.len()],
    }
}

fn is_page(ending: &str) -> bool {
    const ENDINGS: &[&str] =
        &["adoc", "asciidoc", "htm", "html", "markdown", "md", "mdx", "php", "rst", "txt", "xhtml"];
    ENDINGS.iter().any(|own| own.eq_ignore_ascii_case(ending))
}

/// An address without the host that it names, and whether it named one; `None` of what is no page of a website.
fn without_host(address: &str) -> Option<(bool, &str)> {
    let rest = match address.split_once(':') {
        Some(("http" | "https", rest)) => rest,
        Some((scheme, _)) if !scheme.contains('/') => return None,
        _ => address,
    };
    match rest.strip_prefix("//") {
        Some(rest) => Some((true, rest.find('/').map_or("", |slash| &rest[slash..]))),
        None => Some((false, rest)),
    }
}

/// A relative address from the page at `path`; `None` where it leads out of the folder.
fn joined(path: &str, link: &str) -> Option<String> {
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::Addresses;

    #[test]
    fn links_lead_to_pages_of_the_folder() {
        let pages =
            ["index.html", "fees.html", "studies/index.html", "studies/thesis.html", "a b/x.md"];
        let addresses = Addresses::of(pages.into_iter().enumerate());
        let cases = [
            ("fees.html", "studies/", Some(2)),
            ("fees.html", "#deposits", Some(1)),
            ("studies/thesis.html", "../fees.html#deposits", Some(1)),
            ("studies/thesis.html", "./", Some(2)),
            ("studies/index.html", "../a%20b/x?plain", Some(4)),
            ("studies/thesis.html", "/fees", Some(1)),
            ("fees.html", "/~physics/handbook/studies/thesis.html", Some(3)),
            ("fees.html", "https://www.example.edu/studies/thesis/", Some(3)),
            ("fees.html", "https://www.example.edu", Some(0)),
            ("fees.html", "/", Some(0)),
            ("fees.html", "/elsewhere/", None),
            ("fees.html", "mailto:office@example.edu", None),
            ("fees.html", "../../x.html", None),
            ("fees.html", "thesis.html", None),
        ];
        for (from, link, expected) in cases {
            assert_eq!(addresses.target(from, link), expected, "{link} on {from}");
        }
    }

    #[test]
    fn a_site_may_lie_in_a_folder() {
        let pages = ["notes.md", "site/index.html", "site/fees/index.html"];
        let addresses = Addresses::of(pages.into_iter().enumerate());
        assert_eq!(addresses.target("site/index.html", "/fees/"), Some(2));
        assert_eq!(addresses.target("site/fees/index.html", "../"), Some(1));
    }
}
