"""headway: are programs guaranteed to terminate under the progress models of GPUs?

>>> import headway
>>> test = headway.parse('''litmus wait
... locations f;
... thread 0 { f = 1; }
... thread 1 { while (Load(f) == 0); }
... ''')[0]
>>> headway.check(test)["verdicts"]["HSA"]
{'weak': 'pass', 'strong': 'pass'}

Wrong input raises headway.Error, a ValueError with message, file, line and column. Limits and
cancellations are answers: verdicts "unknown", "complete" False.
"""

from __future__ import annotations

import html
import shutil
import subprocess
from typing import Any, Callable, Iterable, Iterator, Optional, Sequence, Union

from . import _headway
from ._headway import (Cancellation, Error, Expectation, Limits, Model, Test, __version__,
                       all_models, find_model, parse, read, standard_models)

__all__ = ["Cancellation", "Error", "Expectation", "Explanation", "Limits", "Model", "Test",
           "TransitionSystem", "all_models", "check", "compare", "explain", "find_model", "parse",
           "read", "standard_models", "synthesize", "table", "transition_system"]

ModelLike = Union[Model, str]


def _model(model: ModelLike) -> Model:
    return find_model(model) if isinstance(model, str) else model


def _weak(fairness: str) -> bool:
    if fairness not in ("weak", "strong"):
        raise ValueError(f"expected 'weak' or 'strong', found {fairness!r}")
    return fairness == "weak"


def check(test: Test, models: Iterable[ModelLike] = (), limits: Optional[Limits] = None
          ) -> dict[str, Any]:
    """The verdicts of a test, by model and fairness, and what follows from them; of the six
    standard models where none is given."""
    return _headway.check(test, [_model(model) for model in models], limits or Limits())


def table(results: Iterable[dict[str, Any]]) -> list[dict[str, str]]:
    """What check() returned as rows of test, model, fairness and verdict: pandas.DataFrame(rows)
    takes them as they are."""
    return [{"test": result["test"], "model": model, "fairness": fairness, "verdict": verdict}
            for result in results
            for model, readings in result["verdicts"].items()
            for fairness, verdict in readings.items()]


class Explanation(dict[str, Any]):
    """Why a test fails or passes: verdict, summary, text, and of a failure stem and cycle, lists of
    steps. Notebooks show the steps as tables."""

    def __str__(self) -> str:
        return str(self["text"])

    def _repr_html_(self) -> str:
        columns = ("thread", "line", "statement", "effect", "memory", "fair")
        parts = [f"<p><b>{html.escape(self['test'])}</b> under {html.escape(self['model'])}, "
                 f"{self['fairness']}ly fair: {self['verdict']}. {html.escape(self['summary'])}</p>"]
        for part, title in (("stem", "once"), ("cycle", "for ever")):
            if not self[part]:
                continue
            head = "".join(f"<th>{column}</th>" for column in columns)
            rows = "".join("<tr>" + "".join(f"<td><code>{html.escape(str(step[column]))}</code></td>"
                                            for column in columns) + "</tr>"
                           for step in self[part])
            parts.append(f"<table><caption>{part}, {title}</caption><tr>{head}</tr>{rows}</table>")
        if not self["stem"] and not self["cycle"]:
            parts.append(f"<pre>{html.escape(self['text'])}</pre>")
        return "".join(parts)


def explain(test: Test, model: ModelLike, fairness: str = "weak",
            limits: Optional[Limits] = None) -> Explanation:
    """Why a test fails, or passes, under a model."""
    return Explanation(_headway.explain(test, _model(model), _weak(fairness), limits or Limits()))


class TransitionSystem:
    """The transition system of a test. `states` are dictionaries with memory, threads, fair and
    on_fair_cycle, the first the initial one; `edges` are (from, to, {"thread", "label"}), which
    networkx.MultiDiGraph(edges) takes as they are. `complete` is False where a limit was reached."""

    def __init__(self, states: list[dict[str, Any]], edges: list[tuple[int, int, int, str]],
                 dot: str, complete: bool) -> None:
        self.states = states
        self.edges: list[tuple[int, int, dict[str, Any]]] = [
            (begin, end, {"thread": thread, "label": label}) for begin, end, thread, label in edges]
        self.dot = dot
        self.complete = complete

    def __repr__(self) -> str:
        return (f"<headway.TransitionSystem {len(self.states)} states, "
                f"{len(self.edges)} transitions>")

    def nodes(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """For networkx: graph.add_nodes_from(system.nodes())."""
        return iter(enumerate(self.states))

    def to_networkx(self) -> Any:
        import networkx

        graph = networkx.MultiDiGraph()
        graph.add_nodes_from(self.nodes())
        graph.add_edges_from(self.edges)
        return graph

    def _repr_svg_(self) -> Optional[str]:
        """A drawing by Graphviz; none where it is not installed."""
        program = shutil.which("dot")
        if program is None or not self.dot:
            return None
        return subprocess.run([program, "-Tsvg"], input=self.dot, capture_output=True, text=True,
                              check=True).stdout

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{number}</td><td><code>{html.escape(state['memory'])}</code></td>"
            f"<td><code>{html.escape(' | '.join(state['threads']))}</code></td>"
            f"<td>{html.escape(state['fair'])}</td>"
            f"<td>{', '.join(str(e) for b, e, _ in self.edges if b == number)}</td></tr>"
            for number, state in enumerate(self.states[:100]))
        return ("<table><tr><th>state</th><th>memory</th><th>threads</th><th>F</th><th>to</th></tr>"
                f"{rows}</table>")


def transition_system(test: Test, model: Optional[ModelLike] = None, fairness: str = "weak",
                      limits: Optional[Limits] = None) -> TransitionSystem:
    """The transition system of a test, with what a model guarantees where one is given."""
    return TransitionSystem(*_headway.transition_system(
        test, None if model is None else _model(model), _weak(fairness), limits or Limits()))


def compare(a: Any, b: Any, *, threads: int = 3, models: Iterable[ModelLike] = (),
            limits: Optional[Limits] = None) -> Any:
    """How two models relate, for so many threads: "equal", "below" (what passes under A passes under
    B), "above" or "incomparable"; or how two lists of tests differ, a dictionary."""
    if isinstance(a, (Model, str)):
        return _headway.compare_models(_model(a), _model(b), threads)
    return _headway.compare_tests(list(a), list(b), [_model(model) for model in models],
                                  limits or Limits())


def synthesize(threads: int = 2, instructions: int = 3, *, locations: int = 2, values: int = 2,
               minimal_for: Iterable[ModelLike] = (), passes: Sequence[str] = (),
               fails: Sequence[str] = (), shard: int = 1, shards: int = 1,
               found: Optional[Callable[[Test], Optional[bool]]] = None,
               limits: Optional[Limits] = None) -> Any:
    """All tests within bounds, as a list. With `found`, which is called with each as it comes and
    ends the search by returning False, a dictionary with tests, complete and stopped_by.
    `passes` and `fails` hold readings: "OBE:weak"."""
    filters = []
    for readings, expected in ((passes, True), (fails, False)):
        for reading in readings:
            name, _, fairness = reading.partition(":")
            for each in (fairness,) if fairness else ("weak", "strong"):
                filters.append((find_model(name), _weak(each), expected))
    tests: list[Test] = []

    def keep(test: Test) -> bool:
        tests.append(test)
        return True

    done = _headway.synthesize(
        found or keep, threads=threads, instructions=instructions, locations=locations,
        values=values, minimal_for=[_model(model) for model in minimal_for], filters=filters,
        shard=shard, shards=shards, limits=limits or Limits())
    if found is None:
        if not done["complete"]:
            raise TimeoutError(f"the search was stopped: {done['stopped_by']}; with found= what was "
                               "found by then is kept")
        return tests
    return done
