"""What the private SLURM takes from the machine, it gives back; these tests need neither root nor SLURM."""

import subprocess

import pytest
from cluster import slurm


@pytest.fixture
def own(tmp_path, monkeypatch):
    """A stand-in for the machine's own slurm.conf."""
    path = tmp_path / "slurm.conf"
    monkeypatch.setattr(slurm, "CONFIG", path)
    monkeypatch.setattr(slurm, "SAVED", tmp_path / "saved")
    path.write_text("the machine's own")
    return path


def test_the_machines_own_configuration_returns(own):
    with pytest.raises(KeyboardInterrupt), slurm.configuration(slurm.MARK):
        assert own.read_text() == slurm.MARK
        raise KeyboardInterrupt
    assert own.read_text() == "the machine's own"


def test_it_returns_even_after_a_test_that_was_killed(own):
    own.rename(slurm.SAVED)
    own.write_text(slurm.MARK)
    with slurm.configuration(slurm.MARK):
        pass
    assert own.read_text() == "the machine's own"


def test_no_configuration_is_left_where_there_was_none(own):
    own.unlink()
    with slurm.configuration(slurm.MARK):
        pass
    assert not own.exists()


def test_missing_daemons_are_named(monkeypatch):
    monkeypatch.setattr(slurm.shutil, "which", lambda name: None)
    with pytest.raises(slurm.SlurmUnavailableError, match="munged, slurmctld, slurmd not found: install"):
        slurm.check_machine()


def test_a_pid_that_went_to_another_program_is_left_alone():
    with subprocess.Popen(["sleep", "60"]) as process:
        assert slurm.is_running(process.pid, "sleep")
        assert not slurm.is_running(process.pid, "sh")
        process.kill()
    assert not slurm.is_running(process.pid, "sleep")
