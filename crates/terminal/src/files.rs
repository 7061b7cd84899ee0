//! Files that a person would miss.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

/// Writes a file whole or not at all.
pub fn replace(path: &Path, text: &str) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let part = path.with_file_name(format!("{name}.part"));
    let named = |error: io::Error| {
        io::Error::new(error.kind(), format!("cannot write `{}`: {error}", path.display()))
    };
    let mut file = fs::File::create(&part).map_err(named)?;
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(named)?;
    fs::rename(&part, path).map_err(named)
}
