//! Fields of forms: what is ticked, chosen or written in them.

use std::collections::BTreeMap;

use crate::office::xml::Element;

/// What each field of the document's forms shows, by the name that its place in the text refers to.
pub(super) fn controls(content: &Element) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for form in content.all("office:forms") {
        for control in form.descendants().filter(|own| own.name.starts_with("form:")) {
            let id = control.attribute("form:id").or_else(|| control.attribute("xml:id"));
            if let (Some(id), Some(shown)) = (id, shown(control)) {
                found.insert(id.to_owned(), shown);
            }
        }
    }
    found
}

/// What a field shows; the present state counts before the one that it had at first.
fn shown(control: &Element) -> Option<String> {
    let first = |names: &[&str]| names.iter().find_map(|name| control.attribute(name));
    let ticked = |is_on: bool| {
        let label = control.attribute("form:label").unwrap_or_default();
        format!("{} {label}", if is_on { "☒" } else { "☐" }).trim_end().to_owned()
    };
    match control.name.strip_prefix("form:")? {
        "checkbox" => Some(ticked(first(&["form:current-state", "form:state"]) == Some("checked"))),
        "radio" => Some(ticked(first(&["form:current-selected", "form:selected"]) == Some("true"))),
        "listbox" => {
            let options = || control.elements().filter(|option| option.is("form:option"));
            let chosen = |name: &str| options().find(|own| own.attribute(name) == Some("true"));
            let option = chosen("form:current-selected").or_else(|| chosen("form:selected"))?;
            option.attribute("form:label").or_else(|| option.attribute("form:value"))
        }
        .map(str::to_owned),
        "combobox" | "text" | "textarea" | "formatted-text" | "number" | "date" | "time" => {
            first(&["form:current-value", "form:value"]).map(str::to_owned)
        }
        "fixed-text" => control.attribute("form:label").map(str::to_owned),
        _ => None,
    }
}
