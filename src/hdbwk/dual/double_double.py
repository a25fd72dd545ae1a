"""Numbers of twice the precision: the unevaluated sum of a high and a low double.

Every operation has a relative error of at most a few UNIT^2. Values beyond 1e300 give NaN, which certifies nothing.
"""

from hdbwk.core.compiled import kernel

UNIT = 2.0**-53  # relative error of one rounding of a double
SPLITTER = 2.0**27 + 1.0


@kernel
def two_sum(a, b):
    """a + b rounded, and its error."""
    total = a + b
    rest = total - a
    return total, (a - (total - rest)) + (b - rest)


@kernel
def two_product(a, b):
    """A product a b rounded, and its error (Dekker)."""
    scaled = SPLITTER * a
    a_high = scaled - (scaled - a)
    scaled = SPLITTER * b
    b_high = scaled - (scaled - b)
    a_low, b_low = a - a_high, b - b_high
    product = a * b
    return product, a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low)


@kernel
def add(high, low, other_high, other_low):
    """The sum of two such numbers."""
    total, error = two_sum(high, other_high)
    low, low_error = two_sum(low, other_low)
    total, error = two_sum(total, error + low)
    return two_sum(total, error + low_error)


@kernel
def add_product(high, low, a_high, a_low, b):
    """(high + low) + (a_high + a_low) b."""
    product, error = two_product(a_high, b)
    return add(high, low, product, error + a_low * b)


@kernel
def divide(high, low, n):
    """(high + low) / n."""
    quotient = high / n
    product, error = two_product(quotient, n)
    return two_sum(quotient, (((high - product) - error) + low) / n)
