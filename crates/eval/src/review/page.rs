//! The form as a web page.

use super::Review;

/// The page with a mark where the proposals go.
const PAGE: &str = include_str!("page.html");
const MARK: &str = "PROPOSALS</script>";

/// A review as one HTML file with a form in it: it loads nothing, works where it lies, keeps the
/// decisions in the browser, and hands out the review as a file that [`Review::read`] reads.
pub fn page(review: &Review) -> String {
    let lines = review.write();
    // A list of the lines; as long as no `<` stands in it, no text can end the element it lies in.
    let list = lines.trim_end().replace('\n', ",\n").replace('<', "\\u003c");
    PAGE.replacen(MARK, &format!("[{list}]</script>"), 1)
}
