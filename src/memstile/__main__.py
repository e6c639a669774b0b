"""`python -m memstile`."""

from memstile.cli.main import main

main()
