//! Pages that hold nothing until a script fills them: `<div id="app">Please wait...</div>`.

use scraper::{Html, Node};

/// What a page says until then is no longer than this, in words.
const MOST_WORDS: usize = 8;

/// Takes away the only words of a page that a script is to replace: few of them, which end in dots, beside a script.
pub(super) fn remove_waiting(page: &mut Html) {
    let is_named = |node: &ego_tree::NodeRef<'_, Node>, names: &[&str]| {
        node.value().as_element().is_some_and(|element| names.contains(&element.name()))
    };
    let Some(body) = page.tree.root().descendants().find(|node| is_named(node, &["body"])) else {
        return;
    };
    if !body.descendants().any(|node| is_named(&node, &["script"])) {
        return;
    }
    let is_shown = |node: &ego_tree::NodeRef<'_, Node>| {
        !node
            .ancestors()
            .any(|above| is_named(&above, &["script", "style", "noscript", "template"]))
    };
    let texts: Vec<_> = body
        .descendants()
        .filter(|node| node.value().as_text().is_some_and(|text| !text.trim().is_empty()))
        .filter(is_shown)
        .take(2)
        .collect();
    let [only] = texts.as_slice() else { return };
    let words = only.value().as_text().map_or("", |text| text.trim());
    let waits = (words.ends_with("...") || words.ends_with('…'))
        && words.split_whitespace().nth(MOST_WORDS).is_none();
    let place = only.id();
    if let Some(mut node) = page.tree.get_mut(place).filter(|_| waits) {
        node.detach();
    }
}

#[cfg(test)]
mod tests {
    use crate::{Noticed, read_bytes};

    #[test]
    fn a_page_that_waits_for_its_script_holds_nothing() {
        let script = "<script src=x.js></script>";
        for (body, is_empty) in [
            (format!("<div id=app>Please wait...</div>{script}"), true),
            (format!("<main><p class=x>Wird geladen …</p></main>{script}"), true),
            ("<div>Please wait...</div>".to_owned(), false),
            (format!("<p>Come in.</p>{script}"), false),
            (format!("<h1>Fees</h1><p>More soon...</p>{script}"), false),
        ] {
            let page = format!("<html><head><title>T</title></head><body>{body}</body></html>");
            let reading = read_bytes("a.html", page.as_bytes(), &Default::default());
            let findings = reading.map(|reading| reading.findings).unwrap_or_default();
            let noticed = findings.iter().any(|finding| finding.noticed == Noticed::Empty);
            assert_eq!(noticed, is_empty, "{body}");
        }
    }
}
