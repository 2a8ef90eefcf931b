"""The stage tables of the search: Multi-ProbCut and aspiration windows, as data.

Scores and deviations are in centidiscs (1 disc = 100). Tables are values: they compare, print, and go to and from
JSON and TOML.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import NormalDist
from typing import Any

from reluca._engine import calibrated_tables, validate_aspiration_table, validate_mpc_table
from reluca.errors import InvalidOptionsError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

STAGES = range(1, 16)
"""The stages of a game, a quarter of the disc count each."""


@dataclass(frozen=True)
class MpcCutPair:
    """A shallow depth whose value predicts a deep one's."""

    shallow: int
    """The depth that is searched."""
    deep: int
    """The least remaining depth at which the pair applies."""


@dataclass(frozen=True)
class MpcParameters:
    """The regression deep = a * shallow + b, with an error of deviation sigma."""

    a: float
    """Slope."""
    b: float
    """Intercept, in centidiscs."""
    sigma: float
    """Standard deviation of the error, in centidiscs."""


@dataclass(frozen=True)
class MpcModel:
    """A smooth deviation: ln σ = intercept + shallow · s + deep · d + empties · e, σ in centidiscs."""

    intercept: float
    shallow: float
    deep: float
    empties: float

    def sigma(self, shallow: int, deep: int, empties: float) -> float:
        """The deviation of a deep value from a shallow one."""
        return math.exp(self.intercept + self.shallow * shallow + self.deep * deep + self.empties * empties)


@dataclass(frozen=True)
class MpcParameterTable:
    """Multi-ProbCut parameters by stage and cut pair.

    >>> table = MpcParameterTable.named("literature")
    >>> table.get(stage=8, pair=1)
    MpcParameters(a=1.0, b=0.0, sigma=800.0)
    >>> MpcParameterTable.from_toml(table.to_toml()) == table
    True
    """

    pairs: tuple[MpcCutPair, ...]
    """The cut pairs, sorted by their deep depths."""
    parameters: tuple[tuple[MpcParameters, ...], ...]
    """One row per stage, one cell per pair."""
    z: float = 1.645
    """The margin in deviations; 1.645 is a confidence of 95 %."""
    exact: MpcModel = MpcModel(6.3786, -0.0587, 0.0, 0.00565)
    """How far exact scores lie from shallow values, for the selective solver; by default with the bundled weights."""
    weights: str | None = None
    """The checksum of the weights that it was measured with: an engine with others refuses it. None fits any."""

    def __post_init__(self) -> None:
        validate_mpc_table(self)

    @staticmethod
    def named(name: str) -> MpcParameterTable:
        """A table that ships with the package ("literature", or "calibrated" with the bundled weights), or a file."""
        if name == "calibrated":
            (pairs, rows, z, exact), _ = calibrated_tables()
            return MpcParameterTable(
                tuple(MpcCutPair(*pair) for pair in pairs),
                tuple(tuple(MpcParameters(*cell) for cell in row) for row in rows),
                z,
                MpcModel(*exact),
            )
        if _is_file(name):
            return MpcParameterTable.from_dict(_read_table(name, "MpcParameterTable"))
        if name != "literature":
            raise InvalidOptionsError(f"MPC: there is no table named {name!r}; {_TABLES}")
        bands = ((800.0, 1200.0, 1600.0), (500.0, 800.0, 1100.0), (300.0, 500.0, 700.0))
        return MpcParameterTable(
            pairs=(MpcCutPair(2, 6), MpcCutPair(4, 10), MpcCutPair(6, 14)),
            parameters=tuple(
                tuple(MpcParameters(1.0, 0.0, sigma) for sigma in bands[(stage - 1) // 5]) for stage in STAGES
            ),
        )

    def get(self, stage: int, pair: int) -> MpcParameters:
        """The parameters of a stage (1 to 15) and a pair (counted from 0)."""
        if stage not in STAGES:
            raise InvalidOptionsError(f"MPC: a stage is a number from 1 to 15, not {stage}")
        return self.parameters[stage - 1][pair]

    def with_confidence(self, confidence: float) -> MpcParameterTable:
        """The same table with the margin of another confidence, such as 0.95."""
        return replace(self, z=z_of_confidence(confidence))

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and numbers."""
        return {
            "z": self.z,
            "pairs": [asdict(pair) for pair in self.pairs],
            "stages": [[asdict(cell) for cell in row] for row in self.parameters],
            "exact": asdict(self.exact),
            **_measured_with(self.weights),
        }

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> MpcParameterTable:
        """Reads what `to_dict` gives; a table without a model of exact scores has the one of the bundled weights."""
        try:
            return MpcParameterTable(
                pairs=tuple(MpcCutPair(**pair) for pair in data["pairs"]),
                parameters=tuple(tuple(MpcParameters(**cell) for cell in row) for row in data["stages"]),
                z=data["z"],
                exact=MpcModel(**data["exact"]) if "exact" in data else MpcParameterTable.exact,
                weights=data.get("weights"),
            )
        except (KeyError, TypeError) as error:
            raise InvalidOptionsError(f"MPC: not a table: {error}") from None

    def to_json(self) -> str:
        """The table as JSON."""
        return json.dumps(self.to_dict(), indent=2)

    @staticmethod
    def from_json(text: str) -> MpcParameterTable:
        """Reads JSON."""
        return MpcParameterTable.from_dict(_parse("JSON", json.loads, text))

    def to_toml(self) -> str:
        """The table as TOML."""
        pairs = ", ".join(f"{{ shallow = {pair.shallow}, deep = {pair.deep} }}" for pair in self.pairs)
        rows = [
            ", ".join(f"{{ a = {cell.a!r}, b = {cell.b!r}, sigma = {cell.sigma!r} }}" for cell in row)
            for row in self.parameters
        ]
        stages = "".join(f"    [{row}],\n" for row in rows)
        exact = ", ".join(f"{name} = {value!r}" for name, value in asdict(self.exact).items())
        return (
            f"z = {self.z!r}\npairs = [{pairs}]\nstages = [\n{stages}]\nexact = {{ {exact} }}\n"
            f"{_toml_weights(self.weights)}"
        )

    @staticmethod
    def from_toml(text: str) -> MpcParameterTable:
        """Reads TOML."""
        return MpcParameterTable.from_dict(_parse("TOML", tomllib.loads, text))


@dataclass(frozen=True)
class AspirationParameterTable:
    """Half-widths of the aspiration window by stage, in centidiscs.

    >>> table = AspirationParameterTable()
    >>> table.delta(3), table.delta(8), table.delta(12), table.delta(16)
    (80, 50, 30, 50)
    """

    deltas: tuple[int, ...] = (80,) * 5 + (50,) * 5 + (30,) * 5
    """One half-width per stage."""
    default_delta: int = 50
    """The half-width for numbers that are no stage."""
    weights: str | None = None
    """The checksum of the weights that it was measured with: an engine with others refuses it. None fits any."""

    def __post_init__(self) -> None:
        validate_aspiration_table(self)

    @staticmethod
    def named(name: str) -> AspirationParameterTable:
        """A table that ships with the package ("literature", or "calibrated" with the bundled weights), or a file."""
        if name == "calibrated":
            _, (deltas, default_delta) = calibrated_tables()
            return AspirationParameterTable(tuple(deltas), default_delta)
        if _is_file(name):
            return AspirationParameterTable.from_dict(_read_table(name, "AspirationParameterTable"))
        if name != "literature":
            raise InvalidOptionsError(f"aspiration: there is no table named {name!r}; {_TABLES}")
        return AspirationParameterTable()

    def delta(self, stage: int) -> int:
        """The half-width of a stage."""
        return self.deltas[stage - 1] if 1 <= stage <= len(self.deltas) else self.default_delta

    @staticmethod
    def adjusted_delta(delta: int, depth: int) -> int:
        """A half-width widened for shallow depths: twice up to 2, half as much again up to 4.

        >>> [AspirationParameterTable.adjusted_delta(*case) for case in ((30, 2), (31, 4), (50, 5))]
        [60, 46, 50]
        """
        return delta * 2 if depth <= 2 else delta * 3 // 2 if depth <= 4 else delta

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and numbers."""
        return {
            "deltas": list(self.deltas),
            "default_delta": self.default_delta,
            **_measured_with(self.weights),
        }

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> AspirationParameterTable:
        """Reads what `to_dict` gives."""
        try:
            return AspirationParameterTable(tuple(data["deltas"]), data["default_delta"], data.get("weights"))
        except (KeyError, TypeError) as error:
            raise InvalidOptionsError(f"aspiration: not a table: {error}") from None

    def to_json(self) -> str:
        """The table as JSON."""
        return json.dumps(self.to_dict())

    @staticmethod
    def from_json(text: str) -> AspirationParameterTable:
        """Reads JSON."""
        return AspirationParameterTable.from_dict(_parse("JSON", json.loads, text))

    def to_toml(self) -> str:
        """The table as TOML."""
        return f"deltas = {list(self.deltas)}\ndefault_delta = {self.default_delta}\n{_toml_weights(self.weights)}"

    @staticmethod
    def from_toml(text: str) -> AspirationParameterTable:
        """Reads TOML."""
        return AspirationParameterTable.from_dict(_parse("TOML", tomllib.loads, text))


def z_of_confidence(confidence: float) -> float:
    """The margin, in deviations, that a normal error stays within on one side with this confidence.

    >>> round(z_of_confidence(0.95), 3)
    1.645
    """
    if not 0.5 < confidence < 1.0:
        raise InvalidOptionsError(f"MPC: a confidence lies between 0.5 and 1, not {confidence}")
    return NormalDist().inv_cdf(confidence)


def confidence_of_z(z: float) -> float:
    """The confidence that belongs to a margin."""
    return NormalDist().cdf(z)


_TABLES = "tables: literature, calibrated, or a .json or .toml file"


def _is_file(name: str) -> bool:
    """Whether a table's name is that of a file."""
    return name.lower().endswith((".json", ".toml"))


def _read_table(name: str, kind: str) -> Mapping[str, Any]:
    """The table in a file: the file itself, or what `reluca calibrate` wrote and found good."""
    text = Path(name).read_text(encoding="utf-8")
    data = _parse("TOML", tomllib.loads, text) if name.lower().endswith(".toml") else _parse("JSON", json.loads, text)
    if data.get("blessed") is False or data.get("met") is False:
        why = data.get("verdict") or ("it misses a mark" if "met" in data else "over-confident")
        raise InvalidOptionsError(
            f"{name}: the calibration did not bless this table ({why}); {kind}.from_dict reads it all the same"
        )
    table = data.get("table", data)
    return table if isinstance(table, Mapping) else data


def _measured_with(weights: str | None) -> dict[str, str]:
    return {} if weights is None else {"weights": weights}


def _toml_weights(weights: str | None) -> str:
    return "" if weights is None else f"weights = {json.dumps(weights)}\n"


def _parse(kind: str, loads: Any, text: str) -> Mapping[str, Any]:
    try:
        data = loads(text)
    except ValueError as error:
        raise InvalidOptionsError(f"not {kind}: {error}") from None
    if not isinstance(data, Mapping):
        raise InvalidOptionsError(f"expected a {kind} table, found {type(data).__name__}")
    return data
