"""Documents of real and varied text, and questions: every passage of the data at hand, once.

The data is a folder of question sets, catalogues and handbooks (JSON, JSON lines, CSV, TSV, Markdown, text, and zips of
them). Each text of sixty letters or more that stands in them is a paragraph of one document, the first time it is met;
a document holds ten of one source. Shorter texts that end with a question mark are questions. The same data make the
same documents.
"""

import csv
import html
import io
import json
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

#: Paragraphs of a document.
PARAGRAPHS = 10
#: Documents in a folder.
FOLDER = 500
SHORTEST, LONGEST = 60, 1500
#: Questions whose document is known, to see what is found.
ANSWERED = 200


def strings(value: object) -> Iterator[str]:
    """Every string in a JSON value, in order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)


def texts(name: str, data: bytes) -> Iterator[str]:
    """Every text in a file, as it stands there."""
    kind = name.rsplit(".", 1)[-1].lower()
    if kind == "zip":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for member in archive.namelist():
                yield from texts(member, archive.read(member))
        return
    text = data.decode("utf-8", "replace")
    if kind in ("json", "jsonl"):
        decoder, place = json.JSONDecoder(), 0
        # One value or many behind each other, whatever the file is called.
        text = text.strip()
        while place < len(text):
            value, place = decoder.raw_decode(text, place)
            yield from strings(value)
            while text[place : place + 1].isspace():
                place += 1
    elif kind in ("csv", "tsv"):
        csv.field_size_limit(sys.maxsize)
        for row in csv.reader(io.StringIO(text), delimiter="," if kind == "csv" else "\t"):
            yield from row
    elif kind in ("md", "txt"):
        yield from text.split("\n\n")


def paragraphs(data: Path) -> Iterator[tuple[str, str]]:
    """Each paragraph with the folder that it is from."""
    for path in sorted(path for path in data.glob("*/**/*") if path.is_file()):
        source = path.relative_to(data).parts[0]
        for text in texts(path.name, path.read_bytes()):
            yield from ((source, " ".join(paragraph.split())) for paragraph in text.split("\n\n"))


def letters_of(text: str) -> str:
    """What two passages have in common that are the same but for spaces and signs."""
    return "".join(letter for letter in text.lower() if letter.isalnum())


def letters(text: str) -> int:
    """How many letters it has."""
    return sum(letter.isalpha() for letter in text)


def passages(data: Path) -> Iterator[tuple[str, str]]:
    """Each passage with the folder that it is from, the first time it is met."""
    met = set()
    for source, paragraph in paragraphs(data):
        key = letters_of(paragraph)
        if SHORTEST <= letters(paragraph) and len(paragraph) <= LONGEST and key not in met:
            met.add(key)
            yield source, paragraph


def questions(data: Path, count: int) -> list[str]:
    """So many questions, evenly from all that are too short to be passages."""
    asked = dict.fromkeys(
        text
        for _, text in paragraphs(data)
        if text.endswith("?") and SHORTEST // 2 <= letters(text) < SHORTEST
    )
    return evenly(list(asked), count)


def evenly(found: list, count: int) -> list:
    """So many of them, or all where there are fewer, at even distances."""
    count = min(count, len(found))
    return [found[place * len(found) // count] for place in range(count)]


def write_answered(data: Path, places: dict[str, str], out: Path) -> None:
    """Writes questions whose passage stands in one of the documents, evenly from all of BoolQ and SQuAD, a line each."""
    boolq = (data / "boolq_dev/dev.jsonl").read_text(encoding="utf-8").splitlines()
    pairs = [(pair["question"], pair["passage"]) for pair in map(json.loads, boolq)]
    squad = json.loads((data / "squad_dev/dev-v1.1.rebuilt.json").read_text(encoding="utf-8"))
    for paragraph in (paragraph for title in squad["data"] for paragraph in title["paragraphs"]):
        # One of each: else questions of one paragraph would count many times.
        pairs.append((paragraph["qas"][0]["question"], paragraph["context"]))
    asked = [
        {"question": question, "gold": [{"document": places[letters_of(passage)]}]}
        for question, passage in pairs
        if letters_of(passage) in places
    ]
    lines = [json.dumps(question) for question in evenly(asked, ANSWERED)]
    out.write_text("\n".join(lines), encoding="utf-8")


def write(
    found: list[tuple[str, str]], documents: Path, pages: Path, count: int
) -> dict[str, str]:
    """Writes documents of so many passages, evenly from all, and the same as pages for other searches.

    Says where each passage stands, by its letters.
    """
    groups: list[tuple[str, list[str]]] = []
    places: dict[str, str] = {}
    for source, paragraph in evenly(found, count):
        if not groups or groups[-1][0] != source or len(groups[-1][1]) == PARAGRAPHS:
            groups.append((source, []))
        groups[-1][1].append(paragraph)
    for number, (source, paragraphs) in enumerate(groups):
        folder = documents / source / f"{number // FOLDER:03}"
        folder.mkdir(parents=True, exist_ok=True)
        # A heading for each: else short ones would be joined into one passage.
        sections = (f"## {heading(paragraph)}\n\n{paragraph}\n" for paragraph in paragraphs)
        title = f"{source.replace('_', ' ')} {number}"
        path = folder / f"{number:06}.md"
        path.write_text(f"# {title}\n\n" + "\n".join(sections), encoding="utf-8")
        name = path.relative_to(documents).as_posix()
        places |= {letters_of(paragraph): name for paragraph in paragraphs}
        write_page(pages, name, as_page(title, as_sections(paragraphs)))
    return places


def write_page(pages: Path, name: str, page: str) -> None:
    """Writes the page of the document of this name, where the searches over pages look for it."""
    path = pages / f"{name}.html"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page, encoding="utf-8")


def heading(paragraph: str) -> str:
    """Its first words."""
    return " ".join(paragraph.split()[:6])


def as_page(title: str, body: str) -> str:
    """A document as a web page, of which searches over pages are to index the text."""
    title = html.escape(title)
    head = f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{title}</title>\n'
    return head + f"<body>\n<main data-pagefind-body>\n<h1>{title}</h1>\n{body}</main>\n"


def as_sections(paragraphs: list[str]) -> str:
    """The body of such a page, with the headings that the document has."""
    return "".join(
        f"<h2>{html.escape(heading(paragraph))}</h2>\n<p>{html.escape(paragraph)}</p>\n"
        for paragraph in paragraphs
    )
