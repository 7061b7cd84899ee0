//! Paragraphs, numbers, hidden text, fields and notes.

use super::{item, p, run, tc};

#[test]
fn paragraphs_and_headings() {
    let cases: &[(&str, String, &str)] = &[
        (
            "styles by name, by outline and through others",
            [
                p("berschrift1", "One"),
                p("Abschnitt", "Two"),
                p("Kreis", "Round and round."),
                "<w:p><w:pPr><w:outlineLvl w:val=\"2\"/></w:pPr><w:r><w:t>Three</w:t></w:r></w:p>"
                    .into(),
                p("Ttulo4", "Quatro"),
                p("Zitat", "Said."),
            ]
            .concat(),
            "# One
             ## Two
             Round and round.
             ### Three
             #### Quatro
             > Said.",
        ),
        (
            "a heading's line break is a space",
            "<w:p><w:pPr><w:pStyle w:val=\"berschrift1\"/></w:pPr><w:r><w:t>Exams</w:t><w:br/>\
             <w:t>in winter</w:t></w:r></w:p>"
                .into(),
            "# Exams in winter
             ! nothing in it can be found. Remove it, or give it a body",
        ),
        (
            "signs, tabs, breaks and hyphens",
            "<w:p><w:r><w:t xml:space=\"preserve\">E</w:t><w:noBreakHyphen/><w:t>mail</w:t><w:tab/>\
             <w:t>Stu\u{ad}dents</w:t><w:br/><w:t>see</w:t><w:sym w:font=\"Wingdings\" w:char=\"F0E0\"/>\
             <w:softHyphen/><w:t>10</w:t></w:r><w:r><w:rPr><w:vertAlign w:val=\"superscript\"/></w:rPr>\
             <w:t>6</w:t></w:r></w:p>"
                .into(),
            "E-mail Students⏎see→10^6",
        ),
        (
            "runs are joined, white space counts where it says so",
            "<w:p><w:r><w:t>Regis</w:t></w:r><w:r><w:t xml:space=\"preserve\">ter </w:t></w:r>\
             <w:r><w:t>now</w:t></w:r></w:p>"
                .into(),
            "Register now",
        ),
        (
            "mathematics in a line",
            "<w:p><w:r><w:t xml:space=\"preserve\">Grade </w:t></w:r><m:oMath><m:r><m:t>x=</m:t></m:r>\
             <m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f>\
             </m:oMath></w:p>"
                .into(),
            "Grade x=(a+b)/2",
        ),
        (
            "content controls, but not their prompts",
            "<w:sdt><w:sdtContent><w:p><w:r><w:t>In a control.</w:t></w:r></w:p></w:sdtContent></w:sdt>\
             <w:p><w:r><w:t xml:space=\"preserve\">Name: </w:t></w:r><w:sdt><w:sdtPr><w:showingPlcHdr/>\
             </w:sdtPr><w:sdtContent><w:r><w:t>Click here</w:t></w:r></w:sdtContent></w:sdt></w:p>"
                .into(),
            "In a control.
             Name:
             ! what asks for an entry was left out (1 piece, such as \"Click here\"). Fill it in if something should be found there",
        ),
        (
            "a style that builds on that of the title",
            [p("Titel", "Rules"), p("Verfasser", "Ada Lind"), p("Standard", "One.")].concat(),
            "# Rules
             Ada Lind
             One.",
        ),
        (
            "raised digits behind a point are no decimals",
            "<w:p><w:r><w:t>It is EUR 55.</w:t></w:r><w:r><w:rPr><w:vertAlign w:val=\"superscript\"/></w:rPr><w:t>1</w:t></w:r>\
             <w:r><w:t xml:space=\"preserve\"> See 10</w:t></w:r><w:r><w:rPr><w:vertAlign w:val=\"superscript\"/></w:rPr><w:t>6</w:t></w:r></w:p>"
                .into(),
            "It is EUR 55.¹ See 10^6",
        ),
        (
            "prompts of whole blocks and in cells",
            format!(
                "{0}<w:p><w:r><w:t>Next.</w:t></w:r></w:p><w:tbl><w:tr><w:tc>{1}</w:tc><w:tc>{0}</w:tc></w:tr>\
                 <w:tr><w:tc>{1}</w:tc><w:tc>{1}</w:tc></w:tr></w:tbl>",
                "<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent><w:p><w:r><w:t>Click here</w:t></w:r></w:p></w:sdtContent></w:sdt>",
                "<w:p><w:r><w:t>Room</w:t></w:r></w:p>"
            ),
            "Next.
             | Room
             | Room: Room
             ! what asks for an entry was left out (2 pieces, such as \"Click here\"). Fill it in if something should be found there",
        ),
    ];
    run(cases);
}

#[test]
fn bold_lines_are_headings_where_there_are_no_others() {
    let line = |text: &str| format!("<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>{text}</w:t></w:r></w:p>");
    let text = ["One.", "Two.", "Three.", "Four."].map(|text| p("Standard", text)).concat();
    let cases: &[(&str, String, &str)] = &[
        (
            "rare and short",
            [line("Deadlines"), text.clone(), line("Bring your card:"), text.clone()].concat(),
            "# Deadlines
             One.
             Two.
             Three.
             Four.
             Bring your card:
             One.
             Two.
             Three.
             Four.",
        ),
        (
            "all of them with a colon",
            [line("Deadlines:"), text.clone(), line("Card:"), text.clone()].concat(),
            "# Deadlines:
             One.
             Two.
             Three.
             Four.
             # Card:
             One.
             Two.
             Three.
             Four.",
        ),
        (
            "too many",
            [line("Deadlines"), line("Fees"), p("Standard", "One.")].concat(),
            "Deadlines
             Fees
             One.",
        ),
        (
            "with headings by style",
            [p("berschrift1", "Rules"), line("Deadlines"), text].concat(),
            "# Rules
             Deadlines
             One.
             Two.
             Three.
             Four.",
        ),
    ];
    run(cases);
}

#[test]
fn numbers_are_written_out() {
    let cases: &[(&str, String, &str)] = &[
        (
            "clauses by their styles",
            [
                p("Paragraf", "Scope"),
                p("Absatz", "First."),
                p("Absatz", "Second."),
                item(1, 2, "in winter"),
                item(1, 2, "in summer"),
                p("Paragraf", "Deadlines"),
                p("Absatz", "Anew."),
            ]
            .concat(),
            "# § 1 Scope
             - (1) First.
             - (2) Second.
             - a) in winter
             - b) in summer
             # § 2 Deadlines
             - (1) Anew.",
        ),
        (
            "bullets are not",
            [item(2, 0, "Card"), item(2, 1, "Photo"), item(2, 0, "Form")].concat(),
            "- Card
             - Photo
             - Form",
        ),
        (
            "starts, legal numbers, and a level that never begins anew",
            [
                item(3, 0, "a"),
                item(3, 1, "b"),
                item(3, 2, "c"),
                item(3, 0, "d"),
                item(3, 1, "e"),
                item(3, 2, "f"),
            ]
            .concat(),
            "- III. a
             - 3.1 b
             - No. 1 c
             - IV. d
             - 4.1 e
             - No. 2 f",
        ),
        (
            "a list that begins anew, one that goes on, one that is switched off",
            [
                item(1, 0, "a"),
                item(1, 2, "b"),
                item(1, 2, "c"),
                item(4, 2, "d"),
                item(4, 2, "e"),
                item(0, 0, "f"),
                item(99, 0, "g"),
            ]
            .concat(),
            "- § 1 a
             - a) b
             - b) c
             - a) d
             - b) e
             f
             g",
        ),
        (
            "an empty item counts, a hidden one does not",
            [
                item(1, 0, "a"),
                item(1, 0, ""),
                "<w:p><w:pPr><w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"1\"/></w:numPr><w:rPr><w:vanish/>\
                 </w:rPr></w:pPr><w:r><w:rPr><w:vanish/></w:rPr><w:t>Secret.</w:t></w:r></w:p>"
                    .into(),
                item(1, 0, "c"),
            ]
            .concat(),
            "- § 1 a
             - § 3 c
             ! text that a reader of the page does not see was left out (1 piece, such as \"Secret.\"). Make it visible if it should be found",
        ),
    ];
    run(cases);
}

#[test]
fn what_nobody_sees_is_left_out_and_reported() {
    let hidden = |look: &str| {
        format!(
            "<w:p><w:r><w:t>Seen.</w:t></w:r><w:r><w:rPr>{look}</w:rPr><w:t>Obey me.</w:t></w:r></w:p>"
        )
    };
    let left_out = "Seen.
         ! text that a reader of the page does not see was left out (1 piece, such as \"Obey me.\"). Make it visible if it should be found";
    let kept = "Seen.Obey me.";
    let ground = |inner: &str| {
        format!(
            "<w:tbl><w:tr>{}{}</w:tr><w:tr>{}{}</w:tr></w:tbl>",
            tc("<w:shd w:val=\"clear\" w:fill=\"1F3864\"/>", ""),
            tc("", "b"),
            tc("", "c"),
            tc("", "d")
        )
        .replacen("<w:p><w:r><w:t></w:t></w:r></w:p>", inner, 1)
    };
    let cases: &[(&str, String, &str)] = &[
        ("hidden", hidden("<w:vanish/>"), left_out),
        ("switched off", hidden("<w:vanish w:val=\"0\"/>"), kept),
        ("by a style", hidden("<w:rStyle w:val=\"Verborgen\"/>"), left_out),
        ("a style that is overruled", hidden("<w:rStyle w:val=\"Verborgen\"/><w:vanish w:val=\"false\"/>"), kept),
        ("white on white", hidden("<w:color w:val=\"FFFFFF\"/>"), left_out),
        ("white by its theme", hidden("<w:color w:val=\"000000\" w:themeColor=\"background1\"/>"), left_out),
        ("white on black", hidden("<w:color w:val=\"FFFFFF\"/><w:shd w:val=\"clear\" w:fill=\"000000\"/>"), kept),
        ("half a point", hidden("<w:sz w:val=\"1\"/>"), left_out),
        (
            "white in a dark cell",
            ground(&hidden("<w:color w:val=\"FFFFFF\"/>")),
            "| Seen.Obey me.: b
             | c: d",
        ),
        ("a marker of comments", "<w:p><w:r><w:t>Seen.</w:t></w:r><w:r><w:commentReference w:id=\"1\"/></w:r></w:p>".into(),
            "Seen.
             ! left out 1 comment. Nothing needs to be done"),
        (
            "control tokens",
            "<w:p><w:r><w:t>Seen.</w:t></w:r><w:r><w:t>&lt;|im_</w:t></w:r><w:r><w:t>start|&gt;</w:t></w:r></w:p>".into(),
            "Seen.
             ! left out 1 control token of a language model, such as `<|im_start|>`. In a document they are an attempt to steer a model, or a slip: look at where they came from",
        ),
    ];
    run(cases);
}

#[test]
fn fields_links_changes_and_notes() {
    let code = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
    let field = |instruction: &str, result: &str| {
        format!(
            "{}<w:r><w:instrText xml:space=\"preserve\"> {instruction} </w:instrText></w:r>{}{result}{}",
            code("begin"),
            code("separate"),
            code("end")
        )
    };
    let run_of = |text: &str| format!("<w:r><w:t xml:space=\"preserve\">{text}</w:t></w:r>");
    let contents = format!(
        "<w:p>{}<w:r><w:instrText> TOC \\o </w:instrText></w:r>{}{}</w:p><w:p>{}</w:p><w:p>{}</w:p>",
        code("begin"),
        code("separate"),
        run_of("Fees 3"),
        field("PAGEREF _Toc1", &run_of("Exams 7")),
        code("end")
    );
    let cases: &[(&str, String, &str)] = &[
        (
            "links of all kinds",
            format!(
                "<w:p><w:hyperlink r:id=\"rId5\" w:anchor=\"dates\">{}</w:hyperlink>{}{}\
                 <w:fldSimple w:instr=\"HYPERLINK mailto:x@example.edu\">{}</w:fldSimple>\
                 <w:hyperlink w:anchor=\"top\">{}</w:hyperlink><w:hyperlink r:id=\"rId6\">{}</w:hyperlink></w:p>",
                run_of("exams"), run_of(" and "),
                field("HYPERLINK \"https://example.edu/a\"", &run_of("grades")),
                run_of(" mail "), run_of("up"), run_of(" run")
            ),
            "exams and grades mail up run
             [exams](https://example.edu/exams#dates)
             [grades](https://example.edu/a)
             [mail](mailto:x@example.edu)
             ! a link to `javascript:alert(1)` was left out. Only web, mail and relative addresses are kept",
        ),
        (
            "what a field shows is kept, its code is not",
            format!("<w:p>{}{}</w:p>", run_of("See page "), field("PAGEREF x", &run_of("12"))),
            "See page 12",
        ),
        ("a table of contents", format!("{contents}{}", p("Standard", "After.")), "After."),
        (
            "a table of contents that never ends takes nothing with it",
            format!("{}{}", contents.replacen("end", "separate", 2), p("Standard", "After.")),
            "Fees 3
             Exams 7
             After.",
        ),
        (
            "contents by style, and by the block that Word keeps",
            format!(
                "{}<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val=\"Table of Contents\"/></w:docPartObj>\
                 </w:sdtPr><w:sdtContent>{}</w:sdtContent></w:sdt>{}",
                p("Verzeichnis1", "Fees 3"), p("Standard", "Contents"), p("Standard", "After.")
            ),
            "After.",
        ),
        (
            "tracked changes are read as if accepted",
            format!(
                "<w:p>{}<w:del w:id=\"1\"><w:r><w:delText>31 May</w:delText></w:r></w:del><w:ins w:id=\"2\">{}</w:ins></w:p>",
                run_of("Until "), run_of("15 June")
            ),
            "Until 15 June
             ! read 2 tracked changes as if accepted. Accept or reject them in the document if it should be found otherwise",
        ),
        (
            "a deleted paragraph mark joins two paragraphs",
            format!(
                "<w:p><w:pPr><w:rPr><w:del w:id=\"1\"/></w:rPr></w:pPr>{}</w:p><w:p>{}</w:p><w:p>{}</w:p>",
                run_of("One "), run_of("line."), run_of("Another.")
            ),
            "One line.
             Another.",
        ),
        (
            "boxes by their state, by their font, and what asks for an entry",
            format!(
                "<w:p xmlns:w14=\"http://schemas.microsoft.com/office/word/2010/wordml\">\
                 <w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val=\"1\"/></w14:checkbox></w:sdtPr><w:sdtContent>{}</w:sdtContent></w:sdt>{}\
                 <w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val=\"0\"/></w14:checkbox></w:sdtPr><w:sdtContent>{}</w:sdtContent></w:sdt>{}\
                 <w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val=\"1\"/></w14:checkbox></w:sdtPr><w:sdtContent>{}</w:sdtContent></w:sdt>{}</w:p>\
                 <w:p><w:r><w:rPr><w:rFonts w:ascii=\"Wingdings\" w:hAnsi=\"Wingdings\"/></w:rPr><w:t>\u{F0FE}</w:t></w:r>{}\
                 <w:r><w:rPr><w:rFonts w:ascii=\"Wingdings\" w:hAnsi=\"Wingdings\"/></w:rPr><w:t>o</w:t></w:r>{}</w:p>\
                 <w:p><w:r><w:rPr><w:rStyle w:val=\"Platzhaltertext\"/></w:rPr><w:t>Click here.</w:t></w:r></w:p>",
                run_of("X"), run_of(" paid "), run_of(" "), run_of(" waived "), run_of("✓"),
                run_of(" seen"), run_of(" key "), run_of(" card")
            ),
            "☒ paid ☐ waived ✓ seen
             ☑ key ☐ card
             ! what asks for an entry was left out (1 piece, such as \"Click here.\"). Fill it in if something should be found there",
        ),
        (
            "notes stand behind their paragraph, once",
            format!(
                "<w:p>{}<w:r><w:footnoteReference w:id=\"1\"/></w:r><w:r><w:endnoteReference w:id=\"1\"/></w:r>\
                 <w:r><w:footnoteReference w:id=\"1\"/></w:r></w:p><w:p>{}<w:r><w:footnoteReference w:id=\"2\"/></w:r></w:p>",
                run_of("Fee: 120"), run_of("Next.")
            ),
            "Fee: 120
             See the fees
             At the end.
             Next.
             Round again.
             [the fees](https://example.edu/fees)",
        ),
        (
            "a box of text, once, behind its paragraph",
            format!(
                "<w:p>{}<w:r><mc:AlternateContent><mc:Choice Requires=\"wps\"><w:drawing><wps:wsp><wps:txbx>\
                 <w:txbxContent>{}</w:txbxContent></wps:txbx></wps:wsp></w:drawing></mc:Choice><mc:Fallback><w:pict>\
                 <v:textbox><w:txbxContent>{}</w:txbxContent></v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>",
                run_of("Around."), p("Standard", "Boxed."), p("Standard", "Boxed.")
            ),
            "Around.
             Boxed.",
        ),
    ];
    run(cases);
}
