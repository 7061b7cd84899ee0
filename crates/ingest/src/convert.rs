//! Ways out for files of a kind that no reader knows.

/// The way out by the end of the file's name, for one file or more: `save as ...`.
pub(crate) fn way_out(path: &str) -> &'static str {
    let extension = path.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    match extension.as_deref().unwrap_or_default() {
        "doc" | "dot" | "rtf" | "wps" | "wpd" | "pages" | "fodt" | "ott" => {
            "open in an office program and save as `.docx`"
        }
        "ppt" | "pps" | "pot" | "key" | "fodp" | "otp" => {
            "open in an office program and save as `.pptx`"
        }
        _ => {
            "convert to Word (`.docx`), Markdown (`.md`), HTML (`.html`) or plain text (`.txt`) what \
             should be found"
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::read_bytes;

    #[test]
    fn old_office_files_are_saved_anew() {
        let cases = [
            ("a/x.doc", "save as `.docx`"),
            ("a/x.RTF", "save as `.docx`"),
            ("a/x.ppt", "save as `.pptx`"),
            ("a/x.xyz", "Markdown"),
            ("a/x", "Markdown"),
        ];
        for (path, expected) in cases {
            let message = read_bytes(path, b"", &Default::default()).map(|_| ());
            let message = message.err().map(|error| error.to_string()).unwrap_or_default();
            assert!(message.contains(path) && message.contains(expected), "{message}");
        }
    }
}
