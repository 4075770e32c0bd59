#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""view_seen.py SEED: whether what pages of `storus view` show is true and can be seen: histories at many moments, nodes that
jobs share, what is inside of a machine, small screens and paper, and an accessibility checker (AXE, a file; without it that
test is "skip"). Prints and exits as view_page.py does; view_seen.bats makes the pages, in the current directory, and knows
the tests. What is expected comes from the files that the pages were made of."""
import itertools
import json
import os
import random
import re
import sys
import tempfile

from browser import Page, alike, missing, run_tests, say_complaints
from selenium.webdriver.common.keys import Keys

TESTS = []
DIMS = (6, 5, 4)


def test(function):
    TESTS.append(function)
    return function


def runs():
    """id, start, end, nodes of each run of the file that the history was made of."""
    with open("runs", encoding="ascii") as file:
        return [(word[0], int(word[1]), int(word[2]), [int(node) for node in word[3].split(",")]) for word in map(str.split, file)]


def span_of(all_runs):
    """The moments that the page's bar goes over: from the first start to the last end."""
    return range(min(run[1] for run in all_runs), max(run[2] for run in all_runs) + 1)


def place(node):
    return node % 6, node // 6 % 5, node // 30


def is_beside(one, two):
    """Whether they are one hop apart, or the same; the machine wraps in x."""
    hops = [abs(a - b) for a, b in zip(place(one), place(two))]
    return min(hops[0], 6 - hops[0]) + hops[1] + hops[2] <= 1


def move(page, moment):
    def is_there():
        # What the page writes there of an earlier move may come after this one on a busy host.
        page.run("if (storus.moment() !== arguments[0]) location.hash = '#theme=dark&t=' + arguments[0]", moment)
        return ("t=%d" % moment) in page.address() and page.run("return storus.moment()") == moment

    page.wait(is_there, "moment %d" % moment)


def dresses(page):
    """Of the rows of the legend: id, [colour, pattern]."""
    return {name: dress for name, *dress in page.run("""
        return [...document.querySelectorAll('#legend .row')].filter(row => !row.querySelector('.free, .down, .other, .reserved')).map(row => {
            const swatch = row.querySelector('.swatch');
            return [row.querySelector('.name').firstChild.textContent, getComputedStyle(swatch).backgroundColor, swatch.className];
        })""")}


@test
def a_history_counts_nodes_not_jobs(page, seed):
    page.open(path=os.path.abspath("history.html"))
    numbers, all_runs = random.Random(seed), runs()
    moments = sorted(numbers.sample(span_of(all_runs), 24)) + [numbers.choice(all_runs)[1], numbers.choice(all_runs)[2]]
    for moment in moments:
        move(page, moment)
        there = [run for run in all_runs if run[1] <= moment < run[2]]
        held = len({node for run in there for node in run[3]})
        said = re.search(r"(\d+)%", page.text("#time output")).group(1)
        assert int(said) == int(100 * held / 120 + 0.5), (moment, said, held)
        assert page.text("#counts").startswith("%d" % held), (moment, page.text("#counts"), held)
        assert set(dresses(page)) == {run[0] for run in there}, moment


@test
def the_page_opens_at_the_fullest_moment(page, seed):
    page.open(path=os.path.abspath("history.html"))
    all_runs = runs()
    most = max(len({node for run in all_runs if run[1] <= moment < run[2] for node in run[3]})
               for moment in {run[1] for run in all_runs})
    assert page.text("#counts").startswith("%d" % most), (page.text("#counts"), most)


@test
def neighbours_of_the_same_time_have_different_dresses(page, seed):
    page.open(path=os.path.abspath("history.html"))
    numbers, all_runs, worn, pairs = random.Random(seed + 1), runs(), {}, 0
    for moment in numbers.sample(span_of(all_runs), 20):
        move(page, moment)
        seen = dresses(page)
        for name, dress in seen.items():
            assert worn.setdefault(name, dress) == dress, name
        there = [run for run in all_runs if run[1] <= moment < run[2]]
        for one, two in itertools.combinations(there, 2):
            if any(is_beside(a, b) for a in one[3] for b in two[3]):
                pairs += 1
                assert seen[one[0]] != seen[two[0]], (moment, one, two)
    assert pairs > 50, pairs


# shared.html: 4x3, flat; jobs 1 and 2 on n05, 1, 2 and 3 on n06, 3 alone on n07, 2 alone on n04.

def parts(page, name, spots):
    """The colours at these parts of a node's width."""
    x, y = page.run("return storus.screenOf(arguments[0])", name)
    x1 = page.run("return storus.screenOf('n01')")[0] - page.run("return storus.screenOf('n00')")[0]
    page.pixels(["n00"])
    # Beside the bars that join a job's nodes
    return page.pixels_at([[x + part * 0.66 * x1, y + 0.22 * x1] for part in spots])


@test
def a_shared_node_is_divided_among_its_jobs(page, seed):
    page.open("theme=dark", path=os.path.abspath("shared.html"))
    # The middle of each share
    for name, jobs in (("n05", "12"), ("n06", "123"), ("n07", "3"), ("n04", "2")):
        spots = [(i + 0.5) / len(jobs) - 0.5 for i in range(len(jobs))]
        for job, pixel in zip(jobs, parts(page, name, spots)):
            assert alike(page.swatch(job), pixel), (name, job, page.swatch(job), pixel)
    assert page.text("#counts").startswith("4"), page.text("#counts")
    # A picked job is seen on all of its nodes, and its share alone is bright.
    page.row("2")
    for name, jobs in (("n05", "12"), ("n06", "123"), ("n04", "2")):
        spots = [(i + 0.5) / len(jobs) - 0.5 for i in range(len(jobs))]
        for job, pixel in zip(jobs, parts(page, name, spots)):
            assert alike(page.swatch(job), pixel) == (job == "2") or sum(pixel) < 0.6 * sum(page.swatch(job)), (name, job, pixel)
    # So it is with a row of the legend.
    page.open("theme=dark&colour=user&keys=ada", path=os.path.abspath("shared.html"))
    one, two = parts(page, "n05", (-0.25, 0.25))
    assert alike(page.swatch("ada"), one) and sum(two) < 0.6 * sum(one), (one, two)


@test
def a_click_picks_the_share(page, seed):
    page.open("theme=dark", path=os.path.abspath("shared.html"))
    for part, job in ((-0.33, "1"), (0, "2"), (0.33, "3")):
        x, y = page.run("return storus.screenOf('n06')")
        x1 = page.run("return storus.screenOf('n01')")[0] - page.run("return storus.screenOf('n00')")[0]
        page.run("""const canvas = document.getElementById('canvas');
            for (const kind of ['pointerdown', 'pointerup'])
                canvas.dispatchEvent(new PointerEvent(kind, { clientX: arguments[0], clientY: arguments[1], pointerId: 1, button: 0, bubbles: true }));""",
                 x + part * 0.66 * x1, y)
        assert page.text("#details h2").startswith("Job " + job), (job, page.text("#details h2"))


# inside.html: 8x8x8, full: job 1 is the 2x2x2 in the middle, 2 all the rest but what is free in the corner at the far end.

INSIDE = [x + 8 * y + 64 * z for z in (3, 4) for y in (3, 4) for x in (3, 4)]


def seen_of(page, nodes, row):
    colour = page.swatch(row)
    return sum(alike(colour, pixel) for pixel in page.pixels(["n%03d" % node for node in nodes])) / len(nodes)


@test
def what_is_picked_inside_is_seen(page, seed):
    page.open("theme=dark", path=os.path.abspath("inside.html"))
    assert seen_of(page, INSIDE, "1") == 0
    page.row("1")
    # Borders may cover a middle.
    assert seen_of(page, INSIDE, "1") >= 0.75, seen_of(page, INSIDE, "1")
    page.open("theme=dark&colour=user&keys=ada", path=os.path.abspath("inside.html"))
    assert seen_of(page, INSIDE, "ada") >= 0.75
    # And a click goes to what is seen.
    page.click_node("n%03d" % INSIDE[-1])
    assert page.text("#details h2").startswith("Job 1"), page.text("#details h2")


@test
def free_boxes_inside_are_seen(page, seed):
    page.open("theme=dark", path=os.path.abspath("hollow.html"))
    before = page.pixels(["n%03d" % node for node in INSIDE])
    page.run("location.hash = '#theme=dark&boxes=2x2x2'")
    page.wait(lambda: page.text("#boxes") == "1 at once, 1 places", "the box")
    after = page.pixels(["n%03d" % node for node in INSIDE])
    white = sum(min(pixel) > 170 for pixel in after)
    assert white >= 6 and not any(min(pixel) > 170 for pixel in before), (before, after)


@test
def a_cut_takes_planes_away(page, seed):
    page.open("theme=dark", path=os.path.abspath("inside.html"))
    page.browser.find_element("id", "canvas").click()
    page.keys(Keys.ESCAPE)
    for key, axis, shown in (("x", 0, range(4, 8)), ("y", 1, range(0, 4)), ("z", 2, range(0, 4))):
        page.keys(key)
        assert ("cut=%s%d-%d" % (key, shown[0], shown[-1])) in page.address(), page.address()
        # Seen through the cut: the job inside, where its plane comes first
        first = [node for node in INSIDE if (node % 8, node // 8 % 8, node // 64)[axis] == (shown[0] if axis == 0 else shown[-1])]
        gone = [node for node in INSIDE if node not in first]
        assert seen_of(page, first, "1") >= 0.75, (key, seen_of(page, first, "1"))
        assert page.run("return storus.drawn(arguments[0])", ["n%03d" % node for node in gone]) == 0
    before = page.address()
    page.keys("]")
    assert "cut=z0-2" in page.address(), page.address()
    page.keys("[", "i")
    assert before.replace("z0-3", "z3") == page.address(), (before, page.address())
    assert page.run("return storus.drawn()") == 64
    slider = page.run("const s = document.getElementById('cut-at'); s.value = '7'; s.dispatchEvent(new Event('input')); return [s.max, s.getAttribute('aria-valuetext')]")
    assert slider == ["7", "z 0"] and "cut=z0" in page.address(), (slider, page.address())
    page.keys("z")
    assert "cut" not in page.address() and page.run("return storus.drawn()") == 512
    page.open("cut=q1-2", path=os.path.abspath("inside.html"))
    assert page.run("return storus.drawn()") == 512


@test
def planes_taken_apart_hide_nothing(page, seed):
    page.open("theme=dark", path=os.path.abspath("inside.html"))
    for axis in "zyx":
        page.keys("e")
        assert "apart=" + axis in page.address(), page.address()
        some = ["n%03d" % node for node in random.Random(seed).sample(range(64, 512), 60)]
        pixels = page.pixels(some)
        colours = {job: page.swatch(job) for job in "12"}
        for name, pixel in zip(some, pixels):
            job = "1" if int(name[1:]) in INSIDE else "2"
            assert alike(colours[job], pixel), (axis, name, pixel)
        assert seen_of(page, INSIDE, "1") == 1
        labels = page.run("return [...document.querySelectorAll('#wired .labels span')].map(s => s.textContent)")
        assert set(labels) >= {"%s=%d" % (axis, i) for i in range(8)}, labels
    page.keys("e")
    assert "apart" not in page.address()


# told.html: 4x3, flat, as a running Slurm would have it: job 1 on n00-01; n02 held by a job that is not shown; n03 drained;
# n04-05 reserved; job 7 waits with n00-02 and n06 planned, 8 waits without a plan, 9 is more than the page lists.

def write_told():
    with open("shared.html", encoding="utf-8") as file:
        before, data, after = re.fullmatch('(.*id="machine">)(.*?)(</script>.*)', file.read(), re.S).groups()
    data = json.loads(data)
    job = data["jobs"][0]
    job["id"], job["parts"] = "1", [dict(job["parts"][0], nodes=2, ranks="0-1", nodelist="n[00-01]")]
    data["jobs"] = [job]
    data["tori"][0].update(
        others="2", unusable={"3": "drained"}, reasons={"3": "bad <b>DIMM</b>"},
        reserved=[{"name": "upkeep", "active": True, "nodes": "4-5", "start": 1700000000, "end": 1900000000},
                  {"name": "course", "active": False, "nodes": "6", "start": 1900000000}, {"active": True, "nodes": "11"}])
    data["queue"] = {"count": 3, "jobs": [
        {"id": "7", "name": "next", "user": "eve", "reason": "Resources", "nodes": 4, "priority": 9, "start": 1800000000,
         "parts": [{"torus": 0, "nodes": 4, "ranks": "0-2,6", "nodelist": "n[00-02,06]"}]},
        {"id": "8", "name": "<img/src=x>", "user": "eve", "reason": "Priority", "nodes": 12, "priority": 1, "parts": []}]}
    with open("told.html", "w", encoding="utf-8") as file:
        file.write(before + json.dumps(data).replace("<", "\\u003c") + after)


@test
def nodes_that_are_not_free_are_not_shown_so(page, seed):
    write_told()
    page.open("theme=dark", path=os.path.abspath("told.html"))
    assert page.text("#counts") == "3in use5free3reserved1down", page.text("#counts")
    rows = page.run("return [...document.querySelectorAll('#legend .row')].map(row => row.textContent)")
    assert [re.split(", ", row)[0] for row in rows] == ["1", "jobs that are not shown", "free", "reserved", "down or drained"], rows
    assert "upkeep until" in rows[3] and "course" not in rows[3], rows
    free, reserved, drained = page.pixels(["n07", "n04", "n03"])
    for one, two in itertools.combinations((free, reserved, drained), 2):
        assert sum(abs(a - b) for a, b in zip(one, two)) > 150, (free, reserved, drained)
    for node, expected in (("n02", "in useby jobs that are not shown"), ("n03", "statedrained: bad <b>DIMM</b>"), ("n04", "reservedupkeep until"),
                           ("n06", "reservationcourse from"), ("n11", "reserveda reservation whose name Slurm does not show")):
        page.run("location.hash = '#theme=dark&node=' + arguments[0]", node)
        page.wait(lambda: page.text("#details h2").startswith(node), node)
        assert expected in page.text("#details"), (node, page.text("#details"))
    page.run("location.hash = '#theme=dark&boxes=2x1'")
    # Free: n06-n10; 6-7, 8-9, 9-10 across and 6-10 downward
    page.wait(lambda: page.text("#boxes") == "2 at once, 4 places", "free boxes: " + page.text("#boxes"))


@test
def who_waits_is_listed_with_the_planned_place(page, seed):
    page.open("theme=dark", path=os.path.abspath("told.html"))
    assert page.text("#list-jobs") == "1 running" and page.text("#list-queue") == "3 waiting"
    page.browser.find_element("id", "canvas").click()
    page.keys("q")
    rows = page.run("return [...document.querySelectorAll('#legend .row, #legend .note')].map(row => row.textContent)")
    assert len(rows) == 3 and rows[0].startswith("7, eve  next, 4") and "planned" in rows[0] and rows[1].endswith("Priority") \
        and rows[2] == "and 1 more of lower priority", rows
    page.row("7")
    details = page.text("#details")
    assert details.startswith("Job 7 waits") and "n[00-02,06]" in details and "list=queue" in page.address() and "job=7" in page.address(), details
    assert page.run("return [...document.querySelectorAll('#details dd button')].map(b => b.textContent)") == ["1"]
    # Its place is bright, with edges around each node; the rest is not.
    (x, y), (x1, _) = (page.run("return storus.screenOf(arguments[0])", name) for name in ("n06", "n07"))
    edge = 0.46 * (x1 - x)
    # The nearer side of the cube is seen larger.
    strip = page.pixels_at([[x + edge * part, y] for part in [0.9 + 0.01 * i for i in range(40)]])
    assert max(min(pixel) for pixel in strip) > 100, strip
    one, other = page.pixels(["n00", "n04"])
    page.keys("q", Keys.ESCAPE)
    bright, before = page.pixels(["n00", "n04"])
    assert sum(one) > 0.8 * sum(bright) and sum(other) < 0.7 * sum(before), (one, bright, other, before)
    page.keys("/")
    page.run("document.getElementById('search').value = ''")
    page.keys("eve", Keys.ENTER)
    assert page.text("#details h2").startswith("Job 7 waits") and page.run("return document.images.length") == 0
    page.open("list=queue&job=8", path=os.path.abspath("told.html"))
    assert page.text("#details h2").startswith("Job 8 waits") and "<img/src=x>" in page.text("#details")


# Small screens and paper

def rectangle(page, css):
    return page.run("""const e = document.querySelector(arguments[0]); if (!e || e.closest('[hidden]')) return null;
        const r = e.getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom];""", css)


def resize(page, width, height):
    page.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                 {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})


@test
def small_screens_show_the_machine(page, seed):
    for width, height in ((400, 800), (700, 450), (1100, 760)):
        resize(page, width, height)
        for path in ("inside.html", "history.html"):
            page.open("cut=x1-5", path=os.path.abspath(path))
            stage, foot, header, panel = (rectangle(page, css) for css in ("#stage", "#foot", "header", "#panel"))
            # What is written above and below does not meet, and leaves more than half of the picture.
            assert header[3] <= foot[1] and (foot[1] - header[3]) > 0.5 * (stage[3] - stage[1]), (width, path, header, foot, stage)
            tools, extra = rectangle(page, "#tools"), rectangle(page, "#extra")
            assert extra[3] <= tools[1] and tools[3] <= stage[3], (width, path, extra, tools, stage)
            bars = [rectangle(page, css) for css in ("#cut-bar", "#time")]
            assert not bars[1] or bars[0][3] <= bars[1][1], bars
            # The whole machine is between them.
            for corner in ("n000", "n%03d" % ((8 ** 3 if path == "inside.html" else 120) - 1)):
                x, y = page.run("return storus.screenOf(arguments[0])", corner)
                assert stage[0] < x < stage[2] and header[3] < y < foot[1], (width, path, corner, x, y, header, foot)
            assert page.run("return document.documentElement.scrollWidth") <= width
            assert panel[2] <= width and panel[3] <= height + 1 and (panel[1] >= stage[3] or panel[0] >= stage[2]), (panel, stage)
    page.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@test
def paper_is_light_and_has_the_legend(page, seed):
    page.open("theme=dark&job=1", path=os.path.abspath("inside.html"))
    page.run("dispatchEvent(new Event('beforeprint'))")
    page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    ground, rows, stage = page.run("""
        const canvas = document.querySelector('#print canvas'), at = canvas.getContext('2d').getImageData(3, canvas.height - 3, 1, 1).data;
        return [[...at], [...document.querySelectorAll('#legend .row')].map(row => row.getBoundingClientRect().height > 0),
            document.getElementById('stage').getBoundingClientRect().height];""")
    assert min(ground[:3]) > 230 and rows and all(rows) and stage == 0, (ground, rows, stage)
    page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    page.run("dispatchEvent(new Event('afterprint'))")
    assert page.run("return [document.documentElement.dataset.theme, document.getElementById('print').children.length]") == ["dark", 0]
    assert "theme=light" not in page.address()


@test
def an_accessibility_checker_finds_nothing(page, seed):
    with open(os.environ["AXE"], encoding="utf-8") as file:
        checker = file.read()
    for path, fragment, script in (("inside.html", "theme=light", ""), ("inside.html", "theme=dark&job=1&cut=x2-7", ""),
                                   ("history.html", "theme=light&colour=hops", ""), ("shared.html", "theme=dark&node=n06&boxes=2x2", ""),
                                   ("told.html", "theme=light&list=queue&job=7", ""), ("told.html", "theme=dark&list=queue", ""),
                                   ("inside.html", "theme=light", "const s = document.getElementById('search'); s.focus(); s.value = 'n00'; s.dispatchEvent(new Event('input'));"),
                                   ("inside.html", "theme=dark", "document.getElementById('help').showModal();")):
        page.open(fragment, path=os.path.abspath(path))
        # Through the debugger: the page's policy lets no other scripts in.
        page.browser.execute_cdp_cmd("Runtime.evaluate", {"expression": checker})
        page.run(script)
        found = page.browser.execute_cdp_cmd("Runtime.evaluate", {"awaitPromise": True, "returnByValue": True, "expression":
            "axe.run({ resultTypes: ['violations'] }).then(r => r.violations.map(v => [v.id, v.nodes.length, v.nodes[0].html.slice(0, 160), v.nodes[0].failureSummary]))"})
        assert found["result"].get("value") == [], (path, fragment, script, json.dumps(found["result"])[:1500])


def main():
    if missing():
        print(missing())
        return 77
    tests = [each for each in TESTS if each is not an_accessibility_checker_finds_nothing or os.environ.get("AXE")]
    if len(tests) < len(TESTS):
        print("skip an_accessibility_checker_finds_nothing")
    with tempfile.TemporaryDirectory(prefix="view-seen.") as profile:
        page = Page("", profile)
        try:
            run_tests(tests, lambda function: None, page, int(sys.argv[1]))
            say_complaints([entry["message"] for entry in page.browser.get_log("browser")])
        finally:
            page.browser.quit()
    return 0


if __name__ == "__main__":
    sys.exit(main())
