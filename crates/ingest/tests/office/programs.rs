//! Files that a real program wrote.

use crate::check;
use crate::support::{read, shown};

#[test]
fn both_formats_of_one_document_are_read_alike() {
    let files: [(&str, &[u8]); 2] = [
        ("a/rules.docx", include_bytes!("files/rules.docx")),
        ("a/rules.odt", include_bytes!("files/rules.odt")),
    ];
    for (path, bytes) in files {
        let reading = read(path, bytes);
        check(
            path,
            &shown(&reading),
            "# § 1 Scope
             - (1) First clause with a note.
             The note.
             - a) letter a
             - b) letter b
             - (2) Second clause.
             ## 1.1 Winter term
             Seen text, and a link, inserted.
             # § 2 Fees
             - (3) Third clause.
             | Term: Winter; Fee: home; Fee: 120
             | Term: Winter; Fee: abroad; Fee: 240
             Around.
             Boxed words.
             [a link](https://example.edu/a)
             ! text that a reader of the page does not see was left out (1 piece, such as \"vanished white\"). Make it visible if it should be found
             ! left out 1 comment. Nothing needs to be done
             ! read 2 tracked changes as if accepted. Accept or reject them in the document if it should be found otherwise",
        );
        let document = &reading.documents[0];
        assert_eq!(document.title, "Study rules");
        assert_eq!(document.sections[1].path, ["§ 1 Scope", "1.1 Winter term"]);
        assert_eq!(document.metadata["keywords"], "rules");
    }
}
