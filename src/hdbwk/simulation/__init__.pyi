from .loop import PolicyError as PolicyError
from .loop import Record as Record
from .loop import simulate as simulate
from .recovery import recover as recover
