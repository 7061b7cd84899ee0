//! Answers of the sample campus take the form that their questions ask for, in the command's words and in JSON.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use support::{Run, SharedFolder, build, campanile, campanile_reading, root, shared_folder, text};

/// Built once for all tests. Whatever is answered is sure in it: a headline has to be earned, and what is tested here is which
/// form it takes, by keywords alone.
static SITE: LazyLock<SharedFolder> = LazyLock::new(|| {
    shared_folder("forms", || {
        let site = build(&root().join("samples/campus"), 0).0;
        let path = site.path().join("campanile.json");
        let mut manifest: serde_json::Value =
            serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        let calibration = &mut manifest["calibration"];
        calibration["sure_from"] = calibration["refuse_below"].clone();
        // Nothing is waited for: without a reader the sentence that is nearest answers.
        manifest.as_object_mut().unwrap().remove("reader");
        fs::write(&path, manifest.to_string()).unwrap();
        site
    })
});

/// By keywords alone: what answers is the same on every machine.
fn ask(question: &str, flags: &[&str]) -> Run {
    let fixed = ["ask", text(SITE.path()), question, "--mode", "lexical", "--today", "2026-11-20"];
    campanile(&[&fixed, flags].concat()).expect_code(0)
}

/// A question, the kind of its answer's form, and each part: its name, its value and how its words begin.
type Case = (&'static str, &'static str, &'static [(&'static str, &'static str, &'static str)]);

const CASES: &[Case] = &[
    (
        "Until when can I register for the January examinations?",
        "date",
        &[("", "2026-12-04T12:00", "Friday 4 December 2026 at 12:00")],
    ),
    (
        "When is the resit period in 2027?",
        "date_range",
        &[("", "2027-08-23", "23 August"), ("", "2027-09-03", "3 September 2027")],
    ),
    (
        "When is the spring break?",
        "date_range",
        &[("", "2027-03-22", "22 March 2027"), ("", "2027-04-02", "2 April 2027")],
    ),
    ("What does late examination registration cost?", "amount", &[("", "", "€25")]),
    (
        "How many ECTS do I need before I can register a bachelor's thesis in Water Engineering?",
        "amount",
        &[("", "", "135 ECTS")],
    ),
    (
        "How do I borrow an instrument?",
        "steps",
        &[
            ("1.", "", "Reserve the instrument in the calendar"),
            ("2.", "", "Bring your student card and the deposit."),
            ("3.", "", "Have the instrument explained to you, and sign the sheet."),
        ],
    ),
    (
        "What do I have to hand in for an exchange?",
        "list",
        &[
            ("1.", "", "The form \"Exchange application\""),
            ("2.", "", "A transcript."),
            ("3.", "", "A letter of motivation"),
            ("4.", "", "The language certificate."),
            ("5.", "", "A draft of the learning agreement."),
        ],
    ),
    (
        "May I use AI tools in WEN230?",
        "permission",
        &[
            ("", "conditional", "AI tools may not be used in this module"),
            ("", "", "except to check the spelling of slides"),
        ],
    ),
    (
        "How many items can I borrow from the library while I am writing a registered thesis?",
        "row",
        &[
            ("Who", "", "Students writing a registered thesis"),
            ("Items at one time", "", "40"),
            ("Loan period", "", "56 days"),
            ("Renewals", "", "3"),
        ],
    ),
];

#[test]
fn a_comparison_says_which_side_is_missing() {
    let reply = ask("Compare the cost of the field week and the excursion", &["--json"]).json();
    assert_eq!(reply["missing_side"], "excursion", "{reply:#}");
    assert_eq!(reply["answer"]["kind"], "possible_section");
    let told = ask("Compare the cost of the field week and the excursion", &[]).stdout;
    let missing = "No passage near it is about \"excursion\".";
    assert!(told.contains("EUR 140") && told.contains(missing), "{told}");
}

#[test]
fn answers_of_the_sample_campus_take_their_forms() {
    for (question, kind, parts) in CASES {
        let reply = ask(question, &["--json"]).json();
        let form = &reply["form"];
        assert_eq!(form["kind"], *kind, "{question}: {form}");
        let found = form["parts"].as_array().unwrap();
        assert_eq!(found.len(), parts.len(), "{question}: {form}");
        for (part, (name, value, begin)) in found.iter().zip(*parts) {
            let number = usize::try_from(part["source"].as_u64().unwrap()).unwrap();
            let whole = reply["sources"][number - 1]["text"].as_str().unwrap();
            let at = |end: &str| usize::try_from(part["span"][end].as_u64().unwrap()).unwrap();
            let words = &whole[at("start")..at("end")];
            assert!(words.starts_with(begin), "{question}: {words:?}");
            assert_eq!(part["name"].as_str().unwrap_or_default(), *name, "{question}");
            assert_eq!(part["value"].as_str().unwrap_or_default(), *value, "{question}");
        }
    }
}

#[test]
fn what_fits_no_form_has_none() {
    for question in [
        // A refusal, a person, and a sentence about something else than what is asked for.
        "How much does a parking permit for students cost?",
        "Who is the exchange coordinator?",
        "Can I pay for the field week with a grant, and how much can that grant be?",
    ] {
        assert_eq!(
            ask(question, &["--json"]).json()["form"],
            serde_json::Value::Null,
            "{question}"
        );
    }
}

#[test]
fn the_terminal_shows_the_form_under_the_answer() {
    let cases = [
        (
            "Until when can I register for the January examinations?",
            "Date: Friday 4 December 2026 at 12:00 (2026-12-04T12:00) [1]\n",
        ),
        (
            "When is the resit period in 2027?",
            "Dates: from 23 August (2027-08-23) to 3 September 2027 (2027-09-03) [1]\n",
        ),
        ("What does late examination registration cost?", "Amount: €25 [1]\n"),
        (
            "May I use AI tools in WEN230?",
            "It depends: except to check the spelling of slides [1]\n",
        ),
        (
            "How many items can I borrow from the library while I am writing a registered thesis?",
            "Items at one time: 40 [1]\n",
        ),
    ];
    for (question, line) in cases {
        let run = ask(question, &[]);
        assert!(run.stdout.contains(line), "no {line:?} in:\n{}", run.stdout);
    }
    let steps = ask("How do I borrow an instrument?", &[]).stdout;
    let place =
        |step: &str| steps.find(step).unwrap_or_else(|| unreachable!("{step:?} in {steps}"));
    assert!(place("\n1. Reserve the instrument") < place("\n2. Bring your student card"));
}

#[test]
fn steps_in_a_section_that_is_shown_whole_are_printed_once() {
    let site = build(&root().join("samples/campus"), 0).0;
    let question = "How do I register for an examination?";
    let arguments = ["ask", text(site.path()), question];
    let reply = campanile(&[&arguments[..], &["--json"]].concat()).expect_code(0).json();
    assert!(reply["answer"]["kind"].as_str().unwrap().ends_with("section"), "{reply}");
    assert_eq!(reply["form"]["kind"], "steps", "{reply}");

    let printed = campanile(&arguments).expect_code(0).stdout;
    let answer = printed.split("\n\n[1] ").next().unwrap();
    for step in
        ["Sign in to Gannet", "Choose the modules", "Check the conditions", "Press “Register”"]
    {
        assert_eq!(answer.matches(step).count(), 1, "{step} in:\n{answer}");
    }
}

#[test]
fn a_headline_is_earned() {
    let site = build(&root().join("samples/campus"), 0).0;
    let question = "Until when can I register for the January examinations?";
    let asked = |site: &Path| {
        campanile(&["ask", text(site), question, "--mode", "lexical", "--json"])
            .expect_code(0)
            .json()
    };
    let unsure = asked(site.path());
    assert_eq!(unsure["answer"]["kind"], "qualified", "{unsure}");
    assert_eq!(unsure["form"], serde_json::Value::Null);
    assert_eq!(asked(SITE.path())["form"]["kind"], "date");
}

/// Asks these questions one after the other.
fn converse(questions: &str, flags: &[&str]) -> Run {
    let fixed = ["ask", text(SITE.path()), "--mode", "lexical", "--today", "2026-11-20"];
    campanile_reading(&[&fixed, flags].concat(), questions).expect_code(0)
}

#[test]
fn in_a_conversation_a_question_may_point_back() {
    let questions =
        "When is the library open on Saturdays?\nAnd on Sundays?\nHow do I borrow an instrument?\n";
    let told = converse(questions, &["--conversation"]).stdout;
    assert_eq!(told.matches("Asked as:").count(), 1, "{told}");
    assert!(told.contains("Asked as: When is the library open on Sundays?\n"), "{told}");
    // Lines of a pipe are questions by themselves.
    let apart = converse(questions, &["--json"]).stdout;
    let asked: Vec<String> = apart
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .map(|reply| reply["question"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(asked, questions.lines().collect::<Vec<_>>());
    let together = converse(questions, &["--json", "--conversation"]).stdout;
    assert!(
        together.contains("\"question\":\"When is the library open on Sundays?\""),
        "{together}"
    );
}

#[test]
fn where_the_answer_depends_on_the_reader_there_is_a_choice() {
    let question = "Are AI tools allowed in the module?";
    let open = ask(question, &["--json"]).json();
    assert_eq!(open["choice"]["asks"], "course", "{open}");
    let options = open["choice"]["options"].as_array().unwrap();
    let values: Vec<&str> = options.iter().map(|it| it["value"].as_str().unwrap()).collect();
    assert!(values.contains(&"HYI520") && values.contains(&"WEN230"), "{values:?}");
    // Which of them is meant is not guessed.
    assert_eq!(open["form"], serde_json::Value::Null);
    let told = ask(question, &[]).stdout;
    assert!(told.contains("The answer depends on the course. For which one?\n"), "{told}");
    assert!(told.contains("HYI520: `--course \"HYI520\"`"), "{told}");

    let chosen = ask(question, &["--course", "HYI520", "--json"]).json();
    assert_eq!(chosen["choice"], serde_json::Value::Null);
    assert_eq!(chosen["form"]["parts"][0]["value"], "yes", "{}", chosen["form"]);
    assert_eq!(
        ask("May I use AI tools in WEN230?", &["--json"]).json()["choice"],
        serde_json::Value::Null
    );
}
