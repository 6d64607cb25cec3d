/** What the core of a node tells its gates of itself, the signature of its agent card with it. */
import type { JSONWebKeySet } from 'jose';
import { signCard } from '../../protocol/a2a/cardSignature.ts';
import { standardCard } from '../../protocol/a2a/cards.ts';
import type { Signer } from '../../protocol/credential/ed25519.ts';
import type { AccessTokens } from '../access/accessToken.ts';
import { readJsonAsset } from '../assets/assets.ts';
import type { ReceiptKeys } from '../domain/operator/claimReceiptKey.ts';
import { CARD_TEMPLATE } from '../gates/rest/cardRoutes.ts';
import { KEY_SET_PATH } from '../gates/rest/login/loginRoutes.ts';
import type { NodeFacts } from '../gates/shell/gate.ts';
import type { Config } from './config/config.ts';
import { version } from './version.ts';

interface Parts {
  readonly baseUrl: string;
  readonly issuer: Signer;
  readonly keySet: JSONWebKeySet;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

/** The node's public keys: the issuer's, and those that its receipts verify with. */
export function keySetOf(
  { keySet }: Pick<AccessTokens, 'keySet'>,
  receiptKeys: ReceiptKeys['published'],
): JSONWebKeySet {
  return { keys: [...keySet.keys, ...receiptKeys.map((jwk) => ({ ...jwk, alg: 'ES256', use: 'sig' }))] };
}

export function nodeFacts({ environment, oidc }: Config, { baseUrl, issuer, keySet, startedAt }: Parts): NodeFacts {
  const { did } = issuer;
  const card = standardCard(readJsonAsset(CARD_TEMPLATE), { baseUrl, did, version });
  const cardSignature = signCard(issuer, card, baseUrl + KEY_SET_PATH);
  return { baseUrl, environment, version, did, oidcIssuer: oidc?.issuer, keySet, cardSignature, startedAt };
}
