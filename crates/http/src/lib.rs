//! The HTTP client that everything native shares: the fetch of a website and of models, questions to a language model's
//! server, and a site that is asked over the web.
//!
//! # Why it is so
//!
//! **One answer to "whom do we trust?".** A network that looks into encrypted traffic shows certificates of its own, and
//! a program that trusts them for one address and not for the next cannot be explained to anybody. Each [`Client`] trusts
//! Mozilla's authorities, which come with the program, and in addition what `SSL_CERT_FILE` and `SSL_CERT_DIR` name. Other
//! tools trust only what the variables name; here they add, so that a file with nothing but the network's own certificate
//! is enough. A file or folder that cannot be read is a [`CertificatesError`] and never passed over.
//!
//! **Proxies as `ureq` reads them.** The first of `ALL_PROXY`, `HTTPS_PROXY` and `HTTP_PROXY`, in upper or lower case, is
//! asked for every address, except those that `NO_PROXY` lists and those of this machine, which no proxy knows.
//!
//! **A failure says what may help.** [`Failure`] tells whether a later attempt can do better, and names the way out where a
//! certificate is not trusted. A status such as 404 or 500 is an answer and no failure: what it means depends on
//! what was asked.
//!
//! What stays with the callers is what they know better: how long to wait ([`Timeouts`]), how often to try, whether
//! redirects are followed, and what an answer means. `ureq` is seen by this crate alone, so no client can be made that
//! goes by other rules.
//!
//! # Example
//!
//! ```
//! use campanile_http::{Client, FailureKind, Options, Timeouts};
//! use std::io::{Read, Write};
//! use std::time::Duration;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // A server that says nothing but this.
//! let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
//! let address = format!("http://{}", listener.local_addr()?);
//! let server = std::thread::spawn(move || -> std::io::Result<()> {
//!     let (mut stream, _) = listener.accept()?;
//!     let _request = stream.read(&mut [0; 1024])?;
//!     stream.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 6\r\n\r\nNo bed")
//! });
//!
//! let patience = Some(Duration::from_secs(5));
//! let timeouts = Timeouts { connect: patience, response: patience, ..Timeouts::default() };
//! let client = Client::new(Options { timeouts, ..Options::default() })?;
//!
//! let mut response = client.get(&address, &[("accept", "text/plain")])?;
//! assert_eq!(response.status(), 404);
//! assert_eq!(response.body_mut().read_to_string()?, "No bed");
//! server.join().expect("the server does not panic")?;
//!
//! // Now nobody listens there.
//! let failure = client.get(&address, &[]).expect_err("nobody answers");
//! assert_eq!(failure.kind, FailureKind::Unreachable);
//! assert!(!failure.is_passing());
//! # Ok(())
//! # }
//! ```

mod certificates;
mod client;
mod failure;

pub use certificates::CertificatesError;
pub use client::{Client, Options, Response, Timeouts, USER_AGENT, is_loopback};
pub use failure::{Failure, FailureKind};
/// Names of headers, and statuses.
pub use ureq::http;
