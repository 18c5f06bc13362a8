"""Called by scripts/bench-peer: WARDEN BARE_CLIENT PEER ROUNDS. Prints a table and the verdict on the targets."""
import os
import statistics
import subprocess
import sys
import tempfile
import time

# Own cost is the whole run less that of the bare client in the same round.
MAX_OWN_MS = 5.0
MIN_RATIO = 100.0
MAX_MEMORY_MIB = 12.0
MAX_BINARY_MIB = 8.0
GNU_TIME = "/usr/bin/time"


def machine():
    model = "unknown processor"
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo") as file:
            model = next((line.split(":", 1)[1].strip() for line in file if line.startswith("model name")), model)
    rustc = subprocess.run(["rustc", "--version"], stdout=subprocess.PIPE, text=True).stdout.strip()
    load = "%.2f" % os.getloadavg()[0] if hasattr(os, "getloadavg") else "unknown"
    return "%s, %d cores, %s %s, %s, Python %s; load %s" % (
        model, os.cpu_count(), os.uname().sysname, os.uname().release, rustc, sys.version.split()[0], load)


def main():
    warden, bare, peer = map(os.path.abspath, sys.argv[1:4])
    rounds = int(sys.argv[4])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        with open("face", "w") as file:
            file.write("honest")
        server = [warden, "demo-server", os.path.join(folder, "face")]
        commands = {
            "bare client": [bare, *server],
            "warden pin": [warden, "pin", "--lock", "w.lock", "--", *server],
            "warden pin, unchanged": [warden, "pin", "--lock", "u.lock", "--", *server],
            "warden check": [warden, "check", "--lock", "c.lock"],
            "peer pin": [peer, "pin", "--lock", "p.lock", "--", *server],
            "peer check": [peer, "check", "--lock", "q.lock", "--", *server],
        }
        locks = {"warden pin": "w.lock", "peer pin": "p.lock"}
        for tool, lock in ((warden, "c.lock"), (warden, "u.lock"), (peer, "q.lock")):
            run([tool, "pin", "--lock", lock, "--", *server])

        print(machine(), flush=True)
        times = {name: [] for name in commands}
        own = {name: [] for name in commands}
        for number in range(-2, rounds):
            base = None
            for name, command in commands.items():
                if name.startswith("peer") and number % 4 and number != -2:
                    continue
                # A pin that writes, not one that finds its own lock.
                if name in locks and os.path.exists(locks[name]):
                    os.unlink(locks[name])
                took = run(command)
                base = took if base is None else base
                # The first two rounds warm the caches.
                if number >= 0:
                    times[name].append(took)
                    own[name].append(took - base)
        memory = {name: peak_memory(command) for name, command in commands.items()}

    print("\n%-24s %5s %10s %10s %10s %10s %10s" % ("", "runs", "median ms", "min", "max", "own ms", "peak MiB"))
    for name, samples in times.items():
        print("%-24s %5d %10.2f %10.2f %10.2f %10.2f %10s" % (
            name, len(samples), statistics.median(samples), min(samples), max(samples),
            statistics.median(own[name]), "%.1f" % memory[name] if memory[name] else "?"))

    def cost(name):
        return statistics.median(own[name])

    size = os.path.getsize(warden) / 2**20
    verdicts = []
    print()
    for command in ("pin", "check"):
        mine, theirs = cost("warden " + command), cost("peer " + command)
        verdicts += [
            ("%s: own cost %.2f ms (target: below %.0f ms)" % (command, mine, MAX_OWN_MS), mine < MAX_OWN_MS),
            ("%s: the peer's own cost is %.0f times that (target: at least %.0f)" % (command, theirs / mine, MIN_RATIO),
             theirs / mine >= MIN_RATIO),
        ]
        peak = memory["warden " + command]
        if peak:
            verdicts.append(("%s: peak memory %.1f MiB (target: below %.0f MiB)" % (command, peak, MAX_MEMORY_MIB),
                             peak < MAX_MEMORY_MIB))
    verdicts.append(("program: %.2f MiB (target: below %.0f MiB)" % (size, MAX_BINARY_MIB), size < MAX_BINARY_MIB))
    for text, met in verdicts:
        print("%-6s %s" % ("met" if met else "MISSED", text))
    return 0 if all(met for _, met in verdicts) else 1


def run(command):
    """Wall time in ms of a run that must succeed."""
    begin = time.perf_counter()
    status = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    took = (time.perf_counter() - begin) * 1000
    if status.returncode != 0:
        sys.exit("bench-peer: exit %d from %s" % (status.returncode, " ".join(command)))
    return took


def peak_memory(command):
    """The largest resident set in MiB. Asked of a small program, because what wait4 says of a child counts the memory
    of the process that forked it."""
    if not os.access(GNU_TIME, os.X_OK):
        return None
    out = "memory"
    subprocess.run([GNU_TIME, "-o", out, "-f", "%M", *command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, check=True)
    with open(out) as file:
        return int(file.read().split()[-1]) / 1024


if __name__ == "__main__":
    sys.exit(main())
