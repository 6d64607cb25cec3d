"""Plays the agent lane of the UCP conformance suite with a node as the platform's signer, for test/python/ucpAgentLane.test.ts.

The environment names the suite (UCP_CONFORMANCE, its folder `conformance`), the node (COUNTERSIGN_URL, COUNTERSIGN_API_KEY) and the agent
(AGENT). The suite's reference agent shops; where a checkout is completed with mandates they are the node's, and where the totals of a checkout
are wrong it is the node that says so. The suite's business signs no checkout, so it is made to: with the key of the suite's own merchant.

Writes one JSON object: {"checks": [{"id", "clean", "mutant"}], "verdicts": {"of what": UCP's code or null}, "refusals": ["path: why"]}.
"""

import json
import os
import sys
import time
import urllib.error
import urllib.request

SUITE = os.environ["UCP_CONFORMANCE"]
for folder in ("agent", "common", "testbed", ""):
    sys.path.insert(0, os.path.join(SUITE, folder))

import agent_checks  # noqa: E402
import frozen  # noqa: E402
import merchant_verify  # noqa: E402
import mint  # noqa: E402
import nested  # noqa: E402
import sandbox  # noqa: E402
from common import crypto  # noqa: E402
from reference_agent import ReferenceAgent  # noqa: E402

NODE = os.environ["COUNTERSIGN_URL"]
AGENT = os.environ["AGENT"]
DOMAIN = "suite.example"
MERCHANT_KEY, MERCHANT_POINT = crypto.keypair(mint.MERCHANT_SEED)
MERCHANT_KID = "merchant_2026"
# Why the node judged no checkout.
refusals = set()
send_unsigned = sandbox._Handler._send


def ask(path, body=None):
    headers = {"Authorization": f"Bearer {os.environ['COUNTERSIGN_API_KEY']}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(NODE + path, data=data, headers=headers)) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        raise RuntimeError(error.read().decode()) from error


def sign(checkout):
    authorization = crypto.jws_detached_sign({"alg": "ES256"}, checkout, MERCHANT_KEY, kid=MERCHANT_KID)
    return {**checkout, "ap2": {"merchant_authorization": authorization}}


def send_signed(handler, code, body, extra_headers=None):
    """In place of the business's own: the checkouts that it opens can be paid as UCP's schema has it, and are signed."""
    if code == 201 and handler.path == "/checkout-sessions":
        prices = [entry for entry in body["totals"] if entry["type"] == "subtotal"]
        lines = [
            {**line, "id": "li_1", "item": {**line["item"], "title": "Teapot", "price": prices[0]["amount"]}, "totals": prices}
            for line in body["line_items"]
        ]
        body = sign({**body, "status": "ready_for_complete", "line_items": lines, "links": []})
    send_unsigned(handler, code, body, extra_headers)


class NodeAgent(ReferenceAgent):
    """The reference agent, which leaves to the node whether a checkout may be paid, and by which mandates."""

    def _totals_consistent(self, checkout):
        # A business that took the request for forged opened none.
        if "id" not in checkout:
            return True
        try:
            self.judgement = judge(checkout)
        except RuntimeError as error:
            (detail,) = json.loads(str(error))["error"]["details"]
            refusals.add(f"{detail['path']}: {detail['message']}")
            return False
        assert self.judgement["allowed"], self.judgement
        return True

    def _send(self, op, method, path, body=None, headers=None):
        if op == "complete" and "ap2" in body:
            credential = body["payment"]["instruments"][0]["credential"]
            is_distinct = credential["token"] != body["ap2"]["checkout_mandate"]
            ours = ask("/ap2/payments/mandate", {"approvalToken": self.judgement["approvalToken"]})["ucp"]
            body["ap2"]["checkout_mandate"] = ours["checkoutMandate"]
            credential["token"] = ours["paymentMandate" if is_distinct else "checkoutMandate"]
        return super()._send(op, method, path, body, headers)


def judge(checkout):
    request = {"maxAmount": 100, "currency": "USD", "vendorHints": {"domain": DOMAIN}}
    intent = ask("/ap2/intents", {"agentDid": AGENT, "principalDid": AGENT, "request": request})
    assert intent["allowed"], intent
    return ask(
        "/ap2/carts/validate/ucp",
        {
            "intentId": intent["intentVc"]["credentialSubject"]["mandateId"],
            "merchantDomain": DOMAIN,
            "checkout": checkout,
            "checkoutJwt": mint.mint_checkout_jwt(checkout, kid=MERCHANT_KID),
        },
    )


def flow(scenario, defect=None):
    """The requests of one agent and their answers."""
    with sandbox.serve(scenario=scenario, agent_jwks=[ReferenceAgent.signing_jwk()]) as (base, _):
        return NodeAgent(base, defect=defect).run_flow()


def run_checks():
    clean = {scenario: flow(scenario) for scenario in {check.scenario for check in agent_checks.CHECKS}}
    return [
        {
            "id": check.id,
            "clean": check.predicate(clean[check.scenario]),
            "mutant": check.predicate(flow(check.scenario, check.kill_mutation)),
        }
        for check in agent_checks.CHECKS
    ]


def run_verdicts():
    """What the suite's merchant says of the mandates that the node made for one checkout."""
    log = flow("ap2")
    checkout = next(each for each in log if each["op"] == "create_checkout")["response"]["body"]
    completion = next(each for each in log if each["op"] == "complete")["request"]["body"]
    mandate = completion["ap2"]["checkout_mandate"]
    payment = completion["payment"]["instruments"][0]["credential"]["token"]
    (node_key,) = [crypto.pub_from_jwk(key) for key in ask("/.well-known/ucp")["keys"]]
    checkout_jwt, _ = nested._find_mandate_fields(merchant_verify.sdjwt.parse_chain(mandate)[-1])

    def verdict(wire=mandate, platform=node_key, merchant=MERCHANT_POINT, **expected):
        about = {"expected_id": checkout["id"], "expected_totals": checkout["totals"], **expected}
        return merchant_verify.verify_checkout_mandate(wire, platform, merchant, **about)

    mutations = [name for name in dir(frozen) if name.startswith("mut_")]
    bound = nested.verify_payment_checkout_binding
    return {
        "as the node made it": verdict(),
        "for another session": verdict(expected_id="chk_other"),
        "for other totals": verdict(expected_totals=[{"type": "total", "amount": 1}]),
        "a quarter of an hour later": verdict(now=int(time.time()) + 901),
        "by another platform": verdict(platform=MERCHANT_POINT),
        "of another merchant": verdict(merchant=node_key),
        "the payment mandate in its place": verdict(payment),
        **{name: verdict(getattr(frozen, name)(mandate)) for name in mutations},
        "its payment’s own checkout": bound(payment, checkout_jwt)[0],
        "its payment’s with another checkout": bound(payment, checkout_jwt + "A")[0],
    }


if __name__ == "__main__":
    sandbox._Handler._send = send_signed
    key = {"kty": "EC", "crv": "P-256", "alg": "ES256", **crypto.jwk_from_pub(MERCHANT_KID, MERCHANT_POINT)}
    ask("/ap2/admin/merchants", {"domain": DOMAIN, "jwk": key})
    print(json.dumps({"checks": run_checks(), "verdicts": run_verdicts(), "refusals": sorted(refusals)}))
