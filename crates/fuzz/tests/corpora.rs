//! Every kept input of every target is read again.

use std::time::{Duration, Instant};

use campanile_fuzz::{Corpus, CorpusError, Target, note_panics};

/// The longest time that one input may take: the fuzzer, which is many times slower, allows 20 seconds.
const LONGEST: Duration = Duration::from_secs(5);

#[test]
fn kept_inputs_are_read_or_refused() -> Result<(), CorpusError> {
    note_panics();
    for target in Target::ALL {
        let corpus = Corpus::load(target)?;
        assert!(!corpus.inputs.is_empty(), "{} has no seeds", target.name());
        for (name, bytes) in &corpus.inputs {
            let start = Instant::now();
            let held = std::panic::catch_unwind(|| target.run(bytes));
            assert!(held.is_ok(), "{}/{name} breaks what must hold: see above", target.name());
            let took = start.elapsed();
            assert!(took < LONGEST, "{}/{name} takes {took:?}", target.name());
        }
    }
    Ok(())
}
