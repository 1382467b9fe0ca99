"""The language of documents, and those that a campaign does not want."""

from dataclasses import replace

import pytest

from benchwright.corpus.language import (
    NAMES,
    known_code,
    language_of,
    other_language,
    refuse_other_languages,
    unknown_codes,
)
from benchwright.corpus.text import read_plain
from benchwright.errors import Unreadable

pytest.importorskip("py3langid", reason="needs the extra lang")

FRENCH = "Les pluies ont commencé en mars, et l’eau est montée jusqu’aux maisons du quartier bas de la ville."
TEXTS = {
    "en": "The rains began in March, and the water rose to the houses in the lower quarter of the town.",
    "fr": FRENCH,
    "es": "Las lluvias comenzaron en marzo y el agua subió hasta las casas del barrio bajo de la ciudad.",
    "de": "Der Regen begann im März, und das Wasser stieg bis zu den Häusern im unteren Viertel der Stadt.",
    "pt": "As chuvas começaram em março e a água subiu até às casas do bairro baixo da cidade.",
    "ru": "Дожди начались в марте, и вода поднялась до домов в нижней части города.",
    "ar": "بدأت الأمطار في شهر مارس وارتفعت المياه حتى وصلت إلى البيوت في الحي المنخفض من المدينة.",
    "zh": "三月开始下雨,水位上涨到城市下游地区的房屋。",
}


@pytest.mark.parametrize("code", TEXTS)
def test_the_language_is_told_by_the_text(code: str) -> None:
    assert language_of(TEXTS[code]) == code


def test_a_text_without_letters_is_in_no_language() -> None:
    assert language_of("12 - 34") == ""


def test_documents_in_other_languages_are_refused_and_what_their_file_says_is_not_asked() -> None:
    document = replace(read_plain(FRENCH.encode(), "a.txt"), language="en")
    refuse_other_languages(document, ())
    refuse_other_languages(document, ("en", "fr"))
    with pytest.raises(
        Unreadable, match=r"a\.txt: is in the language 'fr', \[documents\] languages wants de, en"
    ) as one:
        refuse_other_languages(document, ("en", "de"))
    assert one.value.state == "other language"


def test_codes_that_are_never_told_are_named() -> None:
    assert unknown_codes(("en", "qq", "eng")) == ["eng", "qq"]


@pytest.mark.parametrize("wanted", TEXTS)
@pytest.mark.parametrize("code", TEXTS)
def test_a_text_is_in_another_language_only_where_that_is_sure(code: str, wanted: str) -> None:
    assert other_language(TEXTS[code], wanted) == ("" if code == wanted else code)


@pytest.mark.parametrize(
    "text",
    [
        "Vibrio cholerae O1 El Tor Haiti 2010 attack rate",
        "La Nina drought maize Kenya",
        "12 - 34",
        "Was hilft bei Cholera?",
    ],
)
def test_short_texts_and_strings_of_names_are_never_refused_on_a_guess(text: str) -> None:
    assert other_language(text, "en") == ""


def test_a_language_is_known_by_its_english_name_or_its_code() -> None:
    assert [known_code(name) for name in ("English", " german", "fr", "Klingon", "the language of the passage")] == [
        "en",
        "de",
        "fr",
        "",
        "",
    ]
    assert other_language(FRENCH, "") == ""
    assert not unknown_codes(NAMES.values())
