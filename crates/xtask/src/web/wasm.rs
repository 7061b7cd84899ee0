//! Reads just enough of a wasm file to find the functions that the linker wrapped.
//!
//! Layout after the WebAssembly core specification 2.0, section 5.5 (modules) and appendix
//! 7.4 (the custom section `name`).

use anyhow::{Context, Result, ensure};

const HEADER: &[u8] = b"\0asm\x01\0\0\0";
const CUSTOM_SECTION: u8 = 0;
const FUNCTION_NAMES: u8 = 1;
const WRAPPER_SUFFIX: &str = ".command_export";

/// The names of the exports that the linker wrapped in a call of all static constructors.
/// A file without function names is an error: it can't be told from one without wrappers.
pub fn constructor_wrappers(wasm: &[u8]) -> Result<Vec<String>> {
    let names = function_names(wasm)?;
    ensure!(!names.is_empty(), "the wasm file names no functions: was it stripped?");
    Ok(names.into_iter().filter(|name| name.ends_with(WRAPPER_SUFFIX)).collect())
}

fn function_names(wasm: &[u8]) -> Result<Vec<String>> {
    let mut file = Reader(wasm.strip_prefix(HEADER).context("not a wasm file of version 1")?);
    while !file.0.is_empty() {
        let (kind, mut content) = file.section()?;
        if kind != CUSTOM_SECTION || content.name()? != "name" {
            continue;
        }
        while !content.0.is_empty() {
            let (kind, names) = content.section()?;
            if kind == FUNCTION_NAMES {
                return names.name_map();
            }
        }
    }
    Ok(Vec::new())
}

/// The bytes that are left to read.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8]> {
        let (taken, rest) =
            self.0.split_at_checked(length).context("the wasm file ends too early")?;
        self.0 = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8> {
        self.take(1)?.first().copied().context("the wasm file ends too early")
    }

    /// An unsigned number in LEB128.
    fn number(&mut self) -> Result<u32> {
        let mut number = 0;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return u32::try_from(number).context("a number of the wasm file is too large");
            }
        }
        anyhow::bail!("a number of the wasm file is too long")
    }

    fn section(&mut self) -> Result<(u8, Reader<'a>)> {
        let kind = self.byte()?;
        let length = self.number()?;
        Ok((kind, Reader(self.take(usize::try_from(length)?)?)))
    }

    fn name(&mut self) -> Result<String> {
        let length = self.number()?;
        Ok(String::from_utf8_lossy(self.take(usize::try_from(length)?)?).into_owned())
    }

    fn name_map(mut self) -> Result<Vec<String>> {
        let count = self.number()?;
        let mut names = Vec::new();
        for _ in 0..count {
            let _index = self.number()?;
            names.push(self.name()?);
        }
        Ok(names)
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// A module that is nothing but a name section, with one byte for each length.
    fn module(names: &[&str]) -> Vec<u8> {
        let length = |bytes: &[u8]| u8::try_from(bytes.len()).unwrap();
        let mut map = vec![u8::try_from(names.len()).unwrap()];
        for (index, name) in names.iter().enumerate() {
            map.extend([u8::try_from(index).unwrap(), length(name.as_bytes())]);
            map.extend(name.as_bytes());
        }
        let mut section = b"\x04name\x01".to_vec();
        section.push(length(&map));
        section.extend(map);
        let mut wasm = HEADER.to_vec();
        wasm.extend([0, 1, 0]); // another custom section, with an empty name
        wasm.extend([0, length(&section)]);
        wasm.extend(section);
        wasm
    }

    #[test]
    fn finds_wrapped_exports() {
        let wrapped = module(&["ask", "ask.command_export", "drop"]);
        assert_eq!(constructor_wrappers(&wrapped).unwrap(), ["ask.command_export"]);
        assert!(constructor_wrappers(&module(&["ask", "drop"])).unwrap().is_empty());
    }

    #[test]
    fn refuses_what_it_cannot_judge() {
        let whole = module(&["ask"]);
        let cases: [(&[u8], &str); 3] = [
            (HEADER, "names no functions"),
            (b"something else", "not a wasm file"),
            (&whole[..whole.len() - 2], "ends too early"),
        ];
        for (wasm, reason) in cases {
            let error = constructor_wrappers(wasm).unwrap_err();
            assert!(format!("{error:#}").contains(reason), "{error:#}");
        }
    }
}
