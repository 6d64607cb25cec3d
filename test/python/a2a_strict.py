"""Reads answers of the node as A2A's own library for Python does, strictly, for test/python/a2aSdk.test.ts.

Reads {"answers": [{"kind": name of a message, "value": JSON}], "former": [the same of v0.3]}, writes {"refused": [why]}. The models of v0.3
leave out what they do not know, so theirs is refused where it does not come back whole.
"""

import json
import sys

from a2a.compat.v0_3 import types as former
from a2a.types import a2a_pb2
from google.protobuf.json_format import ParseDict, ParseError
from pydantic import ValidationError

asked = json.load(sys.stdin)
refused = []
for answer in asked["answers"]:
    try:
        ParseDict(answer["value"], getattr(a2a_pb2, answer["kind"])())
    except ParseError as error:
        refused.append(f"{answer['kind']}: {error}")
for answer in asked["former"]:
    try:
        read = getattr(former, answer["kind"]).model_validate(answer["value"])
        if read.model_dump(mode="json", by_alias=True, exclude_unset=True) != answer["value"]:
            refused.append(f"{answer['kind']}: {json.dumps(answer['value'])}")
    except ValidationError as error:
        refused.append(f"{answer['kind']}: {error}")
print(json.dumps({"refused": refused}))
