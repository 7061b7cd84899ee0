//! The jobs that a command may lack: each is a feature of cargo, and a release has all of them.

/// A feature of cargo, and what it brings.
struct Feature {
    name: &'static str,
    /// What is typed to have it.
    brings: &'static str,
    is_compiled: bool,
}

/// The features that a release has, as `full` lists them in Cargo.toml.
const FEATURES: [Feature; 8] = [
    Feature { name: "desk", brings: "questions", is_compiled: cfg!(feature = "desk") },
    Feature { name: "eval", brings: "eval", is_compiled: cfg!(feature = "eval") },
    Feature { name: "export", brings: "export", is_compiled: cfg!(feature = "export") },
    Feature { name: "gpu", brings: "build --device gpu", is_compiled: cfg!(feature = "gpu") },
    Feature {
        name: "ocr",
        brings: "scanned pages (ocr = true)",
        is_compiled: cfg!(feature = "ocr"),
    },
    Feature {
        name: "parts",
        brings: "passages, embed, build --from",
        is_compiled: cfg!(feature = "parts"),
    },
    Feature {
        name: "tokenizers",
        brings: "ask --prose; encoders of other families than BERT",
        is_compiled: cfg!(feature = "tokenizers"),
    },
    Feature {
        name: "website",
        brings: "[website] in the settings",
        is_compiled: cfg!(feature = "website"),
    },
];

const START: &str = "Start here:\n  \
    campanile init docs              write the settings of a site, and the job that publishes it\n  \
    campanile build docs -o site     read the documents in docs/ and write a website\n  \
    campanile serve site             look at it on this machine\n  \
    campanile ask site \"question\"    ask it in the terminal\n\n\
    Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done, but some documents could not be read.\n\
    With CAMPANILE_LOG=info in the environment (or debug), it says on standard error what it does.";

/// The end of `campanile --help`: where to start, and what this command lacks.
pub fn after_help() -> String {
    let lacking: Vec<_> = FEATURES.iter().filter(|feature| !feature.is_compiled).collect();
    if lacking.is_empty() {
        return START.to_owned();
    }
    let mut text = format!(
        "{START}\n\nNot in this command, but in each release (from a clone: `cargo install --path . --features full`):\n"
    );
    for feature in lacking {
        text += &format!("  {:<50}feature `{}`\n", feature.brings, feature.name);
    }
    text
}

/// The error of a job whose feature this command was compiled without.
#[cfg(not(all(feature = "desk", feature = "eval", feature = "export", feature = "parts")))]
pub fn lacking(feature: &str) -> anyhow::Error {
    anyhow::anyhow!(
        "this `campanile` was compiled without the feature `{feature}`\n  \
         way out: a release has it, and so has `cargo install --path . --features {feature}` \
         (`--features full` for all that a release has)"
    )
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use super::*;

    #[test]
    fn a_release_has_what_is_listed_here() {
        let manifest: toml::Table = include_str!("../Cargo.toml").parse().unwrap();
        let full = manifest["features"]["full"].as_array().unwrap();
        let full: Vec<&str> = full.iter().filter_map(toml::Value::as_str).collect();
        assert_eq!(full, FEATURES.map(|feature| feature.name));
        assert!(manifest["features"]["default"].as_array().unwrap().is_empty());
    }

    #[test]
    fn help_names_what_is_lacking_and_nothing_else() {
        let help = after_help();
        for feature in &FEATURES {
            let line = format!("feature `{}`", feature.name);
            assert_eq!(help.contains(&line), !feature.is_compiled, "{help}");
        }
    }
}
