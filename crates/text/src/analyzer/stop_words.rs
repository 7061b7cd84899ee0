//! Words too common to find anything by.

use crate::Language;

/// Returns `true` if `word`, in lower case and without diacritics, is too common in `language` to be
/// looked up. Negations (`not`, `kein`) are kept: a rule turns on them. So is `may`, which is a month too.
pub fn is_stop_word(language: Language, word: &str) -> bool {
    let list = match language {
        Language::English => ENGLISH,
        Language::German => GERMAN,
        Language::None => return false,
    };
    list.binary_search(&word).is_ok()
}

// Both lists are sorted: they are searched by halves.
#[rustfmt::skip]
pub(super) const ENGLISH: &[&str] = &[
    "a", "about", "after", "again", "all", "also", "am", "an", "and", "any", "are", "aren't", "as",
    "at", "be", "because", "been", "before", "being", "between", "both", "but", "by", "can",
    "could", "did", "do", "does", "doing", "during", "each", "for", "from", "further", "had", "has",
    "have", "having", "he", "he's", "her", "here", "hers", "herself", "him", "himself", "his",
    "how", "how's", "i", "i'd", "i'll", "i'm", "i've", "if", "in", "into", "is", "it", "it's",
    "its", "itself", "just", "let's", "me", "more", "most", "my", "myself", "of", "off", "on",
    "once", "or", "other", "our", "ours", "ourselves", "out", "over", "own", "same", "she", "she's",
    "should", "so", "some", "such", "than", "that", "that's", "the", "their", "theirs", "them",
    "themselves", "then", "there", "there's", "these", "they", "they're", "this", "those",
    "through", "to", "too", "under", "until", "up", "us", "very", "was", "we", "we'll", "we're",
    "we've", "were", "what", "what's", "when", "where", "which", "while", "who", "who's", "whom",
    "whose", "why", "will", "with", "would", "you", "you'd", "you'll", "you're", "you've", "your",
    "yours", "yourself", "yourselves",
];

pub(super) const GERMAN: &[&str] = &[
    "aber", "alle", "allem", "allen", "aller", "alles", "als", "also", "am", "an", "andere",
    "anderen", "auch", "auf", "aus", "bei", "beim", "bin", "bis", "bist", "da", "damit", "dann",
    "das", "dass", "dein", "deine", "dem", "den", "denn", "der", "deren", "des", "dessen", "dich",
    "die", "dies", "diese", "diesem", "diesen", "dieser", "dieses", "dir", "doch", "dort", "du",
    "durch", "ein", "eine", "einem", "einen", "einer", "eines", "einige", "er", "es", "etwas",
    "euch", "euer", "eure", "fur", "gegen", "hab", "habe", "haben", "hat", "hatte", "hatten",
    "hier", "hin", "hinter", "ich", "ihm", "ihn", "ihnen", "ihr", "ihre", "ihrem", "ihren",
    "ihrer", "im", "in", "ins", "ist", "jede", "jedem", "jeden", "jeder", "jedes", "jene", "kann",
    "konnen", "man", "manche", "mein", "meine", "mich", "mir", "mit", "muss", "mussen", "nach",
    "noch", "nun", "nur", "ob", "oder", "ohne", "sehr", "sein", "seine", "seinem", "seinen",
    "seiner", "selbst", "sich", "sie", "sind", "so", "soll", "sollen", "sollte", "sondern", "uber",
    "um", "und", "uns", "unser", "unsere", "unter", "viel", "vom", "von", "vor", "wann", "war",
    "waren", "warum", "was", "weil", "welche", "welchem", "welchen", "welcher", "welches", "wenn",
    "wer", "werde", "werden", "wie", "wieder", "will", "wir", "wird", "wo", "wollen", "wurde",
    "wurden", "zu", "zum", "zur", "zwar", "zwischen",
];
