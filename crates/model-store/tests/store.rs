//! Finding, listing and removing; damage and its names.

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod support;

use campanile_model_store::catalogue::MODELS;
use campanile_model_store::{STAMP_NAME, Source, Store, StoreError};
use std::fs;
use std::path::PathBuf;
use support::{ignore, names, noise, store};
use tempfile::TempDir;

/// A store with the model `small` in it, and the model's folder.
fn filled() -> (TempDir, Store, PathBuf) {
    let (config, weights) = (noise(300, 1), noise(9_000, 2));
    let (folder, store) = store(&[("config.json", &config), ("model.safetensors", &weights)]);
    let from = folder.path().join("from");
    fs::create_dir(&from).unwrap();
    fs::write(from.join("config.json"), &config).unwrap();
    fs::write(from.join("model.safetensors"), &weights).unwrap();
    let model = store.fetch("small", &Source::Path(from), &mut ignore).unwrap();
    (folder, store, model.folder)
}

#[test]
fn an_unknown_name_is_answered_with_the_known_ones() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(Some(folder.path().to_path_buf())).unwrap();
    let error = store.find("all-minilm-l6-v3").unwrap_err();
    assert_eq!(
        error.to_string(),
        "there is no model `all-minilm-l6-v3`. Did you mean `all-MiniLM-L6-v2`? \
         Campanile knows `all-MiniLM-L6-v2`, `qwen2.5-0.5b-instruct`, `smollm2-135m-instruct`, \
         `smollm2-360m-instruct`"
    );
    let error = store.find("../secrets").unwrap_err();
    assert!(matches!(error, StoreError::UnknownModel { nearest: None, .. }));
}

#[test]
fn an_empty_store_lists_every_model_and_creates_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(Some(folder.path().join("models"))).unwrap();
    let states = store.list();
    assert_eq!(states.len(), MODELS.len());
    for state in states {
        let error = state.installed.unwrap_err();
        assert!(matches!(error, StoreError::NotInstalled { .. }));
        let command = format!("`campanile model fetch {}`", state.model.name);
        assert!(error.to_string().contains(&command), "{error}");
    }
    assert!(!store.folder().exists());
    assert_eq!(store.remove("all-MiniLM-L6-v2").unwrap(), 0);
}

/// Each damage is found without hashing, named with its file, and mended.
#[test]
fn damage_is_named_and_mended() {
    type Damage = fn(&PathBuf);
    let weights = "model.safetensors";
    let cases: [(&str, Damage, &[&str]); 6] = [
        (
            "cut short",
            |folder| fs::write(folder.join("model.safetensors"), noise(50, 2)).unwrap(),
            &[weights, "50 bytes", "9000", "cut short"],
        ),
        (
            "too long",
            |folder| fs::write(folder.join("model.safetensors"), noise(9_001, 2)).unwrap(),
            &[weights, "9001 bytes", "another file"],
        ),
        (
            "one missing",
            |folder| fs::remove_file(folder.join("config.json")).unwrap(),
            &["config.json", "missing"],
        ),
        (
            "no stamp",
            |folder| fs::remove_file(folder.join(STAMP_NAME)).unwrap(),
            &[STAMP_NAME, "never checked"],
        ),
        (
            "a stamp of nonsense",
            |folder| fs::write(folder.join(STAMP_NAME), b"{\"format\": 1").unwrap(),
            &[STAMP_NAME, "not readable"],
        ),
        (
            "a stamp of an older pin",
            |folder| {
                let path = folder.join(STAMP_NAME);
                let text = fs::read_to_string(&path).unwrap();
                let hash = support::sha256(&noise(300, 1));
                fs::write(path, text.replace(&hash, &"0".repeat(64))).unwrap();
            },
            &[STAMP_NAME, "config.json", "another hash"],
        ),
    ];
    for (case, damage, words) in cases {
        let (outside, store, folder) = filled();
        damage(&folder);
        let text = store.find("small").unwrap_err().to_string();
        for word in words.iter().chain(&["`campanile model fetch small`"]) {
            assert!(text.contains(word), "{case}: {word} in {text}");
        }
        let listed = store.list().remove(0).installed.unwrap_err().to_string();
        assert_eq!(listed, text, "{case}");
        let source = Source::Path(outside.path().join("from"));
        let model = store.fetch("small", &source, &mut ignore).unwrap();
        model.verify(&mut ignore).unwrap();
    }
}

#[test]
fn verify_finds_a_flipped_bit_of_the_right_length() {
    let (_outside, store, folder) = filled();
    let path = folder.join("model.safetensors");
    let mut bytes = fs::read(&path).unwrap();
    bytes[5_000] ^= 4;
    fs::write(&path, bytes).unwrap();
    let model = store.find("small").unwrap();
    let error = model.verify(&mut ignore).unwrap_err();
    assert!(matches!(&error, StoreError::WrongHash { path: found, .. } if *found == path));
    assert!(error.to_string().contains("damaged"), "{error}");
}

#[test]
fn files_put_there_by_hand_are_checked_and_stamped_without_a_source() {
    let (_outside, store, folder) = filled();
    fs::remove_file(folder.join(STAMP_NAME)).unwrap();
    let model = store.fetch("small", &Source::Any, &mut ignore).unwrap();
    assert_eq!(model.files[0].source, "found in place");
}

#[test]
fn removal_frees_our_files_and_leaves_others() {
    let (_outside, store, folder) = filled();
    fs::write(folder.join("model.safetensors.part"), b"half").unwrap();
    fs::write(folder.join("notes.txt"), b"mine").unwrap();
    assert!(store.remove("small").unwrap() > 9_300);
    assert_eq!(names(&folder), ["notes.txt"]);
    fs::remove_file(folder.join("notes.txt")).unwrap();
    assert_eq!(store.remove("small").unwrap(), 0);
    assert!(!folder.exists());
}

#[test]
fn an_installed_model_names_its_files() {
    let (_outside, store, folder) = filled();
    let model = store.find("small").unwrap();
    assert_eq!(model.bytes(), 9_300);
    assert_eq!(model.path("config.json").unwrap(), folder.join("config.json"));
    let error = model.path("vocab.txt").unwrap_err();
    assert!(error.to_string().contains("`config.json`, `model.safetensors`"), "{error}");
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let (outside, store, _) = filled();
    let file = outside.path().join("a file");
    fs::write(&file, b"").unwrap();
    let store = Store::open(Some(file.join("models")))
        .unwrap()
        .with_catalogue(support::catalogue(&[("config.json", b"{}")]))
        .with_hub(store.folder().display().to_string());
    let error = store.fetch("small", &Source::Hub, &mut ignore).unwrap_err();
    assert!(matches!(error, StoreError::Io { .. }), "{error}");
    assert!(error.to_string().contains("a file"), "{error}");
}
