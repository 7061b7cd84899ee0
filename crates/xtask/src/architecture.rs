//! Holds ARCHITECTURE.md's list of which room depends on which against what cargo says.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use crate::files;
use crate::workspace::Workspace;

/// Rooms, each with those that it depends on.
type Rooms = BTreeMap<String, BTreeSet<String>>;

/// Rooms that know many others by trade, and that nothing knows: the list would say nothing by naming them.
const PASSED_OVER: [&str; 2] = ["fuzz", "xtask"];

/// Fails where the list names a dependency that is none, or does not lead to one that is there.
pub fn check(workspace: &Workspace) -> Result<()> {
    let stated = stated(&workspace.root.join("ARCHITECTURE.md"))?;
    compare(&stated, &real(&workspace.packages()?))
}

/// A line of the list: each crate of the second depends on each of the first. One that names several rooms
/// together ("the browser modules") holds where one of them does.
type Line = (Vec<String>, Vec<Vec<String>>);

fn stated(path: &Path) -> Result<Vec<Line>> {
    let text = files::read_text(path)?;
    let (_, list) = text
        .split_once("Which room depends on which")
        .context("ARCHITECTURE.md has no list of which room depends on which")?;
    let list = list.split("\n## ").next().unwrap_or(list);
    Ok(list.lines().filter_map(|line| line.strip_prefix("- ")).flat_map(lines_of).collect())
}

/// `a`, `b` ← `c` ← `d` says two things.
fn lines_of(line: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    for statement in line.split(';').filter(|statement| statement.contains('←')) {
        let parts: Vec<Vec<Vec<String>>> = statement.split('←').map(rooms_in).collect();
        for pair in parts.windows(2) {
            if let [known, knowing] = pair {
                lines.push((known.concat(), knowing.clone()));
            }
        }
    }
    lines
}

/// The rooms that a piece of a line names.
fn rooms_in(piece: &str) -> Vec<Vec<String>> {
    // What follows a comma and "which" or "with" tells more of the last room.
    let piece =
        piece.split(", which").next().unwrap_or(piece).split(", with").next().unwrap_or(piece);
    piece.split([',']).flat_map(|word| word.split(" and ")).filter_map(room).collect()
}

fn room(word: &str) -> Option<Vec<String>> {
    let one = |name: &str| Some(vec![name.to_owned()]);
    match word.trim() {
        "the `gpu` module" => one("browser-gpu"),
        "the command" => one("campanile"),
        "the browser modules" => Some(
            ["core", "gpu", "keywords", "models", "shared"]
                .map(|name| format!("browser-{name}"))
                .to_vec(),
        ),
        other => other.strip_prefix('`')?.strip_suffix('`').and_then(one),
    }
}

/// The rooms of the workspace, from cargo's metadata of its packages.
fn real(packages: &[Value]) -> Rooms {
    let short = |name: &Value| {
        let name = name.as_str().unwrap_or_default();
        name.strip_prefix("campanile-").unwrap_or(name).to_owned()
    };
    let names: BTreeSet<String> = packages.iter().map(|package| short(&package["name"])).collect();
    let known = |package: &Value| {
        let all = package["dependencies"].as_array().into_iter().flatten();
        let of_library = all.filter(|dependency| dependency["kind"].is_null());
        of_library
            .map(|dependency| short(&dependency["name"]))
            .filter(|name| names.contains(name))
            .collect()
    };
    packages.iter().map(|package| (short(&package["name"]), known(package))).collect()
}

fn compare(stated: &[Line], real: &Rooms) -> Result<()> {
    let mut rooms = Rooms::new();
    for (known, groups) in stated {
        for (known, group) in
            known.iter().flat_map(|known| groups.iter().map(move |group| (known, group)))
        {
            let is_real = |room: &String| real.get(room).is_some_and(|of| of.contains(known));
            ensure!(
                group.iter().any(is_real),
                "ARCHITECTURE.md says that `{}` depends on `{known}`, and it does not",
                group.join("`, `")
            );
            for room in group {
                rooms.entry(room.clone()).or_default().insert(known.clone());
            }
        }
    }
    for (room, of) in real {
        // A module of WebAssembly is a shell around the room of its name.
        if PASSED_OVER.contains(&room.as_str()) || room.ends_with("-module") {
            continue;
        }
        let reached = reached(room, &rooms);
        for known in of {
            ensure!(
                reached.contains(known),
                "`{room}` depends on `{known}`, and the list in ARCHITECTURE.md does not lead there"
            );
        }
    }
    Ok(())
}

/// All rooms that a room depends on, also through others.
fn reached(room: &str, rooms: &Rooms) -> BTreeSet<String> {
    let (mut reached, mut open) = (BTreeSet::new(), vec![room.to_owned()]);
    while let Some(room) = open.pop() {
        for known in rooms.get(&room).into_iter().flatten() {
            if reached.insert(known.clone()) {
                open.push(known.clone());
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rooms(all: &[(&str, &[&str])]) -> Rooms {
        let set = |of: &[&str]| of.iter().map(|name| (*name).to_owned()).collect();
        all.iter().map(|(room, of)| ((*room).to_owned(), set(of))).collect()
    }

    #[test]
    fn a_list_that_lies_or_leaves_out_is_told() {
        let real = rooms(&[
            ("text", &[]),
            ("corpus", &["text"]),
            ("index", &[]),
            ("bundle", &["corpus", "text", "index"]),
        ]);
        let cases = [
            ("`text` ← `corpus` ← `bundle`; `index` ← `bundle`", ""),
            ("`text` ← `corpus`, `bundle`; `corpus`, `index` ← `bundle`;", ""),
            (
                "`text` ← `corpus` ← `bundle`; `corpus` knows nothing of `index`",
                "`bundle` depends on `index`",
            ),
            ("`text` ← `index`", "says that `index` depends on `text`"),
        ];
        for (line, expected) in cases {
            let told = compare(&lines_of(line), &real)
                .map_or_else(|error| error.to_string(), |()| String::new());
            assert!(
                told.contains(expected) && told.is_empty() == expected.is_empty(),
                "{line}: {told}"
            );
        }
    }
}
