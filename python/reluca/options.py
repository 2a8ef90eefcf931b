"""What a search does: every feature can be switched on and off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from reluca._engine import validate_options
from reluca.errors import InvalidOptionsError
from reluca.tables import AspirationParameterTable, MpcParameterTable

Algorithm = Literal["negamax", "alphabeta", "pvs", "mtdf"]
"""At equal depth and without pruning features all four give the same value."""
AspirationScheme = Literal["auto", "exponential", "doubling", "asymmetric", "adaptive"]
"""How an aspiration window begins and grows.

`exponential`: both sides by x2, x4, x8. `doubling`: both sides by x2. `asymmetric`: only the side that failed, from the
value found, as fast as exponential. `adaptive`: as exponential, but beginning with twice the mean change of the value
in the last iterations, within half and twice the half-width. `auto`: exponential with the stage table, else doubling.
"""


@dataclass(frozen=True, kw_only=True)
class SearchOptions:
    """Options of an engine; the default has every feature off, `strongest()` is what `Engine()` uses.

    >>> SearchOptions(use_multi_prob_cut=True).mpc_table == MpcParameterTable.named("literature")
    True
    """

    algorithm: Algorithm = "pvs"
    """The search algorithm."""
    max_depth: int = 60
    """The deepest iteration, if the limit does not say less."""
    use_transposition_table: bool = False
    """Remember searched positions."""
    use_aspiration_window: bool = False
    """Search around the previous iteration's value first."""
    aspiration_delta: int = 50
    """The half-width of the window in centidiscs, if the stage table is not used."""
    aspiration_max_retry: int = 3
    """How often a window is widened before the full one is used."""
    aspiration_use_stage_table: bool = False
    """Take the half-width from the stage table and, if no scheme is named, widen it exponentially (x2, x4, x8)."""
    aspiration_scheme: AspirationScheme = "auto"
    """How the window begins and grows."""
    aspiration_table: AspirationParameterTable | str = "literature"
    """Half-widths by stage: a table, its name, or a file (JSON or TOML)."""
    aspiration_same_parity: bool = False
    """Put the window around the value of two iterations ago: depths of equal parity agree better."""
    aspiration_suppress_store: bool = False
    """Store nothing in the table until a window has held, then search again."""
    use_multi_prob_cut: bool = False
    """Cut where a shallow search promises a deep one's result."""
    mpc_table: MpcParameterTable | str = "literature"
    """The table of Multi-ProbCut, its name, or a file (JSON or TOML) such as `reluca calibrate mpc` writes."""
    mpc_full_window: bool = True
    """Search the shallow depth with the full window instead of a null window at the bound."""
    mpc_max_pairs: int = 32
    """How many pairs are tried at a node, the deepest first."""
    mpc_static_test: bool = False
    """Try a cut only on the side that the static evaluation speaks for."""
    mpc_nesting: int = 0
    """How deep shallow searches may be nested: 0 cuts nothing inside a shallow search, 1 nothing inside the next.

    The confidence of a table is that of shallow searches without cuts.
    """
    mpc_phase_margins: tuple[float, float, float] | None = None
    """Margins (deviations) in the early, middle and late stages that take the place of the table's."""
    mpc_adjust_for_time: bool = False
    """Narrow the margin to four fifths when four fifths of the time are gone."""
    use_move_count_pruning: bool = False
    """Leave out late quiet moves near the leaves."""
    move_count_max_depth: int = 5
    """The greatest remaining depth at which moves are left out."""
    solver_empties: int = 14
    """The most empty squares at which a search that may read to the end does so with the solver, time permitting."""

    def __post_init__(self) -> None:
        if isinstance(self.mpc_table, str):
            object.__setattr__(self, "mpc_table", MpcParameterTable.named(self.mpc_table))
        if isinstance(self.aspiration_table, str):
            object.__setattr__(self, "aspiration_table", AspirationParameterTable.named(self.aspiration_table))
        validate_options(self)

    def require_weights(self, used: str) -> None:
        """Raises `InvalidOptionsError` if a table was measured with weights of another checksum."""
        for name in ("mpc_table", "aspiration_table"):
            measured = getattr(self, name).weights
            if measured not in (None, used):
                raise InvalidOptionsError(
                    f"{name} was measured with the weights {measured}, not with {used}; "
                    "dataclasses.replace(table, weights=None) uses it all the same"
                )

    @staticmethod
    def strongest() -> SearchOptions:
        """What plays best."""
        return SearchOptions(
            use_transposition_table=True,
            use_aspiration_window=True,
            aspiration_use_stage_table=True,
            aspiration_table="calibrated",
            aspiration_same_parity=True,
            use_multi_prob_cut=True,
            mpc_table="calibrated",
            mpc_full_window=False,
            mpc_max_pairs=1,
            mpc_static_test=True,
            mpc_nesting=1,
            solver_empties=30,
        )
