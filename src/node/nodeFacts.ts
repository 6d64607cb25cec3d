/** What the core of a node tells its gates of itself, the signature of its agent card with it. */
import type { JSONWebKeySet } from 'jose';
import { signCard } from '../../protocol/a2a/cardSignature.ts';
import { standardCard } from '../../protocol/a2a/cards.ts';
import { keyOfDid } from '../../protocol/credential/did.ts';
import type { Signer } from '../../protocol/credential/ed25519.ts';
import { captureEndsAt } from '../../protocol/payment.ts';
import { type AccessTokens, publicJwk } from '../access/accessToken.ts';
import { readJsonAsset } from '../assets/assets.ts';
import type { ReceiptKeys } from '../domain/operator/claimReceiptKey.ts';
import { CARD_TEMPLATE } from '../gates/rest/cardRoutes.ts';
import { KEY_SET_PATH } from '../gates/rest/login/loginRoutes.ts';
import type { NodeFacts } from '../gates/shell/gate.ts';
import type { Deps } from '../usecase/deps.ts';
import type { Config } from './config/config.ts';
import { version } from './version.ts';

interface Parts {
  readonly baseUrl: string;
  readonly issuer: Signer;
  readonly keySet: JSONWebKeySet;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

interface PublishedKeys extends Pick<Deps, 'rotations'> {
  readonly accessTokens: Pick<AccessTokens, 'keySet'>;
  readonly receiptKeys: ReceiptKeys['published'];
}

/**
 * The node's public keys: the issuer's, those of former issuers whose mandates may still hold, and those that its receipts verify with.
 * @param now milliseconds since the epoch
 */
export function keySetOf({ accessTokens, rotations, receiptKeys }: PublishedKeys, now: number): JSONWebKeySet {
  const former = rotations.filter(
    ({ compromised, proof }) => compromised !== true && captureEndsAt(Date.parse(proof.created)) > now,
  );
  const keys = former.map(({ from }) => publicJwk({ did: from, publicKey: keyOfDid(from) }));
  const receipts = receiptKeys.map((jwk) => ({ ...jwk, alg: 'ES256', use: 'sig' }));
  return { keys: [...accessTokens.keySet.keys, ...keys, ...receipts] };
}

export function nodeFacts({ environment, oidc }: Config, { baseUrl, issuer, keySet, startedAt }: Parts): NodeFacts {
  const { did } = issuer;
  const card = standardCard(readJsonAsset(CARD_TEMPLATE), { baseUrl, did, version });
  const cardSignature = signCard(issuer, card, baseUrl + KEY_SET_PATH);
  return { baseUrl, environment, version, did, oidcIssuer: oidc?.issuer, keySet, cardSignature, startedAt };
}
