"""Options of the search as text: `mpc_max_pairs=2,use_aspiration_window=off`."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any

from reluca.errors import InvalidOptionsError
from reluca.options import SearchOptions
from reluca.tables import MpcParameterTable


def options_of(text: str, settings: Iterable[str], base: SearchOptions) -> SearchOptions:
    """Options with some settings changed; `margin` is the margin of the table of Multi-ProbCut, in deviations.

    `text` is what an error quotes.
    """
    known = {field.name for field in dataclasses.fields(SearchOptions)}
    changes: dict[str, Any] = {}
    margin = None
    for setting in settings:
        name, _, value = setting.partition("=")
        if name == "margin":
            margin = _margin(text, value)
        elif name in known:
            changes[name] = _option(text, name, value)
        else:
            raise InvalidOptionsError(f"{text!r}: there is no option {name!r}")
    options = dataclasses.replace(base, **changes)
    if margin is None:
        return options
    assert isinstance(options.mpc_table, MpcParameterTable)
    return dataclasses.replace(options, mpc_table=dataclasses.replace(options.mpc_table, z=margin))


def number_of(text: str, name: str, value: str) -> int:
    """A whole number."""
    if not value.isdigit():
        raise InvalidOptionsError(f"{text!r}: {name} is a number, not {value!r}")
    return int(value)


def _margin(text: str, value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise InvalidOptionsError(f"{text!r}: margin is a number, not {value!r}") from None


def _option(text: str, name: str, value: str) -> Any:
    """An option's value, of the type that its default has."""
    default = getattr(SearchOptions(), name)
    if isinstance(default, bool):
        if value.lower() not in ("true", "false", "on", "off"):
            raise InvalidOptionsError(f"{text!r}: {name} is true or false, not {value!r}")
        return value.lower() in ("true", "on")
    if isinstance(default, int):
        return number_of(text, name, value)
    if isinstance(default, str):
        return value
    if hasattr(default, "named"):
        return type(default).named(value)
    raise InvalidOptionsError(f"{text!r}: {name} cannot be given on the command line")
