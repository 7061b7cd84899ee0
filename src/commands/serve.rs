//! `campanile serve`: a built site on this machine, for a look before it is published.

use std::collections::BTreeSet;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::{self, Next};
use axum::response::Response;
use axum::serve::{Listener, ListenerExt as _};
use campanile_bundle::{CampusSite, MANIFEST_PATH, Manifest};
use campanile_terminal::say;
use tokio::net::{TcpListener, TcpStream};
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate, SizeAbove};
use tower_http::services::ServeDir;
use tower_http::set_header::SetResponseHeaderLayer;
use tracing::info;

use super::kiosk;
use crate::cli::ServeArguments;

/// A smaller file fits one packet as it is.
const LEAST_COMPRESSED_BYTES: u16 = 1_000;

/// Serves until it is interrupted. Only loopback: other machines cannot reach it.
pub fn run(arguments: &ServeArguments) -> anyhow::Result<ExitCode> {
    if !arguments.site.join("campanile.json").is_file() {
        bail!(
            "`{}` holds no site: it has no campanile.json\n  \
             way out: build one with `campanile build DOCS -o {}`",
            arguments.site.display(),
            arguments.site.display()
        );
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the server")?;
    runtime.block_on(serve(arguments))
}

/// The headers of every response.
fn headers(isolated: bool) -> Vec<(HeaderName, &'static str)> {
    // What is on disk may be rebuilt at any moment: a browser asks again before it uses its copy.
    let mut headers =
        vec![(header::CACHE_CONTROL, "no-cache"), (header::X_CONTENT_TYPE_OPTIONS, "nosniff")];
    if isolated {
        // https://html.spec.whatwg.org/multipage/browsers.html#cross-origin-opener-policies
        headers.push((HeaderName::from_static("cross-origin-opener-policy"), "same-origin"));
        headers.push((HeaderName::from_static("cross-origin-embedder-policy"), "require-corp"));
    }
    headers
}

/// Compresses the page and its programs: shards and pictures are compressed as they lie there.
fn compression() -> CompressionLayer<impl Predicate> {
    let worth = SizeAbove::new(LEAST_COMPRESSED_BYTES)
        .and(NotForContentType::const_new("application/octet-stream"))
        .and(NotForContentType::const_new("image/png"));
    CompressionLayer::new().compress_when(worth)
}

/// Tells the log of a request. What is asked of a site stays in the browser: an address holds no question.
async fn logged(request: Request, next: Next) -> Response {
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let response = next.run(request).await;
    info!(%method, path, status = response.status().as_u16(), "served");
    response
}

/// Listens on a port of this machine; other machines cannot reach it.
pub async fn listen(port: u16) -> anyhow::Result<(impl Listener<Addr = SocketAddr>, SocketAddr)> {
    let wanted = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let listener = TcpListener::bind(wanted).await.with_context(|| {
        format!("cannot listen on {wanted}\n  way out: `--port 0` takes any free port")
    })?;
    let address = listener.local_addr().context("the server has no address")?;
    // Else the end of an answer waits for the browser to say that it has the beginning: 40 ms, many times a page.
    let at_once = |stream: &mut TcpStream| {
        if let Err(error) = stream.set_nodelay(true) {
            info!(%error, "answers come in larger pieces");
        }
    };
    Ok((listener.tap_io(at_once), address))
}

/// Answers with a site's files as static hosts do; `own` answers first.
pub fn router(site: &Path, isolated: bool, own: Router) -> Router {
    // Beside a file `x` a compressed `x.gz` is sent as it lies there.
    let files = ServeDir::new(site).precompressed_gzip();
    let mut router = Router::new().fallback_service(files).layer(compression()).merge(own);
    for (name, value) in headers(isolated) {
        let value = HeaderValue::from_static(value);
        router = router.layer(SetResponseHeaderLayer::if_not_present(name, value));
    }
    router.layer(middleware::from_fn(logged))
}

/// The sites beside a campus's own folder that it asks. Its page stands at the root here, where `../physics/` is `/physics/`
/// (URL Standard, section 4.4: nothing is above the root).
fn departments(site: &Path) -> anyhow::Result<Router> {
    let path = site.join(MANIFEST_PATH);
    let bytes =
        std::fs::read(&path).with_context(|| format!("cannot read `{}`", path.display()))?;
    // What is wrong with a manifest, the page says.
    let campus = Manifest::decode(&bytes).ok().and_then(|manifest| manifest.campus);
    let mut router = Router::new();
    let mut known = BTreeSet::new();
    for CampusSite { address, .. } in campus.iter().flat_map(|campus| &campus.sites) {
        let Some(rest) = address.strip_prefix("../") else { continue };
        let shown = rest.trim_start_matches("../").trim_end_matches('/');
        // The router has a meaning of its own for these, and takes a path once.
        let is_plain = !shown.is_empty() && !shown.contains(['{', '}', '*', ':']);
        if is_plain && known.insert(shown) {
            router = router.nest_service(&format!("/{shown}"), ServeDir::new(site.join(address)));
        }
    }
    Ok(router)
}

async fn serve(arguments: &ServeArguments) -> anyhow::Result<ExitCode> {
    let (listener, address) = listen(arguments.port).await?;
    let own = if arguments.kiosk { kiosk::router(arguments)? } else { Router::new() };
    let own = own.merge(departments(&arguments.site)?);
    let router = router(&arguments.site, arguments.isolated, own);
    say!("Serving {} (Ctrl-C stops)", arguments.site.display());
    say!("http://{address}/");
    axum::serve(listener, router)
        .with_graceful_shutdown(async {
            // Without a handler for the signal the process would end all the same.
            let _ = tokio::signal::ctrl_c().await;
        })
        .await
        .context("the server stopped")?;
    Ok(ExitCode::SUCCESS)
}
