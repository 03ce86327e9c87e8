"""`simulate`: forecasts for hardware that is not here, and hardware that makes no sense."""
import resource
import unittest

from command import CommandTest

CLUSTER = """graph cluster {
  subgraph "64x node" {
    cpu [label="compute : eight cores : 300 Gflop/s, 8 threads"];
    bus [label="move : bus : 100 GB/s"];
    memory [label="allocate : memory : 64 GB"];
    nic [label="move : adapter : 10 GB/s, latency 1 us, overhead 0.5 us, duplex"];
    cpu -- bus -- memory;
    bus -- nic;
  }
  net [label="move : switch : 1 TB/s, latency 0.5 us"];
  nic -- net;
}
"""


class Simulate(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("cluster.dot", CLUSTER)

    def forecast(self, *arguments):
        return self.succeed_json("simulate", "heat", "--dim", 2, "--machine", "cluster.dot", *arguments)

    def test_messages_are_those_of_the_plan(self):
        """Four slabs of a cyclic grid send each neighbour a row. Commands are for many steps at once, and nobody waits for
        the answers: neither is a part of the forecast of a step."""
        found = self.forecast("--size", "512x4096", "--ranks", 4, "--steps", 5)
        self.assertIs(found["forecast"], True)
        self.assertIn("a forecast", found["note"])
        (point,) = found["points"]
        self.assertEqual((point["ranks"], point["size"]), (4, [512, 4096]))
        self.assertGreater(point["seconds_per_step"], point["seconds_computing"])
        for collectives in "star", "tree", "emitted":
            (point,) = self.forecast("--size", "512x4096", "--ranks", 4, "--collectives", collectives)["points"]
            self.assertEqual((point["messages_per_step"], point["bytes_sent_per_step"]), (8, 8 * 512 * 8))
        text = self.succeed("simulate", "heat", "--dim", 2, "--machine", "cluster.dot", "--size", "512x4096", "--divide", "1x4")
        self.assertRegex(text, r"^forecast of heat decay, f64, on `cluster.dot`: not measured\n")

    def test_each_step_is_commanded_that_waits_for_the_one_before(self):
        """The jet's time step follows from the last state: each of three is told to go on, and answers. Emitted programs
        know that by themselves."""
        call = ("simulate", "hydro", "--dim", 2, "--machine", "cluster.dot", "--size", "512x512", "--divide", "1x4")
        for collectives, more in (("star", 3 + 3), ("tree", 3 + 3), ("emitted", 0)):
            (point,) = self.succeed_json(*call, "--collectives", collectives)["points"]
            self.assertEqual(point["messages_per_step"], 6 + more)

    def seconds_of_processors(self):
        """Of all commands: other jobs of this machine don't count."""
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    def test_curves(self):
        weak = self.forecast("--size", "1024x1024", "--weak", "--plot", "weak.png")["points"]
        self.assertEqual([p["ranks"] for p in weak], [1, 2, 4, 8, 16, 32, 64])
        self.assertEqual(weak[-1]["size"], [8192, 8192])
        self.assertEqual(self.bytes_of("weak.png")[:8], b"\x89PNG\r\n\x1a\n")
        strong = self.forecast("--size", "4096x4096", "--strong", "--ranks", 48)["points"]
        self.assertEqual([p["ranks"] for p in strong], [1, 2, 4, 8, 16, 32, 48])
        efficiencies = [p["efficiency"] for p in strong]
        self.assertEqual(efficiencies[0], 1)
        self.assertLess(efficiencies[-1], efficiencies[1])

    def test_noise(self):
        size = ("--size", "4096x4096", "--ranks", 16, "--collectives", "tree")
        quiet, one = (self.forecast(*size, *more)["points"][0]["seconds_per_step"]
                      for more in ((), ("--jitter", 0.2)))
        self.assertGreater(one, 1.2 * quiet)
        self.assertEqual(self.forecast(*size, "--jitter", 0.2)["points"][0]["seconds_per_step"], one)
        self.assertNotEqual(self.forecast(*size, "--jitter", 0.2, "--seed", 2)["points"][0]["seconds_per_step"], one)
        found = self.forecast(*size, "--slow", "64:2")
        slow = found["points"][0]
        self.assertEqual(found["slow"], "64:2")
        self.assertRegex(slow["schedule"], "^[0-9a-f]{16}$")
        self.assertNotEqual(self.forecast(*size, "--schedule", "genome:A")["points"][0]["schedule"], slow["schedule"])
        self.assertGreater(slow["seconds_per_step"], quiet + 0.9 * slow["seconds_computing"])

    def test_ten_thousand_nodes(self):
        """With many more of all messages than any other call here has; a curve of 100 steps takes less than a minute."""
        self.write("cluster.dot", CLUSTER.replace("64x", "10000x"))
        before = self.seconds_of_processors()
        found = self.forecast("--size", "100000x100000", "--divide", "100x100", "--steps", 20, "--jitter", 0.01)
        self.assertLess(self.seconds_of_processors() - before, 20)
        self.assertEqual(found["points"][0]["messages_per_step"], 4 * 10000)

    def test_messages_may_travel_while_ranks_compute(self):
        """Where they take about as long as computing: one of the two is hidden, and bits are sent all the same."""
        size = ("--size", "512x512", "--ranks", 16, "--collectives", "emitted")
        self.write("cluster.dot", CLUSTER.replace("10 GB/s, latency 1 us", "2 GB/s, latency 4 us"))
        blocking, overlapped = (self.forecast(*size, "--exchange", way) for way in ("blocking", "overlapped"))
        (one,), (other,) = blocking["points"], overlapped["points"]
        self.assertEqual((one["exchange"], other["exchange"]), ("blocking", "overlapped"))
        self.assertEqual(one["bytes_sent_per_step"], other["bytes_sent_per_step"])
        self.assertLess(other["seconds_per_step"], 0.9 * one["seconds_per_step"])
        self.assertGreater(other["seconds_per_step"], other["seconds_computing"])
        self.assert_refused("error: no way of exchange `late`\nhint: there is blocking, overlapped\n", "simulate", "heat",
                            "--dim", 2, "--machine", "cluster.dot", "--size", "64x64", "--exchange", "late")

    def test_one_exchange_for_several_steps(self):
        """A kernel of four steps where axes are cyclic; four steps on larger parts between walls."""
        size = ("--size", "2048x2048", "--ranks", 16, "--steps", 6, "--collectives", "emitted")
        for problem in "decay", "walls":
            one, four = (self.forecast("--problem", problem, *size, "--fuse", steps)["points"][0] for steps in (1, 4))
            self.assertEqual(4 * four["messages_per_step"], one["messages_per_step"])
            self.assertLess(four["bytes_sent_per_step"], 1.1 * one["bytes_sent_per_step"])
        self.write("cluster.dot", CLUSTER.replace("latency 1 us", "latency 1 ms"))
        one, four = (self.forecast(*size, "--fuse", steps)["points"][0]["seconds_per_step"] for steps in (1, 4))
        self.assertLess(four, 0.4 * one)
        self.assert_refused("error: `--fuse` needs a number here: forecasts choose none\n", "simulate", "heat", "--dim", 2,
                            "--machine", "cluster.dot", "--size", "64x64", "--fuse", "auto")

    def test_parts_are_as_large_as_processors_are_fast(self):
        fast = 'fast [label="compute : f : 900 Gflop/s, 8 threads"]; fast -- bus2;'
        other = 'bus2 [label="move : b : 300 GB/s"]; ram2 [label="allocate : m : 64 GB"]; bus2 -- ram2; bus2 -- net;'
        self.write("two.dot", CLUSTER.replace("64x node", "node").replace("  nic -- net;", f"  nic -- net; {fast} {other}"))
        text = self.succeed("show", "heat", "--dim", 2, "--plan", "--size", "64x400", "--ranks", 2, "--machine", "two.dot")
        self.assertIn("    0: [0, 64) x [0, 300), 19200 cells\n    1: [0, 64) x [300, 400), 6400 cells\n", text)
        size = ("--size", "4096x4096", "--machine", "two.dot")
        auto, equal = (self.succeed_json("simulate", "heat", "--dim", 2, *size, *more)["points"][0]["seconds_per_step"]
                       for more in ((), ("--divide", "1x2")))
        self.assertLess(auto, 0.75 * equal)
        strong = self.succeed_json("simulate", "heat", "--dim", 2, *size, "--strong")["points"]
        self.assertEqual([p["seconds_per_step"] for p in strong[1:]], [auto])
        weak = self.succeed_json("simulate", "heat", "--dim", 2, "--size", "4096x2048", *size[2:], "--weak")["points"]
        self.assertEqual([p["seconds_per_step"] for p in weak[1:]], [equal])
        run = ("run", "heat", "--dim", 2, "--size", "24x20", "--steps", 5, "--quiet", "--schedule", "default")
        divided = self.succeed_json(*run, "--ranks", 2, "--machine", "cluster.dot")
        self.assertEqual(divided["fields"], self.succeed_json(*run)["fields"])

    def test_what_makes_no_sense_is_refused(self):
        self.assert_refused("error: `--weak`: 1.4e+17 cells on 4 ranks are more than any memory holds\n",
                            "simulate", "heat", "--dim", 1, "--size", 2**55, "--ranks", 1024, "--weak",
                            "--machine", "cluster.dot")
        call = ("simulate", "heat", "--dim", 2, "--size", "64x64", "--machine")
        for before, after, message in (
                ("cpu -- bus -- memory", "cpu -- memory", "7: error: the processor `cpu` is joined to the storage "
                 "`memory`: an interconnect must lie between them"),
                ("300 Gflop/s", "0 Gflop/s", "3: error: `0 Gflop/s` is not above 0"),
                ("10 GB/s", "10 Gbit/s", "6: error: `10 Gbit/s` has the unit `Gbit/s`, not B/s with a prefix"),
                ("  nic -- net;\n", "", "3: error: no path between the copies of `cpu`")):
            self.write("bad.dot", CLUSTER.replace(before, after))
            self.assert_refused(f"bad.dot:{message}\n", *call, "bad.dot")
        self.write("bad.dot", CLUSTER.replace('8 threads"', '8 threads", machine="none.json"'))
        self.assert_refused("error: can't read `none.json`: No such file or directory\n", *call, "bad.dot")
        self.assert_refused("error: can't read `none.dot`: No such file or directory\n", *call, "none.dot")

    def test_wrong_calls(self):
        call = ("simulate", "heat", "--dim", 2, "--size", "64x64", "--machine", "cluster.dot")
        self.assert_refused("error: `--slow 3` is not N:FACTOR, as in 3:2\n", *call, "--slow", 3)
        self.assert_refused("error: `--slow` needs a whole number of at least 1 and at most 64, got `65`\n", *call, "--slow", "65:2")
        self.assert_refused("error: `--plot` draws a curve: it needs `--weak` or `--strong`\n", *call, "--plot", "a.png")
        self.assert_refused("error: no way of collectives `ring`\nhint: there is star, tree, emitted\n", *call, "--collectives", "ring")
        self.assert_refused("error: a grid of 64x64 cells can't be divided into 5000 parts\n", *call, "--ranks", 5000)
        self.assert_refused("error: `--divide` is for one forecast: leave out `--weak` and `--strong`\n",
                            *call, "--divide", "2x2", "--weak")


if __name__ == "__main__":
    unittest.main()
