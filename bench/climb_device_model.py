"""What the device model holds to be the best schedule of a step: from the default one, gene by gene, as long as the prediction
falls. Says what a tuning on a card may reach, by the model; nothing is measured, and no card is needed.

    python3 bench/climb_device_model.py heat --dim 3 --fuse 1 --size 512x512x512
"""
import itertools
import re
import subprocess
import sys
import tempfile

PARAISO = "build/bin/paraiso"
MOST_REGISTERS = 132  # of a thread, by the estimate, which may be a quarter too low
PAIRED = {"block_x", "block_y"}  # whose alleles are tried in pairs


def shown(call, *more):
    return subprocess.run([PARAISO, "show", *call, "--backend", "cuda", *more], check=True, capture_output=True, text=True).stdout


def predicted(call, genes):
    """Nanoseconds a cell of a step, or of a call of fused steps, under these genes."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("".join(f"{gene} = {allele}\n" for gene, allele in genes.items()))
        file.flush()
        plan = re.findall(r"^kernel `(?:proceed\w*|jacobi)`\n(.*?)(?=^kernel |\Z)",
                          shown(call, "--plan", "--schedule", file.name), re.M | re.S)[-1]
    if max(map(int, re.findall(r"about (\d+) registers", plan)), default=0) > MOST_REGISTERS:
        return float("inf")
    return float(re.search(r"about ([\d.e-]+) ns a cell", plan)[1])


def main(call):
    text = shown(call, "--genes")
    kernel = re.findall(r"^(proceed\w*|jacobi)/", text, re.M)[-1]
    alleles = {gene: values.split(", ") for gene, values in re.findall(r"^# KERNEL/(\w+): .*: ([\w, ]+)$", text, re.M)}
    genes = dict(re.findall(r"^(\S+/.*) = (\S+)$", text, re.M))
    start, best = genes, predicted(call, genes)
    print(f"the default schedule: {best:.3g} ns a cell")
    steps = [[(gene, value)] for gene in sorted(alleles.keys() - PAIRED) for value in alleles[gene]]
    steps += [list(zip(sorted(PAIRED), both)) for both in itertools.product(*(alleles.get(gene, []) for gene in sorted(PAIRED)))]
    found = True
    while found:
        found = None
        for step in steps:
            trial = {**genes, **{f"{kernel}/{gene}": value for gene, value in step}}
            try:
                time = predicted(call, trial)
            except subprocess.CalledProcessError:
                continue  # refused
            if time < 0.995 * best:
                best, found = time, trial
        genes = found or genes
    print(f"the best that was found: {best:.3g} ns a cell, with",
          ", ".join(f"{gene} = {allele}" for gene, allele in genes.items() if start[gene] != allele) or "the same")


if __name__ == "__main__":
    main(sys.argv[1:])
