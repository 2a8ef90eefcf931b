"""Our own protocols, spoken to over pipes as another program would, and waiting for what happens elsewhere."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from types import TracebackType

from reluca.match.external import Process

PATIENCE = 60.0
"""Seconds that a slow machine may take for what is done at once elsewhere."""


OPTIONS: tuple[str, ...] = ()
"""Given to every program."""


def program(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "reluca", *arguments, "--table-mb", "1", *OPTIONS]


def converse(data: bytes, *arguments: str) -> str:
    """Sends everything at once, closes the input, and returns what was printed; the program must end well."""
    result = subprocess.run(program(*arguments), input=data, capture_output=True, timeout=PATIENCE)
    assert (result.returncode, result.stderr) == (0, b"")
    return result.stdout.decode("utf-8")


def happens(condition: Callable[[], bool], seconds: float) -> bool:
    """Whether it comes true within some seconds."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.001)
    return True


class Pipe:
    """A running program that is spoken to line by line."""

    def __init__(self, *arguments: str) -> None:
        self.process = Process(program(*arguments))

    def __enter__(self) -> Pipe:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.close()

    def send(self, *lines: str) -> None:
        for line in lines:
            self.process.send(line)

    def until(self, start: str) -> list[str]:
        """The lines up to the first that begins so."""
        deadline = time.monotonic() + PATIENCE
        lines = [self.process.receive(deadline)]
        while not lines[-1].startswith(start):
            lines.append(self.process.receive(deadline))
        return lines

    def ends(self) -> int:
        """The exit code of a program that ends by itself."""
        return self.process._process.wait(PATIENCE)

    def close_input(self) -> None:
        assert self.process._process.stdin is not None
        self.process._process.stdin.close()
