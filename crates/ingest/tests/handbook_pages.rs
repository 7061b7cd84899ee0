//! Places in real handbooks, where they are at hand: what a reader of the page sees there.
#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::path::Path;

use campanile_corpus::{Document, Section};
use campanile_ingest::read;

const TTS: &str = "gsa_tts_handbook/pages";
const CARPENTRIES: &str = "carpentries_docs/source";

/// A thing to be found in a document.
enum Holds {
    /// Under this path of headings, joined by ` > `, a block that begins with these words.
    Block(&'static str, &'static str),
    /// The anchor of the last heading of a path.
    Anchor(&'static str, &'static str),
    /// These words linked to this address.
    Link(&'static str, &'static str),
    Title(&'static str),
    /// A field and its value as JSON.
    Field(&'static str, &'static str),
}

use Holds::{Anchor, Block, Field, Link, Title};

const PLACES: &[(&str, &str, Holds)] = &[
    (TTS, "18f/chapters/account-manager.md", Title("Account Management at 18F")),
    (TTS, "18f/chapters/account-manager.md", Field("redirect_from", r#"["/account-manager/"]"#)),
    (
        TTS,
        "18f/how-18f-works/procurements-over-10000.md",
        Block(
            "Acquisition guide > 7. Award prep",
            "At this time, we should have an idea who provides the best value",
        ),
    ),
    (
        TTS,
        "18f/how-18f-works/procurements-over-10000.md",
        Link("FedBizOpps", "https://www.fbo.gov/"),
    ),
    (
        TTS,
        "18f/projects-partners/working-on-an-acquisition-engagement.md",
        Block(
            "Acquisition glossary",
            "Acquisition: Often used interchangeably with \"procurement,\"",
        ),
    ),
    (
        TTS,
        "about-us/centers-of-excellence/operations/internal-communications.md",
        Block(
            "Meetings > Recurring meetings > CoE-focused meetings",
            "Meeting: CoE weekly Management Update [Internal], Update on changes to CoE approach",
        ),
    ),
    (
        TTS,
        "general-information-and-resources/employee-resources-policies/benefits-links.md",
        Block("Benefits links", "Benefit: Thrift Savings Plan (TSP); Link: https://www.tsp.gov"),
    ),
    (
        TTS,
        "general-information-and-resources/employee-resources-policies/benefits-links.md",
        Field("keywords", r#""vacation,leave,loan""#),
    ),
    (
        TTS,
        "general-information-and-resources/new-york-city.md",
        Block("", "Location: One World Trade Center"),
    ),
    (
        TTS,
        "general-information-and-resources/tech-policies/security-incidents.md",
        Block(
            "For responders > Preventing future incidents",
            "If an incident involved exposing environment variables",
        ),
    ),
    (TTS, "getting-started/piv.md", Anchor("Use with a GSA Mac > PIV readers", "piv-readers")),
    (
        TTS,
        "getting-started/piv.md",
        Link("these instructions", "/getting-started/equipment/#lost-or-stolen-equipment"),
    ),
    (
        TTS,
        "tools/git-signing.md",
        Block(
            "2. Set up your keys for use > Set up your keys manually > macOS",
            "1. Open a terminal window",
        ),
    ),
    (TTS, "tools/git-signing.md", Link("add them manually", "#set-up-your-keys-manually")),
    (
        TTS,
        "training-and-development/working-groups-and-guilds-101.md",
        Block(
            "Guilds in TTS > Archived guilds",
            "Accessibility: We help TTS develop good, accessible products",
        ),
    ),
    (
        TTS,
        "travel-and-leave/travel-and-leave-policies/travel-guide-2-book-travel.md",
        Field("step_indicator", r#"{"current_step":2,"hide_steps":false}"#),
    ),
    (
        TTS,
        "travel-and-leave/travel-and-leave-policies/travel-guide-2-book-travel.md",
        Link(
            "Hotels",
            "/travel-and-leave/travel-and-leave-policies/travel-guide-faq/#book-lodging",
        ),
    ),
    (
        CARPENTRIES,
        "404.md",
        Block(
            "Page Not Found > This page may have moved.",
            "Please select a page from the side menu",
        ),
    ),
    (
        CARPENTRIES,
        "handbooks/instructor_trainers.md",
        Block(
            "Instructor Trainers Handbook > Step-by-Step Guides > Quarterly Scheduling Calendar",
            "For the period: Responses due by; 1 Jan - 31 Mar (Q1): 30 Nov",
        ),
    ),
    (
        CARPENTRIES,
        "policies/coc/coc-governance.md",
        Block(
            "Code of Conduct Committee Governance > Main duties of the position holders",
            "All members of the CoCc must read, understand and abide",
        ),
    ),
    (
        CARPENTRIES,
        "policies/coc/coc-governance.md",
        Link("guidelines for responding", "/policies/coc/enforcement-guidelines.md"),
    ),
    (
        CARPENTRIES,
        "resources/curriculum/curriculum-structure.md",
        Block(
            "Curriculum Structure",
            "Lesson Program: Library Carpentry; Curriculum: N/A; Lesson: The Unix Shell; Episode: Automating the tedious with loops",
        ),
    ),
    (
        CARPENTRIES,
        "resources/curriculum/lesson-programs.md",
        Block(
            "Lesson Programs > Lesson Program Incubation Roadmap > Phase 2: Incubation > 1. Policies and Processes",
            "Goal: to ensure compliance with existing Carpentries policies",
        ),
    ),
    (
        CARPENTRIES,
        "resources/general/taskforce.md",
        Anchor(
            "The Carpentries Task Force Guidelines > Task Force Operations",
            "task-force-operations",
        ),
    ),
    (CARPENTRIES, "resources/workshops/checklists.md", Title("Workshop Checklists")),
    (
        CARPENTRIES,
        "resources/workshops/workshop_needs.md",
        Block(
            "Workshop Needs > Equipment and Materials",
            "Power strips, as noted above, to ensure everyone's laptop stays charged",
        ),
    ),
];

#[test]
fn what_a_reader_of_the_page_sees_is_found() {
    let Some(data) = campanile_test_data::shared("") else { return };
    for (folder, file, expected) in PLACES {
        let reading = read(&data.join(folder), Path::new(file), &Default::default()).unwrap();
        let document = reading.documents.first().unwrap();
        assert!(holds(document, expected), "{folder}/{file}: {}", described(expected));
    }
}

fn holds(document: &Document, expected: &Holds) -> bool {
    let at = |path| sections(document, path);
    match expected {
        Block(path, words) => at(path).flat_map(|section| &section.blocks).any(|block| {
            block.span.slice(&document.text).is_some_and(|text| text.starts_with(words))
        }),
        Anchor(path, anchor) => at(path).any(|section| section.anchor.as_deref() == Some(anchor)),
        Link(words, target) => document
            .links
            .iter()
            .any(|link| link.target == *target && link.span.slice(&document.text) == Some(words)),
        Title(title) => document.title == *title,
        Field(name, value) => {
            let own = document.metadata.get(*name).map(ToString::to_string);
            own.as_deref() == Some(*value)
        }
    }
}

fn sections<'d>(document: &'d Document, path: &'d str) -> impl Iterator<Item = &'d Section> {
    document.sections.iter().filter(move |section| section.path.join(" > ") == path)
}

fn described(expected: &Holds) -> String {
    match expected {
        Block(path, words) => format!("under \"{path}\" the block \"{words}\""),
        Anchor(path, anchor) => format!("\"{path}\" at #{anchor}"),
        Link(words, target) => format!("\"{words}\" linked to {target}"),
        Title(title) => format!("the title \"{title}\""),
        Field(name, value) => format!("{name}: {value}"),
    }
}
