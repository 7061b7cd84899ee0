"""What a reader has to have found in the handbook, asked of the text that it printed.

Every reader is asked by the same rules. The text is brought into one form first: Markdown's and HTML's signs go, raised digits
become `^2`, what is struck becomes `~18~`, and all kinds of spaces, dashes and ligatures become plain ones. Line breaks count
where lines matter alone (headings, rows of tables); a sentence may be broken anywhere, as long as nothing else comes between.
"""

import re
import unicodedata

RAISED = {"⁰": "0", "¹": "1", "²": "2", "³": "3", "⁴": "4", "⁵": "5", "⁶": "6", "⁷": "7", "⁸": "8", "⁹": "9"}


def plain(text):
    """The text in the one form that all rules ask."""
    for sign, digit in RAISED.items():
        text = text.replace(sign, f"^{digit}")
    text = re.sub(r"\[?<sup>(.*?)</sup>\]?", r"^\1", text)
    text = re.sub(r"<(s|del|strike)>(.*?)</\1>|~~(.*?)~~", lambda found: f" ~{found[2] or found[3]}~ ", text)
    # Formulas are often written in TeX: `$10^{2}$`.
    text = re.sub(r"\^\{(.*?)\}", r"^\1", text)
    text = re.sub(r"<br ?/?>", " ", text)
    text = re.sub(r"</?[a-zA-Z][^<>]*>", "", text)
    text = text.replace("\u00ad", "").replace("&nbsp;", " ").replace("&amp;", "&")
    text = unicodedata.normalize("NFKC", text)
    text = re.sub(r"[‐‑‒–—−]", "-", text)
    # A number of a list that Markdown would take for one is escaped: `1\.`.
    text = re.sub(r"\\([^\w\s])", r"\1", text)
    text = re.sub(r"[*_`$\\]", "", text)
    lines = [re.sub(r"[ \t\u200b]+", " ", line).strip() for line in re.split(r"[\n\r\f\v]", text)]
    return "\n".join(line for line in lines if line and not re.fullmatch(r"[|:\- ]+", line))


def bare(line):
    """A line without the signs of a heading or of a list."""
    return re.sub(r"^(#+|[-•+>])\s+", "", line).strip()


def find(text, words, start=0):
    """Where the words are in the text, whole, whatever spaces are between them; the end, or -1."""
    words = plain(words)
    pattern = r"\s+".join(map(re.escape, words.split()))
    # A mark may touch a word, as in `^1Paid`. A number that touches digits or letters is another number.
    before = r"(?<![\w^])" if words[0].isdigit() else r"(?<![^\W\d])"
    after = r"(?!\w)" if words[-1].isdigit() else r"(?![^\W\d])"
    found = re.compile(before + pattern + after).search(text, start)
    return found.end() if found else -1


def has_line(text, words):
    """Whether a line is these words and nothing else."""
    return any(bare(line) == plain(words) for line in text.splitlines())


def in_order(line, cells):
    """Whether the line has all of the cells, one after the other."""
    place = 0
    for cell in cells:
        # A note's mark may be there, glued to its number or not: that is a fact of its own.
        number, mark = re.fullmatch(r"(.*?)(?:\^(.*)\^)?", cell).groups()
        ends = [end for words in (number, number + (mark or "")) if (end := find(line, words, place)) >= 0]
        if not ends:
            return False
        place = min(ends)
    return True


def rows_right(text, table):
    """How many rows have their cells in order on one line, and of no other row the first cell."""
    names = [row[0] for row in table["rows"]]

    def is_right(row):
        others = [name for name in names if name != row[0]]
        return any(
            in_order(line, row) and not any(find(line, name) >= 0 for name in others) for line in text.splitlines()
        )

    return sum(map(is_right, table["rows"]))


def heads_right(text, table):
    """Whether each head's cells are in order on one line above the first row."""
    above = []
    for line in text.splitlines():
        if find(line, table["rows"][0][0]) >= 0:
            break
        above.append(line)
    names = [[cell for cell, _ in head if cell] for head in table["heads"]]
    return all(any(in_order(line, head) for line in above) for head in names)


def of_kind(handbook, kind):
    """The blocks of one kind, in order."""
    return [block for block in handbook["blocks"] if block["kind"] == kind]


def ask(handbook, text):
    """Each fact with whether it was found, and for each table how many of its rows."""
    text = plain(text)
    # Whether words broken by a hyphen are joined again is a fact of its own.
    broken = text.replace("\n", " ")
    whole = re.sub(r"(?<=[a-z])- (?=[a-z])", "", broken)
    headings = [block["text"] for block in of_kind(handbook, "heading")]
    numbered = next(words for words in headings if words[0].isdigit())
    alike = [words for words in headings if words.startswith("House")]
    long_paragraph = of_kind(handbook, "paragraph")[0]["text"]
    columns, aside = of_kind(handbook, "columns")[0], of_kind(handbook, "aside")[0]
    fees, people, boats, hours, moorings = tables = of_kind(handbook, "table")
    in_columns = " ".join(columns["left"] + columns["right"] + [aside["beside"], long_paragraph])
    long_words = re.findall(r"[A-Za-z]{6,}", in_columns)
    notes = [words for _, words in of_kind(handbook, "notes")[0]["notes"]]
    numbers, letters = of_kind(handbook, "list")
    rows = [rows_right(text, table) for table in tables]

    def says(words):
        return find(whole, words) >= 0

    def all_rows(table):
        return rows[tables.index(table)] == len(table["rows"])

    first, last = (whole.find(moorings["rows"][place][0]) for place in (1, -1))
    marked = [f"{number}. {item}" for number, item in enumerate(numbers["items"], 1)]
    lettered = [f"{letter}) {item}" for letter, item in zip("ab", letters["items"])]
    facts = {
        "a heading is a line": has_line(text, headings[1]),
        "a numbered heading is a line": has_line(text, numbered),
        "headings on top of pages that differ by a digit": all(has_line(text, words) for words in alike),
        "a paragraph is whole": says(long_paragraph),
        "words broken at the ends of lines": not any(find(broken, word) < 0 for word in long_words),
        "a note's mark stays off its number": bool(re.search(r"a locker is 35(?!\d)", whole)),
        "a second mark on the line": bool(re.search(r"a mooring it is 260(?!\d)", whole)),
        "a mark in a cell": bool(re.search(r"beginners[^\n]*?\b120(?!\d)", text)),
        "a note is read": says(notes[0]),
        "further notes are read": all(says(words) for words in notes[1:]),
        "a struck value is gone or marked": not re.search(r"(?<!~)187", whole),
        "the value that replaced it": bool(re.search(r"pass now costs (~?187~? )?214 euros", whole)),
        "two rows of heads": heads_right(text, fees),
        "rows below two heads": all_rows(fees),
        "rows without rules": all_rows(people),
        "rows in a frame, with cells of several lines": all_rows(boats),
        "rows above a caption": all_rows(hours),
        "rows over two pages": all_rows(moorings),
        "no running head among rows": first >= 0 and last > first and handbook["running"] not in whole[first:last],
        "a caption is a line": has_line(text, hours["caption"]),
        "the left column": all(map(says, columns["left"])),
        "the right column": all(map(says, columns["right"])),
        "a note in the margin": says(aside["text"]),
        "the paragraph beside it": says(aside["beside"]),
        "numbers of a list": all(re.sub(r"(?<=\d)\)", ".", whole).find(words) >= 0 for words in marked),
        "letters of a list": all(re.sub(r"(?<=\b[ab])\.", ")", whole).find(words) >= 0 for words in lettered),
        "a formula with a power": bool(re.search(r"T ?= ?6 ?n ?\+ ?10 ?\^ ?2", whole)),
    }
    return facts, [[found, len(table["rows"])] for found, table in zip(rows, tables)]
