"""The language of documents, and those that a campaign does not want."""

from dataclasses import replace

import pytest

from benchwright.corpus.language import language_of, refuse_other_languages, unknown_codes
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
