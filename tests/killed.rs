//! Builds that end before they are done: killed, without room on the disk, without memory. The site is the old one or
//! the new one, and the next build is right.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Instant;

use support::{campanile, folder, text, tree};
use tempfile::TempDir;

/// So many builds are killed, or as many as this variable says.
const KILLS: u32 = 10;
const KILLS_VARIABLE: &str = "CAMPANILE_KILLS";

type Tree = BTreeMap<String, Vec<u8>>;

/// Documents in two editions, the site of each, and a site that is built again and again.
struct Editions {
    room: TempDir,
    documents: [TempDir; 2],
    sites: [Tree; 2],
}

impl Editions {
    fn new() -> Self {
        let edition = |hour: &str| {
            let hours = format!("# Library\n\nThe library opens at {hour} on weekdays.\n");
            let rules = "# Loans\n\nA book may be kept for four weeks.\n".repeat(20);
            folder(&[("library.md", &hours), ("loans.md", &rules)])
        };
        let documents = [edition("eight"), edition("nine")];
        let room = folder(&[]);
        let sites = [0, 1].map(|number: usize| {
            let site = room.path().join(format!("expected-{number}"));
            campanile(&arguments(documents[number].path(), &site)).expect_code(0);
            tree(&site)
        });
        assert_ne!(sites[0]["campanile.json"], sites[1]["campanile.json"]);
        Self { room, documents, sites }
    }

    fn site(&self) -> PathBuf {
        self.room.path().join("site")
    }

    fn arguments(&self, edition: usize) -> Vec<String> {
        let arguments = arguments(self.documents[edition].path(), &self.site()).map(str::to_owned);
        arguments.into()
    }

    /// Which edition the site is; what another build may have left beside its files is no part of it.
    #[track_caller]
    fn whole(&self, when: &str) -> usize {
        let found = tree(&self.site());
        let told = found.get("campanile.json");
        let edition = self.sites.iter().position(|site| site.get("campanile.json") == told);
        assert!(edition.is_some(), "{when}: the manifest is of no edition");
        let edition = edition.unwrap_or_default();
        for (path, content) in &self.sites[edition] {
            assert!(found.get(path) == Some(content), "{when}: {path} is not as it should be");
        }
        edition
    }

    /// Builds in peace, and finds nothing but the site.
    #[track_caller]
    fn build(&self, edition: usize) {
        let arguments = self.arguments(edition);
        campanile(&arguments.iter().map(String::as_str).collect::<Vec<_>>()).expect_code(0);
        assert!(tree(&self.site()) == self.sites[edition], "the next build is right");
        let beside =
            fs::read_dir(self.room.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let beside: Vec<_> =
            beside.filter(|name| !name.to_string_lossy().starts_with("expected")).collect();
        assert_eq!(beside, ["site"], "nothing is left beside the site");
    }
}

fn arguments<'a>(documents: &'a Path, site: &'a Path) -> [&'a str; 5] {
    ["build", text(documents), "-o", text(site), "--no-report"]
}

#[test]
fn a_killed_build_leaves_a_whole_site() {
    let editions = Editions::new();
    let started = Instant::now();
    editions.build(0);
    let whole_build = started.elapsed();
    let kills = std::env::var(KILLS_VARIABLE).map_or(KILLS, |kills| kills.parse().unwrap());
    let mut finished = 0;
    for kill in 0..kills {
        let before = editions.whole("before");
        let mut child = Command::new(env!("CARGO_BIN_EXE_campanile"))
            .args(editions.arguments(1 - before))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the command runs");
        // Evenly over the time of a build, in an order that hits its end as often as its beginning.
        let moment = whole_build.mul_f64((f64::from(kill) * 0.618).fract() * 1.1);
        sleep(moment);
        child.kill().unwrap();
        child.wait().unwrap();
        let after = editions.whole(&format!("killed after {moment:?} of {whole_build:?}"));
        finished += u32::from(after != before);
    }
    assert!(finished < kills, "all builds had ended before they were killed");
    editions.build(0);
    editions.build(1);
}

/// Runs a build under a limit of the shell; what it says.
#[cfg(unix)]
fn limited(editions: &Editions, limit: &str) -> (bool, String) {
    let output = Command::new("sh")
        .args(["-c", &format!("{limit}; exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_campanile")])
        .args(editions.arguments(1))
        .output()
        .expect("a shell");
    (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
#[cfg(unix)]
fn a_build_without_room_says_so_and_leaves_the_old_site() {
    let editions = Editions::new();
    editions.build(0);
    // No file beyond a megabyte, and an error in place of a signal: as a full disk would have it.
    let (is_built, said) = limited(&editions, "trap '' XFSZ; ulimit -f 2048");
    assert!(!is_built);
    assert!(said.contains("check permissions and free space"), "{said}");
    assert_eq!(editions.whole("without room"), 0);
    editions.build(1);
}

#[test]
#[cfg(target_os = "linux")]
fn a_build_without_memory_leaves_the_old_site() {
    let editions = Editions::new();
    editions.build(0);
    let (is_built, _) = limited(&editions, "ulimit -v 150000");
    assert!(!is_built, "150 MB are too few for the encoder");
    assert_eq!(editions.whole("without memory"), 0);
    editions.build(1);
}
