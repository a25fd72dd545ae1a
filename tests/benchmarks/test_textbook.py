"""What the figures would take by the textbook, which the benchmark compares with."""

from helpers.specs import smoke

from benchmarks.textbook import textbook_seconds


def test_methods_of_the_paper_are_measured_and_others_cost_what_they_cost_us():
    specs = {kind: smoke(kind) for kind in ("recovery", "bandit", "cbwk")}
    shown = [("recovery", "online_ht_s20"), ("bandit", "greedy_s10"), ("cbwk", "primal_dual_s10")]
    costs = textbook_seconds(specs, dict.fromkeys([*shown, ("cbwk", "resolving_s10"), ("cbwk", "lincbwk")], -1.0))
    assert costs["cbwk", "lincbwk"] == -1
    assert all(costs[place] > 0 for place in shown)
    assert costs["cbwk", "resolving_s10"] > costs["cbwk", "primal_dual_s10"]
