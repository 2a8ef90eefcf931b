"""`reluca play`: a game against the engine, or between any two sides, in the terminal."""

from __future__ import annotations

import random
import time
from contextlib import nullcontext
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from reluca.cli.common import (
    LevelOption,
    PonderOption,
    TableMb,
    Threads,
    TimeOption,
    WeightsOption,
    parse_clock,
    print_board,
)
from reluca.cli.views import iteration_view
from reluca.effort import Effort
from reluca.engine import Engine
from reluca.errors import InvalidArgumentError, RelucaError
from reluca.reading import MOST_MOVES, parse_board, parse_count, parse_move
from reluca.session import Session, check_save
from reluca.types import BLACK, PASS, WHITE, Color, Move

DEFAULT_LEVEL = 8
HELP = """\
f5          play a move
pass        pass, if there is no other move (Enter does too)
hint [n]    the best move, or the best n
undo        take back your last move
resign      give up
board       draw the board again
save FILE   add the game to a file now (.ggf or .txt)
quit        leave; the game is saved if --save was given"""


class Side(str, Enum):
    """What the person plays."""

    BLACK = "black"
    WHITE = "white"
    RANDOM = "random"
    BOTH = "both"
    NONE = "none"

    def colors(self) -> set[Color]:
        """The colours of the person."""
        if self is Side.RANDOM:
            return {random.choice(list(Color))}
        return {Side.BLACK: {BLACK}, Side.WHITE: {WHITE}, Side.BOTH: {BLACK, WHITE}, Side.NONE: set()}[self]


def command(
    side: Annotated[Side, typer.Option(help="What you play; none lets the engine play itself.")] = Side.BLACK,
    level: LevelOption = None,
    seconds: TimeOption = None,
    clock: Annotated[
        str | None, typer.Option(help="A clock for both sides, in seconds: 300, 300+2 (increment), 300/5 (byoyomi).")
    ] = None,
    position: Annotated[str | None, typer.Option(help="Begin here: a transcript, a board or an OBF line.")] = None,
    save: Annotated[Path | None, typer.Option(help="Add the game to this file (.ggf or .txt) when it ends.")] = None,
    table_mb: TableMb = 128,
    threads: Threads = None,
    weights: WeightsOption = None,
    ponder: PonderOption = False,
) -> None:
    """Play against the engine in the terminal.

    The engine plays at a level (8 if nothing else is said), with --time so many seconds per move, or by its clock. Type
    help during the game for what you can do.

    Example: reluca play --side white --level 6 --save game.ggf
    """
    if level is not None and seconds is not None:
        raise InvalidArgumentError("a level or seconds per move: say one of them")
    rules = parse_clock(clock)
    if level is None and seconds is None and rules is None:
        level = DEFAULT_LEVEL
    session = Session(None if position is None else parse_board(position), rules)
    if save is not None:
        check_save(save, session.board)
    engine = Engine(table_mb=table_mb, weights=weights, threads=threads)
    table = _Table(session, engine, Effort(level=level, time=seconds), side.colors(), save, ponder=ponder)
    table.play()


class _Table:
    """Where a game is played: the person, the engine and the board between them."""

    def __init__(
        self,
        session: Session,
        engine: Engine,
        effort: Effort,
        people: set[Color],
        save: Path | None,
        *,
        ponder: bool,
    ) -> None:
        self._session = session
        self._engine = engine
        self._effort = effort
        self._people = people
        self._save = save
        # With people on both sides there is nobody to think ahead for.
        self._ponder = ponder and len(people) == 1
        self._console = Console(highlight=False)

    def play(self) -> None:
        """Plays until the game is over or the person leaves; saves it either way."""
        console, session = self._console, self._session
        print_board(session.board, console)
        try:
            while session.ending is None:
                self._person() if session.board.turn in self._people else self._computer()
        except (EOFError, KeyboardInterrupt):
            console.print("\nthe game is left unfinished" if session.ending is None else "")
        finally:
            if session.ending is not None:
                console.print(str(session.ending))
            console.print(session.board.transcript() or "no move was played", soft_wrap=True)
            if self._save is not None and session.board.move_stack:
                self._write(self._save)

    def _names(self) -> list[str]:
        return ["human" if color in self._people else f"Reluca ({self._effort})" for color in Color]

    def _write(self, path: Path) -> None:
        self._session.save(path, *self._names())
        self._console.print(f"saved to {path}", soft_wrap=True)

    def _computer(self) -> None:
        session, board = self._session, self._session.board
        color = board.turn
        start = time.perf_counter()
        if board.must_pass:
            self._push(PASS, 0.0)
            return
        with self._console.status(f"{color} thinks", spinner="dots"):
            result = self._engine.search(board, self._effort.limit(board, session.clock(color)))
        assert result.best_move is not None
        how = "exact" if result.exact else f"depth {result.depth}"
        self._push(result.best_move, time.perf_counter() - start, f", {result.score} for {color}, {how}")

    def _push(self, move: Move, seconds: float, comment: str = "") -> None:
        color = self._session.board.turn
        self._session.play(move, seconds)
        if (ending := self._session.ending) is not None and ending.how == "time":
            return
        self._console.print(f"{color} {'passes' if move is PASS else f'plays {move}'}{comment}")
        print_board(self._session.board, self._console)

    def _person(self) -> None:
        """Asks until the person has played, or done something else that changes the game."""
        board = self._session.board
        if board.must_pass:
            self._console.print(f"{board.turn} has no move: pass")
        start = time.perf_counter()
        while True:
            with self._engine.ponder(board) if self._ponder else nullcontext():
                words = self._console.input(self._prompt(time.perf_counter() - start)).split()
            try:
                if self._obey(words, time.perf_counter() - start):
                    return
            except (RelucaError, OSError) as error:
                self._console.print(f"{error}", style="red", markup=False)

    def _prompt(self, spent: float) -> str:
        """Whose move it is, and what is left of the main time or of the byoyomi after some seconds of thought."""
        color = self._session.board.turn
        clock = self._session.clock(color)
        if clock is None:
            return f"{color}> "
        left = int(max(clock.main - spent if clock.main > spent else clock.longest - spent, 0))
        return f"{color} {left // 60}:{left % 60:02d}> "

    def _obey(self, words: list[str], seconds: float) -> bool:
        """Does what was typed; says whether the game has changed."""
        board = self._session.board
        match [word.lower() for word in words]:
            case [] if board.must_pass:
                self._push(PASS, seconds)
                return True
            case []:
                return False
            case ["help" | "?"]:
                self._console.print(HELP, markup=False)
            case ["board" | "show"]:
                print_board(board, self._console)
            case ["hint"]:
                self._hint(1)
            case ["hint", count]:
                self._hint(parse_count(count, MOST_MOVES))
            case ["save", _]:
                check_save(words[1], board)
                self._write(Path(words[1]))
            case ["undo"]:
                return self._undo()
            case ["resign"]:
                self._session.resign()
                return True
            case ["quit" | "exit"]:
                raise EOFError
            case [_]:
                self._push(parse_move(words[0]), seconds)
                return True
            case _:
                raise InvalidArgumentError("type a move like f5, or help")
        return False

    def _hint(self, count: int) -> None:
        board = self._session.board
        effort = self._effort if not self._effort.is_unlimited else Effort(time=1.0)
        with self._console.status("looking", spinner="dots"):
            result = self._engine.search(board, effort.limit(board), multipv=count)
        self._console.print(iteration_view(result))

    def _undo(self) -> bool:
        count = self._session.undo(self._people)
        if not count:
            raise InvalidArgumentError("there is no move of yours to take back")
        self._console.print(f"{count} move{'s' if count > 1 else ''} taken back")
        print_board(self._session.board, self._console)
        return True
