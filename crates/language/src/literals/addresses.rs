//! E-mail addresses, web addresses and bare domains.

use std::ops::Range;

/// An address, in one spelling.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Address {
    /// An e-mail address in lower case.
    Email(String),
    /// A web address without scheme and `www.`, the host in lower case, without a closing slash.
    Web {
        /// The host in lower case.
        host: String,
        /// All behind the host; empty where there is nothing.
        path: String,
    },
}

/// Endings of hosts that are taken for one without `www.` or a scheme before them.
///
/// All of these are top-level domains; those that end many sentences or titles (`in`, `is`, `so`,
/// `me`, `it`) are left out, and found only with a scheme or `www.`.
const ENDINGS: &str = "academy ai app at au be berlin bg biz br ca ch cloud cn co com cz de dev dk edu ee es eu fi \
    fr gov gr hr hu ie il info int io jp kr li lt lu lv mil mx net nl no nz online org pl pt ro \
    rs ru science se si sk tech tr tv ua uk university us za";

/// The addresses of a text, in order; they do not overlap.
///
/// An address that has only begun counts, since a text may be in the making: `jane@` and `https://` are addresses
/// that nobody has.
pub fn addresses(text: &str) -> Vec<(Range<usize>, Address)> {
    let mut found = Vec::new();
    let mut start = 0;
    for run in text.split_inclusive(char::is_whitespace) {
        let solid = run.trim_end_matches(char::is_whitespace);
        // Nearly every run is a word: neither a full stop, nor a colon or `@` inside.
        if solid.contains(['.', '@', ':']) {
            addresses_of_run(solid, start, &mut found);
        }
        start += run.len();
    }
    found
}

fn addresses_of_run(run: &str, offset: usize, found: &mut Vec<(Range<usize>, Address)>) {
    let mut place = 0;
    let mut may_begin = true;
    while let Some(first) = run[place..].chars().next() {
        let rest = &run[place..];
        // As an e-mail address first: `info.de@example.edu` begins as a web address does.
        if may_begin && let Some((length, address)) = email(rest).or_else(|| web(rest)) {
            found.push((offset + place..offset + place + length, address));
            place += length;
            may_begin = false;
        } else {
            place += first.len_utf8();
            may_begin = !is_local(first) && !first.is_alphanumeric();
        }
    }
}

fn is_local(character: char) -> bool {
    character.is_alphanumeric() || "._%+-".contains(character)
}

fn is_host(character: char) -> bool {
    character.is_alphanumeric() || ".-".contains(character)
}

/// `jane.doe@example.edu`, or its beginning from the `@` on.
fn email(rest: &str) -> Option<(usize, Address)> {
    let local = rest.find(|c| !is_local(c))?;
    let host = rest.get(local..)?.strip_prefix('@').filter(|_| local > 0)?;
    let end = host.find(|c| !is_host(c)).unwrap_or(host.len());
    let host = host.get(..end)?.trim_end_matches(['.', '-']);
    let length = local + 1 + host.len();
    Some((length, Address::Email(rest.get(..length)?.to_lowercase())))
}

/// `https://example.edu/a`, `www.example.edu`, `example.edu/a`
fn web(rest: &str) -> Option<(usize, Address)> {
    let scheme = ["https://", "http://", "ftp://"].into_iter().find(|one| begins(rest, one));
    let scheme = scheme.map_or(0, str::len);
    let after = rest.get(scheme..)?;
    let www = if begins(after, "www.") { 4 } else { 0 };
    let named = after.get(www..)?;
    let run = named.find(|c| !is_host(c)).unwrap_or(named.len());
    let run = named.get(..run)?.trim_end_matches(['.', '-']);
    let host = if scheme + www > 0 { run } else { domain(run)? };
    let behind = named.get(host.len()..)?;
    let path = match behind.starts_with(['/', '?', '#', ':']) && !host.is_empty() {
        true => path(behind),
        false => "",
    };
    let length = scheme + www + host.len() + path.len();
    let path = path.trim_end_matches('/').to_owned();
    Some((length, Address::Web { host: host.to_lowercase(), path }))
}

fn begins(text: &str, with: &str) -> bool {
    text.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with))
}

/// Returns what follows a host, up to what only a sentence would add.
fn path(behind: &str) -> &str {
    let ends = ['<', '>', '"', '“', '”', '„', '|', '`', '(', ')', '[', ']', '{', '}'];
    let end = behind.find(ends).unwrap_or(behind.len());
    behind[..end].trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '’', '*', '_'])
}

/// The longest beginning of labels that ends as hosts do, and has a name before the ending.
fn domain(run: &str) -> Option<&str> {
    let mut found = None;
    let mut end = 0;
    let mut named = false;
    for label in run.split('.') {
        end += label.len();
        let lower = label.to_lowercase();
        // `example.edu.The`: a sentence begins without a space in front, and no label has a capital inside.
        let one_case = label == lower || label == label.to_uppercase();
        if named && one_case && ENDINGS.split(' ').any(|ending| ending == lower) {
            found = run.get(..end);
        }
        if label.is_empty() {
            break;
        }
        // `a.co` is rather an abbreviation, and `3.de` the end of a sentence without its space.
        named |= label.chars().count() > 1 && label.contains(char::is_alphabetic);
        end += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Address, ENDINGS, addresses};

    #[test]
    fn endings_are_sorted() {
        assert!(ENDINGS.split(' ').is_sorted());
    }

    #[test]
    fn addresses_are_found_without_what_the_sentence_adds() {
        let cases: [(&str, &[&str]); 19] = [
            ("Write to Jane.Doe@Example.edu.", &["jane.doe@example.edu"]),
            ("jane@", &["jane@"]),
            ("5 @ 3", &[]),
            ("mailto:a@b.org, c@d.org", &["a@b.org", "c@d.org"]),
            ("See https://www.Example.edu/a/B/.", &["example.edu /a/B"]),
            ("https:// and http", &[" "]),
            ("(www.example.edu)", &["example.edu "]),
            ("[a](https://example.edu/a_(b))", &["example.edu /a"]),
            ("example.edu/a?b=1#c, then", &["example.edu /a?b=1#c"]),
            ("at cs.example.edu: come", &["cs.example.edu "]),
            ("example.edu.evil.com", &["example.edu.evil.com "]),
            ("example.edu.The", &["example.edu "]),
            ("the end.The next", &[]),
            ("e.g. this, i.e. that, a.co", &[]),
            ("Dr.in Weiß", &[]),
            ("localhost:8000 and 3.de", &[]),
            ("uni-wien.ac.at", &["uni-wien.ac.at "]),
            ("example.edu:8080/a", &["example.edu :8080/a"]),
            ("EXAMPLE.EDU or Example.De", &["example.edu "]),
        ];
        for (text, expected) in cases {
            let shown = |(_, address)| match address {
                Address::Email(email) => email,
                Address::Web { host, path } => format!("{host} {path}"),
            };
            let found: Vec<String> = addresses(text).into_iter().map(shown).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn addresses_stand_where_they_say() {
        let text = "Ask jane@example.edu, or see www.example.edu/x.";
        let found = addresses(text).into_iter().map(|(range, _)| &text[range]);
        assert_eq!(found.collect::<Vec<_>>(), ["jane@example.edu", "www.example.edu/x"]);
    }
}
