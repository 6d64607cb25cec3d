"""Verifies the hops of chains with the reference library of SD-JWT for Python, for test/python/sdJwt.test.ts.

Reads {"chains": [chain], "jwk": the key of each first hop}, writes {"read": [[the vct of each hop]]}.
"""

import json
import sys

from jwcrypto.jwk import JWK
from sd_jwt.verifier import SDJWTVerifier


def read(chain, jwk):
    hops = chain.split("~~")
    found = []
    for at, hop in enumerate(hops):
        verifier = SDJWTVerifier(hop if at == len(hops) - 1 else f"{hop}~", lambda _issuer, _header: JWK(**jwk))
        content = verifier.get_verified_payload()["delegate_payload"][0]
        found.append(content["vct"])
        jwk = content.get("cnf", {}).get("jwk")
    return found


asked = json.load(sys.stdin)
print(json.dumps({"read": [read(chain, asked["jwk"]) for chain in asked["chains"]]}))
