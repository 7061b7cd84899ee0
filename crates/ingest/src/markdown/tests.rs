#![expect(clippy::panic, reason = "a failed case is named")]

use campanile_corpus::{BlockKind, Document};

use crate::{Finding, IngestOptions, Reading, read_bytes};

fn read(source: &str) -> (Document, Vec<Finding>) {
    match read_bytes("guide/exam-rules.md", source.as_bytes(), &IngestOptions::default()) {
        Ok(Reading { mut documents, findings }) => (documents.remove(0), findings),
        Err(error) => panic!("{error}"),
    }
}

fn text(source: &str) -> String {
    read(source).0.text
}

/// What a case shows, the page, its text.
const TEXTS: &[(&str, &str, &str)] = &[
    ("wrapped lines", "One\ntwo *three*\n**four**.\n\nFive", "One two three four.\n\nFive"),
    ("hard break", "12 High St  \nAnytown", "12 High St\nAnytown"),
    ("lists", "- one\n- two\n  - two a\n\n1. first\n2. second", "one\ntwo\ntwo a\nfirst\nsecond"),
    ("loose list", "- one\n\n  more\n\n- two", "one\nmore\ntwo"),
    ("tasks", "- [x] done\n- [ ] open", "done\nopen"),
    ("quote", "> Quoted\n> text", "Quoted text"),
    ("notice", "> [!NOTE]\n> Quoted", "Quoted"),
    ("code", "```sh\ncd x\n  ls\n```\n\nUse `a  b`.", "cd x\n  ls\n\nUse a b."),
    ("strikethrough", "~~old~~ new", "old new"),
    (
        "table",
        "| Course | ECTS |\n|---|--:|\n| CS 101 | 6 |\n| [CS 102](x) |",
        "Course: CS 101; ECTS: 6\nCourse: CS 102",
    ),
    (
        "footnote",
        "The fee is 20[^1].\n\n[^1]: Since 2023.\n\nEnd",
        "The fee is 20.\n\nSince 2023.\n\nEnd",
    ),
    ("image", "See ![a plan](plan.png) here", "See here"),
    (
        "HTML",
        "<div class=\"x\">\n<b>Bold</b> text\n</div>\n\nAnd <em>more</em><br>here",
        "Bold text\n\nAnd more\nhere",
    ),
    (
        "HTML that asks for Markdown",
        "<div markdown=\"1\">\nSee *this*\n- one\n</div>",
        "See this\n\none",
    ),
    (
        "closing tags set in",
        "<div>\n<p>x\n\n    </p>\n  </div>\n\nMore\n\n    <b> code",
        "x\n\nMore\n\n<b> code",
    ),
    ("unknown tags", "Dear <name>, hello", "Dear , hello"),
    ("a tag that would swallow the page", "Dear <title> you,\n\nmore", "Dear <title> you,\n\nmore"),
    ("one that is closed", "a <svg><title>x</title></svg> b", "a b"),
    ("escapes", "1\\. not a list \\*x\\* &amp; &lt;", "1. not a list *x* & <"),
    ("entities are text, not tags", "&lt;b&gt; `<i>`", "<b> <i>"),
    ("carriage returns", "one\r\ntwo\r\n\r\nthree\rfour", "one two\n\nthree four"),
    ("definition list", "Term\n: What it means", "Term: What it means"),
];

#[test]
fn pages_become_text() {
    for (name, source, expected) in TEXTS {
        assert_eq!(text(source), *expected, "{name}");
    }
}

/// The same, for what site generators add.
const TEMPLATES: &[(&str, &str, &str)] = &[
    ("tag in text", "Ask {% slack_channel \"travel\" %} now", "Ask travel now"),
    ("include", "a {% include \"x.html\" with=1 %} b", "a b"),
    ("image", "{% image \"_img/x.png\"\n\"A plan\" %}\n\nText", "Text"),
    (
        "notice",
        "{% alert \"Heads up!\" %}\nRead this.\n{% endalert %}\nThen",
        "Heads up!\n\nRead this.\n\nThen",
    ),
    ("condition", "{%- if x == \"y\" -%}Yes{%- endif -%}", "Yes"),
    ("comment", "a {% comment %}secret {% x %}{% endcomment %} b", "a b"),
    ("raw", "{% raw %}Write {% page \"x\" %}{% endraw %}.", "Write {% page \"x\" %}."),
    ("raw in code", "```\n{% raw %}{{ x }}{% endraw %}\n```", "{{ x }}"),
    ("value", "Dear {{ name }}, {{ \"hello\" }}", "Dear , hello"),
    ("code keeps braces", "`{{ x }}` and\n\n```\n{% y %}\n```", "{{ x }} and\n\n{% y %}"),
    ("other programs' values", "Set ${{ secrets.X }}", "Set ${{ secrets.X }}"),
    ("attributes", "Text{: .big }\n{: #id .class}\n\nMore", "Text\n\nMore"),
    ("braces that are none", "{ a } {{ and {% open", "{ a } {{ and {% open"),
    ("filled link", "Mail the {{'[Team](mailto:{})'.format(team)}}.", "Mail the Team."),
    (
        "directive",
        ":::{note} Mind\n:class: tip\nRead *this*.\n:::\nThen",
        "Mind\n\nRead this.\n\nThen",
    ),
    ("nested directives", "::::{tip}\nA\n:::{note}\nB\n:::\nC\n::::\nD", "A\n\nB\n\nC\n\nD"),
    ("picture", "```{image} x.png\n:alt: x\n```\nText", "Text"),
    (
        "glossary",
        "```{glossary}\nECTS\n  A {term}`credit <c>`.\nCP\n  Same.\n```",
        "ECTS: A credit.\nCP: Same.",
    ),
    ("code cell", "```{code-cell} python\nx = 1\n```", "x = 1"),
];

#[test]
fn what_generators_add_is_left_out_with_care() {
    for (name, source, expected) in TEMPLATES {
        assert_eq!(text(source), *expected, "{name}");
    }
}

#[test]
fn links_keep_words_and_targets() {
    let (document, findings) = read(
        "See [the guide]({% page \"/travel/guide#a b\" %}), [here]({{ site.url }}/x), [there]({% foo %}),\n\
         <https://x.edu>, [ref][r] and [bad](javascript:x).\n\n[r]: ../b.md \"T\"\n\n\
         | A |\n|---|\n| [cell](c.md) |",
    );
    let links: Vec<_> = document
        .links
        .iter()
        .map(|link| (link.span.slice(&document.text).unwrap_or("?"), link.target.as_str()))
        .collect();
    let expected = [
        ("the guide", "/travel/guide#a%20b"),
        ("here", "/x"),
        ("https://x.edu", "https://x.edu"),
        ("ref", "../b.md"),
        ("cell", "c.md"),
    ];
    assert_eq!(links, expected);
    assert!(document.text.contains("there") && document.text.contains("bad"));
    let path = "guide/exam-rules.md".to_owned();
    let target = "javascript:x".to_owned();
    assert!(findings.contains(&Finding::LinkDropped { path: path.clone(), target }));
    assert!(findings.contains(&Finding::TemplateTags { path, count: 2 }));
}

#[test]
fn headings_get_githubs_anchors_or_their_own() {
    let (document, _) =
        read("# A & B\n\nx\n\n## Fees {#money}\n\n### *Fees*\n\n<h2 id=\"html\">Fees</h2>\n");
    let anchors: Vec<_> = document
        .sections
        .iter()
        .map(|section| (section.heading.as_str(), section.anchor.as_deref().unwrap_or("-")))
        .collect();
    assert_eq!(
        anchors,
        [("A & B", "a--b"), ("Fees", "money"), ("Fees", "fees-1"), ("Fees", "html")]
    );
}

#[test]
fn the_title_is_stated_or_found() {
    let cases = [
        ("---\ntitle: \"From *matter*\"\n---\n# Heading", "From *matter*"),
        ("---\ntitle: Before <em>you</em> go &amp; come\n---\nText", "Before you go & come"),
        ("## Second\n\n# First", "First"),
        ("## Second\n\nText", "Exam rules"),
        ("---\ntitle:\n---\nText", "Exam rules"),
        ("---\ntitle: A <|im_start|> B\n---\nText", "A B"),
        ("", "Exam rules"),
    ];
    for (source, title) in cases {
        assert_eq!(read(source).0.title, title, "{source}");
    }
}

#[test]
fn a_broken_front_matter_loses_no_page() {
    let (document, findings) = read("---\nlayout: x\ntitle: Leave: paid\n---\n# Leave\n\nTake it.");
    assert_eq!(document.title, "Leave: paid");
    assert_eq!(document.text, "Leave\n\nTake it.");
    let message = findings.first().map(ToString::to_string).unwrap_or_default();
    assert!(message.starts_with("`guide/exam-rules.md`, line 3:"), "{message}");
}

#[test]
fn blocks_know_what_they_were() {
    use BlockKind::{Code, ListItem, Paragraph, Quote, TableRow};
    let (document, _) = read("p\n\n- l\n\n> q\n\n```\nc\n```\n\n| a |\n|---|\n| t |\n\n- > lq");
    let kinds: Vec<_> = document
        .sections
        .iter()
        .flat_map(|section| &section.blocks)
        .map(|block| block.kind)
        .collect();
    assert_eq!(kinds, [Paragraph, ListItem, Quote, Code, TableRow, Quote]);
}

#[test]
fn a_page_without_text_is_reported() {
    for source in ["", "\n\n", "# Only a heading", "---\nredirect_to: /x\n---\n", "<!-- a -->"] {
        let (_, findings) = read(source);
        let is_empty = |finding: &Finding| matches!(finding, Finding::Empty { .. });
        assert!(findings.iter().any(is_empty), "{source}");
    }
}
