/** The node's outgoing requests: webhook deliveries, the documents and keys of merchants, and checkpoints to witnesses. */
import { didWebKeys } from '../access/didWeb.ts';
import { keySets } from '../access/keySets.ts';
import { safeClient } from '../fetch/safeClient.ts';
import type { Deps } from '../usecase/deps.ts';
import type { Witnesses } from '../usecase/services.ts';
import { type Deliverer, deliver } from '../webhooks/deliver.ts';
import { EXCHANGE } from '../webhooks/postEvent.ts';
import { NODE_LIFE_SECONDS } from '../workers/heartbeat.ts';
import type { Config } from './config/config.ts';
import { witnessIn } from './config/witnessConfig.ts';

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

/** A cosignature of each kind there is, and lines of other witnesses behind it. */
const COSIGNATURES = { timeoutMs: 5000, maxAnswerBytes: 65_536 } as const;

/** Witnesses at the addresses of the settings, which lead where webhooks may. */
export function witnessesAt(config: Pick<Config, 'witnesses' | 'witnessQuorum' | 'webhookAllowPrivate'>): Witnesses {
  const client = safeClient({ ...COSIGNATURES, allowPrivate: config.webhookAllowPrivate });
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'user-agent': 'Countersign' };
  return {
    named: config.witnesses.map(witnessIn),
    quorum: config.witnessQuorum ?? 0,
    alarms: new Map(),
    async ask(url, body) {
      const exchange = await client.exchange({ method: 'POST', url: new URL(url), headers, body });
      const { status, failure, overlong, answer } = exchange;
      if (failure !== undefined) return { failure: `it cannot be reached (${failure})` };
      return overlong ? { failure: 'its answer is too long' } : { status, text: answer.toString('utf8') };
    },
  };
}
