"""Reads a Prometheus exposition with the parser of prometheus_client and prints what it holds.

Standard input is the text; standard output is a JSON object: for each family its type, its help and
its samples. What a scraper would accept and still get wrong (a family that comes twice, a series
that comes twice, a histogram that does not add up) is refused.
"""

import json
import math
import sys

from prometheus_client.parser import text_string_to_metric_families


def check_histogram(name: str, samples: list) -> None:
    series: dict = {}
    for sample in samples:
        rest = tuple(sorted((k, v) for k, v in sample.labels.items() if k != "le"))
        part = series.setdefault(rest, {"buckets": [], "sum": None, "count": None})
        if sample.name == name + "_bucket":
            part["buckets"].append((float(sample.labels["le"]), sample.value))
        elif sample.name == name + "_sum":
            part["sum"] = sample.value
        elif sample.name == name + "_count":
            part["count"] = sample.value
        else:
            raise ValueError(f"{name}: strange sample {sample.name}")
    for labels, part in series.items():
        bounds = [bound for bound, _ in part["buckets"]]
        counts = [count for _, count in part["buckets"]]
        if bounds != sorted(set(bounds)) or counts != sorted(counts):
            raise ValueError(f"{name} {labels}: buckets do not ascend")
        if not bounds or bounds[-1] != math.inf or counts[-1] != part["count"]:
            raise ValueError(f"{name} {labels}: the last bucket is not the count")
        if part["sum"] is None or (part["count"] == 0) != (part["sum"] == 0):
            raise ValueError(f"{name} {labels}: the sum does not fit the count")


def read(text: str) -> dict:
    families: dict = {}
    for family in text_string_to_metric_families(text):
        # The parser takes `_total` off a counter's name.
        name = family.name + ("_total" if family.type == "counter" else "")
        if name in families:
            raise ValueError(f"{name} comes twice")
        if family.type not in ("counter", "gauge", "histogram") or not family.documentation:
            raise ValueError(f"{name} has no type or no help")
        seen = set()
        for sample in family.samples:
            key = (sample.name, tuple(sorted(sample.labels.items())))
            if key in seen:
                raise ValueError(f"{key} comes twice")
            seen.add(key)
            if not math.isfinite(sample.value) or sample.value < 0 or sample.timestamp is not None:
                raise ValueError(f"{key} is {sample.value}")
        if family.type == "histogram":
            check_histogram(family.name, family.samples)
        families[name] = {
            "type": family.type, "help": family.documentation,
            "samples": [{"name": s.name, "labels": s.labels, "value": s.value}
                        for s in family.samples]}
    return families


if __name__ == "__main__":
    print(json.dumps(read(sys.stdin.read())))
