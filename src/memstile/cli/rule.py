"""`memstile rule`."""

from __future__ import annotations

import click

from memstile.cli.meant import meant
from memstile.cli.terminal import say
from memstile.core.rules import RULES
from memstile.errors import GuardError


@click.command("rule", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("code", required=False, default="")
def command(code: str) -> None:
    """Explain a rule by its CODE or name; list those whose code begins so (MS1), or all."""
    for rule in RULES:
        if code.upper() == rule.code or code.lower() == rule.name:
            say([f"{rule.code} {rule.name} ({rule.severity.name.lower()})", "", (rule.page or rule.summary).strip()])
            return
    listed = [rule for rule in RULES if rule.code.startswith(code.upper())]
    if not listed:
        near = meant(code, [name for rule in RULES for name in (rule.code, rule.name)])
        raise GuardError(f"no rule {code}", near or "list them with `memstile rule`")
    say(f"{rule.code}  {rule.severity.name.lower():<8} {rule.name:<26} {rule.summary}" for rule in listed)
