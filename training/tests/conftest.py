import pytest

from training.settings import DATA, trunk_folder
from training.tokens import WordPieces


@pytest.fixture(scope="session")
def folder():
    return trunk_folder()


@pytest.fixture(scope="session")
def pieces(folder):
    return WordPieces(folder)


@pytest.fixture(scope="session")
def data():
    if not DATA.exists():
        pytest.skip("skipped: no ../shared/data")
    return DATA
