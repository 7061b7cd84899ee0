//! Small files of each kind: a title, a fact, and a hostile text in the kind's own markup.

use std::fmt::Write as _;
use std::io::{Cursor, Write as _};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// The bytes of such a file.
pub fn made(format: &str, title: &str, fact: &str, hostile: &str) -> Vec<u8> {
    match format {
        "docx" => docx(title, fact, hostile),
        "odt" => odt(title, fact, hostile),
        "pdf" => pdf(title, fact, hostile),
        _ => text(format, title, fact, hostile).into_bytes(),
    }
}

fn text(format: &str, title: &str, fact: &str, hostile: &str) -> String {
    match format {
        "md" => format!("# {title}\n\n{fact}\n\n{hostile}\n"),
        "txt" => format!("{title}\n\n{fact}\n\n{hostile}\n"),
        "rst" => format!("{title}\n{}\n\n{fact}\n\n{hostile}\n", "=".repeat(title.len())),
        "html" => format!(
            "<!doctype html><html><head><title>{title}</title></head><body><main><h1>{title}</h1>\
             <p>{fact}</p>{hostile}</main></body></html>"
        ),
        "json" => format!("{{\"title\": \"{title}\", \"text\": \"{fact}\"}}"),
        "csv" => {
            let row = if hostile.is_empty() { "-,-,-" } else { hostile };
            format!("House,Remark,Also\n{title},{fact},-\n{row}\n")
        }
        "ics" => format!(
            "BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nUID:1@x\nDTSTART:20270104T090000Z\n\
             SUMMARY:{title}\nCOMMENT:-\nLOCATION:{fact}\n{hostile}\nEND:VEVENT\nEND:VCALENDAR\n"
        ),
        other => panic!("no frame for {other}"),
    }
}

fn zipped(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(content.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn docx(title: &str, fact: &str, hostile: &str) -> Vec<u8> {
    let types = r#"<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>"#;
    let links = r#"<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>"#;
    let document = format!(
        r#"<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>{title}</w:t></w:r></w:p><w:p><w:r><w:t>{fact}</w:t></w:r></w:p>{hostile}</w:body></w:document>"#
    );
    zipped(&[
        ("[Content_Types].xml", types),
        ("_rels/.rels", links),
        ("word/document.xml", &document),
    ])
}

/// Its styles `T1` and `T2` show nothing.
fn odt(title: &str, fact: &str, hostile: &str) -> Vec<u8> {
    let styles = r##"<style:style style:name="T1" style:family="text"><style:text-properties text:display="none"/></style:style><style:style style:name="T2" style:family="text"><style:text-properties fo:color="#ffffff"/></style:style>"##;
    let spaces = r#"xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0""#;
    let content = format!(
        r#"<office:document-content {spaces}><office:automatic-styles>{styles}</office:automatic-styles><office:body><office:text><text:h text:outline-level="1">{title}</text:h><text:p>{fact}</text:p>{hostile}</office:text></office:body></office:document-content>"#
    );
    zipped(&[
        ("mimetype", "application/vnd.oasis.opendocument.text"),
        ("content.xml", content.as_str()),
    ])
}

/// One page; the hostile text is operators of its content.
fn pdf(title: &str, fact: &str, hostile: &str) -> Vec<u8> {
    let mut out = String::from("%PDF-1.4\n");
    let mut offsets = Vec::new();
    let content = format!(
        "BT /F 18 Tf 20 160 Td ({title}) Tj ET\nBT /F 12 Tf 20 130 Td ({fact}) Tj ET\nq {hostile} Q"
    );
    for object in [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Count 1 /Kids [4 0 R] >>".to_owned(),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 200] /Resources << /Font << /F 3 0 R >> >> \
         /Contents 5 0 R >>"
            .to_owned(),
        format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len()),
    ] {
        offsets.push(out.len());
        write!(out, "{} 0 obj\n{object}\nendobj\n", offsets.len()).unwrap();
    }
    let start = out.len();
    write!(out, "xref\n0 {}\n0000000000 65535 f \n", offsets.len() + 1).unwrap();
    for offset in &offsets {
        writeln!(out, "{offset:010} 00000 n ").unwrap();
    }
    write!(out, "trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n").unwrap();
    out.into_bytes()
}
