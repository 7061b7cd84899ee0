//! A network of made-up hosts without any wire.

use crate::FakePace;
use campanile_website::{Headers, Pace, Reply, Transport, TransportError};
use std::cell::RefCell;
use std::io::Cursor;
use std::rc::Rc;
use std::time::Duration;
use url::Url;

type Answer = dyn Fn(&str, usize) -> (u16, Vec<(&'static str, String)>, &'static str);

/// Answers by a function of the address and of how often it was asked for before.
pub struct FakeNetwork {
    pace: FakePace,
    /// The times at which each address was asked for.
    pub log: Rc<RefCell<Vec<(Duration, String)>>>,
    answer: Box<Answer>,
}

impl FakeNetwork {
    pub fn new(
        pace: &FakePace,
        answer: impl Fn(&str, usize) -> (u16, Vec<(&'static str, String)>, &'static str) + 'static,
    ) -> Self {
        Self { pace: pace.clone(), log: Rc::default(), answer: Box::new(answer) }
    }

    /// The moments, in milliseconds, at which addresses that begin with `start` were asked for.
    pub fn times(&self, start: &str) -> Vec<u128> {
        let log = self.log.borrow();
        log.iter()
            .filter(|(_, url)| url.starts_with(start))
            .map(|(time, _)| time.as_millis())
            .collect()
    }
}

impl Transport for FakeNetwork {
    fn get(&mut self, url: &Url, _headers: &[(&str, &str)]) -> Result<Reply, TransportError> {
        let before = self.log.borrow().iter().filter(|(_, known)| known == url.as_str()).count();
        self.log.borrow_mut().push((self.pace.uptime(), url.to_string()));
        let (status, given, body) = (self.answer)(url.as_str(), before);
        if status == 0 {
            return Err(TransportError::Passing("nobody answers".to_owned()));
        }
        let mut headers = Headers::default();
        headers.push("Content-Type", "text/html");
        for (name, value) in given {
            headers.push(name, value);
        }
        Ok(Reply { status, headers, body: Box::new(Cursor::new(body)) })
    }
}
