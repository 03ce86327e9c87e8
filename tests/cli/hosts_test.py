"""`mpirun` over two hosts: namespaces of this machine, each with a name, a network and a cache of its own.

Skipped where they can't be had: that needs root and util-linux's unshare and nsenter, iproute2's ip, and Open MPI or MPICH.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from command import PARAISO, CommandTest
from launching import HERE, LONGEST, finished

HOSTS = {"node-a": "10.77.31.1", "node-b": "10.77.31.2"}
HEAT = ("run", "heat", "--dim", "2", "--size", "12x10", "--steps", "6", "--quiet", "--threads", "1", "--compiler", "g++")
# Runs a command on a host, as ssh does: its words are joined by spaces.
AGENT = """#!/bin/sh
while case $1 in -*) true ;; *) false ;; esac; do shift; done
case $1 in
{cases}esac
shift
exec nsenter -t $pid -u -n -m --wd={folder} sh -c "$*"
"""
# What a rank of a host is: with its host's cache and, where there is one, a compiler that says where it runs.
RANK = """#!/bin/sh
export PATH={folder}/bin:$PATH PARAISO_CACHE={caches}/cache-$(hostname) PARAISO_MACHINE={machine} PARAISO_DATABASE={folder}/none
exec {paraiso} "$@"
"""
COMPILER = """#!/bin/sh
case " $* " in *' -shared '*) hostname >>{folder}/compiled ;; esac
exec {compiler} "$@"
"""


class Hosts:
    """Two processes that sleep, each in namespaces of its own."""

    def __init__(self):
        self.sleepers = {}

    def start(self, folder):
        with open(os.path.join(folder, "hosts"), "w") as file:
            file.write("127.0.0.1 localhost\n" + "".join(f"{at} {name}\n" for name, at in HOSTS.items()))
        for name in HOSTS:
            script = f"hostname {name} && mount --bind {folder}/hosts /etc/hosts && ip link set lo up && echo up && exec sleep 600"
            self.sleepers[name] = subprocess.Popen(["unshare", "-u", "-n", "-m", "sh", "-c", script], stdout=subprocess.PIPE,
                                                   stderr=subprocess.STDOUT, text=True)
        for name, sleeper in self.sleepers.items():
            said = sleeper.stdout.readline()
            if said != "up\n":
                raise RuntimeError(said.strip() or f"{name} does not start")
        a, b = self.sleepers.values()
        self.on("node-a", f"ip link add name wire type veth peer name wire netns {b.pid}")
        for name, at in HOSTS.items():
            self.on(name, f"ip address add {at}/24 dev wire && ip link set wire up")

    def on(self, name, command):
        result = subprocess.run(["nsenter", "-t", str(self.sleepers[name].pid), "-u", "-n", "-m", "sh", "-c", command],
                                capture_output=True, text=True, timeout=300)
        if result.returncode != 0:
            raise RuntimeError(result.stderr.strip())

    def stop(self):
        for sleeper in self.sleepers.values():
            sleeper.kill()
            sleeper.wait()
            sleeper.stdout.close()


def why_not():
    """Why hosts can't be had; empty if they can."""
    if not HERE:
        return "neither Open MPI nor MPICH"
    missing = [word for word in ("unshare", "nsenter", "ip", "mount") if not shutil.which(word)]
    if missing:
        return f"no {missing[0]}"
    hosts = Hosts()
    folder = CommandTest()
    folder.setUp()
    try:
        hosts.start(folder.folder)
        return ""
    except (OSError, RuntimeError) as error:
        return str(error)
    finally:
        hosts.stop()
        folder.doCleanups()


class TwoHosts(CommandTest):
    @classmethod
    def setUpClass(cls):
        cls.caches = cls.new_caches()

    @classmethod
    def new_caches(cls):
        """A folder with one for each host."""
        caches = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, caches, ignore_errors=True)
        for name in HOSTS:
            os.mkdir(f"{caches}/cache-{name}", 0o700)
        return caches

    def setUp(self):
        super().setUp()
        self.hosts = Hosts()
        self.addCleanup(self.hosts.stop)
        self.hosts.start(self.folder)
        cases = "".join(f"{name}|{at}) pid={self.hosts.sleepers[name].pid} ;;\n" for name, at in HOSTS.items())
        os.mkdir(self.path("bin"))
        self.script("agent", AGENT, cases=cases)
        self.script("rank", RANK)

    def script(self, name, text, machine=os.environ["PARAISO_MACHINE"], **more):
        self.write(name, text.format(folder=self.folder, caches=self.caches, paraiso=PARAISO, machine=machine, **more))
        os.chmod(self.path(name), 0o755)

    def launch(self, kind, *parts):
        """Each part: a host, its number of processes, a script, and what its processes run. Told on the first host."""
        agent = self.path("agent")
        call = ["mpirun." + kind, *{"openmpi": (
            "--allow-run-as-root", "--oversubscribe", "--mca", "plm_rsh_agent", agent, "--mca", "btl_tcp_if_include", "wire",
            "--mca", "oob_tcp_if_include", "wire"),
            "mpich": ("-launcher", "ssh", "-launcher-exec", agent, "-iface", "wire", "-hosts",
                      ",".join(f"{host}:{ranks}" for host, ranks, *_ in parts))}[kind]]
        for number, (host, ranks, script, *arguments) in enumerate(parts):
            on = ["--host", f"{host}:{ranks}"] if kind == "openmpi" else []
            call += ([":"] if number else []) + [*on, "-n", str(ranks), self.path(script), *map(str, arguments)]
        return finished(["nsenter", "-t", str(self.hosts.sleepers["node-a"].pid), "-u", "-n", "-m", f"--wd={self.folder}", *call])

    def assert_told(self, result, text):
        """Once, and in time."""
        self.assertLess(result.seconds, LONGEST)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertEqual(result.stderr.count(text), 1, result.stderr)
        self.assertEqual(result.stderr.count("error: "), 1, result.stderr)

    def compile_on_each(self, *call):
        """By a run of both."""
        result = self.launch(HERE[0], *((host, 1, "rank", *call) for host in HOSTS))
        self.assertEqual(result.returncode, 0, result.stderr)

    def make_unlike(self, name):
        """Another processor to look at, for which the cost model plans otherwise."""
        with open("/proc/cpuinfo") as file:
            self.write("cpuinfo", re.sub(r"(?m)^(model name|Hardware|CPU implementer)(\s*): .*$", r"\1\2: another", file.read()))
        self.hosts.on(name, f"mount --bind {self.path('cpuinfo')} /proc/cpuinfo")
        planned = os.path.join(os.path.dirname(os.environ["PARAISO_MACHINE"]), "zen5-x86-64-v2.json")
        self.script("unlike", RANK, machine=planned)
        genes = [subprocess.run([self.path(script), "show", "heat", "--dim", "2", "--genes"], capture_output=True, text=True).stdout
                 for script in ("rank", "unlike")]
        self.assertNotEqual(*genes)

    def test_share_a_grid_and_compile_once_each(self):
        """Also where the two would plan differently: all take the first process's schedule."""
        self.caches = self.new_caches()
        self.script("rank", RANK)
        self.script("bin/g++", COMPILER, compiler=shutil.which("g++"))
        self.make_unlike("node-b")
        expected = self.succeed_json(*HEAT, "--output", "alone", "--checkpoint", "alone.check")["fields"]
        for kind in HERE:  # what the first compiles is there for the next
            with self.subTest(mpi=kind):
                call = (*HEAT, "--output", kind, "--checkpoint", kind + ".check")
                result = self.launch(kind, ("node-a", 2, "rank", *call), ("node-b", 2, "unlike", *call))
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(result.stderr.count("note: node-b compiled the schedule of node-a for another processor\n"), 1)
                self.assertEqual(sorted(self.read("compiled").split()), list(HOSTS))
                self.assertEqual(self.bytes_of(kind + ".check"), self.bytes_of("alone.check"))
                self.assertEqual(self.bytes_of(kind + "/scalars.csv"), self.bytes_of("alone/scalars.csv"))
                self.assertEqual(self.fields_in(kind + "/heat_00000006.h5", *HEAT[1:6]), expected)

    def test_a_host_that_does_not_see_the_file(self):
        """Its rows go through the first process."""
        self.hosts.on("node-b", f"mkdir -p {self.path('out')} && mount -t tmpfs none {self.path('out')}")
        expected = self.succeed_json(*HEAT)["fields"]
        for kind in HERE:
            with self.subTest(mpi=kind):
                for name in os.listdir(self.path("out")):
                    os.remove(self.path("out/" + name))
                call = (*HEAT, "--output", "out")
                result = self.launch(kind, ("node-a", 1, "rank", *call), ("node-b", 2, "rank", *call))
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(self.fields_in("out/heat_00000006.h5", *HEAT[1:6]), expected)

    @unittest.skipUnless(os.environ.get("PARAISO_MPI_ALL"), "PARAISO_MPI_ALL=1: it measures this machine")
    def test_messages_between_hosts_are_measured(self):
        """Not those between the first two processes, which are on one host."""
        for kind in HERE:
            with self.subTest(mpi=kind):
                call = ("calibrate", "--hardware", "net.dot")
                result = self.launch(kind, ("node-a", 2, "rank", *call), ("node-b", 1, "rank", *call))
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertNotIn("messages are measured within", result.stderr)
                text = self.read("net.dot")
                self.assertIn('label="2x node"', text)
                net = re.search(r'"net" \[label="move : network : \S+ [kMG]B/s(?:, latency (\S+) ([num]s))?, '
                                r'overhead (\S+) ([num]s)"\];', text)
                self.assertIsNotNone(net, text)
                latency, overhead = (float(value or 0) * {"ns": 1e-9, "us": 1e-6, "ms": 1e-3}.get(unit, 0)
                                     for value, unit in (net.group(1, 2), net.group(3, 4)))
                self.assertGreater(latency + 2 * overhead, 1e-6)  # 2 to 14 us were measured
                found = self.succeed_json("simulate", "heat", "--dim", 2, "--size", "512x512", "--machine", "net.dot")
                self.assertEqual(found["points"][0]["ranks"], 2)
                os.remove(self.path("net.dot"))

    def test_errors_name_the_host(self):
        other = (*HEAT[:5], "12x11", *HEAT[6:])
        self.compile_on_each(*HEAT)
        for kind in HERE:
            with self.subTest(mpi=kind):
                self.assert_told(self.launch(kind, ("node-a", 2, "rank", *HEAT), ("node-b", 1, "rank", *other)),
                                 "error: rank 2 of 3 on node-b: it has another grid: 12x11, and rank 0 12x10\n")

    def test_unlike_processors_are_refused(self):
        """glibc takes other variants of its functions where it is told that the processor lacks multiply-adds."""
        self.script("lesser", "#!/bin/sh\nexport GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-AVX2,-FMA4\nexec {folder}/rank \"$@\"\n")
        fast = (*HEAT, "--numbers", "fast")
        self.compile_on_each(*fast)
        for kind in HERE:
            with self.subTest(mpi=kind):
                result = self.launch(kind, ("node-a", 1, "rank", *fast), ("node-b", 1, "lesser", *fast))
                if result.returncode == 0:
                    self.skipTest("this processor has no other variants")
                self.assert_told(result, "error: rank 1 of 2 on node-b: it has another result of elementary functions: ")


if __name__ == "__main__":
    if reason := why_not():
        print(f"SKIP: no two hosts: {reason}")
        sys.exit(77)
    unittest.main()
