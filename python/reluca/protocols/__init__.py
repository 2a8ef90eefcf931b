"""The protocols in which board programs speak to engines: GTP and NBoard."""

from reluca.protocols.gtp import GtpEngine
from reluca.protocols.nboard import NBoardEngine

__all__ = ["GtpEngine", "NBoardEngine"]
