#!/usr/bin/env bash
# Number formats of workbooks that hide a value, and formats with a stroke that is meant as it stands.
#
# ECMA-376 (part 1, 18.8.31) lets a section of a format be empty: `;;;` shows nothing at all, `0;;` nothing for nought and for
# negative numbers. Workbooks hide what is out of date in this way. The Rust crate ssfmt 0.1.2, which is a port of SheetJS' SSF and
# says that it agrees with it in 99.9999 % of 19.5 million cases, takes an empty section for General and shows the number; SSF 0.11.2
# shows nothing. Whoever reads a sheet through the crate finds values that nobody sees in it.
#
# Both take a stroke between quotes for a fraction: `"WS "00"/"00` of 2627 is "WS 26/27" in a spreadsheet program. ssfmt gives
# "2627/1 " and loses the words too, SSF gives "WS 2627/1 ".
#
# Seen on 29 November 2026 with ssfmt 0.1.2 (rustc 1.95) and ssf 0.11.2 (Node.js). Needs cargo and npm; fails if the output is another one.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

mkdir -p crate/src node
cat > crate/Cargo.toml <<'TOML'
[package]
name = "formats"
version = "0.0.0"
edition = "2021"
[dependencies]
ssfmt = { version = "=0.1.2", default-features = false }
TOML
cat > crate/src/main.rs <<'RUST'
fn main() {
    let cases = [(";;;", 12.0), ("0;;", 0.0), ("0;;", -4.0), ("\"WS \"00\"/\"00", 2627.0), ("0;-0;\"none\"", 0.0)];
    for (format, value) in cases {
        println!("{format} {value} [{}]", ssfmt::format_default(value, format).unwrap());
    }
}
RUST
(cd crate && cargo run --quiet) > of-the-crate.txt

cat > node/formats.js <<'JS'
const { format } = require('ssf');
const cases = [[';;;', 12], ['0;;', 0], ['0;;', -4], ['"WS "00"/"00', 2627], ['0;-0;"none"', 0]];
for (const [code, value] of cases) console.log(`${code} ${value} [${format(code, value)}]`);
JS
(cd node && npm init --yes > /dev/null && npm install --silent --no-audit --no-fund ssf@0.11.2 > /dev/null && node formats.js) > of-ssf.txt

diff of-the-crate.txt - <<'SEEN'
;;; 12 [12]
0;; 0 [0]
0;; -4 [-4]
"WS "00"/"00 2627 [2627/1 ]
0;-0;"none" 0 [none]
SEEN
diff of-ssf.txt - <<'SEEN'
;;; 12 []
0;; 0 []
0;; -4 []
"WS "00"/"00 2627 [WS 2627/1 ]
0;-0;"none" 0 [none]
SEEN
echo "as seen: ssfmt 0.1.2 shows what an empty section hides, ssf 0.11.2 does not; both take a stroke in quotes for a fraction"
