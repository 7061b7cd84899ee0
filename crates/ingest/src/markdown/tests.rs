#![expect(clippy::panic, reason = "a failed case is named")]

use campanile_corpus::{BlockKind, Document};

use crate::{Finding, IngestOptions, Noticed, Reading, read_bytes};

fn read(source: &str) -> (Document, Vec<Finding>) {
    match read_bytes("guide/exam-rules.md", source.as_bytes(), &IngestOptions::default()) {
        Ok(Reading { mut documents, findings, .. }) => (documents.remove(0), findings),
        Err(error) => panic!("{error}"),
    }
}

fn text(source: &str) -> String {
    read(source).0.text
}

/// Cases: what each shows, the page, its text.
const TEXTS: &[(&str, &str, &str)] = &[
    ("wrapped lines", "One\ntwo *three*\n**four**.\n\nFive", "One two three four.\n\nFive"),
    ("hard break", "12 High St  \nAnytown", "12 High St\nAnytown"),
    (
        "lists",
        "- one\n- two\n  - two a\n\n1. first\n2. second",
        "one\ntwo\ntwo a\n1. first\n2. second",
    ),
    (
        "a list that goes on behind a paragraph",
        "1. first\n2. second\n\nAt night:\n\n3) third\n4) fourth\n\n   1. in it\n\n   more",
        "1. first\n2. second\n\nAt night:\n\n3. third\n4. fourth\n1. in it\nmore",
    ),
    (
        "lists that Pandoc counts",
        "Visitors:\n(a) sign\n    the book,\n(b) leave.\n\n    A. Turing wrote it.\n    B. Russell read it.\n\n\
         3. Boats\n   i. dry\n   ii. hang\n\n#. one\n#. two\n\nA. Turing wrote,\nand (c) alone stays.",
        "Visitors:\n\n(a) sign the book,\n(b) leave.\nA. Turing wrote it.\nB. Russell read it.\n3. Boats\ni. dry\nii. hang\n\
         4. one\n5. two\n\nA. Turing wrote, and (c) alone stays.",
    ),
    (
        "no lists",
        "Use:\n\n    (a) code\n    (b) code\n\n```\n(a) x\n(b) y\n```\n\n(c) 2026 by us\n\nB. Brecht",
        "Use:\n\n(a) code\n(b) code\n\n(a) x\n(b) y\n\n(c) 2026 by us\n\nB. Brecht",
    ),
    ("a heading in an item", "7. ## Fees\n\n   Ten.", "Fees\n\nTen."),
    ("loose list", "- one\n\n  more\n\n- two", "one\nmore\ntwo"),
    ("tasks", "- [x] done\n- [ ] open", "☑ done\n☐ open"),
    ("quote", "> Quoted\n> text", "Quoted text"),
    ("notice", "> [!NOTE]\n> Quoted", "Quoted"),
    ("code", "```sh\ncd x\n  ls\n```\n\nUse `a  b`.", "cd x\n  ls\n\nUse a b."),
    (
        "MyST: labels and lists that a build makes",
        "# A\n\n(fees)=\n## Fees\n\nTen.\n\n+++\n\n```{toctree}\n:maxdepth: 2\n\nb\nc\n```\n\nEnd.",
        "A\n\nFees\n\nTen.\n\nEnd.",
    ),
    (
        "names of code",
        "::: code-group\n\n```sh [Linux]\nls\n```\n\n```py title=\"a.py\"\nx\n```\n\n:::",
        "Linux\n\nls\n\na.py\n\nx",
    ),
    (
        "Quarto: titles in blocks",
        "## Dates\n\n::: {.panel-tabset}\n\n## BSc\n\nMay.\n\n## MSc {#m}\n\nJune.\n\n:::\n\nThen.",
        "Dates\n\nBSc\n\nMay.\n\nMSc\n\nJune.\n\nThen.",
    ),
    (
        "formulas",
        "At most \\(v_{\\max} = 4.5\\ \\mathrm{m/s}\\), $L = 86\\ \\mathrm{m}$, \\\\(x^2\\\\).\n\n\\[\nR = 0.5\\,\\rho\n\\]\n\n```math\na_1 < b\n```\n\nEnd $$k$$.",
        "At most v_max = 4.5 m/s, L = 86 m, x^2.\n\nR = 0.5 ρ\n\na_1 < b\n\nEnd k.",
    ),
    (
        "MyST: tables that are lists or values",
        "```{list-table} *Deposits*\n:header-rows: 1\n:name: d\n\n* - Item\n  - Deposit\n* - Key\n  - EUR **25**\n```\n\n:::{csv-table} Hours\n:header: Place, From\n\nLibrary, \"9, or 10\"\n:::\n\n```{csv-table} Far\n:file: x.csv\n```\n\nEnd.",
        "Deposits\n\nItem: Key; Deposit: EUR 25\n\nHours\n\nPlace: Library; From: 9, or 10\n\nFar\n\nEnd.",
    ),
    (
        "prices and masked brackets",
        "From $5 to $10, US$ 20 or $30, \\[optional\\], `$a = b$`.\n\n```sh\necho $A_B $C\n```",
        "From $5 to $10, US$ 20 or $30, [optional], $a = b$.\n\necho $A_B $C",
    ),
    (
        "Obsidian",
        "Read [[fees|Fees]], [[dates#End]], [[x]] %% ask Jo %% and [[1]](#a). ^rule1\n\n![[plan.png]]\n\n==Two weeks== in `[[code]]`, a == b.\n\n%%\nhidden\n%%\n\ndeadline:: 14 May\n\n- x\n  id:: 12-ab",
        "Read Fees, dates, End, x and [1].\n\nTwo weeks in [[code]], a == b.\n\ndeadline: 14 May\n\nx",
    ),
    (
        "callouts",
        "> [!warning]- Summer term\n> Only one.\n^r1\n\n> [!tip] A\n> > [!faq]+ B?\n> > C.\n\n> [!NOTE]\n> D.",
        "Summer term\n\nOnly one.\n\nA\n\nB?\n\nC.\n\nD.",
    ),
    ("strikethrough", "~~old~~ new", "new"),
    ("one tilde", "H~2~O and ~10 to ~20, ~old~ new", "H2O and ~10 to ~20, new"),
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
        "image that says something",
        "Come in.\n\n![Floor plan: the desk stands left of the lift.](plan.png)",
        "Come in.\n\nFloor plan: the desk stands left of the lift.",
    ),
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
    (
        "braces in code beside a role",
        "Write `{name}` and `{x}`, see {doc}`the guide <guide>`.",
        "Write {name} and {x}, see the guide.",
    ),
    ("code cell", "```{code-cell} python\nx = 1\n```", "x = 1"),
];

#[test]
fn what_generators_add_is_left_out_with_care() {
    for (name, source, expected) in TEMPLATES {
        assert_eq!(text(source), *expected, "{name}");
    }
}

/// The same, for each generator's own ways.
const CONVENTIONS: &[(&str, &str, &str)] = &[
    (
        "MkDocs: admonition",
        "!!! note \"Mind\"\n    Read *this*.\n\n    - one\n\nThen",
        "Mind\n\nRead this.\n\none\n\nThen",
    ),
    ("MkDocs: no title", "!!! warning\n    Read.\nThen", "Read. Then"),
    (
        "MkDocs: folded",
        "??? note\n    A\n\n    ???+ tip \"B\"\n        C\n\n    D\n\nE",
        "A\n\nB\n\nC\n\nD\n\nE",
    ),
    ("MkDocs: a shout", "!!! Wow, that is\n    new", "!!! Wow, that is new"),
    ("MkDocs: in a list", "- one\n\n    !!! note\n        Two\n\n- three", "one\nTwo\nthree"),
    (
        "MkDocs: tabs",
        "=== \"Winter\"\n\n    ```sh\n    cd x\n      ls\n    ```\n\n=== \"Summer\"\n\n    Text\n",
        "Winter\n\ncd x\n  ls\n\nSummer\n\nText",
    ),
    (
        "MkDocs: marks in code",
        "```\n!!! note\n    x\n[TOC]\nimport a from 'b'\n```",
        "!!! note\n    x\n[TOC]\nimport a from 'b'",
    ),
    ("MkDocs: blocks", "/// note | Mind\nRead.\n///\nThen", "Mind\n\nRead.\n\nThen"),
    ("MkDocs: snippets", "A\n\n--8<-- \"b.md\"\n\n--8<--\nc.md\nd.md\n--8<--\n\nE", "A\n\nE"),
    ("MkDocs: contents", "[TOC]\n\nText", "Text"),
    (
        "MkDocs: attributes",
        "[Go](x){ .md-button target=_blank } now{.x}\n{: .y }\n\n`a`{ .z } {a b}",
        "Go now{.x}\n\na {a b}",
    ),
    (
        "MkDocs: abbreviations",
        "ECTS count.\n\n*[ECTS]: European Credit\n*[CP]: The same",
        "ECTS count.\n\nECTS: European Credit\nCP: The same",
    ),
    ("MkDocs: footnotes", "Fee[^a]\n\n[^a]:\n    Since\n    2023.", "Fee\n\nSince 2023."),
    ("MkDocs: definitions", "`ECTS`\n\n:   A credit.\n\n    More.", "ECTS: A credit.\nMore."),
    ("Docusaurus: admonition", ":::tip My tip\n\nRead.\n\n:::\n\nThen", "My tip\n\nRead.\n\nThen"),
    ("Docusaurus: bracketed title", ":::note[Mind *this*]\nRead.\n:::", "Mind this\n\nRead."),
    ("Docusaurus: with attributes", ":::note[Mind *this*]{.x}\nRead.\n:::", "Mind this\n\nRead."),
    ("Docusaurus: nested", "::::info\nA\n:::danger Stop\nB\n:::\n::::", "A\n\nStop\n\nB"),
    (
        "Docusaurus: MDX",
        "import Tabs from '@theme/Tabs';\nimport {\n  a,\n} from 'b';\n\nexport const x = 1;\n\n{/* not this */}\n\n<Tabs groupId=\"t\">\n\
         <TabItem value=\"w\" label=\"Winter\">\n\nIn *winter*.\n\n</TabItem>\n</Tabs>\n\nWith <Icon size={a > b} /> it and `<Tabs>`.",
        "Winter\n\nIn winter.\n\nWith it and <Tabs>.",
    ),
    (
        "words like a program's",
        "import duties apply from here\nexport is free",
        "import duties apply from here export is free",
    ),
    (
        "an address is no component",
        "Mail <Office@x.edu> or <Dean@x.edu>.",
        "Mail Office@x.edu or Dean@x.edu.",
    ),
    ("old HTML in capitals", "<TABLE><TR><TD>a<TD>b</TABLE>", "a: b"),
    ("Jekyll: contents", "* TOC\n{:toc}\n\nText\n{: .no_toc}", "Text"),
    (
        "Jekyll: own values",
        "---\ntitle: Fees\nterm: Winter\n---\n{{ page.title | upcase }} in {{ page.term }}: {{ site.x }}.",
        "Fees in Winter: .",
    ),
    ("Hugo: own values", "+++\ntitle = \"Fees\"\n+++\n{{< param title >}} now", "Fees now"),
    (
        "Hugo: figure",
        "{{< figure src=\"/a.png\" title=\"T\" caption=\"The plan\" >}}\n\nText",
        "The plan\n\nText",
    ),
    (
        "Hugo: notice",
        "{{% notice note \"Mind\" %}}\nRead *this*.\n{{% /notice %}}\nThen",
        "Mind\n\nRead this.\n\nThen",
    ),
    ("Hugo: silent", "A {{< youtube \"w7Ft2ymGmfc\" >}} B {{< icon \"star\" />}} C", "A B C"),
    ("Hugo: shown", "Write {{</* ref \"x\" */>}}.", "Write ref \"x\"."),
    (
        "VitePress: tabs",
        ":::tabs key:os\n== Guests {icon=x}\nTen.\n== Crew\n::: tip\nFree.\n:::\n:::\n\n== no label",
        "Guests\n\nTen.\n\nCrew\n\nFree.\n\n== no label",
    ),
    (
        "Quarto: a title among the attributes",
        "::: {.callout-note title=\"In *May*\" collapse=\"true\"}\nOne.\n:::\n\n::: {.column width=\"40%\"}\nTwo.\n:::",
        "In May\n\nOne.\n\nTwo.",
    ),
    (
        "mdBook: blocks",
        "```admonish warning title=\"In May\"\nOne *boat*.\n```\n\n```admonish \"Then\"\nTwo.\n```\n\n```admonish\nC\n```",
        "In May\n\nOne boat.\n\nThen\n\nTwo.\n\nC",
    ),
    (
        "Jekyll: what is handed to an include",
        "{% include note.html title=\"Mind\" content='It is *late*.' %}\n\nGo {% include x.html icon=\"a\" %} on.",
        "Mind\n\nIt is late.\n\nGo on.",
    ),
    (
        "Kramdown: comments and spans",
        "A [small boat]{:.sc} and [it]{.x}, [b]{.y}.\n\n{::comment}\nnot this\n{:/comment}\n\n{::nomarkdown}<b>B</b>{:/}\n\n[b]: x.md",
        "A small boat and it, b.\n\nB",
    ),
    (
        "Hugo: labels of tabs in the shortcode around",
        "{{< tabs items=\"Crew, Guests\" >}}\n{{< tab >}}Free.{{< /tab >}}\n\n  {{< tab >}}\n  Ten.\n  {{< /tab >}}\n{{< /tabs >}}\n\n\
         {{< tabs \"an-id\" >}}\n{{% tab \"Night\" %}}\nDark.\n{{% /tab %}}\n{{< /tabs >}}\n{{< tab >}}Then.{{< /tab >}}",
        "Crew\n\nFree.\n\nGuests\n\nTen.\n\nNight\n\nDark.\n\nThen.",
    ),
    (
        "mdBook: tabs",
        "{{#tabs }}\n{{#tab name=\"Crew\" }}\nFree.\n{{#endtab }}\n{{#tab name=\"Guests\" }}\nTen.\n{{#endtab }}\n{{#endtabs }}",
        "Crew\n\nFree.\n\nGuests\n\nTen.",
    ),
    ("GitHub: alert", "> [!WARNING]\n> Mind.", "Mind."),
];

#[test]
fn each_generator_has_its_ways() {
    for (name, source, expected) in CONVENTIONS {
        assert_eq!(text(source), *expected, "{name}");
    }
}

#[test]
fn addresses_in_tags_are_links() {
    let (document, _) = read(
        "[a]({{< ref \"x.md\" >}}), [b]({{% relref \"y.md#z\" %}}), [c]({% link _posts/d.md %}), [d]({{ \"/e\" | relative_url }})",
    );
    let targets: Vec<_> = document.links.iter().map(|link| link.target.as_str()).collect();
    assert_eq!(targets, ["x.md", "y.md#z", "_posts/d.md", "/e"]);
}

#[test]
fn names_and_fields_say_more_of_a_page() {
    let read =
        |path: &str, source: &str| match read_bytes(path, source.as_bytes(), &Default::default()) {
            Ok(mut reading) => reading.documents.remove(0),
            Err(error) => panic!("{error}"),
        };
    let post = read("_posts/2024-01-15-open-day.md", "Come.");
    assert_eq!(post.title, "Open day");
    assert_eq!(post.metadata.get("date"), Some(&serde_json::json!("2024-01-15")));
    let stated =
        read("_posts/2024-01-15-open-day.md", "---\ntitle: T\ndate: 2024-02-01\n---\nCome.");
    assert_eq!(
        (stated.title.as_str(), stated.metadata.get("date")),
        ("T", Some(&serde_json::json!("2024-02-01")))
    );
    assert_eq!(read("fees/_index.md", "Pay.").title, "Fees");
    assert_eq!(
        read("a.mdx", "# T {#own}\n\nx")
            .sections
            .first()
            .and_then(|section| section.anchor.clone())
            .as_deref(),
        Some("own")
    );
    assert_eq!(
        read("a.md", "## T\n{: #own .x }\n\nx")
            .sections
            .first()
            .and_then(|section| section.anchor.clone())
            .as_deref(),
        Some("own")
    );
    assert_eq!(
        read("a.md", "## T {: #own .x }\n\nx")
            .sections
            .first()
            .and_then(|section| section.anchor.clone())
            .as_deref(),
        Some("own")
    );
}

#[test]
fn a_page_that_is_not_published_is_left_out_and_reported() {
    for source in [
        "---\ndraft: true\n---\nText",
        "+++\ndraft = true\n+++\nText",
        "---\npublished: false\n---\nText",
    ] {
        match read_bytes("a.md", source.as_bytes(), &IngestOptions::default()) {
            Ok(Reading { documents, findings, .. }) => {
                assert!(documents.is_empty(), "{source}");
                assert!(
                    matches!(
                        findings.as_slice(),
                        [Finding { noticed: Noticed::Unpublished(_), .. }]
                    ),
                    "{findings:?}"
                );
            }
            Err(error) => panic!("{error}"),
        }
    }
}

/// Pages that would keep a careless reader busy for hours.
#[test]
fn time_grows_with_the_page_alone() {
    let pages = [
        "> ".repeat(20_000),
        "=".repeat(500_000),
        "!!! note\n".repeat(20_000),
        (0..1_000).map(|depth| format!("{}!!! note\n", "    ".repeat(depth))).collect(),
        "<Tab".repeat(20_000),
        "<Tab a=\"".repeat(20_000),
        "{/*".repeat(20_000),
        "{{< a ".repeat(20_000),
        "{ .a".repeat(20_000),
        "{: ".repeat(20_000),
        "*[a]: b\n".repeat(20_000),
        "--8<--\n".repeat(20_000),
        ":::a[\n".repeat(20_000),
        ":::tabs\n== a\n".repeat(20_000),
        "<Tabs items={['a']}>\n".repeat(20_000),
        "</Tab>\n<Tab>\n".repeat(20_000),
        "{::comment}".repeat(20_000),
        "[a]{.b} ".repeat(10_000),
        "^[a".repeat(20_000),
        "{--a".repeat(20_000),
        ":a-b".repeat(20_000),
        "<p>: ".repeat(20_000),
        "{{< tab >}}".repeat(10_000),
        format!("{{\n\"a\":{}", "[".repeat(30_000)),
        format!("+++\na = {}\n+++\n", "[".repeat(30_000)),
    ];
    for page in pages {
        let effort = campanile_test_data::effort(|| {
            drop(read_bytes("a.md", page.as_bytes(), &IngestOptions::default()))
        });
        let beginning: String = page.chars().take(20).collect();
        assert!(effort.as_secs() < 20, "{beginning:?} took {effort:?}");
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
    assert!(findings.contains(&Noticed::LinkDropped(target).of(path.as_str())));
    assert!(findings.contains(&Noticed::TemplateTags(2).of(path)));
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
        let is_empty = |finding: &Finding| finding.noticed == Noticed::Empty;
        assert!(findings.iter().any(is_empty), "{source}");
    }
}
