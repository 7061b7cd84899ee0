//! libFuzzer's entry to the target `book_parts`.

#![no_main]

use campanile_fuzz::{Target, note_panics};

libfuzzer_sys::fuzz_target!(
    init: note_panics(),
    |bytes: &[u8]| Target::BookParts.run(bytes)
);
