//! Tests of children that misbehave. (The command's own tests read real files this way.)
#![cfg(unix)]
#![expect(clippy::expect_used, reason = "a test may fail")]

use std::path::Path;
use std::time::{Duration, Instant};

use campanile_ingest::{IngestOptions, Isolation, Reading};

/// Reads through a child that is a shell script.
fn reading(script: &str, time: Duration) -> Reading {
    let isolation = Isolation {
        command: ("/bin/sh".into(), vec!["-c".into(), script.into()]),
        time,
        memory_bytes: 100_000_000,
    };
    isolation.read(Path::new("docs"), Path::new("a/rules.pdf"), &IngestOptions::default())
}

#[test]
fn every_way_to_fail_names_the_file() {
    let cases = [
        ("cat >/dev/null", "`a/rules.pdf` made its reader fail (exit status: 0)"),
        ("echo 'thread main panicked' >&2; exit 7", "fail (thread main panicked)"),
        ("kill -SEGV $$", "fail (signal: 11"),
        ("echo \"thread 'main' has overflowed its stack\" >&2; kill -ABRT $$", "nested too deep"),
        (
            "echo 'memory allocation of 9 bytes failed' >&2; kill -ABRT $$",
            "needs more than 100.0 MB",
        ),
        ("echo '{\"Read\":'", "fail (exit status: 0)"),
        ("exec 0<&-; yes 'too much to say' | head -c 10000000 >&2; exit 1", "too much to say"),
    ];
    for (script, expected) in cases {
        let reading = reading(script, Duration::from_secs(20));
        let message = reading.findings[0].to_string();
        assert!(message.contains(expected), "{script}: {message}");
        assert!(reading.findings[0].is_failure() && reading.findings[0].path == "a/rules.pdf");
        assert_eq!((reading.findings.len(), reading.documents.len()), (1, 0));
    }
}

#[test]
fn a_child_that_takes_too_long_is_ended_with_all_it_started() {
    let folder = tempfile::tempdir().expect("a folder");
    let trace = folder.path().join("trace");
    let started = Instant::now();
    let script = format!("(sleep 3; echo late > {}) & sleep 30", trace.display());
    let reading = reading(&script, Duration::from_millis(300));
    assert!(started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
    let message = reading.findings[0].to_string();
    assert!(message.contains("`a/rules.pdf` was not read within 0.3 seconds"), "{message}");
    std::thread::sleep(Duration::from_secs(4));
    assert!(!trace.exists(), "what the child had started went on");
}

#[test]
fn an_answer_is_taken_as_it_is() {
    let answer =
        r#"{"Read":{"documents":[],"findings":[{"path":"a/rules.pdf","noticed":"empty"}]}}"#;
    let reading = reading(&format!("cat >/dev/null; echo '{answer}'"), Duration::from_secs(20));
    assert!(reading.findings[0].to_string().contains("holds no text"), "{reading:?}");
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let isolation = Isolation {
        command: ("/no/such/program".into(), Vec::new()),
        time: Duration::from_secs(1),
        memory_bytes: 1,
    };
    let reading = isolation.read(Path::new("."), Path::new("x.md"), &IngestOptions::default());
    let message = reading.findings[0].to_string();
    assert!(message.contains("no process could be started"), "{message}");
}
