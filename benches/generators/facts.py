"""What has to be found in the passages of a site, whatever made it: the same twelve questions, asked of the text."""

import re
from html.parser import HTMLParser

from handbook import BSC, KEY, MSC, NEWS, OLD_KEY, PAGES, PARTIAL

#: Each question with the words that one passage must have, in this order; `|` parts what may stand in one place.
FACTS = {
    "How much does a full-time semester of MSc Timber Design cost?": [
        r"Programme: MSc Timber Design; Fee per semester \(EUR\)\W{1,3}Full-time: 1,150; Fee per semester \(EUR\)\W{1,3}Part-time: 640; ECTS: 120"
    ],
    "What do students of MSc Timber Design pay who begin in spring?": [r"Full-time: 1,150", r"who begin in spring pay 980"],
    "How much is the deposit for a locker for doctoral candidates?": [
        r"Deposits", r"a locker is EUR 40(?! ?\d)", r"Doctoral candidates pay EUR 15"
    ],
    "How much is a metre of a poster?": [r"A poster costs EUR 34 a metre"],
    "Until when do students of MSc Timber Design register?": [
        rf"{BSC}(?! {MSC})", r"21 January 2027", MSC, r"16 February 2027"
    ],
    "How late may I register after an illness?": [r"cannot register", r"After an illness", r"(?<![\"\]:] )You may register up to six days"],
    "What is a thinning permit?": [r"Thinning permit\W{0,3} ?The permission to fell marked trees"],
    "What is rule 3 in the sawmill?": [r"1[.)] Wear", r"2[.)] Switch", r"3[.)] Write each accident into the red book"],
    "How fast does the blade run at most?": [r"runs at \(?v[_ ]?max ?= ?62 m/s\)? in dry wood"],
    "Which command calls up the sensors on Windows?": [
        r"Linux(?! Windows)", r"sftp -P 2417", r"Windows", r"psftp -P 2517 sensor@alder\.example"
    ],
    "When is the money for a key given back?": [r"workshop costs EUR 22", r"given back within ten days"],
    "When is the seed store closed?": [r"Seed store closed", r"from 12 to 16 October 2026"],
}

#: What an answer to each question says, in their order.
ANSWERS = [
    "1,150", "980", "EUR 15", "EUR 34", "16 February 2027", "six days", "permission to fell marked trees", "red book",
    "62 m/s", "psftp -P 2517", "ten days", "12 to 16 October 2026",
]

#: What must be nowhere.
GONE = ["EUR 28", OLD_KEY, *re.findall(r"\S+", r"::: === !!! \max --8<-- {{ {% {: :sync: [^")]


def sentences():
    """The handbook's own sentences, each of which has to be there once."""
    found = [KEY, PARTIAL, *(words for *_, paragraphs in NEWS for words in paragraphs)]
    for _, blocks in PAGES.values():
        for kind, *rest in blocks:
            if kind == "p" and not re.search("[~^$]", rest[0]):
                found.append(rest[0])
            elif kind in ("tabs", "define"):
                found += rest[0].values()
            elif kind == "numbered":
                found += rest[0]
            elif kind == "note":
                found.append(rest[1])
    return found


def plain(words):
    """A text with one kind of space, dash and inverted comma."""
    words = re.sub(r"[\u200b\u00ad\ufeff]", "", words)
    words = re.sub(r"[‐‑–—−]", "-", words.replace("’", "'"))
    return re.sub(r"\s+", " ", words).strip()


def in_order(text, patterns):
    """Whether the patterns are found one after the other."""
    place = 0
    for pattern in patterns:
        found = re.compile(pattern).search(text, place)
        if not found:
            return False
        place = found.end()
    return True


def passage(section):
    """A section as it is searched: with its title and its headings."""
    return plain(" ".join([section["title"], *section["headings"], section["text"]]))


def ask(sections):
    """What is right, what stands twice, what should not stand there, and passages that are none of the handbook's."""
    passages = [passage(section) for section in sections]
    own = sentences()
    facts = {question: any(in_order(text, wanted) for text in passages) for question, wanted in FACTS.items()}
    everything = " ".join(passages)
    texts = [plain(section["text"]) for section in sections]
    is_ours = re.compile("|".join([*map(re.escape, own), "locker is", "poster costs", "dry wood", "sftp", "Timber", "library"]))
    return {
        "facts": facts,
        "twice": [words for words in own if sum(text.count(plain(words)) for text in texts) > 1],
        "gone": [words for words in GONE if words in everything],
        "strange": [
            f"{section['path']}: {text[:80]}"
            for section, text in zip(sections, texts)
            if text and not is_ours.search(text) and not re.fullmatch(r"[\d-]+", text)
        ],
    }


class Names(HTMLParser):
    """The places of a page that an address can lead to."""

    def __init__(self):
        super().__init__()
        self.names = set()

    def handle_starttag(self, tag, attributes):
        self.names |= {value for name, value in attributes if value and (name == "id" or (tag == "a" and name == "name"))}


def names(page):
    """The names of the places of a built page."""
    parser = Names()
    parser.feed(page.read_text(encoding="utf-8", errors="replace"))
    return parser.names


def lost(sections, built, is_built):
    """Sections below the title whose anchor is missing or leads to no place of the built pages."""
    pages = {page.relative_to(built).as_posix(): names(page) for page in built.rglob("*.html")}
    everywhere = set().union(*pages.values()) if pages else set()

    def leads(section):
        known = pages.get(section["path"], set()) if is_built else everywhere
        return section["anchor"] in known

    # Pages that a browser makes of their sources have no places to look up.
    if not any("<h2" in page.read_text(encoding="utf-8", errors="replace") for page in built.rglob("*.html")):
        return []
    headed = [section for section in sections if len(section["headings"]) > 1 and section["text"]]
    return [f"{section['path']}#{section['anchor']}" for section in headed if not leads(section)]
