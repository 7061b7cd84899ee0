//! A file on its way into the store: bytes go to `NAME.part`, which takes the
//! name only when length and SHA-256 are right.

use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::{fs, io};

use sha2::{Digest, Sha256};

use crate::catalogue::ModelFile;
use crate::error::StoreError;
use crate::install::{Progress, Report};
use crate::source::Failure;

/// Why copying into the part stopped early.
pub(crate) enum CopyError {
    /// The source broke off.
    Read(io::Error),
    /// The source has more bytes than the file may have.
    TooLong,
    /// The store could not be written.
    Write(StoreError),
}

/// A file that is being received.
pub(crate) struct Part {
    /// The file that is wanted.
    pub(crate) file: ModelFile,
    place: PathBuf,
    path: PathBuf,
}

impl Part {
    /// The part of `file` in the model's `folder`.
    pub(crate) fn new(folder: &Path, file: ModelFile) -> Self {
        Self {
            file,
            place: folder.join(file.name),
            path: folder.join(format!("{}.part", file.name)),
        }
    }

    /// Bytes here already; 0 where there is no part.
    pub(crate) fn bytes(&self) -> Result<u64, StoreError> {
        Ok(length_of(&self.path)?.unwrap_or(0))
    }

    /// Removes what is here.
    pub(crate) fn discard(&self) -> Result<(), StoreError> {
        if_present("remove", &self.path, fs::remove_file(&self.path)).map(|_| ())
    }

    /// Copies `from` to its end into the part: after the bytes already here
    /// where `resume` is set, in their place otherwise.
    pub(crate) fn receive(
        &self,
        mut from: impl Read,
        resume: bool,
        report: &mut Report<'_>,
    ) -> Result<(), CopyError> {
        let writing = |error| CopyError::Write(StoreError::io("write", &self.path, error));
        let mut part = OpenOptions::new()
            .create(true)
            .write(true)
            // `truncate` and `append` exclude each other, so each is asked for in its own case.
            .append(resume)
            .truncate(!resume)
            .open(&self.path)
            .map_err(writing)?;
        let mut bytes = part.metadata().map_err(writing)?.len();
        let mut buffer = vec![0; BUFFER_BYTES];
        loop {
            let count = match from.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(CopyError::Read(error)),
            };
            bytes += count as u64;
            // Stopped at the first byte too many, so that a server that sends without end fills no disk.
            if bytes > self.file.bytes {
                return Err(CopyError::TooLong);
            }
            part.write_all(&buffer[..count]).map_err(writing)?;
            report(Progress::Received {
                file: self.file.name,
                bytes,
                total_bytes: self.file.bytes,
            });
        }
        Ok(())
    }

    /// [`Part::receive`] from a source that cannot be resumed: `origin` names it
    /// in the reason.
    pub(crate) fn copy(
        &self,
        from: impl Read,
        origin: &str,
        report: &mut Report<'_>,
    ) -> Result<(), Failure> {
        self.receive(from, false, report).map_err(|error| match error {
            CopyError::Read(error) => {
                Failure::Source(format!("`{origin}` could not be read: {error}"))
            }
            CopyError::TooLong => Failure::Source(format!(
                "`{origin}` is longer than the {} bytes expected",
                self.file.bytes
            )),
            CopyError::Write(error) => Failure::Store(error),
        })
    }

    /// Checks length and hash and puts the file in its place; a bad part is
    /// removed, and the reason names the file.
    pub(crate) fn seal(self, report: &mut Report<'_>) -> Result<(), Failure> {
        let ModelFile { name, bytes: expected_bytes, sha256: expected } = self.file;
        let found_bytes = self.bytes()?;
        if found_bytes != expected_bytes {
            self.discard()?;
            return Err(Failure::Source(format!(
                "its {name} has {found_bytes} bytes where {expected_bytes} are expected; it was removed"
            )));
        }
        let found = sha256_of_file(&self.path, |bytes| {
            report(Progress::Checking { file: name, bytes, total_bytes: expected_bytes });
        })?;
        if found != expected {
            self.discard()?;
            return Err(Failure::Source(format!(
                "its {name} has SHA-256 {found} where {expected} is expected; it was removed"
            )));
        }
        self.put_in_place()?;
        Ok(())
    }

    fn put_in_place(&self) -> Result<(), StoreError> {
        // The bytes reach the disk before the name does, so that a power cut
        // leaves either the old file or the new one.
        OpenOptions::new()
            .write(true)
            .open(&self.path)
            .and_then(|file| file.sync_all())
            .and_then(|()| fs::rename(&self.path, &self.place))
            .map_err(|error| StoreError::io("put in place", &self.place, error))
    }
}

/// The result of an `action` on the file or folder at `path`; `None` where there is none.
pub(crate) fn if_present<T>(
    action: &'static str,
    path: &Path,
    result: io::Result<T>,
) -> Result<Option<T>, StoreError> {
    match result {
        Ok(done) => Ok(Some(done)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(StoreError::io(action, path, error)),
    }
}

/// The length of the file at `path`; `None` where there is no file.
pub(crate) fn length_of(path: &Path) -> Result<Option<u64>, StoreError> {
    Ok(if_present("read", path, fs::metadata(path))?.map(|metadata| metadata.len()))
}

/// Big enough that reading costs little, small enough for smooth progress.
const BUFFER_BYTES: usize = 256 * 1024;

/// The SHA-256 of the file at `path` in lower-case hexadecimal; `hashed` is told
/// the number of bytes done so far.
pub(crate) fn sha256_of_file(
    path: &Path,
    mut hashed: impl FnMut(u64),
) -> Result<String, StoreError> {
    let reading = |source| StoreError::io("read", path, source);
    let mut file = File::open(path).map_err(reading)?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; BUFFER_BYTES];
    let mut done = 0;
    loop {
        let count = file.read(&mut buffer).map_err(reading)?;
        if count == 0 {
            return Ok(hexadecimal(&hasher.finalize()));
        }
        hasher.update(&buffer[..count]);
        done += count as u64;
        hashed(done);
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing into a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]
mod tests {
    use super::sha256_of_file;

    /// The two shortest examples of FIPS 180-2 and one longer than the buffer.
    #[test]
    fn known_hashes() {
        let cases: [(Vec<u8>, &str); 3] = [
            (Vec::new(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            (b"abc".to_vec(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                vec![b'a'; 1_000_000],
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
            ),
        ];
        let folder = tempfile::tempdir().unwrap();
        for (bytes, expected) in cases {
            let path = folder.path().join("file");
            std::fs::write(&path, &bytes).unwrap();
            let mut last = 0;
            assert_eq!(sha256_of_file(&path, |done| last = done).unwrap(), expected);
            assert_eq!(last, bytes.len() as u64);
        }
    }
}
