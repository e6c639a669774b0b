"""Find texts shaped like well-known secrets. A heuristic: it knows shapes, not meaning, and never gives a value away.

A shape has a marker, a plain text that every secret of it holds: `re` is loaded only where a marker was met. What is
written as an example (a word that says so, one character over and over) is let through.
"""

from __future__ import annotations

from memstile.core.record import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class Shape(NamedTuple):
    """One class of secret. pattern: a regular expression, linear in the length of the text; its first group, or all
    of it, is the secret. markers: one of them is in every match.
    """

    name: str
    markers: tuple[str, ...]
    pattern: str


_B = r"(?<![A-Za-z0-9_-])"
_E = r"(?![A-Za-z0-9_-])"

SHAPES = (
    Shape("private key", ("PRIVATE KEY",), r"-----BEGIN (?:[A-Z]{1,12} ){0,2}PRIVATE KEY(?: BLOCK)?-----"),
    Shape("AWS access key", ("AKIA", "ASIA"), rf"{_B}(?:AKIA|ASIA)[A-Z2-7]{{16}}{_E}"),
    Shape(
        "AWS secret key",
        ("secret_access_key", "SECRET_ACCESS_KEY", "SecretAccessKey"),
        r"(?i:secret_?access_?key)[\"']?\s{0,3}[:=]\s{0,3}[\"']?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])",
    ),
    Shape(
        "GitHub token",
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
        rf"{_B}(?:gh[pousr]_[A-Za-z0-9]{{36,255}}|github_pat_[A-Za-z0-9]{{22}}_[A-Za-z0-9]{{59}}){_E}",
    ),
    Shape("GitLab token", ("glpat-", "gldt-", "glrt-"), rf"{_B}gl(?:pat|dt|rt)-[A-Za-z0-9_-]{{20,64}}{_E}"),
    Shape("Slack token", ("xox",), rf"{_B}xox[abeoprs]-[0-9]{{8,14}}-[A-Za-z0-9-]{{16,200}}{_E}"),
    Shape("Slack app token", ("xapp-",), rf"{_B}xapp-[0-9]-[A-Z0-9]{{8,14}}-[0-9]{{8,16}}-[a-f0-9]{{40,80}}{_E}"),
    Shape(
        "Slack webhook",
        ("hooks.slack.com/",),
        r"hooks\.slack\.com/(?:services|workflows)/T[A-Z0-9]{6,12}/[AB][A-Z0-9]{6,12}/[A-Za-z0-9]{18,48}",
    ),
    Shape(
        "Discord webhook",
        ("/api/webhooks/",),
        r"discord(?:app)?\.com/api/webhooks/[0-9]{16,20}/[A-Za-z0-9_-]{60,80}",
    ),
    Shape("Telegram bot token", (":AA",), r"(?<![A-Za-z0-9])[0-9]{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])"),
    Shape("Stripe key", ("k_live_",), rf"{_B}[sr]k_live_[A-Za-z0-9]{{20,247}}{_E}"),
    Shape("Google API key", ("AIza",), rf"{_B}AIza[A-Za-z0-9_-]{{35}}{_E}"),
    Shape("Google client secret", ("GOCSPX-",), rf"{_B}GOCSPX-[A-Za-z0-9_-]{{28}}{_E}"),
    Shape("Anthropic key", ("sk-ant-",), rf"{_B}sk-ant-[a-z]{{3,8}}[0-9]{{2}}-[A-Za-z0-9_-]{{80,120}}{_E}"),
    Shape(
        "OpenAI key",
        ("sk-",),
        rf"{_B}sk-(?:(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{{40,200}}"
        rf"|[A-Za-z0-9]{{20}}T3BlbkFJ[A-Za-z0-9]{{20}}|[A-Za-z0-9]{{48}}){_E}",
    ),
    Shape("OpenRouter key", ("sk-or-v1-",), rf"{_B}sk-or-v1-[a-f0-9]{{64}}{_E}"),
    Shape("Hugging Face token", ("hf_",), rf"{_B}hf_[A-Za-z]{{34}}{_E}"),
    Shape("npm token", ("npm_",), rf"{_B}npm_[A-Za-z0-9]{{36}}{_E}"),
    Shape("PyPI token", ("pypi-AgE",), r"pypi-AgE[A-Za-z0-9_-]{50,500}"),
    Shape("SendGrid key", ("SG.",), rf"{_B}SG\.[A-Za-z0-9_-]{{22}}\.[A-Za-z0-9_-]{{43}}{_E}"),
    Shape("DigitalOcean token", ("_v1_",), rf"{_B}do[opr]_v1_[a-f0-9]{{64}}{_E}"),
    Shape("Shopify token", ("shp",), rf"{_B}shp(?:at|ca|pa|ss)_[a-fA-F0-9]{{32}}{_E}"),
    Shape("Docker Hub token", ("dckr_pat_",), rf"{_B}dckr_pat_[A-Za-z0-9_-]{{27}}{_E}"),
    Shape("Databricks token", ("dapi",), rf"{_B}dapi[a-f0-9]{{32}}(?:-[0-9])?{_E}"),
    Shape("HashiCorp Vault token", ("hvs.", "hvb."), rf"{_B}hv[sb]\.[A-Za-z0-9_-]{{24,200}}{_E}"),
    Shape("Linear key", ("lin_api_",), rf"{_B}lin_api_[A-Za-z0-9]{{40}}{_E}"),
    Shape("Azure storage key", ("AccountKey=",), r"AccountKey=([A-Za-z0-9+/]{86}==)"),
    Shape("age key", ("AGE-SECRET-KEY-1",), rf"{_B}AGE-SECRET-KEY-1[A-Z0-9]{{58}}{_E}"),
    Shape(
        "JSON Web Token",
        ("eyJ",),
        rf"{_B}eyJ[A-Za-z0-9_-]{{10,2000}}\.eyJ[A-Za-z0-9_-]{{10,4000}}\.[A-Za-z0-9_-]{{20,2000}}{_E}",
    ),
    Shape(
        "password in a URL",
        ("://",),
        r"(?<![A-Za-z0-9+.-])[a-z][a-z0-9+.-]{1,15}://[A-Za-z0-9._~%-]{0,64}:"
        r"((?=[^\s:/@]{0,128}[0-9])(?=[^\s:/@]{0,128}[A-Za-z])[^\s:/@<>{}$*\[\]]{8,128})@[A-Za-z0-9]",
    ),
)

_MARKERS = tuple((marker, at) for at, shape in enumerate(SHAPES) for marker in shape.markers)
_BY_SIGN = {
    sign: tuple((marker, at) for marker, at in _MARKERS if sign == next((s for s in "_:.=-" if s in marker), ""))
    for sign in ("_", ":", ".", "=", "-", "")
}
"""Markers by the first of these signs that is in them: a text without a sign holds none of its markers."""
_BETWEEN = "\n\n\n\n"
"""Between two texts: no pattern goes over it."""

_EXAMPLE_WORDS = ("example", "xxxx", "0000000", "1234567890", "changeme", "placeholder", "your", "redacted", "dummy")


def secret_names(texts: Iterable[str]) -> tuple[str, ...]:
    """Name the classes of secret that are in these texts, in the order of SHAPES; never a value."""
    whole = _BETWEEN.join(texts)
    met = {at for sign, markers in _BY_SIGN.items() if sign in whole for marker, at in markers if marker in whole}
    return tuple(SHAPES[at].name for at in sorted(met) if _is_in(SHAPES[at], whole)) if met else ()


def _is_in(shape: Shape, text: str) -> bool:
    return any(not _is_example(secret) for secret in _matches(shape.pattern, text))


def _matches(pattern: str, text: str) -> Iterator[str]:
    import re

    for match in re.finditer(pattern, text):
        yield match[match.lastindex or 0]


def _is_example(secret: str) -> bool:
    if "PRIVATE KEY" in secret:
        return False
    lower = secret.lower()
    return len(set(secret[-16:])) < 5 or any(word in lower for word in _EXAMPLE_WORDS)
