//! The tables of the page's JavaScript engine.

use js_sys::{JsString, RegExp};

use crate::Form;

thread_local! {
    static MARK: RegExp = RegExp::new(r"^\p{M}", "u");
}

pub(crate) fn normalized(text: &str, form: Form) -> String {
    let name = match form {
        Form::Nfc => "NFC",
        Form::Nfd => "NFD",
        Form::Nfkc => "NFKC",
        Form::Nfkd => "NFKD",
    };
    JsString::from(text).normalize(name).into()
}

pub(crate) fn is_combining_mark(character: char) -> bool {
    let mut bytes = [0; 4];
    MARK.with(|mark| mark.test(character.encode_utf8(&mut bytes)))
}
