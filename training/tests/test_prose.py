"""What the language model learns to word, and the network that learns it."""

import pytest
import torch

from training.data.worded import FOUND_WORDS, WORDS, Asked, Passage, cut, one_asked, prompt, prompts
from training.decoder import adapt_decoder, changes_of, gguf_rows, load_decoder, published_rows
from training.prose import decoder_file

FEES = Passage("Fees", "Library", "A lost card costs 15 euros. Cards are made at the desk.")
ROOMS = Passage("Rooms", "", "Rooms are booked online.")
ROW = {
    "site": "made up", "question": "What is a new card?", "document": "fees.md", "evidence": ["A lost card costs 15 euros."], "words": "15 euros",
    "passages": [
        {"document": "rooms.md", "title": "Rooms", "section": [], "text": "Rooms are booked online."},
        {"document": "fees.md", "title": "Fees", "section": ["Fees", "Library"], "text": "Cards are made at the desk. A lost card costs 15 euros."},
    ],
}


def test_a_prompt_is_filled_as_the_page_fills_it():
    made = prompt([FEES, ROOMS], "15 euros", "What is a new card?", "A lost card costs 15 euros.")
    assert made.user == (
        "Fees, Library: A lost card costs 15 euros. Cards are made at the desk.\n\nRooms: Rooms are booked online.\n\n"
        "Words that may answer it: 15 euros\n\nQuestion: What is a new card?"
    )
    assert "Words" not in prompt([FEES], "", "What is a new card?", "").user


def test_the_passage_that_answers_is_taken_from_what_was_found():
    (made,) = one_asked(ROW, "It costs 15 euros.")
    assert (made.passage.title, made.passage.section, made.sentence) == ("Fees", "Library", "A lost card costs 15 euros")
    assert not list(one_asked(ROW | {"evidence": ["Nothing like it."]}, "It costs 15 euros."))


def test_a_reader_finds_words_or_their_sentence():
    asked = Asked("made up", "What is a new card?", "It costs 15 euros.", "15 euros", "A lost card costs 15 euros.", FEES)
    found = {made.user.partition("answer it: ")[2].partition("\n")[0] for made in prompts([asked] * 40, "a")}
    assert found == {"15 euros", "A lost card costs 15 euros."}
    (long,) = prompts([Asked("made up", "What?", "", "", "so " * 60, FEES)], "a")
    assert long.user.split().count("so") == FOUND_WORDS


@pytest.mark.parametrize("before", [0, 3, 60])
def test_a_cut_passage_keeps_what_answers(before):
    text = "This sentence says nothing at all. " * before + "It costs 15 euros. " + "And so on. " * 80
    start = text.index("It costs")
    kept = cut(text, start, start + len("It costs 15 euros."))
    assert "It costs 15 euros." in kept and len(kept.split()) <= WORDS


def test_rows_of_heads_go_to_the_published_order_and_back():
    rows = torch.arange(3 * 8.0)[:, None]
    assert published_rows(rows, 3)[:4, 0].tolist() == [0, 2, 4, 6]
    assert torch.equal(gguf_rows(published_rows(rows, 3), 3), rows)


@torch.no_grad()
def test_the_decoder_answers_as_the_page_does():
    """The known answer of crates/model/tests/decoder_parity.rs, and the same with changes that are nothing yet."""
    try:
        decoder = load_decoder(decoder_file())
    except SystemExit as missing:
        pytest.skip(f"skipped: {missing}")
    for is_adapted in (False, True):
        if is_adapted:
            adapt_decoder(decoder, rank=2, scale=2.0)
        ids = [504, 3575, 282, 4649, 314]
        while len(ids) < 9:
            ids.append(int(decoder.logits(decoder(torch.tensor([ids]))[0, -1:]).argmax()))
        assert ids[5:] == [7042, 30, 198, 198], is_adapted
    assert len(list(changes_of(decoder))) == 7 * 30
