"""`python -m reluca` is the `reluca` command."""

from reluca.cli import main

main()
