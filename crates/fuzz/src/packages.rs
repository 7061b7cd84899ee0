use std::io::{Cursor, Write};

use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// Begins a line that names the part that follows.
const MARK: &[u8] = b"@@ ";

/// The parts of a package written as text: each behind a line `@@ name`, without its last line break.
/// What stands in front of the first such line is nobody's.
pub(crate) fn parts(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut parts: Vec<(String, Vec<u8>)> = Vec::new();
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        match line.strip_prefix(MARK) {
            Some(name) => {
                let name = String::from_utf8_lossy(name).trim().to_owned();
                parts.push((name, Vec::new()));
            }
            None => {
                if let Some((_, part)) = parts.last_mut() {
                    part.extend_from_slice(line);
                }
            }
        }
    }
    for (_, part) in &mut parts {
        if part.last() == Some(&b'\n') {
            part.pop();
        }
    }
    parts
}

/// A zip file of parts, uncompressed; of two with one name the first counts.
pub(crate) fn zipped(parts: &[(String, Vec<u8>)]) -> Result<Vec<u8>, ZipError> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (number, (name, bytes)) in parts.iter().enumerate() {
        let earlier = parts.iter().take(number);
        if earlier.map(|(name, _)| name).any(|earlier| earlier == name) {
            continue;
        }
        writer.start_file(name.as_str(), options)?;
        writer.write_all(bytes)?;
    }
    Ok(writer.finish()?.into_inner())
}

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn parts_stand_behind_their_names() {
        let package = b"nobody's\n@@ a.xml\n<a/>\n\n@@ b/c.xml \n@@ d";
        let named: Vec<_> = parts(package)
            .into_iter()
            .map(|(name, bytes)| (name, String::from_utf8_lossy(&bytes).into_owned()))
            .collect();
        let expected = [("a.xml", "<a/>\n"), ("b/c.xml", ""), ("d", "")];
        assert_eq!(named, expected.map(|(name, text)| (name.to_owned(), text.to_owned())));
    }
}
