//! Panels that a control of the page opens: tabs, accordions, windows. They are content, however they are hidden until then.
//!
//! A panel counts as opened where a button, a link, a label or a tab names it, and stands outside of it; whatever hides it is taken
//! away before the page is read. What nothing opens stays hidden. The label of a tab is put in front of its panel, since the tabs
//! themselves stand above all panels, where they say nothing.

use std::collections::{BTreeMap, BTreeSet};

use ego_tree::{NodeId, NodeRef};
use scraper::node::Element;
use scraper::{Html, Node};

use super::hiding::is_hidden;

/// Attributes by which a control names what it opens.
const TARGETS: &[&str] = &["aria-controls", "data-bs-target", "data-target", "for", "href"];
/// Elements that open something.
const CONTROLS: &[&str] = &["a", "button", "input", "label", "summary"];
/// Classes of the labels of tabs, and of what holds their panels, where generators have no roles for them.
const LABELLED: &[(&str, &str)] = &[("tabbed-labels", "tabbed-content"), ("tabs", "blocks")];
/// The class of a list of tabs without a role.
const LIST: &str = "tablist";
/// The beginning of the attributes by which a script knows which panel is which tab's.
const TAB_DATA: &str = "data-tab";
/// The longest label of a tab, in characters.
const LABEL_CHARS: usize = 120;
// A hostile page has ten thousand lists of tabs, each with the rest of the page behind it.
/// Elements and texts behind a list of tabs among which its panels begin.
const NEAR: usize = 6;
/// Elements and texts of a list of tabs and its panels that are looked at.
const MOST_NODES: usize = 2_000;
/// Panels that one control opens.
const MOST_TARGETS: usize = 20;

/// Shows the panels of a page that a control opens, and puts the labels of tabs in front of their panels.
pub(super) fn open_panels(page: &mut Html) {
    let found = Panels::of(page);
    for panel in &found.opened {
        if let Some(mut node) = page.tree.get_mut(*panel)
            && let Node::Element(element) = node.value()
        {
            let is_dialog = element.name() == "dialog";
            element.attrs.retain(|(name, _)| {
                !matches!(&*name.local, "hidden" | "aria-hidden" | "style" | "class")
            });
            if is_dialog {
                // A window that is closed is hidden by what it is.
                let plain = Html::parse_fragment("<div></div>");
                let plain = plain.tree.values().filter_map(Node::as_element).last();
                if let Some(plain) = plain {
                    *node.value() = Node::Element(plain.clone());
                }
            }
        }
    }
    for (panel, label) in found.labels {
        if let Some(mut node) = page.tree.get_mut(panel) {
            node.prepend_subtree(Html::parse_fragment(&format!("<p>{}</p>", escaped(&label))).tree);
        }
    }
    for tabs in found.lists {
        if let Some(mut node) = page.tree.get_mut(tabs) {
            node.detach();
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[derive(Default)]
struct Panels {
    opened: BTreeSet<NodeId>,
    labels: BTreeMap<NodeId, String>,
    /// Lists of tabs whose labels stand in front of the panels now.
    lists: Vec<NodeId>,
}

type Found<'a> = (NodeRef<'a, Node>, &'a Element);

impl Panels {
    fn of(page: &Html) -> Self {
        let elements: Vec<Found<'_>> = page
            .tree
            .root()
            .descendants()
            .filter_map(|node| Some((node, node.value().as_element()?)))
            .collect();
        let mut by_id: BTreeMap<&str, NodeRef<'_, Node>> = BTreeMap::new();
        // What says itself which tab is its label.
        let mut by_label: BTreeMap<&str, NodeRef<'_, Node>> = BTreeMap::new();
        for (node, element) in &elements {
            if let Some(label) = element.attr("aria-labelledby") {
                by_label.entry(label).or_insert(*node);
            }
            if let Some(id) = element.id() {
                by_id.entry(id).or_insert(*node);
            }
        }
        let mut panels = Self::default();
        for (node, element) in &elements {
            if element.attr("role") == Some("tablist") {
                panels.tabs(*node, &by_id);
            }
            let is_list = element.classes().any(|class| class == LIST);
            if is_list && element.attr("role") != Some("tablist") {
                panels.naming_tabs(*node, &by_label);
            }
            for (labels, blocks) in LABELLED {
                if element.classes().any(|class| class == *labels) {
                    panels.labelled(*node, blocks);
                }
            }
        }
        for (node, element) in &elements {
            panels.tab_of_panel(*node, element, &by_id);
            panels.tabs_by_value(*node);
        }
        let opens = |(node, element): &Found<'_>| {
            let targets = targets(element).take(MOST_TARGETS);
            let targets = targets.filter_map(|id| by_id.get(id).copied());
            let outside = |panel: &NodeRef<'_, Node>| {
                panel.id() != node.id() && !node.ancestors().any(|above| above.id() == panel.id())
            };
            targets.filter(outside).map(|panel| panel.id()).collect::<Vec<_>>()
        };
        let hidden = |id: &NodeId| {
            let node = page.tree.get(*id);
            node.and_then(|node| Some(is_hidden(node, node.value().as_element()?))).unwrap_or(false)
        };
        let mut is_hidden_panel: BTreeMap<NodeId, bool> = BTreeMap::new();
        let mut controls: Vec<(NodeRef<'_, Node>, Vec<NodeId>)> = Vec::new();
        for found in elements.iter().filter(|(_, element)| is_control(element)) {
            let mut targets = opens(found);
            targets.retain(|id| *is_hidden_panel.entry(*id).or_insert_with(|| hidden(id)));
            if !targets.is_empty() {
                controls.push((found.0, targets));
            }
        }
        let named: BTreeSet<NodeId> =
            controls.iter().flat_map(|(_, targets)| targets.iter().copied()).collect();
        // For what stands around a control, whether all of it is seen.
        let mut around: BTreeMap<NodeId, bool> = BTreeMap::new();
        for (control, targets) in controls {
            if targets.iter().all(|panel| panels.opened.contains(panel)) {
                continue;
            }
            // A control within a panel is seen once that is open.
            let is_seen = |node: NodeRef<'_, Node>| {
                let is_open = named.contains(&node.id()) || panels.opened.contains(&node.id());
                is_open || node.value().as_element().is_none_or(|own| !is_hidden(node, own))
            };
            let seen_around = control.parent().is_none_or(|parent| {
                let all = || parent.ancestors().chain([parent]).all(is_seen);
                *around.entry(parent.id()).or_insert_with(all)
            });
            if seen_around && is_seen(control) {
                panels.opened.extend(targets);
            }
        }
        panels
            .opened
            .retain(|panel| *is_hidden_panel.entry(*panel).or_insert_with(|| hidden(panel)));
        panels
    }

    /// The panels of a list of tabs: named by the tabs, or behind the list in the same order.
    fn tabs(&mut self, list: NodeRef<'_, Node>, by_id: &BTreeMap<&str, NodeRef<'_, Node>>) {
        let has_role = |node: &NodeRef<'_, Node>, role: &str| {
            node.value().as_element().is_some_and(|element| element.attr("role") == Some(role))
        };
        let tabs: Vec<NodeRef<'_, Node>> =
            list.descendants().take(MOST_NODES).filter(|node| has_role(node, "tab")).collect();
        let named: Vec<NodeRef<'_, Node>> = tabs
            .iter()
            .filter_map(|tab| {
                let inner = tab.descendants().filter_map(|node| node.value().as_element());
                let target =
                    |element: &Element| targets(element).find_map(|id| by_id.get(id)).copied();
                inner.into_iter().find_map(target)
            })
            .collect();
        let behind = || {
            // The panels that lie nearest behind the list, and not in other tabs among them.
            list.next_siblings().take(NEAR).find_map(|next| {
                let is_outermost = |panel: &NodeRef<'_, Node>| {
                    let mut around = panel.ancestors().take_while(|above| above.id() != next.id());
                    panel.id() == next.id() || !around.any(|above| has_role(&above, "tabpanel"))
                };
                let panels: Vec<NodeRef<'_, Node>> = next
                    .descendants()
                    .take(MOST_NODES)
                    .filter(|node| has_role(node, "tabpanel"))
                    .filter(is_outermost)
                    .collect();
                (!panels.is_empty()).then_some(panels)
            })
        };
        // Panels that stand one behind the other, each by itself. Those behind the next list are the next list's.
        let siblings: Vec<NodeRef<'_, Node>> = list
            .next_siblings()
            .take(MOST_NODES)
            .take_while(|node| !has_role(node, "tablist"))
            .filter(|node| has_role(node, "tabpanel"))
            .collect();
        let panels = if named.len() == tabs.len() {
            named
        } else if siblings.len() == tabs.len() {
            siblings
        } else {
            behind().unwrap_or_default()
        };
        self.pair(list, tabs, panels);
    }

    /// A tab outside of a list, or of a list with other panels than tabs, that names its panel.
    fn tab_of_panel(
        &mut self,
        tab: NodeRef<'_, Node>,
        element: &Element,
        by_id: &BTreeMap<&str, NodeRef<'_, Node>>,
    ) {
        if element.attr("role") != Some("tab") {
            return;
        }
        let is_panel = |node: &NodeRef<'_, Node>| {
            let element = node.value().as_element();
            element.is_some_and(|element| element.attr("role") == Some("tabpanel"))
        };
        let panel = targets(element).find_map(|id| by_id.get(id)).copied().filter(is_panel);
        if let Some(panel) = panel.filter(|panel| !self.labels.contains_key(&panel.id())) {
            self.pair(tab, vec![tab], vec![panel]);
        }
    }

    /// Buttons and panels that a script holds together by a value: `data-tab-item="linux"` of both. `first` is the first button.
    fn tabs_by_value(&mut self, first: NodeRef<'_, Node>) {
        let value_of = |node: NodeRef<'_, Node>| {
            let element = node.value().as_element()?;
            let mut attributes = element.attrs();
            let found = attributes.find(|(name, _)| name.starts_with(TAB_DATA))?;
            Some((found.0.to_owned(), found.1.to_owned()))
        };
        let is_button = |node: &NodeRef<'_, Node>| {
            let element = node.value().as_element();
            element.is_some_and(|element| matches!(element.name(), "a" | "button"))
        };
        let is_tab = |node: &NodeRef<'_, Node>| is_button(node) && value_of(*node).is_some();
        let follows_another = || first.prev_siblings().take(NEAR).any(|node| is_tab(&node));
        if !is_tab(&first) || follows_another() {
            return;
        }
        let Some(list) = first.parent() else { return };
        let buttons = list.children().take(MOST_NODES).filter(is_button);
        let buttons = buttons.filter_map(|button| Some((button, value_of(button)?)));
        let mut panels: BTreeMap<(String, String), NodeRef<'_, Node>> = BTreeMap::new();
        let after = list.next_siblings().take(NEAR).flat_map(|node| node.descendants());
        for node in after.take(MOST_NODES).filter(|node| !is_button(node)) {
            if let Some(value) = value_of(node) {
                panels.entry(value).or_insert(node);
            }
        }
        let pairs =
            buttons.into_iter().filter_map(|(button, value)| Some((button, *panels.get(&value)?)));
        let (tabs, panels) = pairs.unzip();
        self.pair(list, tabs, panels);
    }

    /// The same where a script is to give the tabs their roles, and each panel names its tab until then.
    fn naming_tabs(
        &mut self,
        list: NodeRef<'_, Node>,
        by_label: &BTreeMap<&str, NodeRef<'_, Node>>,
    ) {
        let below = list.descendants().skip(1).take(MOST_NODES);
        let named = below.filter_map(|tab| {
            let id = tab.value().as_element()?.id()?;
            Some((tab, *by_label.get(id)?))
        });
        let (tabs, panels) = named.unzip();
        self.pair(list, tabs, panels);
    }

    /// The same for tabs that have classes instead of roles.
    fn labelled(&mut self, list: NodeRef<'_, Node>, blocks: &str) {
        let is_element = |node: &NodeRef<'_, Node>| node.value().is_element();
        let holds = |node: &NodeRef<'_, Node>| {
            let element = node.value().as_element();
            element.is_some_and(|element| element.classes().any(|class| class == blocks))
        };
        let Some(content) = list.next_siblings().take(NEAR).find(holds) else { return };
        let is_label = |node: &NodeRef<'_, Node>| {
            node.value().as_element().is_some_and(|element| element.name() == "label")
        };
        let labels = list.descendants().take(MOST_NODES).filter(is_label).collect();
        self.pair(list, labels, content.children().filter(is_element).collect());
    }

    fn pair(
        &mut self,
        list: NodeRef<'_, Node>,
        tabs: Vec<NodeRef<'_, Node>>,
        panels: Vec<NodeRef<'_, Node>>,
    ) {
        if tabs.is_empty() || tabs.len() != panels.len() {
            return;
        }
        for (tab, panel) in tabs.into_iter().zip(panels) {
            let texts = tab.descendants().filter_map(|node| node.value().as_text());
            let words: Vec<&str> = texts.flat_map(|text| text.split_whitespace()).collect();
            let label: String = words.join(" ").chars().take(LABEL_CHARS).collect();
            self.opened.insert(panel.id());
            if !label.is_empty() {
                self.labels.entry(panel.id()).or_insert(label);
            }
        }
        self.lists.push(list.id());
    }
}

/// The ids of what a control opens.
fn targets(element: &Element) -> impl Iterator<Item = &str> {
    TARGETS.iter().flat_map(move |name| {
        let value = element.attr(name).unwrap_or_default();
        let value = match *name {
            "aria-controls" | "for" => value,
            // Another page opens nothing here.
            _ => value.strip_prefix('#').unwrap_or_default(),
        };
        value.split_whitespace()
    })
}

fn is_control(element: &Element) -> bool {
    let role = element.attr("role").unwrap_or_default();
    CONTROLS.contains(&element.name()) || matches!(role, "tab" | "button") || {
        element.attr("aria-controls").is_some() || element.attr("data-bs-target").is_some()
    }
}
