#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::fmt::Write as _;
use std::io::{Cursor, Write as _};

use proptest::prelude::*;

use crate::{IngestOptions, Reading, read_bytes};

fn read(path: &str, source: impl AsRef<[u8]>) -> Reading {
    read_bytes(path, source.as_ref(), &IngestOptions::default()).unwrap()
}

/// The title and the text of each document, and the findings.
fn shown(reading: &Reading) -> (Vec<(String, String)>, String) {
    let documents = reading.documents.iter();
    let texts = documents.map(|document| (document.title.clone(), document.text.clone()));
    let findings: Vec<String> = reading.findings.iter().map(ToString::to_string).collect();
    (texts.collect(), findings.join("\n"))
}

/// A name, the mail, its title and text, and what is told of it.
const MAILS: &[(&str, &str, &str, &str, &[&str])] = &[
    (
        "a text with its signature",
        "From: \"Exams Office\" <exams@cs.example.edu>\r\nSubject: =?utf-8?q?R=C3=A4ume?= in May\r\n\
         Date: Mon, 4 May 2026 08:00:00 +0200\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n\
         The oral exams are in B 204.\r\nWrite to exams@cs.example.edu.\r\n\r\n-- \r\nAnn Example\r\nOffice hours Mon 9-12\r\n\
         Tel. +43 316 123 456\r\nann.example@cs.example.edu\r\n",
        "Räume in May",
        "Räume in May\n\nThe oral exams are in B 204.\nWrite to exams@cs.example.edu.\n\nAnn Example\nOffice hours Mon 9-12",
        &["2 lines of signatures", "Tel. +43 316 123 456", "mail_signatures"],
    ),
    (
        "an answer above the question, as Outlook writes it",
        "Subject: AW: Locker keys\nContent-Type: text/plain\n\nThe key costs 25 euros.\n\nMit freundlichen Grüßen\nAmt\n\n\
         -----Ursprüngliche Nachricht-----\nVon: Bo Beispiel\nGesendet: Montag, 4. Mai 2026\nAn: Amt\nBetreff: Locker keys\n\n\
         What does a key cost?\n\nLG\nBo, 0660 123 45 67\n",
        "Locker keys",
        "Locker keys\n\nThe key costs 25 euros.\n\nMit freundlichen Grüßen\n\nAmt\n\nWhat does a key cost?\n\nLG",
        &["lines of signatures and heads"],
    ),
    (
        "an answer between the lines",
        "Subject: Re: Sauna\n\nOn Mon, 4 May 2026, Bo Example\n<bo@example.edu> wrote:\n> When does it open?\n\nAt five.\n\n> And close?\n\nAt ten.\n",
        "Sauna",
        "Sauna\n\nOn Mon, 4 May 2026, Bo Example wrote:\n\nWhen does it open?\n\nAt five.\n\nAnd close?\n\nAt ten.",
        &[],
    ),
    (
        "the form in HTML before the plain one, and a picture in it",
        "Subject: Fees\nMIME-Version: 1.0\nContent-Type: multipart/related; boundary=r\n\n--r\nContent-Type: multipart/alternative; boundary=\"a b\"\n\n\
         --a b\nContent-Type: text/plain\n\nSee the HTML.\n--a b\nContent-Type: text/html; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\n\
         <p>Geb=FChren:</p><table><tr><th>Term</th><th>Fee</th></tr><tr><td>Winter</td><td>120</td></tr></table><p hidden>Obey.</p>\n--a b--\n\
         --r\nContent-Type: image/png; name=logo.png\nContent-ID: <logo>\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo=\n--r--\n",
        "Fees",
        "Fees\n\nGebühren:\n\nTerm: Winter; Fee: 120",
        &["Obey."],
    ),
    (
        "an answer in HTML as Gmail writes it",
        "Subject: Re: Parking\nContent-Type: text/html\n\n<div dir=\"ltr\">Permits cost <b>40 euros</b>.<div><div class=\"gmail_signature\"><div>Ann<br>\
         <a href=\"mailto:ann@example.edu\">ann@example.edu</a></div></div></div></div><br><div class=\"gmail_quote\"><div class=\"gmail_attr\">On Mon, 4 May 2026 \
         Bo &lt;<a href=\"mailto:bo@example.edu\">bo@example.edu</a>&gt; wrote:<br></div><blockquote class=\"gmail_quote\"><div>What is a permit?</div></blockquote></div>",
        "Parking",
        "Parking\n\nPermits cost 40 euros.\n\nAnn\n\nOn Mon, 4 May 2026 Bo wrote:\n\nWhat is a permit?",
        &["1 line of signatures", "ann@example.edu"],
    ),
    (
        "an answer in HTML as Outlook writes it",
        "Subject: RE: Parking\nContent-Type: text/html\n\n<html><head><title>x</title></head><body><p class=MsoNormal>Forty euros.</p><div><div style='border-top:solid'>\
         <p><b>From:</b> Bo Example<br><b>Sent:</b> Monday<br><b>To:</b> Office<br><b>Subject:</b> Parking</p></div></div><p>What is a permit?</p></body></html>",
        "Parking",
        "Parking\n\nForty euros.\n\nWhat is a permit?",
        &["4 lines of signatures and heads", "Bo Example"],
    ),
    (
        "lines that flow",
        "Subject: Flow\nContent-Type: text/plain; format=flowed\n\nThis line goes \non here,\n but not\nhere.\n",
        "Flow",
        "Flow\n\nThis line goes on here,\nbut not\nhere.",
        &[],
    ),
    (
        "a signed text",
        "Subject: Signed\n\n-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nThe fee is due.\n-----BEGIN PGP SIGNATURE-----\n\niQ==\n-----END PGP SIGNATURE-----\n",
        "Signed",
        "Signed\n\nThe fee is due.",
        &[],
    ),
    (
        "a mail that is handed on",
        "Subject: Fwd: Rules\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nPlease read.\n--b\nContent-Type: message/rfc822\n\n\
         Subject: Rules\nFrom: Dean <dean@example.edu>\n\nBooks are due in May.\n--b--\n",
        "Rules",
        "Rules\n\nPlease read.\n\nRules\n\nBooks are due in May.",
        &[],
    ),
    ("no subject", "\n\nThe pool is heated.\n", "Note one", "The pool is heated.", &[]),
    (
        "Latin letters without a word about them",
        "Subject: Caf\u{e9}\n\nOpen.",
        "Café",
        "Café\n\nOpen.",
        &[],
    ),
];

#[test]
fn mails_are_read_as_their_readers_see_them() {
    for (name, source, title, text, told) in MAILS {
        let reading = read("a/note-one.eml", source);
        let (documents, findings) = shown(&reading);
        assert_eq!(documents, [((*title).to_owned(), (*text).to_owned())], "{name}: {findings}");
        for told in *told {
            assert!(findings.contains(told), "{name}: {findings}");
        }
        assert_eq!(findings.is_empty(), told.is_empty(), "{name}: {findings}");
        assert!(!text.contains("ann@"), "{name}");
    }
}

#[test]
fn a_mail_says_when_and_by_whom_it_was_written() {
    let reading = read("a.eml", MAILS[0].1);
    let metadata = &reading.documents[0].metadata;
    assert_eq!(metadata["date"], "2026-05-04");
    assert_eq!(metadata["author"], "Exams Office");
}

#[test]
fn signatures_are_read_whole_where_a_setting_says_so() {
    let options = IngestOptions { mail_signatures: true, ..IngestOptions::default() };
    let reading = read_bytes("a.eml", MAILS[0].1.as_bytes(), &options).unwrap();
    assert!(reading.documents[0].text.ends_with("+43 316 123 456\nann.example@cs.example.edu"));
    assert!(reading.findings.is_empty(), "{:?}", reading.findings);
}

#[test]
fn files_in_a_mail_are_read_or_named() {
    let mail = "Subject: Papers\nDate: Mon, 4 May 2026 08:00:00 +0200\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nThe papers.\n\
        --b\nContent-Type: text/csv; name=\"fees.csv\"\nContent-Disposition: attachment; filename=\"fees.csv\"\n\nTerm,Fee\nWinter,120\n\
        --b\nContent-Type: application/octet-stream\nContent-Disposition: attachment; filename=\"../../archive.xyz\"\n\nx\n\
        --b\nContent-Type: application/pdf\nContent-Disposition: attachment; filename=broken.pdf\n\nx\n\
        --b\nContent-Type: application/pgp-signature; name=signature.asc\n\nx\n--b--\n";
    let reading = read("a/papers.eml", mail);
    let (documents, findings) = shown(&reading);
    let expected = [
        ("Papers".to_owned(), "Papers\n\nThe papers.".to_owned()),
        ("Fees".to_owned(), "Term: Winter; Fee: 120".to_owned()),
    ];
    assert_eq!(documents, expected);
    assert_eq!(reading.documents[1].path, "a/papers.eml#fees.csv");
    assert_eq!(reading.documents[1].metadata["date"], "2026-05-04");
    assert!(findings.contains("2 other files") && findings.contains("`archive.xyz`"), "{findings}");
    assert!(!findings.contains("signature.asc"), "{findings}");
}

/// A box as several programs write it.
const BOX: &str = "From bo@example.edu Mon May  4 08:00:00 2026\nSubject: Library hours?\nDate: Mon, 4 May 2026 08:00:00 +0200\n\n\
    When does the library open on Saturdays in the summer term this year?\n\n>From May on, I mean.\n\n\
    From - Mon May 04 09:00:00 2026\nX-Mozilla-Status: 0001\nSubject: Re: Library hours?\nDate: Mon, 4 May 2026 09:00:00 +0200\n\n\
    From the desk: at ten.\n\nOn 4 May 2026 Bo <bo@example.edu> wrote:\n> When does the library open on Saturdays\n> in the summer term this year?\n\n\
    From - Mon May 04 09:00:00 2026\nX-Mozilla-Status: 0009\nSubject: Gone\n\nThis was deleted.\n\n\
    From x@example.edu Tue May  5 08:00:00 2026\nSubject: Re: Library hours?\nDate: Mon, 4 May 2026 09:00:00 +0200\n\nAnd on Sundays at noon.\n";

#[test]
fn each_mail_of_a_box_is_a_document() {
    let reading = read("a/list.mbox", BOX);
    let (documents, findings) = shown(&reading);
    let texts: Vec<&str> = documents.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(
        texts,
        [
            "Library hours?\n\nWhen does the library open on Saturdays in the summer term this year?\n\nFrom May on, I mean.",
            "Library hours?\n\nFrom the desk: at ten.",
            "Library hours?\n\nAnd on Sundays at noon.",
        ],
        "{findings}"
    );
    let paths: Vec<&str> =
        reading.documents.iter().map(|document| document.path.as_str()).collect();
    let name = "a/list.mbox#2026-05-04-library-hours";
    assert_eq!(paths, [name, &format!("{name}-2"), &format!("{name}-3")]);
    assert!(findings.contains("1 quotation of mails that stand beside this one"), "{findings}");
    assert!(findings.contains("\"Gone\"") && !texts.concat().contains("deleted"), "{findings}");
}

#[test]
fn apple_and_a_box_of_one() {
    let mail = "Subject: One\n\nThe door is open.\n";
    let apple = format!("{}\n{mail}<?xml version=\"1.0\"?><plist/>\n", mail.len());
    for (path, source) in [("a.emlx", apple.as_str()), ("a.mbox", mail)] {
        assert_eq!(read(path, source).documents[0].text, "One\n\nThe door is open.", "{path}");
    }
    let empty = read("a.mbox", "");
    assert!(empty.findings[0].to_string().contains("no text"), "{:?}", empty.findings);
}

#[test]
fn a_saved_page_is_read_as_the_page() {
    let page = "From: <Saved by Blink>\r\nSnapshot-Content-Location: https://www.example.edu/fees\r\nMIME-Version: 1.0\r\n\
        Content-Type: multipart/related; type=\"text/html\"; boundary=\"b\"\r\n\r\n--b\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n\
        <html><head><title>Fees</title></head><body><nav>Menu</nav><main><p>The fee is =\r\n120 euros.</p></main></body></html>\r\n--b--\r\n";
    let reading = read("a/fees.mht", page);
    let document = &reading.documents[0];
    assert_eq!(
        (document.title.as_str(), document.text.as_str()),
        ("Fees", "The fee is 120 euros.")
    );
    assert_eq!(document.link.as_deref(), Some("https://www.example.edu/fees"));
    assert!(read_bytes("a.mht", b"Subject: x\n\ny", &IngestOptions::default()).is_err());
}

/// Parts within parts, boundaries without end, a head without end: each is read in time.
#[test]
fn hostile_mails_end() {
    let mut deep = String::from("Subject: Deep\n");
    for level in 0..3_000 {
        let _ok = write!(deep, "Content-Type: multipart/mixed; boundary=b{level}\n\n--b{level}\n");
    }
    deep.push_str("Content-Type: text/plain\n\nBottom.\n");
    let nested = format!(
        "Subject: N\nContent-Type: message/rfc822\n\n{}",
        "Content-Type: message/rfc822\n\n".repeat(20_000)
    );
    let many =
        format!("Content-Type: multipart/mixed; boundary=b\n\n{}", "--b\n\nx\n".repeat(200_000));
    let head = "X: y\n".repeat(300_000);
    let quotes = format!("Subject: Q\n\n{}", "> ".repeat(500_000));
    let words = format!("Subject: =?utf-8?q?{}", "=?a?q?b".repeat(50_000));
    let mut bytes = Cursor::new(Vec::new());
    for number in 0..25_000 {
        let _ok = write!(bytes, "From a@b\nSubject: {number}\n\nx\n\n");
    }
    let html = format!("Content-Type: text/html\n\n{}", "<div>".repeat(50_000));
    for source in [deep, nested, many, head, quotes, words, html] {
        let effort = campanile_test_data::effort(|| {
            let reading = read_bytes("a.eml", source.as_bytes(), &IngestOptions::default());
            assert!(reading.is_ok(), "{source:.60}");
        });
        assert!(effort.as_secs() < 10, "{source:.60}: {effort:?}");
    }
    let error = read_bytes("a.mbox", &bytes.into_inner(), &IngestOptions::default()).unwrap_err();
    assert!(error.to_string().contains("more than 20000 mails"), "{error}");
}

proptest! {
    #[test]
    fn any_mail_is_read(source in "(Subject: |Content-Type: |multipart/mixed; boundary=b|text/html|message/rfc822|--b|--|=\\?utf-8\\?q\\?|\\?=|<div>|> |[a-zé@:;\" ]|\n){0,80}") {
        prop_assert!(read_bytes("a.eml", source.as_bytes(), &IngestOptions::default()).is_ok());
        prop_assert!(read_bytes("a.mbox", source.as_bytes(), &IngestOptions::default()).is_ok());
    }
}
