"""Mints and verifies chains of mandates with the reference SDK of AP2 v0.2, for test/python/ap2Sdk.test.ts.

Reads one JSON object from standard input: {"mint": [case, ...]} or {"verify": [chain, ...]}, and writes a list of as many answers.
"""

import json
import sys
import time

from ap2.sdk.checkout_mandate_chain import CheckoutMandateChain
from ap2.sdk.constraints import MandateContext
from ap2.sdk.generated.checkout_mandate import CheckoutMandate
from ap2.sdk.generated.open_checkout_mandate import OpenCheckoutMandate
from ap2.sdk.generated.open_payment_mandate import OpenPaymentMandate
from ap2.sdk.generated.payment_mandate import PaymentMandate
from ap2.sdk.mandate import MandateClient
from ap2.sdk.payment_mandate_chain import PaymentMandateChain
from jwcrypto.jwk import JWK

client = MandateClient()
MODELS = {
    "payment": (OpenPaymentMandate, PaymentMandate, PaymentMandateChain),
    "checkout": (OpenCheckoutMandate, CheckoutMandate, CheckoutMandateChain),
}


def new_key(kid):
    key = JWK.generate(kty="EC", crv="P-256", kid=kid)
    return key, json.loads(key.export_public())


def mint(case):
    open_model, closed_model, _ = MODELS[case["kind"]]
    root_key, root_jwk = new_key("sdk-root")
    keys = [new_key(f"sdk-agent-{index}") for index in range(case["hops"] - 1)]
    now = int(time.time())

    def open_mandate(agent):
        mandate = {"constraints": case["constraints"], "cnf": {"jwk": agent[1]}, "iat": now, "exp": now + 3600}
        return open_model.model_validate({**mandate, **case.get("preset", {})})

    token = client.create(payloads=[open_mandate(keys[0])], issuer_key=root_key)
    root = token
    for index, (key, _) in enumerate(keys):
        is_last = index == len(keys) - 1
        payload = closed_model.model_validate(case["closed"]) if is_last else open_mandate(keys[index + 1])
        # It joins two tokens: of a longer chain, the last one and the new one.
        before, joint, last = token.rpartition("~~")
        token = before + joint + client.present(
            holder_key=key,
            mandate_token=last,
            payloads=[payload],
            aud="verifier" if is_last else "agent",
            nonce="nonce-of-the-verifier" if is_last else "nonce-of-the-agent",
            hash_mode=case.get("binding", "sd_hash"),
        )
    return {"token": token, "root": root, "trustedJwk": root_jwk, "at": now}


def verify(chain):
    key = JWK.from_json(json.dumps(chain["trustedJwk"]))
    try:
        payloads = client.verify(
            token=chain["token"],
            key_or_provider=lambda _token: key,
            expected_aud="verifier",
            expected_nonce="nonce-of-the-verifier",
            current_time=chain["at"],
        )
        model = MODELS[chain["kind"]][2]
        # Its own chains are of two mandates; of a longer one it judges each open mandate with the closed one.
        violations = []
        for payload in payloads[:-1]:
            judged = model.parse([payload, payloads[-1]])
            if chain["kind"] == "checkout":
                violations += judged.verify(checkout_jwt=payloads[-1].get("checkout_jwt"))
            else:
                violations += judged.verify(
                    expected_transaction_id=chain["transactionId"],
                    expected_open_checkout_hash=chain.get("openCheckoutHash"),
                    mandate_context=MandateContext(),
                )
        return {"valid": violations == [], "violations": violations, "content": payloads[-1]}
    except Exception as error:  # noqa: BLE001
        return {"valid": False, "violations": [f"{type(error).__name__}: {error}"]}


asked = json.load(sys.stdin)
answers = [mint(case) for case in asked["mint"]] if "mint" in asked else [verify(chain) for chain in asked["verify"]]
json.dump(answers, sys.stdout)
