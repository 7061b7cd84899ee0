//! Requests to a server that answers, breaks off, delays, talks nonsense or is not there.

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

use campanile_http::{Client, Failure, FailureKind, Options, Timeouts, USER_AGENT};

/// What a server does with a connection on which it has read a request, whose head it is given.
type Behaviour = fn(&mut TcpStream, &str) -> std::io::Result<()>;

/// Starts a server and returns where it listens. It ends with the process.
fn serve(behaviour: Behaviour) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            std::thread::spawn(move || {
                let mut stream = stream.unwrap();
                let mut head = Vec::new();
                let mut byte = [0];
                // An encrypted greeting has no such end, and gets the answer as well.
                while !head.ends_with(b"\r\n\r\n") && head.first() != Some(&0x16) {
                    stream.read_exact(&mut byte).unwrap();
                    head.push(byte[0]);
                }
                // The client may hang up first: that is its right.
                drop(behaviour(&mut stream, &String::from_utf8_lossy(&head)));
            });
        }
    });
    address
}

fn client(follows_redirects: bool) -> Client {
    patient(SILENCE / 2, follows_redirects)
}

/// A client that waits for so long. Only who is to give up gives up soon: on a busy machine others need their time.
fn patient(patience: Duration, follows_redirects: bool) -> Client {
    let patience = Some(patience);
    let timeouts = Timeouts { response: patience, silence: patience, ..Timeouts::default() };
    Client::new(Options { timeouts, follows_redirects, ..Options::default() }).unwrap()
}

/// The status and the body, or the failure.
fn asked(client: &Client, url: &str) -> Result<(u16, String), Failure> {
    let response = client.get(url, &[("x-campus", "main")])?;
    let (parts, body) = response.into_parts();
    let mut text = String::new();
    body.into_reader().read_to_string(&mut text)?;
    Ok((parts.status.as_u16(), text))
}

fn text(stream: &mut TcpStream, status: &str, body: &str) -> std::io::Result<()> {
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
}

/// A server that goes silent does so for longer than any test waits.
const SILENCE: Duration = Duration::from_secs(120);

#[test]
fn every_status_is_an_answer() {
    let cases: [(Behaviour, u16, &str); 4] = [
        (|stream, _| text(stream, "200 OK", "Here"), 200, "Here"),
        (|stream, _| text(stream, "404 Not Found", "Gone"), 404, "Gone"),
        (|stream, _| text(stream, "500 Internal Server Error", "Oh"), 500, "Oh"),
        (|stream, _| text(stream, "503 Service Unavailable", ""), 503, ""),
    ];
    for (behaviour, status, body) in cases {
        let url = format!("http://{}/", serve(behaviour));
        assert_eq!(asked(&client(true), &url), Ok((status, body.to_owned())));
    }
}

/// Each kind of failure, and whether another attempt may help.
#[test]
fn failures_say_what_may_help() {
    use FailureKind::{Broken, Garbled, Request, Timeout, Tls};
    let cases: [(&str, &str, Behaviour, FailureKind, bool); 9] = [
        ("closes before an answer", "http", |_, _| Ok(()), Broken, true),
        (
            "closes within the headers",
            "http",
            |stream, _| write!(stream, "HTTP/1.1 200 OK\r\nContent-Le"),
            Broken,
            true,
        ),
        (
            "closes within the body",
            "http",
            |stream, _| write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nHalf"),
            Broken,
            true,
        ),
        (
            "does not answer",
            "http",
            |_, _| {
                std::thread::sleep(SILENCE);
                Ok(())
            },
            Timeout,
            true,
        ),
        (
            "goes silent within the body",
            "http",
            |stream, _| {
                write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nHalf")?;
                std::thread::sleep(SILENCE);
                Ok(())
            },
            Timeout,
            true,
        ),
        (
            "speaks something else",
            "http",
            |stream, _| write!(stream, "220 mail.example.edu\r\n\r\n"),
            Garbled,
            true,
        ),
        ("is not encrypted", "https", |stream, _| text(stream, "400 Bad Request", ""), Tls, false),
        (
            "redirects to itself",
            "http",
            |stream, _| {
                write!(
                    stream,
                    "HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                )
            },
            Request,
            false,
        ),
        ("has no such scheme", "gopher", |_, _| Ok(()), Request, false),
    ];
    for (case, scheme, behaviour, kind, is_passing) in cases {
        let url = format!("{scheme}://{}/", serve(behaviour));
        let start = Instant::now();
        let patience = if kind == Timeout { Duration::from_millis(300) } else { SILENCE / 2 };
        let failure = asked(&patient(patience, true), &url).unwrap_err();
        assert_eq!((failure.kind, failure.is_passing()), (kind, is_passing), "{case}: {failure}");
        assert!(
            !failure.reason.is_empty() && !failure.reason.starts_with("io:"),
            "{case}: {failure}"
        );
        assert!(!failure.reason.contains("SSL_CERT_FILE"), "{case}: {failure}");
        assert!(start.elapsed() < SILENCE / 2, "{case}");
    }
}

#[test]
fn nobody_there_is_unreachable() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    drop(listener);
    let failure = asked(&client(true), &url).unwrap_err();
    assert_eq!(
        (failure.kind, failure.is_passing()),
        (FailureKind::Unreachable, false),
        "{failure}"
    );
}

#[test]
fn a_redirect_is_followed_or_the_answer() {
    let address = serve(|stream, head| match head.split(' ').nth(1) {
        Some("/old") => write!(
            stream,
            "HTTP/1.1 301 Moved\r\nLocation: /new\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        ),
        _ => text(stream, "200 OK", "New"),
    });
    let url = format!("http://{address}/old");
    assert_eq!(asked(&client(true), &url), Ok((200, "New".to_owned())));
    assert_eq!(asked(&client(false), &url), Ok((301, String::new())));
}

#[test]
fn requests_carry_a_name_their_headers_and_a_body() {
    let address = serve(|stream, head| {
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        let mut body = vec![0; length.map_or(0, |length| length.parse().unwrap())];
        stream.read_exact(&mut body)?;
        text(stream, "200 OK", &format!("{head}{}", String::from_utf8_lossy(&body)))
    });
    let url = format!("http://{address}/");
    let named = Options { user_agent: "campus-search/1.0".to_owned(), ..Options::default() };
    for (options, name) in [(Options::default(), USER_AGENT), (named, "campus-search/1.0")] {
        let (_, said) = asked(&Client::new(options).unwrap(), &url).unwrap();
        assert!(said.starts_with("GET / HTTP/1.1\r\n"), "{said}");
        assert!(said.contains(&format!("user-agent: {name}\r\n")), "{said}");
        assert!(said.contains("x-campus: main\r\n"), "{said}");
    }
    let mut response = client(true).post(&url, &[("content-type", "text/plain")], "Hello").unwrap();
    let said = response.body_mut().read_to_string().unwrap();
    assert!(said.starts_with("POST / HTTP/1.1\r\n"), "{said}");
    assert!(
        said.contains("content-type: text/plain\r\n") && said.ends_with("\r\n\r\nHello"),
        "{said}"
    );
}
