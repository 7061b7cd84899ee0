//! A web server on loopback that misbehaves as told.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

/// A client's request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    pub path: String,
    /// First byte of the range asked for.
    pub from: Option<usize>,
}

impl Request {
    pub fn file(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }
}

/// The server's reply to a request.
pub enum Reply {
    /// The file, or the range asked for.
    File(Vec<u8>),
    /// The same, but the connection ends after so many bytes of the body.
    Broken(Vec<u8>, usize),
    /// The whole file, whatever range was asked for.
    WithoutRange(Vec<u8>),
    /// The whole file with no word about its length.
    WithoutLength(Vec<u8>),
    /// A status and nothing else.
    Status(u16),
    /// Look there instead.
    Redirect(String),
}

/// A running server; it stops when dropped.
pub struct Server {
    pub address: String,
    log: Arc<Mutex<Vec<Request>>>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// `answer` is given each request and its number, from 0.
    pub fn start(answer: impl Fn(&Request, usize) -> Reply + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let log = Arc::new(Mutex::new(Vec::new()));
        let stop = Arc::new(AtomicBool::new(false));
        let thread = std::thread::spawn({
            let (log, stop) = (Arc::clone(&log), Arc::clone(&stop));
            move || {
                for stream in listener.incoming() {
                    if stop.load(Ordering::SeqCst) {
                        break;
                    }
                    let mut stream = stream.unwrap();
                    let Some(request) = read_request(&mut stream) else {
                        continue;
                    };
                    let number = {
                        let mut log = log.lock().unwrap();
                        log.push(request.clone());
                        log.len() - 1
                    };
                    // The client may hang up first: that is its right.
                    let _ = send(&mut stream, &request, answer(&request, number));
                }
            }
        });
        Self { address, log, stop, thread: Some(thread) }
    }

    /// The requests so far.
    pub fn requests(&self) -> Vec<Request> {
        self.log.lock().unwrap().clone()
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
    let text = String::from_utf8(text).ok()?.to_ascii_lowercase();
    let path = text.split(' ').nth(1)?.to_owned();
    let from = text
        .lines()
        .find_map(|line| line.strip_prefix("range: bytes="))
        .and_then(|range| range.trim_end_matches('-').parse().ok());
    Some(Request { path, from })
}

fn send(stream: &mut TcpStream, request: &Request, reply: Reply) -> std::io::Result<()> {
    let (bytes, most) = match reply {
        Reply::File(bytes) => (bytes, usize::MAX),
        Reply::Broken(bytes, most) => (bytes, most),
        Reply::WithoutRange(bytes) => {
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n", bytes.len());
            return write(stream, &head, &bytes);
        }
        Reply::WithoutLength(bytes) => return write(stream, "HTTP/1.1 200 OK\r\n", &bytes),
        Reply::Status(status) => {
            let head = format!("HTTP/1.1 {status} Said so\r\nContent-Length: 0\r\n");
            return write(stream, &head, b"");
        }
        Reply::Redirect(to) => {
            let head = format!("HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\n");
            return write(stream, &head, b"");
        }
    };
    let from = request.from.unwrap_or(0);
    let rest = &bytes[from.min(bytes.len())..];
    let head = match request.from {
        Some(from) => format!(
            "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes {from}-{}/{}\r\nContent-Length: {}\r\n",
            bytes.len() - 1,
            bytes.len(),
            rest.len()
        ),
        None => format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n", rest.len()),
    };
    write(stream, &head, &rest[..most.min(rest.len())])
}

fn write(stream: &mut TcpStream, head: &str, body: &[u8]) -> std::io::Result<()> {
    stream.write_all(head.as_bytes())?;
    stream.write_all(b"Connection: close\r\n\r\n")?;
    stream.write_all(body)?;
    stream.flush()
}
