//! Whom the client trusts, and which proxy it takes: what the environment says.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop at the first surprise")]

#[path = "support/encrypted.rs"]
mod encrypted;

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::mpsc;

use campanile_http::{Client, Options};
use encrypted::{Variables, certificate, outcome_with, read_request, serve};

/// Asks for an address as every caller does.
fn ask(address: &str) -> Result<String, String> {
    let client = Client::new(Options::default()).map_err(|error| error.to_string())?;
    let mut response = client
        .get(address, &[])
        .map_err(|failure| format!("{:?} {}: {failure}", failure.kind, failure.is_passing()))?;
    response.body_mut().read_to_string().map_err(|error| error.to_string())
}

#[test]
fn authorities_of_the_environment_are_trusted() {
    let test = "authorities_of_the_environment_are_trusted";
    let folder = tempfile::tempdir().unwrap();
    let made = |name: &str, text: &[u8]| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    };
    let authority = fs::read(certificate("authority.pem")).unwrap();
    let file = made("file.pem", &authority);
    let with_others =
        made("bundle.pem", &[b"A note before it\n", &authority[..], &authority].concat());
    let note = made("note.txt", b"no certificate");
    let garbage = made(
        "garbage.pem",
        b"-----BEGIN CERTIFICATE-----\nbm9uc2Vuc2U=\n-----END CERTIFICATE-----\n",
    );
    let cut = made("cut.pem", &authority[..200]);
    let missing = folder.path().join("missing.pem");
    let hashed = made("hashed/0a1b2c3d.0", &authority);
    made("hashed/README", b"Certificates of this system");
    made("hashed/nested/other.pem", b"not looked at");
    let hashed = hashed.parent().unwrap().to_owned();
    let bare = made("bare/README", b"Certificates of this system").parent().unwrap().to_owned();
    let both = joined(&[&bare, &hashed]);
    let none = Path::new("");

    let file_variable = "SSL_CERT_FILE";
    let folder_variable = "SSL_CERT_DIR";
    // Variable and value, the beginning of the outcome, and words in it.
    let cases: [(&str, &Path, &str, &[&str]); 14] = [
        (
            "UNRELATED",
            none,
            "Err",
            &["Tls false", "UnknownIssuer", "name their file in `SSL_CERT_FILE`"],
        ),
        (file_variable, none, "Err", &["Tls false"]),
        (file_variable, &file, "Ok", &["30 November"]),
        (file_variable, &with_others, "Ok", &["30 November"]),
        (
            file_variable,
            &missing,
            "Err",
            &["missing.pem", "`SSL_CERT_FILE`", "way out", "unset it"],
        ),
        (file_variable, &note, "Err", &["note.txt", "it holds none", "a PEM file"]),
        (file_variable, &garbage, "Err", &["garbage.pem", "is none"]),
        (file_variable, &cut, "Err", &["cut.pem", "way out"]),
        (file_variable, folder.path(), "Err", &["`SSL_CERT_FILE`", "directory"]),
        (folder_variable, none, "Err", &["Tls false"]),
        (folder_variable, &hashed, "Ok", &["30 November"]),
        (
            folder_variable,
            &bare,
            "Err",
            &["bare", "`SSL_CERT_DIR`", "none of its files", "folders of"],
        ),
        (folder_variable, &both, "Err", &["bare"]),
        (folder_variable, &missing, "Err", &["missing.pem", "`SSL_CERT_DIR`", "way out"]),
    ];
    let address = serve();
    for (variable, value, expected, words) in cases {
        let outcome = outcome_with(test, &address, &[(variable, value)], ask);
        let case = format!("{variable}={}: {outcome}", value.display());
        assert!(outcome.starts_with(expected), "{case}");
        for word in words {
            assert!(outcome.contains(word), "{word} in {case}");
        }
    }
    let two = joined(&[&hashed, folder.path()]);
    let outcome = outcome_with(test, &address, &[(folder_variable, &two)], ask);
    assert!(outcome.starts_with("Ok"), "several folders: {outcome}");
}

/// Folders in one variable, as in `PATH`.
fn joined(folders: &[&Path]) -> PathBuf {
    PathBuf::from(std::env::join_paths(folders).unwrap())
}

#[test]
fn the_proxy_of_the_environment_is_asked_except_for_this_machine() {
    let test = "the_proxy_of_the_environment_is_asked_except_for_this_machine";
    let (sender, asked) = mpsc::channel();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let proxy = PathBuf::from(format!("http://{}", listener.local_addr().unwrap()));
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let head = read_request(&mut stream).unwrap();
            sender.send(head.lines().next().unwrap().to_owned()).unwrap();
            write!(stream, "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n").unwrap();
        }
    });
    let here = serve();
    let authority = certificate("authority.pem");
    let listed = Path::new("elsewhere.invalid,.example.invalid");
    let cases: [(&str, &str, Variables<'_>, Option<&str>, &str); 6] = [
        (
            "HTTP_PROXY",
            "http://campus.invalid/a",
            &[],
            Some("CONNECT campus.invalid:80 HTTP/1.1"),
            "403",
        ),
        (
            "https_proxy",
            "https://campus.invalid/a",
            &[],
            Some("CONNECT campus.invalid:443 HTTP/1.1"),
            "403",
        ),
        // One proxy serves all addresses, whichever variable names it.
        (
            "HTTP_PROXY",
            "https://campus.invalid/a",
            &[],
            Some("CONNECT campus.invalid:443 HTTP/1.1"),
            "403",
        ),
        (
            "ALL_PROXY",
            "http://elsewhere.invalid/",
            &[("NO_PROXY", listed)],
            None,
            "Unreachable false",
        ),
        (
            "ALL_PROXY",
            "http://law.example.invalid/",
            &[("NO_PROXY", listed)],
            None,
            "Unreachable false",
        ),
        ("ALL_PROXY", &here, &[("SSL_CERT_FILE", &authority)], None, "30 November"),
    ];
    for (variable, address, others, expected, word) in cases {
        let variables: Vec<_> =
            others.iter().copied().chain([(variable, proxy.as_path())]).collect();
        let outcome = outcome_with(test, address, &variables, ask);
        assert!(outcome.contains(word), "{variable} {address}: {outcome}");
        assert_eq!(asked.try_recv().ok().as_deref(), expected, "{variable} {address}");
    }
}

#[test]
fn a_socks_proxy_is_asked() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let proxy = PathBuf::from(format!("socks5://{}", listener.local_addr().unwrap()));
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut version = [0];
        stream.read_exact(&mut version).unwrap();
        version
    });
    let variables = [("ALL_PROXY", proxy.as_path())];
    let outcome = outcome_with("a_socks_proxy_is_asked", "http://192.0.2.1/", &variables, ask);
    assert!(outcome.starts_with("Err"), "{outcome}");
    assert_eq!(server.join().unwrap(), [5]);
}
