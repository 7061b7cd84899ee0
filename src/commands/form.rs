//! The form of an answer, in lines.

use campanile_answer::{FormKind, FormPart, Reply};

/// The form of a reply's answer, a line for each of its parts; nothing where it has none.
pub(super) fn lines(reply: &Reply) -> Vec<String> {
    let Some(form) = &reply.form else { return Vec::new() };
    let text = |part: &FormPart| {
        let source = part.source.checked_sub(1).and_then(|index| reply.sources.get(index));
        let words = source.and_then(|source| part.span.slice(&source.text)).unwrap_or_default();
        words.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let valued = |part: &FormPart| match &part.value {
        Some(value) => format!("{} ({value})", text(part)),
        None => text(part),
    };
    let named = |part: &FormPart| match &part.name {
        Some(name) => format!("{name}: {} [{}]", text(part), part.source),
        None => format!("{} [{}]", text(part), part.source),
    };
    let parts = form.parts.as_slice();
    match (form.kind, parts) {
        (FormKind::DateRange, [from, to]) => {
            vec![format!("Dates: from {} to {} [{}]", valued(from), valued(to), to.source)]
        }
        (FormKind::Date | FormKind::DateRange, parts) => {
            parts.iter().map(|part| format!("Date: {} [{}]", valued(part), part.source)).collect()
        }
        (FormKind::Amount, parts) => {
            parts.iter().map(|part| format!("Amount: {} [{}]", text(part), part.source)).collect()
        }
        (FormKind::Steps, parts) => (1..).zip(parts).map(numbered(&named)).collect(),
        (FormKind::List, parts) => parts.iter().map(|part| format!("- {}", named(part))).collect(),
        (FormKind::Permission, [sentence, conditions @ ..]) => {
            let verdict = match sentence.value.as_deref() {
                Some("yes") => "Yes",
                Some("no") => "No",
                _ => "It depends",
            };
            let conditions = conditions.iter().map(|part| format!(": {}", text(part)));
            vec![format!("{verdict}{} [{}]", conditions.collect::<String>(), sentence.source)]
        }
        (FormKind::Permission | FormKind::Comparison | FormKind::Row, parts) => {
            parts.iter().map(named).collect()
        }
    }
}

fn numbered<'a>(
    named: &'a impl Fn(&FormPart) -> String,
) -> impl Fn((usize, &FormPart)) -> String + 'a {
    move |(number, part)| format!("{number}. {}", named(part))
}
