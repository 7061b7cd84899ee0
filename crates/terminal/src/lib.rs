//! The part that the jobs of the `campanile` command share: the terminal, models that are fetched when they are missed, and a site
//! that is opened to be asked.
//!
//! ```
//! use campanile_terminal::console;
//!
//! assert_eq!(console::bytes(22_712_345), "22.7 MB");
//! assert_eq!(console::count(2, "document"), "2 documents");
//! ```

pub mod console;
pub mod files;
pub mod log;
pub mod models;
pub mod reply;
pub mod site;
