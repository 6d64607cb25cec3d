/** The node's outgoing requests: webhook deliveries, and the documents of did:web merchants. */
import { didWebKeys } from '../access/didWeb.ts';
import { safeClient } from '../fetch/safeClient.ts';
import type { Deps } from '../handlers/core/deps.ts';
import { type Deliverer, deliver } from '../webhooks/deliver.ts';
import { EXCHANGE } from '../webhooks/postEvent.ts';
import { NODE_LIFE_SECONDS } from '../workers/heartbeat.ts';

/** Documents of merchants: small, and quick, since a purchase waits for them. */
const DOCUMENT = { timeoutMs: 5000, maxAnswerBytes: 65_536 } as const;

/** @param timeoutSeconds of one attempt */
export function startDeliveries(deps: Deps, timeoutSeconds: number): Deliverer {
  const { webhookAllowPrivate: allowPrivate } = deps.settings;
  const client = safeClient({ ...EXCHANGE, timeoutMs: timeoutSeconds * 1000, allowPrivate });
  return deliver(deps, client, NODE_LIFE_SECONDS * 1000);
}

/** The sender of a cart chooses this address, so it never leads to a private network. */
export function merchantKeys(clock: () => number): Deps['resolveMerchantKey'] {
  const client = safeClient({ ...DOCUMENT, allowPrivate: false });
  return didWebKeys(async (url) => {
    const headers = { accept: 'application/did+json, application/json' };
    const { status, failure, overlong, answer } = await client.exchange({ method: 'GET', url, headers });
    return status === 200 && failure === undefined && !overlong ? answer.toString('utf8') : undefined;
  }, clock);
}
