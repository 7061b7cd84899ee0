use std::cell::RefCell;
use std::panic::{self, PanicHookInfo};
use std::path::Path;

thread_local! {
    /// Where this thread panicked last: the source file, as the compiler was given it.
    static LAST: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// From now on remembers where a panic came from, and tells it on standard error.
///
/// libFuzzer's own hook would end the process at once, though `campanile-ingest` catches what other
/// people's parsers do; this one takes its place.
pub fn note_panics() {
    panic::set_hook(Box::new(|info: &PanicHookInfo<'_>| {
        let place = info.location().map(|location| location.file().to_owned());
        eprintln!("{info}");
        LAST.with(|last| last.replace(place));
    }));
}

/// Whether the last panic of this thread, if [`note_panics`] saw one, came from this workspace.
///
/// Cargo gives the compiler the paths of a workspace's own files relative to its root, and all
/// others in full.
pub(crate) fn was_ours() -> bool {
    let place = LAST.with(RefCell::take);
    place.is_some_and(|file| Path::new(&file).is_relative())
}
