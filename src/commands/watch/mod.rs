//! `campanile watch`: builds while documents are written, and shows each build in the open page.
//!
//! A thread looks at the files and builds; the server tells open pages of each build over a stream of events. The script
//! that listens is put into the page as it is served, so that no site has it.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, bail};
use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use campanile_build::{Summary, config};
use campanile_terminal::{console, say, tell};
use futures_lite::Stream;
use futures_lite::future::or;
use futures_lite::stream::unfold;
use serde_json::json;
use tokio::sync::watch::{Receiver, Sender, channel};

use super::build::{self, Built};
use super::serve;
use crate::cli::{BuildArguments, WatchArguments};

/// The shortest time between two looks at the files. Whoever saves expects to see it, and an editor that writes a file
/// in several steps is through with them after one.
const INTERVAL: Duration = Duration::from_millis(400);
/// A look at many files of a slow network takes long: it may take up to this part of the time.
const LOOKING: u32 = 4;

const RELOAD: &str = include_str!("reload.js");
const SERVICE_WORKER: &str = include_str!("service-worker.js");

/// Builds and serves until it is interrupted.
pub fn run(arguments: &WatchArguments) -> anyhow::Result<ExitCode> {
    if !arguments.docs.is_dir() {
        bail!(
            "`{}` is no folder\n  way out: `campanile watch DOCS`, where DOCS is the folder that \
             holds the documents",
            arguments.docs.display()
        );
    }
    let temporary = tempfile::tempdir().context("cannot create a folder for the site")?;
    let output = arguments.output.clone().unwrap_or_else(|| temporary.path().join("site"));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the server")?;
    runtime.block_on(watch(arguments, &output))
}

async fn watch(arguments: &WatchArguments, output: &Path) -> anyhow::Result<ExitCode> {
    let (listener, address) = serve::listen(arguments.port).await?;
    let (sender, receiver) = channel(News::default());
    let builds = BuildArguments {
        config: arguments.config.clone(),
        no_report: true,
        ..BuildArguments::new(arguments.docs.clone(), output.to_owned())
    };
    let page = Arc::new(Page { site: output.to_owned(), news: receiver });
    let own = Router::new()
        .route("/", get(index))
        .route("/index.html", get(index))
        .route("/service-worker.js", get(|| script(SERVICE_WORKER)))
        .route("/campanile-watch/reload.js", get(|| script(RELOAD)))
        .route("/campanile-watch/events", get(events))
        .with_state(page);
    let router = serve::router(output, false, own);
    say!("Watching {} (Ctrl-C stops)", arguments.docs.display());
    say!("http://{address}/");
    thread::spawn(move || build_each_change(&builds, &sender));
    let served = async { axum::serve(listener, router).await.context("the server stopped") };
    let interrupted = async { tokio::signal::ctrl_c().await.context("cannot wait for Ctrl-C") };
    // Not gracefully: pages that listen for events would never let go.
    or(served, interrupted).await?;
    Ok(ExitCode::SUCCESS)
}

/// The latest build, as open pages are told of it.
#[derive(Debug, Clone, Default)]
struct News {
    /// Tells the site from all others that were shown at this address; none where there is no site yet.
    build: Option<String>,
    /// The reason why the build after it failed.
    failure: Option<String>,
}

impl News {
    fn event(&self) -> Event {
        let failed = |words: &str, reason: &str| {
            // As JSON, since a line of an event ends it.
            Event::default().event("failed").data(json!(format!("{words}\n{reason}")).to_string())
        };
        match (&self.failure, &self.build) {
            (Some(reason), Some(_)) => {
                failed("The last build failed, and the page is as it was before.", reason)
            }
            (Some(reason), None) => failed("The build failed.", reason),
            (None, Some(build)) => Event::default().event("built").data(build),
            (None, None) => Event::default().comment("no site yet"),
        }
    }
}

/// Builds at once, and again after each change.
fn build_each_change(arguments: &BuildArguments, news: &Sender<News>) {
    let settings = arguments.config.clone();
    let docs = arguments.documents();
    let settings = settings.unwrap_or_else(|| docs.join(config::FILE_NAME));
    let mut built = Looked::at(&docs, &settings);
    let mut told = None;
    loop {
        match build::build(arguments) {
            Ok(Built { summary, unsaid }) => {
                // Once, not with each word that is written.
                if unsaid != told {
                    unsaid.iter().for_each(|warning| tell!("{warning}"));
                    told = unsaid;
                }
                tell_of(&summary);
                // The time, since a page may have been left open by an earlier server at this address.
                let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                let build = Some(now.as_nanos().to_string());
                news.send_replace(News { build, failure: None });
            }
            Err(error) => {
                console::report(&error);
                news.send_modify(|news| news.failure = Some(error.to_string()));
                if news.borrow().build.is_some() {
                    tell!("The site is as it was before.");
                }
            }
        }
        built = next_change(&built, || Looked::at(&docs, &settings), thread::sleep);
    }
}

fn tell_of(summary: &Summary) {
    let failed = match summary.failed {
        0 => String::new(),
        failed => format!(" ({failed} could not be read)"),
    };
    say!(
        "Built     {}{failed}, {}, in {}",
        console::count(summary.documents, "document"),
        console::count(summary.chunks, "passage"),
        console::duration(Duration::from_secs_f64(summary.seconds))
    );
}

/// Looks again and again until something differs from what was `built` and nothing has changed since the look before.
fn next_change(
    built: &Looked,
    mut look: impl FnMut() -> Looked,
    mut pause: impl FnMut(Duration),
) -> Looked {
    let mut before = None;
    loop {
        let begun = Instant::now();
        let seen = look();
        if seen != *built && before.as_ref() == Some(&seen) {
            return seen;
        }
        before = Some(seen);
        pause(INTERVAL.max(begun.elapsed() * LOOKING));
    }
}

/// The files that a build reads, each with its length and the time of its last change.
// Times are looked at, rather than the system asked to tell of changes: of a folder on a network, where a department's
// documents lie, systems tell only what the own machine does.
#[derive(Debug, Default, PartialEq, Eq)]
struct Looked(BTreeMap<PathBuf, (u64, Option<SystemTime>)>);

impl Looked {
    fn at(docs: &Path, settings: &Path) -> Self {
        // A folder that is gone, or holds nothing, is one without files; the build says what is wrong.
        let found = campanile_ingest::discover(docs).unwrap_or_default();
        let inside = found.files.iter().chain(&found.sidecars).map(|path| docs.join(path));
        let files = inside.chain([settings.to_owned()]).filter_map(|path| {
            let about = std::fs::metadata(&path).ok()?;
            Some((path, (about.len(), about.modified().ok())))
        });
        Self(files.collect())
    }
}

/// The site that the server answers from, and news of it.
struct Page {
    site: PathBuf,
    news: Receiver<News>,
}

/// The site's page with the script that opens it anew.
async fn index(State(page): State<Arc<Page>>) -> Response {
    // Before the page is read: a build that ends in between has it opened once more, not once too few.
    let build = page.news.borrow().build.clone().unwrap_or_default();
    let script = format!(
        "<script type=\"module\" src=\"/campanile-watch/reload.js?build={build}\"></script>"
    );
    match std::fs::read_to_string(page.site.join("index.html")) {
        Ok(text) => Html(text.replacen("</head>", &format!("{script}</head>"), 1)).into_response(),
        Err(_) => {
            // An icon of its own, or the browser asks for one that is not there yet.
            let waiting = format!(
                "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Building</title>\
                 <link rel=\"icon\" href=\"data:,\">{script}</head>\
                 <body><p>The first build is under way: this page opens by itself when it is done.</p></body></html>"
            );
            (StatusCode::SERVICE_UNAVAILABLE, Html(waiting)).into_response()
        }
    }
}

async fn script(text: &'static str) -> impl IntoResponse {
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, header::HeaderValue::from_static("text/javascript"));
    (headers, text)
}

/// News of builds: the latest at once, then each as it comes.
async fn events(
    State(page): State<Arc<Page>>,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let mut news = page.news.clone();
    news.mark_changed();
    let stream = unfold(news, |mut news| async move {
        news.changed().await.ok()?;
        let event = news.borrow_and_update().event();
        Some((Ok(event), news))
    });
    Sse::new(stream).keep_alive(KeepAlive::default())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn looked(lengths: &[(&str, u64)]) -> Looked {
        Looked(lengths.iter().map(|(path, length)| ((*path).into(), (*length, None))).collect())
    }

    #[test]
    fn a_change_is_built_once_it_has_settled() {
        let built = looked(&[("a.md", 1)]);
        // Saved in two steps, as editors do: away, half, whole.
        let looks = [
            looked(&[("a.md", 1)]),
            looked(&[("a.md", 1)]),
            looked(&[]),
            looked(&[("a.md", 2)]),
            looked(&[("a.md", 3)]),
            looked(&[("a.md", 3)]),
        ];
        let (mut looks, mut pauses) = (looks.into_iter(), 0);
        let change = next_change(&built, || looks.next().unwrap(), |_| pauses += 1);
        assert_eq!(change, looked(&[("a.md", 3)]));
        assert_eq!((pauses, looks.next()), (5, None));
    }

    #[test]
    fn settings_sidecars_and_documents_are_looked_at_and_sites_are_not() {
        let docs = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = docs.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        let look = || Looked::at(docs.path(), &docs.path().join("campanile.toml"));
        assert_eq!(look(), Looked::default(), "an empty folder");
        let mut before = look();
        for (path, is_looked_at) in [
            ("a.md", true),
            ("b/c.pdf", true),
            ("b/c.pdf.toml", true),
            ("campanile.toml", true),
            (".git/index", false),
            ("photo.png", false),
        ] {
            write(path, "text");
            let now = look();
            assert_eq!(now != before, is_looked_at, "{path}");
            before = now;
        }
        write("a.md", "more text");
        assert_ne!(look(), before);
    }
}
