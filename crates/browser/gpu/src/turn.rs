use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use web_sys::MessageChannel;

use crate::error::ProseError;

/// Lets the worker's other messages through, such as a reader's "stop".
///
/// Awaiting the CPU never leaves the worker's current task, so a message to ourselves ends it. A
/// timer would do as well, but browsers hold timers that follow each other back for 4 ms, a quarter
/// of what a token takes.
pub struct Turns {
    channel: MessageChannel,
}

impl Turns {
    /// Opens the way to ourselves.
    pub fn new() -> Result<Self, ProseError> {
        Ok(Self { channel: MessageChannel::new().map_err(refused)? })
    }

    /// Resolves after the messages that were waiting.
    pub async fn next(&self) -> Result<(), ProseError> {
        let mut sent = Ok(());
        let arrived = Promise::new(&mut |resolve, _| {
            self.channel.port1().set_onmessage(Some(&resolve));
            sent = self.channel.port2().post_message(&JsValue::NULL);
        });
        sent.map_err(refused)?;
        JsFuture::from(arrived).await.map_err(refused)?;
        Ok(())
    }
}

fn refused(error: JsValue) -> ProseError {
    ProseError::Messages(format!("{error:?}"))
}
