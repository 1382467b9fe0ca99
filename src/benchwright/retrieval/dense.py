"""Texts by their vectors: a matrix in a file that is mapped into memory, searched exactly, and by HNSW (usearch).

A row is where its text is: the file is written row by row under a name that is made of all texts, and moved into its
place when it is whole. So a batch that failed never shifts a row.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchwright.domain.extra import library
from benchwright.retrieval.hits import Hits, best, rank_in

CONNECTIVITY, ADDING, SEARCHING = 16, 128, 64  # of HNSW, as in DisastIR (arXiv 2505.15856), section 5.2
ROWS = 65_536  # that are multiplied at once
USE = "searching vectors"


class Writing:
    """A matrix in the making: rows are appended, and `close` puts it into its place."""

    def __init__(self, path: Path, rows: int) -> None:
        self._path = path
        self._part = path.with_suffix(f".part{os.getpid()}")
        self._rows = rows
        self._matrix: Any = None
        self._next = 0

    def append(self, vectors: Sequence[Sequence[float]]) -> None:
        """The next rows; the first ones tell how many numbers all have."""
        if self._matrix is None:
            numpy: Any = library("numpy", USE, "ir")
            self._path.parent.mkdir(parents=True, exist_ok=True)
            shape = (self._rows, len(vectors[0]))
            self._matrix = numpy.lib.format.open_memmap(self._part, mode="w+", dtype="float32", shape=shape)
        self._matrix[self._next : self._next + len(vectors)] = vectors
        self._next += len(vectors)

    def close(self) -> None:
        """All rows are there; raises `ValueError` where they are not."""
        if self._next != self._rows:
            message = f"{self._path}: {self._next} of {self._rows} rows were written"
            raise ValueError(message)
        self._matrix.flush()
        del self._matrix
        self._part.replace(self._path)


class Matrix:
    """Vectors of length 1, mapped from a file."""

    def __init__(self, path: Path) -> None:
        numpy: Any = library("numpy", USE, "ir")
        self._numpy = numpy
        self.rows: Any = numpy.load(path, mmap_mode="r")

    def scores(self, vector: Sequence[float]) -> Any:
        """The cosine of every row."""
        asked = self._numpy.asarray(vector, dtype="float32")
        starts = range(0, len(self.rows), ROWS)
        return self._numpy.concatenate([self.rows[start : start + ROWS] @ asked for start in starts])

    def search(self, vector: Sequence[float], most: int) -> Hits:
        """The nearest rows, the nearest first."""
        return best(self.scores(vector), most)

    def rank(self, vector: Sequence[float], place: int) -> int:
        """Where a row comes among all, from 1 on."""
        return rank_in(self.scores(vector), place)


class Hnsw:
    """The same rows behind an index of neighbours, which looks at few of them and may miss some."""

    def __init__(self, matrix: Matrix, path: Path) -> None:
        """Load the index that lies at `path`, or make it there: with one thread, so that it is always the same."""
        usearch: Any = library("usearch.index", USE, "ir")
        if path.exists():
            self._index = usearch.Index.restore(str(path), view=True)
            return
        self._index = usearch.Index(
            ndim=matrix.rows.shape[1],
            metric="ip",
            dtype="f32",
            connectivity=CONNECTIVITY,
            expansion_add=ADDING,
            expansion_search=SEARCHING,
        )
        for place in range(len(matrix.rows)):
            self._index.add(place, matrix.rows[place], threads=1)
        part = path.with_suffix(f".part{os.getpid()}")
        self._index.save(str(part))
        part.replace(path)

    def search(self, vector: Sequence[float], most: int) -> Hits:
        """The nearest rows that the index finds, the nearest first."""
        numpy: Any = library("numpy", USE, "ir")
        found = self._index.search(numpy.asarray(vector, dtype="float32"), most, threads=1)
        near = zip(found.keys.tolist(), found.distances.tolist(), strict=True)
        scored = sorted((-round(1 - distance, 6), int(place)) for place, distance in near)
        return tuple((place, -score) for score, place in scored)
