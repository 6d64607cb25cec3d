/** Events of two tenants by several actors, and every list of them: what views are compared by. */
import { listByAmount } from '../../../src/store/statements/evidence/byAmount.ts';
import { appendEvidence, findChainHead, listTransaction } from '../../../src/store/statements/evidence/events.ts';
import { type EvidenceFilter, listEvidence } from '../../../src/store/statements/evidence/search.ts';
import type { Script, Store } from '../../../src/store/store.ts';

export const TENANTS = ['t', 'u'];
export const ACTORS = ['did:key:a', 'did:key:b'];
const TYPES = ['INTENT_ISSUED', 'PM_ISSUED', 'PAYMENT_CAPTURED'];
const FILTERS: readonly EvidenceFilter[] = [
  {},
  ...ACTORS.map((actorDid) => ({ actorDid })),
  ...TYPES.map((type) => ({ eventTypes: [type] })),
  { actorDid: ACTORS[0], eventTypes: TYPES.slice(0, 2) },
  { contextId: 'one' },
  { actorDid: ACTORS[1], from: 40 },
];

export function* append(tenantId: string, count: number): Script<void> {
  for (let added = 0; added < count; added++) {
    const head = yield* findChainHead(tenantId);
    const seq = (head?.seq ?? 0) + 1;
    yield* appendEvidence(head, {
      tenant_id: tenantId,
      seq,
      id: `${tenantId}_${seq}`,
      event_type: TYPES[seq % TYPES.length] as string,
      actor_did: ACTORS[seq % 7 === 0 ? 1 : 0] as string,
      // One in eleven is damaged, and one in thirteen has no amount.
      data:
        seq % 11 === 0 ? '{"maxAmount":' : seq % 13 === 0 ? '{}' : `{"currency":"USD","maxAmount":${(seq * 7) % 40}}`,
      hash_prev: '',
      hash_curr: String(seq),
      created_at: seq,
      transaction_id: seq % 5 === 0 ? null : `txn_${seq >> 2}`,
      context_id: seq % 3 === 0 ? 'one' : null,
    });
  }
}

/** What each list of both tenants gives. */
export async function listsOf(store: Store): Promise<unknown> {
  const lists: unknown[] = [];
  for (const tenantId of TENANTS) {
    for (const filter of FILTERS) {
      const rows = await store.read(() => listEvidence(tenantId, filter, undefined, 40));
      lists.push(rows.map(({ id }) => id));
    }
    for (const isAscending of [true, false]) {
      const bounds = { isAscending, after: undefined, least: 3, most: 35, looks: 30, wanted: 20 };
      const { found, upTo } = await store.read(() =>
        listByAmount(tenantId, 'USD', { eventTypes: TYPES }, undefined, [], bounds),
      );
      lists.push([found.map(({ row, place }) => [row.id, place]), upTo]);
    }
    for (const transaction of ['txn_1', 'txn_5', 'txn_9']) {
      lists.push((await store.read(() => listTransaction(tenantId, transaction))).map(({ id }) => id));
    }
  }
  return lists;
}
