//! Questions that a model writes at the desk, from the passages of a site to the site that has them.
//!
//! The model is a server on loopback that replies as told; docs/guide/questions.md tells what a real one wrote.

#![allow(
    clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, missing_docs
)]

mod support;

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use support::{Run, campanile, folder, text, tree};
use tempfile::TempDir;

const LIBRARY: &str = "# Library\n\n## Cards\n\nA lost card is replaced by the Card Office in Hill House within two working \
    days. The first replacement is free, and each later one costs 12 pounds.\n\n## Reading room\n\nThe reading room opens \
    at 8 a.m. from Monday to Friday and closes at 10 p.m. on all of these days. Bags stay in the lockers.\n";
const SPORTS: &str = "# Sports\n\n## Boats\n\nRowing boats are lent to members of the club for 25 pounds a term, and the \
    boathouse is closed from 1 December to 15 January every year.\n";

/// What a model would say about a passage.
type Writer = fn(&str) -> (u16, String);

/// A server that speaks as much of the OpenAI protocol as is asked for.
struct Server {
    address: String,
    asked: Arc<AtomicUsize>,
}

impl Server {
    fn start(writer: Writer) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/v1", listener.local_addr().unwrap());
        let asked = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&asked);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let counter = Arc::clone(&counter);
                thread::spawn(move || Self::serve(stream.unwrap(), writer, &counter));
            }
        });
        Self { address, asked }
    }

    fn serve(mut stream: TcpStream, writer: Writer, asked: &AtomicUsize) {
        let request = request(&mut stream);
        asked.fetch_add(1, Ordering::SeqCst);
        let body: Value = serde_json::from_str(&request).unwrap();
        assert_eq!(body["response_format"]["type"], "json_schema");
        assert_eq!(body["temperature"], 0);
        let last = body["messages"].as_array().unwrap().last().unwrap();
        let (status, content) = writer(last["content"].as_str().unwrap());
        let reply = match status {
            200 => {
                json!({ "choices": [{ "message": { "role": "assistant", "content": content } }] })
            }
            _ => json!({ "error": { "message": content } }),
        }
        .to_string();
        // Whoever was too slow for the client finds nobody there any more.
        let _ = write!(
            stream,
            "HTTP/1.1 {status} -\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{reply}",
            reply.len()
        );
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

/// The body of a request.
fn request(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let head_end = bytes.windows(4).position(|it| it == b"\r\n\r\n").map(|at| at + 4);
        if let Some(start) = head_end {
            let head = String::from_utf8_lossy(&bytes[..start]).to_lowercase();
            let length = head.split("content-length:").nth(1).unwrap().lines().next().unwrap();
            let end = start + length.trim().parse::<usize>().unwrap();
            if bytes.len() >= end {
                return String::from_utf8(bytes[start..end].to_vec()).unwrap();
            }
        }
        let count = stream.read(&mut buffer).unwrap();
        assert!(count > 0, "the request broke off");
        bytes.extend_from_slice(&buffer[..count]);
    }
}

/// Good pairs, and one for each way in which a pair can be wrong.
fn knowing(passage: &str) -> (u16, String) {
    let pair = |question: &str, answer: &str| json!({ "question": question, "answer": answer });
    let pairs = if passage.contains("Card Office") {
        vec![
            pair(
                "I can't find my student card, who gives me a new one?",
                "The Card Office in Hill House replaces a lost card within two working days.",
            ),
            pair(
                "What do I pay when I lose my card again?",
                "Each later replacement costs 15 pounds.",
            ),
            pair("Lost cards and what they cost", "12 pounds"),
        ]
    } else if passage.contains("Bags stay") {
        vec![
            pair(
                "Until when can I study in the library in the evening?",
                "The reading room closes at 10 p.m. from Monday to Friday.",
            ),
            pair(
                "I can't find my student card, who gives me a new one?",
                "The reading room closes at 10 p.m. from Monday to Friday.",
            ),
        ]
    } else {
        return (200, "I would rather not.".to_owned());
    };
    (200, json!({ "questions": pairs }).to_string())
}

fn site(docs: &Path) -> TempDir {
    let site = folder(&[]);
    build(docs, site.path()).expect_code(0);
    site
}

fn build(docs: &Path, site: &Path) -> Run {
    campanile(&["build", text(docs), "-o", text(site), "--index-only", "--no-report", "--json"])
}

fn write(site: &Path, output: &Path, more: &[&str]) -> Run {
    campanile(&[&["questions", "write", text(site), "-o", text(output)], more].concat())
}

fn lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn what_a_model_writes_is_checked_reviewed_built_and_found() {
    let docs = folder(&[("library.md", LIBRARY), ("sports.md", SPORTS)]);
    let site = site(docs.path());
    let server = Server::start(knowing);
    let output = docs.path().join("questions.jsonl");
    let run = write(site.path(), &output, &["--address", &server.address, "--json"])
        .expect_code(0)
        .json();
    assert_eq!(server.asked(), 3, "one request for each passage");
    assert_eq!(
        (&run["passages"], &run["replied"], &run["unreadable"]),
        (&json!(3), &json!(3), &json!(1))
    );
    assert_eq!(run["taken"], 2, "{run}");
    let refused = lines(&docs.path().join("questions.refused.jsonl"));
    let because: Vec<&str> = refused.iter().map(|one| one["because"].as_str().unwrap()).collect();
    assert_eq!(because, ["figure", "no_question", "twice"]);
    assert_eq!(refused[0]["missing"], json!(["15"]), "the wrong figure is named");

    // Asked again, nobody is asked, and the file is the same.
    let before = fs::read(&output).unwrap();
    write(site.path(), &output, &["--address", &server.address]).expect_code(0);
    assert_eq!((server.asked(), fs::read(&output).unwrap()), (3, before));

    // A person rejects the second; a run after that leaves it so.
    let mut review = lines(&output);
    review[1]["decision"] = json!("rejected");
    let reviewed: String = review.iter().map(|line| format!("{line}\n")).collect();
    fs::write(&output, reviewed).unwrap();
    write(site.path(), &output, &["--address", &server.address]).expect_code(0);
    assert_eq!(lines(&output)[1]["decision"], "rejected");
    let form = docs.path().join("../form.html");
    campanile(&["questions", "review", text(&output), "--form", text(&form)]).expect_code(0);
    assert!(fs::read_to_string(&form).unwrap().contains("\"file_name\":\"questions.jsonl\""));
    fs::remove_file(&form).unwrap();

    // Built twice from the same file: the same bytes, and what was written is found. The three files are no documents.
    fs::write(docs.path().join("campanile.toml"), "[questions]\nfile = \"questions.jsonl\"\n")
        .unwrap();
    let (first, second) = (folder(&[]), folder(&[]));
    let summary = build(docs.path(), first.path()).expect_code(0).json();
    assert_eq!(
        (&summary["documents"], &summary["written_questions"]),
        (&json!(2), &json!(1)),
        "{summary}"
    );
    build(docs.path(), second.path()).expect_code(0);
    assert_eq!(tree(first.path()), tree(second.path()));
    let question = "My student card is gone, who gives me another one?";
    let reply = campanile(&["ask", text(first.path()), question, "--json"]).expect_code(0).json();
    let (answer, source) = (&reply["answer"], &reply["sources"][0]);
    assert_eq!(source["question"]["text"], "I can't find my student card, who gives me a new one?");
    // Either its words are sure to answer, or the passage is shown with the sentences marked.
    let marked = match answer["kind"].as_str().unwrap() {
        "direct" => &answer["highlight"],
        "section" => &answer["marks"][0],
        other => panic!("{other}: {reply}"),
    };
    let place = |end: &str| marked[end].as_u64().unwrap() as usize;
    let shown = source["text"].as_str().unwrap();
    assert!(shown[place("start")..place("end")].contains("Card Office in Hill House"), "{reply}");

    // The documents change: what rests on the old text is left out, and named.
    let changed = LIBRARY.replace("Hill House", "Mill House");
    fs::write(docs.path().join("library.md"), changed).unwrap();
    let run = build(docs.path(), first.path()).expect_code(0);
    assert_eq!(run.json()["written_questions"], 0);
    run.says(&["1 written question left out", "who gives me a new one?", "library.md"]);
}

#[test]
fn an_interrupted_run_goes_on_and_errors_say_the_way_out() {
    let docs = folder(&[("library.md", LIBRARY), ("sports.md", SPORTS)]);
    let site = site(docs.path());
    let work = folder(&[]);
    let output = work.path().join("questions.jsonl");
    // The server fails at the second passage.
    let failing = Server::start(|passage| match passage.contains("Bags stay") {
        true => (400, "the passage is too long".to_owned()),
        false => knowing(passage),
    });
    write(site.path(), &output, &["--address", &failing.address])
        .expect_code(1)
        .says(&["answers 400: the passage is too long", "what was replied is kept in"]);
    assert!(!output.exists());
    let server = Server::start(knowing);
    let run = write(site.path(), &output, &["--address", &server.address, "--json"]).expect_code(0);
    assert_eq!(server.asked(), 2, "the first was known");
    assert_eq!(run.json()["taken"], 2);

    let fresh = work.path().join("other.jsonl");
    let slow = Server::start(|passage| {
        thread::sleep(Duration::from_secs(4));
        knowing(passage)
    });
    write(site.path(), &fresh, &["--address", &slow.address, "--timeout", "1"])
        .expect_code(1)
        .says(&["has not replied within 1 s", "--timeout 4"]);
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    write(site.path(), &fresh, &["--address", &format!("http://{nobody}/v1")])
        .expect_code(1)
        .says(&["cannot be reached", "start the model's server"]);
    let locked = Server::start(|_| (401, "no key".to_owned()));
    write(site.path(), &fresh, &["--address", &locked.address])
        .expect_code(1)
        .says(&["answers 401: no key", "CAMPANILE_API_KEY"]);
    write(site.path(), &fresh, &["--address", "127.0.0.1:8080"])
        .expect_code(1)
        .says(&["does not begin with http:// or https://"]);
}

#[test]
fn a_batch_job_writes_what_a_server_would() {
    let docs = folder(&[("library.md", LIBRARY), ("sports.md", SPORTS)]);
    let site = site(docs.path());
    let work = folder(&[]);
    let exported = work.path().join("passages.jsonl");
    campanile(&["questions", "export", text(site.path()), "-o", text(&exported)]).expect_code(0);
    let passages = lines(&exported);
    assert_eq!(passages.len(), 3);
    let reply = |passage: &Value| {
        let last = passage["messages"].as_array().unwrap().last().unwrap();
        let reply = knowing(last["content"].as_str().unwrap()).1;
        format!("{}\n", json!({ "id": passage["id"], "reply": format!("```json\n{reply}\n```") }))
    };
    let replies = work.path().join("batch.jsonl");
    fs::write(&replies, passages.iter().map(reply).collect::<String>()).unwrap();
    let output = work.path().join("questions.jsonl");
    let run = write(site.path(), &output, &["--replies", text(&replies), "--json"]).expect_code(0);
    assert_eq!(run.json()["taken"], 2);
    fs::write(&replies, "nothing\n").unwrap();
    write(site.path(), &output, &["--replies", text(&replies)])
        .expect_code(1)
        .says(&["holds no reply", "campanile questions export"]);
}
