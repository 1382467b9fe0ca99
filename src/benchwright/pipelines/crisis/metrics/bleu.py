"""BLEU and chrF over all answers together, by SacreBLEU, the reference implementation (Post 2018, Popovic 2015)."""

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

from benchwright.pipelines.crisis.metrics.texts import Case, Score

BLEU, CHRF = "BLEU", "chrF"
INSTALL = "install the extra textmetrics: pip install 'benchwright[textmetrics]'"


def is_installed() -> bool:
    """Whether the library is there."""
    return find_spec("sacrebleu") is not None


def bleu(cases: Sequence[Case], *, lowercase: bool = True) -> Score:
    """Corpus BLEU from 0 to 100, of tokens 13a, smoothed exponentially; without case as the paper has it."""
    return measured(BLEU, cases, lowercase=lowercase)


def chrf(cases: Sequence[Case]) -> Score:
    """Corpus chrF2 from 0 to 100: F2 of n-grams of characters."""
    return measured(CHRF, cases)


def measured(name: str, cases: Sequence[Case], **options: Any) -> Score:
    """One of the two, or why it was not taken."""
    if not cases:
        return Score(name, None, 0, reason="there is no answer to measure")
    if not is_installed():
        return Score(name, None, len(cases), reason=INSTALL)
    from sacrebleu.metrics import bleu as of_words
    from sacrebleu.metrics import chrf as of_letters

    most = max(len(case.gold) for case in cases)
    streams = [[case.gold[n] if n < len(case.gold) else None for case in cases] for n in range(most)]
    metric: Any = of_words.BLEU(**options) if name == BLEU else of_letters.CHRF(**options)
    found = metric.corpus_score([case.text for case in cases], streams)
    return Score(name, float(found.score), len(cases), str(metric.get_signature()))
