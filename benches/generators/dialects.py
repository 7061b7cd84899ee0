"""The handbook's blocks in the dialects of the generators."""

import re

from handbook import KEY, PAGES, PARTIAL, TABLE


class Dialect:
    """What all dialects share: a page is its top, its blocks and what they leave for its end."""

    #: What a key costs; another sentence in the older version of a handbook.
    key = KEY

    def __init__(self, **settings):
        for name, value in settings.items():
            setattr(self, name, value)

    def page(self, name):
        title, blocks = PAGES[name]
        self.end = []
        parts = [self.top(title, name)] + [getattr(self, kind)(*rest) for kind, *rest in blocks]
        return "\n\n".join(part for part in parts + self.end if part) + "\n"

    def costs(self):
        return self.key


class Markdown(Dialect):
    """Markdown as most generators read it; what differs is named."""

    ending = "md"
    #: How a formula is set off in a line.
    math = ("$", "$")
    #: Lines above a page: `title` stands in them.
    front = "---\ntitle: {title}\n---\n\n# {title}"
    #: Lines below the front matter, for what a page imports.
    imports = ""
    #: Takes in the file of this name.
    take_in = ""
    struck = "~~{}~~"
    notes = "markdown"
    #: Another page of the folder.
    link = "[{title}]({name}.md)"

    def top(self, title, name):
        imports = self.imports if name in ("dates", "fees", "rules") else ""
        front = self.front.format(title=title, name=name)
        head, mark, rest = front.rpartition("---\n")
        return f"{head}{mark}{imports}{rest}" if imports else front

    def h(self, text):
        return f"## {text}"

    def p(self, text):
        text = re.sub(r"~(.*?)~", lambda found: self.struck.format(found[1]), text)
        text = re.sub(r"\$(.*?)\$", lambda found: found[1].join(self.math), text)
        return re.sub(r"\^(.*?)\^", lambda found: self.footnote(found[1]), text)

    def footnote(self, words):
        if self.notes == "markdown":
            self.end.append(f"[^a]: {words}")
            return "[^a]"
        self.end.append(f'<p id="note-1"><sup>1</sup> {words} <a href="#mark-1">↩</a></p>')
        return '<sup id="mark-1"><a href="#note-1">1</a></sup>'

    def links(self, names):
        titles = {"news": "News"} | {name: title for name, (title, _) in PAGES.items()}
        return "\n".join("- " + self.link.format(title=titles[name], name=name) for name in names)

    def table(self):
        return "\n".join(TABLE)

    def include(self):
        return self.take_in or PARTIAL

    def tabs(self, panels):
        return "\n\n".join(f"<details>\n<summary>{label}</summary>\n\n{text}\n\n</details>" for label, text in panels.items())

    def note(self, title, text):
        return f'<aside class="note">\n<p class="title">{title}</p>\n<p>{text}</p>\n</aside>'

    def define(self, terms):
        return "\n\n".join(f"{term}\n: {text}" for term, text in terms.items())

    def numbered(self, items):
        return "\n".join(f"{number}. {text}" for number, text in enumerate(items, 1))

    def codes(self, codes):
        return "\n\n".join(f"{label}:\n\n```{language}\n{code}\n```" for label, (language, code) in codes.items())

    def post(self, title, day, paragraphs):
        return f"---\ntitle: {title}\ndate: {day}\n---\n\n" + "\n\n".join(paragraphs) + "\n"


def html_terms(terms):
    """A list of terms for a Markdown that has none."""
    return "<dl>\n" + "\n".join(f"<dt>{term}</dt>\n<dd>{text}</dd>" for term, text in terms.items()) + "\n</dl>"


def indented(text, margin="    "):
    return "\n".join(margin + line if line else "" for line in text.splitlines())


class Material(Markdown):
    """Python-Markdown with the extensions that Material for MkDocs and Zensical bring."""

    math = (r"\(", r"\)")
    front = "# {title}"
    take_in = '--8<-- "partials/key.md"'

    def tabs(self, panels):
        return "\n\n".join(f'=== "{label}"\n\n{indented(text)}' for label, text in panels.items())

    def note(self, title, text):
        return f'!!! warning "{title}"\n\n{indented(text)}'

    def define(self, terms):
        return "\n\n".join(f"{term}\n:   {text}" for term, text in terms.items())

    def codes(self, codes):
        return self.tabs({label: f"```{language}\n{code}\n```" for label, (language, code) in codes.items()})


class MkDocs(Material):
    """The same without tabs."""

    def tabs(self, panels):
        return "\n\n".join(
            f'<details markdown="1">\n<summary>{label}</summary>\n\n{text}\n\n</details>' for label, text in panels.items()
        )

    def codes(self, codes):
        return Markdown.codes(self, codes)


class Myst(Markdown):
    """MyST of Sphinx, with sphinx-design."""

    front = "# {title}"
    take_in = "```{include} _key.md\n```"
    struck = "~~{}~~"

    def h(self, text):
        return f"({text.lower().replace(' ', '-')}-place)=\n## {text}"

    def tabs(self, panels):
        items = "\n\n".join(f":::{{tab-item}} {label}\n{text}\n:::" for label, text in panels.items())
        return f"::::{{tab-set}}\n{items}\n::::"

    def note(self, title, text):
        return f":::{{admonition}} {title}\n:class: warning\n{text}\n:::"

    def codes(self, codes):
        return self.tabs({label: f"```{language}\n{code}\n```" for label, (language, code) in codes.items()})

    def links(self, names):
        return "```{toctree}\n:maxdepth: 2\n\n" + "\n".join(names) + "\n```"


class Docusaurus(Markdown):
    """MDX of Docusaurus."""

    ending = "mdx"
    imports = "import Tabs from '@theme/Tabs';\nimport TabItem from '@theme/TabItem';\nimport Key from './_key.mdx';\n"
    take_in = "<Key />"
    link = "[{title}](./{name}.mdx)"

    def table(self):
        return "\n".join(TABLE).replace("rowspan=", "rowSpan=").replace("colspan=", "colSpan=")

    def tabs(self, panels):
        items = "\n".join(f'<TabItem value="{label}" label="{label}">\n\n{text}\n\n</TabItem>' for label, text in panels.items())
        return f'<Tabs groupId="programme">\n{items}\n</Tabs>'

    def note(self, title, text):
        return f":::warning[{title}]\n\n{text}\n\n:::"

    def define(self, terms):
        return html_terms(terms)

    def codes(self, codes):
        return "\n\n".join(f'```{language} title="{label}"\n{code}\n```' for label, (language, code) in codes.items())


class Starlight(Docusaurus):
    """MDX of Starlight."""

    imports = "import {{ Tabs, TabItem }} from '@astrojs/starlight/components';\nimport Key from '../partials/key.mdx';\n".replace("{{", "{").replace("}}", "}")
    front = "---\ntitle: {title}\n---\n"
    link = "[{title}](/{name}/)"
    table = Markdown.table

    def tabs(self, panels):
        items = "\n".join(f'<TabItem label="{label}">\n\n{text}\n\n</TabItem>' for label, text in panels.items())
        return f"<Tabs>\n{items}\n</Tabs>"

    def note(self, title, text):
        return f":::caution[{title}]\n{text}\n:::"


class VitePress(Markdown):
    """Markdown of VitePress with the plugins for tabs and footnotes."""

    take_in = "<!--@include: ./parts/_key.md-->"

    def tabs(self, panels):
        return ":::tabs\n" + "\n".join(f"== {label}\n{text}" for label, text in panels.items()) + "\n:::"

    def note(self, title, text):
        return f"::: warning {title}\n{text}\n:::"

    def define(self, terms):
        return html_terms(terms)

    def codes(self, codes):
        return "::: code-group\n\n" + "\n\n".join(f"```{language} [{label}]\n{code}\n```" for label, (language, code) in codes.items()) + "\n\n:::"


class Hugo(Markdown):
    """Goldmark with shortcodes of the site's own."""

    math = (r"\(", r"\)")
    front = "+++\ntitle = '{title}'\n+++\n"
    take_in = '{{% readfile "/partials/key.md" %}}'
    link = '[{title}]({{{{< ref "{name}" >}}}})'

    def tabs(self, panels):
        items = "\n".join(f'{{{{% tab "{label}" %}}}}\n{text}\n{{{{% /tab %}}}}' for label, text in panels.items())
        return f"{{{{< tabs >}}}}\n{items}\n{{{{< /tabs >}}}}"

    def note(self, title, text):
        return f"> [!WARNING] {title}\n> {text}"


class MdBook(Markdown):
    front = "# {title}"
    math = (r"\\(", r"\\)")
    take_in = "{{{{#include key.md}}}}".replace("{{{{", "{{").replace("}}}}", "}}")

    def note(self, title, text):
        return f"> [!WARNING]\n> **{title}**\n>\n> {text}"


class Jekyll(Markdown):
    """kramdown with Liquid."""

    math = ("$$", "$$")
    take_in = "{% include key.md %}"
    front = "---\ntitle: {title}\nlayout: default\n---\n\n# {title}"
    link = "[{title}]({{% link {name}.md %}})"

    def tabs(self, panels):
        return "\n\n".join(
            f'<details markdown="1">\n<summary>{label}</summary>\n\n{text}\n\n</details>' for label, text in panels.items()
        )

    def note(self, title, text):
        return f"> **{title}**\n>\n> {text}\n{{: .note}}"

    struck = "<del>{}</del>"

    def post(self, title, day, paragraphs):
        return f"---\ntitle: {title}\nlayout: default\n---\n\n" + "\n\n".join(paragraphs) + "\n"


class Pelican(Material):
    """Python-Markdown with Pelican's own head of a page."""

    front = "Title: {title}\nSlug: {name}"
    take_in = ""
    struck = "<del>{}</del>"
    math = ("$", "$")
    link = "[{title}]({{filename}}{name}.md)"
    tabs = MkDocs.tabs

    def codes(self, codes):
        return Markdown.codes(self, codes)

    def post(self, title, day, paragraphs):
        return f"Title: {title}\nDate: {day}\nCategory: News\nTags: notices\nAuthor: Nora Field\n\n" + "\n\n".join(paragraphs) + "\n"


class Rst(Dialect):
    """reStructuredText of Sphinx, with sphinx-design."""

    ending = "rst"
    #: Whether sphinx-design is there.
    design = True

    def top(self, title, name):
        return f".. role:: del\n   :class: del\n\n{title}\n{'=' * len(title)}"

    def h(self, text):
        place = text.lower().replace(" ", "-")
        return f".. _{place}:\n\n{text}\n{'-' * len(text)}"

    def p(self, text):
        text = re.sub(r"~(.*?)~ ", "", text)
        text = re.sub(r"\$(.*?)\$", r":math:`\1`", text)
        return re.sub(r"\^(.*?)\^", lambda found: self.footnote(found[1]), text)

    def footnote(self, words):
        self.end.append(f".. rubric:: Notes\n\n.. [#a] {words}")
        return " [#a]_"

    def links(self, names):
        return ".. toctree::\n   :maxdepth: 2\n\n" + indented("\n".join(names), "   ")

    def table(self):
        return "\n".join([
            "+--------------------+-----------+-----------+------+",
            "| Programme          | Fee per semester (EUR)| ECTS |",
            "|                    +-----------+-----------+      |",
            "|                    | Full-time | Part-time |      |",
            "+====================+===========+===========+======+",
            "| BSc Forest Ecology | 730       | 395       | 180  |",
            "+--------------------+-----------+-----------+------+",
            "| MSc Timber Design  | 1,150     | 640       | 120  |",
            "+--------------------+-----------+-----------+------+",
        ])

    def include(self):
        return ".. include:: key.inc"

    def tabs(self, panels):
        if not self.design:
            return "\n\n".join(f".. admonition:: {label}\n\n{indented(text, '   ')}" for label, text in panels.items())
        items = "\n\n".join(f".. tab-item:: {label}\n\n{indented(text, '   ')}" for label, text in panels.items())
        return f".. tab-set::\n\n{indented(items, '   ')}"

    def note(self, title, text):
        return f".. admonition:: {title}\n   :class: warning\n\n{indented(text, '   ')}"

    def define(self, terms):
        words = "\n\n".join(f"{term}\n{indented(text, '   ')}" for term, text in terms.items())
        return f".. glossary::\n\n{indented(words, '   ')}" if self.design else words

    def numbered(self, items):
        return "\n".join(f"#. {text}" for text in items)

    def codes(self, codes):
        if not self.design:
            return "\n\n".join(f"{label}:\n\n.. code-block:: {language}\n\n{indented(code, '   ')}" for label, (language, code) in codes.items())
        return "\n\n".join(f".. code-block:: {language}\n   :caption: {label}\n\n{indented(code, '   ')}" for label, (language, code) in codes.items())

    def post(self, title, day, paragraphs):
        return f".. title: {title}\n.. slug: {title.lower().replace(' ', '-')}\n.. date: {day} 09:00:00 UTC\n.. tags: notices\n.. category: News\n.. type: text\n\n" + "\n\n".join(paragraphs) + "\n"


class Asciidoc(Dialect):
    """AsciiDoc of Asciidoctor and Antora."""

    ending = "adoc"
    take_in = "include::key.inc[]"
    #: Whether the extension for tabs is there.
    has_tabs = False

    def top(self, title, name):
        return f"= {title}\n:stem: latexmath"

    def h(self, text):
        return f"== {text}"

    def p(self, text):
        text = re.sub(r"~(.*?)~", r"[line-through]#\1#", text)
        text = re.sub(r"\$(.*?)\$", r"stem:[\1]", text)
        return re.sub(r"\^(.*?)\^", r"footnote:[\1]", text)

    def links(self, names):
        return "\n".join(f"* xref:{name}.adoc[]" if self.has_tabs else f"* link:{name}.html[{name.title()}]" for name in names)

    def table(self):
        return "\n".join([
            "[cols=\"3,1,1,1\"]", "|===", ".2+h|Programme 2+h|Fee per semester (EUR) .2+h|ECTS", "h|Full-time h|Part-time",
            "", "|BSc Forest Ecology |730 |395 |180", "|MSc Timber Design |1,150 |640 |120", "|===",
        ])

    def include(self):
        return self.take_in

    def tabs(self, panels):
        if self.has_tabs:
            items = "\n\n".join(f"{label}::\n+\n--\n{text}\n--" for label, text in panels.items())
            return f"[tabs]\n======\n{items}\n======"
        return "\n\n".join(f".{label}\n[%collapsible]\n====\n{text}\n====" for label, text in panels.items())

    def note(self, title, text):
        return f".{title}\n[WARNING]\n====\n{text}\n===="

    def define(self, terms):
        return "\n".join(f"{term}:: {text}" for term, text in terms.items())

    def numbered(self, items):
        return "\n".join(f". {text}" for text in items)

    def codes(self, codes):
        return "\n\n".join(f".{label}\n[source,{language}]\n----\n{code}\n----" for label, (language, code) in codes.items())

    def post(self, title, day, paragraphs):
        return f"= {title}\n:revdate: {day}\n\n" + "\n\n".join(paragraphs) + "\n"
