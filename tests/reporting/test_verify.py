"""`make verify` names each committed file that a run did not reproduce."""

import subprocess

import pytest

from hdbwk.reporting import verify

TABLE = "method,mean\na,1.00001\nb,2\n"


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A repository with a table, a picture and a benchmark."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "figures").mkdir()
    for name, text in {"fig.csv": TABLE, "fig.md": "word", "fig.png": "pixels", "bench.csv": "seconds\n1\n"}.items():
        (tmp_path / "figures" / name).write_text(text)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b.c"]
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-qm", "a"]):
        subprocess.run([*git, *arguments], check=True)
    return tmp_path / "figures"


def test_what_is_committed_is_reproduced(project, capsys):
    assert verify.main() == 0
    assert "figures/fig.csv: the same\n" in capsys.readouterr().out


def test_the_last_digit_may_differ_and_so_may_pixels_and_times(project, capsys):
    (project / "fig.csv").write_text(TABLE.replace("1.00001", "1.00002"))
    (project / "fig.png").write_text("others")
    (project / "bench.csv").write_text("seconds\n2\n")
    assert verify.main() == 0
    assert "figures/fig.png: differs\n" in capsys.readouterr().out


def test_the_panel_of_times_may_differ(project):
    table = "panel,method,mean,seconds\nrounds,a,1,\ntime,a,1,{}\n"
    (project / "fig.csv").write_text(table.format(0.2))
    assert verify.difference(project / "fig.csv", table.format(0.1).encode()) == ""
    assert verify.difference(project / "fig.csv", table.format(0.1).replace("a,1,\n", "a,2,\n").encode()) != ""


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (TABLE.replace("1.00001", "1.1"), "differs in mean by up to 0.091"),
        (TABLE.replace("a,", "c,"), "differs in method in 1 rows"),
        (TABLE + "c,3\n", "has 3 rows and 2 columns, not 2 and 2"),
        (TABLE.replace("1.00001", ""), "differs in mean by up to inf"),
    ],
)
def test_what_differs_is_named(project, capsys, change, says):
    (project / "fig.csv").write_text(change)
    assert verify.main() == 1
    out = capsys.readouterr().out
    assert f"figures/fig.csv: {says}\n" in out
    assert "2 of 3 files are reproduced; not figures/fig.csv" in out


def test_a_file_that_was_not_made_is_named(project, capsys):
    (project / "fig.md").unlink()
    assert verify.main() == 1
    assert "figures/fig.md: was not made\n" in capsys.readouterr().out
