"""Typed parameters: the types of their fields, and messages that name the key, its value and what is allowed."""

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Self

import numpy as np
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, Strict, ValidationError, model_validator
from pydantic_core import PydanticCustomError

LARGEST = 1_000_000
LABEL = r"[a-z][a-z0-9_]{0,59}"


def _matching(pattern: str, length: int, what: str) -> AfterValidator:
    """A check of text, described by a few words."""

    def check(text: str) -> str:
        if len(text) > length or not re.fullmatch(pattern, text):
            raise ValueError(f"must be {what} of at most {length} characters")
        return text

    return AfterValidator(check)


def distinct(values: list[Any]) -> list[Any]:
    """The list, if nothing occurs twice in it."""
    if any(value in values[:i] for i, value in enumerate(values)):
        raise ValueError(f"{values} must not name anything twice")
    return values


Size = Annotated[int, Strict(), Field(ge=1, le=LARGEST)]
Count = Annotated[int, Strict(), Field(ge=0, le=LARGEST)]
Number = Annotated[float, Strict(), Field(allow_inf_nan=False)]
NonNegative = Annotated[Number, Field(ge=0, le=LARGEST)]
Positive = Annotated[Number, Field(ge=1e-6, le=LARGEST)]
UnitInterval = Annotated[Number, Field(ge=0, le=1)]
Flag = Annotated[bool, Strict()]
Sizes = Annotated[list[Size], AfterValidator(distinct), Field(min_length=1, max_length=100)]
Label = Annotated[
    str,
    Strict(),
    _matching(LABEL, 60, 'a name of small letters, digits and "_" that begins with a letter'),
]
Folder = Annotated[
    str,
    Strict(),
    _matching(
        r"[A-Za-z0-9_][A-Za-z0-9_.-]*(/[A-Za-z0-9_][A-Za-z0-9_.-]*)*",
        200,
        'a folder inside the project, of letters, digits, "_", "." and "-",',
    ),
]

WISHES = {  # type of a pydantic error: what is asked for
    "greater_than_equal": "at least {ge}",
    "greater_than": "above {gt}",
    "less_than_equal": "at most {le}",
    "less_than": "below {lt}",
    "int_type": "an integer",
    "float_type": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "string_type": "text",
    "literal_error": "{expected}",
    "none_required": "null",
    "list_type": "a list",
    "dict_type": "a mapping of keys to values",
    "model_type": "a mapping of keys to values",
    "model_attributes_type": "a mapping of keys to values",
    "too_short": "a list of at least {min_length}",
    "too_long": "a list of at most {max_length}",
}


class SpecError(ValueError):
    """Parameters that are not allowed; the message has one line for each fault."""


class Spec(BaseModel):
    """
    Parameters that cannot be changed; an unknown one, or one of a wrong type, is an error.

    Attributes
    ----------
    renamed : mapping
        Keys of earlier versions with their new names.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)
    renamed: ClassVar[Mapping[str, str]] = {}

    @model_validator(mode="before")
    @classmethod
    def _accept(cls, data: Any) -> Any:
        """Refuse keys of earlier versions by their new names; take numpy's numbers for Python's."""
        if not isinstance(data, Mapping):
            return data
        old = [key for key in cls.renamed if key in data and key not in cls.model_fields]
        if old:
            raise refusal(*(f"@{key}: this key is called {cls.renamed[key]} now" for key in old))
        return {key: value.item() if isinstance(value, np.generic) else value for key, value in data.items()}

    @model_validator(mode="after")
    def _relate(self) -> Self:
        if lines := list(self.faults()):
            raise refusal(*lines)
        return self

    def faults(self) -> Iterator[str]:
        """What is wrong with keys that are right by themselves, one line each; "@" stands before the name of a key."""
        yield from ()

    @classmethod
    def read(cls, data: Any, place: str) -> Self:
        """The parameters that a part of a configuration holds; SpecError with the names of the keys below `place`."""
        try:
            return cls.model_validate(data)
        except ValidationError as error:
            raise SpecError("\n".join(refusals(error, data, place))) from None


class Shown(Spec):
    """
    The parameters of something that figures show.

    Attributes
    ----------
    family : str
        Its colour in figures, a key of `hdbwk.plotting.style.FAMILIES`; may be a property.
    """

    family: ClassVar[str] = "control"

    def label(self, method: str) -> str:
        """The name in legends of what the configuration calls `method`."""
        return method


def refusal(*lines: str) -> PydanticCustomError:
    """The error that a validator raises for faults with lines of their own; "@" stands before the name of a key."""
    return PydanticCustomError("refusal", "{lines}", {"lines": "\n".join(lines)})


def refusals(error: ValidationError, data: Any, place: str) -> list[str]:
    """One line for each fault: key, value, what is allowed."""
    lines: dict[str, list[str]] = {}
    for fault in error.errors():
        at = ".".join([*([place] if place else []), *_path(fault["loc"], data)])
        here, context = at or "the configuration", fault.get("ctx", {})
        match fault["type"]:
            case "refusal":
                lines |= {_placed(line, at): [] for line in context["lines"].split("\n")}
            case "missing" | "union_tag_not_found":
                key = "name" if "tag" in fault["type"] else str(fault["loc"][-1])
                lines[f"{here}: the key {key} is missing"] = []
            case "extra_forbidden" | "invalid_key":
                key = str(fault["loc"][-1])
                lines[f"{here}: there is no such key{did_you_mean(key, _known() - {key})}"] = []
            case "union_tag_invalid":
                lines[f"{here}.name = {context['tag']!r}"] = [context["expected_tags"].replace(", ", " or ")]
            case kind:
                wish = WISHES[kind].format(**context) if kind in WISHES else fault["msg"]
                lines.setdefault(f"{here}{_shown(fault['input'])}", []).append(wish)
    return [head + _wanted(wishes) for head, wishes in lines.items()]


def _wanted(wishes: Sequence[str]) -> str:
    """What would be right, where several types are."""
    if not wishes:
        return ""
    text = ", or ".join(dict.fromkeys(wishes))
    return f": {text.removeprefix('Value error, ')}" if text.startswith("Value error, ") else f": must be {text}"


def _shown(value: Any) -> str:
    return "" if isinstance(value, Mapping | list | BaseModel) else f" = {value!r}"


def _placed(line: str, at: str) -> str:
    return line.replace("@", f"{at}." if at else "") if "@" in line or not at else f"{at}: {line}"


def _path(loc: Sequence[Any], data: Any) -> list[str]:
    """The keys of a place in the data; the names that pydantic gives to members of unions are left out."""
    path = []
    for step in loc:
        if step in data if isinstance(data, Mapping) else isinstance(data, list) and step in range(len(data)):
            path.append(str(step))
            data = data[step]
    return path


def _known(kind: type[Spec] = Spec) -> set[str]:
    """The keys of all specs."""
    return {*kind.model_fields, *(name for below in kind.__subclasses__() for name in _known(below))}


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A question in brackets if a known name is near, else nothing."""
    close = difflib.get_close_matches(str(name), list(known), 1)
    return f" (did you mean {close[0]}?)" if close else ""
