"""core/secrets.py: shapes of well-known secrets are found, what only looks a little like one is not.

The samples are put together here, so that no scanner takes this file for a leak; none of them ever opened anything.
"""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.core.secrets import SHAPES, secret_names

MIXED = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF2hJ4kL6nP8rT0vX2zA4cE6gI8kM0oQ2sU4wY6aC8eG0iK2mO4qS6uW8yA0cE2gI4kM6oQ8"
HEX = "3f9a1c7e5b2d8046a9c3e7f1b5d2806493ac7e1f5b2d8046a9c3e7f1b5d28064f3"
LETTERS = "aBdEgHjKmNpQsTvWyZbCeFhJkLnPrTvXzAcEgIkM"
UPPER = "Q7RZ2YHD5KXWMV3TPLAC6NBE4JGUFS2QRZYHDKXWMVTPLACNBEJGUFS7653X"

SAMPLES = {
    "private key": "-----BEGIN " + "RSA PRIVATE KEY-----",
    "AWS access key": "AKIA" + UPPER[:16],
    "AWS secret key": "aws_secret_access_key = " + MIXED[:40],
    "GitHub token": "ghp_" + MIXED[:36],
    "GitLab token": "glpat-" + MIXED[:20],
    "Slack token": "xoxb-" + "739175628403-" + MIXED[:24],
    "Slack app token": "xapp-" + "1-A04BCDEFGHI-7391756284036-" + HEX[:64],
    "Slack webhook": "https://hooks.slack." + "com/services/T04BCDEFG/B04BCDEFG/" + MIXED[:24],
    "Discord webhook": "https://discord.com" + "/api/webhooks/739175628403615284/" + MIXED[:68],
    "Telegram bot token": "739175628:" + "AA" + MIXED[:33],
    "Stripe key": "sk_" + "live_" + MIXED[:24],
    "Google API key": "AIza" + MIXED[:35],
    "Google client secret": "GOCSPX-" + MIXED[:28],
    "Anthropic key": "sk-" + "ant-api03-" + MIXED[:95],
    "OpenAI key": "sk-" + "proj-" + MIXED[:60],
    "OpenRouter key": "sk-" + "or-v1-" + HEX[:64],
    "Hugging Face token": "hf_" + LETTERS[:34],
    "npm token": "npm_" + MIXED[:36],
    "PyPI token": "pypi-" + "AgEIcHlwaS5vcmc" + MIXED[:60],
    "SendGrid key": "SG." + MIXED[:22] + "." + MIXED[22:65],
    "DigitalOcean token": "dop_" + "v1_" + HEX[:64],
    "Shopify token": "shpat_" + HEX[:32],
    "Docker Hub token": "dckr_" + "pat_" + MIXED[:27],
    "Databricks token": "dapi" + HEX[:32],
    "HashiCorp Vault token": "hvs." + MIXED[:24],
    "Linear key": "lin_" + "api_" + MIXED[:40],
    "Azure storage key": "AccountKey=" + MIXED[:86] + "==",
    "age key": "AGE-SECRET-KEY-" + "1" + UPPER[:58],
    "JSON Web Token": "eyJ" + MIXED[:20] + ".eyJ" + MIXED[:40] + "." + MIXED[:43],
    "password in a URL": "postgres://app:" + "k3jd82mxq9" + "@db.internal:5432/app",
}


def test_every_shape_has_a_sample() -> None:
    assert [shape.name for shape in SHAPES] == list(SAMPLES)


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("frame", ["{}", "key: {}\n", "`{}`", "say ({}), then", '{{"k": "{}"}}', "日本{} "])
def test_a_secret_is_found_wherever_it_stands(name: str, frame: str) -> None:
    assert secret_names([frame.format(SAMPLES[name])]) == (name,)


HARMLESS = [
    "The AWS key starts with AKIA, the token with ghp_, the key with sk-ant-.",
    "AKIAIOSFODNN7EXAMPLE",
    "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "AKIA" + "X" * 16,
    "ghp_" + "x" * 36,
    "ghp_short",
    "my_ghp_" + MIXED[:36],
    "-----BEGIN " + "PUBLIC KEY-----",
    "-----BEGIN CERTIFICATE-----",
    "sk-learn and sk-proj-ects",
    "sk_test_" + MIXED[:24],
    "https://example.com:8080/path@v1",
    "postgres://user:password@localhost/db",
    "postgres://user:${DB_PASSWORD1}@localhost/db",
    "postgres://user:<password1>@localhost/db",
    "git@github.com:owner/repo.git",
    "https://user@example.com/",
    "commit 3f9a1c7e5b2d8046a9c3e7f1b5d2806493ac7e1f",
    "eyJ is how a token begins",
    "eyJ" + MIXED[:20] + "." + MIXED[:40],
    "data:image/png;base64," + MIXED,
    "shasum " + HEX,
    "10:AArdvark",
    "",
]


@pytest.mark.parametrize("text", HARMLESS)
def test_what_is_no_secret_is_let_through(text: str) -> None:
    assert secret_names([text]) == ()


@pytest.mark.parametrize(
    "unit",
    [
        "eyJ",
        "AKIA",
        "eyJa.",
        "sk-",
        "a://:",
        "://",
        "x://a:1a",
        "ghp_a ",
        "hooks.slack.com/",
        ":AA",
        "BEGIN A ",
        "-----",
    ],
)
def test_a_long_text_does_not_hang(unit: str) -> None:
    """No pattern takes more than linear time: one that did would run into the limit of every test."""
    text = unit * (1_000_000 // len(unit)) + " ".join(marker for shape in SHAPES for marker in shape.markers)
    assert secret_names([text]) == ()


@given(st.lists(st.text()))
def test_any_text_is_looked_through(texts: list[str]) -> None:
    assert set(secret_names(texts)) <= set(SAMPLES)


def test_a_text_without_a_marker_loads_no_re() -> None:
    probe = (
        "import sys; sys.path.insert(0, sys.argv[1]); from memstile.core.secrets import secret_names; "
        "secret_names(['a note about a meeting'] * 3); assert 're' not in sys.modules"
    )
    source = __import__("memstile").__path__[0].rpartition("/")[0]
    subprocess.run([sys.executable, "-I", "-S", "-c", probe, source], check=True)
