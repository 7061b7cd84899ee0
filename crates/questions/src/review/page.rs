//! The form as a web page.

use serde::Serialize;

use super::Review;

/// The page with a mark where the proposals go.
const PAGE: &str = include_str!("page.html");
const MARK: &str = "PROPOSALS</script>";
const AFTERWARDS: &str = "AFTERWARDS</script>";

/// What becomes of a review that was made in the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Afterwards {
    /// The name under which it is handed out.
    pub file_name: String,
    /// What to do with the file, in a sentence.
    pub then: String,
}

/// A review as one HTML file with a form in it: it loads nothing, works where it lies, keeps the
/// decisions in the browser, and hands out the review as a file that [`Review::read`] reads.
pub fn page(review: &Review, afterwards: &Afterwards) -> String {
    let lines = review.write();
    // A list of the lines; as long as no `<` stands in it, no text can end the element it lies in.
    let list = lines.trim_end().replace('\n', ",\n").replace('<', "\\u003c");
    // It is made of two texts, which always are JSON.
    let afterwards = serde_json::to_string(afterwards).unwrap_or_default().replace('<', "\\u003c");
    PAGE.replacen(AFTERWARDS, &format!("{afterwards}</script>"), 1).replacen(
        MARK,
        &format!("[{list}]</script>"),
        1,
    )
}
