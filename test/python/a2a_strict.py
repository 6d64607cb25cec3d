"""Reads answers of the node as A2A's own library for Python does, strictly, for test/python/a2aSdk.test.ts.

Reads {"answers": [{"kind": name of a message, "value": JSON}]}, writes {"refused": [why]}.
"""

import json
import sys

from a2a.types import a2a_pb2
from google.protobuf.json_format import ParseDict, ParseError

refused = []
for answer in json.load(sys.stdin)["answers"]:
    try:
        ParseDict(answer["value"], getattr(a2a_pb2, answer["kind"])())
    except ParseError as error:
        refused.append(f"{answer['kind']}: {error}")
print(json.dumps({"refused": refused}))
