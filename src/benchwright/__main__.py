"""The command as it starts: `benchwright`, or `python -m benchwright`."""

import signal


def main() -> None:
    """Run it; a Ctrl-C while its modules are still being read ends the process by the signal, without a traceback."""
    ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # not where a shell has it ignored
    if ours:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from benchwright import cli

    if ours:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    cli.main()


if __name__ == "__main__":
    main()
