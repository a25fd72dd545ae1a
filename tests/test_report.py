"""The report is one file that a browser shows without asking anybody else."""

import json
import shutil

import pytest
from workflow_runs import FIGURES, LEDGERS, snakemake

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
def report(paged):
    """The report of a finished run."""
    run = snakemake(paged, "--report", "report.html", "--", "pages")
    assert run.returncode == 0, run.stdout + run.stderr
    return paged / "report.html"


def test_it_holds_every_figure_ledger_notebook_and_the_configuration(report):
    text = report.read_text()
    for name in [*(f"{figure}.png" for figure in FIGURES), *(f"{ledger}.html" for ledger in LEDGERS)]:
        assert name in text
    for name in ("about.html", "estimator.html", "knapsack.html", "results.html"):
        assert name in text


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
    assert {"Ledgers", "Notebooks", "About"} <= set(browser.find_element(By.TAG_NAME, "body").text.split())
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []
    assert [url for url in requests(browser) if not url.startswith(("file:", "data:", "blob:", "chrome"))] == []
