//! Embeds the site's files into the command, so that one binary writes a complete site.
//!
//! `www/` goes to the site's root, `web/` (the browser side, in fewer and shorter scripts) and `pkg/` (the compiled
//! modules) into its `campanile/` folder. `pkg/` is made by `cargo xtask web`; without it the command still
//! builds, and says so when it is asked for a site.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::{env, fs, io};

/// Source folder, and where its files go in a site.
const ROOMS: [(&str, &str); 3] = [("www", ""), ("web", "campanile/"), ("pkg", "campanile/pkg/")];

/// Files of the browser side that must lie at the root: a service worker's scope is its folder.
const AT_ROOT: [&str; 1] = ["service-worker.js"];

/// What a site carries; anything else in the rooms (types, stamps) is for the project's own use.
const SHIPPED: [&str; 11] =
    ["css", "html", "ico", "js", "json", "png", "svg", "txt", "wasm", "webmanifest", "woff2"];

/// Folders that serve the project's own checks, or stand in for others.
const OWN_USE: [&str; 3] = ["tests", "types", "page"];

/// The scripts of `web/` as they are served: fewer and shorter, and made by `cargo xtask web` too.
const SERVED: &str = "pkg/page";

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let mut files: Vec<(String, PathBuf)> = Vec::new();
    for (room, target) in ROOMS {
        let folder = root.join(room);
        println!("cargo::rerun-if-changed={}", folder.display());
        if folder.is_dir() {
            collect(&folder, target, &mut files)?;
        }
    }
    serve_made_scripts(&root, &mut files)?;
    files.sort();

    let mut code = String::from("/// Path in the site, and content, ordered by path.\n");
    code.push_str("pub static FILES: &[(&str, &[u8])] = &[\n");
    for (target, source) in &files {
        let _ =
            writeln!(code, "    ({target:?}, include_bytes!({:?})),", source.display().to_string());
    }
    code.push_str("];\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("embedded.rs"), code)
}

fn collect(folder: &Path, target: &str, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        if path.is_dir() && OWN_USE.contains(&name) {
            continue;
        }
        if path.is_dir() {
            collect(&path, &format!("{target}{name}/"), files)?;
            continue;
        }
        let shipped = path
            .extension()
            .and_then(|extension| extension.to_str())
            .is_some_and(|extension| SHIPPED.contains(&extension));
        let own = name.starts_with("tsconfig") || name == "package.json";
        if !shipped || own || name.starts_with('.') {
            continue;
        }
        let target =
            if AT_ROOT.contains(&name) { name.to_owned() } else { format!("{target}{name}") };
        files.push((target, path));
    }
    Ok(())
}

/// Puts the scripts that were made of `web/` in the place of those that are written there, unless one of these has been
/// changed since: a page of some old and some new scripts would be no page.
fn serve_made_scripts(root: &Path, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    let (written, served) = (root.join("web"), root.join(SERVED));
    if !served.is_dir() {
        return Ok(());
    }
    let made = scripts(&served)?;
    let (newest, oldest) = (times(&scripts(&written)?)?.max(), times(&made)?.min());
    if oldest.is_none() || oldest < newest {
        return Ok(());
    }
    files.retain(|(target, path)| {
        let is_at_root = AT_ROOT.contains(&target.as_str());
        path.parent() != Some(&written) || is_at_root || !target.ends_with(".js")
    });
    for path in made {
        if let Some(name) = path.file_name().and_then(|name| name.to_str()) {
            files.push((format!("campanile/{name}"), path));
        }
    }
    Ok(())
}

fn scripts(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let mut paths = entries.collect::<io::Result<Vec<_>>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "js"));
    Ok(paths)
}

/// When the files were changed.
fn times(paths: &[PathBuf]) -> io::Result<impl Iterator<Item = SystemTime>> {
    let times = paths.iter().map(|path| fs::metadata(path)?.modified());
    Ok(times.collect::<io::Result<Vec<_>>>()?.into_iter())
}
