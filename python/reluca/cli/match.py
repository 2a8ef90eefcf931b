"""`reluca match`: which of two engines is stronger."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated, Any

import typer

from reluca import match
from reluca._engine import Board
from reluca.cli.common import Json, parse_clock, print_json, progress_bar, warn
from reluca.cli.settings import number_of, options_of
from reluca.errors import InvalidArgumentError
from reluca.limits import Limit
from reluca.match import EnginePlayer, GameRecord, MatchResult, Player, Rules, Usage
from reluca.options import SearchOptions


def command(
    first: Annotated[str, typer.Argument(help="An engine; see above.")],
    second: Annotated[str, typer.Argument(help="Its opponent.")],
    games: Annotated[int, typer.Option(min=1, help="How many games; every opening is played with both colours.")] = 200,
    time: Annotated[float | None, typer.Option(min=0.001, help="Seconds per move.")] = None,
    clock: Annotated[
        str | None, typer.Option(help="Seconds for the game, with increment: 60+1; or with byoyomi: 60/5.")
    ] = None,
    depth: Annotated[int | None, typer.Option(min=1, help="Depth of every search.")] = None,
    nodes: Annotated[int | None, typer.Option(min=1, help="Nodes of every search.")] = None,
    openings: Annotated[
        str, typer.Option(help="balanced:PLIES, random:PLIES, or a file with an opening a line.")
    ] = "balanced:8",
    seed: Annotated[int, typer.Option(min=0, help="For the openings.")] = 1,
    concurrency: Annotated[int, typer.Option(min=1, help="Games at the same time.")] = 1,
    adjudicate: Annotated[
        int, typer.Option(min=0, max=24, help="Empty squares at which a game is decided by its exact score.")
    ] = 0,
    margin: Annotated[float, typer.Option(min=0, help="Seconds by which a time may be overstepped.")] = 0.5,
    patience: Annotated[
        float | None,
        typer.Option(
            min=0,
            help="Seconds beyond its time after which another program counts as hung: 60; without a time 3600.",
        ),
    ] = None,
    sprt: Annotated[
        tuple[float, float] | None, typer.Option(help="Stop when it is clear which of two differences in Elo holds.")
    ] = None,
    log: Annotated[Path | None, typer.Option(help="Write all games here, and go on from here.")] = None,
    as_json: Json = False,
) -> None:
    """Play a match and say how much stronger one engine is, with error bars.

    An engine is Reluca with options, as in `reluca`, `reluca:use_multi_prob_cut=false`, `reluca:margin=1.5`,
    `reluca:weights=new.weights`, `reluca:depth=6,weights=hand-made`, `reluca:threads=2` (1 if not said); or another
    program, as in `gtp:COMMAND` or `nboard:COMMAND` (with a depth: `nboard/12:COMMAND`).

    Example: reluca match reluca reluca:weights=hand-made --time 0.1 --games 200
    """
    limit = Limit(time=time, depth=depth, nodes=nodes)
    rules = Rules(clock=parse_clock(clock), move_time=time, margin=margin, adjudicate=adjudicate)
    if rules.clock is not None and limit != Limit():
        raise InvalidArgumentError("a clock takes the place of --time, --depth and --nodes")
    players = player_of(first, limit, patience), player_of(second, limit, patience)
    if rules.clock is None and any(isinstance(p, EnginePlayer) and p.limit == Limit() for p in players):
        raise InvalidArgumentError("a match needs a limit: --time, --clock, --depth or --nodes")
    result = MatchResult(players[0].name, players[1].name, [])
    interrupted = False
    with progress_bar() as bar:
        task = bar.add_task("openings", total=games)
        boards = _openings(openings, (games + 1) // 2, seed)
        if 2 * len(boards) < games:
            warn(f"too few openings for {games} games ({len(boards)}): they begin anew, and games may repeat")

        def show(record: GameRecord, so_far: MatchResult) -> None:
            nonlocal result
            result = so_far
            text = f"+{so_far.wins} ={so_far.draws} -{so_far.losses}  {so_far.elo or ''}"
            bar.update(task, completed=so_far.games, description=text)

        try:
            result = match.play(
                *players,
                boards,
                games=games,
                rules=rules,
                concurrency=concurrency,
                log=log,
                sprt=sprt,
                on_game=show,
            )
        except KeyboardInterrupt:
            interrupted = True
        finally:
            for player in players:
                player.close()
    if result.games > games:
        warn(f"{log} has more games than the {games} asked for: all {result.games} count")
    if as_json:
        print_json({**result.to_dict(), **({} if sprt is None else {"sprt": _tested(result, sprt)})})
    else:
        _print(result, sprt)
    if interrupted:
        raise KeyboardInterrupt


def _tested(result: MatchResult, test: tuple[float, float]) -> dict[str, Any]:
    tested = result.sprt(*test)
    return {"elo0": test[0], "elo1": test[1], **dataclasses.asdict(tested), "verdict": tested.verdict}


def _openings(text: str, count: int, seed: int) -> list[Board]:
    kind, _, plies = text.partition(":")
    makers = {"balanced": match.balanced_openings, "random": match.random_openings}
    if kind in makers and plies.isdigit():
        return makers[kind](count, int(plies), seed)
    if kind in makers:
        raise InvalidArgumentError(f"{text!r} are no openings: say how many plies, as in {kind}:8")
    return match.read_openings(text)


def player_of(text: str, limit: Limit, patience: float | None = None) -> Player:
    """The player that a text like `reluca:depth=6` or `gtp:COMMAND` means."""
    kind, _, rest = text.partition(":")
    if kind == "gtp" and rest:
        return match.GtpPlayer(text, rest, patience=patience)
    if (kind == "nboard" or kind.startswith("nboard/")) and rest:
        depth = kind.removeprefix("nboard").removeprefix("/")
        if depth and not depth.isdigit():
            raise InvalidArgumentError(f"{text!r}: the depth of an NBoard engine is a number, not {depth!r}")
        return match.NBoardPlayer(text, rest, patience=patience, depth=int(depth) if depth else limit.depth)
    if kind == "reluca":
        return _engine_player(text, rest, limit)
    raise InvalidArgumentError(f"{text!r} is not an engine: say reluca, reluca:OPTION=VALUE,…, gtp:… or nboard:…")


def _engine_player(text: str, settings: str, limit: Limit) -> Player:
    options: list[str] = []
    limits: dict[str, Any] = {}
    weights: str | None = None
    sizes = {"table_mb": 64, "threads": 1}
    for setting in filter(None, settings.split(",")):
        name, _, value = setting.partition("=")
        if name == "weights":
            weights = value
        elif name in sizes:
            sizes[name] = number_of(text, name, value)
        elif name in ("depth", "nodes"):
            limits[name] = number_of(text, name, value)
        else:
            options.append(setting)
    return match.EnginePlayer(
        text,
        options_of(text, options, SearchOptions.strongest()),
        limit=dataclasses.replace(limit, **limits),
        weights=weights,
        **sizes,
    )


def _print(result: MatchResult, test: tuple[float, float] | None) -> None:
    print(f"{result.first} against {result.second}")
    print(f"+{result.wins} ={result.draws} -{result.losses} of {result.games}: {result.score:.1%}", end="")
    print(f"; pairs {'/'.join(map(str, result.pentanomial))}")
    discs, error = result.discs
    mean, spread = "-" if discs is None else f"{discs:+.2f}", "-" if error is None else f"{error:.2f}"
    print(f"{result.elo or 'no complete pair yet'}; {mean} ± {spread} discs per game")
    if test is not None:
        tested = result.sprt(*test)
        verdict = {None: "no verdict yet", "H0": f"not above {test[0]:g}", "H1": f"at least {test[1]:g}"}
        print(f"SPRT: LLR {tested.llr:.2f} in [{tested.lower:.2f}, {tested.upper:.2f}]: {verdict[tested.verdict]}")
    for name, usage in ((result.first, result.usage(first=True)), (result.second, result.usage(first=False))):
        print(f"  {name}: {_used(usage)}")
    for failure, count in result.failures.items():
        print(f"  failed {count} times: {failure}")
    if failed := next((record for record in result.records if record.failed), None):
        print(f"  the first of these, game {failed.number + 1}: {failed.detail}")


def _used(usage: Usage) -> str:
    mean = usage.seconds / max(usage.moves, 1)
    text = f"{mean:.3f} s per move, longest {usage.longest:.3f} s"
    if usage.depth is not None:
        text += f", depth {usage.depth:.1f}"
    return text + (f", {usage.nps / 1e6:.2f} M nodes/s" if usage.nps else "")
