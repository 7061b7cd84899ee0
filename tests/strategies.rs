//! Ways to cut documents that need the encoder, with the encoder that a site ships.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use support::{build, campanile, folder, text};

const LIBRARY: &str = "The library lends books for four weeks at a time. Loans are renewed online \
    unless another reader has reserved the book. Whoever returns a book late pays a fee of one euro \
    a day. Reference books and journals are read in the reading room and are not lent. Readers \
    order books from other libraries at the desk on the ground floor.";
const CHLORINE: &str = "Chlorine gas is stored in the locked cabinet behind the fume hood. Acids are \
    poured into water and never the other way round. Safety goggles and gloves are worn wherever \
    chemicals are handled. Spilled acid is covered with soda and swept up after ten minutes. Burns \
    of the skin are rinsed under cold running water for a quarter of an hour.";

#[test]
fn a_semantic_cut_lies_where_the_subject_changes() {
    let page = format!("# Notes\n\n{LIBRARY} {CHLORINE}\n");
    let docs =
        folder(&[("campanile.toml", "[chunks]\nstrategy = \"semantic\"\n"), ("notes.md", &page)]);
    let (site, run) = build(docs.path(), 0);
    assert_eq!(run.json()["chunks"], 2);
    let cases = [
        ("How long does the library lend books?", format!("Notes\n\n{LIBRARY}")),
        ("Where is chlorine gas stored?", CHLORINE.to_owned()),
    ];
    for (question, expected) in cases {
        let reply =
            campanile(&["ask", text(site.path()), question, "--json"]).expect_code(0).json();
        assert_eq!(reply["sources"][0]["text"].as_str(), Some(expected.as_str()), "{question}");
    }
}

#[test]
fn a_semantic_cut_is_the_same_in_every_build() {
    let page = format!("# Notes\n\n{LIBRARY}\n\n{CHLORINE}\n\n{LIBRARY}\n");
    let docs =
        folder(&[("campanile.toml", "[chunks]\nstrategy = \"semantic\"\n"), ("notes.md", &page)]);
    let sites = [build(docs.path(), 0).0, build(docs.path(), 0).0];
    let [first, second] = sites.map(|site| support::tree(site.path()));
    assert!(first == second);
}
