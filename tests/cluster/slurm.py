"""A private SLURM on this machine, for as long as a test lasts: one node, on loopback, no database."""

import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

DAEMONS = ("munged", "slurmctld", "slurmd")
CONFIG = Path("/etc/slurm/slurm.conf")  # the executor drops SLURM_CONF from its inner srun: no other place will do
SAVED = CONFIG.with_name("slurm.conf.before-test-cluster")
MARK = "# Written by `make test-cluster`, which removes it again."


class SlurmUnavailableError(RuntimeError):
    """A private SLURM cannot be started here; the message says why."""


@contextmanager
def private_slurm(cpus: int) -> Iterator[None]:
    """Start munged, slurmctld and slurmd; stop them and clean up afterwards."""
    check_machine()
    folder = Path(tempfile.mkdtemp(prefix="slurm-"))  # short: it holds a socket, whose path may have 107 characters
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder)
        folder.chmod(0o755)  # munged refuses a socket that others cannot reach
        stack.enter_context(configuration(slurm_conf(folder, cpus)))
        stack.enter_context(daemon(["munged", *munge_options(folder)], folder))
        stack.enter_context(daemon(["slurmctld"], folder))
        stack.enter_context(daemon(["slurmd"], folder))
        stack.callback(cancel_all)
        wait_for(node_is_idle, seconds=30, what="the node to be idle")
        yield


def check_machine() -> None:
    """Raise SlurmUnavailableError unless SLURM is installed, may be started and does not run yet."""
    missing = [name for name in DAEMONS if shutil.which(name) is None]
    if missing:
        raise SlurmUnavailableError(
            f"{', '.join(missing)} not found: install SLURM and munge "
            "(on Debian: apt-get install --no-install-recommends slurm-wlm munge)"
        )
    if os.geteuid() != 0:
        raise SlurmUnavailableError(f"only root may start SLURM's daemons and write {CONFIG}")
    if subprocess.run(["scontrol", "ping"], capture_output=True, check=False).returncode == 0:
        raise SlurmUnavailableError(f"another slurmctld answers (see {CONFIG}): this test would disturb it")


def slurm_conf(folder: Path, cpus: int) -> str:
    """The configuration: jobs are held to their memory, finished jobs are remembered for an hour."""
    host = socket.gethostname().partition(".")[0]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20
    return f"""{MARK}
ClusterName=hdbwk
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={free_port()}
SlurmdPort={free_port()}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
StateSaveLocation={folder}
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherParams=OverMemoryKill
JobAcctGatherFrequency=5
MinJobAge=3600
ReturnToService=2
SlurmdParameters=config_overrides
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory={memory * 9 // 10} State=UNKNOWN
PartitionName=main Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def munge_options(folder: Path) -> list[str]:
    """What tells munged to keep to the folder, with a key of its own."""
    key = folder / "munge.key"
    key.touch(mode=0o600)
    key.write_bytes(secrets.token_bytes(1024))
    files = {"key": key, "socket": "munge.socket", "pid": "munged.pid", "log": "munged.log", "seed": "munge.seed"}
    return [f"--{name if name == 'socket' else f'{name}-file'}={folder / file}" for name, file in files.items()]


def free_port() -> int:
    """A port of the loopback that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def configuration(text: str) -> Iterator[None]:
    """Put a slurm.conf in place of the machine's own, which returns afterwards, even if an earlier test was killed."""
    CONFIG.parent.mkdir(exist_ok=True)
    if CONFIG.exists() and not CONFIG.read_text().startswith(MARK):
        CONFIG.rename(SAVED)
    CONFIG.write_text(text)
    try:
        yield
    finally:
        CONFIG.unlink()
        if SAVED.exists():
            SAVED.rename(CONFIG)


@contextmanager
def daemon(command: list[str], folder: Path) -> Iterator[None]:
    """Start a daemon that writes a pid file; stop it afterwards if the pid is still its own."""
    name = command[0]
    subprocess.run(command, check=True)
    pid_file = folder / f"{name}.pid"
    wait_for(lambda: pid_file.exists() and pid_file.read_text().strip(), seconds=10, what=f"{name} to start")
    pid = int(pid_file.read_text())
    try:
        yield
    finally:
        if is_running(pid, name):
            os.kill(pid, signal.SIGTERM)
        wait_for(lambda: not is_running(pid, name), seconds=30, what=f"{name} (process {pid}) to stop")


def is_running(pid: int, name: str) -> bool:
    """Whether the process exists and is that program; Debian's names lead to others, such as slurmd-wlm."""
    try:
        return Path(f"/proc/{pid}/exe").readlink() == Path(shutil.which(name)).resolve()
    except FileNotFoundError:
        return False


def cancel_all() -> None:
    """Cancel what still runs: this SLURM knows no jobs but the test's."""
    subprocess.run(["scancel", "--user=root"], check=True)
    wait_for(lambda: not slurm("squeue", "--noheader"), seconds=60, what="all jobs to end")


def node_is_idle() -> bool:
    return slurm("sinfo", "--noheader", "--format=%t") == "idle"


def job_states() -> dict[str, str]:
    """Job number -> state, for all jobs since SLURM was started."""
    lines = slurm("squeue", "--noheader", "--states=all", "--format=%i %T").splitlines()
    return dict(line.split() for line in lines)


def slurm(*command: str) -> str:
    """What a command of SLURM prints."""
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def wait_for(condition: Callable[[], object], seconds: float, what: str) -> None:
    """Return when the condition holds; TimeoutError if it does not in time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"waited {seconds} s for {what}")
        time.sleep(0.2)
