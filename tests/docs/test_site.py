"""The site builds without a warning, its links lead somewhere, and a browser shows it without errors or requests."""

import importlib.util
import json
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(importlib.util.find_spec("sphinx") is None, reason="make docs installs sphinx"),
]
ROOT = Path(__file__).parents[2]
BROWSER, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-sync",
)
SPILLS = """
const spills = (node) => {
  for (let part = node; part && part !== document.body; part = part.parentElement)
    if (getComputedStyle(part).overflowX !== "visible") return false;
  return true;
};
return [...document.querySelectorAll(".bd-article *")]
  .filter((node) => node.getBoundingClientRect().right > window.innerWidth + 1 && spills(node))
  .map((node) => node.tagName + ": " + node.textContent.slice(0, 60));
"""


@pytest.fixture(scope="module")
def site(shared):
    """The pages, as `make docs` builds them."""

    def make(folder):
        command = [sys.executable, "-m", "sphinx", "--fail-on-warning", "--quiet", ROOT / "docs", folder]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stderr

    return shared("site", make)


def pages_of(site):
    """All pages; among the static files is a template of the theme."""
    return sorted(path for path in site.rglob("*.html") if "_static" not in path.parts)


class Page(HTMLParser):
    """What a page links to, and what others may link to in it."""

    def __init__(self, path):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.anchors.add(found.get("id"))
        if tag in ("a", "link", "img", "script"):
            self.links.append(found.get("href") or found.get("src") or "")


def test_every_link_leads_to_a_page_and_an_anchor_that_are_there(site):
    pages = {path: Page(path) for path in pages_of(site)}
    assert len(pages) > 40
    broken = []
    for path, page in pages.items():
        for link in map(urlsplit, page.links):
            if link.scheme or link.netloc:
                continue
            target = path.parent.joinpath(unquote(link.path)).resolve() if link.path else path
            known = pages[target].anchors if target in pages else {link.fragment}
            if not target.exists() or (link.fragment and unquote(link.fragment) not in known):
                broken.append(f"{path.relative_to(site)}: {link.geturl()}")
    assert broken == []


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    """Headless Chromium that logs its console and every request."""
    if not (BROWSER and DRIVER):
        pytest.skip("chromium and chromedriver are not installed")
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


def faults(browser, page):
    """Errors on the console, requests to others, and what does not fit."""
    browser.get(page.as_uri())
    yield from (entry["message"] for entry in browser.get_log("browser") if entry["level"] == "SEVERE")
    for entry in browser.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            address = message["params"]["request"]["url"]
            if not address.startswith(("file:", "data:", "blob:", "chrome")):
                yield address
    yield from browser.execute_script(SPILLS)


@pytest.mark.parametrize("width", [1280, 400])
def test_a_browser_shows_every_page(site, browser, width):
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    found = {page.relative_to(site): list(faults(browser, page)) for page in pages_of(site)}
    assert {page: wrong for page, wrong in found.items() if wrong} == {}


def shown_rows(browser):
    rows = browser.find_elements("css selector", ".ledger tbody tr")
    return [row.text for row in rows if row.is_displayed()]


def test_a_table_sorts_and_filters(site, browser):

    browser.get((site / "findings/claims.html").as_uri())
    before = shown_rows(browser)
    browser.find_elements("css selector", ".ledger th")[1].click()
    after = shown_rows(browser)
    assert after != before
    assert sorted(after) == sorted(before)
    browser.find_element("css selector", ".ledger-tools input").send_keys("linCBwK")
    assert 0 < len(shown_rows(browser)) < len(before)
    assert all("lincbwk" in row.lower() for row in shown_rows(browser))
