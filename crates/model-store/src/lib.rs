//! Brings model files to this machine, and keeps them.
//!
//! Campanile's models are files of some ninety megabytes. They are too big to live in a repository
//! and too important to be fetched on trust. This crate knows which models there are (the
//! [`catalogue`]), brings one to this machine from whichever [`Source`] can give it, and says later
//! where its files lie.
//!
//! # Why it is so
//!
//! **The hash is the identity.** The catalogue pins the length and the SHA-256 of every file. So it
//! does not matter where the bytes came from. A folder on a stick, the model hub, a mirror of it
//! over plain HTTP and a Python package are all held to the same figure. A site built from any of
//! them is the same site.
//!
//! **A file is whole or it is not there.** Bytes arrive in `NAME.part`, are hashed, and only then
//! take the file's name. A download that breaks off goes on where it stopped the next time. The
//! stamp, [`STAMP_NAME`], is written last and says that every file passed its check. So
//! [`Store::find`] can be quick: it compares lengths and the stamp, and leaves hashing to
//! [`InstalledModel::verify`].
//!
//! **No network is an ordinary case.** A source that cannot be reached fails within seconds, and
//! the next one is tried. When all fail, the error lists each with its reason and says how to bring
//! the files by hand.
//!
//! # Layout
//!
//! ```text
//! STORE/                          $CAMPANILE_MODELS, or campanile/models in the cache folder
//!   .all-MiniLM-L6-v2.lock        one process at a time fills a model's folder
//!   all-MiniLM-L6-v2/
//!     campanile-model.json        the stamp: licence, revision, each file's hash and source
//!     config.json
//!     model.safetensors
//!     tokenizer.json
//! ```
//!
//! # Example
//!
//! ```no_run
//! use campanile_model_store::{Progress, Source, Store, StoreError};
//!
//! fn main() -> Result<(), StoreError> {
//!     let store = Store::open(None)?;
//!     let model = store.fetch("all-MiniLM-L6-v2", &Source::Any, &mut |progress| {
//!         if let Progress::Trying { source, from } = progress {
//!             eprintln!("trying {source}: {from}");
//!         }
//!     })?;
//!     let weights = model.path("model.safetensors")?;
//!     println!("{}", weights.display());
//!     Ok(())
//! }
//! ```

pub mod catalogue;
mod error;
mod install;
mod installed;
mod part;
mod source;
mod store;

pub use catalogue::{Model, ModelFile, ModelKind};
pub use error::{FailedSource, StoreError};
pub use install::Progress;
pub use installed::{InstalledFile, InstalledModel, STAMP_NAME};
pub use source::{Source, SourceKind};
pub use store::{ModelState, Store, cache_folder};
