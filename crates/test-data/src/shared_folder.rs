use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::TempDir;

/// Folders of earlier runs are removed after this time. A run takes minutes, may still be going, and leaves 430 MB.
const HOUR: Duration = Duration::from_secs(60 * 60);

/// A folder that all tests of a run read, and that is made by the first that asks for it. nextest gives each test a process of
/// its own, so a static would be made once for each test.
///
/// ```
/// # fn main() -> std::io::Result<()> {
/// use campanile_test_data::SharedFolder;
///
/// # let temporary = tempfile::tempdir()?;
/// # let temporary = temporary.path();
/// // In a test: `Path::new(env!("CARGO_TARGET_TMPDIR"))`.
/// let folder = SharedFolder::new(temporary, "greeting", || {
///     let made = tempfile::tempdir().unwrap();
///     std::fs::write(made.path().join("words.txt"), "hello").unwrap();
///     made
/// })?;
/// assert_eq!(std::fs::read_to_string(folder.path().join("words.txt"))?, "hello");
/// # Ok(())
/// # }
/// ```
pub struct SharedFolder(PathBuf);

impl SharedFolder {
    /// The folder of this name, which no other folder of all tests may have, below one for temporary files. Without nextest each
    /// call makes one of its own and does not remove it.
    ///
    /// # Errors
    ///
    /// Where files cannot be written there.
    pub fn new(temporary: &Path, name: &str, make: impl FnOnce() -> TempDir) -> io::Result<Self> {
        match std::env::var_os("NEXTEST_RUN_ID") {
            Some(run) => Self::of_run(&temporary.join("shared"), Path::new(&run), name, make),
            None => Ok(Self(make().keep())),
        }
    }

    fn of_run(
        shared: &Path,
        run: &Path,
        name: &str,
        make: impl FnOnce() -> TempDir,
    ) -> io::Result<Self> {
        let folder = shared.join(run);
        fs::create_dir_all(&folder)?;
        remove_earlier(shared, &folder)?;
        // Whoever comes second waits here until it is whole. A test that fails while it makes it lets the next one try.
        let lock = File::create(folder.join(format!("{name}.lock")))?;
        lock.lock()?;
        let (begun, whole) = (folder.join(format!("{name}.begun")), folder.join(name));
        if !whole.exists() {
            // Copied: the system's folder for temporary files may be on another disk.
            copy(make().path(), &begun)?;
            fs::rename(begun, &whole)?;
        }
        Ok(Self(whole))
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let copied = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &copied)?;
        } else {
            fs::copy(entry.path(), copied)?;
        }
    }
    Ok(())
}

/// Removes what earlier runs have left, some of it with a language model.
fn remove_earlier(shared: &Path, ours: &Path) -> io::Result<()> {
    for entry in fs::read_dir(shared)? {
        let path = entry?.path();
        let age = fs::metadata(&path).and_then(|it| it.modified()).map(|it| it.elapsed());
        // Another process may have been quicker.
        if path != ours && matches!(age, Ok(Ok(age)) if age > HOUR) {
            let _ = fs::remove_dir_all(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]

    use super::*;

    fn made(word: &str) -> TempDir {
        let made = tempfile::tempdir().expect("a temporary folder");
        fs::create_dir(made.path().join("inner")).expect("a folder");
        fs::write(made.path().join("inner/word.txt"), word).expect("a file");
        made
    }

    #[test]
    fn the_first_of_a_run_makes_it() {
        let temporary = tempfile::tempdir().expect("a temporary folder");
        let word = |run: &str, word: &str| {
            let folder = SharedFolder::of_run(temporary.path(), Path::new(run), "a", || made(word));
            fs::read_to_string(folder.expect("a folder").path().join("inner/word.txt"))
                .expect("a word")
        };
        assert_eq!(word("one", "first"), "first");
        assert_eq!(word("one", "second"), "first", "a second test finds it");
        assert_eq!(word("two", "third"), "third", "another run has its own");
    }

    #[test]
    fn who_comes_while_it_is_made_waits() {
        let temporary = tempfile::tempdir().expect("a temporary folder");
        let times = std::sync::atomic::AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let folder =
                        SharedFolder::of_run(temporary.path(), Path::new("run"), "a", || {
                            times.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                            std::thread::sleep(Duration::from_millis(50));
                            made("whole")
                        });
                    assert!(folder.expect("a folder").path().join("inner/word.txt").is_file());
                });
            }
        });
        assert_eq!(times.into_inner(), 1);
    }
}
