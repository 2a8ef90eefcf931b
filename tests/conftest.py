"""What tests of several parts are run with."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import conversation


@pytest.fixture(scope="module", params=[(), ("--ponder",)], ids=["", "ponder"])
def pondering_or_not(request: pytest.FixtureRequest) -> Iterator[None]:
    """Programs that are spoken to think on their opponent's time, too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(conversation, "OPTIONS", request.param)
        yield
