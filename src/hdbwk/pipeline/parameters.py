"""Parameters for people: what each is, what is allowed, what it is unless it is given."""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from hdbwk.core.spec import Spec

WORDS = {"boolean": "`true`, `false`", "null": "null", "array": "a list", "string": "text", "object": "a mapping"}


class Parameter(NamedTuple):
    """One key; the default is empty if there is none."""

    key: str
    meaning: str
    allowed: str
    default: str


def described(kind: type[Spec]) -> list[Parameter]:
    """The parameters of a class, those of its parts under keys with dots."""
    schema = kind.model_json_schema()
    return list(_rows(schema, schema.get("$defs", {}), ""))


def _rows(schema: dict[str, Any], parts: dict[str, Any], place: str) -> Iterator[Parameter]:
    for key, field in schema["properties"].items():
        part = parts[field["$ref"].rpartition("/")[2]] if "$ref" in field else field
        if part is not field and "properties" in part and "additionalProperties" not in field:
            yield from _rows(part, parts, f"{place}{key}.")
        else:
            default = "" if "default" not in field else _shown(field["default"])
            yield Parameter(f"{place}{key}", field.get("description", ""), _allowed(field), default)


def _allowed(field: dict[str, Any]) -> str:
    """A range, words, or a type."""
    if "anyOf" in field:
        return " or ".join(filter(None, map(_allowed, field["anyOf"])))
    if words := field.get("enum", [field["const"]] if "const" in field else []):
        return ", ".join(f"`{word}`" for word in words)
    if field.get("type") in ("integer", "number"):
        return f"{field['type']}{_range(field)}"
    if "items" in field:
        return f"a list of {_allowed(field['items'])}"
    return WORDS.get(field.get("type", ""), "a mapping" if "$ref" in field or "oneOf" in field else "")


def _range(field: dict[str, Any]) -> str:
    low, high = field.get("minimum"), field.get("maximum")
    if low is not None and high is not None:
        return f", {_shown(low)}..{_shown(high)}"
    words = {"exclusiveMinimum": "above", "minimum": "at least", "exclusiveMaximum": "below", "maximum": "at most"}
    return "".join(f", {word} {_shown(field[key])}" for key, word in words.items() if key in field)


def _shown(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    if isinstance(value, int | float):
        return f"{int(value):,}" if value == int(value) else f"{value:g}"
    return "a mapping" if isinstance(value, dict) else str(value)
