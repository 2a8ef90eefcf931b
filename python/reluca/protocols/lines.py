"""Lines from another program, whatever it sends: also bytes that are no text, and lines without an end."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
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
