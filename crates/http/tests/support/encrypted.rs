//! A server whose certificate no usual authority vouches for, and requests from processes of their own: the environment
//! that says whom to trust belongs to a whole process. The tests of every caller of `campanile-http` use this file.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// What the server answers to everything: a reply of a language model, which to others is a file like any.
pub const BODY: &str = r#"{"choices": [{"message": {"content": "Until 30 November."}}]}"#;

/// Environment variables with their values.
pub type Variables<'a> = &'a [(&'a str, &'a Path)];

/// The variable by which a process of these tests knows that it is to ask, and whom.
const ADDRESS: &str = "CAMPANILE_TEST_ADDRESS";
/// What a process says before it tells how its request went.
const OUTCOME: &str = "outcome: ";

/// A file of `certificates/` beside this folder.
pub fn certificate(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../http/tests/certificates").join(name)
}

/// Starts the server and returns its address. It ends with the process.
pub fn serve() -> String {
    let chain = CertificateDer::pem_file_iter(certificate("server.pem")).unwrap();
    let key = PrivateKeyDer::from_pem_file(certificate("server.key")).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(chain.map(Result::unwrap).collect(), key)
        .unwrap();
    let config = Arc::new(config);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("https://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let connection = ServerConnection::new(Arc::clone(&config)).unwrap();
            // A client that does not trust the server hangs up: that is its right.
            drop(answer(StreamOwned::new(connection, stream.unwrap())));
        }
    });
    address
}

fn answer(mut stream: StreamOwned<ServerConnection, TcpStream>) -> std::io::Result<()> {
    read_request(&mut stream)?;
    let length = BODY.len();
    write!(
        stream,
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{BODY}"
    )?;
    stream.conn.send_close_notify();
    stream.flush()
}

/// Reads a request with its body and returns its head.
pub fn read_request(stream: &mut impl Read) -> std::io::Result<String> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte)?;
        head.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        name.eq_ignore_ascii_case("content-length").then(|| value.parse().unwrap())
    });
    stream.read_exact(&mut vec![0; length.unwrap_or(0)])?;
    Ok(head)
}

/// Asks for an address in a process of its own with these variables, and returns what `ask` there made of it. That
/// process runs the same test again, whose name is `test`; in there this function does not return.
pub fn outcome_with(
    test: &str,
    address: &str,
    variables: Variables<'_>,
    ask: impl Fn(&str) -> Result<String, String>,
) -> String {
    if let Ok(address) = std::env::var(ADDRESS) {
        println!("\n{OUTCOME}{:?}", ask(&address));
        std::process::exit(0);
    }
    let mut process = Command::new(std::env::current_exe().unwrap());
    process.args([test, "--exact", "--nocapture"]).env(ADDRESS, address);
    for name in ["ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"] {
        process.env_remove(name).env_remove(name.to_lowercase());
    }
    process.env_remove("SSL_CERT_FILE").env_remove("SSL_CERT_DIR");
    let output = process.envs(variables.iter().copied()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let outcome = said.lines().find_map(|line| line.strip_prefix(OUTCOME));
    outcome.unwrap_or_else(|| panic!("{test} did not ask: {output:?}")).to_owned()
}

/// Shows that `ask` goes by `SSL_CERT_FILE`: it returns the body of what it fetched, or its error.
#[allow(dead_code, reason = "the tests of `campanile-http` itself look closer")]
pub fn goes_by_ssl_cert_file(test: &str, ask: impl Fn(&str) -> Result<String, String>) {
    let address = serve();
    let (authority, missing) = (certificate("authority.pem"), certificate("missing.pem"));
    let cases: [(Variables<'_>, &str, &[&str]); 3] = [
        (&[], "Err", &["name their file in `SSL_CERT_FILE`"]),
        (&[("SSL_CERT_FILE", &authority)], "Ok", &["30 November"]),
        (&[("SSL_CERT_FILE", &missing)], "Err", &["missing.pem", "`SSL_CERT_FILE`", "way out"]),
    ];
    for (variables, expected, words) in cases {
        let outcome = outcome_with(test, &address, variables, &ask);
        assert!(outcome.starts_with(expected), "{variables:?}: {outcome}");
        for word in words {
            assert!(outcome.contains(word), "{variables:?}: {word} in {outcome}");
        }
    }
}
