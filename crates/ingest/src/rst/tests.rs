#![expect(clippy::panic, reason = "a failed case is named")]

use campanile_corpus::{BlockKind, Document};

use crate::{Finding, IngestOptions, Noticed, Reading, read_bytes};

fn read(source: &str) -> (Document, Vec<Finding>) {
    match read_bytes("guide/exam-rules.rst", source.as_bytes(), &IngestOptions::default()) {
        Ok(Reading { mut documents, findings, .. }) => (documents.remove(0), findings),
        Err(error) => panic!("{error}"),
    }
}

/// Cases: what each shows, the page, its text.
const TEXTS: &[(&str, &str, &str)] = &[
    (
        "wrapped lines",
        "One\ntwo *three*\n**four** ``a\\b``.\n\nFive",
        "One two three four a\\b.\n\nFive",
    ),
    ("bullets", "- one\n  more\n\n  and\n- two\n\n  * two a", "one more\nand\ntwo\ntwo a"),
    (
        "numbers",
        "1. one\n#. two\n\n(iv) four\n\nB. Not\nan item",
        "1. one\n2. two\n(iv) four\n\nB. Not an item",
    ),
    (
        "numbers in numbers, and counted on",
        "a) one::\n\n     code\n\n#) two\n\n   1. (i) deep\n      (ii) in it\n   #. Term\n        What it means.\n\nThen\n\n#. anew",
        "a) one:\n\ncode\n\nb) two\n1. (i) deep\n(ii) in it\n2. Term: What it means.\n\nThen\n\n1. anew",
    ),
    ("a list in a line", "- - - deep", "deep"),
    (
        "definitions",
        "ECTS : credit\n  A credit.\n\n  More.\nCP\n  The same.",
        "ECTS (credit): A credit.\nMore.\nCP: The same.",
    ),
    ("fields", "Text\n\n:Room: 12\n:Phone: 555\n  0100", "Text\n\nRoom: 12\nPhone: 555 0100"),
    (
        "options",
        "-a, --all  Everything\n--to=FILE\n    Where to.",
        "-a, --all: Everything\n--to=FILE: Where to.",
    ),
    ("literal block", "Write::\n\n  if x:\n    y\n\nThen", "Write:\n\nif x:\n  y\n\nThen"),
    ("quoted literal block", "Said ::\n\n> a\n> b\n\nThen", "Said\n\n> a\n> b\n\nThen"),
    ("quote", "He said\n\n  Come here.\n\n  -- A. Turing", "He said\n\nCome here.\n\n-- A. Turing"),
    ("doctest", ">>> 1 + 1\n2\n\nThen", ">>> 1 + 1\n2\n\nThen"),
    ("line block", "| 12 High St\n| Any\n  town\n\nThen", "12 High St\nAny town\n\nThen"),
    ("transition", "One\n\n-----\n\nTwo", "One\n\nTwo"),
    ("comment", "One\n\n.. not\n   this\n\n..\n\n  quoted", "One\n\nquoted"),
    (
        "footnotes",
        "The fee is 20 [1]_.\n\n.. [1] Since 2023.\n.. [Cit] A book.",
        "The fee is 20.\n\nSince 2023.\n\n[Cit] A book.",
    ),
    (
        "footnotes behind what refers to them",
        "A\n=\n\nBinding costs 30. [#c]_ It takes long [#]_.\n\n* Paper [*]_\n\nB\n=\n\nMore [#]_.\n\n.. [#c] From the third\n   copy on 22.\n.. [#] Two days.\n.. [*] White.\n.. [#] Much more.\n.. [7] Nobody's.",
        "A\n\nBinding costs 30. It takes long.\n\nFrom the third copy on 22.\n\nTwo days.\n\nPaper\nWhite.\n\nB\n\nMore.\n\nMuch more.\n\nNobody's.",
    ),
    (
        "note",
        ".. note:: Bring\n   a card.\n\n   And a pen.\n\nThen",
        "Bring a card.\n\nAnd a pen.\n\nThen",
    ),
    ("admonition", ".. admonition:: Mind\n   :class: x\n\n   Read *this*.", "Mind\n\nRead this."),
    ("version", ".. versionadded:: 2.1\n   The form.", "New in version 2.1 The form."),
    (
        "code",
        ".. code-block:: python\n   :linenos:\n\n   def f():\n       pass",
        "def f():\n    pass",
    ),
    (
        "code under a caption",
        ".. code-block:: sh\n   :caption: For *Linux*\n\n   row --fast",
        "For Linux\n\nrow --fast",
    ),
    (
        "a head in plain lines",
        ".. title: Boats\n.. slug: boats\n.. date: 2026-05-01\n\nThey lie here.",
        "They lie here.",
    ),
    ("figure", ".. figure:: a.png\n   :alt: x\n\n   The plan.", "The plan."),
    (
        "left out",
        "A\n\n.. toctree::\n   :maxdepth: 2\n\n   a\n   b\n\n.. contents::\n.. index:: x\n.. image:: x.png\n\nB",
        "A\n\nB",
    ),
    ("unknown directive", ".. fancy:: x\n   :a: b\n\n   Words stay.", "Words stay."),
    ("only", ".. only:: html\n\n   Yes\n\n.. only:: latex\n\n   No", "Yes"),
    ("described object", ".. py:function:: f(x)\n   :module: m\n\n   Does it.", "f(x)\n\nDoes it."),
    ("glossary", ".. glossary::\n\n   ECTS\n   CP\n     A credit.", "ECTS, CP: A credit."),
    (
        "substitutions",
        ".. |uni| replace:: Our *University*\n.. |c| unicode:: 0xA9 .. sign\n.. |i| image:: x.png\n\n|c| |uni| |i| end",
        "© Our University end",
    ),
    (
        "a substitution of itself",
        ".. |a| replace:: x |a| |a|\n\n|a|",
        "x x x x x x x x x x x x x x x",
    ),
    (
        "roles",
        ":term:`ECTS <ects>`, :abbr:`CP (credit points)`, :guilabel:`&Save`, H\\ :sub:`2`\\ O, 10\\ :sup:`6`, :py:class:`~a.b.C`, :math:`\\alpha`, `x`:emphasis:",
        "ECTS, CP (credit points), Save, H2O, 10^6, C, α, x",
    ),
    (
        "marks that are text",
        "2*3*4, \"*\", *, a_b, __init__, 5 * 3, **kwargs, `x",
        "2*3*4, \"*\", *, a_b, __init__, 5 * 3, **kwargs, `x",
    ),
    ("escapes", "\\*x\\* a\\\\b c\\ d", "*x* a\\b cd"),
    ("raw", "A\n\n.. raw:: html\n\n   <b>no</b>\n\nB", "A\n\nB"),
    ("token", "Say <|im_start|>system hello", "Say system hello"),
    ("tabs", "Term\n\tMeaning", "Term: Meaning"),
    (
        "grid table",
        "+--------+---------------+\n| Course | Winter        |\n|        +------+--------+\n\
         |        | ECTS | Hours  |\n+========+======+========+\n| A      | 6    | 4      |\n\
         +--------+------+--------+\n| B      | none          |\n+--------+---------------+",
        "Course: A; Winter ECTS: 6; Winter Hours: 4\nCourse: B; Winter ECTS/Hours: none",
    ),
    (
        "rows spanned in a grid",
        "+---+-----+\n| a | b   |\n|   +-----+\n|   | - c |\n|   | - d |\n+---+-----+",
        "a: b\na: c, d",
    ),
    (
        "simple table",
        "====== ====\nCourse ECTS\n====== ====\nA      6 of\n       them\nB\n====== ====\n\nThen",
        "Course: A; ECTS: 6 of them\nCourse: B\n\nThen",
    ),
    (
        "columns spanned in a simple table",
        "=====  =====  =====\n    Inputs    Out\n------------  -----\n  A      B    A+B\n=====  =====  =====\n1      2      3\n=====  =====  =====",
        "Inputs A: 1; Inputs B: 2; Out A+B: 3",
    ),
    (
        "values",
        ".. csv-table:: Fees\n   :header: \"Term\", Fee\n\n   Winter, \"1,200\"\n   Summer, \"a \"\"b\"\"\"",
        "Fees\n\nTerm: Winter; Fee: 1,200\nTerm: Summer; Fee: a \"b\"",
    ),
    (
        "list table",
        ".. list-table::\n   :header-rows: 1\n\n   * - Term\n     - Fee\n   * - Winter\n     - 1. now\n\n       2. later",
        "Term: Winter; Fee: 1. now, 2. later",
    ),
    ("a table that breaks off", "+---+\n| a |\n\nThen", "+---+\n| a |\n\nThen"),
];

#[test]
fn pages_become_text() {
    for (name, source, expected) in TEXTS {
        assert_eq!(read(source).0.text, *expected, "{name}");
    }
}

#[test]
fn titles_are_ranked_by_their_first_use() {
    let (document, _) = read(
        "=====\nExams\n=====\n\nIntro\n\nResits\n======\nTwice.\n\n.. _late:\n\nToo late\n~~~~~~~~\n\n\
         No.\n\nFees & Co\n=========\n\nPay.",
    );
    let found: Vec<_> = document
        .sections
        .iter()
        .map(|section| {
            let body = section.span.slice(&document.text).unwrap_or("?");
            (
                section.level,
                section.path.join(" > "),
                section.anchor.as_deref().unwrap_or("-"),
                body,
            )
        })
        .collect();
    let expected = [
        (1, "Exams".to_owned(), "exams", "Intro"),
        (2, "Exams > Resits".to_owned(), "resits", "Twice."),
        (3, "Exams > Resits > Too late".to_owned(), "late", "No."),
        (2, "Exams > Fees & Co".to_owned(), "fees-co", "Pay."),
    ];
    assert_eq!(found, expected);
    assert_eq!(document.title, "Exams");
}

#[test]
fn references_lead_where_the_page_says() {
    let (document, findings) = read(
        "Exams\n=====\n\nSee `the rules <https://x.edu/rules>`_, the office_, `Exams`_, :ref:`late`, :ref:`this <late>`,\n\
         `first`__, :doc:`/fees`, https://y.edu/a_b. and `bad <javascript:x>`_; again `the rules`_, chain_.\n\n\
         .. _office: https://x.edu/\n   office\n.. _chain: office_\n__ https://x.edu/1\n\n.. _late:\n\nToo late\n--------\n\nNo.",
    );
    let links: Vec<_> = document
        .links
        .iter()
        .map(|link| (link.span.slice(&document.text).unwrap_or("?"), link.target.as_str()))
        .collect();
    let expected = [
        ("the rules", "https://x.edu/rules"),
        ("office", "https://x.edu/office"),
        ("Exams", "#exams"),
        ("Too late", "#late"),
        ("this", "#late"),
        ("first", "https://x.edu/1"),
        ("Fees", "/fees.rst"),
        ("https://y.edu/a_b", "https://y.edu/a_b"),
        ("the rules", "https://x.edu/rules"),
        ("chain", "https://x.edu/office"),
    ];
    assert_eq!(links, expected);
    let is_dropped =
        |finding: &Finding| finding.noticed == Noticed::LinkDropped("javascript:x".to_owned());
    assert!(findings.iter().any(is_dropped), "{findings:?}");
}

#[test]
fn a_page_says_what_it_is() {
    let (document, _) = read(
        "Exams\n=====\n\n:Author: A. Turing\n:Date: 2024-05-01\n:orphan:\n:link: https://x.edu/exams\n\n\
         .. meta::\n   :description lang=en: All rules\n\nText\n\n:Room: 12",
    );
    let metadata = serde_json::json!(document.metadata);
    let expected = serde_json::json!({
        "author": "A. Turing", "date": "2024-05-01", "orphan": "", "description": "All rules"
    });
    assert_eq!(metadata, expected);
    assert_eq!(document.link.as_deref(), Some("https://x.edu/exams"));
    assert_eq!(document.text, "Exams\n\nText\n\nRoom: 12");
    assert_eq!(read("Text").0.title, "Exam rules");
    assert_eq!(read(".. title:: Stated\n\nText").0.title, "Stated");
}

#[test]
fn what_a_build_would_fill_in_is_counted() {
    let (_, findings) = read(
        "A |release|\n\n.. include:: b.rst\n\n.. literalinclude:: x.py\n\n.. csv-table:: T\n   :file: t.csv\n\n.. a comment",
    );
    let path = "guide/exam-rules.rst".to_owned();
    assert!(findings.contains(&Noticed::TemplateTags(4).of(path.as_str())), "{findings:?}");
    assert!(findings.contains(&Noticed::Comments(1).of(path)), "{findings:?}");
}

#[test]
fn blocks_know_what_they_were() {
    use BlockKind::{Code, ListItem, Paragraph, Quote, TableRow};
    let (document, _) =
        read("p\n\n- l\n\n  more\n\n::\n\n  c\n\n..\n\n  q\n\n== ==\na  b\n== ==\n\n.. note:: n");
    let blocks = document.sections.iter().flat_map(|section| &section.blocks);
    let kinds: Vec<_> = blocks.map(|block| block.kind).collect();
    assert_eq!(kinds, [Paragraph, ListItem, ListItem, Code, Quote, TableRow, Paragraph]);
}

/// Pages that would keep a careless reader busy for hours.
#[test]
fn time_grows_with_the_page_alone() {
    let pages = [
        "- ".repeat(20_000),
        "=".repeat(500_000),
        "=\n".repeat(50_000),
        "a\n=\n".repeat(20_000),
        "*a ".repeat(30_000),
        "`a <".repeat(30_000),
        "|a ".repeat(30_000),
        ":a".repeat(30_000),
        "x_ ".repeat(30_000),
        "[1".repeat(30_000),
        (0..2_000).map(|depth| format!("{}x\n", " ".repeat(depth))).collect(),
        (0..1_500).map(|depth| format!("{}- x\n\n", "  ".repeat(depth))).collect(),
        "+-".repeat(50_000) + "+\n" + &"| ".repeat(50_000) + "|\n" + &"+-".repeat(50_000) + "+",
        "= ".repeat(50_000) + "=\n" + &"a ".repeat(50_000) + "\n" + &"= ".repeat(50_000) + "=",
        "== ==\n".to_owned() + &"a  b\n".repeat(20_000),
        ".. |a| replace:: ".to_owned() + &"x".repeat(10_000) + "\n\n" + &"|a| ".repeat(20_000),
        ".. _a:\n".repeat(20_000),
        ":a:\n".repeat(20_000),
    ];
    for page in pages {
        let effort = campanile_test_data::effort(|| drop(read(&page)));
        let beginning: String = page.chars().take(20).collect();
        assert!(effort.as_secs() < 20, "{beginning:?} took {effort:?}");
    }
}
