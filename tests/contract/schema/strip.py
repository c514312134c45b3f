#!/usr/bin/env python3
"""Writes the schemas of the revision without their prose: what checks messages, and nothing else.

    tests/contract/schema/strip.py SPEC_FOLDER

SPEC_FOLDER holds mcp-2026-07-28.schema.json and tasks.schema.json as they are published. The stripped copies go beside
this script. A property that is itself named `description` stays.
"""
import json
import pathlib
import sys

PROSE = {"description", "$comment", "title", "$id"}


def strip(node, names=False):
    """`names` says that the keys of the object are names of the schema's author, not keywords."""
    if isinstance(node, dict):
        kept = node if names else {key: value for key, value in node.items() if key not in PROSE}
        inner = ("properties", "$defs", "patternProperties", "dependentSchemas")
        return {key: strip(value, not names and key in inner) for key, value in kept.items()}
    if isinstance(node, list):
        return [strip(item) for item in node]
    return node


for name in ("mcp-2026-07-28.schema.json", "tasks.schema.json"):
    schema = json.loads((pathlib.Path(sys.argv[1]) / name).read_text())
    target = pathlib.Path(__file__).parent / name
    target.write_text(json.dumps(strip(schema), indent=1, ensure_ascii=False) + "\n")
    print(target.name, target.stat().st_size, "bytes")
