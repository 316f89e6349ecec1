#!/usr/bin/env python3
"""The HTML report in a browser: nothing overlaps, is cut off or beyond the window, nothing is said on the console, and all can be reached by keyboard.

usage: run_browser.py --fathom FATHOM --bin FOLDER --work FOLDER NAME
       run_browser.py --list
Exit status 77: something that the test needs is not here.
"""
import html
import json
import os
import re
import shutil
import sys
from pathlib import Path

import cases
import device_records
from cases import Skip, case
from darshan_copies import Log
from mpis import OPEN_MPI

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
MOST_BYTES = 200 * 1024  # of the report of a small job; a slow machine has more time bins
SCREEN_HEIGHT = 900
PROBE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "inputs", "look_at_page.js")


class Place(cases.Place):
    def browser(self):
        for name in BROWSERS:
            if shutil.which(name):
                return name
        raise Skip("chromium is not here")

    def page_of(self, log, name="report.html"):
        written = self.path(name)
        self.expect_status(self.run(self.fathom, "report", log, "-o", written), 0)
        return written

    def look_at(self, page, width, dark=False):
        """What the probe finds in the page once a browser has laid it out, and what the browser said of it."""
        with open(page, encoding="utf-8") as file, open(PROBE, encoding="utf-8") as probe:
            probed = file.read().replace("</body>", f"<script>{probe.read()}</script></body>")
        copy = self.path("probed.html")
        with open(copy, "w", encoding="utf-8") as file:
            file.write(probed)
        dark_mode = ("--force-dark-mode", "--blink-settings=preferredColorScheme=0") if dark else ()
        done = self.run(self.browser(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--enable-logging=stderr",
                        f"--user-data-dir={self.path('profile')}", f"--window-size={width},{SCREEN_HEIGHT}", *dark_mode, "--dump-dom",
                        f"file://{copy}", env={**os.environ, "HOME": self.folder})
        said = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
        self.expect(not said, f"on the console: {said}")
        found = re.search(r'<pre id="looked">(.*?)</pre>', done.stdout, re.DOTALL)
        self.expect(found, f"the page was not laid out: {done.stderr[-300:]!r}")
        return json.loads(html.unescape(found.group(1))) if found else None

    def expect_sound(self, page, width, dark=False):
        looked = self.look_at(page, width, dark)
        if looked is None:
            return None
        for wrong in looked["wrong"]:
            self.expect(False, f"{width} wide{', dark' if dark else ''}: {wrong}")
        return looked

    def checkpoint(self, *options):
        if not OPEN_MPI.has(self.programs, "checkpoint"):
            raise Skip("Open MPI is not here")
        log = self.path("x.fathom")
        self.expect_status(self.record(*OPEN_MPI.run(4), self.program("checkpoint"), "--mode", "N-1", "--mib-per-rank", "2", "--read-back",
                                       *options, options=("-q", "-o", log)), 0)
        return log


@case("the report of a small job fits its screen, wide, narrow and dark, and 200 KiB")
def _(place):
    page = place.page_of(place.checkpoint("--compute-ms", "100"))
    size = os.path.getsize(page)
    place.expect(size <= MOST_BYTES, f"{size} bytes")
    looked = place.expect_sound(page, 1400)
    if looked:
        place.expect(looked["first_ends"] <= SCREEN_HEIGHT, f"the first page ends at {looked['first_ends']} of {SCREEN_HEIGHT}")
    place.expect_sound(page, 700)
    bright, dark = place.look_at(page, 1400), place.look_at(page, 1400, dark=True)
    if bright and dark:
        place.expect(bright["paper"] != dark["paper"] and bright["ink"] != dark["ink"], f"dark is like light: {dark}")


@case("findings, warnings and long names fit as well")
def _(place):
    folder = "a folder of a long name " + "x" * 120
    os.mkdir(place.path(folder))
    slow = ("import os\nf = os.open('%s/data', os.O_CREAT | os.O_WRONLY)\n" % folder +
            "for i in range(3000): os.write(f, b'x' * 100); i % 20 or os.fsync(f)\nos.kill(os.getpid(), 9)")
    log = place.path("x.fathom")
    place.record("python3", "-c", slow, options=("-q", "-o", log))
    page = place.page_of(log)
    for width in (1400, 700, 360):
        place.expect_sound(page, width)


@case("a table of many logs leads to the report of each, and fits 1400 pixels")
def _(place):
    for name in ("one", "two"):
        place.record("sh", "-c", f"seq 1 20000 > {name}; sort {name} > sorted", options=("-q", "-o", f"{name}.fathom"))
    place.expect_status(place.run(place.fathom, "report", ".", "-o", "pages/"), 0)
    place.expect(sorted(os.listdir(place.path("pages"))) == ["index.html", "one.html", "two.html"], f"pages: {os.listdir(place.path('pages'))}")
    place.expect_message(place.run(place.fathom, "report", "one.fathom", "-o", "pages/"), "of one log name a file")
    looked = place.expect_sound(place.path("pages/index.html"), 1400)
    if looked:
        place.expect(sorted(link for link in looked["links"] if not link.startswith("#")) == ["one.html", "two.html"], f"links: {looked['links']}")
        place.expect(looked["widest_table"] <= 1400, f"a table is {looked['widest_table']} wide")


@case("a study, a list of jobs and the page of one fit as well")
def _(place):
    made = Path(place.programs).parent / "tests/made_logs"
    kinds = [Log(path) for path in sorted(made.glob("3.41-*little.darshan"))[:4]]
    for number in range(40):
        with open(place.path(f"{number}.darshan"), "wb") as file:
            file.write(kinds[number % len(kinds)].copy(number))
    url = place.path("jobs.db")
    for words in (("jobs", "add", "."), ("jobs", "list", "-o", "list.html"), ("jobs", "show", "1", "-o", "show.html"),
                  ("study", "--by", "program", "--large-processes", "1", "--large-bytes", "1", "-o", "study.html")):
        place.expect_status(place.run(place.fathom, *words, "--db", url), 0)
    for page in ("list.html", "show.html", "study.html"):
        for width in (1400, 700):
            place.expect_sound(place.path(page), width)


@case("what devices did fits as well, with its gaps and its map of many servers")
def _(place):
    for number, samples in enumerate(device_records.made_servers()):
        with open(place.path(f"disk{number}.json"), "w", encoding="utf-8") as file:
            file.write(device_records.as_iostat_json(f"a-server-with-a-long-name-{number}", {f"disk{at:02}": samples for at in range(6)}))
    place.expect_status(place.run(place.fathom, "devices", ".", "--time-zone", "UTC", "--system", "scratch", "-o", "devices.html"), 0)
    for width, dark in ((1400, False), (700, False), (1400, True)):
        place.expect_sound(place.path("devices.html"), width, dark)


if __name__ == "__main__":
    sys.exit(cases.main(__doc__, Place))
