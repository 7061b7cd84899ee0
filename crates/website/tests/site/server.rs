//! A web server on loopback that answers as told, and remembers what it was asked.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

/// A client's request, and the status that it got.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    pub path: String,
    pub headers: Vec<(String, String)>,
    pub status: u16,
    /// Bytes of body that were sent.
    pub sent: usize,
}

impl Request {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub fn is_conditional(&self) -> bool {
        self.header("if-none-match").is_some() || self.header("if-modified-since").is_some()
    }
}

/// An answer.
#[derive(Debug, Clone)]
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    /// Send so many bytes and no more, though more were promised.
    pub breaks_after: Option<usize>,
    /// Pause before the answer.
    pub waits: Duration,
    /// Pause within the body.
    pub stalls: Duration,
    /// Pause after each byte of the body.
    pub drips: Duration,
    /// Leave the length unsaid.
    pub without_length: bool,
}

impl Reply {
    pub fn of(status: u16, content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status,
            headers: vec![("Content-Type".to_owned(), content_type.to_owned())],
            body: body.into(),
            breaks_after: None,
            waits: Duration::ZERO,
            stalls: Duration::ZERO,
            drips: Duration::ZERO,
            without_length: false,
        }
    }

    pub fn html(body: impl Into<Vec<u8>>) -> Self {
        Self::of(200, "text/html; charset=utf-8", body)
    }

    pub fn text(body: impl Into<Vec<u8>>) -> Self {
        Self::of(200, "text/plain; charset=utf-8", body)
    }

    pub fn xml(body: impl Into<Vec<u8>>) -> Self {
        Self::of(200, "application/xml", body)
    }

    pub fn status(status: u16) -> Self {
        Self::of(status, "text/plain", "")
    }

    pub fn redirect(to: &str) -> Self {
        Self::status(302).header("Location", to)
    }

    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// With an `ETag` made of the body.
    pub fn tagged(self) -> Self {
        let sum = self.body.iter().fold(7_u64, |sum, byte| sum.wrapping_mul(31) + u64::from(*byte));
        self.header("ETag", &format!("\"{sum:x}\""))
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

type Answer = dyn Fn(&Request, usize) -> Reply + Send;

/// A running server; it stops when dropped.
pub struct Server {
    pub address: String,
    log: Arc<Mutex<Vec<Request>>>,
    answer: Arc<Mutex<Box<Answer>>>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// `answer` is given each request and its number, from 0.
    pub fn start(answer: impl Fn(&Request, usize) -> Reply + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let log = Arc::new(Mutex::new(Vec::new()));
        let answer: Arc<Mutex<Box<Answer>>> = Arc::new(Mutex::new(Box::new(answer)));
        let stop = Arc::new(AtomicBool::new(false));
        let thread = std::thread::spawn({
            let (log, answer, stop) = (Arc::clone(&log), Arc::clone(&answer), Arc::clone(&stop));
            move || {
                for stream in listener.incoming() {
                    if stop.load(Ordering::SeqCst) {
                        break;
                    }
                    let mut stream = stream.unwrap();
                    let Some(mut request) = read_request(&mut stream) else {
                        continue;
                    };
                    let number = log.lock().unwrap().len();
                    let reply = conditional(&request, answer.lock().unwrap()(&request, number));
                    request.status = reply.status;
                    request.sent = reply.body.len();
                    log.lock().unwrap().push(request);
                    // The client may hang up first: that is its right.
                    std::thread::spawn(move || drop(send(&mut stream, &reply)));
                }
            }
        });
        Self { address, log, answer, stop, thread: Some(thread) }
    }

    /// Answers otherwise from now on.
    pub fn change(&self, answer: impl Fn(&Request, usize) -> Reply + Send + 'static) {
        *self.answer.lock().unwrap() = Box::new(answer);
    }

    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.address)
    }

    /// The requests since the last look.
    pub fn take(&self) -> Vec<Request> {
        std::mem::take(&mut *self.log.lock().unwrap())
    }

    /// The paths asked for since the last look.
    pub fn paths(&self) -> Vec<String> {
        self.take().into_iter().map(|request| request.path).collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.address.trim_start_matches("http://"));
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn read_request(stream: &mut TcpStream) -> Option<Request> {
    let mut text = Vec::new();
    let mut byte = [0];
    while !text.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte).ok()? == 0 {
            return None;
        }
        text.extend_from_slice(&byte);
    }
    let text = String::from_utf8(text).ok()?;
    let mut lines = text.lines();
    let path = lines.next()?.split(' ').nth(1)?.to_owned();
    let headers = lines.filter_map(|line| line.split_once(": "));
    let headers = headers.map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()));
    Some(Request { path, headers: headers.collect(), status: 0, sent: 0 })
}

/// A good server says "as before" where it is.
fn conditional(request: &Request, reply: Reply) -> Reply {
    let is_same = |ours: &str, theirs: &str| {
        reply.get(ours).is_some_and(|value| request.header(theirs) == Some(value))
    };
    if reply.status == 200
        && (is_same("ETag", "if-none-match") || is_same("Last-Modified", "if-modified-since"))
    {
        return Reply { status: 304, body: Vec::new(), ..reply };
    }
    reply
}

fn send(stream: &mut TcpStream, reply: &Reply) -> std::io::Result<()> {
    std::thread::sleep(reply.waits);
    let mut head =
        format!("HTTP/1.1 {} Said so\r\nConnection: close\r\n", reply.status).into_bytes();
    for (name, value) in &reply.headers {
        head.extend_from_slice(format!("{name}: {value}\r\n").as_bytes());
    }
    if !reply.without_length && reply.status != 304 {
        head.extend_from_slice(format!("Content-Length: {}\r\n", reply.body.len()).as_bytes());
    }
    head.extend_from_slice(b"\r\n");
    stream.write_all(&head)?;
    let body = &reply.body[..reply.breaks_after.unwrap_or(reply.body.len()).min(reply.body.len())];
    if !reply.drips.is_zero() {
        for byte in body {
            stream.write_all(&[*byte])?;
            std::thread::sleep(reply.drips);
        }
        return Ok(());
    }
    let (first, second) = body.split_at(body.len() / 2);
    stream.write_all(first)?;
    stream.flush()?;
    std::thread::sleep(reply.stalls);
    stream.write_all(second)?;
    stream.flush()
}
