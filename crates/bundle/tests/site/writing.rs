//! Tests of what a build leaves in a site's folder, also when it stops half-way.

use std::fs;
use std::path::Path;

use crate::common::{TEXTS, add_parts, files, write_site};
use campanile_bundle::{BundleWriter, Encoding, ShardKind, WriteError};

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn the_same_content_gives_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let (left, right) = (folder.path().join("left"), folder.path().join("right"));
    write_site(&left, &TEXTS);
    write_site(&right, &TEXTS[..3]);
    write_site(&right, &TEXTS);
    assert_eq!(files(&left), files(&right));
    assert_eq!(names(folder.path()), ["left", "right"], "nothing is left beside the sites");
}

#[test]
fn a_site_has_its_page_its_manifest_and_its_shards() {
    let folder = tempfile::tempdir().unwrap();
    let site = folder.path().join("deep/down/site");
    let written = write_site(&site, &TEXTS);
    let files = files(&site);
    assert_eq!(written.bytes, files.values().map(|bytes| bytes.len() as u64).sum::<u64>());
    let (shards, page): (Vec<_>, Vec<_>) =
        files.keys().partition(|path| path.starts_with("shards/"));
    assert_eq!(page, ["campanile.json", "icons/icon.svg", "index.html"]);
    assert_eq!(shards.len(), written.shards);
}

#[test]
fn an_update_removes_only_shards_no_longer_named() {
    let folder = tempfile::tempdir().unwrap();
    let site = folder.path();
    write_site(site, &TEXTS);
    let before = files(site);
    for (path, content) in
        [("CNAME", "example.org"), ("shards/readme.txt", "mine"), ("shards/old-1.bin", "mine")]
    {
        fs::write(site.join(path), content).unwrap();
    }
    let written = write_site(site, &TEXTS[..5]);
    let after = files(site);
    assert!(!written.removed.is_empty());
    assert_eq!(written.left, Vec::<String>::new());
    assert!(
        written.removed.iter().all(|path| before.contains_key(path) && !after.contains_key(path))
    );
    assert!(
        ["CNAME", "shards/readme.txt", "shards/old-1.bin"]
            .iter()
            .all(|&path| after.contains_key(path))
    );
    let fresh = folder.path().join("fresh");
    write_site(&fresh, &TEXTS[..5]);
    assert!(files(&fresh).iter().all(|(path, bytes)| after.get(path) == Some(bytes)));
}

#[test]
fn a_build_given_up_leaves_the_old_site_whole() {
    let folder = tempfile::tempdir().unwrap();
    let site = folder.path().join("site");
    write_site(&site, &TEXTS);
    let before = files(&site);
    let mut writer = BundleWriter::begin(&site).unwrap();
    add_parts(&mut writer, &TEXTS[..2]);
    writer.add_file("index.html", b"new").unwrap();
    drop(writer);
    assert_eq!(files(&site), before);
    assert_eq!(names(folder.path()), ["site"]);
}

#[test]
fn a_killed_build_leaves_the_old_site_whole_and_the_next_clears_up() {
    let folder = tempfile::tempdir().unwrap();
    let site = folder.path().join("site");
    write_site(&site, &TEXTS);
    let before = files(&site);
    // What a build leaves behind that has no chance to clear up: its folder, and a lock that the
    // system has taken back.
    let leftover = folder.path().join(".site.campanile-build");
    fs::create_dir_all(leftover.join("shards")).unwrap();
    fs::write(leftover.join(".campanile-lock"), "").unwrap();
    fs::write(leftover.join("shards/postings-0000000000000000.bin"), "half").unwrap();
    fs::write(leftover.join("stray.html"), "old").unwrap();
    assert_eq!(files(&site), before);
    write_site(&site, &TEXTS);
    assert_eq!(files(&site), before);
    assert_eq!(names(folder.path()), ["site"]);
}

#[test]
fn shards_moved_without_their_manifest_disturb_nobody() {
    // A build killed between its moves: new shards are there, the manifest is the old one.
    let folder = tempfile::tempdir().unwrap();
    let site = folder.path().join("site");
    write_site(&site, &TEXTS);
    let before = files(&site);
    fs::write(site.join("shards/postings-0123456789abcdef.bin"), "new").unwrap();
    let written = write_site(&site, &TEXTS);
    assert_eq!(written.removed, ["shards/postings-0123456789abcdef.bin"]);
    assert_eq!(files(&site), before);
}

#[test]
fn a_damaged_shard_is_mended_by_a_build() {
    let folder = tempfile::tempdir().unwrap();
    let site = folder.path().join("site");
    write_site(&site, &TEXTS);
    let before = files(&site);
    let path = before.keys().find(|path| path.starts_with("shards/")).unwrap();
    fs::write(site.join(path), "damage").unwrap();
    write_site(&site, &TEXTS);
    assert_eq!(files(&site), before);
}

#[test]
fn a_folder_with_somebody_s_files_is_refused() {
    let cases: [&[(&str, &str)]; 4] = [
        &[("thesis.tex", "years of work")],
        &[("campanile.json", "not json")],
        &[("campanile.json", "{}"), ("index.html", "")],
        &[("campanile.json", r#"{"format": 1, "generator": "another"}"#)],
    ];
    for contents in cases {
        let folder = tempfile::tempdir().unwrap();
        let site = folder.path().join("site");
        fs::create_dir(&site).unwrap();
        for (name, content) in contents {
            fs::write(site.join(name), content).unwrap();
        }
        let error = BundleWriter::begin(&site).unwrap_err();
        assert!(matches!(error, WriteError::NotOurs { .. }), "{error}");
        assert!(error.to_string().contains("give another folder"), "{error}");
        assert_eq!(names(folder.path()), ["site"]);
        assert_eq!(files(&site).len(), contents.len());
    }
}

#[test]
fn an_empty_folder_a_file_and_the_root_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("empty");
    fs::create_dir(&empty).unwrap();
    write_site(&empty, &TEXTS);
    let file = folder.path().join("file");
    fs::write(&file, "x").unwrap();
    for path in [&file, Path::new("/")] {
        let error = BundleWriter::begin(path).unwrap_err();
        assert!(matches!(error, WriteError::NoFolder { .. }), "{error}");
    }
}

#[test]
fn two_builds_of_one_site_do_not_meet() {
    let folder = tempfile::tempdir().unwrap();
    let site = folder.path().join("site");
    let first = BundleWriter::begin(&site).unwrap();
    let error = BundleWriter::begin(&site).unwrap_err();
    assert!(matches!(error, WriteError::Busy { .. }), "{error}");
    drop(first);
    assert!(BundleWriter::begin(&site).is_ok());
}

#[test]
fn deflate_is_used_where_it_helps() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = BundleWriter::begin(&folder.path().join("site")).unwrap();
    let long = writer.add(ShardKind::Model, &[b'a'; 5000], Encoding::Deflate).unwrap();
    assert_eq!((long.encoding, long.raw_bytes), (Encoding::Deflate, 5000));
    assert!(long.bytes < 100);
    let short = writer.add(ShardKind::Model, b"xyz", Encoding::Deflate).unwrap();
    assert_eq!((short.encoding, short.bytes, short.raw_bytes), (Encoding::Raw, 3, 3));
}

#[test]
fn a_page_s_files_stay_in_their_place() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = BundleWriter::begin(&folder.path().join("site")).unwrap();
    for path in
        ["../index.html", "/index.html", "campanile.json", "shards/x.bin", ".campanile-lock"]
    {
        let error = writer.add_file(path, b"").unwrap_err();
        assert!(
            matches!(error, WriteError::Path(_) | WriteError::Reserved { .. }),
            "{path}: {error}"
        );
    }
}

#[test]
fn a_manifest_of_another_build_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = BundleWriter::begin(&folder.path().join("one")).unwrap();
    let manifest = add_parts(&mut writer, &TEXTS);
    let other = BundleWriter::begin(&folder.path().join("two")).unwrap();
    let error = other.finish(&manifest).unwrap_err();
    assert!(matches!(error, WriteError::NotAdded { .. }), "{error}");
    let unsound = campanile_bundle::Manifest { dimension: 0, ..manifest };
    assert!(matches!(writer.finish(&unsound), Err(WriteError::Manifest(_))));
    assert!(names(folder.path()).is_empty());
}
