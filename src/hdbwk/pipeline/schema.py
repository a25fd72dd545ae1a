"""What follows from the specs: the JSON schema of the configuration, and the tables of its documentation."""

import re
import sys
from collections.abc import Set
from pathlib import Path
from typing import Any

import yaml
from pydantic import TypeAdapter, ValidationError
from pydantic.json_schema import models_json_schema

from hdbwk.core.files import write_text
from hdbwk.core.spec import Spec
from hdbwk.estimators.registry import BANKS
from hdbwk.experiments.base import Experiment
from hdbwk.experiments.methods import KnapsackMethod
from hdbwk.experiments.registry import kinds
from hdbwk.pipeline.config import Head, Ledgers, Rate, Tuned, Variant
from hdbwk.pipeline.parameters import described
from hdbwk.policies.registry import POLICIES, params_class, policy_class

SCHEMA, README = Path("workflow/schemas/config.schema.yaml"), Path("config/README.md")
BLOCK = re.compile(r"(<!-- from the specs, by make schema -->\n).*?(<!-- end -->)", re.DOTALL)
USER = {"type": "object", "required": ["name"], "properties": {"name": {"pattern": ":"}}}  # a class of the user's


def schema() -> dict[str, Any]:
    """The JSON schema of a whole configuration, for editors; the program itself asks the specs."""
    policies = {kind: methods for kind in kinds().values() if (methods := _policies(kind))}
    models: list[type[Spec]] = [Head, *kinds().values()]
    models += [method for methods in policies.values() for method in methods.values()]
    refs, found = models_json_schema([(model, "validation") for model in dict.fromkeys(models)], by_alias=False)
    parts = found["$defs"]

    def part(model: type[Spec]) -> Any:
        return parts[refs[model, "validation"]["$ref"].rpartition("/")[2]]

    for kind, methods in policies.items():
        for name, method in methods.items():
            part(method)["properties"]["name"] = {"const": name}
        options = [refs[method, "validation"] for method in methods.values()]
        part(kind)["properties"]["methods"]["additionalProperties"] = {"anyOf": [*options, USER]}
    for kind in kinds().values():
        part(kind)["properties"]["kind"] = {"const": kind.kind}
    head = part(Head)
    sections = {name: refs[kind, "validation"] for name, kind in kinds().items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Configuration of the hdbwk workflow",
        "type": "object",
        "properties": {**_untitled(head["properties"]), **sections},
        "additionalProperties": {"type": "object", "required": ["kind"], "anyOf": list(sections.values())},
        "$defs": _untitled(dict(sorted(parts.items()))),
    }


def _untitled(part: Any) -> Any:
    """Without the titles that pydantic makes of names."""
    if isinstance(part, list):
        return [_untitled(item) for item in part]
    if not isinstance(part, dict):
        return part
    return {key: _untitled(value) for key, value in part.items() if key != "title" or isinstance(value, dict)}


def _policies(kind: type[Experiment]) -> dict[str, type[Spec]]:
    """The policies that an experiment can run, with what its methods may hold; none if it runs no policies."""
    annotation: Any = kind.model_fields["methods"].annotation
    methods: TypeAdapter[Any] = TypeAdapter(annotation)
    found = {}
    for name in POLICIES:
        try:
            found[name] = type(methods.validate_python({"x": {"name": name}})["x"])
        except ValidationError:
            continue
    return {name: method for name, method in found.items() if issubclass(method, params_class(name))}


def reference() -> str:
    """All parameters, in tables."""
    shared = set(Experiment.model_fields)
    parts = [
        _table("Top level", Head, hidden={"ledgers"}),
        _table("Every experiment", Experiment, hidden={"name"}),
        *(_table(f"`{name}`", kind, hidden=shared) for name, kind in kinds().items()),
        _table("Every method of `cbwk`", KnapsackMethod),
        *(_table(f"Policy `{name}`", params_class(name), policy_class(name).__doc__) for name in POLICIES),
        *(_table(f"Method or estimator `{kind.model_fields['name'].default}`", kind) for kind in _estimators()),
        _table("An entry of `sensitivity`", Variant),
        _table("An entry of `tuning`", Tuned),
        _table("An entry of `rates`", Rate),
        _table("`ledgers`", Ledgers),
    ]
    return "\n".join(parts)


def _estimators() -> list[type[Spec]]:
    from hdbwk.experiments.regression import LassoMethod, OnlineHTMethod

    return [*BANKS, OnlineHTMethod, LassoMethod]


def _table(title: str, kind: type[Spec], text: str | None = None, hidden: Set[str] = frozenset()) -> str:
    """A heading, a line, and the parameters that are not hidden."""
    rows = [row for row in described(kind) if row.key.partition(".")[0] not in hidden]
    lines = [f"| `{row.key}` | {row.meaning} | {row.allowed} | {row.default} |" for row in rows]
    head = ["| key | meaning | allowed | default |", "|---|---|---|---|"] if lines else []
    first = (text or kind.__doc__ or "").strip().split("\n\n")[0]
    return "\n".join([f"### {title}", "", " ".join(first.split()), "", *head, *lines, ""])


def generated(root: Path) -> dict[Path, str]:
    """The files that follow from the specs, with their texts."""
    note = "# Generated from the specs by `make schema`.\n"
    text = (root / README).read_text(encoding="utf-8")
    return {
        SCHEMA: note + yaml.safe_dump(schema(), sort_keys=False, default_flow_style=None, width=120),
        README: BLOCK.sub(lambda block: f"{block[1]}\n{reference()}\n{block[2]}", text),
    }


if __name__ == "__main__":
    ROOT = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    for path, text in generated(ROOT).items():
        write_text(text, ROOT / path)
