//! Names of months and days of the week in the language that a number format names: `[$-407]dddd` shows `Dienstag`.

use ssfmt::Locale;

/// Months in full and cut short, days of the week from Sunday on in the same way.
type Names = ([&'static str; 12], [&'static str; 12], [&'static str; 7], [&'static str; 7]);

const GERMAN: Names = (
    [
        "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September",
        "Oktober", "November", "Dezember",
    ],
    ["Jan", "Feb", "Mrz", "Apr", "Mai", "Jun", "Jul", "Aug", "Sep", "Okt", "Nov", "Dez"],
    ["Sonntag", "Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag"],
    ["So", "Mo", "Di", "Mi", "Do", "Fr", "Sa"],
);
const FRENCH: Names = (
    [
        "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre",
        "octobre", "novembre", "décembre",
    ],
    [
        "janv.", "févr.", "mars", "avr.", "mai", "juin", "juil.", "août", "sept.", "oct.", "nov.",
        "déc.",
    ],
    ["dimanche", "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi"],
    ["dim.", "lun.", "mar.", "mer.", "jeu.", "ven.", "sam."],
);
const SPANISH: Names = (
    [
        "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre",
        "octubre", "noviembre", "diciembre",
    ],
    ["ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sep", "oct", "nov", "dic"],
    ["domingo", "lunes", "martes", "miércoles", "jueves", "viernes", "sábado"],
    ["do", "lu", "ma", "mi", "ju", "vi", "sá"],
);
const ITALIAN: Names = (
    [
        "gennaio", "febbraio", "marzo", "aprile", "maggio", "giugno", "luglio", "agosto",
        "settembre", "ottobre", "novembre", "dicembre",
    ],
    ["gen", "feb", "mar", "apr", "mag", "giu", "lug", "ago", "set", "ott", "nov", "dic"],
    ["domenica", "lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato"],
    ["dom", "lun", "mar", "mer", "gio", "ven", "sab"],
);
const DUTCH: Names = (
    [
        "januari", "februari", "maart", "april", "mei", "juni", "juli", "augustus", "september",
        "oktober", "november", "december",
    ],
    ["jan", "feb", "mrt", "apr", "mei", "jun", "jul", "aug", "sep", "okt", "nov", "dec"],
    ["zondag", "maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag"],
    ["zo", "ma", "di", "wo", "do", "vr", "za"],
);

/// The last ten bits of a language's number at Microsoft name it without its country ([MS-LCID]).
const LANGUAGE_BITS: u32 = 0x3FF;

/// The names in the language of a format (`[$-407]`, `[$-de-DE]`), English ones where it names none that is known.
pub(super) fn names(format: &str) -> Locale {
    let english = Locale::default();
    let Some((months, short_months, days, short_days)) = language(format) else { return english };
    Locale {
        month_names_full: months,
        month_names_short: short_months,
        day_names_full: days,
        day_names_short: short_days,
        ..english
    }
}

fn language(format: &str) -> Option<Names> {
    let (_, code) = format.split_once("[$-")?;
    let (code, _) = code.split_once(']')?;
    let code = code.split(',').next()?;
    let number = u32::from_str_radix(code, 16).ok().map(|number| number & LANGUAGE_BITS);
    let name = code.split('-').next().unwrap_or_default().to_ascii_lowercase();
    match (number, name.as_str()) {
        // `de` is a number in base sixteen too, but no language's.
        (Some(0x07), _) | (_, "de") => Some(GERMAN),
        (Some(0x0C), _) | (_, "fr") => Some(FRENCH),
        (Some(0x0A), _) | (_, "es") => Some(SPANISH),
        (Some(0x10), _) | (_, "it") => Some(ITALIAN),
        (Some(0x13), _) | (_, "nl") => Some(DUTCH),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn formats_name_their_language() {
        let cases = [
            ("[$-407]dddd", "Dienstag"),
            ("[$-0807]dddd", "Dienstag"),
            ("[$-de-AT]dddd", "Dienstag"),
            ("[$-40C]dddd", "mardi"),
            ("[$-fr-CA,1]dddd", "mardi"),
            ("[$-C0A]dddd", "martes"),
            ("[$-409]dddd", "Tuesday"),
            ("[$-F800]dddd", "Tuesday"),
            ("[$€-407]dddd", "Tuesday"),
            ("dddd", "Tuesday"),
        ];
        for (format, tuesday) in cases {
            assert_eq!(names(format).day_names_full[2], tuesday, "{format}");
        }
    }
}
