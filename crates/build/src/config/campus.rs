//! `campus.toml`: the sites that a campus's page asks, and how it presents itself.

use std::path::Path;

use campanile_bundle::CampusSite;
use campanile_bundle::settings::SearchConfig;
use serde::Deserialize;

use super::read::{ConfigError, Problem, check};
use super::{Config, EncoderConfig, ModelsConfig, PageConfig, SiteConfig};

/// So many sites are asked a question at the most, unless the file says otherwise: with fewer of twelve much alike, what
/// one site over all documents finds is missed (docs/reference/performance.md).
const MOST_ASKED: u32 = 6;

/// The settings in a `campus.toml`.
#[derive(Debug, Clone, PartialEq)]
pub struct CampusConfig {
    /// The sites, in their order.
    pub sites: Vec<ListedSite>,
    /// So many of them are asked a question, at the most.
    pub most_asked: u32,
    /// The settings that it has in common with a site's own.
    pub config: Config,
}

/// A site as `campus.toml` lists it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListedSite {
    /// The name by which a visitor knows it; its own title, if not given.
    pub name: Option<String>,
    /// The address of its folder on the web, or relative to the campus's own (`../physics/`).
    pub address: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    sites: Vec<ListedSite>,
    #[serde(default = "most_asked")]
    most_asked: u32,
    #[serde(default)]
    site: SiteConfig,
    #[serde(default)]
    page: PageConfig,
    #[serde(default)]
    search: SearchConfig,
    #[serde(default)]
    encoder: EncoderConfig,
    #[serde(default)]
    models: ModelsConfig,
}

fn most_asked() -> u32 {
    MOST_ASKED
}

/// Reads the file that lists a campus's sites. An address gets the slash at its end that a folder has.
///
/// # Errors
/// A file that is not there or not TOML, an unknown key, a value out of range, no site, a site twice, or an address that a
/// page cannot fetch from.
pub fn load_campus(path: &Path) -> Result<CampusConfig, ConfigError> {
    let text = std::fs::read_to_string(path)
        .map_err(|source| ConfigError::Read { path: path.to_owned(), source })?;
    parse(&text).map_err(|problem| problem.in_file(path))
}

fn parse(text: &str) -> Result<CampusConfig, Problem> {
    let file: File = toml::from_str(text).map_err(|error| Problem::invalid(&error))?;
    let File { mut sites, most_asked, site, page, search, encoder, models } = file;
    let config = Config { site, page, search, encoder, models, ..Config::default() };
    check(&config)?;
    if sites.is_empty() || most_asked == 0 {
        let what = if most_asked == 0 { "`most_asked` is 0" } else { "`sites` is empty" };
        return Err(Problem::Campus(what.to_owned()));
    }
    for site in &mut sites {
        if !site.address.ends_with('/') {
            site.address.push('/');
        }
        if !CampusSite::is_address(&site.address) {
            let what = format!("a page cannot fetch from `{}`", site.address);
            return Err(Problem::Campus(what));
        }
    }
    for (place, site) in sites.iter().enumerate() {
        if sites.iter().skip(place + 1).any(|other| other.address == site.address) {
            return Err(Problem::Campus(format!("`{}` is listed twice", site.address)));
        }
    }
    Ok(CampusConfig { sites, most_asked, config })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn what_it_lists_is_read() {
        let text = "most_asked = 3\n[site]\ntitle = \"University\"\n\
                    [[sites]]\nname = \"Physics\"\naddress = \"https://physics.example.edu/ask\"\n\
                    [[sites]]\naddress = \"law/\"\n";
        let CampusConfig { sites, most_asked, config } = parse(text).unwrap();
        assert_eq!((most_asked, config.site.title.as_str()), (3, "University"));
        let addresses: Vec<&str> = sites.iter().map(|site| site.address.as_str()).collect();
        assert_eq!(addresses, ["https://physics.example.edu/ask/", "law/"]);
        assert_eq!(sites[1].name, None);
    }

    #[test]
    fn what_cannot_be_is_named() {
        let cases = [
            ("sites = []", "`sites` is empty"),
            ("most_asked = 0\n[[sites]]\naddress = \"a/\"", "`most_asked` is 0"),
            ("[[sites]]\naddress = \"javascript:alert(1)\"", "cannot fetch from"),
            ("[[sites]]\naddress = \"a\"\n[[sites]]\naddress = \"a/\"", "listed twice"),
            ("[[sites]]\nadress = \"a\"", "did you mean `address`?"),
            ("[site]\ntitle = \"x\"", "missing field `sites`"),
        ];
        for (text, expected) in cases {
            let problem = parse(text).unwrap_err().to_string();
            assert!(problem.contains(expected), "{text}: {problem}");
        }
    }
}
