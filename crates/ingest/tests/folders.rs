//! Folders as people keep them, good and bad.
#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::fs;
use std::path::{Path, PathBuf};

use campanile_ingest::{Finding, IngestError, IngestOptions, Trouble, discover, read};
use tempfile::TempDir;

fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let root = TempDir::new().unwrap();
    for (path, bytes) in files {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    root
}

fn refusal(root: &Path, path: &str) -> String {
    let result = read(root, Path::new(path), &IngestOptions::default());
    result.unwrap_err().to_string()
}

#[test]
fn documents_are_found_in_the_order_of_their_paths() {
    let root = folder(&[
        ("b.md", b"x"),
        ("a/z.TXT", b"x"),
        ("a.html", b"x"),
        ("a/b/c.markdown", b"x"),
        (".git/x.md", b"x"),
        (".hidden.md", b"x"),
        ("node_modules/x.md", b"x"),
        ("public/campanile.json", b"{}"),
        ("public/shards/x.bin", b"x"),
        ("public/licences.txt", b"x"),
        ("public-report/report.html", b"x"),
        ("public-report/report.json", b"{}"),
        ("rooms/campanile.json", b"{}"),
        ("plan.psd", b"x"),
        ("a/plan.PSD", b"x"),
        ("Makefile", b"x"),
    ]);
    let found = discover(root.path()).unwrap();
    let expected =
        ["a.html", "a/b/c.markdown", "a/z.TXT", "b.md", "rooms/campanile.json"].map(PathBuf::from);
    assert_eq!(found.files, expected);
    let messages: Vec<_> = found.findings.iter().map(ToString::to_string).collect();
    assert_eq!(messages.len(), 5, "{messages:?}");
    assert!(messages[0].starts_with("the folder `node_modules` was passed over"));
    let own = |folder: &str| {
        let told = format!(
            "the folder `{folder}` was passed over: it is a site that `campanile build` wrote"
        );
        messages.iter().any(|message| message.starts_with(&told))
    };
    assert!(own("public") && own("public-report"), "{messages:?}");
    assert!(messages[3].starts_with("passed over 1 file without an ending, such as `Makefile`"));
    assert!(
        messages[4].starts_with("passed over 2 files of the kind `.psd`, such as `a/plan.PSD`")
    );
    let reading = read(root.path(), &found.files[2], &IngestOptions::default()).unwrap();
    let document = &reading.documents[0];
    assert_eq!((document.path.as_str(), document.title.as_str()), ("a/z.TXT", "Z"));
}

#[test]
fn what_pages_are_made_with_is_named_in_one_line() {
    let files: [(&str, &[u8]); 7] = [
        ("page.html", b"<p>x"),
        ("a/main.css", b"x"),
        ("main.js", b"x"),
        ("main.js.map", b"x"),
        ("plan.png", b"x"),
        ("sitemap.xml", b"x"),
        ("rules.xyz", b"x"),
    ];
    let messages = |files: &[(&str, &[u8])]| -> Vec<String> {
        let found = discover(folder(files).path()).unwrap();
        found.findings.iter().map(ToString::to_string).collect()
    };
    let found = messages(&files);
    let made =
        "passed over 5 files that the pages are made with (`.css`, `.js`, `.map`, `.png`, `.xml`)";
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].contains(".xyz") && found[1] == made, "{found:?}");
    // Without pages a picture may be a scanned document.
    let found = messages(&[("a.txt", b"x"), ("plan.png", b"x"), ("data.xml", b"x")]);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].contains("make a PDF") && found[1].contains("convert"), "{found:?}");
}

#[test]
fn a_file_that_a_page_takes_in_is_told() {
    let root =
        folder(&[("a.md", b"# A\n\n--8<-- \"in/b.md\"\n"), ("in/b.md", b"A key is 25 euros.")]);
    let reading = read(root.path(), Path::new("a.md"), &IngestOptions::default()).unwrap();
    assert!(reading.documents[0].text.ends_with("A key is 25 euros."));
    assert_eq!(reading.taken_in, ["in/b.md"]);
}

#[test]
fn a_path_below_the_folder_is_relative_to_it() {
    let root = folder(&[("a/x.md", b"# X")]);
    let whole = root.path().join("a/x.md");
    let reading = read(root.path(), &whole, &IngestOptions::default()).unwrap();
    let document = &reading.documents[0];
    assert_eq!(document.path, "a/x.md");
}

#[test]
fn an_empty_folder_is_an_error_with_a_way_out() {
    let empty = TempDir::new().unwrap();
    let message = discover(empty.path()).unwrap_err().to_string();
    assert!(message.contains(&empty.path().display().to_string()), "{message}");
    assert!(message.contains("holds no documents: put Markdown"), "{message}");
    let others = folder(&[("a.psd", b"x"), ("b.xyz", b"x"), ("c.psd", b"x")]);
    let message = discover(others.path()).unwrap_err().to_string();
    assert!(message.contains("(found: .psd (2), .xyz (1))"), "{message}");
    let missing = discover(Path::new("/no/such/folder")).unwrap_err();
    assert!(matches!(missing, IngestError::NotAFolder { .. }));
}

#[test]
fn a_bad_document_names_itself_and_the_way_out() {
    let root = folder(&[
        ("japanese.txt", b"\x93\xFA\x96\x7B\x8C\xEA"),
        ("picture.md", b"\x89PNG\0\0"),
        ("a.doc", b"x"),
        ("good.md", b"# Good\n\nStill here."),
    ]);
    fs::create_dir(root.path().join("folder.md")).unwrap();
    let cases = [
        ("japanese.txt", "iconv -f "),
        ("picture.md", "looks binary"),
        ("a.doc", "save as `.docx`"),
        ("gone.md", "check that it is there"),
        ("folder.md", "cannot be read"),
    ];
    for (path, way_out) in cases {
        let message = refusal(root.path(), path);
        assert!(message.contains(&format!("`{path}`")), "{message}");
        assert!(message.contains(way_out), "{message}");
    }
    assert!(read(root.path(), Path::new("good.md"), &IngestOptions::default()).is_ok());
}

#[test]
fn files_and_texts_beyond_the_limits_are_refused() {
    let root = folder(&[]);
    let file = fs::File::create(root.path().join("big.txt")).unwrap();
    file.set_len(60_000_000).unwrap();
    let message = refusal(root.path(), "big.txt");
    assert!(
        message.contains("`big.txt` is too large (60.0 MB, the limit is 50.0 MB)"),
        "{message}"
    );
    assert!(message.contains("split it"), "{message}");
    fs::write(root.path().join("log.txt"), "a line\n".repeat(2_000_000)).unwrap();
    let message = refusal(root.path(), "log.txt");
    assert!(message.contains("`log.txt` holds too much text (14.0 MB"), "{message}");
    let error = IngestError::Document { path: "x".into(), trouble: Trouble::NoPages };
    assert!(Finding::failed("x", &error).is_failure());
}

#[cfg(unix)]
#[test]
fn links_are_followed_to_files_and_nowhere_else() {
    use std::os::unix::fs::symlink;
    let root = folder(&[("real/a.md", b"x")]);
    symlink(root.path().join("real/a.md"), root.path().join("b.md")).unwrap();
    symlink(root.path(), root.path().join("round")).unwrap();
    symlink(root.path().join("gone.md"), root.path().join("c.md")).unwrap();
    let found = discover(root.path()).unwrap();
    assert_eq!(found.files, ["b.md", "real/a.md"].map(PathBuf::from));
    let messages: Vec<_> = found.findings.iter().map(ToString::to_string).collect();
    assert_eq!(messages.len(), 2);
    assert!(messages[0].contains("`c.md` cannot be read (the symbolic link leads nowhere)"));
    assert!(messages[1].contains("the folder `round` was passed over: it is a symbolic link"));
    assert!(found.findings[0].is_failure() && !found.findings[1].is_failure());
}

#[test]
fn pages_and_newer_documents_under_old_names_are_found() {
    let root = folder(&[
        ("a.md", b"# A\n\nWords."),
        ("page.doc", b"<html><p>Words"),
        ("old.doc", b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"),
        ("rich.rtf", b"{\\rtf1 x}"),
        ("empty.ppt", b""),
    ]);
    let found = discover(root.path()).unwrap();
    let names: Vec<String> =
        found.files.iter().map(|path| campanile_ingest::slashed(path)).collect();
    assert_eq!(names, ["a.md", "page.doc"]);
    let told: String = found.findings.iter().map(ToString::to_string).collect();
    assert!(told.contains("`old.doc`: open in an office program and save as `.docx`"), "{told}");
}
