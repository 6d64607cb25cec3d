"""Follows a task with the client for Python, for test/python/package.test.ts: `python follow_task.py URL KEY TASK`, a line of JSON for each event."""

import json
import sys

from countersign_client import Client

url, key, task = sys.argv[1:]
with Client(url, api_key=key) as client:
    for event in client.follow_task(task):
        print(json.dumps(event), flush=True)
