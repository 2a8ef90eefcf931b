"""The exceptions of the package; all of them are `RelucaError`."""


class RelucaError(Exception):
    """Something went wrong in Reluca."""


class NotationError(RelucaError, ValueError):
    """A text is not what it should be; the message says what is wrong and where."""


class IllegalMoveError(RelucaError, ValueError):
    """The rules do not allow the move in the position."""


class InvalidBoardError(RelucaError, ValueError):
    """Discs that cannot stand on one board."""


class InvalidArgumentError(RelucaError, ValueError):
    """An argument out of its range, or an array of the wrong shape."""


class InvalidOptionsError(RelucaError, ValueError):
    """Search options or parameter tables that are impossible or contradict themselves."""


class InvalidLimitError(RelucaError, ValueError):
    """A search limit that is no limit: negative, not a number, or empty."""


class WeightsError(RelucaError, ValueError):
    """A file of weights or of game records that is damaged, foreign, or made for another release."""


class MissingPackageError(RelucaError, ImportError):
    """Something needs a package that is not installed."""


class OutOfMemoryError(RelucaError, MemoryError):
    """The memory for a transposition table cannot be had."""


class EngineBusyError(RelucaError):
    """The engine is searching already; one engine does one search at a time."""
