"""Policies as methods of an experiment."""

import inspect
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal

from pydantic import Field, PlainValidator, create_model

from hdbwk.core.spec import Spec, refusal
from hdbwk.policies.parts.params import FreeParams, PolicyParams
from hdbwk.policies.registry import params_class, policy_class


class Method(Spec):
    """What a method has beside the parameters of its policy."""

    name: str = Field(description="a policy, or `package.module:Class` for one of your own")

    @property
    def modules(self) -> set[str]:
        """Where the policy is named, and where its class is."""
        module, is_path, _ = self.name.partition(":")
        return {policy_class(self.name).__module__, *([module] if is_path else [])}


class KnapsackMethod(Method):
    """The same where there are capacities."""

    exit_rule: Literal["exit", "skip"] = Field(
        "exit",
        description="what happens to a query that would exceed a capacity: `exit` ends the run (the paper), "
        "`skip` refuses that query alone",
    )


def policy_params(method: Any) -> dict[str, Any]:
    """The parameters of the policy itself, as `hdbwk.make_policy` takes them."""
    own = {key: getattr(method, key) for key in params_class(method.name).model_fields}
    return {**own, **(method.model_extra or {})}


def policy_for(where: str, kind: type[Method], unfit: str) -> PlainValidator:
    """The check of a method of an experiment that runs policies, but for those that are made for `unfit` alone."""

    def check(entry: Any) -> PolicyParams:
        if not isinstance(entry, Mapping):
            raise refusal("must be a mapping of keys to values")
        name = entry.get("name")
        if not isinstance(name, str):
            raise refusal("@name: must be the name of a policy" if "name" in entry else "the key name is missing")
        try:
            params = params_class(name)
        except ValueError as error:
            raise refusal(f"@name: {error}") from None
        if params.made_for == unfit:
            raise refusal(f"@name = {name!r} is not a policy for {where}")
        method = method_class(params, kind).model_validate(dict(entry))
        if params is FreeParams:
            _check_signature(name, method)
        return method

    return PlainValidator(check)


@cache
def method_class(params: type[PolicyParams], kind: type[Method]) -> Any:
    """The parameters of a policy, and what a method has beside them."""
    return create_model(f"{kind.__name__}{params.__qualname__.replace('.', '')}", __base__=(params, kind))


def _check_signature(name: str, method: PolicyParams) -> None:
    """Refuse parameters that a class of the user's does not take."""
    try:
        inspect.signature(policy_class(name)).bind(None, **policy_params(method))
    except (TypeError, ValueError) as error:
        raise refusal(f"{name} {error}") from None
