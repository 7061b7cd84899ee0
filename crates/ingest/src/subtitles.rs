//! Subtitles of recordings (WebVTT and SubRip): what is said, under a heading for each minute.
//!
//! The anchor of a minute is a media fragment (`#t=180`), with which players begin there.

use std::collections::BTreeMap;

use campanile_corpus::{BlockKind, Document};

use crate::assemble::{Assembler, title_from_path};
use crate::inline::InlineText;
use crate::report::Report;

const SECONDS_A_MINUTE: u64 = 60;

pub(crate) fn read(path: &str, source: &str) -> (Document, Report) {
    let mut assembler = Assembler::default();
    let mut minute: Option<u64> = None;
    let mut said = String::new();
    let mut last = String::new();
    let flush = |assembler: &mut Assembler, said: &mut String| {
        let text = std::mem::take(said);
        assembler.block(BlockKind::Paragraph, InlineText::plain(text.trim()));
    };
    for block in blocks(source) {
        let Some((start, words)) = cue(&block) else { continue };
        let own = start / SECONDS_A_MINUTE;
        if minute != Some(own) {
            flush(&mut assembler, &mut said);
            minute = Some(own);
            let heading = format!("{}:{:02}", own / 60, own % 60);
            let anchor = format!("t={}", own * SECONDS_A_MINUTE);
            assembler.heading(1, InlineText::plain(heading), Some(anchor));
        }
        // Subtitles that scroll say each line twice.
        for line in words.lines().filter(|line| *line != last) {
            said.push_str(line);
            said.push(' ');
        }
        last = words.lines().last().unwrap_or_default().to_owned();
    }
    flush(&mut assembler, &mut said);
    assembler.finish(path, title_from_path(path), None, BTreeMap::new())
}

/// The lines between empty ones.
fn blocks(source: &str) -> Vec<Vec<&str>> {
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    lines.split(|line| line.is_empty()).map(<[&str]>::to_vec).collect()
}

/// The second in which a cue begins, and its words; `None` for what is none.
fn cue(block: &[&str]) -> Option<(u64, String)> {
    let timing = block.iter().position(|line| line.contains("-->"))?;
    let start = seconds(block.get(timing)?.split("-->").next()?)?;
    let lines = block.get(timing + 1..)?.iter().map(|line| without_tags(line));
    let lines: Vec<String> = lines.filter(|line| !line.is_empty()).collect();
    Some((start, lines.join("\n")))
}

/// `00:01:02.500`, `01:02.500`, `00:01:02,500`
fn seconds(time: &str) -> Option<u64> {
    let whole = time.trim().split(['.', ',']).next()?;
    whole.split(':').try_fold(0_u64, |total, part| {
        total.checked_mul(60)?.checked_add(part.trim().parse().ok()?)
    })
}

/// A line without what colours or places it (`<b>`, `{\an8}`) or names who speaks (`<v Lecturer>`), and with its entities.
fn without_tags(line: &str) -> String {
    let mut out = without(line, "<", '>');
    out = without(&out, "{\\", '}');
    for (entity, sign) in [("&lt;", "<"), ("&gt;", ">"), ("&nbsp;", " "), ("&amp;", "&")] {
        out = out.replace(entity, sign);
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A line without the text between two marks, and without the marks.
fn without(line: &str, opens: &str, closes: char) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, behind)) = rest.split_once(opens) {
        out.push_str(before);
        match behind.split_once(closes) {
            Some((_, behind)) => rest = behind,
            None => {
                out.push_str(opens);
                rest = behind;
            }
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail")]

    use proptest::prelude::*;

    use crate::read_bytes;

    #[test]
    fn what_is_said_stands_under_its_minute() {
        let vtt = "WEBVTT\n\nNOTE made by hand\n\n1\n00:00:01.000 --> 00:00:05.000 align:start\n<v Lecturer>The excursion to Rotterdam\n\n\
                   00:05.000 --> 00:09.000\nis on the <b>twelfth</b> of May.\n\n01:02:03.000 --> 01:02:05.000\nFees &amp; forms\n";
        let srt = "1\r\n00:00:01,000 --> 00:00:05,000\r\nThe excursion to Rotterdam\r\n\r\n2\r\n00:00:05,000 --> 00:00:09,000\r\n{\\an8}\
                   The excursion to Rotterdam\r\nis on the {\\i1}twelfth{\\i0} of May.\r\n\r\n3\r\n01:02:03,000 --> 01:02:05,000\r\nFees & forms\r\n";
        for (path, source) in [("a/lecture_2.vtt", vtt), ("a/lecture_2.srt", srt)] {
            let reading = read_bytes(path, source.as_bytes(), &Default::default()).unwrap();
            let document = &reading.documents[0];
            assert_eq!(document.title, "Lecture 2", "{path}");
            assert_eq!(
                document.text,
                "0:00\n\nThe excursion to Rotterdam is on the twelfth of May.\n\n1:02\n\nFees & forms"
            );
            assert_eq!(document.sections.last().unwrap().anchor.as_deref(), Some("t=3720"));
        }
    }

    proptest! {
        #[test]
        fn any_lines_are_read(source in "([0-9:.,>< a-z-]|-->|\\{|\\\\|\\}|\n){0,80}") {
            prop_assert!(read_bytes("a.vtt", source.as_bytes(), &Default::default()).is_ok());
        }
    }
}
