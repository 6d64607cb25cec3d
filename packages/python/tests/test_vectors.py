"""The vectors that both clients are checked by (test/vectors): each is made anew, and holds or fails as it says."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from countersign_client import (
    CountersignError,
    InvalidEvidence,
    Key,
    canonical,
    canonical_did,
    make_did_proof,
    open_checkpoint,
    sign_cart,
    sign_message,
    verify_chain,
    verify_webhook,
)
from countersign_client.credentials import InvalidCredential, check_credential
from countersign_client.did import did_of_key, key_of_did
from countersign_client.jcs import parse_json
from countersign_client.keys import verify
from countersign_client.proof import InvalidProof, check_proof, sign_document

Case = dict[str, Any]
VECTORS = Path(os.environ.get("COUNTERSIGN_VECTORS", Path(__file__).parents[3] / "test" / "vectors"))
REFUSALS = (CountersignError, InvalidProof, InvalidCredential, InvalidEvidence)


def jcs(case: Case) -> None:
    text = canonical(parse_json(case["json"]))
    assert text == case["canonical"]


def did_key(case: Case) -> None:
    if "text" not in case:
        did_of_key(bytes.fromhex(case["key"]))
        return
    assert canonical_did(case["text"]) == case["did"]
    assert key_of_did(case["text"]).hex() == case["key"]


def signatures(case: Case) -> None:
    key, message, signature = (bytes.fromhex(case[name]) for name in ("key", "message", "signature"))
    if not verify(key, message, signature):
        raise InvalidProof("it does not hold")


def messages(case: Case) -> None:
    given = case.get("given")
    if given is not None:
        made = sign_message(
            Key(bytes.fromhex(given["seed"])),
            given["type"],
            given["body"],
            to=given["to"],
            id=given["id"],
            context_id=given["contextId"],
            now=given["now"],
        )
        assert made == case["document"]
    check_proof(case["document"], purpose="authentication", did=case["did"])


def did_proofs(case: Case) -> None:
    given, request = case["given"], case["request"]
    made = make_did_proof(
        Key(bytes.fromhex(given["seed"])),
        base_url=request["baseUrl"],
        method=request["method"],
        path=request["path"],
        body=request["body"].encode(),
        now=given["now"],
        jti=given["jti"],
    )
    # Nodes judge these: a header for one request is none for another.
    if made != case["header"]:
        raise InvalidProof("it is for another request")


def credentials(case: Case) -> None:
    given = case.get("given")
    if given is not None:
        made = sign_cart(
            Key(bytes.fromhex(given["seed"])),
            domain=given["domain"],
            items=given["items"],
            currency=given["currency"],
            id=given["id"],
            valid_seconds=given["validSeconds"],
            now=given["now"],
        )
        assert made == case["document"]
    check_credential(case["document"], case["type"], now=case["now"])


def presence(case: Case) -> None:
    given = case.get("given")
    if given is not None:
        key = Key(bytes.fromhex(given["seed"]))
        made = sign_document(key, given["content"], created=given["created"], purpose="assertionMethod")
        assert made == case["document"]
    check_proof(case["document"], purpose="assertionMethod", did=case["did"])


def chain(case: Case) -> None:
    root = verify_chain(case["events"], issuer=case["issuer"], tenant_id=case["tenantId"])
    assert root.hex() == case["root"]


def checkpoints(case: Case) -> None:
    opened = open_checkpoint(case["note"], case["issuers"])
    assert (opened.origin, opened.size, opened.root.hex()) == (case["origin"], case["size"], case["root"])


def webhooks(case: Case) -> None:
    event = verify_webhook(case["secret"], case["headers"], case["body"].encode(), now=case["now"])
    assert event == json.loads(case["body"])


JUDGED = {
    "jcs": jcs,
    "did-key": did_key,
    "signatures": signatures,
    "messages": messages,
    "did-proofs": did_proofs,
    "credentials": credentials,
    "presence": presence,
    "chain": chain,
    "checkpoints": checkpoints,
    "webhooks": webhooks,
}


def cases() -> Iterator[Any]:
    for name in JUDGED:
        for case in json.loads((VECTORS / f"{name}.json").read_text()) if VECTORS.is_dir() else ():
            yield pytest.param(name, case, id=f"{name}: {case['name']}")


@pytest.mark.skipif(not VECTORS.is_dir(), reason="the vectors are in the repository")
def test_every_file_of_vectors_is_judged() -> None:
    assert {file.stem for file in VECTORS.glob("*.json")} == set(JUDGED)


@pytest.mark.parametrize(("name", "case"), list(cases()))
def test_a_vector_holds_or_fails_as_it_says(name: str, case: Case) -> None:
    if case["holds"]:
        JUDGED[name](case)
    else:
        with pytest.raises(REFUSALS):
            JUDGED[name](case)
