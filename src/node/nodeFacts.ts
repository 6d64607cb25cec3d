/** What the core of a node tells its gates of itself. */
import type { JSONWebKeySet } from 'jose';
import { keyOfDid } from '../../protocol/credential/did.ts';
import type { Signer, Suite } from '../../protocol/credential/ed25519.ts';
import { captureEndsAt } from '../../protocol/payment.ts';
import { type AccessTokens, publicJwk } from '../access/accessToken.ts';
import type { Sealer } from '../crypto/seal.ts';
import type { ReceiptKeys } from '../domain/operator/claimReceiptKey.ts';
import type { NodeFacts } from '../gates/shell/gate.ts';
import type { Deps } from '../usecase/deps.ts';
import type { Config } from './config/config.ts';
import { factsOf, linksOf, requestKeysOf } from './config/extensionConfig.ts';
import { version } from './version.ts';

interface Parts {
  readonly baseUrl: string;
  readonly issuer: Signer;
  readonly suite: Suite;
  readonly sealer: Pick<Sealer, 'derive'>;
  readonly keys: Pick<NodeFacts, 'keySet' | 'keysUntil'>;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

interface PublishedKeys {
  readonly evidence: Pick<Deps['evidence'], 'rotations'>;
  readonly access: { readonly tokens: Pick<AccessTokens, 'keySet'> };
  readonly receiptKeys: ReceiptKeys['published'];
}

/** The node's public keys: the issuer's, those of former issuers for as long as their mandates may hold, and those of its receipts. */
export function publishedKeys({ access, evidence, receiptKeys }: PublishedKeys): Parts['keys'] {
  const former = evidence.rotations
    .filter(({ compromised }) => compromised !== true)
    .map(({ from, proof }) => ({
      jwk: publicJwk({ did: from, publicKey: keyOfDid(from) }),
      until: captureEndsAt(Date.parse(proof.created)),
    }));
  const receipts = receiptKeys.map((jwk) => ({ ...jwk, alg: 'ES256', use: 'sig' }));
  return {
    keySet: { keys: [...access.tokens.keySet.keys, ...former.map(({ jwk }) => jwk), ...receipts] },
    keysUntil: Object.fromEntries(former.map(({ jwk, until }) => [String(jwk.kid), until])),
  };
}

/** The keys that are published at a time. @param now milliseconds since the epoch */
export function keysAt({ keySet, keysUntil }: Parts['keys'], now: number): JSONWebKeySet {
  return { keys: keySet.keys.filter(({ kid }) => now < (keysUntil[String(kid)] ?? Number.POSITIVE_INFINITY)) };
}

export function nodeFacts(
  { environment, extensions, oidc }: Config,
  { baseUrl, issuer, suite, sealer, keys, startedAt }: Parts,
): NodeFacts {
  const { did } = issuer;
  const links = linksOf(extensions);
  const node = { issuer, suite, sealer, baseUrl, version };
  return {
    baseUrl,
    environment,
    extensions,
    links,
    version,
    did,
    oidcIssuer: oidc?.issuer,
    ...keys,
    requestKeys: requestKeysOf(extensions, node),
    ofExtensions: factsOf(extensions, node),
    startedAt,
  };
}
