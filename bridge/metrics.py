"""What the bridge has counted, in the words of Prometheus.  Imported when somebody asks for the first time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

import bridge
from bridge import protocol

if TYPE_CHECKING:
    from bridge.counts import Counts, Times

KIND = "text/plain; version=0.0.4; charset=utf-8"


def render(counts: Counts, connections: dict[str, int], waiting: int) -> bytes:
    """Return all of it as text.

    ``connections``: how many there are, by state; ``waiting``: answers that wait for the disk.
    """
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Told(list(_families(counts, connections, waiting))))
    ProcessCollector(registry=registry)
    return generate_latest(registry)


class _Told(Collector):
    def __init__(self, families: list[Metric]) -> None:
        self._families = families

    def collect(self) -> Iterable[Metric]:
        return self._families


def _families(counts: Counts, connections: dict[str, int], waiting: int) -> Iterable[Metric]:
    info = GaugeMetricFamily("bridge_build_info", "Which bridge this is.", labels=["version", "protocol"])
    info.add_metric([bridge.__version__, str(protocol.NEWEST)], 1)
    yield info
    open_ = GaugeMetricFamily("bridge_connections", "Connections that are open.", labels=["state"])
    for state, count in connections.items():
        open_.add_metric([state], count)
    yield open_
    yield GaugeMetricFamily("bridge_journal_unacked", "Answers that wait for the disk.", value=waiting)
    yield _by("bridge_auth_failures", "Wrong pairing codes and wrong proofs.", "reason", counts.auth_failures)
    yield _by("bridge_messages_received", "Messages that were taken.", "type", counts.received)
    yield _by("bridge_messages_rejected", "Messages that were answered with an error.", "reason", counts.rejected)
    yield _by("bridge_commands", "Answers to Foundry.", "result", counts.commands)
    yield _by("bridge_storage_errors", "Failures of the disk.", "kind", counts.storage_errors)
    yield _by("bridge_resume", "Conversations that were opened.", "kind", Counter(snapshot=counts.sessions))
    yield CounterMetricFamily("bridge_command_redeliveries", "Answers sent a second time.", value=counts.redeliveries)
    yield CounterMetricFamily(
        "bridge_lease_changes", "Conversations ended by another of the same browser.", value=counts.takeovers
    )
    yield CounterMetricFamily("bridge_queue_overflow", "Waits of a reader for the disk.", value=counts.overflows)
    yield _times("bridge_command_latency_seconds", "From an answer to its receipt.", counts.latency)
    yield _times("bridge_journal_commit_seconds", "From handing over to being on disk.", counts.commit)


def _by(name: str, text: str, label: str, counter: Counter[str]) -> Metric:
    family = CounterMetricFamily(name, text, labels=[label])
    for value, count in sorted(counter.items()):
        family.add_metric([value], count)
    return family


def _times(name: str, text: str, times: Times) -> Metric:
    total, buckets = 0, []
    for bound, count in zip((*map(str, times.bounds), "+Inf"), times.buckets, strict=True):
        total += count
        buckets.append((bound, total))
    return HistogramMetricFamily(name, text, buckets=buckets, sum_value=times.sum)
