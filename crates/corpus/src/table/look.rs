//! The look of a cell: a number, an address, a mark.

/// Returns `true` if the text is a value rather than a name: a number, a date, a time, an amount, an address.
pub(super) fn is_value(text: &str) -> bool {
    let text = text.trim();
    if text.is_empty() {
        return false;
    }
    if is_address(text) {
        return true;
    }
    let letters = text.chars().filter(|character| character.is_alphabetic()).count();
    let digits = text.chars().filter(|character| character.is_numeric()).count();
    // `12`, `12.50 €`, `2026-01-07`, `10–12 h`, `+49 951 863`: digits, and hardly a letter.
    digits > 0 && letters <= digits.min(3)
}

/// Returns `true` if the text is an e-mail address or a place on the web.
pub(super) fn is_address(text: &str) -> bool {
    let is_mail = text.split_once('@').is_some_and(|(name, host)| {
        !name.is_empty() && host.contains('.') && !text.contains(char::is_whitespace)
    });
    is_mail || text.contains("://") || text.starts_with("www.")
}

/// Returns `true` if the text reads as a sentence rather than as a name.
pub(super) fn is_sentence(text: &str) -> bool {
    let text = text.trim();
    text.ends_with(['.', '!', '…']) && text.contains(' ') && !text.ends_with("No.")
        || text.contains(". ") && text.split_whitespace().count() > 8
}

/// A cell that only says whether.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// `x`, `✓`, `•`, `yes`.
    Set,
    /// `no`, `✗`: said in so many words.
    Denied,
    /// `–`: as good as empty.
    Blank,
}

/// Returns the mark that a cell is, if it is one at all.
pub(super) fn mark(text: &str) -> Option<Mark> {
    let text = text.trim().trim_matches(['(', ')', '[', ']']);
    match text {
        "x" | "X" | "×" | "✓" | "✔" | "☑" | "✅" | "✕" | "•" | "●" | "⬤" | "■" | "◆" | "*"
        | "✱" | "\u{2714}\u{fe0f}" | "√" => return Some(Mark::Set),
        "-" | "–" | "—" | "−" | "○" | "◯" | "☐" | "□" => return Some(Mark::Blank),
        "✗" | "✘" | "❌" => return Some(Mark::Denied),
        _ => {}
    }
    match text.to_lowercase().as_str() {
        "yes" | "ja" => Some(Mark::Set),
        "no" | "nein" => Some(Mark::Denied),
        _ => None,
    }
}

/// Words that head columns or rows in the tables of universities, in English and German.
const FIELD_WORDS: &[&str] = &[
    "abbreviation",
    "address",
    "adresse",
    "amount",
    "ansprechpartner",
    "anzahl",
    "art",
    "author",
    "beginn",
    "begin",
    "beschreibung",
    "betrag",
    "bezeichnung",
    "building",
    "büro",
    "category",
    "class",
    "code",
    "comment",
    "contact",
    "course",
    "courses",
    "cp",
    "credit",
    "credits",
    "datum",
    "date",
    "dates",
    "day",
    "days",
    "deadline",
    "department",
    "description",
    "dozent",
    "dozentin",
    "dozierende",
    "duration",
    "ects",
    "e-mail",
    "email",
    "end",
    "ende",
    "event",
    "exam",
    "fach",
    "faculty",
    "fax",
    "fee",
    "fees",
    "format",
    "frist",
    "from",
    "funktion",
    "gebühr",
    "grade",
    "hours",
    "id",
    "instructor",
    "instructors",
    "jahr",
    "kommentar",
    "kürzel",
    "kurs",
    "language",
    "lecturer",
    "lehrveranstaltung",
    "leistungspunkte",
    "level",
    "link",
    "location",
    "lp",
    "mail",
    "modul",
    "module",
    "modules",
    "monat",
    "month",
    "name",
    "names",
    "nr",
    "nr.",
    "number",
    "office",
    "ort",
    "period",
    "person",
    "phone",
    "points",
    "position",
    "prerequisites",
    "price",
    "professor",
    "programme",
    "program",
    "raum",
    "responsible",
    "role",
    "rolle",
    "room",
    "section",
    "semester",
    "sprache",
    "sprechstunde",
    "sprechzeiten",
    "start",
    "status",
    "studiengang",
    "subject",
    "sws",
    "tag",
    "teacher",
    "tel",
    "tel.",
    "telefon",
    "telephone",
    "term",
    "thema",
    "time",
    "times",
    "titel",
    "title",
    "to",
    "topic",
    "type",
    "typ",
    "uhrzeit",
    "umfang",
    "unit",
    "units",
    "url",
    "venue",
    "veranstaltung",
    "verantwortlich",
    "von",
    "website",
    "week",
    "weekday",
    "what",
    "when",
    "where",
    "who",
    "wochentag",
    "year",
    "zeit",
    "zeitraum",
];

/// Returns `true` if the text names a field, such as `Phone number` or `office_hours`.
pub(super) fn names_a_field(text: &str) -> bool {
    let words: Vec<String> = text
        .split(|character: char| character.is_whitespace() || "_/():,".contains(character))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let is_field = |word: &String| FIELD_WORDS.contains(&word.as_str());
    words.len() <= 5 && words.iter().any(is_field)
}

/// Returns `true` if the text begins a row of sums.
pub(super) fn names_a_total(text: &str) -> bool {
    let word = text.trim().trim_end_matches(':').to_lowercase();
    matches!(
        word.as_str(),
        "total"
            | "totals"
            | "grand total"
            | "subtotal"
            | "sum"
            | "summe"
            | "gesamt"
            | "insgesamt"
            | "zwischensumme"
            | "gesamtsumme"
    )
}

/// The outline of a text: `Aa 9` for `Room 12`, so that texts of one make can be told.
pub(super) fn outline(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars().take(60) {
        let class = match character {
            c if c.is_uppercase() => 'A',
            c if c.is_alphabetic() => 'a',
            c if c.is_numeric() => '9',
            c if c.is_whitespace() => ' ',
            c => c,
        };
        if !out.ends_with(class) {
            out.push(class);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{is_sentence, is_value, names_a_field, outline};

    #[test]
    fn values_are_told_from_names() {
        for value in ["6", "12.50 €", "2026-01-07", "10:00–12:00", "+49 951 863", "a@b.edu", "38%"]
        {
            assert!(is_value(value), "{value}");
        }
        for name in ["Room", "Winter term", "", "CS", "Year 1", "Maximum ECTS", "a @ b"] {
            assert!(!is_value(name), "{name}");
        }
        assert!(is_sentence("Bring your card.") && !is_sentence("Dr.") && !is_sentence("Room"));
        assert!(names_a_field("Phone Number") && !names_a_field("Anna"));
        assert_eq!(outline("Room 12"), outline("Hall 3"));
    }
}
