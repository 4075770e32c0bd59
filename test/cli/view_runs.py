#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""view_runs.py: the data of a page with a history on standard input, its packed runs unpacked into "jobs" as those of other
pages are, as docs/view.md describes the form, on standard output."""
import json
import sys


def rounded(value):
    """As storus prints it."""
    return float("%.9g" % value)


def column(text, steps=False):
    numbers, last = [], 0
    for item in filter(None, text.split(",")):
        value, _, times = item.partition("*")
        for _ in range(int(times or 1)):
            last = last + int(value) if steps else int(value)
            numbers.append(last)
    return numbers


def hostlist(names):
    """As Slurm folds names of one stem, in the order of the names."""
    groups = []
    for name in names:
        stem = name.rstrip("0123456789")
        if groups and groups[-1][0] == stem and int(name[len(stem):]) == int(groups[-1][1][-1][1]) + 1:
            groups[-1][1][-1][1] = name[len(stem):]
        elif groups and groups[-1][0] == stem:
            groups[-1][1].append([name[len(stem):]] * 2)
        else:
            groups.append((stem, [[name[len(stem):]] * 2]))
    return ",".join(stem + ("%s" if len(ranges) == 1 and ranges[0][0] == ranges[0][1] else "[%s]") %
                    ",".join(a if a == b else a + "-" + b for a, b in ranges) for stem, ranges in groups)


def ranklist(text):
    numbers = []
    for item in filter(None, text.split(",")):
        first, _, last = item.partition("-")
        first, last = int(first), int(last or first)
        numbers.extend(range(first, last + 1) if first <= last else range(first, last - 1, -1))
    return numbers


def unpack(data):
    runs = data.pop("runs")
    jobs = [{"parts": []} for _ in range(runs["count"])]
    for name, texts in runs["texts"].items():
        for job, at in zip(jobs, column(texts["at"], True)):
            if at >= 0:
                job[name] = texts["values"][at]
    for job, start, seconds in zip(jobs, column(runs["start"], True), column(runs["seconds"])):
        job.update(start=start, end=start + seconds)
    parts = {name[5:]: column(text, name == "part_run") for name, text in runs.items() if name.startswith("part_")}
    gaps, lengths = iter(column(runs["interval_gap"])), iter(column(runs["interval_length"]))
    assert all(len(numbers) == runs["parts"] for numbers in parts.values())
    for i in range(runs["parts"]):
        part = {name: numbers[i] for name, numbers in parts.items()}
        job = jobs[part.pop("run")]
        if part["torus"] < 0:
            job["parts"].append({"torus": None, "nodes": part["nodes"], "nodelist": runs["outside"][str(i)]})
            continue
        torus, numbers, at = data["tori"][part["torus"]], [], 0
        for _ in range(part["intervals"]):
            at += next(gaps)
            length = next(lengths)
            numbers.extend(range(at, at + length))
            at += length
        if not part["by_node"]:
            node_of = {rank: node for node, rank in enumerate(ranklist(torus["ranks"]))}
            numbers = sorted(node_of[rank] for rank in numbers)
        n = part["nodes"]
        assert n == len(numbers)
        job["parts"].append({
            "torus": part["torus"], "nodes": n, "nodelist": hostlist([torus["names"][node] for node in numbers]),
            "box": runs["boxes"][part["box"]], "origin": part["origin"], "diameter": part["diameter"],
            "components": part["components"], "stretch_span": rounded(part["span"] / n),
            "average_distance": rounded(part["summed_distance"] / (n * (n - 1))) if n > 1 else 0})
    assert next(gaps, None) is None and next(lengths, None) is None
    data["jobs"] = jobs
    return data


if __name__ == "__main__":
    json.dump(unpack(json.load(sys.stdin)), sys.stdout)
