# SPDX-License-Identifier: GPL-2.0-or-later
"""A page of `storus view` in headless Chromium, for view_page.py, view_live.py and test/bench/bench_view.
Where there is no selenium the program that imports this ends with 77."""
import base64
import os
import re
import shutil
import sys
import time

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.action_chains import ActionChains
except ImportError:
    print("no selenium for Python")
    sys.exit(77)

# The driver is on this host, whatever proxy there is for others.
os.environ["NO_PROXY"] = os.environ["no_proxy"] = "localhost,127.0.0.1"


def missing():
    """What keeps a browser from being started here, or None."""
    return None if shutil.which("chromedriver") and shutil.which("chromium") else "no chromium or no chromedriver"


def run_tests(tests, after, *arguments):
    """Call each of the functions [tests] with the arguments, and after(function) behind it; print a line each."""
    for function in tests:
        try:
            function(*arguments)
            print("ok", function.__name__)
        except Exception as error:  # whatever fails is that test's failure
            where = error.__traceback__
            while where.tb_next and where.tb_next.tb_frame.f_code.co_filename == function.__code__.co_filename:
                where = where.tb_next
            print("not ok %s: line %d: %s" % (function.__name__, where.tb_lineno, str(error).replace("\n", " ")[:500]))
        after(function)


def say_complaints(complaints):
    print("not ok the_browser_has_no_complaints: " + " ".join(complaints)[:500] if complaints
          else "ok the_browser_has_no_complaints")


class Page:
    def __init__(self, path, profile, size=(1100, 760)):
        options = Options()
        for argument in ["headless", "no-sandbox", "disable-quic", "no-first-run",
                         "disable-background-networking", "disable-component-update", "disable-sync",
                         "disable-dev-shm-usage", "use-angle=swiftshader", "enable-unsafe-swiftshader",
                         "hide-scrollbars", "window-size=%d,%d" % size, "user-data-dir=" + profile]:
            options.add_argument("--" + argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.browser = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
        # A picture of 100,000 nodes takes its time on a busy host.
        self.browser.set_script_timeout(120)
        self.browser.set_page_load_timeout(120)
        self.path = path

    def open(self, fragment="", path=None):
        self.browser.get("about:blank")
        address = path or self.path
        self.browser.get(("" if ":" in address else "file://") + address + ("#" + fragment if fragment else ""))
        self.wait(lambda: self.body("ready") == "true", "data-ready")

    def wait(self, condition, what):
        end = time.time() + 30
        while not condition():
            assert time.time() < end, "waited in vain: " + what
            time.sleep(0.05)

    def run(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def body(self, name):
        return self.browser.find_element("tag name", "body").get_attribute("data-" + name)

    def text(self, css):
        return self.run("const e = document.querySelector(arguments[0]); return e && !e.closest('[hidden]') ? e.textContent : ''", css)

    def address(self):
        return self.run("return location.hash")

    def keys(self, *keys):
        ActionChains(self.browser).send_keys(*keys).perform()

    def click_node(self, name, view="wired"):
        x, y = self.run("return storus.screenOf(...arguments)", name, view)
        canvas = self.browser.find_element("id", "canvas" if view == "wired" else "room")
        box = canvas.rect
        ActionChains(self.browser).move_to_element_with_offset(
            canvas, round(x - box["x"] - box["width"] / 2), round(y - box["y"] - box["height"] / 2)).click().perform()

    def pixels(self, names, view="wired"):
        """The colours at these nodes in a screenshot, each [red, green, blue]."""
        self.run("return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        return self.pixels_at([self.run("return storus.screenOf(...arguments)", name, view) for name in names])

    def pixels_at(self, spots):
        return self.run("""
            const [picture, spots] = arguments;
            return new Promise(done => {
                const image = new Image();
                image.onload = () => {
                    const canvas = document.createElement('canvas');
                    canvas.width = image.width;
                    canvas.height = image.height;
                    const context = canvas.getContext('2d', { willReadFrequently: true }), ratio = image.width / innerWidth;
                    context.drawImage(image, 0, 0);
                    done(spots.map(([x, y]) => [...context.getImageData(x * ratio, y * ratio, 1, 1).data].slice(0, 3)));
                };
                image.src = 'data:image/png;base64,' + picture;
            });""", base64.b64encode(self.browser.get_screenshot_as_png()).decode(), spots)

    def swatch(self, row):
        text = self.run("""
            return [...document.querySelectorAll('#legend .row')].filter(row => row.textContent.startsWith(arguments[0]))
                .map(row => getComputedStyle(row.querySelector('.swatch')).backgroundColor)[0]""", row)
        return [int(value) for value in re.findall(r"\d+", text)[:3]]

    def row(self, text):
        self.run("""[...document.querySelectorAll('#legend .row')]
            .filter(row => row.textContent.startsWith(arguments[0]))[0].click()""", text)


def alike(colour, other):
    """Whether two colours are of one hue: lit sides are darker."""
    product = sum(a * b for a, b in zip(colour, other))
    lengths = (sum(a * a for a in colour) * sum(b * b for b in other)) ** 0.5
    return lengths > 0 and product / lengths > 0.985
