"""`.om` files that are wrong: the file and line, status 1, no crash and no unbounded memory."""
import os
import resource
import unittest

from command import DOUBLING, CommandTest


class MachineFile(CommandTest):
    def assert_broken(self, line, text):
        """Broken at `line`, whichever subcommand reads it."""
        self.write("broken.om", text)
        for subcommand in ("show", "run", "verify"):
            result = self.command(subcommand, "broken.om")
            self.assertEqual(result.returncode, 1, result.stderr)
            self.assertEqual(result.stdout, "")
            self.assertRegex(result.stderr, rf"^broken\.om:{line}: error: .+\n")

    def test_cut_end(self):
        self.assert_broken(r"\d+", DOUBLING[: DOUBLING.index("store a %1\nend\n\nend")])

    def test_empty(self):
        self.assert_broken(1, "")

    def test_unknown_operator(self):
        self.assert_broken(15, DOUBLING.replace("= add", "= ad"))

    def test_type_error(self):
        self.assert_broken(10, DOUBLING.replace("store a %1", "store a %0", 1))

    def test_cycle(self):
        self.assert_broken(15, DOUBLING.replace("add %0 %0", "add %0 %1"))

    def test_name_that_is_no_identifier(self):
        self.assert_broken(4, DOUBLING.replace("static a ", "static a;system "))

    def test_two_stores_to_one_static(self):
        self.assert_broken(
            17, DOUBLING.replace("store a %1\nend\n\nend", "store a %1\n  store a %0\nend\n\nend")
        )

    def test_no_store(self):
        text = DOUBLING.replace("  store a %1\n", "")
        self.write("idle.om", text)
        self.assert_fails(
            "idle.om:7: error: kernel `begin` stores nothing\n"
            "note: rule `kernel_stores`: a kernel stores something\n",
            "run", "idle.om",
        )

    @unittest.skipIf(os.environ.get("PARAISO_SANITIZE"), "sanitizers map terabytes")
    def test_nesting_without_end(self):
        size = 100 << 20
        with open(self.path("deep.om"), "w") as file:
            file.write("(" * size)
        memory = 20 * size + (64 << 20)
        limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        result = self.command("show", "deep.om", preexec_fn=limit)
        self.assertEqual(result.returncode, 1, result.stderr[:500])
        self.assertRegex(result.stderr[:500], r"^deep\.om:1: error: ")
        self.assertLess(len(result.stderr), 2000)

    def test_folder(self):
        self.assert_fails("error: can't read `./`: it is a folder\n", "show", "./")


if __name__ == "__main__":
    unittest.main()
