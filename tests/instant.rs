//! A site answers by meaning before its encoder is there.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::fs;

use support::{build, campanile, folder, root, text, tree};

/// The names of the shards of a site.
fn shards(site: &std::path::Path) -> Vec<String> {
    tree(site).into_keys().filter(|name| name.starts_with("shards/")).collect()
}

#[test]
fn the_sample_campus_is_searched_by_meaning_without_the_encoder() {
    let (site, run) = build(&root().join("samples/campus"), 0);
    let instant = &run.json()["instant"];
    assert_eq!(instant["state"], "learned");
    let [pieces, bytes, overlap] =
        ["pieces", "bytes", "overlap"].map(|name| instant[name].as_f64().unwrap());
    // Word pieces and passages have a vector each of as many bytes; 64 a piece are promised.
    let chunks = run.json()["chunks"].as_f64().unwrap();
    assert!(bytes - chunks * 57.0 <= pieces * 64.0, "{bytes} bytes, {pieces} pieces");
    assert!(overlap > 0.55, "overlap@10 with the encoder {overlap}");

    // The encoder and its vectors are taken away: nothing of them is read.
    for shard in shards(site.path()) {
        if shard.starts_with("shards/model-") || shard.starts_with("shards/vectors-") {
            fs::remove_file(site.path().join(shard)).unwrap();
        }
    }
    let ask = |mode: &str| {
        let question = "Is there any money for somebody who suddenly can't pay the rent?";
        campanile(&["ask", text(site.path()), question, "--json", "--mode", mode])
            .expect_code(0)
            .json()
    };
    let reply = ask("instant");
    assert_eq!(reply["stage"], "instant");
    let sources = reply["sources"].as_array().unwrap();
    assert!(sources.iter().any(|source| source["scores"]["instant"]["rank"].as_u64() == Some(1)));
    assert!(sources.iter().all(|source| source["scores"]["dense"].is_null()));
    assert_eq!(ask("lexical")["stage"], "lexical");

    let questions = root().join("samples/questions.jsonl");
    let hit5 = |mode: &str| {
        let all =
            campanile(&["eval", text(site.path()), text(&questions), "--json", "--mode", mode])
                .expect_code(0)
                .json();
        all["report"]["passage_hit"]["5"]["count"].as_u64().unwrap()
    };
    assert!(hit5("instant") > hit5("lexical"), "meaning, however rough, finds more than keywords");
}

#[test]
fn a_rebuild_learns_nothing_anew_and_a_change_is_learned_as_if_from_scratch() {
    let samples = root().join("samples/campus");
    let docs = folder(&[]);
    for (name, bytes) in tree(&samples) {
        let path = docs.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    let site = folder(&[]);
    let rebuild = |site: &std::path::Path, more: &[&str]| {
        let mut arguments = vec!["build", text(docs.path()), "-o", text(site)];
        arguments.extend(["--index-only", "--no-report", "--json"]);
        arguments.extend(more);
        campanile(&arguments).expect_code(0).json()["instant"]["embedded"].as_u64().unwrap()
    };
    let first = rebuild(site.path(), &[]);
    assert!(first > 1_000, "{first} texts");
    assert_eq!(rebuild(site.path(), &[]), 0);
    let changed = docs.path().join("department/field-week.txt");
    let more =
        format!("{}\n\nBring rubber boots and a torch.\n", fs::read_to_string(&changed).unwrap());
    fs::write(changed, more).unwrap();
    let second = rebuild(site.path(), &[]);
    assert!(second > 0 && second < first / 4, "{second} of {first} texts");
    let anew = folder(&[]);
    rebuild(anew.path(), &["--fresh"]);
    assert!(tree(site.path()) == tree(anew.path()), "a rebuilt site is as one built anew");
}

#[test]
fn small_sites_and_those_that_do_not_want_it_go_without() {
    let docs = folder(&[("a.md", "# Parking\n\nStudents park behind the gymnasium.\n")]);
    let (site, run) = build(docs.path(), 0);
    assert_eq!(run.json()["instant"]["state"], "left_out");
    assert_eq!(run.json()["instant"]["reason"], "1 passage is too few to learn from");
    campanile(&["ask", text(site.path()), "Where do I park?", "--mode", "instant"])
        .expect_code(1)
        .says(&["was built without a static encoder", "--mode lexical"]);

    fs::write(docs.path().join("campanile.toml"), "[search]\ninstant_semantics = false\n").unwrap();
    let (_, run) = build(docs.path(), 0);
    assert_eq!(run.json()["instant"]["state"], "off");
}
