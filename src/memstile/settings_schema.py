"""Render settings.schema.json, which editors check a memstile.toml with, from the table of settings.

After a change of the table: python -m memstile.settings_schema > src/memstile/settings.schema.json
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping

from memstile.core.setting_key import Authority, Key, Kind
from memstile.core.setting_keys import KEYS, TABLES, VAULT_MODES
from memstile.core.setting_vaults import MAX_VAULTS

Schema = dict[str, object]


def render() -> str:
    """Give the schema as JSON text. It allows what is used without a fault in the user's file.

    Not the other way round: a number written as text is used, yet nobody should write it so.
    Source: JSON Schema 2020-12.
    """
    top = {key.name: _schema(key) for key in KEYS if not key.table}
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "memstile.toml",
        **_table("Settings of memstile.", {**top, **{name: _of_table(name) for name in TABLES}}),
    }
    return json.dumps(schema, indent=2) + "\n"


def _of_table(name: str) -> Schema:
    rows = {key.name.rpartition(".")[2]: _schema(key) for key in KEYS if key.table == name}
    return _table(TABLES[name], rows)


def _table(says: str, properties: Mapping[str, object]) -> Schema:
    return {"description": says, "type": "object", "properties": dict(properties), "additionalProperties": False}


def _schema(key: Key) -> Schema:
    says = key.says + (" Only the user's own file sets it." if key.authority is Authority.USER_ONLY else "")
    return {
        "description": says,
        **_SHAPES[key.kind](key),
        **({} if key.kind is Kind.VAULTS else {"default": key.default}),
    }


def _choice(key: Key) -> Schema:
    return {"enum": list(key.choices)}


def _integer(key: Key) -> Schema:
    return {"type": "integer", "minimum": int(key.least), "maximum": int(key.most)}


def _seconds(key: Key) -> Schema:
    return {"type": "number", "minimum": key.least, "maximum": key.most}


def _boolean(_key: Key) -> Schema:
    return {"type": "boolean"}


def _texts(key: Key) -> Schema:
    entry: Schema = {"enum": list(key.choices)} if key.choices else {"type": "string", "pattern": r"\S"}
    return {"type": "array", "items": entry}


def _file_name(_key: Key) -> Schema:
    return {"type": "string", "pattern": r"^[A-Za-z0-9_.-]+\.md$"}


def _vaults(_key: Key) -> Schema:
    path = {"description": "The folder.", "type": "string", "pattern": r"\S"}
    mode = {"description": "How it stands to git.", "enum": list(VAULT_MODES), "default": "auto"}
    table = _table("One vault.", {"path": path, "mode": mode}) | {"required": ["path"]}
    return {"type": "array", "maxItems": MAX_VAULTS, "items": table}


_SHAPES: Mapping[Kind, Callable[[Key], Schema]] = {
    Kind.CHOICE: _choice,
    Kind.INTEGER: _integer,
    Kind.SECONDS: _seconds,
    Kind.BOOLEAN: _boolean,
    Kind.TEXTS: _texts,
    Kind.FILE_NAME: _file_name,
    Kind.VAULTS: _vaults,
}

if __name__ == "__main__":
    sys.stdout.write(render())
