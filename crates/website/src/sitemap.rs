//! Lists of addresses: sitemaps in XML, indexes of them, and plain text (the protocol of
//! sitemaps.org), gzipped or not.

use flate2::read::MultiGzDecoder;
use quick_xml::Reader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::Event;
use std::io::Read;

/// The most bytes of a sitemap, unpacked: the protocol's own limit.
pub(crate) const MOST_BYTES: u64 = 50 << 20;

/// The most addresses in one sitemap: the protocol's own limit.
const MOST_ADDRESSES: usize = 50_000;

/// The addresses that a sitemap lists, as they are spelt there.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Sitemap {
    /// The addresses of pages.
    pub pages: Vec<String>,
    /// Further sitemaps, if it is an index.
    pub sitemaps: Vec<String>,
    /// The reason why this may not be all.
    pub problem: Option<String>,
}

impl Sitemap {
    /// Reads any bytes; what is broken ends the list where it breaks.
    pub fn parse(bytes: &[u8]) -> Self {
        let mut problem = None;
        let unpacked;
        let bytes = if bytes.starts_with(&[0x1F, 0x8B]) {
            (unpacked, problem) = unpack(bytes, MOST_BYTES);
            &unpacked
        } else {
            bytes
        };
        let text = String::from_utf8_lossy(bytes);
        let text = text.trim_start_matches('\u{feff}').trim_start();
        let mut sitemap = if text.starts_with('<') { parse_xml(text) } else { parse_text(text) };
        sitemap.problem = problem.or(sitemap.problem);
        sitemap
    }
}

fn unpack(bytes: &[u8], most_bytes: u64) -> (Vec<u8>, Option<String>) {
    // One byte more than is taken tells a sitemap of just that length from a bomb, which is not unpacked further. A
    // file may have several members (RFC 1952, section 2.2).
    let mut unpacked = Vec::new();
    let read = MultiGzDecoder::new(bytes).take(most_bytes + 1).read_to_end(&mut unpacked);
    let problem = match read {
        Err(error) => Some(format!("its gzip data is broken: {error}")),
        Ok(count) if count as u64 > most_bytes => {
            Some(format!("it unpacks to more than the {most_bytes} bytes of a sitemap"))
        }
        Ok(_) => None,
    };
    (unpacked, problem)
}

fn parse_text(text: &str) -> Sitemap {
    let mut sitemap = Sitemap::default();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if !sitemap.push(line.to_owned(), false) {
            break;
        }
    }
    sitemap
}

fn parse_xml(text: &str) -> Sitemap {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    // As lenient as they go: half of a broken list is better than none.
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    let mut sitemap = Sitemap::default();
    let mut is_index = false;
    let mut is_sitemap = false;
    let mut place: Option<String> = None;
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag)) => match tag.local_name().as_ref() {
                "loc" => place = Some(String::new()),
                // By what stands around each address, so that a file that mixes the two is read as well.
                "sitemap" => is_index = true,
                "url" => is_index = false,
                "urlset" | "sitemapindex" => is_sitemap = true,
                _ => {}
            },
            Ok(Event::End(tag)) if tag.local_name().as_ref() == "loc" => {
                let place = place.take().unwrap_or_default();
                if !place.trim().is_empty() && !sitemap.push(place.trim().to_owned(), is_index) {
                    return sitemap;
                }
            }
            Ok(Event::Text(text)) => extend(&mut place, &text),
            Ok(Event::CData(text)) => extend(&mut place, &text),
            Ok(Event::GeneralRef(name)) => match name.resolve_char_ref() {
                Ok(Some(character)) => extend(&mut place, character.encode_utf8(&mut [0; 4])),
                _ => extend(&mut place, resolve_predefined_entity(&name).unwrap_or_default()),
            },
            Ok(Event::Eof) => break,
            Ok(_) => {}
            Err(error) => {
                let offset = reader.error_position();
                sitemap.problem = Some(format!("its XML is broken at byte {offset}: {error}"));
                break;
            }
        }
    }
    if !is_sitemap && sitemap.problem.is_none() {
        sitemap.problem = Some("it is XML or HTML, but no sitemap".to_owned());
    }
    sitemap
}

fn extend(place: &mut Option<String>, text: &str) {
    if let Some(place) = place {
        place.push_str(text);
    }
}

impl Sitemap {
    /// Adds an address, and returns `true` if there was room for it.
    fn push(&mut self, address: String, is_index: bool) -> bool {
        let list = if is_index { &mut self.sitemaps } else { &mut self.pages };
        if list.len() < MOST_ADDRESSES {
            list.push(address);
            return true;
        }
        self.problem = Some(format!(
            "it lists more than {MOST_ADDRESSES} addresses, and the rest was left out"
        ));
        false
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_ADDRESSES, Sitemap};
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use proptest::prelude::*;
    use std::io::Write;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).and_then(|()| encoder.finish()).unwrap_or_default()
    }

    /// A sitemap, its pages, its sitemaps, and a word of its problem.
    type Case =
        (&'static str, &'static [&'static str], &'static [&'static str], Option<&'static str>);

    const CASES: &[Case] = &[
        (
            "<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>\
             <url><loc> https://a.edu/?x=1&amp;y=2 </loc><lastmod>2024-01-01</lastmod></url>\
             <url><loc><![CDATA[https://a.edu/b]]></loc></url></urlset>",
            &["https://a.edu/?x=1&y=2", "https://a.edu/b"],
            &[],
            None,
        ),
        (
            "<sm:sitemapindex xmlns:sm='x'><sm:sitemap><sm:loc>https://a.edu/s&#46;xml</sm:loc></sm:sitemap></sm:sitemapindex>",
            &[],
            &["https://a.edu/s.xml"],
            None,
        ),
        (
            "\u{feff}https://a.edu/1\r\n\r\n https://a.edu/2 \n",
            &["https://a.edu/1", "https://a.edu/2"],
            &[],
            None,
        ),
        (
            "<urlset><url><loc>https://a.edu/1</loc></url><url><loc",
            &["https://a.edu/1"],
            &[],
            Some("broken"),
        ),
        ("<!doctype html><title>Not found</title>", &[], &[], Some("no sitemap")),
        ("<urlset></urlset>", &[], &[], None),
        ("", &[], &[], None),
        // The images and translations of a page are not pages.
        (
            "<urlset><url><loc>https://a.edu/1</loc><image:image><image:loc/></image:image>\
             <xhtml:link rel='alternate' href='https://a.edu/de'/></url></urlset>",
            &["https://a.edu/1"],
            &[],
            None,
        ),
    ];

    #[test]
    fn sitemaps_plain_and_gzipped() {
        for (text, pages, sitemaps, problem) in CASES {
            for bytes in [text.as_bytes().to_vec(), gzip(text.as_bytes())] {
                let found = Sitemap::parse(&bytes);
                assert_eq!(found.pages, *pages, "{text}");
                assert_eq!(found.sitemaps, *sitemaps, "{text}");
                let named = found.problem.as_deref().zip(*problem);
                assert_eq!(found.problem.is_some(), problem.is_some(), "{text}: {found:?}");
                assert!(
                    named.is_none_or(|(found, word)| found.contains(word)),
                    "{text}: {found:?}"
                );
            }
        }
    }

    #[test]
    fn half_a_gzip_gives_what_it_has() {
        let text: String = (0..5_000).map(|number| format!("https://a.edu/{number}\n")).collect();
        let packed = gzip(text.as_bytes());
        let found = Sitemap::parse(&packed[..packed.len() / 2]);
        assert!(!found.pages.is_empty() && found.pages.len() < 5_000);
        assert!(found.problem.is_some_and(|problem| problem.contains("gzip")));
    }

    #[test]
    fn lists_and_bombs_have_limits() {
        let text: String =
            (0..MOST_ADDRESSES + 9).map(|number| format!("https://a.edu/{number}\n")).collect();
        let found = Sitemap::parse(text.as_bytes());
        assert_eq!(found.pages.len(), MOST_ADDRESSES);
        assert!(found.problem.is_some());
        let bomb = gzip(&vec![b' '; 2 << 20]);
        assert!(bomb.len() < 10_000);
        let (unpacked, problem) = super::unpack(&bomb, 1 << 20);
        assert_eq!(unpacked.len(), (1 << 20) + 1);
        assert!(problem.is_some_and(|problem| problem.contains("unpacks")));
    }

    proptest! {
        #[test]
        fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..500)) {
            Sitemap::parse(&bytes);
            Sitemap::parse(&[b"\x1F\x8B\x08\x00".as_slice(), &bytes].concat());
        }

        #[test]
        fn any_markup_is_read(text in "<(</?(url|loc|urlset|sitemap)>|<!\\[CDATA\\[|]]>|<!--|&#?[a-z0-9]{0,4};?|.{0,5}){0,30}") {
            Sitemap::parse(text.as_bytes());
        }
    }
}
