# SPDX-License-Identifier: Apache-2.0
"""A report in a real browser, for the tests that look at one."""

import shutil

import pytest

BROWSERS = ("chromium-headless-shell", "chromium", "google-chrome")


@pytest.fixture(scope="session")
def browser():
    api = pytest.importorskip("playwright.sync_api", reason="no playwright in .venv")
    paths = [path for path in map(shutil.which, BROWSERS) if path]
    if not paths:
        pytest.skip(f"none of {', '.join(BROWSERS)} is installed")
    with api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=paths[0], args=["--no-sandbox"])
        yield chromium
        chromium.close()


def made(program, *files, name="report.html"):
    program.run("report", *files, "--out", name)
    return program.folder / name


OPEN = []  # pages of the test that runs


@pytest.fixture(autouse=True)
def pages_end_with_their_test():
    """A page that stays open makes those after it slower."""
    yield
    while OPEN:
        OPEN.pop().close()


@pytest.fixture(scope="module")
def tab(browser):
    """For one report after the other, each of its own name, which takes two thirds of the time of as many pages."""
    page = Page(browser)
    yield page
    page.page.close()


class Page:
    """A report in the browser. Whatever it asks of the network or says on the console is kept."""

    def __init__(self, browser, path=None, width=1400, theme="light", place=""):
        self.page = browser.new_page(viewport={"width": width, "height": 1000}, color_scheme=theme)
        self.faults = []
        self.page.on("console", lambda message: self.faults.append(message.text))
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("request", lambda request: self.faults.append(request.url) if self.foreign(request) else None)
        if path:
            OPEN.append(self.page)
            self.show(path, place)

    def show(self, path, place=""):
        self.faults.clear()
        self.page.goto(path.resolve().as_uri() + place)
        self.page.wait_for_selector("#main[aria-busy=false]")

    @staticmethod
    def foreign(request):
        return not request.url.startswith(("file:", "blob:"))

    def open_all(self):
        self.page.evaluate("document.querySelectorAll('details:not(.columns)').forEach((one) => { one.open = true; })")
        self.page.wait_for_timeout(200)

    def texts(self, selector):
        return self.page.locator(selector).all_inner_texts()
