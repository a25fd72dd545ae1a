"""Parameters for people: what each is, what is allowed, what it is unless it is given."""

from typing import Any

from hdbwk.core.spec import Spec


def described(kind: type[Spec]) -> list[tuple[str, str, str, str]]:
    """A row for each parameter: key, meaning, what is allowed, default."""
    schema = kind.model_json_schema()
    rows = []
    for key, part in schema["properties"].items():
        rows.append((key, part.get("description", ""), _allowed(part, schema), _default(part.get("default", ...))))
    return rows


def _allowed(part: dict[str, Any], schema: dict[str, Any]) -> str:
    """A range, words, or a type."""
    if "anyOf" in part:
        return " or ".join(_allowed(option, schema) for option in part["anyOf"])
    words = part.get("enum", [part["const"]] if "const" in part else [])
    if words:
        return ", ".join(f"`{word}`" for word in words)
    if part.get("type") in ("integer", "number"):
        return _range(part)
    return {"boolean": "`true`, `false`", "null": "null", "array": "a list", "string": "text"}.get(
        part.get("type", ""), ""
    )


def _range(part: dict[str, Any]) -> str:
    low, high = part.get("minimum"), part.get("maximum")
    bounds = [f"above {part['exclusiveMinimum']:,g}"] if "exclusiveMinimum" in part else []
    bounds += [f"below {part['exclusiveMaximum']:,g}"] if "exclusiveMaximum" in part else []
    bounds += [f"{low:,g}..{high:,g}"] if low is not None and high is not None else []
    bounds += [f"at least {low:,g}"] if low is not None and high is None else []
    bounds += [f"at most {high:,g}"] if low is None and high is not None else []
    kind = "integer" if part["type"] == "integer" else "number"
    return f"{kind}, {', '.join(bounds)}" if bounds else kind


def _default(value: Any) -> str:
    if value is ...:
        return ""
    return (
        {None: "null", True: "true", False: "false"}.get(value, str(value))
        if not isinstance(value, dict)
        else "see below"
    )
