#![expect(clippy::unwrap_used, reason = "a test may fail")]

use proptest::prelude::*;

use super::NoiseReason::{Bibliography, Citations, Contents, PageFurniture, Symbols};
use super::*;
use crate::Link;
use crate::samples::{any_document, document};

fn found(document: &Document, options: &QualityOptions) -> Vec<(NoiseReason, String)> {
    let boilerplate = Boilerplate::of([document]);
    noise(document, &boilerplate, options).into_iter().map(|d| (d.reason, d.excerpt)).collect()
}

/// A case: what it shows, the document, and what is dropped of it: the reason and the line, from 0.
type Case = (&'static str, &'static str, &'static [(NoiseReason, usize)]);

const CASES: &[Case] = &[
    ("skip links", "Skip to main content\nWelcome to us.", &[(PageFurniture, 0)]),
    ("menus", "Home | About | Contact\nHome\nContact us", &[(PageFurniture, 0)]),
    (
        "a menu with us",
        "About us\nContact us | Home\nAbout us | Contact us",
        &[(PageFurniture, 1), (PageFurniture, 2)],
    ),
    ("a menu with a name", "Home | Library | Contact", &[]),
    (
        "page numbers",
        "Page 3 of 10\nSeite 3 von 10\nSee page 3 of 10 pages.",
        &[(PageFurniture, 0), (PageFurniture, 1)],
    ),
    (
        "running heads are kept once",
        "Revised: 28 July 2023 Page 1 of 3\nText.\nRevised: 28 July 2023 Page 2 of 3",
        &[(PageFurniture, 2)],
    ),
    (
        "cookie notices",
        "We use cookies. By continuing you agree.\nWe use cookies in the kitchen.",
        &[(PageFurniture, 0)],
    ),
    (
        "a bibliography",
        "# References\nMeyer, J. (2019). On x. Journal of Y, vol. 3.\nLi, K. (2020). On z. Proc. of the Conference W, pp. 3.\nOde, A. (2021). On q. ACM Press.\nSee also the rest.",
        &[(Bibliography, 1), (Bibliography, 2), (Bibliography, 3), (Bibliography, 4)],
    ),
    (
        "references that are rules",
        "# References\n- 5 U.S.C. 2301\n- Travel policy\n- Leave policy",
        &[],
    ),
    (
        "publications stay",
        "# Publications\nMeyer, J. et al. (2019). On x. Journal of Y, vol. 3.",
        &[],
    ),
    (
        "signs",
        "* * * * * * * *\n%& $§ ?= x #; ~* +/\nC++ & C#\n(+49) 951/863-0\n| --: --: --: --",
        &[(Symbols, 0), (Symbols, 1)],
    ),
    (
        "contents",
        "Admission ....... 3\nExams . . . . . 3\nFees ……… 12\nThe fees are due.",
        &[(Contents, 0), (Contents, 1), (Contents, 2)],
    ),
    (
        "contents on one line",
        "Admission ....... 3 Exams ....... 4 Fees ....... 12",
        &[(Contents, 0)],
    ),
    ("prices", "Card ....... 30\nForm ....... 5\nPen ....... 2", &[]),
    ("forms", "Name .........\nDate .........\nPlace .........", &[]),
];

#[test]
fn noise_is_told_from_content() {
    for (name, source, expected) in CASES {
        let document = document("T", source);
        let lines: Vec<_> = document.text.lines().collect();
        let expected: Vec<_> =
            expected.iter().map(|(reason, line)| (*reason, lines[*line].to_owned())).collect();
        assert_eq!(found(&document, &QualityOptions::default()), expected, "{name}");
    }
}

#[test]
fn every_rule_can_be_switched() {
    let off = QualityOptions {
        page_furniture: false,
        bibliographies: false,
        citations: false,
        symbols: false,
        repeated: false,
        contents: false,
        ..QualityOptions::default()
    };
    for (name, source, _) in CASES {
        assert_eq!(found(&document("T", source), &off), [], "{name}");
    }
    let citations = QualityOptions { citations: true, ..off };
    let publication = "# Publications\nMeyer, J. et al. (2019). On x. Journal of Y, vol. 3.";
    let found = found(&document("T", publication), &citations);
    assert_eq!(found.iter().map(|(reason, _)| *reason).collect::<Vec<_>>(), [Citations]);
}

#[test]
fn a_line_is_dropped_from_the_block_around_it() {
    let mut document = document("T", "One\nPage 3 of 10\nTwo");
    let section = &mut document.sections[0];
    let whole = section.blocks[0].span.joined(section.blocks[2].span);
    section.blocks = vec![crate::Block { kind: crate::BlockKind::Paragraph, span: whole }];
    let dropped = noise(&document, &Boilerplate::default(), &QualityOptions::default());
    let cut = without_noise(&document, &dropped);
    assert_eq!(cut.sections[0].blocks[0].span.slice(&cut.text), Some("One\nTwo"));
}

#[test]
fn a_page_about_cookies_keeps_its_words() {
    let notice = "We use cookies. By continuing you agree.";
    assert_eq!(found(&document("Cookie policy", notice), &QualityOptions::default()), []);
}

#[test]
fn footers_are_kept_in_one_document() {
    let page = |number: usize| {
        let source = format!(
            "Page about topic {number}\nWritten exam\nMore.\nMore still.\nAnd more.\nEnd.\n© 2024 The University"
        );
        let mut page = document(&format!("T{number}"), &source);
        page.path = format!("{number:02}.md");
        page
    };
    let pages: Vec<_> = (0..10).map(page).collect();
    let boilerplate = Boilerplate::of(&pages);
    let options = QualityOptions { repeated_percent: 100, ..QualityOptions::default() };
    for (number, page) in pages.iter().enumerate() {
        let found = noise(page, &boilerplate, &options);
        let footers = found.iter().filter(|dropped| dropped.excerpt.starts_with('©')).count();
        assert_eq!(footers, usize::from(number > 0), "{found:?}");
        assert!(found.iter().all(|dropped| dropped.reason == NoiseReason::Repeated));
    }
    let few = Boilerplate::of(&pages[..7]);
    assert_eq!(noise(&pages[3], &few, &options), [], "too few documents to tell");
}

#[test]
fn a_document_is_cut_and_measured_anew() {
    let source = "# Fees\nSkip to content\nAll pay.\n# Empty\nBack to top\n# End\nMost pay.";
    let mut document = document("T", source);
    let place = document.text.find("Most").unwrap();
    let target = "x".to_owned();
    document.links.push(Link { span: Span::from_range(place..place + 4), target: target.clone() });
    document.links.push(Link { span: Span::new(5, 9), target });
    let lines = vec![crate::TableLine { row: 0, span: Span::from_range(place..place + 9) }];
    document.tables.push(crate::Table { lines, ..crate::Table::default() });
    document.pages.push(crate::Page { number: 1, label: None, span: Span::from_range(0..place) });
    let dropped = noise(&document, &Boilerplate::default(), &QualityOptions::default());
    assert_eq!(dropped.len(), 2);
    let cut = without_noise(&document, &dropped);
    assert_eq!(cut.text, "Fees\nAll pay.\nEmpty\nEnd\nMost pay.");
    let bodies: Vec<_> = cut.sections.iter().map(|s| s.span.slice(&cut.text).unwrap()).collect();
    assert_eq!(bodies, ["", "All pay.", "", "Most pay."]);
    assert_eq!(cut.links.len(), 1);
    assert_eq!(cut.links[0].span.slice(&cut.text), Some("Most"));
    assert_eq!(cut.tables[0].span().slice(&cut.text), Some("Most pay."));
    assert_eq!(cut.pages[0].span.slice(&cut.text), Some("Fees\nAll pay.\nEmpty\nEnd\n"));
    assert_eq!(without_noise(&cut, &dropped_elsewhere(&dropped)), cut);
}

#[test]
fn a_block_that_begins_with_white_space_stays_in_its_section() {
    let document = document("T", "a.\n .\nb. ");
    let first = document.sections[0].blocks[0].span;
    let dropped = Dropped {
        document: document.path.clone(),
        span: first,
        reason: Symbols,
        excerpt: String::new(),
    };
    let cut = without_noise(&document, &[dropped]);
    let section = &cut.sections[0];
    assert_eq!(section.blocks.len(), 2);
    assert!(section.blocks.iter().all(|block| section.span.contains(block.span)), "{section:?}");
}

fn dropped_elsewhere(dropped: &[Dropped]) -> Vec<Dropped> {
    let elsewhere = |dropped: &Dropped| Dropped { document: "other.md".into(), ..dropped.clone() };
    dropped.iter().map(elsewhere).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn what_is_not_dropped_stays(document in any_document(), picks in any::<u64>()) {
        let blocks = || document.sections.iter().flat_map(|section| &section.blocks);
        let is_picked = |index: usize| picks >> (index % 64) & 1 == 1;
        let dropped: Vec<_> = blocks()
            .enumerate()
            .filter(|(index, block)| is_picked(*index) && !block.span.is_empty())
            .map(|(_, block)| Dropped {
                document: document.path.clone(),
                span: block.span,
                reason: Symbols,
                excerpt: String::new(),
            })
            .collect();
        let cut = without_noise(&document, &dropped);
        let texts = |document: &Document, all: bool| -> Vec<String> {
            let blocks = document.sections.iter().flat_map(|section| &section.blocks);
            blocks
                .filter(|block| all || !dropped.iter().any(|dropped| dropped.span == block.span))
                .map(|block| block.span.slice(&document.text).unwrap().to_owned())
                .collect()
        };
        prop_assert_eq!(texts(&cut, true), texts(&document, false));
        let mut end = 0;
        for section in &cut.sections {
            prop_assert!(section.span.start >= end);
            for block in &section.blocks {
                prop_assert!(section.span.contains(block.span), "{section:?}");
            }
            end = section.span.end;
        }
    }

    #[test]
    fn noise_lies_in_the_text(document in any_document()) {
        for dropped in noise(&document, &Boilerplate::of([&document]), &QualityOptions::default()) {
            let text = dropped.span.slice(&document.text).unwrap();
            prop_assert!(text.starts_with(dropped.excerpt.trim_end_matches('…')));
        }
    }
}
