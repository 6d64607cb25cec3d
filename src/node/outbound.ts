/** The node's outgoing requests: webhook deliveries, and the documents and keys of merchants. */
import { didWebKeys } from '../access/didWeb.ts';
import { keySets } from '../access/keySets.ts';
import { safeClient } from '../fetch/safeClient.ts';
import type { Deps } from '../usecase/deps.ts';
import { type Deliverer, deliver } from '../webhooks/deliver.ts';
import { EXCHANGE } from '../webhooks/postEvent.ts';
import { NODE_LIFE_SECONDS } from '../workers/heartbeat.ts';

/** Documents of merchants: small, and quick, since a purchase waits for them. */
const DOCUMENT = { timeoutMs: 5000, maxAnswerBytes: 131_072 } as const;

/** @param timeoutSeconds of one attempt */
export function startDeliveries(deps: Deps, timeoutSeconds: number): Deliverer {
  const { webhookAllowPrivate: allowPrivate } = deps.settings;
  const client = safeClient({ ...EXCHANGE, timeoutMs: timeoutSeconds * 1000, allowPrivate });
  return deliver(deps, client, NODE_LIFE_SECONDS * 1000);
}

/** The sender of a cart chooses this address, so it never leads to a private network. */
export function merchantKeys(clock: () => number): Pick<Deps['keys'], 'at' | 'ofMerchant'> {
  const client = safeClient({ ...DOCUMENT, allowPrivate: false });
  const fetchAs = (accept: string) => async (url: URL) => {
    const { status, failure, overlong, answer } = await client.exchange({ method: 'GET', url, headers: { accept } });
    return status === 200 && failure === undefined && !overlong ? answer.toString('utf8') : undefined;
  };
  return {
    ofMerchant: didWebKeys(fetchAs('application/did+json, application/json'), clock),
    at: keySets(fetchAs('application/jwk-set+json, application/json'), clock),
  };
}
