/** Puts purchases into a database by statements, as many as a busy year leaves behind, each with a chain of its events. */
import { canonical } from '../../protocol/credential/canonical.ts';
import { genesisHash, hashEvent } from '../../protocol/evidence/chain.ts';
import { makeId } from '../../protocol/wire/id.ts';
import { nativeSuite } from '../../src/crypto/nativeSuite.ts';
import { run, type Script, type Store, type Value } from '../../src/store/store.ts';

const AT_ONCE = 250;
const suite = nativeSuite();

export interface Filled {
  readonly tenantId: string;
  readonly issuer: string;
  readonly agentDid: string;
}

/** Six rows a purchase: intent, approval, payment and three chained events. The chain of the tenant must be empty. */
export async function fillPurchases(
  store: Store,
  { tenantId, issuer, agentDid }: Filled,
  count: number,
): Promise<void> {
  const start = Date.parse('2026-01-01T00:00:00Z');
  let hashPrev = genesisHash(suite, issuer, tenantId);
  let seq = 0;
  const bytes = (number: number) => {
    const random = new Uint8Array(10);
    new DataView(random.buffer).setUint32(6, number);
    return random;
  };
  for (let from = 0; from < count; from += AT_ONCE) {
    const rows: Record<'intents' | 'approvals' | 'payments' | 'evidence', Record<string, Value>[]> = {
      intents: [],
      approvals: [],
      payments: [],
      evidence: [],
    };
    for (let number = from; number < Math.min(from + AT_ONCE, count); number++) {
      const now = start + number * 1000;
      const id = (prefix: string) => makeId(prefix, now, bytes(number));
      const [intentId, paymentId, transactionId] = [id('intent_'), id('pm_'), id('txn_')];
      // Names of many scripts, so that nothing depends on the language of the database.
      const merchant = ['shop.example', 'café.example', '店.example', 'Ω.example'][number % 4] as string;
      const credential = JSON.stringify({ id: intentId, merchant, note: `"quoted" \\ ${'x'.repeat(300)}` });
      const amount = 100 + ((number * 7919) % 9_000_000_000);
      const common = { tenant_id: tenantId, agent_did: agentDid, created_at: now };
      rows.intents.push({
        ...common,
        mandate_id: intentId,
        transaction_id: transactionId,
        context_id: null,
        principal_did: agentDid,
        status: 'COMPLETED',
        max_minor: amount,
        reserved_minor: amount,
        currency: 'USD',
        merchant_domain: merchant,
        mcc: null,
        country: null,
        policy_id: 'pol_1',
        policy_version: 1,
        policy_hash: 'sha256:00',
        credential,
        expires_at: now + 3_600_000,
      });
      rows.approvals.push({
        ...common,
        token_hash: `hash of token ${number}`,
        intent_id: intentId,
        status: 'USED',
        cart_hash: `sha256:${number}`,
        cart: credential,
        amount_minor: amount,
        currency: 'USD',
        merchant,
        rail: 'CARD_RAIL',
        rail_account_id: null,
        presence_id: null,
        expires_at: now + 300_000,
      });
      rows.payments.push({
        ...common,
        mandate_id: paymentId,
        transaction_id: transactionId,
        context_id: null,
        intent_id: intentId,
        principal_did: agentDid,
        authorized_at: now,
        cart_hash: `sha256:${number}`,
        status: 'CAPTURED',
        amount_minor: amount,
        captured_minor: amount,
        refunded_minor: 0,
        currency: 'USD',
        merchant,
        rail: 'CARD_RAIL',
        rail_id: `pi_${number}`,
        credential,
        error_code: null,
        error_message: null,
      });
      for (const eventType of ['INTENT_ISSUED', 'CART_VALIDATED', 'PM_ISSUED']) {
        seq += 1;
        const data = canonical({ transactionId, intentId, merchant });
        const eventId = makeId('evt_', now, bytes(seq));
        const record = { id: eventId, seq, eventType, actorDid: agentDid, dataText: data, hashPrev };
        const hashCurr = hashEvent(suite, { ...record, createdAt: new Date(now).toISOString() });
        rows.evidence.push({
          tenant_id: tenantId,
          seq,
          id: eventId,
          event_type: eventType,
          actor_did: agentDid,
          data,
          hash_prev: hashPrev,
          hash_curr: hashCurr,
          created_at: now,
          transaction_id: transactionId,
          context_id: null,
        });
        hashPrev = hashCurr;
      }
    }
    await store.write(tenantId, function* () {
      for (const [table, each] of Object.entries(rows)) yield* insertAll(table, each);
    });
  }
}

/** @param rows all with the same columns, at least one */
export function* insertAll(table: string, rows: readonly Record<string, Value>[]): Script<void> {
  const columns = Object.keys(rows[0] ?? {});
  const marks = `(${columns.map(() => '?').join(', ')})`;
  const values = rows.flatMap((row) => columns.map((column) => row[column] ?? null));
  yield* run(`INSERT INTO ${table} (${columns.join(', ')}) VALUES ${rows.map(() => marks).join(', ')}`, ...values);
}
