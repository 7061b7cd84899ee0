#![expect(clippy::unwrap_used, reason = "a test may fail")]

use proptest::prelude::*;

use crate::marked::testing::shown;
use crate::{IngestOptions, Reading, read_bytes};

fn read(source: &str) -> Reading {
    read_bytes("guide/exam-rules.org", source.as_bytes(), &IngestOptions::default()).unwrap()
}

/// What each shows, the page, and how it is read.
const PAGES: &[(&str, &str, &str)] = &[
    (
        "headings with all that may stand around their words",
        "#+TITLE: Exam rules\n\nWelcome.\n\n* TODO [#A] Fees [1/2]  :money:term:\nSCHEDULED: <2026-01-07 Wed>\n:PROPERTIES:\n:CUSTOM_ID: fee\n:END:\nEUR 5.\n** DONE Late\nEUR 9.\n* Rooms\nB 204.",
        "# Exam rules\nWelcome.\n## Fees\nEUR 5.\n### Late\nEUR 9.\n## Rooms\nB 204.",
    ),
    (
        "states of its own, and what is not published",
        "#+TODO: OPEN(o) | SHUT\n* OPEN Hall\nIn.\n* TODO list\nWords.\n* Plans :noexport:\nSecret.\n** Below\nToo.\n* COMMENT Old\nGone.\n* Last\nHere.",
        "# Hall\nIn.\n# TODO list\nWords.\n# Last\nHere.",
    ),
    (
        "marks within lines",
        "*Bold*, /slanted/, _under_, =code *x*=, ~verb~, a*b*c, 1/2/3, snake_case_name, \\sect{} 3 \\rightarrow go, x^{2}, H_{2}O, 9 -- 12, <2026-01-07 Wed>, (*in*).",
        "Bold, slanted, under, code *x*, verb, a*b*c, 1/2/3, snake_case_name, § 3 → go, x2, H2O, 9 – 12, 2026-01-07 Wed, (in).",
    ),
    (
        "lists within lists, with what belongs to an item",
        "- one\n  goes on\n  - two\n    + three\n- four\n\n  A paragraph.\n\n  #+BEGIN_SRC sh\n  run\n  #+END_SRC\n- [X] done\n- [ ] open [1/2]\n\n\nText.",
        "- one goes on\n- two\n- three\n- four\n- A paragraph.\n` run\n- ☑ done\n- ☐ open [1/2]\nText.",
    ),
    ("terms", "- ECTS :: A credit.\n- CP :: The\n  same.\n", "- ECTS: A credit.\n- CP: The same."),
    (
        "a table with a head and settings",
        "#+CAPTION: Fees\n| Term   | Fee   |\n| <l>    | <r6>  |\n|--------+-------|\n| Winter | *120* |\n| Summer | 110   |\n#+TBLFM: $2=1",
        "Fees\n| Term: Winter; Fee: 120\n| Term: Summer; Fee: 110",
    ),
    (
        "blocks",
        "#+BEGIN_QUOTE\nBooks first.\n#+END_QUOTE\n#+begin_example\n,* no heading\n#+end_example\n: fixed\n: lines\n#+BEGIN_COMMENT\nHidden.\n#+END_COMMENT\n# hidden\n#+BEGIN_CENTER\nMiddle.\n#+END_CENTER\n#+BEGIN_EXPORT html\n<p>Raw <b>one\n#+END_EXPORT\n#+BEGIN_VERSE\nOne\nTwo\n#+END_VERSE\n-----\n:NOTE:\nIn a drawer.\n:END:\n:LOGBOOK:\nCLOCK: x\n:END:",
        "> Books first.\n` * no heading\n` fixed⏎lines\nMiddle.\nRaw one\n> One⏎Two\nIn a drawer.",
    ),
    (
        "notes of each form stand behind their paragraph",
        "It costs 95[fn:1] euros. Only[fn::In /cash/ [coins].] here, twice[fn:t:Two times.].\n\nAgain[fn:1].\n\n* Footnotes\n\n[fn:1] Half for\nstaff.",
        "It costs 95 euros. Only here, twice.\nHalf for staff.\nIn cash [coins].\nTwo times.\nAgain.\nHalf for staff.\n# Footnotes",
    ),
    (
        "links of each form",
        "#+LINK: site https://www.example.edu/%s\n[[https://x.edu][the site]], [[site:fees][Fees]], [[file:a.pdf][The form]], [[*Rooms][rooms]], [[#own]], [[file:plan.png]] and https://x.edu/a_b_c, <https://y.edu>.\n* Rooms\n:PROPERTIES:\n:CUSTOM_ID: own\n:END:\nB.",
        "the site, Fees, The form, rooms, own, and https://x.edu/a_b_c, https://y.edu.\n# Rooms\nB.",
    ),
    (
        "macros and formulas",
        "#+MACRO: fee The fee is $1 euros\n{{{fee(120)}}}, {{{gone}}}, $v = 4$ and \\(a^2\\), but $5 and $6.",
        "The fee is 120 euros, , v = 4 and a^2, but $5 and $6.",
    ),
    ("struck words are left out", "EUR +4+ 5, a+b+c.", "EUR 5, a+b+c."),
    ("a block that nothing closes", "#+BEGIN_SRC sh\nrun", "#+BEGIN_SRC sh run"),
    ("lines that break", "One\\\\\nTwo", "One⏎Two"),
];

#[test]
fn pages_are_read_as_org_publishes_them() {
    let mut wrong = Vec::new();
    for (name, source, expected) in PAGES {
        let found = shown(&read(source).documents[0]);
        if found != *expected {
            wrong.push(format!("{name}:\n{found}\n"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.concat());
}

#[test]
fn numbers_of_lists_are_kept() {
    let found = shown(&read("3. third\n4. fourth\n\n   1) one\n\n\na. first\n").documents[0]);
    for words in ["third", "fourth", "one", "first"] {
        assert!(found.contains(words), "{found}");
    }
}

#[test]
fn a_page_says_what_it_is() {
    let reading = read(
        "#+title: Exam\n#+title: rules\n#+AUTHOR: Ann Example\n#+DATE: <2026-01-07 Wed>\n#+LANGUAGE: en\n#+HUGO_TYPE: academic\n#+OPTIONS: toc:nil\n\n* A\n:PROPERTIES:\n:CUSTOM_ID: here\n:END:\nB.",
    );
    let document = &reading.documents[0];
    assert_eq!(document.title, "Exam rules");
    for (name, value) in [
        ("author", "Ann Example"),
        ("date", "2026-01-07"),
        ("language", "en"),
        ("type", "academic"),
    ] {
        assert_eq!(document.metadata[name], value, "{name}: {:?}", document.metadata);
    }
    assert_eq!(document.sections[1].anchor.as_deref(), Some("here"));
}

#[test]
fn what_is_left_out_is_told() {
    let reading = read(
        "EUR +4+ 5.\n# hidden\n#+INCLUDE: \"gone.org\"\n[[javascript:alert(1)][x]]\n* Plans :noexport:\nSecret.",
    );
    let told: String = reading.findings.iter().map(ToString::to_string).collect();
    for words in ["\"4\"", "1 comment", "1 template tag", "javascript", "2 pieces", "Secret"] {
        assert!(told.contains(words), "{words}: {told}");
    }
}

/// Pages without end marks, deep and long ones: each is read in time.
#[test]
fn time_grows_with_the_page_alone() {
    let deep: String =
        (0..3_000).map(|level| format!("{}- x\n", " ".repeat(level % 500))).collect();
    let pages = [
        "*a /b =c ".repeat(20_000),
        "[fn::a ".repeat(20_000),
        "[[a <<b $c \\(d ".repeat(10_000),
        "{{{a ".repeat(20_000),
        "#+BEGIN_QUOTE\n".repeat(5_000),
        ":A:\n".repeat(5_000),
        "* a :b:\n".repeat(30_000),
        "| a ".repeat(50_000),
        "[fn:a] x\n".repeat(20_000),
        deep,
    ];
    for page in pages {
        let read = || read_bytes("a.org", page.as_bytes(), &IngestOptions::default());
        let effort = campanile_test_data::effort(|| drop(read()));
        assert!(effort.as_secs() < 20, "{page:.40}: {effort:?}");
    }
}

proptest! {
    #[test]
    fn any_page_is_read(source in "(\\*|/|_|=|~|\\+|- |\\[|\\]|<|>|:|\\||#\\+|BEGIN_SRC|END_SRC|fn:|\\* |\\$|\\\\|[a-zé ]|\n){0,80}") {
        prop_assert!(read_bytes("a.org", source.as_bytes(), &IngestOptions::default()).is_ok(), "{source}");
    }
}
