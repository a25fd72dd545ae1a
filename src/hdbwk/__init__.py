"""High-dimensional linear bandits with knapsacks: the reference replication of Ma, Xia and Jiang."""

import lazy_loader

__version__ = "1.0.0"
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
