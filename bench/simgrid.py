#!/usr/bin/env python3
"""Forecasts beside SimGrid's: `bench/simgrid.py [PARAISO]`, with `smpicxx` and `smpirun` on PATH (Debian: libsimgrid-dev).

SimGrid runs the program that `emit heat --mpi` writes, all of its messages on a network of its own model, on three made-up
clusters. Computing takes there the time that the forecast says, so that messages are what is compared; and bandwidths and
latencies are as the platform says, without the factors by size that SimGrid has from some cluster.
"""
import json
import os
import subprocess
import sys
import tempfile

PARAISO = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else "paraiso"
RANKS = (64, 256, 1024)
CLUSTERS = {"12.5 GB/s, 1 us": ("12.5 GB/s", "1 us"), "1.25 GB/s, 10 us": ("1.25 GB/s", "10 us"),
            "125 MB/s, 20 us": ("125 MB/s", "20 us")}
SIZE, STEPS = 4096, 15
MAINS = ("main.cpp", "main_mpi.cpp")  # of the emitted project; build() writes another
HARDWARE = """graph cluster {{
  subgraph nodes {{
    label="{ranks}x node"
    cpu [label="compute : core : 50 Gflop/s, 1 threads"]
    ram [label="allocate : memory : 64 GB"]
    bus [label="move : bus : 40 GB/s"]
    nic [label="move : adapter : {bandwidth}, latency {latency}, duplex"]
    cpu -- bus
    bus -- ram
    cpu -- nic
  }}
  switch [label="move : switch : 100 TB/s, duplex"]
  nic -- switch
}}
"""
PLATFORM = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="c" prefix="node-" suffix="" radical="0-{last}" speed="1Gf" bw="{bandwidth}" lat="{latency}"
           sharing_policy="SPLITDUPLEX"/>
</platform>
"""


def call(*words, env=None):
    result = subprocess.run([*map(str, words)], capture_output=True, text=True, env={**os.environ, **(env or {})})
    if result.returncode != 0:
        sys.exit(f"{words[0]}: {result.stderr}")
    return result.stdout


def write(name, text):
    with open(name, "w") as file:
        file.write(text)


def build():
    """The emitted program, in which a step also takes $COMPUTING seconds."""
    call(PARAISO, "emit", "heat", "--dim", 2, "--mpi", "--output", "heat")
    with open("heat/main_mpi.cpp") as file:
        text = file.read()
    text = text.replace('#include "heat_part.hpp"\n', '#include "heat_part.hpp"\n#include <smpi/smpi.h>\n')
    text = text.replace("    part.proceed();\n",
                        '    smpi_execute(std::atof(std::getenv("COMPUTING")));\n    part.proceed();\n')
    write("heat/main_smpi.cpp", text)
    sources = [f"heat/{name}" for name in sorted(os.listdir("heat")) if name.endswith(".cpp") and name not in MAINS]
    call("smpicxx", "-std=c++17", "-O1", "-march=native", "-ffp-contract=off", "-fopenmp", "-w", *sources, "-o", "example")


def forecast(ranks, bandwidth, latency):
    write("cluster.dot", HARDWARE.format(ranks=ranks, bandwidth=bandwidth, latency=latency))
    found = json.loads(call(PARAISO, "simulate", "heat", "--dim", 2, "--size", f"{SIZE}x{SIZE}", "--machine", "cluster.dot",
                            "--ranks", ranks, "--steps", STEPS, "--collectives", "emitted", "--json"))
    return found["points"][0]["seconds_per_step"], found["points"][0]["seconds_computing"]


def simgrid(ranks, bandwidth, latency, computing):
    write("cluster.xml", PLATFORM.format(last=ranks - 1, bandwidth=bandwidth.replace(" ", "").replace("/s", "ps"),
                                         latency=latency.replace(" ", "")))
    write("hosts", "".join(f"node-{rank}\n" for rank in range(ranks)))
    printed = call("smpirun", "-np", ranks, "-platform", "cluster.xml", "-hostfile", "hosts",
                   "--cfg=smpi/bw-factor:0:1", "--cfg=smpi/lat-factor:0:1",
                   "--cfg=smpi/simulate-computation:no", "--cfg=smpi/host-speed:1e9", "--log=root.thres:critical",
                   "./example", STEPS, SIZE, SIZE, env={"COMPUTING": str(computing)})
    line = next(line for line in printed.splitlines() if " steps by " in line)
    return float(line.split(" in ")[1].split()[0]) / STEPS


def main():
    os.chdir(tempfile.mkdtemp())
    build()
    for ranks in RANKS:
        for name, (bandwidth, latency) in CLUSTERS.items():
            ours, computing = forecast(ranks, bandwidth, latency)
            theirs = simgrid(ranks, bandwidth, latency, computing)
            print(f"{ranks:5} ranks, {name}: forecast {ours * 1e6:.1f} us a step, SimGrid {theirs * 1e6:.1f} us, "
                  f"ratio {ours / theirs:.2f}", flush=True)


if __name__ == "__main__":
    main()
