"""Tables that are ruled: where horizontal and vertical rules of a page meet in a grid."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import isfinite

THIN, LONG = 3.0, 8.0  # points: of a rule
NEAR = 3.0  # points: rules meet
COLUMNS, ROWS = 3, 3  # rules that a table has at least, from left to right and from top to bottom
MOST = 1500  # rules of a page: with more of them it is a drawing

Box = tuple[float, float, float, float]  # left, top, right, bottom


def ruled_tables(drawn: Iterable[Box]) -> tuple[Box, ...]:
    """The tables among the drawings of a page, from top to bottom."""
    across: list[Box] = []
    down: list[Box] = []
    for left, top, right, bottom in filter(is_finite, drawn):
        wide, high = right - left, bottom - top
        if high <= THIN and wide >= LONG:
            across.append((left, top, right, bottom))
        elif wide <= THIN and high >= LONG:
            down.append((left, top, right, bottom))
        elif wide >= LONG and high >= LONG:  # the frame of a cell
            across += [(left, top, right, top), (left, bottom, right, bottom)]
            down += [(left, top, left, bottom), (right, top, right, bottom)]
    across, down = _merged(across, 1), _merged(down, 0)
    if len(across) + len(down) > MOST:
        return ()
    found = [_table(*group) for group in _groups(across, down)]
    return tuple(sorted((box for box in found if box), key=lambda box: (box[1], box[0])))


def is_finite(box: Box) -> bool:
    """Whether a box lies anywhere: a damaged file may say infinity."""
    return all(map(isfinite, box))


def _merged(rules: Sequence[Box], axis: int) -> list[Box]:
    """Rules in one line as one; `axis` is 1 for horizontal ones, 0 for vertical ones."""
    along = 1 - axis
    merged: list[list[float]] = []
    for rule in sorted(rules, key=lambda rule: (round(rule[axis] / NEAR), rule[along])):
        last = merged[-1] if merged else None
        if last and abs(last[axis] - rule[axis]) <= NEAR and rule[along] <= last[along + 2] + NEAR:
            last[along + 2] = max(last[along + 2], rule[along + 2])
        else:
            merged.append(list(rule))
    return [(left, top, right, bottom) for left, top, right, bottom in merged]


def _groups(across: Sequence[Box], down: Sequence[Box]) -> list[tuple[list[Box], list[Box]]]:
    """Rules that meet each other, directly or by others."""
    parents = list(range(len(across) + len(down)))

    def root(place: int) -> int:
        while parents[place] != place:
            parents[place] = parents[parents[place]]
            place = parents[place]
        return place

    for number, flat in enumerate(across):
        for other, steep in enumerate(down, len(across)):
            meet = flat[0] - NEAR <= steep[0] <= flat[2] + NEAR and steep[1] - NEAR <= flat[1] <= steep[3] + NEAR
            if meet:
                parents[root(other)] = root(number)
    groups: dict[int, tuple[list[Box], list[Box]]] = defaultdict(lambda: ([], []))
    for number, rule in enumerate((*across, *down)):
        groups[root(number)][number >= len(across)].append(rule)
    return list(groups.values())


def _table(across: Sequence[Box], down: Sequence[Box]) -> Box | None:
    """The box around a group of rules; None where they are no grid."""
    rows = {round(rule[1] / LONG) for rule in across}
    columns = {round(rule[0] / LONG) for rule in down}
    if len(rows) < ROWS or len(columns) < COLUMNS:
        return None
    every = (*across, *down)
    edges = [min(rule[0] for rule in every), min(rule[1] for rule in every)]
    ends = [max(rule[2] for rule in every), max(rule[3] for rule in every)]
    return (edges[0], edges[1], ends[0], ends[1])
