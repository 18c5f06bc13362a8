#!/usr/bin/env python3
"""Fill fuzz/corpus with inputs made of the conformance cases: run it before `cargo fuzz run TARGET`."""
import glob
import hashlib
import json
import os

HERE = os.path.dirname(os.path.abspath(__file__))


def save(target, data):
    folder = os.path.join(HERE, "corpus", target)
    os.makedirs(folder, exist_ok=True)
    data = data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass")
    with open(os.path.join(folder, hashlib.sha256(data).hexdigest()[:16]), "wb") as file:
        file.write(data)


def answers(surface):
    """A server's lines: blank ones end what it says to one message."""
    def line(number, result):
        return json.dumps({"jsonrpc": "2.0", "id": number, "result": result})
    declared = {name: {} for name in ("tools", "resources", "prompts")}
    first = {"protocolVersion": "2025-11-25", "capabilities": declared, "serverInfo": {"name": "s", "version": "1"}}
    lists = [{name: surface.get(name) or []} for name in declared]
    bursts = [line(1, first), *(line(2 + i, result) for i, result in enumerate(lists)),
              line(5, {"resourceTemplates": []})]
    # The notification behind the handshake is a message too: it gets a line of noise.
    return "\n\n".join([bursts[0], "{}", *bursts[1:]]) + "\n"


def main():
    for path in sorted(glob.glob(os.path.join(HERE, "..", "vectors", "cases", "*.json"))):
        with open(path, encoding="utf-8") as file:
            case = json.load(file)
        for name in ("input_json", "surface_text", "lock_text"):
            if name in case:
                save("json_parse", case[name])
        if "input" in case:
            save("json_parse", json.dumps(case["input"], ensure_ascii=False))
        if "lock" in case:
            save("lock_read", json.dumps(case["lock"], ensure_ascii=False))
        if "lock_text" in case:
            save("lock_read", case["lock_text"])
        surface = case.get("surface")
        if isinstance(surface, dict):
            save("checks", json.dumps(surface, ensure_ascii=False))
            save("drift", json.dumps([surface, dict(surface, tools=[])], ensure_ascii=False))
            save("drift", json.dumps([surface, surface], ensure_ascii=False))
            save("capture", answers(surface))
            tools = surface.get("tools")
            for tool in tools if isinstance(tools, list) else []:
                if isinstance(tool, dict):
                    for schema in ("inputSchema", "outputSchema"):
                        if schema in tool:
                            save("skeleton", json.dumps(tool[schema], ensure_ascii=False))


if __name__ == "__main__":
    main()
