//! One request at a time, each host in its turn, by a clock that a test can wind on.

use crate::address::host;
use crate::report::{Progress, SkipReason};
use crate::transport::{Headers, Reply, Transport, TransportError};
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::time::{Duration, Instant, SystemTime};
use tracing::{debug, info, warn};
use url::Url;

/// The longest `Crawl-delay` that is kept to: at five minutes a request, the 2,000 pages of a default fetch take a week.
const MOST_DELAY: Duration = Duration::from_secs(300);
/// The longest pause that a busy server gets; who asks for a longer one is left alone. The whole fetch
/// stands still for the pause, and the next fetch asks that host again.
const MOST_PAUSE: Duration = Duration::from_secs(120);
/// The pause before the first repetition, unless the server names one. It triples with each: an address that fails all
/// along costs 20 seconds.
const FIRST_PAUSE: Duration = Duration::from_secs(5);
/// The most times that a request is repeated. A third time would wait 45 seconds more.
const REPETITIONS: u32 = 2;
/// Failures in a row after which a host is left alone: 100 seconds of pauses for a host that is down, rather than 20
/// for each of its pages.
const MOST_FAILURES: u32 = 5;

/// The world outside.
pub(crate) struct Outside<'o> {
    pub(crate) transport: &'o mut dyn Transport,
    pub(crate) pace: &'o mut dyn Pace,
    pub(crate) news: &'o mut dyn FnMut(Progress<'_>),
}

/// Asks politely.
pub(crate) struct Asker<'o> {
    pub(crate) outside: Outside<'o>,
    delay: Duration,
    hosts: BTreeMap<String, Host>,
    pub(crate) requests: usize,
    pub(crate) body_bytes: u64,
    /// For the news: pages asked for, and addresses waiting.
    pub(crate) counts: (usize, usize),
}

#[derive(Default)]
struct Host {
    /// The time at which the last answer ended.
    last: Option<Duration>,
    /// The end of a pause.
    not_before: Duration,
    crawl_delay: Duration,
    failures: u32,
    left_alone: Option<String>,
}

impl<'o> Asker<'o> {
    pub(crate) fn new(outside: Outside<'o>, delay: Duration) -> Self {
        Self { outside, delay, hosts: BTreeMap::new(), requests: 0, body_bytes: 0, counts: (0, 0) }
    }

    /// Notes the pause that a host's `robots.txt` asks for.
    pub(crate) fn slow_down(&mut self, url: &Url, delay: Duration) -> Result<(), SkipReason> {
        if delay > MOST_DELAY {
            let (delay_secs, most_secs) = (delay.as_secs(), MOST_DELAY.as_secs());
            return Err(SkipReason::CrawlDelay { delay_secs, most_secs });
        }
        let host = self.host(url);
        host.crawl_delay = host.crawl_delay.max(delay);
        Ok(())
    }

    /// Asks for `url` when it is its host's turn; repeats what fails in passing. Every answer comes
    /// back but those that tell of a busy or broken server.
    pub(crate) fn ask(&mut self, url: &Url, headers: &[(&str, &str)]) -> Result<Reply, SkipReason> {
        if let Some(detail) = &self.host(url).left_alone {
            let detail = detail.clone();
            return Err(SkipReason::HostLeftAlone { host: host(url).to_owned(), detail });
        }
        let mut repetition = 0;
        loop {
            self.wait_for_turn(url);
            self.requests += 1;
            let (asked, waiting) = self.counts;
            (self.outside.news)(Progress::Asking { url: url.as_str(), asked, waiting });
            let answer = self.outside.transport.get(url, headers);
            self.end_turn(url);
            match &answer {
                Ok(reply) => debug!(%url, status = reply.status, repetition, "answered"),
                Err(error) => debug!(%url, %error, repetition, "no answer"),
            }
            let (reason, pause) = match answer {
                Ok(reply) if !is_trouble(reply.status) => {
                    self.host(url).failures = 0;
                    return Ok(reply);
                }
                Ok(reply) => self.trouble(&reply),
                Err(TransportError::Passing(detail)) => (SkipReason::Unreachable { detail }, None),
                // Nobody at home is no reason to knock three times.
                Err(TransportError::Final(detail)) => {
                    let reason = SkipReason::Unreachable { detail };
                    self.failed(url, &reason);
                    return Err(reason);
                }
            };
            let pause = pause.unwrap_or_else(|| FIRST_PAUSE * 3_u32.pow(repetition));
            if repetition == REPETITIONS || pause > MOST_PAUSE {
                // 429 speaks of whoever asks, not of the page: its other pages would get the same answer.
                if pause > MOST_PAUSE || matches!(reason, SkipReason::Busy { status: 429, .. }) {
                    self.leave_alone(url, &reason);
                }
                self.failed(url, &reason);
                return Err(reason);
            }
            info!(%url, reason = %reason.cause(), ?pause, "asked again after a pause");
            (self.outside.news)(Progress::Pausing { url: url.as_str(), pause });
            let uptime = self.outside.pace.uptime();
            self.host(url).not_before = uptime + pause;
            repetition += 1;
        }
    }

    /// The body of an answer, or the first `limit_bytes` of it where `cut` is set.
    pub(crate) fn body(
        &mut self,
        url: &Url,
        reply: Reply,
        limit_bytes: u64,
        cut: bool,
    ) -> Result<Vec<u8>, SkipReason> {
        let mut bytes = Vec::new();
        // One byte more than is taken tells a body of just that length from a longer one.
        let most = if cut { limit_bytes } else { limit_bytes.saturating_add(1) };
        let read = reply.body.take(most).read_to_end(&mut bytes);
        // Reading the body was part of the turn.
        self.end_turn(url);
        self.body_bytes += bytes.len() as u64;
        match read {
            Ok(_) if bytes.len() as u64 > limit_bytes => Err(SkipReason::TooLarge { limit_bytes }),
            Ok(_) => Ok(bytes),
            Err(error) => {
                let detail = match error.kind() {
                    io::ErrorKind::TimedOut => format!("the answer was too slow ({error})"),
                    _ => format!("the answer broke off: {error}"),
                };
                let reason = SkipReason::Unreachable { detail };
                self.failed(url, &reason);
                Err(reason)
            }
        }
    }

    /// The date as HTTP and the index write it.
    pub(crate) fn date(&self) -> String {
        httpdate::fmt_http_date(self.outside.pace.date())
    }

    fn host(&mut self, url: &Url) -> &mut Host {
        self.hosts.entry(host(url).to_owned()).or_default()
    }

    fn wait_for_turn(&mut self, url: &Url) {
        let delay = self.delay;
        let host = self.host(url);
        // From the end of the last answer, not its beginning: a slow server gets its whole rest.
        let after_last = host.last.map(|last| last + delay.max(host.crawl_delay));
        let turn = after_last.unwrap_or_default().max(host.not_before);
        let now = self.outside.pace.uptime();
        if let Some(rest) = turn.checked_sub(now).filter(|rest| !rest.is_zero()) {
            self.outside.pace.sleep(rest);
        }
    }

    fn end_turn(&mut self, url: &Url) {
        let now = self.outside.pace.uptime();
        self.host(url).last = Some(now);
    }

    /// Returns why an answer that [`is_trouble`] gives no page, and the pause that the server asks for.
    fn trouble(&self, reply: &Reply) -> (SkipReason, Option<Duration>) {
        let pause = self.retry_after(&reply.headers);
        let status = reply.status;
        let reason = if matches!(status, 429 | 503) {
            SkipReason::Busy { status, retry_after_secs: pause.map(|pause| pause.as_secs()) }
        } else {
            SkipReason::Status { status }
        };
        (reason, pause)
    }

    /// `Retry-After`: seconds or a date (RFC 9110, section 10.2.3).
    fn retry_after(&self, headers: &Headers) -> Option<Duration> {
        let value = headers.get("retry-after")?.trim();
        if let Ok(secs) = value.parse() {
            return Some(Duration::from_secs(secs));
        }
        let date = httpdate::parse_http_date(value).ok()?;
        Some(date.duration_since(self.outside.pace.date()).unwrap_or_default())
    }

    fn failed(&mut self, url: &Url, reason: &SkipReason) {
        let host = self.host(url);
        host.failures += 1;
        if host.failures >= MOST_FAILURES {
            self.leave_alone(url, reason);
        }
    }

    fn leave_alone(&mut self, url: &Url, reason: &SkipReason) {
        warn!(host = host(url), reason = %reason.cause(), "the host is left alone");
        self.host(url).left_alone.get_or_insert_with(|| reason.cause());
    }
}

fn is_trouble(status: u16) -> bool {
    status >= 500 || status == 429
}

/// A clock that can be waited by.
pub trait Pace {
    /// Time since some fixed moment; it never goes back.
    fn uptime(&self) -> Duration;
    /// The date.
    fn date(&self) -> SystemTime;
    /// Waits.
    fn sleep(&mut self, duration: Duration);
}

/// The clock of this machine.
#[derive(Debug)]
pub struct RealPace {
    start: Instant,
}

impl Default for RealPace {
    fn default() -> Self {
        Self { start: Instant::now() }
    }
}

impl Pace for RealPace {
    fn uptime(&self) -> Duration {
        self.start.elapsed()
    }

    fn date(&self) -> SystemTime {
        SystemTime::now()
    }

    fn sleep(&mut self, duration: Duration) {
        std::thread::sleep(duration);
    }
}
