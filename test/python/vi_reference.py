"""Mints and verifies purchases with the reference implementation of Verifiable Intent 0.1, for test/python/viReference.test.ts.

Reads one JSON object from standard input: {"mint": [case, ...]} or {"verify": [purchase, ...]}, and writes a list of as many answers.
"""

import json
import sys
import time

from verifiable_intent.crypto.disclosure import build_selective_presentation, hash_bytes, hash_disclosure
from verifiable_intent.crypto.sd_jwt import decode_sd_jwt, resolve_disclosures
from verifiable_intent.crypto.signing import _jwt_decode_parts, _jwt_encode, generate_es256_key, jwk_to_public_key, public_key_to_jwk
from verifiable_intent.issuance.agent import create_layer3_checkout, create_layer3_payment
from verifiable_intent.issuance.issuer import create_layer1
from verifiable_intent.issuance.user import create_layer2_autonomous, create_layer2_immediate
from verifiable_intent.models.agent_mandate import CheckoutL3Mandate, FinalCheckoutMandate, FinalPaymentMandate, PaymentL3Mandate
from verifiable_intent.models.constraints import Constraint
from verifiable_intent.models.issuer_credential import IssuerCredential
from verifiable_intent.models.user_mandate import CheckoutMandate, MandateMode, PaymentMandate, UserMandate
from verifiable_intent.verification import chain as chain_module
from verifiable_intent.verification.constraint_checker import check_constraints

MERCHANTS = [
    {"id": "merchant_1", "name": "Shop", "website": "https://shop.example"},
    {"id": "merchant_2", "name": "Other", "website": "https://other.example"},
]
ITEMS = [{"id": "shoes", "title": "Shoes"}, {"id": "boots", "title": "Boots"}]
INSTRUMENT = {"type": "network.card", "id": "card-of-the-person", "description": "Card 1234"}


def new_key(kid):
    key = generate_es256_key()
    return key, {**public_key_to_jwk(key), "kid": kid}


def constraints_in(listed):
    return [Constraint(type=each["type"], extra_fields={k: v for k, v in each.items() if k != "type"}) for each in listed]


def mint(case):
    now = int(time.time())
    issuer, issuer_jwk = new_key("issuer-1")
    user, user_jwk = new_key("user-1")
    agent, agent_jwk = new_key("agent-1")
    card = IssuerCredential(
        iss="https://issuer.example", sub="person", iat=now, exp=now + 86400, cnf_jwk=user_jwk, email="person@example.com",
        pan_last_four="1234", scheme="Card",
        # Where it is there, a merchant's view, which has no payment, is refused here.
        card_id=INSTRUMENT["id"] if case["isImmediate"] else None,
    )  # fmt: skip
    l1 = create_layer1(card, issuer, kid="issuer-1")
    payee = MERCHANTS[case["payee"]]
    lines = [{"id": "li_1", "item": ITEMS[case["item"]], "quantity": case["quantity"]}]
    checkout = {"merchant": payee, "line_items": lines, "currency": case["currency"]}
    checkout_jwt = _jwt_encode({"alg": "ES256", "typ": "JWT"}, checkout, generate_es256_key())
    checkout_hash = hash_bytes(checkout_jwt.encode())
    amount = {"amount": case["amount"], "currency": case["currency"]}
    binding = hash_bytes(l1.serialize().encode())
    answer = {"l1": l1.serialize(), "key": issuer_jwk, "at": now, "checkoutJwt": checkout_jwt}
    about = {"iat": now, "iss": "https://wallet.example", "sd_hash": binding, "nonce": "nonce-of-layer-2"}
    if case["isImmediate"]:
        mandate = UserMandate(
            **about, aud="https://network.example", exp=now + 900, mode=MandateMode.IMMEDIATE,
            checkout_mandate=CheckoutMandate(vct="mandate.checkout.1", checkout_jwt=checkout_jwt),
            payment_mandate=PaymentMandate(vct="mandate.payment.1", payment_instrument=INSTRUMENT, payee=payee, **amount),
        )  # fmt: skip
        return {**answer, "l2": create_layer2_immediate(mandate, user, kid="user-1").serialize()}
    delegate = {"cnf_jwk": agent_jwk, "cnf_kid": "agent-1"}
    mandate = UserMandate(
        **about, aud="https://agent.example", exp=now + 3600, mode=MandateMode.AUTONOMOUS, prompt_summary="Shoes",
        checkout_mandate=CheckoutMandate(
            vct="mandate.checkout.open.1", constraints=constraints_in(case["checkout"]), **delegate
        ),
        payment_mandate=PaymentMandate(
            vct="mandate.payment.open.1", payment_instrument=INSTRUMENT, constraints=constraints_in(case["payment"]), **delegate
        ),
        merchants=MERCHANTS, acceptable_items=ITEMS,
    )  # fmt: skip
    l2 = create_layer2_autonomous(mandate, user, kid="user-1")
    base = l2.serialize().split("~")[0]

    def disclosure(has):
        return next(text for text, value in zip(l2.disclosures, l2.disclosure_values) if has(value[-1]))

    payment_disclosures = [disclosure(lambda each: each.get("vct") == "mandate.payment.open.1"), disclosure(lambda each: each == MERCHANTS[0])]
    checkout_disclosures = [disclosure(lambda each: each.get("vct") == "mandate.checkout.open.1"), disclosure(lambda each: each == ITEMS[0])]
    closing = {"nonce": "nonce-of-layer-3", "iat": now, "iss": "https://agent.example", "exp": now + 300}
    paid = FinalPaymentMandate(
        transaction_id=checkout_hash, payee=payee, payment_amount=amount, payment_instrument=INSTRUMENT
    )  # fmt: skip
    l3_payment = create_layer3_payment(
        PaymentL3Mandate(aud="https://network.example", final_payment=paid, final_merchant=payee, **closing),
        agent, base, *payment_disclosures, kid="agent-1",
    )  # fmt: skip
    bought = FinalCheckoutMandate(checkout_jwt=checkout_jwt, checkout_hash=checkout_hash)
    l3_checkout = create_layer3_checkout(
        CheckoutL3Mandate(aud="https://shop.example", final_checkout=bought, **closing),
        agent, base, *checkout_disclosures, kid="agent-1",
    )  # fmt: skip
    return {
        **answer,
        "l2": build_selective_presentation(base, payment_disclosures),
        "l2Checkout": build_selective_presentation(base, checkout_disclosures),
        "l3Payment": l3_payment.serialize(),
        "l3Checkout": l3_checkout.serialize(),
    }


def mandate_in(token, vct):
    return next(each for each in resolve_disclosures(token)["delegate_payload"] if isinstance(each, dict) and each.get("vct") == vct)


def resolved(value, by_digest):
    """With each element that is disclosed in its place; withheld ones stay as digests."""
    if isinstance(value, list):
        return [resolved(by_digest.get(each["..."], each) if isinstance(each, dict) and "..." in each else each, by_digest) for each in value]
    return {name: resolved(each, by_digest) for name, each in value.items()} if isinstance(value, dict) else value


def verdict_of(l1, l2_text, key, l3, is_payment):
    """Of one recipient: the chain, and the constraints that its view discloses."""
    l2 = decode_sd_jwt(l2_text)
    layer = {"l3_payment" if is_payment else "l3_checkout": decode_sd_jwt(l3)} if l3 is not None else {}
    view = {"l2_payment_serialized" if is_payment else "l2_checkout_serialized": l2_text} if l3 is not None else {}
    card = decode_sd_jwt(l1)
    about = {"issuer_public_key": key, "l1_serialized": l1, "l2_serialized": l2_text, "expected_l1_vct": card.payload["vct"]}
    checked = chain_module.verify_chain(card, l2, **about, **layer, **view)
    if not checked.valid or l3 is None:
        return [str(each) for each in checked.errors]
    kind = "payment" if is_payment else "checkout"
    closed = mandate_in(decode_sd_jwt(l3), f"mandate.{kind}.1")
    by_digest = {hash_disclosure(text): value[-1] for text, value in zip(l2.disclosures, l2.disclosure_values)}
    constraints = resolved(mandate_in(l2, f"mandate.{kind}.open.1")["constraints"], by_digest)
    if is_payment:
        fulfillment = closed
    else:
        checkout = _jwt_decode_parts(closed["checkout_jwt"])[1]
        lines = [{"id": each["item"]["id"], "quantity": each["quantity"]} for each in checkout["line_items"]]
        fulfillment = {"merchant": checkout["merchant"], "line_items": lines}
    return check_constraints(constraints, fulfillment, is_open_mandate=True).violations


def verify(purchase):
    chain_module.time = type("Clock", (), {"time": staticmethod(lambda: purchase["at"])})
    key = jwk_to_public_key(purchase["key"])
    l1, l3_payment, l3_checkout = purchase["l1"], purchase.get("l3Payment"), purchase.get("l3Checkout")
    found = verdict_of(l1, purchase["l2"], key, l3_payment, True)
    if l3_checkout is not None:
        found = found + verdict_of(l1, purchase["l2Checkout"], key, l3_checkout, False)
    return {"valid": not found, "violations": found}


if __name__ == "__main__":
    asked = json.load(sys.stdin)
    json.dump([mint(each) for each in asked["mint"]] if "mint" in asked else [verify(each) for each in asked["verify"]], sys.stdout)
