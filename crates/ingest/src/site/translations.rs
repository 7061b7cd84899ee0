//! The language that a page's folder says it is in.

/// The folder that generators keep translations in: `i18n/de/…`.
const TRANSLATIONS: &str = "i18n";

/// The language of the translations that a file lies among, where its path names one.
///
/// ```
/// use campanile_ingest::site::language_of;
///
/// assert_eq!(language_of("site/i18n/pt-BR/current/fees.md"), Some("pt-BR"));
/// assert_eq!(language_of("i18n/fees.md"), None);
/// assert_eq!(language_of("i18n/notes/fees.md"), None);
/// ```
pub fn language_of(path: &str) -> Option<&str> {
    let mut folders = path.rsplit_once('/')?.0.split('/');
    folders.find(|folder| *folder == TRANSLATIONS)?;
    folders.next().filter(|name| is_language(name))
}

/// Returns `true` for a tag of a language, with its region or script at most: `de`, `pt-BR`, `zh_Hans`.
fn is_language(name: &str) -> bool {
    let (language, region) = name.split_once(['-', '_']).unwrap_or((name, ""));
    let are_letters = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphabetic());
    (2..=3).contains(&language.len())
        && language.bytes().all(|byte| byte.is_ascii_lowercase())
        && matches!(region.len(), 0 | 2 | 4)
        && are_letters(region)
}
