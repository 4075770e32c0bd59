#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""view_live.py STORUS: serves a machine with `storus view --serve` and looks at it in headless
Chromium while jobs, the machine and the server come and go. Prints and exits as view_page.py
does; view_serve.bats knows the tests. The files are made in the current directory."""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

from browser import Page, alike, missing, run_tests, say_complaints

CONF = "TorusName=flat Dims=6x5 Wrap=x Nodes=n[00-29] Curve=row_major\n"
JOBS = "1 n[00-05] name=ocean user=grace\n2 n[06-08,12-14] name=wing user=ada\n"


def write(name, text):
    with open(name + ".new", "w") as file:
        file.write(text)
    os.rename(name + ".new", name)


class Server:
    def __init__(self, storus):
        self.storus, self.port, self.process = storus, "0", None

    def start(self):
        self.process = subprocess.Popen(
            [self.storus, "view", "--conf", "torus.conf", "--jobs", "jobs", "--every", "1", "--serve", "127.0.0.1:" + self.port],
            stdout=subprocess.PIPE, text=True)
        url = self.process.stdout.readline().strip()
        self.port = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/", url).group(1)
        return url

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(10) == 0
        self.process.stdout.close()


def is_drawn(page, server):
    assert (page.body("nodes"), page.body("jobs")) == ("30", "2")
    page.wait(lambda: page.body("live") == "yes", "the stream")


def jobs_come_and_go(page, server):
    page.run("location.hash = 'job=2'")
    page.wait(lambda: "wing" in page.text("#details"), "the job's details")
    colour = page.swatch("2")
    write("jobs", JOBS.split("\n", 1)[1] + "3 n[20-29] name=new user=eve\n")
    page.wait(lambda: page.body("jobs") == "2" and "3" in page.text("#legend") and not page.swatch_is_there("1"), "job 3")
    # What is picked stays picked, and a job keeps its colour.
    assert "wing" in page.text("#details") and "job=2" in page.address()
    assert page.swatch("2") == colour, (page.swatch("2"), colour)
    page.run("location.hash = ''")
    page.wait(lambda: not page.text("#details"), "nothing picked")
    one, three = page.pixels(["n02", "n22"])
    assert alike(page.swatch("3"), three) and not alike(page.swatch("3"), one)


def who_looks_on_hears_of_each_look(page, server):
    page.wait(lambda: re.fullmatch(r"jobs read [012] s ago", page.text("#heard")), "the age of what is seen: " + page.text("#heard"))
    assert page.text("#heard") != "" and page.run("return document.getElementById('heard').classList.contains('late')") is False
    # The server looks each second, so it does not become older.
    page.run("window.most = 0; setInterval(() => { most = Math.max(most, Number(/\\d+/.exec(document.getElementById('heard').textContent)[0])); }, 100)")
    time.sleep(6)
    assert page.run("return most") <= 4, page.run("return most")


def only_what_has_changed_is_sent(page, server):
    page.run("""window.sent = []; const ask = window.fetch;
        window.fetch = (...all) => ask(...all).then(answer => { answer.clone().text().then(text => sent.push([all[0], text])); return answer; });""")
    write("jobs", JOBS + "7 n28 name=one user=eve\n")
    page.wait(lambda: page.body("jobs") == "3" and page.run("return sent.length") == 1, "job 7")
    address, text = page.run("return sent[0]")
    changes = json.loads(text)
    assert re.fullmatch(r"machine\.json\?since=[0-9a-f]+-\d+", address) and "base" in changes, (address, text)
    assert [job["id"] for job in changes["come"]] == ["7"] and changes["gone"] == [] and changes["tori"] == [{}], text
    # What the page has then is what the server has.
    write("jobs", JOBS)
    page.wait(lambda: page.body("jobs") == "2" and page.run("return sent.length") == 2, "the end of job 7")
    rows = page.run("return [...document.querySelectorAll('#legend .row .name')].map(r => r.firstChild.textContent)")
    assert rows == ["1", "2", "free"], rows


def links_have_the_load_of_now(page, server):
    def link():
        (ax, ay), (bx, by) = (page.run("return storus.screenOf(arguments[0])", name) for name in ("n02", "n03"))
        page.pixels(["n02"])
        return page.pixels_at([[(ax + bx) / 2, (ay + by) / 2]])[0]

    page.run("location.hash = 'theme=dark&colour=load'")
    page.wait(lambda: page.run("return document.getElementById('colour').value") == "load", "the loads")
    without = link()
    write("jobs", JOBS)
    page.wait(lambda: not alike(without, link()), "its links")
    page.run("location.hash = ''")


def hostile_names_are_text(page, server):
    write("jobs", "4 n00 name=</script><script>window.hacked=1</script> user=<img/src=x/onerror=window.hacked=1>\n")
    page.wait(lambda: page.body("jobs") == "1", "job 4")
    page.run("location.hash = 'job=4'")
    page.wait(lambda: "</script><script>window.hacked=1</script>" in page.text("#details"), "its name")
    assert page.run("return window.hacked === undefined")


def what_is_wrong_is_told(page, server):
    write("jobs", "5\n")
    page.wait(lambda: "without nodes" in page.text("#live"), "the message")
    assert page.body("jobs") == "1"
    write("jobs", JOBS)
    page.wait(lambda: page.body("jobs") == "2" and not page.text("#live"), "all well")


def another_machine_is_loaded(page, server):
    page.run("location.hash = 'job=2&colour=user'")
    write("torus.conf", CONF.replace("Wrap=x", "Wrap=xy"))
    page.wait(lambda: page.body("ready") == "true" and "wrapping" not in page.text("#subtitle"), "the other torus")
    assert "job=2" in page.address() and "colour=user" in page.address()
    write("torus.conf", CONF)
    page.wait(lambda: page.body("ready") == "true" and "wrapping in x" in page.text("#subtitle"), "the torus")


def the_server_goes_and_comes(page, server):
    page.wait(lambda: page.body("live") == "yes", "the stream")
    server.stop()
    page.wait(lambda: "No connection" in page.text("#live"), "the message")
    write("jobs", JOBS + "6 n29 name=later user=eve\n")
    server.start()
    page.wait(lambda: page.body("jobs") == "3" and not page.text("#live"), "job 6")


TESTS = [is_drawn, jobs_come_and_go, links_have_the_load_of_now, hostile_names_are_text, what_is_wrong_is_told, who_looks_on_hears_of_each_look,
         only_what_has_changed_is_sent, another_machine_is_loaded,
         the_server_goes_and_comes]


class LivePage(Page):
    # An element would be of the page before, when the page is loaded again.
    def body(self, name):
        return self.run("return document.body ? document.body.dataset[arguments[0]] : null", name)

    def swatch_is_there(self, row):
        return self.run("""return [...document.querySelectorAll('#legend .row')]
            .some(row => row.textContent.startsWith(arguments[0]))""", row)


def main():
    if missing():
        print(missing())
        return 77
    write("torus.conf", CONF)
    write("jobs", JOBS)
    server = Server(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="view-live.") as profile:
        page = LivePage(server.start(), profile)
        try:
            page.open()
            run_tests(TESTS, lambda function: None, page, server)
            complaints = [entry["message"] for entry in page.browser.get_log("browser")
                          if "ERR_CONNECTION_REFUSED" not in entry["message"] and "ERR_INCOMPLETE" not in entry["message"]]
            say_complaints(complaints)
        finally:
            page.browser.quit()
            server.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
