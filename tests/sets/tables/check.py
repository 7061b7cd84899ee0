"""Checks the tables and their questions: python3 check.py   (pypdf, where it is there, reads the PDF too)"""
import collections, csv, html.parser, io, json, pathlib, re, sys, xml.etree.ElementTree as ET, zipfile

HERE = pathlib.Path(__file__).parent
problems, notes = [], []


class Cells(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.rows, self.inside = [], False

    def handle_starttag(self, tag, attrs):
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
            self.inside = True

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.inside = False

    def handle_data(self, data):
        if self.inside:
            self.rows[-1][-1] += data


def local(element, name):
    return [e for e in element.iter() if e.tag.rsplit("}", 1)[-1] == name]


def text_of(element):
    return "".join(e.text or "" for e in local(element, "t"))


def read(path):
    """All rows of the one table in a document."""
    kind = path.suffix
    if kind == ".md":
        rows = [[c.strip() for c in line.strip().strip("|").split("|")]
                for line in path.read_text("utf-8").splitlines() if line.startswith("|")]
        return [r for r in rows if not all(re.fullmatch(r":?-+:?", c) for c in r)]
    if kind == ".csv":
        text = path.read_text("utf-8")
        mark = ";" if text.count(";") > 20 else ","
        rows = [r for r in csv.reader(io.StringIO(text), delimiter=mark)]
        width = max(map(len, rows))
        return [r for r in rows if len(r) == width]
    if kind == ".html":
        reader = Cells()
        reader.feed(path.read_text("utf-8"))
        return [[c.strip() for c in r] for r in reader.rows]
    if kind == ".docx":
        root = ET.fromstring(zipfile.ZipFile(path).read("word/document.xml"))
        return [[text_of(c) for c in local(r, "tc")] for r in local(root, "tr")]
    if kind == ".xlsx":
        book = zipfile.ZipFile(path)
        shared = []
        if "xl/sharedStrings.xml" in book.namelist():
            shared = [text_of(s) for s in local(ET.fromstring(book.read("xl/sharedStrings.xml")), "si")]
        rows = []
        for r in local(ET.fromstring(book.read("xl/worksheets/sheet1.xml")), "row"):
            cells = []
            for c in local(r, "c"):
                value = "".join(v.text or "" for v in local(c, "v"))
                cells.append(shared[int(value)] if c.get("t") == "s" else value or text_of(c))
            rows.append(cells)
        width = max(map(len, rows))
        return [r for r in rows if len(r) == width]
    if kind == ".pdf":
        sys.path.insert(0, str(HERE))
        import make
        rows = [[str(c) for c in r] for r in make.TABLES[path.name][2]]
        try:
            import pypdf
            got = " ".join(" ".join(p.extract_text() for p in pypdf.PdfReader(path).pages).split())
            for cell in (c for r in rows for c in r):
                if cell not in got:
                    problems.append(f"{path.name}: {cell!r} is not in the PDF's text")
        except ImportError:
            notes.append(f"{path.name}: no pypdf here, its text is taken from make.py")
        return rows
    raise ValueError(path)


tables = {p.name: read(p) for p in sorted(HERE.iterdir())
          if p.suffix in {".md", ".csv", ".html", ".docx", ".xlsx", ".pdf"}}
for name, rows in tables.items():
    if len({len(r) for r in rows}) != 1 or not 2 <= len(rows[0]) <= 7 or not 6 <= len(rows) - 1 <= 20:
        problems.append(f"{name}: {len(rows) - 1} rows, columns {sorted({len(r) for r in rows})}")
    if any(not c.strip() or c != c.strip() for r in rows for c in r):
        problems.append(f"{name}: an empty cell or spaces at an edge")
    if len({r[0] for r in rows}) != len(rows):
        problems.append(f"{name}: the first column names two rows alike")

places, per_document, seen, nothing, literal = collections.Counter(), collections.Counter(), set(), 0, 0
lines = (HERE / "questions.jsonl").read_text("utf-8").splitlines()
for line in lines:
    q = json.loads(line)
    say = lambda words: problems.append(f"{q['id']}: {words}")
    if set(q) != {"id", "question", "document", "row", "answer", "wrong"}:
        say("fields")
    if q["id"] in seen or q["question"] in seen:
        say("twice")
    seen |= {q["id"], q["question"]}
    header, *rows = tables[q["document"]]
    per_document[q["document"]] += 1
    named = [r for r in rows if q["row"] in r]
    if q["row"] is not None and len(named) != 1:
        say(f"row {q['row']!r} names {len(named)} rows")
        continue
    if q["row"] and q["row"].lower() in q["question"].lower():
        literal += 1
    if not q["wrong"] or len(set(q["wrong"])) != len(q["wrong"]):
        say("wrong is empty or repeats itself")
    if q["answer"] is None:
        nothing += 1
        for w in q["wrong"]:
            if not any(w in r for r in rows):
                say(f"{w!r} is not in the table")
        continue
    columns = [i for i, c in enumerate(named[0]) if c == q["answer"]]
    fitting = [i for i in columns if all(any(r[i] == w for r in rows if r is not named[0]) for w in q["wrong"])]
    if len(columns) != 1 or fitting != columns:
        say(f"answer in columns {columns}, with wrong in {fitting}")
        continue
    place = columns[0]
    places["first" if place == 0 else "last" if place == len(header) - 1 else "middle"] += 1
    if q["answer"] in q["wrong"]:
        say("the answer is among the wrong ones")
    for w in q["wrong"]:
        if q["answer"] in w or w in q["answer"]:
            say(f"{w!r} and the answer hold one another")
    if q["answer"].lower() in q["question"].lower():
        say("the answer stands in the question")

for name, rows in tables.items():
    print(f"{name}: {len(rows[0])} columns, {len(rows) - 1} rows, {per_document[name]} questions")
print(f"{len(tables)} tables, {len(lines)} questions, {nothing} without an answer; answers in columns {dict(places)}; "
      f"{literal} name their row literally")
print("\n".join(notes + problems) or "no problems")
sys.exit(bool(problems))
