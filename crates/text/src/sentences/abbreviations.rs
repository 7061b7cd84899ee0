//! The words that a full stop does not end a sentence after.

/// The kinds of words before a full stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Abbreviation {
    /// An ordinary word.
    None,
    /// Always followed by what it belongs to: `Dr.`, `e.g.`.
    Always,
    /// An abbreviation only when a number follows: `No. 5`, `Sect. 2`.
    BeforeNumber,
    /// `a.m.` and `p.m.`: the sentence goes on with a day, a month or a time zone.
    Time,
    /// Initials, dotted letters, parts of names: `J. Smith`, `U.S. Code`, `St. Andrews`.
    Initial,
    /// May stand at the end of a sentence: `etc.`, `et al.`.
    MayEnd,
    /// A number: a list's `1.` or the day in `3. Mai`.
    Number,
}

const ALWAYS: &[&str] = &[
    "adj", "approx", "asst", "assoc", "bspw", "bzgl", "bzw", "ca", "capt", "cf", "col", "dipl",
    "dr", "eg", "e.g", "evtl", "gen", "ggf", "gov", "hon", "ie", "i.e", "i.d.r", "inkl", "lt",
    "messrs", "mr", "mrs", "ms", "mx", "prof", "rep", "resp", "rev", "sen", "sgt", "sog", "u.a",
    "v.a", "viz", "vgl", "vs", "z.b", "z.t", "zzgl", "d.h", "o.ä",
];

const BEFORE_NUMBER: &[&str] = &[
    "abb", "abs", "anl", "app", "art", "bd", "bldg", "ch", "chap", "eq", "ext", "fig", "figs",
    "kap", "lit", "no", "nos", "nr", "p", "par", "para", "pp", "pt", "rm", "s", "sec", "sect",
    "sects", "tab", "tel", "vol", "ziff",
];

const MAY_END: &[&str] = &["al", "e.v", "etc", "ff", "jr", "sr", "usw", "uvm"];

/// Parts of names: the sentence goes on unless the next word plainly begins one.
const NAME_PARTS: &[&str] = &[
    "ave", "blvd", "bros", "co", "corp", "dept", "ft", "hr", "inc", "ltd", "mt", "st", "str",
    "univ",
];

const TIME: &[&str] = &["a.m", "p.m", "am", "pm"];

/// Words that go on after a time of day or a day's number.
#[rustfmt::skip]
const CALENDAR: &[&str] = &[
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january",
    "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct",
    "nov", "dec", "mon", "tue", "wed", "thu", "fri", "sat", "sun", "montag", "dienstag", "mittwoch",
    "donnerstag", "freitag", "samstag", "sonntag", "januar", "februar", "märz", "mai", "juni",
    "juli", "oktober", "dezember", "et", "est", "edt", "ct", "cst", "cdt", "mt", "mst", "mdt", "pt",
    "pst", "pdt", "gmt", "utc", "cet", "cest", "mez", "mesz", "eastern", "central", "mountain",
    "pacific",
];

/// Words that, capitalised behind an initial, begin a new sentence rather than go on as a name.
const STARTERS: &[&str] = &[
    "a", "all", "an", "and", "any", "as", "at", "both", "but", "by", "das", "der", "die", "each",
    "ein", "eine", "es", "every", "for", "from", "he", "her", "his", "how", "however", "if", "in",
    "it", "its", "most", "no", "not", "of", "on", "our", "please", "see", "she", "sie", "some",
    "students", "such", "that", "the", "their", "there", "these", "they", "this", "those", "to",
    "we", "what", "when", "where", "which", "while", "who", "why", "with", "you", "your",
];

/// Classes the word that stands before a full stop, without that stop.
pub(super) fn classify(word: &str) -> Abbreviation {
    let lower = word.to_lowercase();
    let lower = lower.as_str();
    if TIME.contains(&lower) {
        Abbreviation::Time
    } else if ALWAYS.contains(&lower) {
        Abbreviation::Always
    } else if BEFORE_NUMBER.contains(&lower) {
        Abbreviation::BeforeNumber
    } else if MAY_END.contains(&lower) {
        Abbreviation::MayEnd
    } else if is_initial(word) || NAME_PARTS.contains(&lower) {
        Abbreviation::Initial
    // Days and list numbers; four digits are a year, which does end sentences.
    } else if !word.is_empty() && word.len() <= 3 && word.bytes().all(|b| b.is_ascii_digit()) {
        Abbreviation::Number
    } else {
        Abbreviation::None
    }
}

/// `J`, `U.S`, `Ph.D`, `B.Sc`: dotted pieces of at most three letters, or one capital.
fn is_initial(word: &str) -> bool {
    let pieces = word.split('.').filter(|piece| !piece.is_empty());
    let short = |piece: &str| {
        piece.chars().count() <= 3
            && piece.chars().all(char::is_alphabetic)
            && piece.starts_with(char::is_uppercase)
    };
    match pieces.clone().count() {
        0 => false,
        1 => word.chars().count() == 1 && word.chars().all(char::is_uppercase),
        _ => pieces.clone().all(short),
    }
}

/// Returns `true` if `next` is a day, a month or a time zone.
pub(super) fn continues_after(next: &str) -> bool {
    CALENDAR.contains(&next.to_lowercase().as_str())
}

/// Returns `true` if `next`, capitalised, begins a sentence.
pub(super) fn starts_sentence(next: &str) -> bool {
    STARTERS.contains(&next.to_lowercase().as_str())
}
