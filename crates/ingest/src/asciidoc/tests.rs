#![expect(clippy::unwrap_used, reason = "a test may fail")]

use proptest::prelude::*;

use crate::marked::testing::shown;
use crate::{IngestOptions, Reading, read_bytes};

fn read(source: &str) -> Reading {
    read_bytes("guide/exam-rules.adoc", source.as_bytes(), &IngestOptions::default()).unwrap()
}

/// What each shows, the page, and how it is read.
const PAGES: &[(&str, &str, &str)] = &[
    (
        "headings of both forms, and what stands above them",
        "= Exam rules\nAnn Example <ann@example.edu>\nv1.2, 2026-01-07: new\n:toc:\n\nWelcome.\n\n== Fees\n\nEUR 5.\n\n=== Late\n\nEUR 9.\n\nRooms\n-----\n\nB 204.",
        "# Exam rules\nWelcome.\n## Fees\nEUR 5.\n### Late\nEUR 9.\n## Rooms\nB 204.",
    ),
    (
        "marks within lines",
        "*Bold*, _slanted_, `code`, #marked#, **un**bound, H~2~O, 10^6^, \"`quoted`\", [.line-through]#EUR 4# EUR 5 -- now, a * b * c, snake_case_name, 2*3*4, \\*not*.",
        "Bold, slanted, code, marked, unbound, H2O, 10^6, “quoted”, EUR 5 – now, a * b * c, snake_case_name, 2*3*4, *not*.",
    ),
    (
        "attributes, known and unknown, with characters",
        ":deadline: 17 June\n:long: a \\\n  b\n\nBy {deadline}, {long}, {unknown}, A{nbsp}B, \\{deadline}.\n\n:!deadline:\n{deadline}",
        "By 17 June, a b, {unknown}, A B, {deadline}.\n{deadline}",
    ),
    (
        "conditions",
        "ifdef::draft[]\nSecret.\nendif::[]\nifndef::draft[Open.]\nifdef::backend-pdf[Print.]\n\nifeval::[\"{x}\" == \"y\"]\nNo.\nendif::[]\n:x: 1\n\nifdef::x+y[Both.]\nifdef::x,y[One.]",
        "Open.\nOne.",
    ),
    (
        "lists within lists, with what is attached",
        "* one\ngoes on\n** two\n*** three\n* four\n+\nA paragraph.\n+\n----\ncode\n----\n\n. first\n. second\n\n[source]\n----\nx <1>\n----\n<1> Runs it.\n\n[start=4]\n. fourth",
        "- one goes on\n- two\n- three\n- four\n- A paragraph.\n` code",
    ),
    (
        "terms",
        "ECTS:: A credit.\nCP::\nThe same.\n+\nMore.\nModule::\n\nA course.\n Nested;; Below.\nWhat is due?:: A form.",
        "- ECTS: A credit.\n- CP: The same.",
    ),
    ("boxes that are ticked", "* [x] done\n* [ ] open", "- ☑ done\n- ☐ open"),
    (
        "notes, boxes, quotations, code",
        "NOTE: Bring a card.\n\n[WARNING]\n.Mind\n====\nThe door is shut.\n====\n\n[quote,Dean,Letter]\n____\nBooks first.\n____\n\n.Listing\n[source,sh]\n----\nrun <1>\n----\n\n literal text\n\n****\nAside.\n****",
        "Bring a card.\nMind\nThe door is shut.\n> Books first.\n> Dean, Letter\nListing\n` run\n` literal text\nAside.",
    ),
    (
        "comments",
        "A\n// hidden\nB\n\n////\nHidden too.\n////\n\n[comment]\n--\nAnd this.\n--",
        "A B",
    ),
    (
        "a table with a head",
        ".Fees\n[cols=\"1,2\",options=\"header\"]\n|===\n|Term |Fee\n\n|Winter\n|120\n|Summer |*110*\n|===",
        "Fees\n| Term: Winter; Fee: 120\n| Term: Summer; Fee: 110",
    ),
    (
        "a head that only an empty line marks, cells over columns and rows",
        "|===\n|Day |Room |Time\n\n.2+|Monday |B 204 |nine\n|B 205 |ten\n|Tuesday 2+|closed\n|===",
        "| Day: Monday; Room: B 204; Time: nine\n| Day: Monday; Room: B 205; Time: ten\n| Day: Tuesday; Room/Time: closed",
    ),
    (
        "cells with blocks, and separated values",
        "[cols=\"1h,1a\"]\n|===\n|Papers\n|* a form\n* a card\n|Pens |two \\| three\n|===\n\n[%header,format=csv]\n|===\nTerm,Fee\nWinter,\"1,200\"\n|===",
        "| Papers: a form, a card\n| Pens: two | three\n| Term: Winter; Fee: 1,200",
    ),
    (
        "references and links",
        "[[fee]]\n== The fee\n\nSee <<fee>>, <<fee,here>>, <<The fee>>, xref:rooms.adoc[], https://www.example.edu[the site], link:a.pdf[The form^], https://x.edu/a_b_c.",
        "## The fee\nSee The fee, here, The fee, rooms, the site, The form, https://x.edu/a_b_c.",
    ),
    (
        "notes of both forms stand behind their paragraph",
        "It costs 95footnote:f[Half for *staff*.] euros. Onlyfootnote:[In cash [coins].] here.\n\nAgainfootnote:f[].",
        "It costs 95 euros. Only here.\nHalf for staff.\nIn cash [coins].\nAgain.\nHalf for staff.",
    ),
    (
        "raw HTML is closed, macros are read",
        "++++\n<div><b>Raw\n++++\n\nPress kbd:[Ctrl+S], menu:File[Save], stem:[x^2], image:plan.png[Plan], ((index)) and (((none))).\n\nimage::plan.png[Plan]\n\ntoc::[]\n\n'''\n\nEnd +\nof line.",
        "Raw\nPress Ctrl+S, File > Save, x^2, , index and .\nEnd⏎of line.",
    ),
    (
        "a picture that says a sentence",
        "image::plan.png[The desk is left of the fourth gate,200]\n\n.Site plan\nimage::plan.png[]\n\nEnd.",
        "The desk is left of the fourth gate\nSite plan\nEnd.",
    ),
    (
        "numbered sections, and levels that are moved",
        ":sectnums:\n\n== One\n\nA.\n\n=== Two\n\nB.\n\n:sectnums!:\n:leveloffset: +1\n\n== Three\n\nC.",
        "## 1. One\nA.\n### 1.1. Two\nB.\n### Three\nC.",
    ),
    ("a block that nothing closes", "== A\n\n----\ncode\n\n== B", "## A\n` code⏎⏎== B"),
    ("a line of marks that are none", "C++ and a_b +\n* x", "C++ and a_b⏎* x"),
    (
        "numbers of lists",
        ". first\n.. deeper\n. second\n\nThen\n\n[start=4]\n. fourth",
        "- 1. first\n- a. deeper\n- 2. second\nThen\n- 4. fourth",
    ),
];

#[test]
fn pages_are_read_as_asciidoctor_shows_them() {
    let mut wrong = Vec::new();
    for (name, source, expected) in PAGES {
        let found = shown(&read(source).documents[0]);
        // Some parts of lists are told only by their beginning.
        let is_list = name.starts_with("lists") || *name == "terms";
        let is_right = if is_list { found.starts_with(expected) } else { found == *expected };
        if !is_right {
            wrong.push(format!("{name}:\n{found}\n"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.concat());
}

#[test]
fn lists_are_read_whole() {
    let found = shown(&read(PAGES[4].1).documents[0]);
    for words in [
        "four", "A paragraph.", "` code", "1. first", "2. second", "` x\n", "Runs it.", "4. fourth",
    ] {
        assert!(found.contains(words), "{words}: {found}");
    }
    let found = shown(&read(PAGES[5].1).documents[0]);
    for words in
        ["CP: The same.", "More.", "Module: A course.", "Nested: Below.", "What is due?", "A form."]
    {
        assert!(found.contains(words), "{words}: {found}");
    }
}

#[test]
fn a_page_says_what_it_is() {
    let source = "---\nlink: https://www.example.edu/exams\n---\n= Exam rules\nAnn Example <ann@example.edu>; Bo Example\nv1.2, 2026-01-07\n:lang: en\n:page-type: academic\n\nWords.";
    let reading = read(source);
    let document = &reading.documents[0];
    assert_eq!(document.title, "Exam rules");
    assert_eq!(document.link.as_deref(), Some("https://www.example.edu/exams"));
    let metadata = &document.metadata;
    for (name, value) in [
        ("author", "Ann Example, Bo Example"),
        ("date", "2026-01-07"),
        ("version", "1.2"),
        ("language", "en"),
        ("type", "academic"),
    ] {
        assert_eq!(metadata[name], value, "{name}: {metadata:?}");
    }
    assert_eq!(read("Just words.").documents[0].title, "Exam rules", "by the file's name");
}

#[test]
fn anchors_are_those_of_asciidoctor() {
    let document = read("== Fees & rooms-2\n\nA.\n\n[#own]\n== B\n\nB.\n\n:idprefix:\n:idseparator: -\n\n== Late fees\n\nC.").documents.remove(0);
    let anchors: Vec<_> =
        document.sections.iter().filter_map(|section| section.anchor.as_deref()).collect();
    assert_eq!(anchors, ["_fees_rooms_2", "own", "late-fees"]);
}

#[test]
fn what_is_left_out_is_told() {
    let reading = read(
        "A [.line-through]#EUR 4#\n\n// hidden\n\ninclude::gone.adoc[]\n\nlink:javascript:alert(1)[x]",
    );
    let told: String = reading.findings.iter().map(ToString::to_string).collect();
    for words in ["EUR 4", "1 comment", "1 template tag", "javascript"] {
        assert!(told.contains(words), "{words}: {told}");
    }
}

/// Pages without end marks, deep and long ones: each is read in time.
#[test]
fn time_grows_with_the_page_alone() {
    let fences: String =
        (4..3_000).map(|length| format!("{}\n", "=".repeat(length % 400 + 4))).collect();
    let grows: String =
        (1..200).map(|n| format!(":a{n}: {{a{}}}{{a{}}}\n", n - 1, n - 1)).collect();
    let deep: String = (0..5_000).map(|n| format!("{} x\n", "*".repeat(n % 6 + 1))).collect();
    let pages = [
        "*a _b `c ".repeat(20_000),
        "footnote:[a ".repeat(20_000),
        "<<a ((b [[c [d ".repeat(10_000),
        "link:a[".repeat(20_000),
        "|===\n".repeat(20_000),
        format!("|===\n{}", "1000+|a 999*|b ".repeat(500)),
        format!(":a0: xxxxxxxxxx\n{grows}\n{}", "{a199}".repeat(1_000)),
        "a::\nb::\n+\n--\n".repeat(5_000),
        "ifdef::a[]\n".repeat(50_000),
        "++++\n<div>\n".repeat(10_000),
        "= a\n[[b]]\n".repeat(20_000),
        fences,
        deep,
    ];
    for page in pages {
        let read = || read_bytes("a.adoc", page.as_bytes(), &IngestOptions::default());
        let effort = campanile_test_data::effort(|| drop(read()));
        assert!(effort.as_secs() < 20, "{page:.40}: {effort:?}");
    }
}

proptest! {
    #[test]
    fn any_page_is_read(source in "(\\*|_|`|#|\\||=|-|\\+|\\[|\\]|<|>|:|::|\\{a\\}|\\|===|----|====|footnote:|xref:|== |\\. |[a-zé ]|\n){0,80}") {
        prop_assert!(read_bytes("a.adoc", source.as_bytes(), &IngestOptions::default()).is_ok(), "{source}");
    }
}
