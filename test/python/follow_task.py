"""Follows a task with a client for Python, for test/python/package.test.ts: `python follow_task.py Client|AsyncClient URL KEY TASK`, a line of JSON for each event."""

import asyncio
import json
import sys

from countersign_client import AsyncClient, Client

kind, url, key, task = sys.argv[1:]


def tell(event):
    print(json.dumps(event), flush=True)


async def follow():
    async with AsyncClient(url, api_key=key) as client:
        async for event in client.follow_task(task):
            tell(event)


if kind == "AsyncClient":
    asyncio.run(follow())
else:
    with Client(url, api_key=key) as client:
        for event in client.follow_task(task):
            tell(event)
