//! A writer of small PDF files, so that each test shows the page it is about.

use std::fmt::Write;

/// A page of 600 by 800 points as it is drawn; `y` counts from the top.
#[derive(Clone, Debug, Default)]
pub(crate) struct Page {
    content: String,
    annotations: Vec<String>,
}

impl Page {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Text in Helvetica (`F1`) at a place.
    pub(crate) fn text(self, x: f64, y: f64, size: f64, text: &str) -> Self {
        self.set("F1", x, y, size, text, 0)
    }

    /// The same in bold (`F2`).
    pub(crate) fn bold(self, x: f64, y: f64, size: f64, text: &str) -> Self {
        self.set("F2", x, y, size, text, 0)
    }

    /// The same without ink.
    pub(crate) fn inkless(self, x: f64, y: f64, size: f64, text: &str) -> Self {
        self.set("F1", x, y, size, text, 3)
    }

    fn set(mut self, font: &str, x: f64, y: f64, size: f64, text: &str, mode: u8) -> Self {
        let mut escaped = Vec::new();
        for character in text.chars() {
            // WinAnsi is Latin-1 for what the tests need.
            let byte = match character {
                '–' => 0x96,
                '•' => 0x95,
                other => u8::try_from(u32::from(other)).unwrap_or(b'?'),
            };
            escaped.push(byte);
        }
        let hex: String = escaped.iter().map(|byte| format!("{byte:02X}")).collect();
        let bottom = 800.0 - y;
        let _ = writeln!(
            self.content,
            "BT /{font} {size} Tf {mode} Tr 1 0 0 1 {x} {bottom} Tm <{hex}> Tj ET"
        );
        self
    }

    /// Any operators.
    pub(crate) fn raw(mut self, operators: &str) -> Self {
        self.content.push_str(operators);
        self.content.push('\n');
        self
    }

    pub(crate) fn line(self, from: (f64, f64), to: (f64, f64)) -> Self {
        let (x, y, u, v) = (from.0, 800.0 - from.1, to.0, 800.0 - to.1);
        self.raw(&format!("0.5 w {x} {y} m {u} {v} l S"))
    }

    /// The rules around cells between these places.
    pub(crate) fn grid(mut self, columns: &[f64], rows: &[f64]) -> Self {
        let (Some(left), Some(right)) = (columns.first(), columns.last()) else {
            return self;
        };
        let (Some(top), Some(bottom)) = (rows.first(), rows.last()) else {
            return self;
        };
        for y in rows {
            self = self.line((*left, *y), (*right, *y));
        }
        for x in columns {
            self = self.line((*x, *top), (*x, *bottom));
        }
        self
    }

    /// Lines one below the other, 12 points apart, in a column that ends where the longest does.
    pub(crate) fn lines(mut self, x: f64, y: f64, size: f64, lines: &[&str]) -> Self {
        for (index, line) in lines.iter().enumerate() {
            self = self.text(x, y + 1.2 * size * index as f64, size, line);
        }
        self
    }

    /// A note of a viewer over a place that strikes it out.
    pub(crate) fn struck(mut self, area: [f64; 4], flags: u32) -> Self {
        let [left, top, right, bottom] = area;
        let (top, bottom) = (800.0 - top, 800.0 - bottom);
        self.annotations.push(format!(
            "<< /Type /Annot /Subtype /StrikeOut /F {flags} /Rect [{left} {bottom} {right} {top}] \
             /QuadPoints [{left} {top} {right} {top} {left} {bottom} {right} {bottom}] >>"
        ));
        self
    }

    /// A link over a place.
    pub(crate) fn link(mut self, area: [f64; 4], target: &str) -> Self {
        let [left, top, right, bottom] = area;
        self.annotations.push(format!(
            "<< /Type /Annot /Subtype /Link /Rect [{left} {} {right} {}] \
             /A << /S /URI /URI ({target}) >> >>",
            800.0 - bottom,
            800.0 - top
        ));
        self
    }
}

/// A PDF in the making.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pdf {
    pages: Vec<Page>,
    info: String,
    catalog: String,
    trailer: String,
    objects: Vec<String>,
    is_small: bool,
}

impl Pdf {
    pub(crate) fn new(pages: impl IntoIterator<Item = Page>) -> Self {
        Self { pages: pages.into_iter().collect(), ..Self::default() }
    }

    /// Only the first 100 by 80 points of each page.
    pub(crate) fn small(mut self) -> Self {
        self.is_small = true;
        self
    }

    /// Entries of the information dictionary.
    pub(crate) fn info(mut self, entries: &str) -> Self {
        self.info.push_str(entries);
        self
    }

    /// Entries of the catalog.
    pub(crate) fn catalog(mut self, entries: &str) -> Self {
        self.catalog.push_str(entries);
        self
    }

    /// Entries of the trailer.
    pub(crate) fn trailer(mut self, entries: &str) -> Self {
        self.trailer.push_str(entries);
        self
    }

    /// One more object; its number is [`Pdf::next_object`] before the call.
    pub(crate) fn object(mut self, object: &str) -> Self {
        self.objects.push(object.to_owned());
        self
    }

    /// The number that the next object gets.
    pub(crate) fn next_object(&self) -> usize {
        6 + 2 * self.pages.len() + self.objects.len()
    }

    /// The number of a page's object, pages from 0.
    pub(crate) fn page_object(page: usize) -> usize {
        6 + 2 * page
    }

    /// The file: catalog 1, pages 2, fonts 3 and 4, information 5, then each page and its content.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let kids: String =
            (0..self.pages.len()).map(|page| format!("{} 0 R ", Self::page_object(page))).collect();
        let mut objects = vec![
            format!("<< /Type /Catalog /Pages 2 0 R {} >>", self.catalog),
            format!("<< /Type /Pages /Count {} /Kids [{kids}] >>", self.pages.len()),
            font("Helvetica"),
            font("Helvetica-Bold"),
            format!("<< {} >>", self.info),
        ];
        for page in &self.pages {
            let content = objects.len() + 2;
            let area = if self.is_small { "[0 720 100 800]" } else { "[0 0 600 800]" };
            objects.push(format!(
                "<< /Type /Page /Parent 2 0 R /MediaBox {area} /Contents {content} 0 R \
                 /Annots [{}] /Resources << /Font << /F1 3 0 R /F2 4 0 R >> /XObject << {} >> >> >>",
                page.annotations.join(" "),
                if self.objects.is_empty() { String::new() } else { format!("/X {} 0 R", 6 + 2 * self.pages.len()) },
            ));
            objects.push(format!(
                "<< /Length {} >>\nstream\n{}endstream",
                page.content.len(),
                page.content
            ));
        }
        objects.extend(self.objects.iter().cloned());
        self.written(&objects)
    }

    fn written(&self, objects: &[String]) -> Vec<u8> {
        let mut file = String::from("%PDF-1.7\n");
        let mut offsets = Vec::new();
        for (index, object) in objects.iter().enumerate() {
            offsets.push(file.len());
            let _ = write!(file, "{} 0 obj\n{object}\nendobj\n", index + 1);
        }
        let start = file.len();
        let _ = write!(file, "xref\n0 {}\n0000000000 65535 f \n", offsets.len() + 1);
        for offset in &offsets {
            let _ = writeln!(file, "{offset:010} 00000 n ");
        }
        let _ = write!(
            file,
            "trailer\n<< /Size {} /Root 1 0 R /Info 5 0 R {} >>\nstartxref\n{start}\n%%EOF\n",
            offsets.len() + 1,
            self.trailer
        );
        file.into_bytes()
    }
}

fn font(name: &str) -> String {
    format!("<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>")
}
