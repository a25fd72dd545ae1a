"""The report is one file that a browser shows without asking anybody else and without running a user's strings."""

import html
import json
import re
import shutil
from html.parser import HTMLParser

import pytest
import yaml
from helpers.fault_runs import small_project
from helpers.workflow_runs import FIGURES, LEDGERS, snakemake

pytestmark = pytest.mark.slow
BROWSER, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1400,1000",
)


@pytest.fixture(scope="module")
def report(shared, paged):
    """The report of a finished run."""

    def make(folder):
        shutil.copytree(paged, folder, symlinks=True)
        run = snakemake(folder, "--report", "report.html", "--", "pages")
        assert run.returncode == 0, run.stdout + run.stderr

    return shared("report", make) / "report.html"


def test_it_holds_every_figure_ledger_notebook_and_the_configuration(report):
    text = report.read_text()
    for name in [*(f"{figure}.png" for figure in FIGURES), *(f"{ledger}.html" for ledger in LEDGERS)]:
        assert name in text
    for name in ("overview.html", "about.html", "estimator.html", "knapsack.html", "results.html"):
        assert name in text


def test_it_is_small_enough_to_send(report):
    assert report.stat().st_size <= 15_000_000


def test_its_overview_has_a_thumbnail_of_every_figure(report):
    page = (report.parent / "results/smoke/pages/overview.html").read_text(encoding="utf-8")
    for name in FIGURES:
        assert f'<img alt="{name}" src="data:image/png;base64,' in page


EVIL = "</script><script>alert(1)</script><!--<img src=x onerror=alert(2)>"
POLICY = """
class Noted:
    knows_horizon = False
    def __init__(self, info, note): ...
    def act(self, x): return 0
    def update(self, x, arm, reward, consumption=None): ...
"""


class Scripts(HTMLParser):
    """The scripts of a page, as a browser splits them."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        if tag == "script":
            self.found.append("")

    def handle_data(self, data):
        if self.cdata_elem == "script":
            self.found[-1] += data


@pytest.fixture(scope="module")
def noted(shared):
    """The report of a run whose configuration holds a string with tags."""
    return shared("noted", make_noted) / "report.html"


def make_noted(folder):
    project = small_project(folder)
    (project / "noted.py").write_text(POLICY)
    file = project / "config/config.yaml"
    config = yaml.safe_load(file.read_text())
    config["bandit"]["methods"]["uniform"] = {"name": "noted:Noted", "note": EVIL}
    file.write_text(yaml.safe_dump(config))
    shown = ["results/pages/about.html", "results/figures/fig2_bandit.png"]
    for arguments in (["--cores", "2"], ["--report", "report.html"]):
        run = snakemake(project, *arguments, "--", *shown, configs=["config/config.yaml"])
        assert run.returncode == 0, run.stdout + run.stderr


def test_a_string_of_the_configuration_runs_nowhere(noted):
    text = noted.read_text(encoding="utf-8")
    assert "alert(1)" in text
    scripts = Scripts(text).found
    (results,) = [script for script in scripts if re.match(r"\s*var results = ", script)]
    assert json.loads(re.search(r"var results = (.*);", results)[1])
    assert [script for script in scripts if script.startswith("alert")] == []


def test_a_page_shows_a_string_of_the_configuration_as_it_is(noted):
    page = (noted.parent / "results/pages/about.html").read_text(encoding="utf-8")
    assert html.escape(EVIL) in page
    assert "<script>" not in page


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


def requests(browser):
    """The addresses that the browser asked for since the last look."""
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    sent = [message["params"] for message in messages if message["method"] == "Network.requestWillBeSent"]
    return [params["request"]["url"] for params in sent]


def test_a_browser_shows_it_without_errors_or_requests_to_others(report, browser, tmp_path):
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import WebDriverWait

    browser.get(report.as_uri())
    WebDriverWait(browser, 30).until(lambda page: "Figures" in page.find_element(By.TAG_NAME, "body").text)
    assert {"Overview", "Ledgers", "Notebooks", "About"} <= set(browser.find_element(By.TAG_NAME, "body").text.split())
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []
    assert [url for url in requests(browser) if not url.startswith(("file:", "data:", "blob:", "chrome"))] == []
