//! Under which licence a model is published, as far as its files or the catalogue say.

use std::fs;
use std::path::Path;

use campanile_model::gguf::Value;
use campanile_model_store::Store;
use campanile_model_store::catalogue::MODELS;

use crate::model_source::ModelSource;

/// The file beside the weights in which a model's authors describe it.
pub const MODEL_CARD: &str = "README.md";

/// The licence from the catalogue (by the file's name and length), a GGUF file's metadata, or the
/// front matter of a model card beside the weights.
pub fn licence(path: &Path, source: &ModelSource, store: &Store) -> Option<String> {
    from_catalogue(path, store).or_else(|| match source {
        ModelSource::Gguf(file) => {
            file.get("general.license").and_then(Value::as_text).map(str::to_owned)
        }
        ModelSource::Folder(folder) => {
            from_card(&fs::read_to_string(folder.join(MODEL_CARD)).ok()?)
        }
    })
}

fn from_catalogue(path: &Path, store: &Store) -> Option<String> {
    let known = MODELS.iter().find(|model| {
        let same_file = |file: &campanile_model_store::ModelFile| {
            let weights = if path.is_dir() { path.join(file.name) } else { path.to_owned() };
            weights.file_name().is_some_and(|name| name == file.name)
                && fs::metadata(&weights).is_ok_and(|found| found.len() == file.bytes)
        };
        store.folder().join(model.name) == path || model.files.iter().all(same_file)
    })?;
    Some(known.licence.to_owned())
}

/// The entry `license` of a card's front matter, which stands between two lines of `---`.
fn from_card(card: &str) -> Option<String> {
    let (front, _) = card.strip_prefix("---")?.split_once("\n---")?;
    let value = front.lines().find_map(|line| line.strip_prefix("license:"))?;
    let value = value.trim().trim_matches(['"', '\'']);
    (!value.is_empty()).then(|| value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::from_card;

    #[test]
    fn a_model_card_tells_its_licence() {
        let cases = [
            ("---\nlanguage: en\nlicense: apache-2.0\n---\n# Model\n", Some("apache-2.0")),
            ("---\nlicense: \"mit\"\n---\n", Some("mit")),
            ("---\nlicense:\n- mit\n---\n", None),
            ("# Model\nlicense: mit\n", None),
            ("---\nlicense: mit\n", None),
            ("", None),
        ];
        for (card, expected) in cases {
            assert_eq!(from_card(card).as_deref(), expected, "{card:?}");
        }
    }
}
