"""A stand-in for a model: a server of the Chat Completions API that answers by a few rules, so that the example needs no account."""

import json
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer


def reply(messages: list[dict]) -> dict:
    """What a model might answer: a call of a tool, or a sentence."""
    last = messages[-1]["content"]
    if messages[-1]["role"] == "user":
        wanted = next((sku for sku in ("teapot", "samovar") if sku in last), "sencha")
        return call("order", {"sku": wanted})
    result = json.loads(last)
    if "cart" in result:
        return call("buy", {"cart": result["cart"], "description": "Tea for the office"})
    if result.get("outcome") == "waiting":
        return call("wait_for_approval", {"approval_id": result["approval_id"]})
    if result.get("outcome") == "paid":
        return {"content": f"I bought it for {result['amount']} {result['currency']}."}
    return {"content": f"I could not buy it. {result.get('would_pass') or result.get('sentence') or last}"}


def call(name: str, arguments: dict) -> dict:
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"content": None, "tool_calls": [{"id": f"call_{time.time_ns()}", "type": "function", "function": function}]}


class Completions(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        message = {"role": "assistant", "refusal": None, **reply(asked["messages"])}
        reason = "tool_calls" if "tool_calls" in message else "stop"
        choice = {"index": 0, "message": message, "finish_reason": reason, "logprobs": None}
        ids = {"id": "chatcmpl-1", "object": "chat.completion", "created": int(time.time()), "model": asked["model"]}
        body = json.dumps({**ids, "choices": [choice]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


HTTPServer(("127.0.0.1", int(sys.argv[1])), Completions).serve_forever()
