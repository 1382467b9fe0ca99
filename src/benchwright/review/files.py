"""The human queue as a file of any form: which form a file has, how it is written whole, and what it holds."""

import errno
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchwright.errors import DiskFull, UsageError
from benchwright.review import argilla, label_studio, opendocument, sheet, tools, workbook
from benchwright.review.sheet import Entry, Row

Made = Mapping[str, bytes]  # files by what their names end in; "" is the file itself


@dataclass(frozen=True, slots=True)
class Form:
    """A form of file: what its name ends in, and what it makes of cards and the rules to decide by."""

    suffix: str
    make: Callable[[Sequence[Entry], str], Made]


RULES = ".rules.md"  # ends the name of the file with the rules to decide by, where a form has no room for them


def with_rules_file(make: Callable[[Sequence[Entry]], Made]) -> Callable[[Sequence[Entry], str], Made]:
    """What a form without room for the rules makes: the same, and the rules in a file of their own."""
    return lambda entries, rules: {**make(entries), **({RULES: f"{rules}\n".encode()} if rules else {})}


def csv(entries: Sequence[Entry]) -> Made:
    """A table as text."""
    return {"": sheet.as_csv((entry.cells for entry in entries), sheet.columns(entries)).encode()}


def xlsx(entries: Sequence[Entry], rules: str) -> Made:
    """A workbook that offers the values of each input, with a sheet of the rules."""
    picks = {name: [value.value for value in one.choices] for name, one in sheet.inputs_of(entries).items()}
    rows = sheet.table((entry.cells for entry in entries), sheet.columns(entries))
    return {"": workbook.make(rows, picks, rules.split("\n\n"), hidden=sheet.KEY)}


FORMS = {
    "jsonl": Form(
        ".jsonl", with_rules_file(lambda entries: {"": sheet.as_jsonl(entry.cells for entry in entries).encode()})
    ),
    "csv": Form(".csv", with_rules_file(csv)),
    "xlsx": Form(".xlsx", xlsx),
    "label-studio": Form(".json", with_rules_file(label_studio.make)),
    "argilla": Form(".json", argilla.make),
}


def read_sheets(read: Callable[[bytes], Mapping[str, list[workbook.Numbered]]]) -> Callable[[bytes], Iterator[Row]]:
    """What reads the rows of cards out of a file that has sheets."""
    return lambda data: map(label_studio.own_row, sheet.from_sheets(read(data), workbook.SHEET, workbook.text))


def read_table(data: bytes) -> Iterator[Row]:
    """The rows of a table as text."""
    return map(label_studio.own_row, sheet.from_csv(text_of(data)))


READERS: Mapping[str, Callable[[bytes], Iterator[Row]]] = {
    ".jsonl": lambda data: sheet.from_jsonl(text_of(data)),
    ".csv": read_table,
    ".xlsx": read_sheets(workbook.read),
    ".json": lambda data: tools.read(text_of(data)),
    ".tsv": read_table,
    ".txt": read_table,  # "Unicode Text" of Excel
    ".xlsm": read_sheets(workbook.read),
    ".ods": read_sheets(opendocument.read),
}


def write(target: Path, entries: Sequence[Entry], form: str = "", rules: str = "") -> list[Path]:
    """Write the cards, as `form` or as the name says, and the rules to decide by; returns the files.

    Raises `UsageError` where the name fits no form, a file holds someone's work or cannot be written; `DiskFull`.
    """
    chosen = FORMS[form] if form else form_of(target)
    if target.suffix.lower() != chosen.suffix:
        message = f"{target}: a file of the form {form} ends in {chosen.suffix}: name it so"
        raise UsageError(message)
    made = chosen.make(entries, rules)
    if target.exists():
        refuse_touched(target, sheet.inputs_of(entries))
    else:
        refuse_strange([beside(target, ending) for ending in made], made.values())
    return save(target, made)


def form_of(target: Path) -> Form:
    """The form that a file's name tells; `UsageError` where it tells none, or more than one."""
    found = [name for name, form in FORMS.items() if form.suffix == target.suffix.lower()]
    if len(found) != 1:
        known = ", ".join(dict.fromkeys(form.suffix for form in FORMS.values()))
        message = f"{target}: its name says no form: end it in one of {known}"
        if found:
            message = f"{target}: say which form it is to have: --format {' or --format '.join(found)}"
        raise UsageError(message)
    return FORMS[found[0]]


def save(target: Path, made: Made) -> list[Path]:
    """Write files, each under its name only once it is complete."""
    try:
        with TemporaryDirectory(dir=target.parent, prefix=".review-") as room:
            for ending, data in made.items():
                Path(room, f"file{ending}").write_bytes(data)
            for ending in made:
                Path(room, f"file{ending}").replace(beside(target, ending))
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise DiskFull from error
        message = f"{target}: it cannot be written ({error.strerror}): name another file"
        raise UsageError(message) from error
    return [beside(target, ending) for ending in made]


def beside(target: Path, ending: str) -> Path:
    """The file of that ending beside another; "" is that one."""
    return target.with_name(target.stem + ending) if ending else target


def refuse_strange(targets: Iterable[Path], contents: Iterable[bytes]) -> None:
    """Raise `UsageError` where a file that goes with another is there already, and is not as it would be written."""
    for path, data in zip(targets, contents, strict=True):
        if path.exists() and (not path.is_file() or path.read_bytes() != data):
            message = f"{path} is there already and says something else: move it away, or give the cards another name"
            raise UsageError(message)


def refuse_other(target: Path, columns: Collection[str]) -> None:
    """Raise `UsageError` for a file that has not these columns, and so is not one that may be written anew."""
    if not target.exists() or (target.is_file() and not target.stat().st_size):
        return
    try:
        own = all(not row.fault and row.given.keys() >= set(columns) for row in read(target))
    except UsageError:
        own = False
    if not own:
        message = f"{target} is another file than this would write: name a new one, or move it away"
        raise UsageError(message)


def refuse_touched(target: Path, inputs: Iterable[str]) -> None:
    """Raise `UsageError` for a file that is not an untouched export; `inputs` are columns that are filled in."""
    names = tuple(inputs)
    if target.is_file() and not target.stat().st_size:
        return
    touched = [row for row in read(target) if row.has_entry(names)]
    if touched:
        message = (
            f"{target} holds decisions, reasons or names, or lines of another kind (first on line {touched[0].line}): "
            "import it first, then name another file or remove this one"
        )
        raise UsageError(message)


def read(source: Path) -> list[Row]:
    """The rows of a file, unusable ones with their fault; raises `UsageError` where the file itself is unusable."""
    reader = READERS.get(source.suffix.lower())
    if reader is None:
        message = f"{source}: no form ends in {source.suffix!r}: save it as one of {', '.join(READERS)}"
        raise UsageError(message)
    try:
        return list(reader(source.read_bytes()))
    except OSError as error:
        message = f"{source}: it cannot be read ({error.strerror}): name the file that 'review export' wrote"
        raise UsageError(message) from error
    except UsageError as error:
        message = f"{source}: {error}"
        raise UsageError(message) from error


def text_of(data: bytes) -> str:
    """A file's text: UTF-8, or UTF-16 with its mark."""
    try:
        return data.decode("utf-16" if data[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8-sig")
    except UnicodeDecodeError as error:
        message = f"it is neither UTF-8 nor UTF-16 (byte {error.start}): save it as 'CSV UTF-8' or as .jsonl in UTF-8"
        raise UsageError(message) from error
