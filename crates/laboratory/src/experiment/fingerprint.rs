//! Names for things by what they are made of.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use sha2::{Digest as _, Sha256};

/// So many of the hash's digits name a thing: two of some thousand alike is a matter of one in 10^7.
const DIGITS: usize = 16;

/// A name for these parts, in their order.
pub fn of(parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    let bytes = hash.finalize();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>()[..DIGITS].to_owned()
}

/// A name for a folder: the names and bytes of all files below it.
///
/// # Errors
/// Where a folder or file cannot be read.
pub fn of_folder(folder: &Path) -> anyhow::Result<String> {
    let mut files = Vec::new();
    collect(folder, &mut files)?;
    files.sort();
    let mut parts = Vec::new();
    for file in &files {
        let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        let name = file.strip_prefix(folder).unwrap_or(file).to_string_lossy().into_owned();
        parts.push(of(&[name.as_bytes(), &bytes]).into_bytes());
    }
    Ok(of(&parts.iter().map(Vec::as_slice).collect::<Vec<_>>()))
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    let failed = || format!("cannot read the folder {}", folder.display());
    for entry in fs::read_dir(folder).with_context(failed)? {
        let entry = entry.with_context(failed)?;
        let path = entry.path();
        if path.is_dir() { collect(&path, files)? } else { files.push(path) }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn parts_do_not_run_together() {
        assert_ne!(of(&[b"ab", b"c"]), of(&[b"a", b"bc"]));
        assert_eq!(of(&[b"ab"]).len(), 16);
    }
}
