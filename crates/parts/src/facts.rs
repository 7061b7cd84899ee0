//! The facts that the file of a part states about itself: all that embedding it needs besides its rows.

use std::collections::BTreeMap;

use campanile_build::config::{Config, DeviceChoice, ModelChoice};
use campanile_build::parts::{PartText, has_passage_adapter, identity, text_key};
use campanile_build::{BuildError, Plan};
use campanile_text::Language;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::VERSION;

pub(crate) const VERSION_NAME: &str = "campanile.parts";
pub(crate) const HOLDS: &str = "campanile.holds";
pub(crate) const DATA_BYTES: &str = "campanile.data_bytes";
pub(crate) const DATA: &str = "campanile.data_sha256";

/// The facts that a part's file states in its metadata.
///
/// | name | meaning |
/// |---|---|
/// | `campanile.parts` | the version of the columns |
/// | `campanile.holds` | `texts` or `vectors` |
/// | `campanile.generator` | the command that wrote the file |
/// | `campanile.set` | SHA-256 of all texts of all parts, and of how they were dealt out |
/// | `campanile.part`, `campanile.of` | this part's number, from 1, and how many there are |
/// | `campanile.encoder` | the encoder's name |
/// | `campanile.identity` | SHA-256 of its files' hashes, the form that its weights are given, the adapter for passages and the form of token vectors |
/// | `campanile.language` | of the documents: token vectors leave out its stop words |
/// | `campanile.late_interaction` | `true` where the tokens of passages are coded too |
/// | `campanile.passage_adapter` | `true` where the encoder embeds passages with the adapter that comes with the command |
/// | `campanile.device` | of texts: the device that the settings ask for; of vectors: the card that computed them, empty for the processor |
/// | `campanile.data_bytes`, `campanile.data_sha256` | the length of the file up to its metadata, and the hash of that |
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// The set that the part belongs to.
    pub set: String,
    /// The part's number, from 1; 0 stands for the set as a whole.
    pub part: u32,
    /// The number of parts.
    pub of: u32,
    /// The encoder's name.
    pub encoder: String,
    /// All that its vectors depend on.
    pub identity: String,
    /// The documents' language.
    pub language: String,
    /// Token vectors are wanted.
    pub late_interaction: bool,
    /// Passages are embedded with an adapter.
    pub passage_adapter: bool,
    /// The device.
    pub device: String,
}

impl Facts {
    /// Those of a set of texts that are dealt out to so many parts.
    ///
    /// # Errors
    /// Where an adapter that comes with the command is damaged.
    pub(crate) fn of_set(plan: &Plan, texts: &[PartText], of: u32) -> Result<Self, BuildError> {
        let config = plan.config;
        let identity = identity(plan)?;
        let mut set = Sha256::new_with_prefix(format!("{identity} {of}\n"));
        for text in texts {
            set.update(text.role.name());
            set.update(text_key(&text.text));
        }
        Ok(Self {
            set: hexadecimal(&set.finalize()),
            part: 0,
            of,
            encoder: plan.encoder.name.clone(),
            identity,
            language: config.site.language.code().to_owned(),
            late_interaction: config.search.late_interaction,
            passage_adapter: has_passage_adapter(plan)?,
            device: device_name(config.encoder.device),
        })
    }

    /// The settings that embedding the part needs; nothing where they are of no kind that is known.
    pub fn config(&self) -> Option<Config> {
        let mut config = Config::default();
        config.site.language = self.language.parse::<Language>().ok()?;
        config.search.late_interaction = self.late_interaction;
        if !self.passage_adapter {
            config.encoder.query_adapter = ModelChoice::None;
        }
        config.encoder.model.clone_from(&self.encoder);
        config.encoder.device = serde_json::from_value(self.device.clone().into()).ok()?;
        Some(config)
    }

    pub(crate) fn written(&self, holds: &str) -> Vec<(&'static str, String)> {
        vec![
            (VERSION_NAME, VERSION.to_string()),
            (HOLDS, holds.to_owned()),
            ("campanile.generator", generator()),
            ("campanile.set", self.set.clone()),
            ("campanile.part", self.part.to_string()),
            ("campanile.of", self.of.to_string()),
            ("campanile.encoder", self.encoder.clone()),
            ("campanile.identity", self.identity.clone()),
            ("campanile.language", self.language.clone()),
            ("campanile.late_interaction", self.late_interaction.to_string()),
            ("campanile.passage_adapter", self.passage_adapter.to_string()),
            ("campanile.device", self.device.clone()),
        ]
    }

    /// Those that a file states; else the name of one that is missing or makes no sense.
    pub(crate) fn read(stated: &BTreeMap<String, String>) -> Result<Self, &'static str> {
        let text = |name: &'static str| stated.get(name).cloned().ok_or(name);
        let number = |name: &'static str| text(name)?.parse::<u32>().map_err(|_| name);
        let facts = Self {
            set: text("campanile.set")?,
            part: number("campanile.part")?,
            of: number("campanile.of")?,
            encoder: text("campanile.encoder")?,
            identity: text("campanile.identity")?,
            language: text("campanile.language")?,
            late_interaction: text("campanile.late_interaction")? == "true",
            passage_adapter: text("campanile.passage_adapter")? == "true",
            device: text("campanile.device")?,
        };
        if facts.part == 0 || facts.part > facts.of {
            return Err("campanile.part");
        }
        Ok(facts)
    }
}

/// The command that writes.
pub(crate) fn generator() -> String {
    concat!("campanile ", env!("CARGO_PKG_VERSION")).to_owned()
}

/// A device as the settings name it.
fn device_name(choice: DeviceChoice) -> String {
    let name = serde_json::to_value(choice).ok();
    name.as_ref().and_then(|name| name.as_str()).unwrap_or("cpu").to_owned()
}

/// The hash of a text, in hexadecimal digits.
pub(crate) fn hash_of(text: &str) -> String {
    hexadecimal(&text_key(text))
}

pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The bytes of a hash in hexadecimal digits; nothing where it is none.
pub(crate) fn bytes_of(hash: &str) -> Option<[u8; 32]> {
    let (pairs, rest) = hash.as_bytes().as_chunks::<2>();
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let bytes = pairs.iter().map(|[high, low]| Some(digit(*high)? * 16 + digit(*low)?));
    let bytes: Vec<u8> = bytes.collect::<Option<_>>()?;
    rest.is_empty().then_some(())?;
    bytes.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_read_as_it_was_written() {
        let hash = hash_of("fees");
        assert_eq!(bytes_of(&hash), Some(text_key("fees")));
        for wrong in ["", "ab", &hash[1..], &format!("g{}", &hash[1..]), &format!("{hash}00")] {
            assert_eq!(bytes_of(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn every_device_of_the_settings_comes_back() {
        for choice in [DeviceChoice::Cpu, DeviceChoice::Gpu, DeviceChoice::Auto, DeviceChoice::Cuda]
        {
            let facts = Facts {
                set: String::new(),
                part: 1,
                of: 1,
                encoder: "tiny".to_owned(),
                identity: String::new(),
                language: "en".to_owned(),
                late_interaction: true,
                passage_adapter: choice == DeviceChoice::Cpu,
                device: device_name(choice),
            };
            let config = facts.config().unwrap_or_default();
            assert_eq!((config.encoder.device, config.site.language), (choice, Language::English));
            let stated = facts.written("texts");
            let stated = stated.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
            assert_eq!(Facts::read(&stated), Ok(facts));
        }
    }
}
