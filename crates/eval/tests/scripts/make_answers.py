"""Makes ../fixtures/answers.json: answers with what other implementations of the metrics say of them.

    python3 -m venv venv && venv/bin/pip install -r requirements.txt
    venv/bin/python make_answers.py

SQuAD's rules are those of `transformers.data.metrics.squad_metrics`, the evaluation script of version 2.0.
METEOR is nltk's with a WordNet that knows no synonyms. BERTScore and the three metrics of the hybrid
system are written down here a second time, in numpy, over made-up vectors.

All texts are written for this fixture.
"""

import collections
import itertools
import json
import math
import pathlib
import random
import re

import numpy
import sacrebleu
from nltk.stem.porter import PorterStemmer
from nltk.translate.meteor_score import meteor_score
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.metrics import BLEU
from transformers.data.metrics import squad_metrics

random.seed(20)

WRITTEN = [
    # (answer, golds)
    ("", []),
    ("", [""]),
    ("", ["the"]),
    ("", ["May 3"]),
    ("May 3", []),
    ("May 3", [""]),
    ("the", ["a"]),
    ("The!", ["an"]),
    (".", [","]),
    ("   ", ["\t\n"]),
    ("May 3", ["May 3"]),
    ("may  3.", ["May 3"]),
    ("On May 3rd", ["May 3", "3 May", "the third of May"]),
    ("8 a.m.", ["8 am", "08:00"]),
    ("8 AM to 6 PM", ["8 a.m. to 6 p.m."]),
    ("3.5", ["35"]),
    ("1,500 euros", ["1500 euros", "EUR 1,500"]),
    ("12 €", ["12 euros", "€12"]),
    ("50%", ["50 %", "fifty percent"]),
    ("-5 °C", ["5 °C"]),
    ("2019-2020", ["2019–2020", "2019 to 2020"]),
    ("a", ["a"]),
    ("A a an the THE", ["the"]),
    ("no no no", ["no"]),
    ("no", ["no no no"]),
    ("the the the cat", ["the cat the cat"]),
    ("buffalo buffalo buffalo buffalo", ["buffalo buffalo"]),
    ("one two three four five", ["five four three two one"]),
    ("one two three four five", ["one two three four five six seven eight nine ten"]),
    ("one two three four five six seven eight nine ten", ["one two three four five"]),
    ("Die Prüfung findet am 3. Mai statt.", ["am 3. Mai", "3. Mai"]),
    ("Prüfungsordnung", ["prüfungsordnung", "Pruefungsordnung"]),
    ("Straße des 17. Juni", ["Strasse des 17. Juni"]),
    ("STRASSE", ["Straße"]),
    ("GROẞ", ["groß"]),
    ("der Übungsraum im 2. Stock", ["2. Stock", "Übungsraum, 2. Stock"]),
    ("Die Bibliothek öffnet um 8.30 Uhr, samstags um 10 Uhr.", ["8.30 Uhr", "um 8.30 Uhr, samstags um 10 Uhr"]),
    ("„Mensa am Park“", ["Mensa am Park", "“Mensa am Park”"]),
    ("Résumé and cover letter", ["resume and cover letter", "Résumé, cover letter"]),
    ("naïve café", ["naive cafe"]),
    ("cafe\u0301", ["café"]),
    ("İstanbul", ["istanbul", "i̇stanbul"]),
    ("ΟΔΥΣΣΕΥΣ", ["οδυσσευς", "Οδυσσεύς"]),
    ("日本語の授業", ["日本語の授業", "日本語"]),
    ("学生 生活 科", ["学生 科"]),
    ("Москва", ["москва"]),
    ("the Москва", ["москва"]),
    ("हिन्दी की कक्षा", ["हिन्दी की कक्षा"]),
    ("مكتبة الجامعة", ["الجامعة"]),
    ("🎓 graduation", ["graduation", "🎓"]),
    ("it's the students' union", ["its the students union", "the students' union"]),
    ("don't", ["do not", "dont"]),
    ("e-mail: help@uni.example", ["help@uni.example"]),
    ("https://uni.example/fees?id=1&x=2", ["https://uni.example/fees", "uni.example"]),
    ("&quot;Pass&quot; &amp; &lt;fail&gt;", ["\"Pass\" & <fail>"]),
    ("a <skipped> word", ["a word"]),
    ("line-\nbreak and line\nbreak", ["linebreak and line break"]),
    ("line\r\nbreak\u2028here", ["line break here"]),
    ("tab\tseparated\u00a0words\u3000here", ["tab separated words here"]),
    ("separated\u001fby\u001ccontrols", ["separated by controls"]),
    ("word\u0085next", ["word next"]),
    ("ends with a dash-\n", ["ends with a dash-"]),
    ("wait... what?!", ["wait, what", "wait ... what ? !"]),
    ("10.5.3,7.-8-9.", ["10.5.3, 7. -8 -9."]),
    (".5,5.,.", ["0.5, 5"]),
    ("x_y_z under_score", ["x y z under score", "xyz underscore"]),
    ("{[(<a>)]}~`^|\\/", ["a", "{ [ ( < a > ) ] }"]),
    ("C++ and C# at 100 %", ["C and C at 100", "C++ and C#"]),
    ("Ph.D. in U.S. history", ["PhD in US history", "Ph. D. in U. S. history"]),
    ("I do not know", ["I don't know"]),
    ("The documents do not say.", []),
    ("registered students registering for registration", ["students register", "student registrations registered"]),
    ("studies study studied studying", ["study", "studying studies"]),
    ("dying skies lying news innings", ["die sky lie new inning"]),
    ("generally generous generations", ["general generously generate"]),
    ("happily enjoying the possibilities", ["happy to enjoy the possibility"]),
    ("the cat sat on the mat", ["the cat sat on the mat"]),
    ("the cat sat on the mat", ["on the mat the cat sat", "the mat sat on the cat"]),
    ("It is a guide to the library which says that the desk is open", ["It is the guide that says that the library desk opens"]),
    ("a b c d e f g h i j k l m n o p", ["p o n m l k j i h g f e d c b a"]),
    ("b a b a b a", ["a b a b a b"]),
    ("A" * 300, ["a" * 300]),
    (" ".join(["word"] * 120), [" ".join(["word"] * 80), "word"]),
]

PLACES = ["the main library", "room 204", "the student office", "building C", "the lab in Hall 7"]
TIMES = ["at 8 a.m.", "at 9:30", "by 5 p.m. on Fridays", "on 3 May 2024", "from October 1 to March 31"]
FEES = ["12 euros", "€3.50", "1,250 euros a term", "nothing", "20% of the fee"]
THINGS = ["a student card", "two signed forms", "the module handbook", "proof of insurance", "an advisor's letter"]
GERMAN_PLACES = ["der Hauptbibliothek", "Raum 204", "dem Prüfungsamt", "Gebäude C", "der Mensa"]
GERMAN_TIMES = ["um 8 Uhr", "bis zum 15. Juli", "am 3. Mai 2024", "ab dem 1. Oktober", "zwischen 9.30 und 11 Uhr"]
GERMAN_THINGS = ["der Studierendenausweis", "zwei unterschriebene Anträge", "die Prüfungsordnung", "ein Nachweis über 30 LP"]


def templates():
    for place, time in itertools.product(PLACES, TIMES):
        yield f"You can register in {place} {time}.", [f"{place}, {time}", f"Registration is {time} in {place}"]
    for fee, thing in itertools.product(FEES, THINGS):
        yield f"It costs {fee}, and you need {thing}.", [f"{fee} and {thing}", f"{thing}; the cost is {fee}", fee]
    for place, time in itertools.product(GERMAN_PLACES, GERMAN_TIMES):
        yield f"Die Anmeldung ist in {place} {time} möglich.", [f"in {place}, {time}", f"Man meldet sich {time} in {place} an."]
    for thing, other in itertools.permutations(GERMAN_THINGS, 2):
        yield f"Nötig sind {thing} und {other}.", [f"{other} sowie {thing}"]
    words = "the exam office opens late students must register again before every term ends early".split()
    for _ in range(40):
        answer = random.choices(words, k=random.randint(1, 14))
        golds = [random.choices(words, k=random.randint(1, 14)) for _ in range(random.randint(1, 3))]
        yield " ".join(answer), [" ".join(gold) for gold in golds]


class EmptyWordNet:
    def synsets(self, word):
        return []


def squad(answer, golds):
    """Exact match and F1 as the script has them; precision and recall of the gold answer with the best F1."""
    kept = [gold for gold in golds if squad_metrics.normalize_answer(gold)] or [""]
    exact = max(squad_metrics.compute_exact(gold, answer) for gold in kept)
    scores = [squad_metrics.compute_f1(gold, answer) for gold in kept]
    gold = kept[int(numpy.argmax(scores))]
    answer_tokens, gold_tokens = squad_metrics.get_tokens(answer), squad_metrics.get_tokens(gold)
    shared = sum((collections.Counter(answer_tokens) & collections.Counter(gold_tokens)).values())
    if answer_tokens and gold_tokens:
        parts = [shared / len(answer_tokens), shared / len(gold_tokens)]
    else:
        parts = [float(answer_tokens == gold_tokens)] * 2
    return {"exact": int(exact), "f1": float(max(scores)), "precision": parts[0], "recall": parts[1]}


SENTENCE_BLEU = BLEU(effective_order=True)
ROUGE = {
    "rouge": RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=False),
    "rouge_stemmed": RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=True),
}


def meteor_tokens(text):
    return SENTENCE_BLEU.tokenizer(text.rstrip()).split()


def word_metrics(answer, golds):
    found = {
        "answer": answer,
        "golds": golds,
        "normalised": squad_metrics.normalize_answer(answer),
        "squad": squad(answer, golds),
    }
    if golds:
        found["bleu"] = SENTENCE_BLEU.sentence_score(answer, golds).score / 100
        for name, scorer in ROUGE.items():
            scores = scorer.score_multi(golds, answer)
            found[name] = {
                kind: [scores[kind].precision, scores[kind].recall, scores[kind].fmeasure]
                for kind in ("rouge1", "rouge2", "rougeL")
            }
        references = [meteor_tokens(gold) for gold in golds]
        found["meteor"] = float(meteor_score(references, meteor_tokens(answer), wordnet=EmptyWordNet()))
    return found


def corpora(pairs):
    with_golds = [number for number, pair in enumerate(pairs) if pair["golds"]]
    chosen = [with_golds, with_golds[:1], with_golds[-40:]]
    chosen += [sorted(random.sample(with_golds, k)) for k in (2, 3, 5, 8, 13, 21, 34, 55)]
    for numbers in chosen:
        most = max(len(pairs[number]["golds"]) for number in numbers)
        streams = [
            [dict(enumerate(pairs[number]["golds"])).get(place) for number in numbers] for place in range(most)
        ]
        score = BLEU().corpus_score([pairs[number]["answer"] for number in numbers], streams)
        yield {"pairs": numbers, "bleu": score.score / 100}


def stems():
    bases = """relat condition ration valenc hesit digit conform radic differ vile analog vietnam predic oper feudal
        decis hope call form sensit sensibl triplic electr good reviv allow infer airlin gyroscop adjust defens irrit
        replac depend adopt homolog commun activ angular effect bowdler prob rat ceas control roll agre plaster motor
        conflat troubl siz hopp tann fall hiss fizz fail fil happ sk enjo b sp fl tr geo theolog archaeo register
        stud librar examin thes faculty lectur grad enrol schedul yell sayy""".split()
    endings = """s es ies ied y ed eed ing ings ation ational tional ence enci anci izer bli abli alli entli eli ousli
        ization ator alism iveness fulness ousness aliti iviti biliti fulli logi icate ative alize iciti ical ful ness
        al ance er ic able ible ant ement ment ent ion sion tion ou ism ate iti ous ive ize e ll lly ally edly""".split()
    made = [base + ending for base, ending in itertools.product(bases, endings)]
    written = """a an as is be by sky skies dying lying tying news inning innings outing outings canning cannings howe
        proceed exceed succeed dies ties flies died spied tried caresses ponies cats feed bled sing yyyy yyyying
        syzygy toy crying played stayed ability rationally generously übungen naïvely 's 3.50 2024 students' ß ÿ
        bücher bibliotheken eeed ing ed s ss sses ies ied feeding agreed oed aed ying uing""".split()
    stemmer = PorterStemmer()
    return {word: stemmer.stem(word) for word in sorted(set(written + random.sample(made, 1200)))}


def coordinates(length):
    """Multiples of 1/64: the same number in single and double precision."""
    while True:
        found = [random.randint(-64, 64) / 64 for _ in range(length)]
        if any(found):
            return found


def bert_scores():
    """Greedy matching as equations 1 to 6 of Zhang et al. (2020) have it."""

    def unit(rows):
        rows = numpy.array(rows, dtype=numpy.float64)
        return rows / numpy.linalg.norm(rows, axis=1, keepdims=True)

    def f1(precision, recall):
        return 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0

    for number in range(24):
        width = random.choice([2, 3, 8])
        text = lambda most: [(random.randint(0, 6), coordinates(width)) for _ in range(random.randint(1, most))]
        answer, gold = text(6), text(8)
        corpus = [[token for token, _ in gold]] + [[random.randint(0, 6) for _ in range(5)] for _ in range(number % 5 + 2)]
        cosines = unit([vector for _, vector in answer]) @ unit([vector for _, vector in gold]).T
        frequency = collections.Counter(token for one in corpus for token in set(one))
        weight = lambda pieces: numpy.array(
            [math.log((len(corpus) + 1) / (frequency[token] + 1)) for token, _ in pieces]
        )
        plain = [float(cosines.max(axis=1).mean()), float(cosines.max(axis=0).mean())]
        case = {"answer": answer, "gold": gold, "corpus": corpus, "plain": [*plain, f1(*plain)]}
        if weight(answer).sum() > 0 and weight(gold).sum() > 0:
            rare = [
                float(numpy.average(cosines.max(axis=1), weights=weight(answer))),
                float(numpy.average(cosines.max(axis=0), weights=weight(gold))),
            ]
            case["rare"] = [*rare, f1(*rare)]
        yield case


def perplexities():
    for length in (1, 2, 3, 10, 50):
        values = [-random.random() * random.choice([0.01, 1, 10]) for _ in range(length)]
        mean = -float(numpy.mean(values))
        yield {"log_probabilities": values, "mean": mean, "perplexity": float(numpy.exp(mean))}


HYBRID = [
    ("When was it built?", "1887 to 1889", ["The tower was built from 1887 to 1889.", "It is high."]),
    ("Where is it?", "Peru", ["Machu Picchu lies in Peru."]),
    ("How high is it?", "829.8 m", ["It is 829.8 m high.", "It was built later."]),
    ("When does it open?", "It opens at 9 and the desk opens at 10; it closes at 18.", ["It opens at 9.", "The desk opens at 10 and closes at 18."]),
    ("What is needed?", "A card is needed, but HOWEVER you pay 12 euros. Bring two forms", ["Bring 2 forms.", "Pay 12 euros or 15."]),
    ("Who?", "i don't know", ["Nobody."]),
    ("Who?", "I don’t know who", ["Nobody."]),
    ("Who?", "It was not found; the text is unclear", ["Nobody."]),
    ("Colour?", "blue", ["The sky is blue."]),
    ("Colour?", "green", ["The sky is blue."]),
    ("Colour?", "Green", ["The sky is blue."]),
    ("Wann öffnet es?", "Es öffnet um 8.30 Uhr und schließt um 18 Uhr.", ["Öffnet um 8.30 Uhr", "Schließt um 18 Uhr."]),
    ("Which?", "the band played on sandy land", ["A band. The land is sandy."]),
    ("Which?", "2024", []),
    ("Which?", "", ["Something."]),
    ("Which?", "…", ["Something."]),
    ("Which?", "x_1 is a name; y_2 too is a name", ["x_1 is 1", "y_2 is 2"]),
]


def hybrid():
    """The three metrics from the report's definitions, and the decisions of `src/answers/hybrid.rs`."""

    def cosine(a, b):
        a, b = numpy.array(a), numpy.array(b)
        return float(a @ b / (numpy.linalg.norm(a) * numpy.linalg.norm(b)))

    words = lambda text: set(re.findall(r"\w+", text.lower()))
    digits = lambda text: set(re.findall(r"[0-9]+", text))
    kinds = collections.Counter()
    for (question, answer, passages), number in itertools.product(HYBRID, range(6)):
        pieces = re.split(r"[.;]|\b(?:and|but|however)\b", answer, flags=re.IGNORECASE)
        claims = [piece.strip() for piece in pieces if len(piece.strip()) >= 8]
        context = "\n".join(passages)
        # In every second case all texts are much alike.
        towards = [number % 2, 0, 0]
        vectors = {
            text: [a + b for a, b in zip(coordinates(3), towards)]
            for text in [question, answer, context, *claims, *passages]
        }
        supported = 0
        for claim in claims:
            cosines = [cosine(vectors[claim], vectors[passage]) for passage in passages]
            if cosines:
                assert abs(max(cosines) - 0.78) > 1e-4
                best = passages[int(numpy.argmax(cosines))]
                supported += max(cosines) >= 0.78 and digits(claim) <= digits(best)
                kinds[max(cosines) >= 0.78, digits(claim) <= digits(best)] += 1
        utilisation = 0.0
        if words(answer) and words(context):
            shared = len(words(answer) & words(context)) / len(words(answer))
            shared = 1.0 if answer.strip().lower() in context.lower() else shared
            utilisation = min(1.0, 0.55 * cosine(vectors[answer], vectors[context]) + 0.45 * shared + 0.05)
        patterns = ["i don't know", "cannot find", "no information", "not found", "unclear"]
        lower = answer.lower().replace("’", "'")
        if not words(answer) or any(pattern in lower for pattern in patterns):
            completeness = 0.1
        else:
            factual = bool(digits(answer)) or any(word[0].isupper() for word in re.findall(r"\w+", answer))
            bonus = 1.0 if factual or len(answer.split()) >= 2 else 0.6
            completeness = (0.65 * cosine(vectors[question], vectors[answer]) + 0.35) * bonus
        yield {
            "question": question,
            "answer": answer,
            "passages": passages,
            "vectors": vectors,
            "supported": int(supported),
            "claims": len(claims),
            "utilisation": utilisation,
            "completeness": completeness,
        }
    assert len(kinds) == 4 and min(kinds.values()) >= 5, kinds


def main():
    pairs = [word_metrics(answer, golds) for answer, golds in [*WRITTEN, *templates()]]
    fixture = {
        "versions": {"sacrebleu": sacrebleu.__version__},
        "pairs": pairs,
        "corpora": list(corpora(pairs)),
        "stems": stems(),
        "bert_scores": list(bert_scores()),
        "perplexities": list(perplexities()),
        "hybrid": list(hybrid()),
    }
    target = pathlib.Path(__file__).parent.parent / "fixtures" / "answers.json"
    rows = []
    for name, value in fixture.items():
        if isinstance(value, list):
            inner = ",\n".join(json.dumps(one, ensure_ascii=False) for one in value)
            rows.append(f"{json.dumps(name)}: [\n{inner}\n]")
        else:
            rows.append(f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}")
    target.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")
    print(f"{len(pairs)} pairs, {len(fixture['stems'])} stems, {target.stat().st_size} bytes")


main()
