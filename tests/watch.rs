//! `campanile watch`: a change is built and told to the open page, and a build that fails leaves the site as it was.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use support::{campanile, folder, text};

/// Longer than any build of two short documents.
const PATIENCE: Duration = Duration::from_secs(120);

/// A running `campanile watch`, ended with the test.
struct Watch {
    child: Child,
    address: String,
}

impl Watch {
    fn start(docs: &Path, site: &Path) -> Self {
        Self::start_as(Path::new(env!("CARGO_BIN_EXE_campanile")), docs, site)
    }

    fn start_as(program: &Path, docs: &Path, site: &Path) -> Self {
        let mut child = Command::new(program)
            .args(["watch", text(docs), "-o", text(site), "--port", "0"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let told = lines.find_map(|line| {
            let line = line.unwrap();
            line.strip_prefix("http://").map(|rest| rest.trim_end_matches('/').to_owned())
        });
        // What it prints further on is read to the end, or it would wait for a reader.
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, address: told.expect("an address") }
    }

    fn request(&self, path: &str) -> BufReader<TcpStream> {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
            self.address
        )
        .unwrap();
        BufReader::new(stream)
    }

    fn get(&self, path: &str) -> String {
        let mut answer = String::new();
        self.request(path).read_to_string(&mut answer).unwrap();
        answer
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The next event of a stream: its name and its data.
fn next(stream: &mut BufReader<TcpStream>) -> (String, String) {
    let (mut event, mut line) = (String::new(), String::new());
    loop {
        line.clear();
        assert_ne!(stream.read_line(&mut line).unwrap(), 0, "the stream of events ended");
        let line = line.trim_end();
        if let Some(name) = line.strip_prefix("event: ") {
            event = name.to_owned();
        } else if let Some(data) = line.strip_prefix("data: ") {
            return (event, data.to_owned());
        }
    }
}

fn answer(site: &Path) -> String {
    let question = "For how long are books lent?";
    let reply = campanile(&["ask", text(site), question, "--json"]).expect_code(0).json();
    reply["answer"]["text"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn each_change_is_built_and_told_to_the_page() {
    let docs = folder(&[("library.md", "# Library\n\nBooks are lent for four weeks.\n")]);
    let parent = folder(&[]);
    let site = parent.path().join("site");
    let watch = Watch::start(docs.path(), &site);
    let mut events = watch.request("/campanile-watch/events");
    let (event, first) = next(&mut events);
    assert_eq!(event, "built");
    assert!(answer(&site).contains("four weeks"));

    // The script is in the page as it is served, and in no file of the site.
    let script = format!("src=\"/campanile-watch/reload.js?build={first}\"");
    let page = watch.get("/");
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
    assert!(page.contains(&script) && page.contains("<campanile-ask"), "{page}");
    assert_eq!(page.matches("</head>").count(), 1);
    assert!(watch.get("/index.html").contains(&script));
    assert!(watch.get("/campanile-watch/reload.js").contains("EventSource"));
    for (name, bytes) in support::tree(&site) {
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains("campanile-watch"), "{name} knows of the watching");
    }
    // In the place of the site's own, which would keep the page.
    assert!(watch.get("/service-worker.js").contains("unregister"));
    assert!(watch.get("/campanile.json").starts_with("HTTP/1.1 200"));

    fs::write(docs.path().join("library.md"), "# Library\n\nBooks are lent for six weeks.\n")
        .unwrap();
    let (event, second) = next(&mut events);
    assert_eq!(event, "built");
    assert_ne!(first, second);
    assert!(answer(&site).contains("six weeks"));

    // A mistake in the settings: the site stays, and the page says why.
    fs::write(docs.path().join("campanile.toml"), "[site]\ntitel = \"Library\"\n").unwrap();
    let (event, reason) = next(&mut events);
    assert_eq!(event, "failed");
    assert!(
        reason.contains("unknown field `titel`") && reason.contains("as it was before"),
        "{reason}"
    );
    assert!(answer(&site).contains("six weeks"));
    let mut late = watch.request("/campanile-watch/events");
    assert_eq!(next(&mut late), (event, reason), "a page that is opened now is told too");

    fs::write(docs.path().join("campanile.toml"), "[site]\ntitle = \"The Library\"\n").unwrap();
    let (event, third) = next(&mut events);
    assert_eq!(event, "built");
    assert_ne!(second, third);
    assert!(watch.get("/").contains("<title>The Library</title>"));
}

#[test]
fn a_first_build_that_fails_is_told_and_tried_again() {
    let docs = folder(&[]);
    let parent = folder(&[]);
    let watch = Watch::start(docs.path(), &parent.path().join("site"));
    let mut events = watch.request("/campanile-watch/events");
    let (event, reason) = next(&mut events);
    assert_eq!(event, "failed");
    assert!(reason.contains("no documents"), "{reason}");
    let page = watch.get("/");
    assert!(page.starts_with("HTTP/1.1 503") && page.contains("reload.js"), "{page}");
    fs::write(docs.path().join("library.md"), "# Library\n\nBooks are lent.\n").unwrap();
    assert_eq!(next(&mut events).0, "built");
    assert!(watch.get("/").starts_with("HTTP/1.1 200"));
}

#[test]
fn a_folder_that_is_not_there_is_told_at_once() {
    campanile(&["watch", "/no/such/folder"]).expect_code(1).says(&["is no folder", "way out"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_that_is_replaced_while_it_watches_goes_on_reading() {
    let docs = folder(&[("library.md", "# Library\n\nBooks are lent for four weeks.\n")]);
    let parent = folder(&[]);
    let (program, site) = (parent.path().join("campanile"), parent.path().join("site"));
    fs::copy(env!("CARGO_BIN_EXE_campanile"), &program).unwrap();
    let watch = Watch::start_as(&program, docs.path(), &site);
    let mut events = watch.request("/campanile-watch/events");
    assert_eq!(next(&mut events).0, "built");

    // As a compiler and an update do: the old file goes, and what comes is not this program.
    fs::remove_file(&program).unwrap();
    fs::write(&program, "another program").unwrap();
    fs::write(docs.path().join("library.md"), "# Library\n\nBooks are lent for six weeks.\n")
        .unwrap();
    assert_eq!(next(&mut events).0, "built");
    assert!(answer(&site).contains("six weeks"));
}
