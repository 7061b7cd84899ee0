//! Delays, pauses and patience, by a clock that is told.

use crate::network::FakeNetwork;
use crate::server::{Reply, Server};
use crate::{FakePace, fetch, fetch_at, options, pages, skipped};
use campanile_website::{SkipReason, WebsiteOptions, WebsiteReport, fetch_by};
use std::time::Duration;

fn run(pace: &mut FakePace, network: &mut FakeNetwork, options: &WebsiteOptions) -> WebsiteReport {
    let folder = tempfile::tempdir().unwrap();
    fetch_by(folder.path(), options, network, pace, &mut |_| {}).unwrap()
}

fn addresses(list: &[&str]) -> WebsiteOptions {
    options(&list.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>())
}

#[test]
fn a_host_is_asked_once_in_a_delay() {
    let mut pace = FakePace::new();
    let mut network = FakeNetwork::new(&pace, |_, _| (200, vec![], "page"));
    run(&mut pace, &mut network, &addresses(&["http://a/1", "http://a/2", "http://a/3"]));
    assert_eq!(network.times("http://a/"), [0, 1_000, 2_000, 3_000]);
}

#[test]
fn hosts_do_not_wait_for_each_other() {
    let mut pace = FakePace::new();
    let mut network = FakeNetwork::new(&pace, |_, _| (200, vec![], "page"));
    let list = ["http://a/1", "http://a/2", "http://b/1", "http://b/2", "https://b:444/3"];
    run(&mut pace, &mut network, &WebsiteOptions { delay_ms: 1_500, ..addresses(&list) });
    assert_eq!(network.times("http://a/"), [0, 1_500, 3_000]);
    // One host, whatever the port.
    let mut times = network.times("http://b/");
    times.extend(network.times("https://b:444/"));
    times.sort_unstable();
    assert!(times.windows(2).all(|pair| pair[1] - pair[0] >= 1_500), "{times:?}");
    assert_eq!(times[0], 0);
}

#[test]
fn the_longer_of_both_delays_is_kept() {
    for (crawl_delay, expected) in [("4", [0, 4_000, 8_000]), ("0.2", [0, 1_000, 2_000])] {
        let mut pace = FakePace::new();
        let mut network = FakeNetwork::new(&pace, move |url, _| match url {
            "http://a/robots.txt" if crawl_delay == "4" => {
                (200, vec![], "User-agent: *\nCrawl-delay: 4")
            }
            "http://a/robots.txt" => (200, vec![], "User-agent: *\nCrawl-delay: 0.2"),
            _ => (200, vec![], "page"),
        });
        run(&mut pace, &mut network, &addresses(&["http://a/1", "http://a/2"]));
        assert_eq!(network.times("http://a/"), expected, "{crawl_delay}");
    }
}

#[test]
fn a_delay_beyond_reason_is_reported() {
    let mut pace = FakePace::new();
    let mut network = FakeNetwork::new(&pace, |url, _| match url {
        "http://a/robots.txt" => (200, vec![], "User-agent: *\nCrawl-delay: 3600"),
        _ => (200, vec![], "page"),
    });
    let report = run(&mut pace, &mut network, &addresses(&["http://a/1"]));
    assert!(matches!(
        skipped(&report)[..],
        [("/1", SkipReason::CrawlDelay { delay_secs: 3_600, .. })]
    ));
    assert_eq!(network.times("http://a/").len(), 1);
}

#[test]
fn retry_after_is_kept_in_seconds_and_as_a_date() {
    for status in [429, 503] {
        for by_date in [false, true] {
            let mut pace = FakePace::new();
            let later = pace.start + Duration::from_secs(31);
            let value = if by_date { httpdate::fmt_http_date(later) } else { "30".to_owned() };
            let mut network = FakeNetwork::new(&pace, move |url, before| match (url, before) {
                ("http://a/1", 0) => (status, vec![("Retry-After", value.clone())], ""),
                _ => (200, vec![], "page"),
            });
            let report = run(&mut pace, &mut network, &addresses(&["http://a/1", "http://a/2"]));
            assert_eq!(pages(&report), ["/1", "/2"]);
            assert_eq!(network.times("http://a/1"), [1_000, 31_000], "{status} {by_date}");
            assert_eq!(network.times("http://a/2"), [32_000]);
        }
    }
}

#[test]
fn a_host_that_wants_its_peace_gets_it() {
    let cases = [(Some("7200"), 1), (None, 3)];
    for (retry_after, requests) in cases {
        let mut pace = FakePace::new();
        let mut network = FakeNetwork::new(&pace, move |url, _| {
            let headers = retry_after.map(|value| ("Retry-After", value.to_owned()));
            match url {
                "http://a/robots.txt" | "http://b/robots.txt" => (404, vec![], ""),
                _ if url.starts_with("http://a/") => (429, headers.into_iter().collect(), ""),
                _ => (200, vec![], "page"),
            }
        });
        let report =
            run(&mut pace, &mut network, &addresses(&["http://a/1", "http://a/2", "http://b/1"]));
        assert_eq!(network.times("http://a/1").len(), requests);
        assert_eq!(network.times("http://a/2").len(), 0);
        assert_eq!(pages(&report), ["/1"]);
        let [(_, busy), (_, alone)] = skipped(&report)[..] else { panic!("{report:?}") };
        assert!(matches!(busy, SkipReason::Busy { status: 429, .. }), "{busy}");
        assert!(matches!(alone, SkipReason::HostLeftAlone { .. }), "{alone}");
    }
}

#[test]
fn a_host_that_does_not_answer_is_left_alone() {
    let mut pace = FakePace::new();
    let mut network = FakeNetwork::new(&pace, |url, _| match url {
        "http://a/robots.txt" => (404, vec![], ""),
        _ => (0, vec![], ""),
    });
    let list: Vec<String> = (0..40).map(|number| format!("http://a/{number}")).collect();
    let report = run(&mut pace, &mut network, &options(&list));
    assert_eq!(network.times("http://a/").len(), 1 + 5 * 3);
    assert_eq!((report.pages.len(), report.skipped.len()), (0, 40));
}

#[test]
fn a_passing_fault_is_repeated() {
    for fault in [0, 500, 502, 503] {
        let mut pace = FakePace::new();
        let mut network = FakeNetwork::new(&pace, move |url, before| match (url, before) {
            ("http://a/1", 0 | 1) => (fault, vec![], ""),
            _ => (200, vec![], "page"),
        });
        let report = run(&mut pace, &mut network, &addresses(&["http://a/1"]));
        assert_eq!(pages(&report), ["/1"], "{fault}");
        assert_eq!(network.times("http://a/1"), [1_000, 6_000, 21_000]);
    }
}

#[test]
fn the_agent_is_named() {
    let server = Server::start(|_, _| Reply::html("page"));
    let folder = tempfile::tempdir().unwrap();
    let contact = "https://example.edu/bot".to_owned();
    fetch(folder.path(), &WebsiteOptions { contact, ..options(&[server.url("/a")]) });
    for request in server.take() {
        let agent = request.header("user-agent").unwrap();
        assert!(
            agent.starts_with("Campanile/") && agent.ends_with("(+https://example.edu/bot)"),
            "{agent}"
        );
    }
}

#[test]
fn real_time_passes_between_requests() {
    let server = Server::start(|_, _| Reply::html("page"));
    let folder = tempfile::tempdir().unwrap();
    let options =
        WebsiteOptions { delay_ms: 150, ..options(&[server.url("/a"), server.url("/b")]) };
    let start = std::time::Instant::now();
    campanile_website::fetch(folder.path(), &options, &mut |_| {}).unwrap();
    assert!(start.elapsed() >= Duration::from_millis(300));
    assert_eq!(server.paths().len(), 3);
}

#[test]
fn a_server_that_is_not_there_is_an_ordinary_case() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/a", listener.local_addr().unwrap());
    drop(listener);
    let folder = tempfile::tempdir().unwrap();
    let mut pace = FakePace::new();
    let report = fetch_at(folder.path(), &options(&[address]), &mut pace, &mut |_| {}).unwrap();
    let [(_, reason)] = skipped(&report)[..] else { panic!("{report:?}") };
    assert!(matches!(reason, SkipReason::RobotsUnreachable { .. }), "{reason}");
    assert!(reason.to_string().contains("robots.txt"), "{reason}");
}
