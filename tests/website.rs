//! A department whose documents are a website.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use support::{campanile, folder, text};

const ROBOTS: &str = "User-agent: *\nDisallow: /private/\n";
const START: &str = "<title>Department</title><main><p>Welcome.</p><a href='/fees.html'>Fees</a> \
                     <a href='/private/marks.html'>Marks</a></main>";
const FEES: &str =
    "<title>Fees</title><main><h1>Fees</h1><p>The semester fee is 120 euros.</p></main>";

/// Serves three pages; the list says what was asked for.
fn serve() -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/", listener.local_addr().unwrap());
    let asked = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&asked);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            answer(stream, &log);
        }
    });
    (address, asked)
}

fn answer(mut stream: TcpStream, log: &Mutex<Vec<String>>) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
    let request = lines.next().unwrap_or_default();
    let headers: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
    let path = request.split(' ').nth(1).unwrap_or("/").to_owned();
    let knows = headers.iter().any(|header| header.to_lowercase().starts_with("if-none-match"));
    log.lock().unwrap().push(path.clone());
    let (kind, body) = match path.as_str() {
        "/robots.txt" => ("text/plain", ROBOTS),
        "/" => ("text/html", START),
        "/fees.html" => ("text/html", FEES),
        _ => ("text/html", "<p>secret</p>"),
    };
    let (status, body) = if knows { ("304 Not Modified", "") } else { ("200 OK", body) };
    let _ended = write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}; charset=utf-8\r\nETag: \"1\"\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
}

#[test]
fn a_websites_pages_are_found_at_their_addresses() {
    let (address, asked) = serve();
    let settings = format!("[website]\naddresses = [\"{address}\"]\nfollow = true\ndelay_ms = 0\n");
    let docs = folder(&[("campanile.toml", &settings)]);
    let place = folder(&[]);
    let (site, report) = (place.path().join("site"), place.path().join("report"));
    let build = || {
        let arguments = [
            "build",
            text(docs.path()),
            "-o",
            text(&site),
            "--index-only",
            "--json",
            "--report",
            text(&report),
        ];
        campanile(&arguments).expect_code(0).json()
    };
    assert_eq!(build()["documents"], 2);
    let reply = campanile(&["ask", text(&site), "What is the semester fee?", "--json"])
        .expect_code(0)
        .json();
    assert_eq!(reply["answer"]["text"], "The semester fee is 120 euros.");
    assert_eq!(reply["sources"][0]["link"], format!("{address}fees.html"));
    let told = std::fs::read_to_string(report.join("report.json")).unwrap();
    assert!(told.contains("private/marks.html") && told.contains("robots.txt"), "{told}");
    assert!(!asked.lock().unwrap().contains(&"/private/marks.html".to_owned()));

    // A mistyped address costs nothing of what was fetched, and is told.
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mistyped = settings.replace(&address, &format!("http://{closed}/"));
    std::fs::write(docs.path().join("campanile.toml"), mistyped).unwrap();
    let none = campanile(&["build", text(docs.path()), "-o", text(&site), "--index-only"]);
    let none = none.expect_code(1).stderr;
    assert!(none.contains("no page of the website in `[website]` could be had"), "{none}");
    assert!(none.contains("way out:") && !none.contains("websites/"), "{none}");
    std::fs::write(docs.path().join("campanile.toml"), &settings).unwrap();

    let again = build();
    assert_eq!((again["documents"].as_u64(), again["embedded"].as_u64()), (Some(2), Some(0)));
}
