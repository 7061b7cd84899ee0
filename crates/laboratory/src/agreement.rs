//! `campanile eval agreement`: two people's work on the same questions, side by side.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use campanile_eval::agreement::{Annotation, agreement, read_annotations};
use campanile_terminal::say;

use super::read;
use crate::arguments::EvalAgreementArguments;

/// Compares two files and prints what was found.
pub fn run(arguments: &EvalAgreementArguments) -> anyhow::Result<ExitCode> {
    let (first, second) = (annotations(&arguments.first)?, annotations(&arguments.second)?);
    let found = agreement(&first, &second);
    if found.shared == 0 {
        bail!(
            "`{}` and `{}` have no question in common\n  way out: both have to begin with the same \
             proposals; copy one review before the first decision",
            arguments.first.display(),
            arguments.second.display()
        );
    }
    if arguments.json {
        say!("{}", serde_json::to_string_pretty(&found)?);
    } else {
        say!("{}", found.to_string().trim_end());
    }
    Ok(ExitCode::SUCCESS)
}

fn annotations(path: &Path) -> anyhow::Result<Vec<Annotation>> {
    read_annotations(&read(path)?).with_context(|| format!("in `{}`", path.display()))
}
