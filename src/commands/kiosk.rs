//! `campanile serve --kiosk`: the page for a screen that everybody uses.
//!
//! The page gets to know that it is one (`data-kiosk`), and does the rest itself (`web/kiosk.js`). Beside the site's files
//! the server draws QR codes and, where that is wanted, keeps the questions that were not answered.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context as _;
use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use qrcode::{EcLevel, QrCode};
use serde_json::{Value, json};
use tracing::warn;

use crate::cli::ServeArguments;

/// A QR code holds no more.
const MOST_BYTES: usize = 4_000;

/// In the place of the site's own, which would keep the page as it is for everybody else.
const SERVICE_WORKER: &str = include_str!("watch/service-worker.js");

/// A kiosk.
struct Kiosk {
    site: PathBuf,
    /// The settings that the page is given, as JSON.
    told: String,
    log: Option<PathBuf>,
}

/// The paths that a kiosk's server answers before the site's files.
///
/// # Errors
/// Where the log cannot be written.
pub fn router(arguments: &ServeArguments) -> anyhow::Result<Router> {
    if let Some(log) = &arguments.log {
        // Now, while somebody looks, and not at the first question.
        open(log).with_context(|| {
            format!("cannot write to {}\n  way out: `--log` with another file", log.display())
        })?;
    }
    let told = json!({
        "idle": arguments.idle,
        "address": arguments.address,
        "logs": arguments.log.is_some(),
    });
    let kiosk =
        Kiosk { site: arguments.site.clone(), told: told.to_string(), log: arguments.log.clone() };
    Ok(Router::new()
        .route("/", get(index))
        .route("/index.html", get(index))
        .route("/service-worker.js", get(service_worker))
        .route("/campanile-kiosk/qr", post(qr_code))
        .route("/campanile-kiosk/log", post(note))
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .with_state(Arc::new(kiosk)))
}

fn open(log: &PathBuf) -> std::io::Result<std::fs::File> {
    OpenOptions::new().create(true).append(true).open(log)
}

async fn index(State(kiosk): State<Arc<Kiosk>>) -> Response {
    match std::fs::read_to_string(kiosk.site.join("index.html")) {
        Ok(page) => {
            let told = kiosk.told.replace('&', "&amp;").replace('"', "&quot;");
            Html(page.replacen("<html ", &format!("<html data-kiosk=\"{told}\" "), 1))
                .into_response()
        }
        Err(error) => {
            warn!(%error, "the site's page cannot be read");
            StatusCode::NOT_FOUND.into_response()
        }
    }
}

async fn service_worker() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/javascript")], SERVICE_WORKER)
}

/// A QR code of the text that was sent: its rows from the top, a character for each module, `1` where it is dark.
async fn qr_code(text: String) -> Response {
    // The least correction: a screen has no scratches, and larger modules are read from further away.
    match QrCode::with_error_correction_level(&text, EcLevel::L) {
        Ok(code) => {
            let rows: Vec<String> = (code.to_colors().chunks(code.width()))
                .map(|row| row.iter().map(|module| module.select('1', '0')).collect())
                .collect();
            let body = json!({ "rows": rows }).to_string();
            ([(header::CONTENT_TYPE, "application/json")], body).into_response()
        }
        Err(error) => (StatusCode::PAYLOAD_TOO_LARGE, error.to_string()).into_response(),
    }
}

/// Keeps a question that was not answered: the question, the kind of answer and the day, and nothing of who asked.
async fn note(State(kiosk): State<Arc<Kiosk>>, body: String) -> StatusCode {
    let Some(log) = &kiosk.log else { return StatusCode::NOT_FOUND };
    let told: Value = serde_json::from_str(&body).unwrap_or_default();
    let texts = ["question", "kind", "at"].map(|field| told[field].as_str());
    let [Some(question), Some(kind), Some(at)] = texts else {
        return StatusCode::BAD_REQUEST;
    };
    let line = json!({ "question": question, "kind": kind, "at": at });
    match open(log).and_then(|mut file| writeln!(file, "{line}")) {
        Ok(()) => StatusCode::NO_CONTENT,
        Err(error) => {
            warn!(log = %log.display(), %error, "a question could not be kept");
            StatusCode::INTERNAL_SERVER_ERROR
        }
    }
}

#[cfg(test)]
mod tests {
    use qrcode::Color;

    use super::*;

    #[test]
    fn a_code_is_a_square_with_its_three_marks() {
        let code = QrCode::with_error_correction_level("late", EcLevel::L).map(|code| {
            let width = code.width();
            (width, code.to_colors().iter().filter(|color| **color == Color::Dark).count())
        });
        // 21 modules on a side are the smallest; each of the three marks alone has 33 dark ones.
        assert!(matches!(code, Ok((21, dark)) if dark > 99), "{code:?}");
    }
}
