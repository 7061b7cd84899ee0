//! Pages as content management systems write them, without `<main>` or `<article>`.

use crate::read_bytes;

const PROSE: &str = "<p>Register for your exams online in the first three weeks of the term. \
                     The list of your exams is then fixed, and can be changed in person only.</p>";
const SAME: &str = "Register for your exams online in the first three weeks of the term. The list \
                    of your exams is then fixed, and can be changed in person only.";

/// Cases: what each shows, the page, its text; `PROSE` and `SAME` stand for the paragraph above.
const PAGES: &[(&str, &str, &str)] = &[
    (
        "TYPO3: menu, language switch and breadcrumbs as divisions",
        "<body><div id='page'><div id='metanavi'><a href=/>Home</a> <a href=/en>English</a></div>\
         <div class='rootline'>You are here: <a href=/>Home</a> &gt; <a href=/s>Study</a> &gt; Exams</div>\
         <div id='main-nav'><ul><li><a href=/s>Study</a><li><a href=/r>Research</a><li><a href=/p>People</a></ul></div>\
         <div id='content'><!--TYPO3SEARCH_begin--><h1>Exams</h1>PROSE<div class='csc-textpic'><p>Bring your card.</p></div></div>\
         <div id='footer'>© University, <a href=/i>Imprint</a></div></div>",
        "Exams\n\nSAME\n\nBring your card.",
    ),
    (
        "TYPO3: a left column without a name",
        "<body><div><div><ul><li><a href=/a>Advice</a><li><a href=/f>Forms</a><li><a href=/e>Exams</a></ul></div>\
         <div><h1>Exams</h1>PROSE</div></div>",
        "Exams\n\nSAME",
    ),
    (
        "WordPress: cookie notice, sharing, related posts, tags",
        "<body><div id='cookie-law-info-bar'>This site uses cookies. Accept them all, or choose which ones you like in our settings.</div>\
         <div class='menu-main-container'><ul id='menu-main' class='menu'><li><a href=/>Home</a><li><a href=/blog>Blog</a></ul></div>\
         <div class='entry'><h1 class='entry-title'>Exams</h1><div class='entry-content'>PROSE\
         <div class='sharedaddy share'><a href=x>Twitter</a> <a href=y>Facebook</a></div></div>\
         <div class='related-posts'><ul><li><a href=/1>Open day</a><li><a href=/2>New labs</a></ul></div></div>",
        "Exams\n\nSAME",
    ),
    (
        "Drupal: blocks in a sidebar",
        "<body><div id='skiplink'><a href=#c>Skip to content</a></div>\
         <div class='region region-sidebar-first'><div class='block block-menu'><ul class='menu'><li><a href=/a>Advice</a>\
         <li><a href=/f>Forms</a></ul></div></div><div class='region region-content'><h1>Exams</h1>PROSE</div>\
         <div class='region region-sidebar-second'><div class='block'><h2>Contact</h2><p>Room 12, phone 555 0100</p></div></div>",
        "Exams\n\nSAME\n\nContact\n\nRoom 12, phone 555 0100",
    ),
    (
        "Plone: portlets",
        "<body><div id='portal-breadcrumbs'><a href=/>Home</a> / <a href=/s>Study</a></div>\
         <div id='portal-column-one'><div class='portlet portletNavigationTree'><a href=/a>Advice</a><a href=/f>Forms</a></div></div>\
         <div id='portal-column-content'><h1 class='documentFirstHeading'>Exams</h1><div id='content-core'>PROSE</div></div>",
        "Exams\n\nSAME",
    ),
    (
        "an old page laid out by a table",
        "<body><table><tr><td colspan=2><a href=/>Home</a> | <a href=/search>Search</a> | <a href=/map>Map</a></td></tr>\
         <tr><td><a href=/a>Advice</a><br><a href=/f>Forms</a><br><a href=/e>Exams</a></td>\
         <td><h1>Exams</h1>PROSE</td></tr></table>",
        "Exams\n\nSAME",
    ),
    (
        "a page of links is its links",
        "<body><div class='nav'><a href=/>Home</a> <a href=/s>Study</a></div>\
         <div id='c'><h1>Links</h1><ul><li><a href=/1>Examination office</a><li><a href=/2>Library</a><li><a href=/3>Canteen</a></ul></div>",
        "Links\n\nExamination office\nLibrary\nCanteen",
    ),
    (
        "links with words about them",
        "<body><div><ul><li><a href=/1>Office</a>: registration and certificates of every kind<li><a href=/2>Library</a>: \
         books, papers and quiet rooms to work in</ul></div>",
        "Office: registration and certificates of every kind\nLibrary: books, papers and quiet rooms to work in",
    ),
    (
        "links under a heading beside the text",
        "<body><div><h1>Exams</h1>PROSE</div><div><h2>Downloads</h2><ul><li><a href=a.pdf>Form A</a><li><a href=b.pdf>Form B</a></ul></div>",
        "Exams\n\nSAME\n\nDownloads\n\nForm A\nForm B",
    ),
    (
        "links in the text's own column",
        "<body><div><h1>Exams</h1>PROSE<ul><li><a href=a.pdf>Form A</a><li><a href=b.pdf>Form B</a></ul></div>",
        "Exams\n\nSAME\n\nForm A\nForm B",
    ),
    (
        "a table of contacts beside the text",
        "<body><div><h1>Exams</h1>PROSE</div><div><table><tr><th>Name<th>Mail<tr><td>A. Turing<td><a href=mailto:a@x.edu>a@x.edu</a>\
         </table></div>",
        "Exams\n\nSAME\n\nName: A. Turing; Mail: a@x.edu",
    ),
    (
        "a table of contacts alone",
        "<body><div class='menu'><a href=/>Home</a> <a href=/s>Study</a></div><div><h1>People</h1><table><tr><td>A. Turing<td>\
         <a href=mailto:a@x.edu>a@x.edu</a><tr><td>K. Zuse<td><a href=mailto:k@x.edu>k@x.edu</a></table></div>",
        "People\n\nA. Turing: a@x.edu\nK. Zuse: k@x.edu",
    ),
    (
        "a notice that is all there is",
        "<body><div class='cookie-notice'><p>Cookies are baked on Monday in the canteen, from nine until noon, for all who like them.</p></div>",
        "Cookies are baked on Monday in the canteen, from nine until noon, for all who like them.",
    ),
    (
        "a menu in which the title stands",
        "<body><div class='menu'><h1>Menu of the canteen</h1><a href=/m>Monday</a> <a href=/t>Tuesday</a></div>",
        "Menu of the canteen\n\nMonday Tuesday",
    ),
    (
        "names that say less than they seem to",
        "<body><h1>Privacy</h1>PROSE<div id='cookies'><p>We set one cookie.</p></div><div id='gdpr'><p>You may ask what we know.</p></div>\
         <div class='box'>A<div class='footer'>Until 1 May</div></div><div class='box'>B<div class='footer'>Until 3 June</div></div>\
         <div class='consent-form'><a href=a.pdf>Consent</a> for the study</div>",
        "Privacy\n\nSAME\n\nWe set one cookie.\n\nYou may ask what we know.\n\nA\n\nUntil 1 May\n\nB\n\nUntil 3 June\n\nConsent for the study",
    ),
    (
        "a footer with an address is small",
        "<body><div class='content'><h1>Exams</h1>PROSE</div><div class='grey footer'><p>University, 12 High St</p></div>",
        "Exams\n\nSAME",
    ),
    (
        "news with a link each",
        "<body><h1>News</h1><div class='item'><h2><a href=/1>Open day</a></h2>PROSE<a href=/1>More</a></div>\
         <div class='item'><h2><a href=/2>New labs</a></h2>PROSE<a href=/2>More</a></div>",
        "News\n\nOpen day\n\nSAME\n\nMore\n\nNew labs\n\nSAME\n\nMore",
    ),
];

#[test]
fn what_surrounds_the_content_is_found_by_its_links() {
    for (name, page, expected) in PAGES {
        let page = page.replace("PROSE", PROSE);
        let reading = read_bytes("a.html", page.as_bytes(), &Default::default());
        let text = reading.ok().and_then(|reading| Some(reading.documents.first()?.text.clone()));
        assert_eq!(text.unwrap_or_default(), expected.replace("SAME", SAME), "{name}");
    }
}
