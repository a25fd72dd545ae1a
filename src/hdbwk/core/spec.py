"""Typed parameters: the types of their fields, and messages that name the key, its value and what is allowed."""

import difflib
from collections.abc import Iterable
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, Strict

Size = Annotated[int, Strict(), Field(ge=1)]
Count = Annotated[int, Strict(), Field(ge=0)]
Number = Annotated[float, Strict(), Field(allow_inf_nan=False)]
NonNegative = Annotated[Number, Field(ge=0)]
Positive = Annotated[Number, Field(gt=0)]
Share = Annotated[Number, Field(gt=0, lt=1)]
Flag = Annotated[bool, Strict()]


class Spec(BaseModel):
    """Parameters that cannot be changed; an unknown one, or one of a wrong type, is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A question in brackets if a known name is near, else nothing."""
    close = difflib.get_close_matches(str(name), list(known), 1)
    return f" (did you mean {close[0]}?)" if close else ""
