//! Who asks decides what `campanile ask` finds, and it says what it leaves out.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::path::Path;
use std::sync::LazyLock;

use support::{Run, SharedFolder, build, campanile, folder, shared_folder, text};

const SETTINGS: &str = "[metadata]\nlevel = 'university'\n\
[[organisation.faculties]]\nname = 'Sciences'\ndepartments = [\n\
{ name = 'Physics', aliases = ['PHY'], programmes = ['MSc Optics'] }, 'Chemistry' ]\n\
[[rules]]\nmatch = 'physics/'\nlevel = 'department'\ndepartment = 'Physics'\n\
[[rules]]\nmatch = 'chemistry/'\nlevel = 'department'\ndepartment = 'Chemistry'\n";

const DOCUMENTS: &[(&str, &str)] = &[
    ("campanile.toml", SETTINGS),
    (
        "late.md",
        "# Late coursework\n\nLate coursework loses five percentage points for each working day.\n",
    ),
    (
        "physics/late.md",
        "# Late coursework in Physics\n\nLate coursework loses ten percentage points for each working day.\n",
    ),
    (
        "chemistry/late.md",
        "# Late coursework in Chemistry\n\nLate coursework loses all its percentage points.\n",
    ),
    (
        "physics/old.md",
        "---\nbatches: until 2021\n---\n# Late coursework of older students\n\nLate coursework of older students loses nothing.\n",
    ),
    (
        "holiday.md",
        "---\nvalid_until: 2026-01-31\n---\n# Winter closing\n\nIn the winter closing coursework is handed in by mail.\n",
    ),
    ("library.md", "# Library\n\nThe library is open from nine to five.\n"),
];

const QUESTION: &str = "How many percentage points does late coursework lose?";

/// Built once for all tests.
static SITE: LazyLock<SharedFolder> =
    LazyLock::new(|| shared_folder("profiles", || build(folder(DOCUMENTS).path(), 0).0));

fn ask(question: &str, flags: &[&str]) -> Run {
    let site: &Path = SITE.path();
    let today: &[&str] = if flags.contains(&"--today") { &[] } else { &["--today", "2026-11-20"] };
    campanile(&[&["ask", text(site), question], today, flags].concat())
}

/// The paths of the sources, and of what is left out.
fn found(question: &str, flags: &[&str]) -> (Vec<String>, Vec<String>) {
    let reply = ask(question, &[flags, &["--json"]].concat()).expect_code(0).json();
    let paths = |list: &str| -> Vec<String> {
        let list = reply[list].as_array().unwrap();
        let mut paths: Vec<String> =
            list.iter().map(|it| it["document"].as_str().unwrap().to_owned()).collect();
        paths.sort_unstable();
        paths
    };
    (paths("sources"), paths("left_out"))
}

#[test]
fn a_student_finds_what_is_for_them() {
    let cases: [(&[&str], &[&str], &[&str]); 5] = [
        (
            &[],
            &["chemistry/late.md", "late.md", "physics/late.md", "physics/old.md"],
            &["holiday.md"],
        ),
        // The department's other name, and its batch.
        (
            &["--department", "phy", "--batch", "2024"],
            &["late.md", "physics/late.md"],
            &["chemistry/late.md", "holiday.md", "physics/old.md"],
        ),
        // The department follows from the programme.
        (
            &["--programme", "msc optics"],
            &["late.md", "physics/late.md", "physics/old.md"],
            &["chemistry/late.md", "holiday.md"],
        ),
        (
            &["--department", "Law"],
            &["late.md"],
            &["chemistry/late.md", "holiday.md", "physics/late.md", "physics/old.md"],
        ),
        (
            &["--department", "Law", "--everyone"],
            &["chemistry/late.md", "late.md", "physics/late.md", "physics/old.md"],
            &[],
        ),
    ];
    for (flags, sources, left_out) in cases {
        let (found, missing) = found(QUESTION, flags);
        for path in sources {
            assert!(found.iter().any(|it| it == path), "{flags:?} finds {path}: {found:?}");
        }
        for path in left_out {
            assert!(!found.iter().any(|it| it == path), "{flags:?} does not find {path}");
            assert!(missing.iter().any(|it| it == path), "{flags:?} names {path}: {missing:?}");
        }
        assert_eq!(missing.len(), left_out.len(), "{flags:?}: {missing:?}");
    }
}

#[test]
fn a_name_that_the_site_does_not_know_is_not_taken_for_another_department() {
    let slip = ask(QUESTION, &["--department", "Phisics"]).expect_code(1);
    let told = "this site knows no department \"Phisics\". Did you mean \"Physics\"?";
    assert!(slip.stderr.contains(told), "{}", slip.stderr);
    let other = ask(QUESTION, &["--department", "Law"]).expect_code(0);
    assert!(other.stderr.contains("this site knows no department \"Law\""), "{}", other.stderr);
    assert_eq!(ask(QUESTION, &["--department", "phy"]).expect_code(0).stderr, "");
}

#[test]
fn what_is_left_out_is_said_in_words() {
    let run = ask(QUESTION, &["--department", "Physics", "--batch", "2024"]).expect_code(0);
    for part in [
        "3 passages are not for you; `--everyone` shows them:",
        "Late coursework in Chemistry (chemistry/late.md): department: for Chemistry, and the profile says Physics",
        "batch: for until 2021, and the profile says 2024",
        "Your department’s rule differs from the university’s: ten percentage points [",
    ] {
        assert!(run.stdout.contains(part), "{part}\n{}", run.stdout);
    }
}

#[test]
fn the_day_decides_what_still_holds() {
    let question = "Where is coursework handed in during the winter closing?";
    let (now, left_out) = found(question, &[]);
    assert!(!now.contains(&"holiday.md".to_owned()));
    assert_eq!(left_out, ["holiday.md"]);
    let told = ask(question, &[]).stdout;
    assert!(told.contains("1 passage does not hold today; `--everyone` shows it:"), "{told}");
    let (then, _) = found(question, &["--today", "2026-01-15"]);
    assert!(then.contains(&"holiday.md".to_owned()));
    let (named, _) = found("Where is coursework handed in during the winter closing of 2026?", &[]);
    assert!(named.contains(&"holiday.md".to_owned()), "the question names the year");
}

#[test]
fn a_profile_is_a_file() {
    let files = folder(&[
        (
            "me.toml",
            "Department = 'Physics'\nbatch = 2024\ndate = 2026-01-15\ncompleted = ['PH1']\n",
        ),
        ("me.json", "{\"department\": \"Physics\", \"batch\": \"2024\"}"),
        ("typo.toml", "departement = 'Physics'\n"),
        ("list.toml", "batch = [2024]\n"),
    ]);
    let path = |name: &str| files.path().join(name).to_str().unwrap().to_owned();
    for name in ["me.toml", "me.json"] {
        let (sources, left_out) = found(QUESTION, &["--profile", &path(name)]);
        assert!(!sources.contains(&"chemistry/late.md".to_owned()));
        assert_eq!(left_out, ["chemistry/late.md", "holiday.md", "physics/old.md"], "{name}");
    }
    // A flag overrides the file.
    let (sources, _) =
        found(QUESTION, &["--profile", &path("me.toml"), "--department", "Chemistry"]);
    assert!(sources.contains(&"chemistry/late.md".to_owned()));
    for (name, says) in [
        ("typo.toml", "Did you mean \"department\"?"),
        ("list.toml", "it must be a word or a number"),
        ("none.toml", "cannot read the profile"),
    ] {
        ask(QUESTION, &["--profile", &path(name)]).expect_code(1).says(&[says, "way out"]);
    }
    ask(QUESTION, &["--year", "first"]).expect_code(1).says(&["`--year` cannot be used"]);
}
