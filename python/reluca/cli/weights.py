"""`reluca weights`: what is in a weights file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from reluca import weights as weight_files
from reluca.cli.common import Json, print_json

app = typer.Typer(help="Weights of the evaluation.", no_args_is_help=True)


@app.callback()
def _weights() -> None:
    """Keeps `info` a verb of its own."""


@app.command()
def info(
    file: Annotated[Path | None, typer.Argument(help="A weights file; without it the bundled weights.")] = None,
    as_json: Json = False,
) -> None:
    """Show where weights come from and what they hold."""
    weights = weight_files.bundled() if file is None else weight_files.load(file)
    described = weight_files.describe(weights)
    if as_json:
        print_json(described)
        return
    print(f"weights {described['checksum']}{'' if file else ' (bundled)'}")
    print(f"{described['stages']} stages of {described['parameters_per_stage']:,} parameters", end="")
    print(f", and {described['small_parameters_per_stage']:,} of the small evaluation")
    trained = described["trained_parameters"]
    print("trained by stage:", " ".join(f"{stage}:{count:,}" for stage, count in enumerate(trained, 1)))
    print(described["provenance"])
