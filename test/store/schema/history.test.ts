/** The upgrade of a database with a history: windows and statistics count what there was, and kept subtrees stay. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeId } from '../../../protocol/wire/id.ts';
import { openStore } from '../../../src/store/openStore.ts';
import { countSubtrees, listSubtrees } from '../../../src/store/statements/evidence/checkpoints.ts';
import { advancePaid } from '../../../src/store/statements/purchases/paymentWindows.ts';
import { sumSharedPaymentTokens } from '../../../src/store/statements/purchases/sharedPaymentTokens.ts';
import { POLICY_SCOPE } from '../../../src/store/statements/purchases/spendingSums.ts';
import { run } from '../../../src/store/store.ts';
import { engines } from '../../support/engines.ts';
import { schemaOf } from '../../support/formerSchema.ts';
import { useOf } from '../../support/windowUse.ts';

/** The last one before sums were kept. */
const FORMER = 17;
const NOW = Date.UTC(2026, 5, 1);
const MINUTE = 60_000;

for (const engine of engines()) {
  describe(`an upgrade of a history on ${engine.name}`, () => {
    test('counts what was bought before, and keeps subtrees', async (t) => {
      const schemaFolder = await schemaOf(t, FORMER);
      const database = await engine.open({ schemaFolder });
      t.after(() => database.drop());
      await database.store.write('t', function* () {
        for (let number = 1; number <= 40; number += 1) {
          const at = NOW - number * MINUTE;
          const stem = makeId('', at, new Uint8Array(10));
          const agent = number % 2 === 0 ? 'even' : 'odd';
          yield* run(
            `INSERT INTO intents (tenant_id, mandate_id, transaction_id, agent_did, principal_did, status, max_minor,
               reserved_minor, currency, policy_id, policy_version, policy_hash, credential, created_at, expires_at)
             VALUES ('t', ?, 'txn', ?, 'p', 'USED', 100, ?, 'USD', 'pol', 1, '', '{}', ?, 0)`,
            `intent_${stem}`,
            agent,
            number,
            at,
          );
          yield* run(
            `INSERT INTO payments (tenant_id, mandate_id, transaction_id, intent_id, agent_did, principal_did, status,
               amount_minor, captured_minor, refunded_minor, currency, merchant, rail, credential, created_at, authorized_at)
             VALUES ('t', ?, 'txn', ?, ?, 'p', ?, ?, 0, 0, 'USD', 's', 'CARD_RAIL', '{}', ?, ?)`,
            `pm_${stem}`,
            `intent_${stem}`,
            agent,
            number === 5 ? 'FAILED' : 'CAPTURED',
            number,
            at,
            at,
          );
          yield* run(
            `INSERT INTO shared_payment_tokens (id, tenant_id, status, merchant_domain, amount_minor, currency, created_at,
               expires_at)
             VALUES (?, 't', ?, 's', ?, 'USD', ?, ?)`,
            `spt_${stem}`,
            number <= 2 ? 'ACTIVE' : 'USED',
            2 ** 49,
            at,
            number === 1 ? NOW + MINUTE : NOW - MINUTE,
          );
          yield* run('INSERT INTO evidence_subtrees (tenant_id, number, hash) VALUES (?, ?, ?)', 't', number - 1, stem);
        }
      });
      const source =
        database.url === undefined ? { file: database.file ?? '' } : { file: '', databaseUrl: database.url };
      const store = await openStore({ ...source, clock: Date.now });
      t.after(() => store.close());
      for (const [scope, minutes] of [
        ['even', 20],
        ['odd', 33],
        [POLICY_SCOPE, 12],
        [POLICY_SCOPE, 1000],
      ] as const) {
        const counted = Array.from({ length: 40 }, (_, index) => index + 1).filter(
          (number) => number < minutes && (scope === POLICY_SCOPE || (number % 2 === 0 ? 'even' : 'odd') === scope),
        );
        const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);
        const use = await store.read(() => useOf('t', scope, minutes * MINUTE, NOW));
        assert.deepEqual([use.transactions, use.amounts.USD], [counted.length, sum(counted)], `${scope} ${minutes}`);
        const paid = counted.filter((number) => number !== 5);
        const window = { tenant_id: 't', scope, window_ms: minutes * MINUTE };
        const spent = await store.read(() => advancePaid(new Map(), window, NOW));
        assert.deepEqual([spent.transactions, spent.amounts.USD], [paid.length, sum(paid)], `${scope} ${minutes}`);
      }
      const tokens = await store.read(() => sumSharedPaymentTokens('t', NOW));
      assert.deepEqual(
        tokens.filter((each) => each.tokens > 0).map((each) => [each.status, each.tokens, each.amount_minor]),
        [
          ['ACTIVE', 1, 2 ** 49],
          ['USED', 38, Number.MAX_SAFE_INTEGER],
          ['EXPIRED', 1, 2 ** 49],
        ],
      );
      assert.equal(await store.read(() => countSubtrees('t', 1)), 40);
      const [first] = await store.read(() => listSubtrees('t', 1, 0, 0));
      assert.equal(first?.number, 0);
    });
  });
}
