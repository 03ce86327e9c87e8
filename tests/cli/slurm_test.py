"""`paraiso run` in jobs of a real Slurm, which the test starts on this machine for itself.

Skipped where its daemons or both MPIs are missing.
"""
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import unittest

from command import PARAISO, CommandTest

LIBRARIES = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(PARAISO))), "lib/paraiso")
KINDS = {"pmix": "openmpi", "pmi2": "mpich"}  # how srun connects tasks, and whose tasks
HERE = [how for how, kind in KINDS.items() if os.path.exists(f"{LIBRARIES}/libparaiso_mpi_{kind}.so")]
DAEMONS = ("munged", "slurmctld", "slurmd", "srun")
HOST = socket.gethostname().split(".")[0]
PATIENCE = 240  # seconds, for a busy machine and delays of Slurm's own
HEAT = ("run", "heat", "--dim", "2", "--size", "24x20", "--threads", "1")

CONFIGURATION = """ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
SlurmctldPort={port}
SlurmdPort={next_port}
AuthType=auth/munge
AuthInfo=socket={folder}/munge,cred_expire=10
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
KillWait=5
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
NodeName={host} NodeAddr=127.0.0.1 CPUs=8 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""

JOB = """#!/bin/sh
srun --mpi={how} {paraiso} {heat} --checkpoint check $(test -e check && echo --restart check) --steps $(cat steps)
"""


def free_ports():
    """Two neighbours."""
    for port in range(16817, 60000, 2):
        try:
            for one in (port, port + 1):
                with socket.socket() as test:
                    test.bind(("127.0.0.1", one))
            return port
        except OSError:
            continue


class Slurm(CommandTest):
    @classmethod
    def setUpClass(cls):
        cls.home = subprocess.check_output(["mktemp", "-d"], text=True).strip()
        cls.daemons = []
        cls.addClassCleanup(cls.stop)
        for folder in ("state", "spool"):
            os.mkdir(f"{cls.home}/{folder}")
        with open(f"{cls.home}/key", "wb") as key:
            key.write(os.urandom(1024))
        os.chmod(f"{cls.home}/key", 0o400)
        os.chmod(cls.home, 0o755)
        port = free_ports()
        with open(f"{cls.home}/slurm.conf", "w") as file:
            file.write(CONFIGURATION.format(host=HOST, user=subprocess.check_output(["id", "-un"], text=True).strip(),
                                            port=port, next_port=port + 1, folder=cls.home))
        cls.environment = {**os.environ, "SLURM_CONF": f"{cls.home}/slurm.conf"}
        cls.begin("munged", "--foreground", "--force", f"--key-file={cls.home}/key", f"--socket={cls.home}/munge",
                  f"--pid-file={cls.home}/munged.pid", f"--log-file={cls.home}/munged.log", f"--seed-file={cls.home}/seed")
        while not os.path.exists(f"{cls.home}/munge"):
            time.sleep(0.1)
        cls.begin("slurmctld", "-D", "-f", f"{cls.home}/slurm.conf")
        cls.begin("slurmd", "-D", "-f", f"{cls.home}/slurm.conf")
        until = time.monotonic() + 30
        while "idle" not in cls.slurm("sinfo", "-h", "-o", "%T").stdout:
            if time.monotonic() > until:
                raise unittest.SkipTest("SKIP: Slurm does not start here")
            time.sleep(0.3)

    @classmethod
    def begin(cls, *words):
        cls.daemons.append(subprocess.Popen(words, env=cls.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))

    @classmethod
    def stop(cls):
        for daemon in reversed(cls.daemons):
            daemon.terminate()
            daemon.wait()
        shutil.rmtree(cls.home, ignore_errors=True)

    @classmethod
    def slurm(cls, *words, folder=None):
        return subprocess.run(words, env=cls.environment, cwd=folder, capture_output=True, text=True, timeout=300)

    def succeed_slurm(self, *words):
        result = self.slurm(*words, folder=self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def test_tasks_are_ranks(self):
        one = self.succeed(*HEAT, "--steps", 6, "--quiet", "--checkpoint", "one")
        for how in HERE:
            with self.subTest(mpi=how):
                several = self.succeed_slurm("srun", f"--mpi={how}", "-n", "3", PARAISO, *HEAT, "--steps", "6", "--quiet",
                                             "--checkpoint", "several")
                self.assertEqual(re.findall("hash .*", several), re.findall("hash .*", one))
                self.assertEqual(self.bytes_of("several"), self.bytes_of("one"))

    def processes(self):
        """Those of this test that compute, by their task."""
        found = {}
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                if (os.readlink(f"/proc/{pid}/cwd"), os.readlink(f"/proc/{pid}/exe")) != (self.folder, os.path.realpath(PARAISO)):
                    continue
                with open(f"/proc/{pid}/environ") as file:
                    found[int(re.search("SLURM_PROCID=([0-9]+)", file.read()).group(1))] = int(pid)
            except OSError:
                pass  # it has ended
        return found

    def test_a_killed_task_ends_all(self):
        for how in HERE:
            with self.subTest(mpi=how), open(self.path("told"), "w") as told:
                run = subprocess.Popen(["srun", "--kill-on-bad-exit", f"--mpi={how}", "-n", "3", PARAISO, *HEAT, "--steps",
                                        str(10 ** 9)], env=self.environment, cwd=self.folder, stdout=told, stderr=told)
                self.wait_for("told", "step [0-9]+ ")
                os.kill(self.processes()[1], signal.SIGKILL)
                self.assertNotEqual(run.wait(timeout=40), 0)
                self.assertIn(f"srun: error: {HOST}: task 1: Killed", self.read("told"))
                self.assertEqual(self.processes(), {})

    def test_tasks_that_no_mpi_connects(self):
        result = self.slurm("srun", "--mpi=none", "-n", "3", PARAISO, *HEAT, "--steps", "6", folder=self.folder)
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr.count("error: started as one of 3 processes by srun, which connects them by no MPI\n"),
                         1, result.stderr)

    def wait_for(self, file, text):
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            found = re.search(text, self.read(file)) if os.path.exists(self.path(file)) else None
            if found:
                return found
            time.sleep(0.1)
        self.fail(f"no `{text}` in " + (self.read(file) if os.path.exists(self.path(file)) else "nothing") +
                  self.slurm("scontrol", "show", "job").stdout)

    def wait_for_state(self, job, state):
        until = time.monotonic() + PATIENCE
        while f"JobState={state} " not in (told := self.slurm("scontrol", "show", "job", job).stdout):
            self.assertLess(time.monotonic(), until, told)
            time.sleep(0.2)

    def test_a_job_goes_on_with_other_tasks(self):
        """It gets the signal that ends a job at its time limit, and is queued again."""
        self.assert_goes_on(lambda job: self.succeed_slurm("scancel", "--signal=TERM", job), "FAILED")

    @unittest.skipUnless(os.environ.get("PARAISO_MPI_ALL"), "PARAISO_MPI_ALL=1: it lasts more than a minute")
    def test_a_job_at_its_time_limit(self):
        """The least that there is, a minute."""
        self.assert_goes_on(lambda job: None, "TIMEOUT", "--time=1")

    def assert_goes_on(self, end, state, *options):
        how = HERE[-1]
        self.write("steps", str(10 ** 9))
        self.write("job", JOB.format(how=how, paraiso=PARAISO, heat=" ".join(HEAT)))
        job = self.succeed_slurm("sbatch", "--parsable", "-n", "4", "--requeue", "--open-mode=append", "-o", "out", "-e", "out",
                                 *options, "job").strip()
        self.wait_for("out", "step [0-9]+ ")
        end(job)
        step = int(self.wait_for("out", "terminated at step ([0-9]+)").group(1)) + 50
        self.write("steps", str(step))
        self.wait_for_state(job, state)
        self.succeed_slurm("scontrol", "requeuehold", job)
        self.wait_for_state(job, "PENDING")
        self.succeed_slurm("scontrol", "update", f"JobId={job}", "NumTasks=3")
        self.succeed_slurm("scontrol", "release", job)
        self.wait_for("out", f"finished at step {step},")
        self.succeed(*HEAT, "--steps", step, "--quiet", "--checkpoint", "whole")
        self.assertEqual(self.bytes_of("check"), self.bytes_of("whole"))


if __name__ == "__main__":
    missing = [name for name in DAEMONS if not shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin")]
    if missing or not HERE:
        print("SKIP: " + (f"no {', '.join(missing)}" if missing else "no MPI") + ": scripts/setup.sh installs them")
        sys.exit(77)
    unittest.main()
