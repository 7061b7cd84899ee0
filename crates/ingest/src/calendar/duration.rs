//! Durations of events: `P1D`, `PT1H30M`, `P2W`.

/// The duration in minutes, at most a hundred years.
pub(super) fn minutes(text: &str) -> Option<i64> {
    const MOST: i64 = 100 * 366 * 24 * 60;
    let rest = text.trim().trim_start_matches('+').strip_prefix(['P', 'p'])?;
    let mut total: i64 = 0;
    let mut number: i64 = 0;
    for character in rest.chars() {
        let unit = match character.to_ascii_uppercase() {
            'T' => continue,
            'W' => 7 * 24 * 60,
            'D' => 24 * 60,
            'H' => 60,
            'M' => 1,
            'S' => 0,
            digit => {
                number = (number * 10 + i64::from(digit.to_digit(10)?)).min(MOST);
                continue;
            }
        };
        total = total.saturating_add(number.saturating_mul(unit)).min(MOST);
        number = 0;
    }
    Some(total)
}
