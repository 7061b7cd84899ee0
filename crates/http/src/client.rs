//! Requests, by the rules that all callers share.

use std::sync::Arc;
use std::time::Duration;

use rustls::crypto::ring;
use ureq::http::Uri;
use ureq::tls::TlsConfig;
use ureq::{Agent, Body, RequestBuilder, http};

use crate::certificates::{CertificatesError, trusted};
use crate::failure::Failure;

/// The name that servers are told, unless a caller has its own.
pub const USER_AGENT: &str = concat!("campanile/", env!("CARGO_PKG_VERSION"));

/// The redirects that lead from one address to a file: a mirror, its storage, a signed address.
const REDIRECTS: u32 = 10;

/// An answer: its status and headers, and the body that is still to be read.
pub type Response = http::Response<Body>;

/// What a caller knows better than others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The name that servers are told: one line of ASCII.
    pub user_agent: String,
    /// How long to wait.
    pub timeouts: Timeouts,
    /// Whether the client goes where a redirect leads. Otherwise the redirect is the answer.
    pub follows_redirects: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            user_agent: USER_AGENT.to_owned(),
            timeouts: Timeouts::default(),
            follows_redirects: true,
        }
    }
}

/// How long to wait for each part of a request; `None` is for ever.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Timeouts {
    /// Until the host's name has an address.
    pub resolve: Option<Duration>,
    /// Until a connection stands, encrypted where it is to be.
    pub connect: Option<Duration>,
    /// Until the headers of the response are here.
    pub response: Option<Duration>,
    /// The longest silence, within headers and body.
    pub silence: Option<Duration>,
    /// Until the body has been read.
    pub body: Option<Duration>,
    /// All of it, from the name to the body's end, redirects included.
    pub whole: Option<Duration>,
}

/// The HTTP client. Its clones share their connections.
#[derive(Debug, Clone)]
pub struct Client {
    agent: Agent,
}

impl Client {
    /// A client that trusts the bundled authorities and those of `SSL_CERT_FILE` and `SSL_CERT_DIR`, and takes its
    /// proxy from the environment.
    ///
    /// # Errors
    /// [`CertificatesError`] where one of the variables names what cannot be read.
    pub fn new(options: Options) -> Result<Self, CertificatesError> {
        let Options { user_agent, timeouts, follows_redirects } = options;
        let tls = TlsConfig::builder()
            .root_certs(trusted(|name| std::env::var_os(name))?)
            .unversioned_rustls_crypto_provider(Arc::new(ring::default_provider()))
            .build();
        let config = Agent::config_builder()
            .tls_config(tls)
            .http_status_as_error(false)
            .user_agent(user_agent)
            .max_redirects(if follows_redirects { REDIRECTS } else { 0 })
            .timeout_resolve(timeouts.resolve)
            .timeout_connect(timeouts.connect)
            .timeout_recv_response(timeouts.response)
            .timeout_per_read(timeouts.silence)
            .timeout_recv_body(timeouts.body)
            .timeout_global(timeouts.whole);
        Ok(Self { agent: config.build().into() })
    }

    /// Asks for what is at an address, with these headers besides those that are always sent.
    ///
    /// # Errors
    /// [`Failure`] where no answer began. A status of any kind is an answer.
    pub fn get(&self, url: &str, headers: &[(&str, &str)]) -> Result<Response, Failure> {
        Ok(self.prepared(self.agent.get(url), url, headers).call()?)
    }

    /// Sends a body to an address.
    ///
    /// # Errors
    /// [`Failure`] where no answer began. A status of any kind is an answer.
    pub fn post(
        &self,
        url: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Result<Response, Failure> {
        Ok(self.prepared(self.agent.post(url), url, headers).send(body)?)
    }

    fn prepared<Any>(
        &self,
        mut request: RequestBuilder<Any>,
        url: &str,
        headers: &[(&str, &str)],
    ) -> RequestBuilder<Any> {
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        // A server on this machine is not behind a proxy, which would look for it on its own.
        if self.agent.config().proxy().is_some() && is_loopback(url) {
            request.config().proxy(None).build()
        } else {
            request
        }
    }
}

/// Returns `true` if an address leads to this machine.
#[must_use]
pub fn is_loopback(url: &str) -> bool {
    let uri: Option<Uri> = url.parse().ok();
    let Some(host) = uri.as_ref().and_then(Uri::host) else {
        return false;
    };
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    match bare.parse::<std::net::IpAddr>() {
        Ok(address) => address.is_loopback(),
        Err(_) => {
            let name = host.to_ascii_lowercase();
            name == "localhost" || name.ends_with(".localhost")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_loopback;

    #[test]
    fn only_this_machine_is_not_behind_a_proxy() {
        let cases = [
            ("http://127.0.0.1:8080/v1", true),
            ("https://127.3.2.1/", true),
            ("http://localhost", true),
            ("http://LocalHost:11434/v1", true),
            ("http://campus.localhost/", true),
            ("http://[::1]:8080/", true),
            ("http://localhost.example.edu/", false),
            ("http://127.example.edu/", false),
            ("https://www.example.edu/localhost", false),
            ("http://10.0.0.1/", false),
            ("http://user@127.0.0.1/", true),
            ("no address", false),
            ("", false),
        ];
        for (url, expected) in cases {
            assert_eq!(is_loopback(url), expected, "{url}");
        }
    }
}
