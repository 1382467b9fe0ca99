"""Exit codes: what the command line tells the shell."""

from enum import IntEnum

EPILOGUE = """\
Exit codes
  0  done
  1  failed: the message says why; nothing that was answered is lost
  2  usage: something you must change
  3  paused: the same command continues
  4  partial: fewer items than asked for; of an import, some rows were not taken
  5  waiting: the models have nothing more to do, people are next
130  Ctrl-C before a run had any call in work: the same command begins again"""


class Code(IntEnum):
    """How a command ended."""

    DONE = 0
    FAILED = 1  # Fatal, StoreFailed, or something unexpected
    USAGE = 2  # UsageError, Owned, a bad command line, a failed check of `doctor`
    PAUSED = 3
    PARTIAL = 4
    WAITING = 5
    INTERRUPTED = 130  # Ctrl-C before there was anything to hand back, such as while a graph is loaded
