"""Run a folder of conformance vectors through the peer tool, used as a library.

Started by scripts/cross-check with a Python that has the peer installed. Every case is
answered by the peer on the same input; the answer is compared with the case's `expect`.
The run succeeds only if the cases the peer answers otherwise are exactly the ones listed
in the folder's disagreements.json, with the answers recorded there.

    cross_check.py [--answers] FOLDER

With --answers the peer's deviating answers are printed as JSON and nothing is judged.
"""

import json
import logging
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

try:
    from mcp_warden import drift as peer_drift
    from mcp_warden import hashing as peer_hashing
    from mcp_warden import lockfile as peer_lockfile
    from mcp_warden import models as peer_models
except ImportError as error:
    print(f"the peer is not installed in this Python: {error}", file=sys.stderr)
    sys.exit(2)

PEER = "mcp-warden-cli"
PEER_VERSION = "2.2.0"
KINDS = ("canonical", "digest", "drift", "malformed")
REFUSED = {"error": True}

# Protocol spelling to the peer's model spelling; anything else in a surface is not part
# of the format and is left out.
TOOL = {
    "name": "name",
    "description": "description",
    "inputSchema": "input_schema",
    "annotations": "annotations",
    "outputSchema": "output_schema",
}
RESOURCE = {"uri": "uri", "name": "name", "description": "description", "mimeType": "mime_type"}
PROMPT = {"name": "name", "description": "description", "arguments": "arguments"}


def renamed(entries, names):
    if not isinstance(entries, list):
        return entries
    return [
        {names[k]: v for k, v in e.items() if k in names} if isinstance(e, dict) else e
        for e in entries
    ]


def peer_lock(surface):
    """The lock document the peer builds for a surface."""
    fields = {k: surface[k] for k in ("command", "args", "url") if k in surface}
    fields["protocol_version"] = "2025-06-18"
    for section, names in (("tools", TOOL), ("resources", RESOURCE), ("prompts", PROMPT)):
        if section in surface:
            fields[section] = renamed(surface[section], names)
    return peer_lockfile.build_lock(peer_models.CapturedSurface.model_validate(fields), [])


def peer_read(text, scratch):
    path = Path(scratch) / "warden.lock"
    path.write_bytes(text.encode("utf-8"))
    return peer_lockfile.read_lock(path)


def answer(case, scratch):
    """The peer's answer, in the form of `expect`."""
    kind = case["kind"]
    if kind == "canonical":
        value = case["input"]
        return {
            "jcs": peer_hashing.canon(value).decode("utf-8"),
            "sha256": peer_hashing.hash_value(value),
        }
    if kind == "digest":
        lock = json.loads(peer_lockfile.lock_to_pretty_json(peer_lock(case["surface"])))
        return {
            "server": {"command_digest": lock["server"]["command_digest"]},
            "tools": lock["tools"],
            "resources": lock["resources"],
            "prompts": lock["prompts"],
            "overall_digest": lock["overall_digest"],
        }
    if kind == "drift":
        baseline = peer_read(json.dumps(case["lock"], ensure_ascii=False), scratch)
        return [
            {
                "drift_class": item.drift_class,
                "severity": item.severity,
                "target": item.target,
                "detail": item.detail,
            }
            for item in peer_drift.compute_drift(baseline, peer_lock(case["surface"]))
        ]
    if "lock" in case:
        peer_read(json.dumps(case["lock"], ensure_ascii=False), scratch)
    elif "lock_text" in case:
        peer_read(case["lock_text"], scratch)
    elif "input_json" in case:
        peer_hashing.canon(json.loads(case["input_json"]))
    elif "surface_text" in case:
        peer_lock(json.loads(case["surface_text"]))
    else:
        peer_lock(case["surface"])
    return "accepted"


def same(a, b):
    """Equality that keeps booleans, integers and floats apart."""
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b


def main():
    logging.disable(logging.CRITICAL)
    args = sys.argv[1:]
    answers_only = "--answers" in args
    args = [a for a in args if a != "--answers"]
    if len(args) != 1:
        print("usage: cross_check.py [--answers] FOLDER", file=sys.stderr)
        return 2
    if version(PEER) != PEER_VERSION:
        print(f"{PEER} {PEER_VERSION} is needed, found {version(PEER)}", file=sys.stderr)
        return 2
    root = Path(args[0])
    manifest = json.loads((root / "manifest.json").read_text("utf-8"))
    listed_file = root / "disagreements.json"
    listed = {}
    if listed_file.exists():
        for entry in json.loads(listed_file.read_text("utf-8"))["disagreements"]:
            listed[entry["id"]] = entry["peer"]

    deviating = {}
    total = dict.fromkeys(KINDS, 0)
    agree = dict.fromkeys(KINDS, 0)
    with tempfile.TemporaryDirectory() as scratch:
        for vector in manifest["vectors"]:
            case = json.loads((root / vector["file"]).read_text("utf-8"))
            total[case["kind"]] += 1
            try:
                got = answer(case, scratch)
            except Exception:  # any refusal, typed or not
                got = REFUSED
            if same(got, case["expect"]):
                agree[case["kind"]] += 1
                continue
            if case["kind"] == "digest" and got != REFUSED:
                got = "other entries"
            deviating[case["id"]] = got

    if answers_only:
        print(json.dumps(deviating, ensure_ascii=False, indent=2))
        return 0

    wrong = []
    for case_id, got in deviating.items():
        if case_id not in listed:
            wrong.append(f"unexpected disagreement: {case_id}: {json.dumps(got)[:400]}")
        elif not same(got, listed[case_id]):
            wrong.append(f"listed disagreement, other answer: {case_id}: {json.dumps(got)[:400]}")
    for case_id in listed:
        if case_id not in deviating:
            wrong.append(f"unexpected agreement (or no such case): {case_id}")

    print(f"{'kind':<12}{'cases':>7}{'agree':>7}{'differ':>8}")
    for kind in KINDS:
        print(f"{kind:<12}{total[kind]:>7}{agree[kind]:>7}{total[kind] - agree[kind]:>8}")
    count, agreed = sum(total.values()), sum(agree.values())
    print(f"{'all':<12}{count:>7}{agreed:>7}{count - agreed:>8}   listed: {len(listed)}")
    for line in wrong:
        print(line)
    if count != manifest["count"]:
        wrong.append("count")
        print(f"manifest count is {manifest['count']}, cases are {count}")
    print("FAILED" if wrong else "ok")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
