"""Lines in and out, whatever the other side sends: bytes that are no text, endless lines, a pipe that breaks."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from typing import BinaryIO

LONGEST = 65_536
"""No command is longer; what a longer line says is not kept."""
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


def read_lines(stream: BinaryIO) -> Iterator[str | None]:
    """The lines of a stream without their ends and control characters; None stands for one that is too long.

    >>> import io
    >>> list(read_lines(io.BytesIO(b"name\\r\\n" + b"x" * 70000 + b"\\nquit")))
    ['name', None, 'quit']
    """
    while line := stream.readline(LONGEST):
        if len(line) < LONGEST or line.endswith(b"\n"):
            yield _CONTROL.sub("", line.decode("utf-8", errors="replace")).replace("\t", " ").strip()
            continue
        while (rest := stream.readline(LONGEST)) and not rest.endswith(b"\n"):
            pass
        yield None


def standard_input() -> BinaryIO:
    """Standard input, apart from the interpreter's own object: a thread may still wait for it when the program ends."""
    return open(sys.stdin.fileno(), "rb", closefd=False)


def run_on_pipe(serve: Callable[[], None]) -> None:
    """Serves until the end; a reader that goes away ends it too, without complaint."""
    try:
        serve()
        sys.stdout.flush()
    except BrokenPipeError:
        # What is still in the buffer would fail again when the interpreter ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
