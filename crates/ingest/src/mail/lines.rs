//! The roles of a mail's lines: its own words, words of another mail, the signature, and what only stands between them.
//!
//! Programs mark them in many ways, and some not at all. What is left out goes by two signs: a line of the signature, and in
//! it an address or a telephone number. A signature's other lines (the room, the office hours) are read.

use campanile_language::documents::{LETTER_ENDINGS, REPLY_PREFIXES};

/// A signature has no more lines than this, and none that is longer.
// The longest seen, with a notice of confidentiality in two languages, had 14 lines.
const SIGNATURE_LINES: usize = 15;
const SIGNATURE_CHARS: usize = 100;
/// Lists put their footer behind a line of so many `_` or more.
const FOOTER_SIGNS: usize = 20;
const FOOTER_LINES: usize = 6;
/// The head that some programs put above the mail that is answered, in lines.
const HEAD_LINES: usize = 8;
const LEAST_HEAD_LINES: usize = 3;
/// The longest name of a line in such a head, in characters: `Gesendet`, `Date d'envoi`.
const HEAD_NAME_CHARS: usize = 20;
/// Lines in which a program says whose words follow.
const ATTRIBUTION_LINES: usize = 3;
const ATTRIBUTION_CHARS: usize = 240;
/// Digits of a telephone number; an extension by itself has fewer.
const PHONE_DIGITS: std::ops::RangeInclusive<usize> = 6..=15;

/// A line of a mail.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct MailLine {
    pub(super) text: String,
    /// It is marked as another mail's.
    pub(super) is_quote: bool,
}

/// What a line is in its mail, and in the one that is quoted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Part {
    #[default]
    Words,
    /// Says whose words follow.
    Attribution,
    Signature,
    /// Parts one from another: `-- `, the head of a quoted mail.
    Mark,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Role {
    pub(super) is_quote: bool,
    pub(super) part: Part,
}

/// The roles of all lines of a mail about `subject`.
pub(super) fn roles(lines: &[MailLine], subject: &str) -> Vec<Role> {
    let mut roles: Vec<Role> =
        lines.iter().map(|line| Role { is_quote: line.is_quote, ..Role::default() }).collect();
    mark_heads(lines, subject, &mut roles);
    let mut start = 0;
    while start < lines.len() {
        let is_quote = roles.get(start).is_some_and(|role| role.is_quote);
        let length = roles.iter().skip(start).take_while(|role| role.is_quote == is_quote).count();
        let end = start + length.max(1);
        if let (Some(lines), Some(roles)) = (lines.get(start..end), roles.get_mut(start..end)) {
            mark_signature(lines, roles);
        }
        if is_quote {
            mark_attribution(lines, start, &mut roles);
        }
        start = end;
    }
    roles
}

/// What stands below the head of another mail is that mail's.
fn mark_heads(lines: &[MailLine], subject: &str, roles: &mut [Role]) {
    let mut is_quote = false;
    let mut at = 0;
    while at < lines.len() {
        let length = head_length(lines.get(at..).unwrap_or_default(), subject);
        if length > 0 {
            let before = at
                .checked_sub(1)
                .filter(|before| lines.get(*before).is_some_and(|line| is_separator(&line.text)));
            for place in before.into_iter().chain(at..at + length) {
                if let Some(role) = roles.get_mut(place) {
                    *role = Role { is_quote: true, part: Part::Mark };
                }
            }
            is_quote = true;
            at += length;
            continue;
        }
        if let Some(role) = roles.get_mut(at) {
            role.is_quote |= is_quote;
        }
        at += 1;
    }
}

/// The number of lines that are the head of another mail: three or more names with values, of which one is this mail's subject or the
/// first an address.
fn head_length(lines: &[MailLine], subject: &str) -> usize {
    let named = lines.iter().take(HEAD_LINES).map_while(|line| head_field(&line.text));
    let values: Vec<&str> = named.collect();
    let is_subject = |value: &&str| !subject.is_empty() && plain_subject(value) == subject;
    let is_head = values.len() >= LEAST_HEAD_LINES
        && (values.iter().any(is_subject) || values.first().is_some_and(|from| has_address(from)));
    if is_head { values.len() } else { 0 }
}

/// The value of a line such as `Gesendet: Montag`.
fn head_field(line: &str) -> Option<&str> {
    let (name, value) = line.trim().trim_start_matches('*').split_once(':')?;
    let name = name.trim_end_matches('*').trim();
    let is_name = !name.is_empty()
        && name.chars().count() <= HEAD_NAME_CHARS
        && name.starts_with(char::is_uppercase)
        && name.split_whitespace().count() <= 2;
    let value = value.trim_start_matches('*').trim();
    (is_name && !value.is_empty()).then_some(value)
}

/// `-----Original Message-----`, `________`
fn is_separator(line: &str) -> bool {
    let line = line.trim();
    let is_line = |sign: char| line.starts_with(sign) && line.ends_with(sign);
    line.len() > 8 && (is_line('-') || is_line('_'))
}

/// Finds the signature of a run of lines of one mail.
fn mark_signature(lines: &[MailLine], roles: &mut [Role]) {
    let Some((mark, start)) = signature(lines) else { return };
    for (place, role) in roles.iter_mut().enumerate().skip(mark) {
        if role.part == Part::Words {
            role.part = if place < start { Part::Mark } else { Part::Signature };
        }
    }
}

/// The line that a signature begins with, and the first line of its text.
fn signature(lines: &[MailLine]) -> Option<(usize, usize)> {
    // RFC 3676: two hyphens and a blank, which many programs take away.
    if let Some(mark) = lines.iter().position(|line| line.text.trim_end() == "--") {
        return Some((mark, mark + 1));
    }
    let filled_below =
        |at: usize| lines.iter().skip(at + 1).filter(|line| !line.text.trim().is_empty()).count();
    let is_footer = |line: &MailLine| {
        let text = line.text.trim();
        text.len() >= FOOTER_SIGNS && text.bytes().all(|byte| byte == b'_')
    };
    let footer = lines.iter().rposition(is_footer);
    let footer = footer.filter(|at| (1..=FOOTER_LINES).contains(&filled_below(*at)));
    let ending = lines.iter().rposition(|line| is_ending(&line.text))?;
    let is_short = |line: &MailLine| line.text.chars().count() <= SIGNATURE_CHARS;
    let fits =
        filled_below(ending) <= SIGNATURE_LINES && lines.iter().skip(ending + 1).all(is_short);
    match (fits, footer) {
        (true, _) => Some((ending + 1, ending + 1)),
        (false, Some(footer)) => Some((footer, footer + 1)),
        (false, None) => None,
    }
}

/// Returns `true` for `Best regards,` and `Mit freundlichen Grüßen aus Graz`.
fn is_ending(line: &str) -> bool {
    let line = line.trim().trim_end_matches([',', '.', '!', ' ', '–', '-']).to_lowercase();
    line.chars().count() <= 40
        && LETTER_ENDINGS.iter().any(|ending| {
            let behind = line.strip_prefix(ending);
            behind == Some("")
                || ending.contains(' ') && behind.is_some_and(|rest| rest.starts_with([' ', ',']))
        })
}

/// The lines above a quotation that say whose it is.
fn mark_attribution(lines: &[MailLine], quote: usize, roles: &mut [Role]) {
    let text = |at: usize| lines.get(at).map(|line| line.text.trim()).unwrap_or_default();
    // One blank line may stand between them.
    let Some(last) = (0..quote).rev().take(2).find(|at| !text(*at).is_empty()) else { return };
    let first = (0..=last).rev().take(ATTRIBUTION_LINES).take_while(|at| !text(*at).is_empty());
    let first: Vec<usize> = first.collect();
    // From the nearest line on until one names somebody or a time.
    let length = first.iter().position(|at| text(*at).contains(|c: char| c.is_ascii_digit()));
    let found = first.get(..=length.unwrap_or(0)).unwrap_or_default();
    let chars: usize = found.iter().map(|at| text(*at).chars().count()).sum();
    if !text(last).ends_with(':') || chars > ATTRIBUTION_CHARS {
        return;
    }
    for at in found {
        if let Some(role) = roles.get_mut(*at)
            && role.part != Part::Mark
        {
            *role = Role { is_quote: true, part: Part::Attribution };
        }
    }
}

/// A subject without what answering puts in front of it, in any order: `Re: AW: Fees`.
pub(super) fn plain_subject(subject: &str) -> &str {
    let mut rest = subject.trim();
    while let Some((prefix, behind)) = rest.split_once(':') {
        // `Re[2]:`
        let prefix = prefix.split('[').next().unwrap_or_default().trim().to_lowercase();
        if !REPLY_PREFIXES.iter().any(|own| *own == prefix) {
            break;
        }
        rest = behind.trim_start();
    }
    rest
}

/// Returns `true` for a line with the address of a mailbox or a telephone number.
pub(super) fn has_contact(line: &str) -> bool {
    has_address(line) || has_phone(line)
}

fn has_address(line: &str) -> bool {
    line.split_whitespace().any(is_address)
}

fn is_address(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    // `ann at example.edu` is written by those who fear machines: it stays, as nobody can tell it from words.
    word.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.'))
}

/// The line without the addresses in it.
pub(super) fn without_addresses(line: &str) -> String {
    let kept: Vec<&str> = line.split_whitespace().filter(|word| !is_address(word)).collect();
    let ends =
        line.trim_end().ends_with(':') && !kept.last().is_some_and(|last| last.ends_with(':'));
    format!("{}{}", kept.join(" "), if ends { ":" } else { "" })
}

/// Returns `true` if a line holds a telephone number: digits that begin with `+`, `(` or `0`, or fall into three groups.
fn has_phone(line: &str) -> bool {
    let is_part = |c: char| {
        c.is_ascii_digit() || matches!(c, ' ' | '+' | '(' | ')' | '/' | '-' | '.' | '–' | '\u{a0}')
    };
    line.split(|c| !is_part(c)).any(|run| {
        let run = run.trim_matches([' ', '.', '-', '/', '–', ')', '\u{a0}']);
        let digits = run.chars().filter(char::is_ascii_digit).count();
        let groups: Vec<&str> =
            run.split(|c: char| !c.is_ascii_digit()).filter(|group| !group.is_empty()).collect();
        // `12.05.2026`, `2026-01-07`: a year of four digits and two short groups.
        let years = groups.iter().filter(|group| group.len() == 4).count();
        let is_date = groups.len() == 3
            && years == 1
            && groups.iter().all(|group| group.len() <= 2 || group.len() == 4)
            && !run.contains(['+', '(', ' ']);
        let begins = run.starts_with(['+', '(']) || run.starts_with('0') && run.len() > digits;
        PHONE_DIGITS.contains(&digits) && !is_date && (begins || groups.len() >= 3)
    })
}

#[cfg(test)]
mod tests {
    use super::{MailLine, Part, has_contact, plain_subject, roles, without_addresses};

    /// Lines with their roles in front: `t` text, `q` quoted, and then `s` signature, `a` attribution, `m` mark, ` ` words.
    const CASES: &[&str] = &[
        "t |Rooms change.\nt |Best regards,\nts|Ann Example\nts|Tel. +43 316 12345",
        "t |Rooms change.\ntm|-- \nts|Office\nts|office@example.edu",
        "t |Answered below.\nqa|On Mon, 5 Jan 2026, Bo Example\nqa|<bo@example.edu> wrote:\nq |> Which room?\nt |B 204.",
        "t |B 204.\nqm|-----Original Message-----\nqm|From: Bo Example\nqm|Sent: Monday, 5 January 2026\nqm|To: Office\nqm|Subject: RE: Rooms\nq |\nq |Which room?\nq |Thanks,\nqs|Bo, +43 660 1234567",
        "t |B 204.\nqm|Von: Bo <bo@example.edu>\nqm|Gesendet: Montag\nqm|An: Amt\nq |Welcher Raum?",
        // Values that only look like a head.
        "t |Room: B 204\nt |Time: nine\nt |Fee: EUR 5",
        "t |Fees: see below:\nt |EUR 5.",
        // An ending in the midst of a long text ends nothing.
        "t |Best regards\nt |are what we send you all, with this long line that goes on and on until it is far too long for a signature's.",
        "t |The list has moved.\nt |Cheers\nts|Bo\nts|____________________\nts|staff list\nts|staff@lists.example.edu",
    ];

    #[test]
    fn lines_are_told_apart() {
        for case in CASES {
            let lines: Vec<(&str, MailLine)> = case
                .lines()
                .filter_map(|line| line.split_once('|'))
                .map(|(role, text)| {
                    let quoted = text.strip_prefix("> ");
                    let text = quoted.unwrap_or(text).to_owned();
                    (role, MailLine { text, is_quote: quoted.is_some() })
                })
                .collect();
            let own: Vec<MailLine> = lines.iter().map(|(_, line)| line.clone()).collect();
            let found = roles(&own, "Rooms").into_iter().map(|role| {
                let part = match role.part {
                    Part::Words => ' ',
                    Part::Attribution => 'a',
                    Part::Signature => 's',
                    Part::Mark => 'm',
                };
                format!("{}{part}", if role.is_quote { 'q' } else { 't' })
            });
            let expected: Vec<&str> = lines.iter().map(|(role, _)| *role).collect();
            assert_eq!(found.collect::<Vec<_>>(), expected, "{case}");
        }
    }

    #[test]
    fn addresses_and_numbers_are_told_from_other_figures() {
        for line in [
            "ann.example@cs.example.edu",
            "Mail: <ann@example.edu>",
            "Tel. +43 (316) 873-1234",
            "T 0316 873 1234",
            "555-123-4567",
            "Phone: (030) 2093 1234",
            "mailto:ann@example.edu",
        ] {
            assert!(has_contact(line), "{line}");
        }
        for line in [
            "Room B 204, Mon 9:00-12:00",
            "12.05.2026",
            "2026-01-07",
            "8010 Graz",
            "EUR 1,200",
            "Module 0123456",
            "@campanile",
            "Extension 1234",
            "CS 101/102",
        ] {
            assert!(!has_contact(line), "{line}");
        }
    }

    #[test]
    fn subjects_and_names_lose_what_is_in_front_and_behind() {
        assert_eq!(plain_subject("Re: AW: [staff] Fees: new"), "[staff] Fees: new");
        assert_eq!(plain_subject("RE[2]: Fees"), "Fees");
        assert_eq!(plain_subject("Rooms: B 204"), "Rooms: B 204");
        assert_eq!(without_addresses("On Monday Bo <bo@x.edu> wrote:"), "On Monday Bo wrote:");
        assert_eq!(without_addresses("On Monday <bo@x.edu>:"), "On Monday:");
    }
}
