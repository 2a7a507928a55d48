"""Debian's Chromium without a window, driven through its WebDriver, and the headway under test."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

CHROMIUM = shutil.which("chromium")
DRIVER = shutil.which("chromedriver")
SKIPPED = 77  # the exit status that ctest takes for a test that did not run

try:
    from selenium import webdriver
    from selenium.common.exceptions import StaleElementReferenceException
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
except ImportError:
    webdriver = None

if webdriver is None or CHROMIUM is None or DRIVER is None:
    print("no Chromium to open pages with (Debian: chromium chromium-driver python3-selenium; "
          "scripts/test installs them)")
    # Continuous integration installs them, so there it is a failure.
    sys.exit(1 if os.environ.get("CI") else SKIPPED)

HEADWAY = os.environ["HEADWAY_BINARY"]
SOURCES = pathlib.Path(os.environ["HEADWAY_SOURCE_DIR"])


def headway(*arguments, status=0):
    """What headway writes to standard output."""
    result = subprocess.run([HEADWAY, *map(str, arguments)], cwd=SOURCES, capture_output=True,
                            text=True, check=False)
    assert result.returncode == status, f"{arguments}: {result.returncode}: {result.stderr}"
    return result.stdout


class Browser:
    """One window; pages are files, or come from a server."""

    def __init__(self, *arguments, gpu=False):
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        # A GPU is SwiftShader, which runs shaders on the processor.
        graphics = (("--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader") if gpu
                    else ("--disable-gpu",))
        # Root, as in a container, may not use the sandbox; /dev/shm is small there.
        for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage",
                         "--force-device-scale-factor=1", *graphics, *arguments):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service(DRIVER), options=options)
        self.driver.set_script_timeout(300)
        self.resize(1440, 950)

    def close(self):
        self.driver.quit()

    def processes(self, kind=""):
        """The numbers of the browser's processes, or of those of a kind, "gpu-process"."""
        table = subprocess.run(["ps", "-eo", "pid=,ppid=,args="], capture_output=True, text=True,
                               check=True).stdout
        children = {}
        for line in table.splitlines():
            pid, parent, command = line.split(None, 2)
            children.setdefault(int(parent), []).append((int(pid), command))
        found, below = [], list(children.get(self.driver.service.process.pid, []))
        while below:
            pid, command = below.pop()
            below += children.get(pid, [])
            if not kind or f"--type={kind}" in command:
                found.append(pid)
        return found

    def kill(self, kind=""):
        """Ends the browser, or its processes of a kind, without notice."""
        for process in self.processes(kind):
            os.kill(process, signal.SIGKILL)

    def resize(self, width, height):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})

    def prefer(self, scheme):
        """What the system says of colours: light or dark."""
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def open(self, page, link=""):
        # By way of an empty page: to follow a link within a page loads nothing anew.
        self.driver.get("about:blank")
        self.driver.get(f"file://{page}{link}")

    def log(self):
        """What the page wrote to the console since the last call, errors among it."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def js(self, code, *arguments):
        return self.driver.execute_script(code, *arguments)

    def all(self, selector):
        return [e for e in self.driver.find_elements(By.CSS_SELECTOR, selector) if e.is_displayed()]

    def one(self, selector):
        found = self.all(selector)
        assert found, f"nothing to see for {selector}"
        return found[0]

    def click(self, selector):
        self.one(selector).click()

    def text(self, selector):
        return self.one(selector).text

    def press(self, *keys):
        """Keys to whatever has the focus."""
        for key in keys:
            self.driver.switch_to.active_element.send_keys(key)

    def until(self, condition, what):
        """Waits for `condition()`, which may be so only after the page has come to rest."""
        last = time.monotonic() + 60  # a machine may be busy with other things
        while time.monotonic() < last:
            try:
                value = condition()
            except StaleElementReferenceException:
                value = None  # the page replaced what the condition was looking at: it looks anew
            if value:
                return value
            time.sleep(0.05)
        page = self.js("return document.body.innerText.slice(0, 2000)")
        raise AssertionError(f"waited in vain for {what}; the page:\n{page}")

    def hash(self):
        """The parameters of the link that the page shows, once it has come to rest."""
        return json.loads(self.driver.execute_async_script("""
            const done = arguments[0];
            setTimeout(() => done(JSON.stringify(Object.fromEntries(
                new URLSearchParams(location.hash.slice(1))))), 250);"""))
