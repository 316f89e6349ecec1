#!/usr/bin/env python3
"""The pages of `fathom serve` in Chromium: laid out well, light, dark and narrow, by keyboard, without script, and nothing on the console.

usage: run_serve_browser.py --fathom FATHOM --bin FOLDER --work FOLDER NAME
       run_serve_browser.py --list
Exit status 77: something that the test needs is not here.
"""
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import cases
from cases import Skip, case
from served import HOSTILE, MOUNT, Server, make_site

try:
    from selenium import webdriver
    from selenium.common.exceptions import WebDriverException
except ImportError:
    sys.path.append("/usr/lib/python3/dist-packages")  # Debian's
    try:
        from selenium import webdriver
        from selenium.common.exceptions import WebDriverException
    except ImportError:
        webdriver = None

PROBE = Path(__file__).resolve().parent / "inputs" / "look_at_page.js"
PAGES = ("/jobs", "/jobs?user=anna&sort=bytes&page=2", "/jobs?user=nobody", "/jobs/3", "/jobs/3/report", "/jobs/5", "/jobs/3/history", "/jobs/3/neighbours",
         "/jobs/3/servers", "/running", "/running?job=471100", "/programs?since=3 days ago", "/program?name=wrf.exe", "/users?since=3 days ago", "/user?name=anna", "/site?since=3 days ago",
         "/file-systems?since=3 days ago", f"/file-system?{MOUNT}", f"/minute?{MOUNT}", "/nothing", "/jobs?since=soon")
WAIT = 30  # s


class Place(cases.Place):
    @contextlib.contextmanager
    def browser(self, script=True):
        if webdriver is None or not shutil.which("chromedriver") or not shutil.which("chromium"):
            raise Skip("chromium, chromium-driver or python3-selenium is not here")
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1400,900",
                     f"--user-data-dir={self.path('profile')}"):
            options.add_argument(word)
        if not script:
            options.add_experimental_option("prefs", {"profile.managed_default_content_settings.javascript": 2})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        from selenium.webdriver.chrome.service import Service
        os.environ["HOME"] = self.folder
        driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
        try:
            yield driver
        finally:
            driver.quit()

    def serve(self):
        return Server(self.fathom, make_site(self.fathom, self.folder), "--all", proxy=False)

    def go(self, driver, server, page):
        """The page, once it is made: a browser would say on its console that it had to wait."""
        address = page.replace(" ", "%20")
        server.made(address)
        driver.get(f"http://127.0.0.1:{server.port}" + address)

    def expect_soon(self, holds, what):
        """Once a page that was asked for by a key or a click has come; what() says what is there instead."""
        deadline = time.monotonic() + WAIT
        while True:
            with contextlib.suppress(WebDriverException):  # a page is on its way out
                if holds() or time.monotonic() > deadline:
                    break
            time.sleep(0.1)
        self.expect(holds(), what())

    def expect_silent(self, driver, page):
        said = [line["message"] for line in driver.get_log("browser")
                if "favicon" not in line["message"] and not ("Failed to load resource" in line["message"] and page in ("/nothing", "/jobs?since=soon"))]
        self.expect(not said, f"{page}, on the console: {said}")

    def expect_sound(self, driver, page, width, dark):
        """Once it is laid out so; gives what the probe found."""
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
        driver.execute_script("document.activeElement.blur(); document.querySelectorAll('#looked').forEach(it => it.remove());\n" + PROBE.read_text(encoding="utf-8") +
                              "\nwindow.dispatchEvent(new Event('load'));")
        looked = json.loads(driver.execute_script("return document.getElementById('looked').textContent"))
        for wrong in looked["wrong"]:
            self.expect(page.startswith("/site") and wrong.endswith("in a drawing"),  # numbers at bars of such odd sums
                        f"{page}, {width} wide{', dark' if dark else ''}: {wrong}")
        self.expect(driver.title != "stolen", f"{page}: a name ran as script")
        return looked


@case("every page is laid out well, light, dark and narrow, and says nothing on the console")
def _(place):
    with place.serve() as server, place.browser() as driver:
        for page in PAGES:
            place.go(driver, server, page)
            looked = [place.expect_sound(driver, page, width, dark) for width, dark in ((1400, False), (1400, True), (360, False))]
            place.expect(looked[0]["paper"] != looked[1]["paper"] and looked[0]["ink"] != looked[1]["ink"], f"{page}: dark is like light")
            place.expect_silent(driver, page)


@case("by keyboard alone: to a job, to its history, and to a list of one user")
def _(place):
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys
    with place.serve() as server, place.browser() as driver:
        def press(*keys):
            ActionChains(driver).send_keys(*keys).perform()

        def to(condition, most=120):
            """Presses Tab until what has the keyboard fits."""
            for _ in range(most):
                press(Keys.TAB)
                if driver.execute_script(f"const it = document.activeElement; return {condition};"):
                    return True
            return False

        place.go(driver, server, "/jobs")
        place.expect(to("it.matches('.skip')", 1), "the first stop is not the way past the menu")
        place.expect(to("it.tagName === 'SUMMARY'"), "the filters cannot be reached")
        press(Keys.ENTER)
        place.expect(to("it.name === 'user'"), "the field of users cannot be reached")
        press("anna", Keys.ENTER)
        place.expect_soon(lambda: "user=anna" in driver.current_url and "program=" not in driver.current_url, lambda: f"Enter leads to {driver.current_url}")
        place.expect(to("/^\\/jobs\\/[0-9]+$/.test(it.getAttribute('href'))"), "no job can be reached")
        press(Keys.ENTER)
        place.expect_soon(lambda: driver.current_url.split("/")[-1].isdigit(), lambda: f"Enter on a job leads to {driver.current_url}")
        place.expect(to("/history$/.test(it.getAttribute('href') || '')"), "its history cannot be reached")
        press(Keys.ENTER)
        place.expect_soon(lambda: driver.current_url.endswith("/history"), lambda: f"Enter on its history leads to {driver.current_url}")


@case("without script all shows, and forms and links work")
def _(place):
    from selenium.webdriver.common.by import By
    with place.serve() as server, place.browser(script=False) as driver:
        for page in PAGES:
            place.go(driver, server, page)
            place.expect(driver.find_elements(By.CSS_SELECTOR, "main, nav.site"), f"{page}: nothing shows")
            place.expect(not driver.find_elements(By.CSS_SELECTOR, "button.sort"), f"{page}: script runs")
        place.go(driver, server, "/jobs")
        driver.find_element(By.CSS_SELECTOR, "details summary").click()
        driver.find_element(By.NAME, "user").send_keys("anna")
        driver.find_element(By.CSS_SELECTOR, ".filters button").click()
        place.expect_soon(lambda: "user=anna" in driver.current_url and len(driver.find_elements(By.CSS_SELECTOR, "#jobs tbody tr")) == 50,
                          lambda: f"a filter leads to {driver.current_url}")
        driver.find_element(By.LINK_TEXT, "Next page").click()
        place.expect_soon(lambda: "page=2" in driver.current_url and "user=anna" in driver.current_url, lambda: f"the next page is {driver.current_url}")
        place.go(driver, server, f"/file-system?{MOUNT}")
        place.expect(len(driver.find_elements(By.CSS_SELECTOR, ".drawing svg")) >= 2, "charts need script")


@case("dragging over a chart shows that stretch of time, pointing at it its values")
def _(place):
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
    with place.serve() as server, place.browser() as driver:
        page = f"/file-system?{MOUNT}"
        place.go(driver, server, page)
        for number in range(2):  # the chart, then the map
            place.go(driver, server, page)
            chart = driver.find_elements(By.CSS_SELECTOR, "figure[data-began] svg.spots")[number]
            driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", chart)
            ActionChains(driver).move_to_element_with_offset(chart, 20, 10).perform()
            tip = driver.find_element(By.CSS_SELECTOR, ".tip")
            place.expect(tip.is_displayed() and tip.text, "pointing at it says nothing")
            ActionChains(driver).move_to_element_with_offset(chart, -40, 10).click_and_hold().move_by_offset(80, 0).release().perform()
            deadline = time.monotonic() + WAIT
            while "since" not in driver.current_url and time.monotonic() < deadline:
                time.sleep(0.2)
            found = dict(part.split("=") for part in driver.current_url.split("?")[1].split("&"))
            since, until = (int(found.get(name, "%400").replace("%40", "").replace("@", "")) for name in ("since", "until"))
            place.expect(1000 < until - since < 6 * 3600 / 3, f"it leads to {driver.current_url}, {until - since} s")
            place.go(driver, server, driver.current_url.split(str(server.port))[1])
            place.expect("UTC to " in driver.find_element(By.CSS_SELECTOR, "header p").text, "the stretch of time does not show")
            place.expect_silent(driver, page)


@case("dragging over the plot of a history shows the runs of that stretch of time")
def _(place):
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
    with place.serve() as server, place.browser() as driver:
        for page in ("/program?name=wrf.exe", "/jobs/3/history"):
            place.go(driver, server, page)
            chart = driver.find_element(By.CSS_SELECTOR, "figure[data-began] svg.spots[data-end]")
            began = float(driver.find_element(By.CSS_SELECTOR, "figure[data-began]").get_attribute("data-began"))
            place.expect(abs(time.time() - began) < 2 * 86400, f"{page}: the axis begins at {began}")
            begin, end, left, right = (float(chart.get_attribute(f"data-{name}")) for name in ("begin", "end", "left", "right"))
            driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", chart)
            scale = chart.rect["width"] / driver.execute_script("return arguments[0].viewBox.baseVal.width", chart)
            from_x, by = int(left * scale + 0.5 * (right - left) * scale - chart.rect["width"] / 2), int(0.25 * (right - left) * scale)
            ActionChains(driver).move_to_element_with_offset(chart, from_x, 10).click_and_hold().move_by_offset(by, 0).release().perform()
            place.expect_soon(lambda: "since" in driver.current_url, lambda: f"{page}: it leads to {driver.current_url}")
            found = dict(part.split("=") for part in driver.current_url.split("?")[1].split("&"))
            since, until = (int(found[name].replace("%40", "").replace("@", "")) for name in ("since", "until"))
            length = end - begin
            place.expect(abs(since - (began + begin + 0.5 * length)) < 0.02 * length and abs(until - since - 0.25 * length) < 0.02 * length,
                         f"{page}: {since} to {until} of {began + begin} and {length} s")
            place.go(driver, server, driver.current_url.split(str(server.port))[1])
            shown = driver.find_element(By.CSS_SELECTOR, "svg.spots[data-end]")
            place.expect(page != "/program?name=wrf.exe" or float(shown.get_attribute("data-end")) - float(shown.get_attribute("data-begin")) < 0.3 * length,
                         f"{page}: the plot is as long as before")
            place.expect(not driver.find_element(By.CSS_SELECTOR, ".bar input[name=since]").get_attribute("value") == "", "the form has no beginning")
            place.expect_silent(driver, page)


@case("what runs now appears on a page that is open, without loading it again")
def _(place):
    from selenium.webdriver.common.by import By
    with place.serve() as server, place.browser() as driver:
        place.go(driver, server, "/jobs")
        driver.execute_script("window.isTheSame = true")
        with open(place.path("busy.py"), "w", encoding="utf-8") as file:
            file.write("import time\nf = open('x.bin', 'wb', buffering=0)\nfor i in range(6000):\n    f.write(b'x' * 65536)\n    time.sleep(0.01)\n")
        recording = subprocess.Popen([place.fathom, "record", "-q", "-o", place.path("x.fathom"), "--", "python3", place.path("busy.py"), HOSTILE],
                                     cwd=place.folder, start_new_session=True)
        try:
            deadline = time.monotonic() + WAIT
            def shown():
                with contextlib.suppress(WebDriverException):  # it was replaced just now
                    return " ".join(section.text for section in driver.find_elements(By.ID, "running"))
                return ""

            while time.monotonic() < deadline and place.path("busy.py") not in shown():
                time.sleep(0.5)
            place.expect(place.path("busy.py") in shown(), "it does not appear")
            place.expect(driver.find_element(By.ID, "running_jobs").text.count("wrf.exe") == 1, "jobs of other nodes do not show")
            place.expect(driver.execute_script("return window.isTheSame") is True, "the page was loaded again")
            place.expect(driver.title == "Jobs", f"a name ran as script: {driver.title}")
            place.expect_silent(driver, "/jobs")
        finally:
            os.killpg(recording.pid, signal.SIGKILL)
            recording.wait()


if __name__ == "__main__":
    sys.exit(cases.main(__doc__, Place))
