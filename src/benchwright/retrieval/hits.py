"""The best of many scores. Scores are rounded before they are compared: no machine's last digit decides."""

from typing import Any

from benchwright.domain.extra import library

DIGITS = 6  # of a score: what differs less is equal, and the earlier text comes first
Hits = tuple[tuple[int, float], ...]  # places and scores, the best first


def best(scores: Any, most: int, above: float | None = None) -> Hits:
    """The greatest scores with their places; those that are not `above` a bound are no hits."""
    numpy: Any = library("numpy", "ranking", "ir")
    rounded = numpy.round(scores.astype("float64"), DIGITS)
    most = min(most, len(rounded))
    if most <= 0:
        return ()
    least = numpy.partition(rounded, -most)[-most]
    places = numpy.flatnonzero(rounded >= least)
    order = places[numpy.lexsort((places, -rounded[places]))][:most]
    return tuple((int(n), float(rounded[n])) for n in order if above is None or rounded[n] > above)


def rank_in(scores: Any, place: int) -> int:
    """Where a place comes, from 1 on."""
    numpy: Any = library("numpy", "ranking", "ir")
    rounded = numpy.round(scores.astype("float64"), DIGITS)
    return int((rounded > rounded[place]).sum() + (rounded[:place] == rounded[place]).sum()) + 1
