//! Fields of forms: what is ticked, chosen or written in them.

use std::collections::BTreeMap;

use crate::office::signs::is_box;
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

/// The box of a field, where the field shows another sign of its own; `None` where what it shows is to be read.
pub(super) fn own_box(field: &Element) -> Option<&'static str> {
    if field.attribute("loext:checkbox") != Some("true") || field.text().chars().any(is_box) {
        return None;
    }
    let is_ticked = field.attribute("loext:checked") == Some("true");
    Some(if is_ticked { "☒" } else { "☐" })
}

/// What is chosen in a field that came from an old form of Word: a box, or an entry of a list.
pub(super) fn chosen(field: &Element) -> Option<String> {
    let values = |name: &str| {
        let named = |own: &&Element| own.attribute("field:name") == Some(name);
        let values = field.elements().filter(named).map(|own| own.attribute("field:value"));
        values.map(Option::unwrap_or_default).collect::<Vec<_>>()
    };
    let kind = field.attribute("field:type").unwrap_or_default();
    if kind.ends_with(".FORMCHECKBOX") {
        let is_ticked = values("Checkbox_Checked").contains(&"true");
        return Some(if is_ticked { "☒" } else { "☐" }.to_owned());
    }
    if !kind.ends_with(".FORMDROPDOWN") || !field.text().trim().is_empty() {
        return None;
    }
    let place = values("Dropdown_Selected").first().and_then(|place| place.parse().ok());
    values("Dropdown_ListEntry").get(place.unwrap_or(0_usize)).map(|entry| (*entry).to_owned())
}
