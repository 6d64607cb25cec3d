/** Verifies the evidence chain of every tenant in a database. */

import type { Suite } from '../../protocol/credential/ed25519.ts';
import { genesisHash } from '../../protocol/evidence/chain.ts';
import { walkChain } from '../domain/evidence/walkChain.ts';
import { longWork } from '../store/longWork.ts';
import { findSetting } from '../store/statements/node/settings.ts';
import { all, get, type Reader, type Script, type Store } from '../store/store.ts';

export interface ChainState {
  readonly tenantId: string;
  readonly events: number;
  /** The hash of the newest event, or the genesis hash of an empty chain. */
  readonly head: string;
}

/** The first issuer of a database, which the genesis hashes of its chains contain; undefined before any node's start. */
export async function readFirstIssuer(store: Reader): Promise<string | undefined> {
  return store.read(() => findSetting('issuer_did'));
}

/** The length and head of each tenant's chain, without verifying it. @param issuer the database's first */
export async function readChains(suite: Suite, store: Reader, issuer: string): Promise<ChainState[]> {
  return store.read(() => listChains(suite, issuer));
}

/** As readChains, in a script. */
export function* listChains(suite: Suite, issuer: string): Script<ChainState[]> {
  // These statements must work on databases of older schemas too.
  const states: ChainState[] = [];
  for (const { id } of yield* all<{ id: string }>('SELECT id FROM tenants ORDER BY id')) {
    const last = yield* get<{ seq: number; hash_curr: string }>(
      'SELECT seq, hash_curr FROM evidence WHERE tenant_id = ? ORDER BY seq DESC LIMIT 1',
      id,
    );
    const head = last?.hash_curr ?? genesisHash(suite, issuer, id);
    states.push({ tenantId: id, events: last?.seq ?? 0, head });
  }
  return states;
}

/**
 * Reads every event of every chain.
 * @param onProgress how many events of how many were read
 * @returns the first break of each chain that has one, as a sentence
 */
export async function verifyChains(
  suite: Suite,
  store: Store,
  issuer: string,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<string[]> {
  const chains = await readChains(suite, store, issuer);
  const reader = { suite, store, data: { longWork: longWork(store) }, issuer: { did: issuer } };
  const total = chains.reduce((sum, { events }) => sum + events, 0);
  const broken: string[] = [];
  let done = 0;
  for (const { tenantId, events } of chains) {
    for await (const piece of walkChain(reader, tenantId, 1, events)) {
      done += piece.events.length;
      onProgress(done, total);
      if (piece.broken === undefined) continue;
      const { brokenAtSeq, reason } = piece.broken;
      broken.push(`The evidence chain of tenant ${tenantId} is broken at event ${brokenAtSeq}: ${reason}.`);
      break;
    }
  }
  return broken;
}
