//! The tables of `unicode-normalization`.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char;

use crate::Form;

pub(crate) fn normalized(text: &str, form: Form) -> String {
    match form {
        Form::Nfc => text.nfc().collect(),
        Form::Nfd => text.nfd().collect(),
        Form::Nfkc => text.nfkc().collect(),
        Form::Nfkd => text.nfkd().collect(),
    }
}

pub(crate) fn is_combining_mark(character: char) -> bool {
    char::is_combining_mark(character)
}
