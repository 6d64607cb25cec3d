/** A long history of payments in a month, copied from one that was really made. */
import { randomBytes } from 'node:crypto';
import { makeId } from '../../protocol/wire/id.ts';
import { get, type Value } from '../../src/store/store.ts';
import { insertAll } from './fillPurchases.ts';
import type { World } from './world.ts';

const AT_ONCE = 500;
const SPAN_MS = 30 * 24 * 3600 * 1000;

/** @param count a multiple of 500; the world has a payment already */
export async function copyPayments({ node: { deps, tenantId } }: World, count: number): Promise<void> {
  const found = await deps.store.read(() =>
    get<Record<string, Value>>('SELECT * FROM payments WHERE tenant_id = ?', tenantId),
  );
  const model = found ?? {};
  const now = Date.now();
  for (let from = 0; from < count; from += AT_ONCE) {
    const rows = Array.from({ length: AT_ONCE }, (_, index) => {
      const at = now - SPAN_MS + Math.floor(((from + index) * SPAN_MS) / count);
      const id = (prefix: string) => makeId(prefix, at, randomBytes(10));
      const amount = 100 + ((from + index) % 9000);
      return {
        ...model,
        mandate_id: id('pm_'),
        transaction_id: id('txn_'),
        intent_id: id('intent_'),
        rail_id: id('pi_'),
        cart_hash: `sha256:${from + index}`,
        status: 'CAPTURED',
        amount_minor: amount,
        captured_minor: amount,
        created_at: at,
        authorized_at: at,
      };
    });
    await deps.store.write(tenantId, () => insertAll('payments', rows));
  }
}
