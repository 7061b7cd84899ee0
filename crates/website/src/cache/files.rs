//! Files of the folder.

use super::{INDEX_NAME, LOCK_NAME};
use crate::error::WebsiteError;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Refuses a folder that has files and no index: they are somebody else's.
pub(super) fn refuse_foreign(folder: &Path) -> Result<(), WebsiteError> {
    let mut foreign = false;
    for entry in fs::read_dir(folder).map_err(|error| WebsiteError::io("read", folder, error))? {
        let name = entry.map_err(|error| WebsiteError::io("read", folder, error))?.file_name();
        if name == INDEX_NAME {
            return Ok(());
        }
        foreign |= name != LOCK_NAME && name != part_name(Path::new(INDEX_NAME)).as_os_str();
    }
    if foreign { Err(WebsiteError::ForeignFolder { folder: folder.to_path_buf() }) } else { Ok(()) }
}

/// Writes under another name first.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), WebsiteError> {
    make_parent(path)?;
    let part = part_name(path);
    fs::write(&part, bytes)
        .and_then(|()| fs::rename(&part, path))
        .map_err(|error| WebsiteError::io("write", path, error))
}

fn part_name(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    PathBuf::from(name)
}

pub(super) fn rename(from: &Path, to: &Path) -> Result<(), WebsiteError> {
    make_parent(to)?;
    fs::rename(from, to).map_err(|error| WebsiteError::io("move", from, error))
}

fn make_parent(path: &Path) -> Result<(), WebsiteError> {
    match path.parent() {
        Some(parent) => {
            fs::create_dir_all(parent).map_err(|error| WebsiteError::io("make", parent, error))
        }
        None => Ok(()),
    }
}

pub(super) fn remove(path: &Path) -> Result<(), WebsiteError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(WebsiteError::io("remove", path, error))
        }
        _ => Ok(()),
    }
}

/// Removes what is below `root/folder` and not in `known`, and folders left empty: the rest of a
/// page that was under way when a fetch was broken off.
pub(super) fn sweep(
    root: &Path,
    folder: &str,
    known: &BTreeSet<String>,
) -> Result<(), WebsiteError> {
    let path = root.join(folder);
    let entries = match fs::read_dir(&path) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(WebsiteError::io("read", &path, error)),
    };
    let mut is_empty = true;
    for entry in entries {
        let entry = entry.map_err(|error| WebsiteError::io("read", &path, error))?;
        let name = format!("{folder}/{}", entry.file_name().to_string_lossy());
        let kind = entry.file_type().map_err(|error| WebsiteError::io("read", &path, error))?;
        if kind.is_dir() {
            sweep(root, &name, known)?;
            is_empty &= !entry.path().exists();
        } else if known.contains(&name) {
            is_empty = false;
        } else {
            remove(&entry.path())?;
        }
    }
    if is_empty {
        fs::remove_dir(&path).map_err(|error| WebsiteError::io("remove", &path, error))?;
    }
    Ok(())
}
