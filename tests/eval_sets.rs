//! `campanile eval init`, `import` and `agreement`: question sets, from a site and from elsewhere; `answers`: what sites reply
//! to them, judged.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use campanile_questions::{Category, Question, read_questions};
use serde_json::Value;
use support::{build, campanile, folder, text};
use tempfile::TempDir;

const DOCUMENTS: [(&str, &str); 3] = [
    (
        "fees.md",
        "# Fees\n\nAll fees are paid at the desk before the term begins.\n\n\
         | Item | Fee |\n|---|---|\n| Locker | 5 euros |\n| Key | 12 euros |\n",
    ),
    (
        "exams.md",
        "# Examinations\n\n## Registration\n\nRegistration for the January examinations closes on \
         Friday 4 December 2026 at 12:00. Late registration costs €25 for each examination.\n\n\
         ## Questions\n\nWrite to exams@example.edu for help with all of this.\n",
    ),
    (
        "courses.md",
        "# Courses\n\nA module is a unit of study with one examination.\n\nWEN320 carries 6 ECTS.\n\n\
         The flume laboratory has twelve places in each group.\n",
    ),
];

/// The site of the documents.
fn site() -> (TempDir, TempDir) {
    let docs = folder(&DOCUMENTS);
    let (site, _) = build(docs.path(), 0);
    (docs, site)
}

/// Runs the command with a text on its standard input.
fn typed(arguments: &[&str], input: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_campanile"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command runs");
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{stderr}");
    String::from_utf8(output.stdout).unwrap()
}

fn questions(path: &Path) -> Vec<Question> {
    read_questions(&fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn a_set_is_made_from_a_site_and_reviewed_in_parts() {
    let (_docs, site) = site();
    let work = folder(&[]);
    let set = work.path().join("questions.jsonl");
    let init = ["eval", "init", text(site.path()), "-o", text(&set), "--count", "12"];

    let all = [&init[..], &["--accept-all"]].concat();
    let run = campanile(&all).expect_code(0).says(&["proposed from", "passages"]);
    assert!(run.stdout.contains("undecided"), "{}", run.stdout);
    let proposed = questions(&set);
    assert!(proposed.len() >= 8, "{proposed:?}");
    assert!(proposed.iter().all(|question| !question.reviewed));
    let asked: BTreeMap<&str, &Question> =
        proposed.iter().map(|question| (question.question.as_str(), question)).collect();
    for (question, answer) in [
        ("What is the fee for Locker?", "5 euros"),
        (
            "When does registration for the January examinations close?",
            "Friday 4 December 2026 at 12:00",
        ),
        ("How many ECTS does WEN320 carry?", "6 ECTS"),
        ("What is a module?", "a unit of study with one examination"),
        ("Which has the higher fee, Locker or Key?", "Key"),
    ] {
        let found = asked.get(question).unwrap_or_else(|| panic!("no {question} in {asked:?}"));
        assert_eq!(found.answers, [answer], "{question}");
        assert!(!found.gold.is_empty());
    }
    let swapped = proposed.iter().filter(|question| question.category == Category::Unanswerable);
    assert_eq!(swapped.count(), 2);

    // A person takes one, writes one anew, leaves one out, one undecided, and stops.
    let shown = typed(&init, "a\ne\nWhat do they call a module?\n\n\nr\ns\nq\n");
    assert!(shown.contains("Question: ") && shown.contains("[a]ccept"), "{shown}");
    assert!(shown.contains("1 accepted, 1 edited, 1 rejected"), "{shown}");
    let decided = questions(&set);
    assert_eq!(decided.len(), 2);
    assert!(decided.iter().all(|question| question.reviewed));
    assert_eq!(decided[1].question, "What do they call a module?");

    // A question of their own, written into the file.
    let mut written = fs::read_to_string(&set).unwrap();
    written += "{\"id\": \"mine\", \"question\": \"Is there a crèche?\", \"category\": \"unanswerable\"}\n";
    fs::write(&set, written).unwrap();

    // The next day, with the rest.
    let shown = typed(&init, &"a\n".repeat(20));
    assert!(!shown.contains(&proposed[0].question), "{shown}");
    assert!(shown.contains("0 undecided"), "{shown}");
    let reviewed = questions(&set);
    assert_eq!(reviewed.len(), proposed.len() - 1 + 1);
    assert_eq!(reviewed.last().unwrap().id, "mine");

    // The site is asked with what came of it.
    let report =
        campanile(&["eval", text(site.path()), text(&set), "--json"]).expect_code(0).json();
    let hits = &report["report"]["passage_hit"]["5"];
    assert_eq!(hits["count"], hits["total"], "{report}");
}

#[test]
fn proposals_are_the_same_for_the_same_seed() {
    let (_docs, site) = site();
    let made = |seed: &str| {
        let work = folder(&[]);
        let set = work.path().join("set.jsonl");
        let arguments =
            ["eval", "init", text(site.path()), "-o", text(&set), "--seed", seed, "--accept-all"];
        campanile(&arguments).expect_code(0);
        (
            fs::read_to_string(&set).unwrap(),
            fs::read_to_string(set.with_extension("review.jsonl")).unwrap(),
        )
    };
    assert_eq!(made("7"), made("7"));
    assert_ne!(made("7"), made("8"));
}

#[test]
fn the_form_is_a_page_too() {
    let (_docs, site) = site();
    let work = folder(&[]);
    let [set, form] = ["set.jsonl", "form.html"].map(|name| work.path().join(name));
    let init = ["eval", "init", text(site.path()), "-o", text(&set), "--form", text(&form)];
    let run = campanile(&init).expect_code(0);
    assert!(
        run.stdout.contains("form.html") && run.stdout.contains("set.review.jsonl"),
        "{}",
        run.stdout
    );
    assert!(fs::read_to_string(&form).unwrap().contains("What is the fee for Locker?"));
    // What the page hands out: the review with decisions.
    let path = set.with_extension("review.jsonl");
    let review = fs::read_to_string(&path).unwrap();
    let lines: Vec<String> = review
        .lines()
        .map(|line| {
            let mut proposal: Value = serde_json::from_str(line).unwrap();
            proposal["decision"] = "accepted".into();
            proposal.to_string()
        })
        .collect();
    fs::write(&path, lines.join("\n")).unwrap();
    let shown = typed(&init[..5], "");
    assert!(shown.contains("0 undecided"), "{shown}");
    assert_eq!(questions(&set).len(), lines.len());
}

#[test]
fn two_people_are_compared() {
    let (_docs, site) = site();
    let work = folder(&[]);
    let [ada, ben] = ["ada.jsonl", "ben.jsonl"].map(|name| work.path().join(name));
    let reviewed = |set: &Path, input: &str| {
        typed(&["eval", "init", text(site.path()), "-o", text(set), "--count", "6"], input)
    };
    reviewed(&ada, &"a\n".repeat(6));
    reviewed(&ben, "a\ne\n\n\nu\nr\na\na\na\n");
    let [first, second] = [&ada, &ben].map(|set| set.with_extension("review.jsonl"));
    let arguments = ["eval", "agreement", text(&first), text(&second)];
    let found = campanile(&[&arguments[..], &["--json"]].concat()).expect_code(0).json();
    assert_eq!(found["shared"], 6);
    assert_eq!(found["decision"]["items"], 6);
    assert_eq!(found["category"]["items"], 5);
    let matters: Vec<&Value> =
        found["disagreements"].as_array().unwrap().iter().map(|it| &it["matter"]).collect();
    assert_eq!(matters, ["category", "decision"]);
    let words = campanile(&arguments).expect_code(0).stdout;
    assert!(
        words.contains("accepted or rejected        kappa 0.000, the same 0.833 (of 6)"),
        "{words}"
    );

    let other = work.path().join("other.jsonl");
    fs::write(&other, "{\"id\": \"x\", \"question\": \"Why?\", \"category\": \"answerable\"}\n")
        .unwrap();
    campanile(&["eval", "agreement", text(&first), text(&other)])
        .expect_code(1)
        .says(&["no question in common", "way out"]);
    fs::write(&other, "{\"id\": \"x\", \"question\": \"Why?\"}\n").unwrap();
    campanile(&["eval", "agreement", text(&first), text(&other)])
        .expect_code(1)
        .says(&["other.jsonl", "line 1", "`category` is missing"]);
}

const SQUAD: &str = r#"{"data": [{"title": "Water", "paragraphs": [
    {"context": "The flume in the cellar is sixty metres long. It was built in 1931.", "qas": [
        {"id": "a", "question": "How long is the flume in the cellar?",
         "answers": [{"text": "sixty metres", "answer_start": 27}]}]},
    {"context": "Gauges of the river & the canal are read < 3 times a day. Divers read them in floods.", "qas": [
        {"id": "b", "question": "How often are gauges of the river read?",
         "answers": [{"text": "< 3 times a day", "answer_start": 41}]},
        {"id": "c", "question": "Who sells the gauges?", "is_impossible": true, "answers": []}]}]}]}"#;

#[test]
fn an_imported_set_can_be_built_and_asked() {
    let work = folder(&[("water.json", SQUAD)]);
    let source = work.path().join("water.json");
    let set = work.path().join("set");
    let import = ["eval", "import", "squad", text(&source), "--to", text(&set)];
    let run = campanile(&import).expect_code(0);
    assert!(
        run.stdout.starts_with("3 questions (2 answerable, 1 unanswerable) in `"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("2 documents in `"), "{}", run.stdout);
    assert!(run.stdout.contains("campanile build "), "{}", run.stdout);
    let (site, built) = build(&set.join("documents"), 0);
    assert_eq!(built.json()["documents"], 2);
    let questions = set.join("questions.jsonl");
    let report =
        campanile(&["eval", text(site.path()), text(&questions), "--json"]).expect_code(0).json();
    assert_eq!(report["report"]["passage_hit"]["1"], serde_json::json!({ "count": 2, "total": 2 }));

    campanile(&import).expect_code(1).says(&["is not empty", "way out"]);
    let other = work.path().join("other");
    campanile(&["eval", "import", "squad", text(&source), "--to", text(&other), "--split", "test"])
        .expect_code(1)
        .says(&["--split", "beir"]);
    campanile(&["eval", "import", "squid", text(&source), "--to", text(&other)])
        .expect_code(2)
        .says(&["squid", "squad"]);
}

#[test]
fn a_sheet_becomes_a_set_or_its_mistake_is_named() {
    let sheet = "question,answer,document,category\nWhat is lent?,books; keys,desk.md,\nWho?,,,unanswerable\n";
    let work = folder(&[("ours.csv", sheet), ("bad.csv", "question,anwser\nWhy?,b\n")]);
    let [source, bad, set] = ["ours.csv", "bad.csv", "set"].map(|name| work.path().join(name));
    let run = campanile(&["eval", "import", "csv", text(&source), "--to", text(&set), "--json"]);
    let summary = run.expect_code(0).json();
    assert_eq!(summary["categories"], serde_json::json!({ "answerable": 1, "unanswerable": 1 }));
    assert!(!set.join("documents").exists());
    assert_eq!(questions(&set.join("questions.jsonl"))[0].answers, ["books", "keys"]);
    campanile(&["eval", "import", "csv", text(&bad), "--to", text(&work.path().join("x"))])
        .expect_code(1)
        .says(&["bad.csv", "line 1", "did you mean `answer`?"]);
}

#[test]
fn mistakes_of_init_are_named_with_a_way_out() {
    let work = folder(&[("set.jsonl", "")]);
    let set = work.path().join("set.jsonl");
    campanile(&["eval", "init", "/no/such/site", "-o", text(&set)])
        .expect_code(1)
        .says(&["set.jsonl", "is there already", "way out"]);
    campanile(&["eval", "init", "/no/such/site", "-o", text(&work.path().join("new.jsonl"))])
        .expect_code(1)
        .says(&["/no/such/site"]);
    let help = campanile(&["eval", "init", "--help"]).expect_code(0).stdout;
    assert!(help.contains("goes on where you stopped"), "{help}");
    campanile(&["eval"]).expect_code(2).says(&["SITE", "QUESTIONS"]);
}

/// What a build reads of the pages of a real set holds every gold passage.
#[test]
fn a_real_set_keeps_its_passages_through_the_reader() {
    let Some(file) = campanile_test_data::shared("squad_dev/dev-v2.0.rebuilt.json") else { return };
    let work = folder(&[]);
    let set = work.path().join("set");
    campanile(&["eval", "import", "squad", text(&file), "--to", text(&set)]).expect_code(0);
    let on_one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    let (mut held, mut lost) = (0, Vec::new());
    for gold in questions(&set.join("questions.jsonl")).iter().flat_map(|question| &question.gold) {
        let path = gold.document.clone().unwrap();
        let text = texts.entry(path.clone()).or_insert_with(|| {
            let bytes = fs::read(set.join("documents").join(&path)).unwrap();
            let reading = campanile_ingest::read_bytes(&path, &bytes, &Default::default()).unwrap();
            on_one_line(&reading.documents[0].text)
        });
        match text.contains(gold.passage.as_deref().unwrap()) {
            true => held += 1,
            false => lost.push((path, gold.passage.clone().unwrap())),
        }
    }
    assert_eq!(texts.len(), 1_204);
    println!("{held} passages held, {} lost", lost.len());
    assert!(lost.is_empty(), "{lost:#?}");
}

#[test]
fn replies_of_two_sites_are_judged_without_their_names_and_only_what_changed_anew() {
    let (_docs, site) = site();
    let other = folder(&[DOCUMENTS[1]]);
    let (other, _) = build(other.path(), 0);
    let set = [
        r#"{"id": "fee", "question": "What does a locker cost?", "category": "answerable", "answers": ["5 euros"]}"#,
        r#"{"id": "closing", "question": "When does registration for the January examinations close?", "category": "answerable"}"#,
        r#"{"id": "rink", "question": "Who looks after the ice rink?", "category": "unanswerable", "reason": "there is none"}"#,
    ];
    let work = folder(&[("questions.jsonl", &set.join("\n"))]);
    let (questions, file) =
        (work.path().join("questions.jsonl"), work.path().join("answers.jsonl"));
    let write = |site: &Path, name: &str| {
        let said = [
            "eval",
            "answers",
            "write",
            text(site),
            text(&questions),
            "-o",
            text(&file),
            "--name",
            name,
        ];
        campanile(&said).expect_code(0).stdout
    };
    let told = |site: &Path, name: &str, parts: [&str; 2]| {
        let said = write(site, name);
        assert!(parts.iter().all(|part| said.contains(part)), "{parts:?} in {said}");
    };
    told(site.path(), "zeppelin", ["3 questions asked of `zeppelin`", "2 to judge"]);

    // The right answer is shown beside the reply, the site's name is not.
    let judge = ["eval", "answers", "judge", text(&file)];
    let said = typed(&judge, "h\nh\n");
    assert!(
        said.contains("Right:    5 euros") && said.contains("Item: Locker; Fee: 5 euros"),
        "{said}"
    );
    let (form, tally) = said.rsplit_once("[q]uit > ").unwrap();
    assert!(!form.contains("zeppelin") && !form.contains("ice rink"), "{form}");
    assert!(tally.contains("zeppelin") && tally.contains("2 of 2, 100 %"), "{tally}");

    // Asked again, nothing is. Of another site, what it answers alike is judged, whatever its other sources are.
    told(site.path(), "zeppelin", ["0 questions asked", "0 to judge"]);
    told(site.path(), "the same again", ["3 questions asked", "0 to judge"]);
    told(other.path(), "without fees", ["3 questions asked", "0 to judge"]);
    let json = [&judge[..], &["--json"]].concat();
    let tally = campanile(&json).expect_code(0).json();
    assert_eq!(tally["sites"][1]["helped_surely"], tally["sites"][0]["helped_surely"]);
    assert_eq!(tally["sites"][2]["refused"], 1, "{tally}");
    assert_eq!(tally["pairs"][0]["differences"].as_array().unwrap().len(), 0);
    assert_eq!(tally["pairs"][1]["differences"][0]["id"], "fee", "{tally}");

    fs::write(&file, "{\"site\": 5}\n").unwrap();
    campanile(&judge).expect_code(1).says(&["line 1 of the answers"]);
}
