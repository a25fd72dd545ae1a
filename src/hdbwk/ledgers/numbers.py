"""Numbers as people read them."""


def short(value: float, digits: int = 3, sign: bool = False) -> str:
    """At least `digits` significant digits: all digits before the point are kept below a million."""
    plus = "+" if sign else ""
    return f"{value:{plus}.0f}" if 100 <= abs(value) < 1e6 else f"{value:{plus}.{digits}g}"
