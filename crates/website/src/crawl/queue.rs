//! The addresses that wait, host by host.

use crate::address::host;
use std::collections::{BTreeMap, VecDeque};
use std::ops::Bound;
use url::Url;

/// The most addresses that wait: what a site has that is not made by a machine without end.
const MOST_WAITING: usize = 500_000;

/// An address to ask for.
#[derive(Debug, Clone)]
pub(crate) struct Task {
    pub(crate) url: Url,
    /// Links away from a start address.
    pub(crate) depth: u32,
    /// Redirects on the way here.
    pub(crate) redirects: u32,
}

/// Gives the hosts their turns one after the other, each its addresses in the order of their
/// coming: while one host rests another is asked, and the order does not depend on how quick
/// either is.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    hosts: BTreeMap<String, VecDeque<Task>>,
    last: String,
    len: usize,
    /// Addresses there was no room for.
    pub(crate) refused: usize,
}

impl Queue {
    pub(crate) fn push(&mut self, task: Task) {
        if self.len == MOST_WAITING {
            self.refused += 1;
            return;
        }
        self.hosts.entry(host(&task.url).to_owned()).or_default().push_back(task);
        self.len += 1;
    }

    /// Gives back what was popped last: it is its host's next.
    pub(crate) fn put_back(&mut self, task: Task) {
        self.hosts.entry(host(&task.url).to_owned()).or_default().push_front(task);
        self.len += 1;
    }

    pub(crate) fn pop(&mut self) -> Option<Task> {
        let after = (Bound::Excluded(self.last.clone()), Bound::Unbounded);
        let next = self.hosts.range(after).next().or_else(|| self.hosts.iter().next());
        let name = next.map(|(name, _)| name.clone())?;
        let tasks = self.hosts.get_mut(&name)?;
        let task = tasks.pop_front();
        if tasks.is_empty() {
            self.hosts.remove(&name);
        }
        self.last = name;
        self.len = self.len.saturating_sub(1);
        task
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use super::{Queue, Task};

    #[test]
    fn hosts_take_turns() {
        let mut queue = Queue::default();
        for text in ["http://b/1", "http://b/2", "http://a/1", "http://c/1", "http://b/3"] {
            queue.push(Task { url: crate::address::parse(text).unwrap(), depth: 0, redirects: 0 });
        }
        let order: Vec<String> =
            std::iter::from_fn(|| queue.pop()).map(|task| task.url.to_string()).collect();
        assert_eq!(order, ["http://a/1", "http://b/1", "http://c/1", "http://b/2", "http://b/3"]);
        assert_eq!(queue.len(), 0);
    }
}
