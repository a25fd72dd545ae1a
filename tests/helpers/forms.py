"""The same numbers in other forms of memory."""

import tempfile

import numpy as np


def read_only(array):
    array = np.array(array)
    array.flags.writeable = False
    return array


def on_disk(array):
    """A file that is mapped into memory for reading."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(np.ascontiguousarray(array).tobytes())
        file.flush()
        return np.memmap(file.name, dtype=array.dtype, mode="r", shape=array.shape)


def unaligned(array):
    """One byte behind a place where processors like numbers to begin."""
    copy = np.zeros(array.nbytes + 1, dtype=np.uint8)[1:].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


FORMS = {
    "read-only": read_only,
    "Fortran": np.asfortranarray,
    "memory map": on_disk,
    "unaligned": unaligned,
    "big-endian": lambda array: array.astype(">f8"),
    "every second": lambda array: np.repeat(array, 2, axis=-1)[..., ::2],
    "backwards": lambda array: np.array(array[::-1])[::-1],
    "long": lambda array: array.astype(np.longdouble),
    "objects": lambda array: array.astype(object),
    "list": np.ndarray.tolist,
}
