#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""view_page.py PAGE HOSTILE HISTORY STORUS: opens three pages of `storus view` in headless Chromium, uses
them and looks at them. Prints "ok NAME" or "not ok NAME: why" for each test; exits with 77 if
there is no browser or no driver here. view_page.bats makes the pages and knows the tests."""
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

from browser import ActionChains, Page, alike, missing, run_tests, say_complaints
from selenium.webdriver.common.keys import Keys

TESTS = []


def test(function):
    TESTS.append(function)
    return function


def alike_faded(colour, other):
    """Whether the other one lies between a colour and white."""
    order = sorted(range(3), key=lambda k: colour[k])
    return other[order[0]] <= other[order[1]] <= other[order[2]] and other[order[2]] - other[order[0]] > 20 \
        and min(a <= b for a, b in zip(colour, other))


# The machine is 6x5, flat: nothing hides anything. Jobs: 1 n00-05, 2 n06-08,n12-14, 3 n29.

@test
def drawn(page):
    page.open()
    assert (page.body("nodes"), page.body("jobs")) == ("30", "3")
    assert page.text("#title") == "flat" and "6×5 torus wrapping in x" in page.text("#subtitle")
    assert page.run("return document.title").startswith("flat")
    assert "13" in page.text("#counts") and "17" in page.text("#counts")


@test
def nodes_have_the_colours_of_the_legend(page):
    page.open("theme=dark")
    one, two, three, free = page.pixels(["n02", "n13", "n29", "n20"])
    for number, pixel in (("1", one), ("2", two), ("3", three)):
        assert alike(page.swatch(number), pixel), (number, page.swatch(number), pixel)
    assert not any(alike(page.swatch(number), free) for number in "123"), free
    assert not alike(one, two)


@test
def a_click_picks_the_job_then_the_node(page):
    page.open()
    page.click_node("n13")
    assert page.text("#details h2").startswith("Job 2"), page.text("#details")
    details = page.text("#details")
    assert "ada" in details and "3×2" in details and "n[06-08,12-14]" in details, details
    assert "job=2" in page.address()
    page.click_node("n13")
    assert page.text("#details h2").startswith("n13") and "x=1  y=2" in page.text("#details")
    names = page.run("return [...document.querySelectorAll('#details dd button')].map(b => b.textContent)")
    assert names == ["2", "n07", "n12", "n14", "n19"], names
    assert "node=n13" in page.address()
    page.keys(Keys.ESCAPE)
    assert page.text("#details") == "" and "job" not in page.address()


@test
def a_picked_job_stands_out(page):
    page.open("theme=dark")
    before = page.pixels(["n02", "n13"])
    page.row("2")
    after = page.pixels(["n02", "n13"])
    assert sum(after[0]) < 0.6 * sum(before[0]) and sum(after[1]) > 0.8 * sum(before[1]), (before, after)
    page.run("document.getElementById('only').click()")
    # Beside the middle, where links cross
    x, y = page.run("return storus.screenOf('n04')")
    gone, = page.pixels_at([[x + 4, y + 4]])
    assert max(abs(a - b) for a, b in zip(gone, (14, 19, 24))) < 60, gone
    assert "only=1" in page.address()


@test
def search_finds_jobs_users_and_nodes(page):
    page.open()
    for typed, found in (("ocean", "Job 1"), ("2", "Job 2"), ("n29", "n29")):
        page.keys("/")
        page.run("document.getElementById('search').value = ''")
        page.keys(typed, Keys.ENTER)
        assert page.text("#details h2").startswith(found), (typed, page.text("#details h2"))
    page.keys("/")
    page.run("document.getElementById('search').value = ''")
    page.keys("grace", Keys.ENTER)
    assert "colour=user" in page.address() and "keys=grace" in page.address(), page.address()
    page.keys("/")
    page.run("document.getElementById('search').value = ''")
    page.keys("nobody")
    assert page.text("#found") == "nothing found"


@test
def every_way_to_colour(page):
    page.open()
    ways = page.run("return [...document.getElementById('colour').options].map(o => o.value)")
    assert ways == ["job", "user", "account", "hops", "pieces", "foreign", "shared", "isolation", "load", "rank"], ways
    for way in ways:
        page.run("const c = document.getElementById('colour'); c.value = arguments[0]; c.dispatchEvent(new Event('change'))", way)
        assert page.run("return document.querySelectorAll('#legend > *').length") > 0, way
    page.open("colour=rank&theme=dark")
    first, last = page.pixels(["n00", "n29"])
    assert not alike(first, last), (first, last)


@test
def the_address_brings_back_what_was_shown(page):
    page.open("colour=user&keys=ada&theme=light&wrap=arcs&only=1")
    assert page.run("return document.documentElement.dataset.theme") == "light"
    assert page.run("return document.getElementById('colour').value") == "user"
    assert page.run("return document.querySelector('#legend [aria-pressed=true] .name').textContent").startswith("ada")
    assert page.text("#wrap") == "Wrap: arcs" and page.run("return document.getElementById('only').checked")
    page.run("location.hash = '#job=3'")
    page.wait(lambda: page.text("#details h2").startswith("Job 3"), "job 3")
    # One that is typed is not lost to what the page writes before it hears of it.
    page.run("location.hash = '#theme=dark&colour=account'; document.getElementById('wrap').click()")
    page.wait(lambda: page.run("return document.getElementById('colour').value") == "account", "a typed address")
    assert "colour=account" in page.address() and page.run("return document.documentElement.dataset.theme") == "dark"
    page.open("job=none&node=none&colour=none&keys=%E0%A4%A&eye=1,2&theme=constructor")
    assert page.text("#details") == ""


# In the room: rows 1 and 2, cabinets 10 to 12, a cage 0 with slots 3 to 7, in the order of the nodes.

@test
def the_room_has_the_colours_of_the_network(page):
    page.open("theme=dark&view=both")
    assert page.text("#view") == "View: both"
    for name, row in (("n02", "1"), ("n13", "2"), ("n29", "3")):
        wired, room = page.pixels([name])[0], page.pixels([name], "physical")[0]
        assert alike(page.swatch(row), wired) and alike(page.swatch(row), room), (name, wired, room)
    left, right = (page.run("return storus.screenOf('n29', arguments[0])", view) for view in ("wired", "physical"))
    assert left[0] < page.run("return document.getElementById('room').getBoundingClientRect().left") < right[0], (left, right)
    labels = page.run("return [...document.querySelectorAll('#physical .labels span')].map(s => s.textContent)")
    assert labels == ["row 1", "row 2", "10", "11", "12"], labels


@test
def what_is_picked_in_one_view_is_marked_in_the_other(page):
    page.open("theme=dark&view=both")
    before = [page.pixels(["n02", "n13"], view) for view in ("wired", "physical")]
    page.click_node("n13", "physical")
    assert page.text("#details h2").startswith("Job 2") and "job=2" in page.address()
    for (one, two), view in zip(before, ("wired", "physical")):
        faint, bright = page.pixels(["n02", "n13"], view)
        assert sum(faint) < 0.6 * sum(one) and sum(bright) > 0.8 * sum(two), (view, one, two, faint, bright)
    page.click_node("n13", "physical")
    assert page.text("#details h2").startswith("n13") and "row 1  cabinet 12  cage 0  slot 6" in page.text("#details"), page.text("#details")
    page.keys(Keys.ESCAPE)
    # So it is with the legend.
    page.run("location.hash = '#theme=dark&view=both&colour=user&keys=grace'")
    page.wait(lambda: page.run("return document.getElementById('colour').value") == "user", "users")
    for (_, two), view in zip(before, ("wired", "physical")):
        bright, faint = page.pixels(["n02", "n13"], view)
        assert alike(page.swatch("grace"), bright) and sum(faint) < 0.6 * min(sum(two), sum(bright)), (view, two, faint, bright)


@test
def each_view_is_turned_by_itself_and_seen_alone(page):
    page.open("theme=dark&view=both")
    page.click_node("n20", "physical")
    wired, room = (page.run("return storus.screenOf('n00', arguments[0])", view) for view in ("wired", "physical"))
    page.keys(Keys.ARROW_LEFT)
    assert page.run("return storus.screenOf('n00', 'wired')") == wired
    assert page.run("return storus.screenOf('n00', 'physical')") != room
    assert "room=" in page.address() and "eye=" not in page.address()
    page.keys("r")
    assert page.text("#view") == "View: wired" and page.run("return document.getElementById('room').clientWidth") == 0
    page.keys("r")
    assert "view=physical" in page.address() and page.run("return document.getElementById('canvas').clientWidth") == 0
    # Half of the curve, in the room
    page.open("theme=dark&view=physical&rank=10")
    begun, ahead = page.pixels(["n00", "n20"], "physical")
    assert max(begun) - min(begun) > 30 and max(ahead) - min(ahead) < 40, (begun, ahead)


@test
def free_boxes_are_those_of_storus_capacity(page):
    page.open("theme=dark")
    before, = page.pixels(["n20"])
    for shape in ("3x2", "6x1", "2x2", "1", "5x2", "4x4", "7x1", "2x2x1"):
        said = dict(line.split(None, 1) for line in subprocess.run(
            [sys.argv[4], "capacity", "--conf", "torus.conf", "--jobs", "jobs", "--shape", shape],
            capture_output=True, text=True, check=False).stdout.splitlines() if " " in line)
        page.run("location.hash = '#theme=dark&boxes=' + arguments[0]", shape)
        page.wait(lambda: "boxes=" + shape in page.address() and page.run("return document.getElementById('shape').value") == shape, shape)
        found = re.fullmatch(r"(\d+) at once, (\d+) places", page.text("#boxes"))
        if said.get("shape_boxes", "0") == "0":
            assert page.text("#boxes") == "none", (shape, said, page.text("#boxes"))
        else:
            assert found and found.group(2) == said["shape_boxes"], (shape, said, page.text("#boxes"))
            assert 1 <= int(found.group(1)) <= int(said["shape_at_once_most"]), (shape, said, page.text("#boxes"))
    page.run("location.hash = '#theme=dark&boxes=1x5'")
    page.wait(lambda: "boxes=1x5" in page.address(), "1x5")
    after, = page.pixels(["n20"])
    assert sum(after) > sum(before) + 150, (before, after)
    page.keys("f")
    page.run("document.getElementById('shape').value = ''")
    page.keys("3x<b>", Keys.ENTER)
    assert page.text("#boxes") == "not a shape"


@test
def the_load_of_links_is_seen(page):
    page.open("theme=dark&colour=load")
    used, unused = page.pixels(["n02", "n20"])
    assert not alike(used, unused), (used, unused)
    # Half way between two nodes is their link.
    (ax, ay), (bx, by) = (page.run("return storus.screenOf(arguments[0])", name) for name in ("n02", "n03"))
    link, = page.pixels_at([[(ax + bx) / 2, (ay + by) / 2]])
    assert alike(link, used), (link, used)


@test
def the_machine_is_repeated_beyond_its_ends(page):
    page.open("theme=light&wrap=repeated")
    (ax, ay), (bx, by) = (page.run("return storus.screenOf(arguments[0])", name) for name in ("n00", "n01"))
    # n02 once more, six routers to the right; y does not wrap
    spots = [[ax + 8 * (bx - ax), ay + 8 * (by - ay)], [ax + 2 * (bx - ax), ay - 3 * (bx - ax)]]
    page.pixels(["n02"])
    again, nothing = page.pixels_at(spots)
    assert alike_faded(page.swatch("1"), again) and min(nothing) > 235, (again, nothing, page.swatch("1"))


@test
def a_drawing_is_saved(page):
    page.open("view=both&job=2")
    page.run("""window.blobs = []; const make = URL.createObjectURL; URL.createObjectURL = blob => { blobs.push(blob); return make(blob); };
        HTMLAnchorElement.prototype.click = function () { window.saved = this.download; };""")
    page.keys("s")
    page.wait(lambda: page.run("return window.saved"), "drawing")
    assert page.run("return window.saved") == "machine.svg"
    tree = xml.etree.ElementTree.fromstring(page.run("return blobs[0].text()"))
    space = "{http://www.w3.org/2000/svg}"
    texts = [each.text for each in tree.iter(space + "text")]
    assert "flat" in texts and "row 1" in texts and "x" in texts, texts
    fills = [each.get("fill") for each in tree.iter(space + "path")]
    assert len(fills) > 60 and len(set(fills)) > 4, len(fills)
    assert page.run("""return new Promise(done => { const i = new Image(); i.onload = () => done(i.width); i.onerror = () => done(0);
        i.src = 'data:image/svg+xml,' + encodeURIComponent(arguments[0]); })""",
                    page.run("return blobs[0].text()")) > 300


@test
def keys_and_buttons(page):
    page.open()
    page.browser.find_element("id", "canvas").click()
    theme = page.run("return document.documentElement.dataset.theme")
    page.keys("n")
    assert page.text("#details h2").startswith("Job 1")
    page.keys("b")
    assert page.text("#details h2").startswith("Job 3")
    page.keys("t", "w", "c")
    assert page.run("return document.documentElement.dataset.theme") != theme
    assert page.text("#wrap") == "Wrap: arcs" and "colour=user" in page.address()
    before = page.run("return storus.screenOf('n00')")
    page.keys("v", "+", Keys.ARROW_LEFT)
    assert page.run("return storus.screenOf('n00')") != before and "eye=" in page.address()
    page.keys("0")
    assert "eye=" not in page.address()
    page.keys("?")
    assert page.run("return document.getElementById('help').open")
    page.keys(Keys.ESCAPE)


@test
def a_picture_is_saved(page):
    page.open()
    page.run("""HTMLAnchorElement.prototype.click = function () { window.saved = [this.download, this.href]; };""")
    page.keys("p")
    page.wait(lambda: page.run("return window.saved"), "picture")
    name, address = page.run("return window.saved")
    assert name == "machine.png" and address.startswith("blob:")
    width = page.run("""return new Promise(done => { const i = new Image(); i.onload = () => done(i.width);
        i.src = window.saved[1]; })""")
    assert width > 300, width


@test
def no_frame_is_drawn_while_nothing_changes(page):
    page.open()
    time.sleep(0.5)
    before = page.run("return storus.frames()")
    time.sleep(1)
    assert page.run("return storus.frames()") == before
    page.keys(Keys.ARROW_LEFT)
    page.wait(lambda: page.run("return storus.frames()") > before, "a frame")


@test
def the_curve_is_built_node_by_node(page):
    page.open("theme=dark")
    page.browser.find_element("id", "curve").click()
    page.wait(lambda: re.search("rank=[1-9]", page.address()), "the curve to be played")
    page.browser.find_element("id", "curve").click()
    assert "rank" not in page.address() and page.text("#time output") == ""
    page.open("theme=dark&rank=10")
    assert page.text("#time output") == "10 of 30 nodes"
    begun, reached, ahead = page.pixels(["n00", "n09", "n20"])
    assert max(begun) - min(begun) > 30 and not alike(begun, reached), (begun, reached)
    assert max(ahead) - min(ahead) < 40, ahead


# The history: job 1 on n00-05 from 0 to 100, job 2 on n06-08 from 50 to 200, job 3 on n12-29
# from 150 to 160. Its fullest moment is 150.

@test
def a_history_shows_each_moment(page):
    page.open(path=sys.argv[3])
    assert page.body("jobs") == "3"
    assert page.text("#time output").startswith("00:02:30") and "70%" in page.text("#time output")
    for moment, rows in (("10", ["1"]), ("60", ["1", "2"]), ("155", ["2", "3"]), ("170", ["2"])):
        page.run("location.hash = '#theme=dark&t=' + arguments[0]", moment)
        page.wait(lambda: page.run("return [...document.querySelectorAll('#legend .row .name')].map(r => r.textContent.trim())")[:-1] == rows,
                  "rows " + moment)
        for name, pixel in zip("123", page.pixels(["n02", "n07", "n20"])):
            if name in rows:
                assert alike(page.swatch(name), pixel), (moment, name, pixel)
            else:
                assert sum(pixel) < 400 and max(pixel) - min(pixel) < 60, (moment, name, pixel)


@test
def a_history_is_moved_and_played(page):
    page.open("t=1", path=sys.argv[3])
    bar = page.browser.find_element("css selector", "#time canvas")
    ActionChains(page.browser).move_to_element(bar).click().perform()
    page.wait(lambda: re.search("t=(9[5-9]|10[0-5])", page.address()), "the middle")
    page.open("t=1", path=sys.argv[3])
    page.run("document.querySelector('#time select').value = '8'")
    page.browser.find_element("css selector", "#time button").click()
    page.wait(lambda: page.text("#time output") > "00:01:", "a minute of the log")
    page.browser.find_element("css selector", "#time button").click()
    before = page.text("#time output")
    time.sleep(0.3)
    assert page.text("#time output") == before


@test
def hostile_names_are_text(page):
    page.open(path=sys.argv[2])
    data = page.run("return JSON.parse(document.getElementById('machine').textContent)")
    assert page.body("jobs") == str(len(data["jobs"]))
    for job in data["jobs"]:
        page.run("location.hash = '#job=' + encodeURIComponent(arguments[0])", job["id"])
        start = job["name"][:100]
        page.wait(lambda: start in page.text("#details"), start)
        page.keys("/")
        page.run("document.getElementById('search').value = ''")
        page.keys(job["name"][:12].encode("ascii", "ignore").decode() or "x")
        page.keys(Keys.ESCAPE)
    for way in ("job", "user"):
        page.run("location.hash = '#view=both&boxes=%3Cimg/src=x/onerror=window.hacked=1%3E&colour=' + arguments[0]", way)
        page.wait(lambda: page.run("return document.getElementById('colour').value") == way, way)
    assert page.text("#boxes") == "not a shape" and page.text("#view") == "View: both"
    assert page.run("return [document.scripts.length, window.hacked === undefined, document.images.length]") == [3, True, 0]
    assert len(max((job["name"] for job in data["jobs"]), key=len)) == 65536


@test
def what_is_put_into_the_page_does_not_run(page):
    page.open()
    page.run("""const s = document.createElement('script'); s.textContent = 'window.hacked = 1';
        document.body.append(s); const d = document.createElement('div'); document.body.append(d);
        d.innerHTML = '<details open ontoggle="window.hacked = 2">';""")
    time.sleep(0.3)
    assert page.run("return window.hacked === undefined")
    # The browser says so, in this test and in no other.
    refused = [entry for entry in page.browser.get_log("browser") if "Content Security Policy" in entry["message"]]
    assert refused


def main():
    if missing():
        print(missing())
        return 77
    with tempfile.TemporaryDirectory(prefix="view-page.") as profile:
        page = Page(os.path.abspath(sys.argv[1]), profile)
        complaints, requests = [], []

        def complained(function):
            if function is not TESTS[-1]:
                complaints.extend(entry["message"] for entry in page.browser.get_log("browser"))

        try:
            run_tests(TESTS, complained, page)
            for entry in page.browser.get_log("performance"):
                message = json.loads(entry["message"])["message"]
                if message["method"] == "Network.requestWillBeSent":
                    requests.append((message["params"]["documentURL"], message["params"]["request"]["url"]))
        finally:
            page.browser.quit()
    left = sorted({url[:100] for page_url, url in requests
                   # The browser begins with a page of its own: chrome:, chrome-untrusted: and so on.
                   if not re.match("chrome[a-z-]*:", page_url) and not re.match("file:///[^?]*[.]html|data:|blob:|about:", url)})
    say_complaints(complaints)
    print("ok no_request_leaves_the_page" if requests and not left else
          "not ok no_request_leaves_the_page: %s" % left)
    return 0


if __name__ == "__main__":
    sys.exit(main())
