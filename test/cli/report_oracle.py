#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""report_oracle.py STORUS SEED COUNT: makes COUNT random histories and machines, and works out
the report of each the slow way: all pairs of nodes, a search for pieces, every moment at
which anything changes from the beginning. Compares with `storus report --format json`.
Prints the seed of the first that differs, and leaves its files in the working directory."""
import datetime
import json
import itertools
import os
import random
import subprocess
import sys
import time

DAY = 86400
# A Monday at midnight in the zone of the tests, an hour ahead of UTC and two in summer, a
# week before clocks are put back on 2026-10-25.
ZONE = "CET-1CEST,M3.5.0,M10.5.0/3"
MONDAY = int(datetime.datetime(2026, 10, 18, 22, tzinfo=datetime.timezone.utc).timestamp())
WEEKS = [MONDAY, MONDAY + 7 * DAY + 3600, MONDAY + 14 * DAY + 3600, MONDAY + 21 * DAY + 3600]
NAMES = ["2026-10-19", "2026-10-26", "2026-11-02"]
IDLE = ["idle_unwanted_hours", "idle_too_few_hours", "idle_scattered_hours", "idle_held_hours"]


class Torus:
    def __init__(self, name, letter, rng):
        self.name = name
        self.dims = [rng.randint(1, 5) for _ in range(rng.randint(1, 3))]
        self.wrap = [rng.random() < 0.5 for _ in self.dims]
        self.per_router = rng.choice([1, 1, 2])
        # x fastest; the nodes of a router one after the other
        self.cells = [c[::-1] for c in itertools.product(*[range(k) for k in self.dims[::-1]])]
        self.cell = [cell for cell in self.cells for _ in range(self.per_router)]
        self.names = [f"{letter}{i}" for i in range(len(self.cell))]
        self.ring = any(self.wrap)

    def line(self):
        wrap = ",".join("1" if w else "0" for w in self.wrap)
        dims = "x".join(map(str, self.dims))
        return (f"TorusName={self.name} Dims={dims} Wrap={wrap} Nodes={self.names[0][0]}[0-{len(self.names) - 1}] "
                f"NodesPerRouter={self.per_router} Curve=row_major Allocator=best_fit\n")

    def hops(self, a, b):
        return sum(min(abs(x - y), k - abs(x - y)) if w else abs(x - y)
                   for x, y, k, w in zip(a, b, self.dims, self.wrap))

    def mean_hops(self, nodes):
        pairs = [(a, b) for a in nodes for b in nodes if a != b]
        return sum(self.hops(self.cell[a], self.cell[b]) for a, b in pairs) / len(pairs)

    def pieces(self, nodes):
        left, count = set(nodes), 0
        while left:
            count += 1
            edge = [left.pop()]
            while edge:
                here = edge.pop()
                near = {n for n in left if self.hops(self.cell[here], self.cell[n]) <= 1}
                left -= near
                edge += near
        return count

    def arc(self, axis, used):
        """The coordinates of the bounding box: the smallest arc, of several the one that begins lowest."""
        k = self.dims[axis]
        if not self.wrap[axis]:
            return list(range(min(used), max(used) + 1))
        for length in range(1, k + 1):
            for begin in range(k):
                arc = [(begin + i) % k for i in range(length)]
                if set(used) <= set(arc):
                    return arc
        raise AssertionError

    def box(self, nodes):
        return set(itertools.product(*[self.arc(axis, [self.cell[n][axis] for n in nodes])
                                       for axis in range(len(self.dims))]))

    def longest_interval(self, idle):
        n = len(self.cell)
        if len(idle) == n:
            return n
        best = here = 0
        for i in range(2 * n if self.ring else n):
            here = here + 1 if i % n in idle else 0
            best = max(best, here)
        return best


def make_case(rng):
    tori = [Torus("main", "n", rng)]
    if rng.random() < 0.4:
        tori.append(Torus("other", "m", rng))
    owner = {name: (t, i) for t, torus in enumerate(tori) for i, name in enumerate(torus.names)}
    all_names = list(owner)
    jobs, lines = [], []
    for number in range(1, rng.randint(2, 25)):
        submit = MONDAY - 3 * DAY + rng.randrange(27 * DAY)
        if rng.random() < 0.3:
            submit = MONDAY + rng.randrange(3) * 3 * DAY
        eligible = submit + rng.choice([0, 0, rng.randrange(DAY)])
        start = eligible + rng.choice([0, rng.randrange(2 * DAY)])
        end = start + rng.choice([0, rng.randrange(9 * DAY)])
        kind = rng.choice(["ran"] * 7 + ["running", "pending", "cancelled"])
        pool = rng.choice([all_names, rng.choice(tori).names])
        names = rng.sample(pool, rng.randint(1, len(pool)))
        if rng.random() < 0.1:
            names.append("elsewhere7")
        asked = rng.randint(1, len(all_names) + 2)
        job = dict(id=str(number), user=rng.choice(["ada", "bob", ""]), account=rng.choice(["a&b", "<i>", "c"]),
                   partition=rng.choice(["p", "q"]), waited=eligible, names=names, nodes=len(names), token=None)
        if kind in ("ran", "running"):
            job.update(start=start, end=end if kind == "ran" else None)
            if rng.random() < 0.3:
                job["token"] = (rng.choice(["main", "gone"]), len(names) + rng.choice([0, 0, 0, 1]),
                                rng.choice([0.01, 1.25]))
        else:
            job.update(start=None, end=None if kind == "pending" else start, nodes=asked)
        jobs.append(job)
        comment = "of a user" if job["token"] is None else \
            "x torus=%s,nodes=%d,span=9,box=3x3,avghops=%.2f y" % job["token"]
        state = {"ran": "COMPLETED", "running": "RUNNING", "pending": "PENDING", "cancelled": "CANCELLED by 7"}[kind]
        ran = kind in ("ran", "running")
        lines.append("|".join(str(field) for field in (
            number, job["user"], job["account"], job["partition"], submit, eligible,
            start if ran else "Unknown", "Unknown" if job["end"] is None else job["end"],
            asked, len(names) if ran else 0, state, ",".join(names) if ran else "None assigned", comment,
            "JS1:anything of theirs")))
    rng.shuffle(lines)
    outages = []
    for _ in range(rng.randrange(4)):
        begin = MONDAY - DAY + rng.randrange(20 * DAY)
        outages.append((rng.choice(all_names), begin, begin + 1 + rng.randrange(9 * DAY)))
    return tori, owner, jobs, lines, outages


class Sums:
    def __init__(self):
        self.jobs = self.began = self.waited = self.weight = self.several = self.hops_weight = 0
        self.hops = self.beside = self.alone = self.alone_weight = 0
        self.place_weight = self.one = self.pieces = self.fill = self.foreign = 0

    def count(self, run):
        self.jobs += 1
        if run["began"]:
            self.began += 1
            self.waited += run["start"] - run["waited"]

    def add(self, run, weight):
        self.weight += weight
        if run["nodes"] > 1:
            self.several += weight
        if run["hops"] is not None:
            self.hops_weight += weight
            self.hops += weight * run["hops"]
            if run["alone"] is not None:
                self.alone_weight += weight
                self.beside += weight * run["hops"]
                self.alone += weight * run["alone"]
        if run["pieces"] is not None:
            self.place_weight += weight
            self.one += weight * (run["pieces"] == 1)
            self.pieces += weight * run["pieces"]
            self.fill += weight * run["fill"]
            self.foreign += weight * run["foreign"]

    def means(self):
        def mean(a, b):
            return a / b if b else None
        out = dict(jobs=self.jobs, node_hours=self.weight / 3600, mean_hops=mean(self.hops, self.hops_weight),
                   alone_hops=mean(self.alone, self.alone_weight), ratio=mean(self.beside, self.alone),
                   excess_hop_hours=(self.beside - self.alone) / 3600 if self.alone_weight else None,
                   pieces=mean(self.pieces, self.place_weight), one_piece=mean(self.one, self.place_weight),
                   box_fill=mean(self.fill, self.place_weight), foreign_nodes=mean(self.foreign, self.place_weight),
                   mean_wait=mean(self.waited, self.began), measured=mean(self.hops_weight, self.several))
        return {key: value for key, value in out.items() if value is not None}


def clip(jobs, begin, end):
    """The runs of the span, and who waited in it."""
    runs, waiting = [], []
    for job in jobs:
        if job["start"] is None:
            waiting.append((job["waited"], min(end, end if job["end"] is None else job["end"]), job["nodes"]))
            continue
        waiting.append((job["waited"], min(job["start"], end), job["nodes"]))
        last = min(end, end if job["end"] is None else job["end"])
        began = job["start"] >= begin
        if job["start"] < end and (last > begin or began):
            runs.append(dict(job, start=max(begin, job["start"]), end=last, began=began))
    return runs, waiting


def measure(run, runs, tori, owner):
    run.update(hops=None, alone=None, pieces=None, fill=None, foreign=None)
    run["places"] = [owner[name] for name in run["names"] if name in owner]
    on = {t for t, _ in run["places"]}
    if len(run["places"]) == len(run["names"]) > 1 and len(on) == 1:
        torus = tori[on.pop()]
        nodes = [i for _, i in run["places"]]
        box = torus.box(nodes)
        run["hops"], run["alone"] = torus.mean_hops(nodes), torus.mean_hops(range(len(nodes)))
        run["pieces"] = torus.pieces(nodes)
        run["fill"] = len({torus.cell[n] for n in nodes}) / len(box)
        held = set()
        for other in runs:
            now = run["start"]
            if other is not run and (other["start"] <= now < other["end"] or other["start"] == now == other["end"]):
                held |= {name for name in other["names"] if name in owner and tori[owner[name][0]] is torus}
        run["foreign"] = sum(torus.cell[owner[name][1]] in box for name in held)
    if run["token"] and run["nodes"] > 1 and run["token"][1] == run["nodes"]:
        name, count, hops = run["token"]
        if run["hops"] is None or abs(run["hops"] - hops) > 0.00501:
            run.update(hops=hops, alone=None, pieces=None)
            for torus in tori:
                if torus.name == name and count <= len(torus.cell):
                    run["alone"] = torus.mean_hops(range(count))


def idle_kind(tori, owner, idle, asked):
    if not asked:
        return 0
    need = min(asked)
    if need > max(len(torus.cell) for torus in tori):
        return 3 if need <= len(idle) else 1
    most = [{owner[name][1] for name in idle if owner[name][0] == t} for t in range(len(tori))]
    if need > max(len(nodes) for nodes in most):
        return 1
    return 3 if any(torus.longest_interval(nodes) >= need for torus, nodes in zip(tori, most)) else 2


def use_of(begin, end, runs, waiting, outages, tori, owner):
    use = dict.fromkeys(["used_hours", "down_hours"] + IDLE, 0)
    times = {begin, end}
    for run in runs:
        times |= {run["start"], run["end"]}
    for a, b, *_ in waiting:
        times |= {a, b}
    for _, a, b in outages:
        times |= {a, b}
    times = sorted(t for t in times if begin <= t <= end)
    for a, b in zip(times, times[1:]):
        held = {name for run in runs if run["start"] <= a < run["end"] for name in run["names"]} & set(owner)
        down = {name for name, x, y in outages if x <= a < y} - held
        idle = set(owner) - held - down
        asked = [nodes for x, y, nodes in waiting if x <= a < y]
        use["used_hours"] += len(held) * (b - a) / 3600
        use["down_hours"] += len(down) * (b - a) / 3600
        if idle:
            use[IDLE[idle_kind(tori, owner, idle, asked)]] += len(idle) * (b - a) / 3600
    return use


def size_name(nodes):
    high = 1
    while high < nodes:
        high *= 2
    return str(high) if high <= 2 else f"{high // 2 + 1}-{high}"


def work_out(case, begin, end):
    tori, owner, jobs, _, outages = case
    runs, waiting = clip(jobs, begin, end)
    for run in runs:
        measure(run, runs, tori, owner)
    report = {by: {} for by in ("account", "user", "partition", "size", "week")}
    total = Sums()
    for run in runs:
        names = dict(account=run["account"], user=run["user"] or "-", partition=run["partition"],
                     size=size_name(run["nodes"]))
        for sums in [total] + [report[by].setdefault(name, Sums()) for by, name in names.items()]:
            sums.count(run)
            sums.add(run, (run["end"] - run["start"]) * run["nodes"])
    result = {by: {name: sums.means() for name, sums in groups.items()} for by, groups in report.items()}
    result["total"] = dict(total.means(), **use_of(begin, end, runs, waiting, outages, tori, owner))
    for week, name in enumerate(NAMES):
        low, high = max(begin, WEEKS[week]), min(end, WEEKS[week + 1])
        if low >= high:
            continue
        sums = Sums()
        for run in runs:
            # What is on at the end of the span alone is of its last week.
            if low <= run["start"] < high:
                sums.count(run)
            if min(run["end"], high) > max(run["start"], low):
                sums.add(run, (min(run["end"], high) - max(run["start"], low)) * run["nodes"])
        result["week"][name] = dict(sums.means(), **use_of(low, high, runs, waiting, outages, tori, owner))
    return result, runs


def same(a, b):
    return abs(a - b) <= 1e-6 * max(1, abs(a), abs(b))


def compare(ours, theirs, where):
    assert set(ours) == set(theirs), (where, sorted(set(ours) ^ set(theirs)))
    for key, value in ours.items():
        assert same(value, theirs[key]), (where, key, "oracle", value, "storus", theirs[key])


def check(storus, seed):
    rng = random.Random(seed)
    case = make_case(rng)
    tori, _, _, lines, outages = case
    with open("torus.conf", "w") as file:
        file.writelines(torus.line() for torus in tori)
    with open("history", "w") as file:
        file.write("JobIDRaw|User|Account|Partition|Submit|Eligible|Start|End|ReqNodes|AllocNodes|State|NodeList|"
                   "SystemComment|AdminComment\n")
        file.writelines(line + "\n" for line in lines)
    with open("outages", "w") as file:
        file.writelines("%s %d %d\n" % outage for outage in outages)
    begin = WEEKS[0] + rng.choice([0, rng.randrange(8 * DAY)])
    end = begin + 1 + rng.randrange(WEEKS[3] - begin)
    expected, runs = work_out(case, begin, end)
    local = [datetime.datetime.fromtimestamp(t) for t in (begin, end)]
    # In the hour that clocks show twice, a moment in local time is not certain.
    if any(moment.replace(fold=0).timestamp() != moment.replace(fold=1).timestamp() for moment in local):
        return False
    moments = [moment.strftime("%Y-%m-%dT%H:%M:%S") for moment in local]
    ran = subprocess.run([storus, "report", "--conf", "torus.conf", "--from-sacct", "history", "--outages", "outages",
                          "--from", moments[0], "--to", moments[1], "--format", "json", "--worst", "5"],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if not runs:
        assert ran.returncode == 2 and "no job ran" in ran.stderr, ran
        return False
    assert ran.returncode == 0, ran.stderr
    got = json.loads(ran.stdout)
    assert (got["from"], got["to"]) == (begin, end)
    got["total"].pop("name")
    compare(expected["total"], got["total"], "total")
    for by in ("account", "user", "partition", "size", "week"):
        rows = {row.pop("name"): row for row in got[by]}
        assert len(rows) == len(got[by]) and set(rows) == set(expected[by]), (by, rows, expected[by])
        for name, row in rows.items():
            compare(expected[by][name], row, (by, name))
    lost = sorted(((run["end"] - run["start"]) * run["nodes"] * (run["hops"] - run["alone"]) / 3600
                   for run in runs if run["alone"] is not None), reverse=True)
    lost = [value for value in lost if value > 1e-9][:5]
    assert len(lost) == len([row for row in got["job"] if row["excess_hop_hours"] > 1e-9]), (lost, got["job"])
    assert all(same(a, row["excess_hop_hours"]) for a, row in zip(lost, got["job"])), (lost, got["job"])
    return True


def main():
    os.environ["TZ"] = ZONE
    time.tzset()
    storus, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    checked = 0
    for number in range(seed, seed + count):
        try:
            checked += check(storus, number)
        except AssertionError as error:
            print(f"seed {number}: {error} (line {error.__traceback__.tb_next.tb_lineno})")
            sys.exit(1)
    print(f"{checked} of {count} compared")
    sys.exit(0 if 2 * checked > count else 1)


main()
