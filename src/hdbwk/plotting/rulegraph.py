"""The graph of the workflow's rules: `snakemake --rulegraph | python -m hdbwk.plotting.rulegraph FILE...`."""

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.patches import FancyBboxPatch

from hdbwk.plotting.style import FAMILIES, look, save

HALF = 0.78  # half the width of a box; layers are 2 apart
Edges = list[tuple[str, str]]


def parsed(dot: str) -> tuple[dict[str, str], Edges]:
    """
    The nodes (name to label) and edges of a graph in the dot language.

    Examples
    --------
    >>> parsed('digraph { 0[label = "all"]; 1[label = "collect", color = "red"]; 1 -> 0 }')
    ({'0': 'all', '1': 'collect'}, [('1', '0')])
    """
    nodes = dict(re.findall(r'(\d+)\s*\[\s*label\s*=\s*"([^"\\]+)', dot))
    return nodes, re.findall(r"(\d+)\s*->\s*(\d+)", dot)


def layers(nodes: Sequence[str], edges: Edges) -> list[list[str]]:
    """
    The nodes by their longest way from a source, sources just before what they lead to, each layer in a good order.

    Examples
    --------
    >>> layers(["a", "b", "c"], [("a", "b"), ("b", "c"), ("a", "c")])
    [['a'], ['b'], ['c']]
    """
    before: dict[str, list[str]] = {node: [source for source, target in edges if target == node] for node in nodes}
    depth: dict[str, int] = {}

    def depth_of(node: str) -> int:
        if node not in depth:
            depth[node] = 1 + max(map(depth_of, before[node]), default=-1)
        return depth[node]

    deepest = max(map(depth_of, nodes))
    for node in (node for node in nodes if not before[node]):
        depth[node] = min((depth[target] for source, target in edges if source == node), default=1) - 1
    stacks = [[node for node in nodes if depth[node] == level] for level in range(deepest + 1)]
    place: dict[str, float] = {}
    for stack in stacks:
        stack.sort(key=lambda node: sum(place[source] for source in before[node]) / max(len(before[node]), 1))
        place |= {node: (i + 0.5) / len(stack) for i, node in enumerate(stack)}
    return stacks


def reduced(edges: Edges) -> Edges:
    """
    The edges that no longer way replaces.

    Examples
    --------
    >>> reduced([("a", "b"), ("b", "c"), ("a", "c")])
    [('a', 'b'), ('b', 'c')]
    """

    def leads(source: str, target: str) -> bool:
        return source == target or any(leads(after, target) for before, after in edges if before == source)

    return [
        (source, target)
        for source, target in edges
        if not any(leads(after, target) for before, after in edges if before == source and after != target)
    ]


def draw(dot: str, paths: Sequence[str | Path]) -> None:
    """Draw the graph from left to right."""
    nodes, edges = parsed(dot)
    stacks = layers(list(nodes), edges)
    places = {
        node: (2.0 * level, (len(stack) - 1) / 2 - i)
        for level, stack in enumerate(stacks)
        for i, node in enumerate(stack)
    }
    with look():
        figure, ax = plt.subplots(figsize=(1.7 * len(stacks), 0.45 * max(map(len, stacks)) + 0.4))
        arrow = {"arrowstyle": "-|>", "color": "0.6", "linewidth": 0.7, "shrinkA": 0, "shrinkB": 0}
        for source, target in reduced(edges):
            (x, y), (to_x, to_y) = places[source], places[target]
            ax.annotate("", xy=(to_x - HALF, to_y), xytext=(x + HALF, y), arrowprops=arrow)
        box: Any = {"boxstyle": "round,pad=0,rounding_size=0.1", "fc": "white", "ec": FAMILIES["online_ht"]}
        for node, (x, y) in places.items():
            ax.add_patch(FancyBboxPatch((x - HALF, y - 0.28), 2 * HALF, 0.56, zorder=4, **box))
            ax.text(x, y, nodes[node], ha="center", va="center", fontsize=7, zorder=5)
        ax.set(xlim=(-1, 2 * len(stacks) - 1), ylim=(-max(map(len, stacks)) / 2 - 0.2, max(map(len, stacks)) / 2 + 0.2))
        ax.axis("off")
        save(figure, paths)


if __name__ == "__main__":
    draw(sys.stdin.read(), sys.argv[1:])
