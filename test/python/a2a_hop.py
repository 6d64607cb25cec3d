"""Takes messages as A2A's own library for Python would and writes them on, for test/python/a2aSdk.test.ts.

Reads {"messages": [message of v1.0]}, writes {"messages": [the same, parsed and written by the library]}.
"""

import json
import sys

from a2a.types.a2a_pb2 import Message
from google.protobuf.json_format import MessageToDict, ParseDict

asked = json.load(sys.stdin)
print(json.dumps({"messages": [MessageToDict(ParseDict(each, Message())) for each in asked["messages"]]}))
