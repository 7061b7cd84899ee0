//! Titles from file names.

/// A title for a document that states none: its file's name, or its folder's for an index page.
pub(crate) fn readable(path: &str) -> String {
    let mut parts = path.rsplit('/').filter(|part| !part.is_empty());
    let file = parts.next().unwrap_or_default();
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let plain = stem.trim_matches('_').to_ascii_lowercase();
    let is_index = matches!(plain.as_str(), "index" | "readme" | "default");
    let name = match parts.next() {
        Some(folder) if is_index => folder,
        _ => stem,
    };
    let words: Vec<&str> = name
        .split(|character: char| character.is_whitespace() || matches!(character, '-' | '_' | '+'))
        .filter(|word| !word.is_empty())
        .collect();
    let line = words.join(" ");
    let mut characters = line.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn file_names_become_titles() {
        let cases = [
            ("travel/travel-guide_faq.md", "Travel guide faq"),
            ("travel/index.md", "Travel"),
            ("a/b/README.md", "B"),
            ("index.html", "Index"),
            ("Exam Rules 2024.txt", "Exam Rules 2024"),
            ("übersicht.md", "Übersicht"),
            ("v1.2.md", "V1.2"),
            ("---.md", "---.md"),
        ];
        for (path, expected) in cases {
            assert_eq!(readable(path), expected, "{path}");
        }
    }
}
