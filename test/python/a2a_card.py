"""Reads the node's cards with A2A's own library for Python, for test/python/a2aSdk.test.ts.

Reads {"address", "path", "jwk", "change"}: the card is read as the library's resolver does, which names no version; `change` alters it
before its signature is checked. Writes {"verified", "streaming", "push", "interfaces"}; `former` says whether the models of v0.3 take the page.
"""

import asyncio
import json
import sys

import httpx
from a2a.client.card_resolver import A2ACardResolver
from a2a.compat.v0_3.types import AgentCard as FormerCard
from a2a.utils.signing import InvalidSignaturesError, create_signature_verifier
from jwt.api_jwk import PyJWK


async def read(asked):
    check = create_signature_verifier(lambda kid, jku: PyJWK(asked["jwk"]), ["EdDSA"])
    async with httpx.AsyncClient() as http:
        card = await A2ACardResolver(http, asked["address"]).get_agent_card(asked["path"])
        page = (await http.get(asked["address"] + asked["path"])).json()
    former = FormerCard.model_validate(page)
    if asked.get("change") == "name":
        card.name += "!"
    if asked.get("change") == "did":
        card.capabilities.extensions[-1].params["did"] = "did:key:z6MkOther"
    try:
        check(card)
        verified = True
    except InvalidSignaturesError:
        verified = False
    return {
        "verified": verified,
        "streaming": card.capabilities.streaming,
        "push": card.capabilities.push_notifications,
        "schemes": {name: scheme.WhichOneof("scheme") for name, scheme in card.security_schemes.items()},
        "interfaces": [[each.url, each.protocol_version] for each in card.supported_interfaces],
        "former": {"url": former.url, "streaming": former.capabilities.streaming},
    }


print(json.dumps(asyncio.run(read(json.load(sys.stdin)))))
