/** Which agents may not spend whose money, of many at once: as findDelegation answers it for each. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import {
  findDelegation,
  insertDelegation,
  insertPrincipal,
  listUndelegated,
} from '../../src/store/statements/registry/principals.ts';
import { all, run, type Statement } from '../../src/store/store.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { watched } from '../support/watched.ts';

const PRINCIPALS = ['did:key:one', 'did:key:two', 'did:key:three'];
const AGENTS = ['did:key:a', 'did:key:b', 'did:key:c'];
const PAIRS = PRINCIPALS.flatMap((principal_did) => AGENTS.map((agent_did) => ({ principal_did, agent_did })));

for (const engine of engines()) {
  describe(`agents that may not spend money, on ${engine.name}`, () => {
    let database: TestDatabase;
    let tenants = 0;
    before(async () => {
      database = await engine.open();
    });
    after(() => database.drop());

    async function tenantWith(governed: readonly string[], pairs: typeof PAIRS): Promise<string> {
      const tenantId = `tnt_${++tenants}`;
      await database.store.write(tenantId, function* () {
        yield* run('INSERT INTO tenants (id, name, created_at) VALUES (?, ?, ?)', tenantId, 'x', 1);
        for (const did of governed) {
          yield* insertPrincipal({ tenant_id: tenantId, did, name: did, created_at: 1 });
        }
        for (const pair of pairs) yield* insertDelegation({ tenant_id: tenantId, created_at: 1, ...pair });
      });
      return tenantId;
    }

    test('one statement finds the pairs that a statement for each pair finds, also where other tenants have registered the same ones', async () => {
      await tenantWith(PRINCIPALS, []);
      const property = fc.asyncProperty(
        fc.subarray(PRINCIPALS),
        fc.subarray(PAIRS),
        fc.subarray(PAIRS, { minLength: 1 }),
        async (governed, pairs, asked) => {
          const tenantId = await tenantWith(
            governed,
            pairs.filter(({ principal_did }) => governed.includes(principal_did)),
          );
          const expected: typeof PAIRS = [];
          for (const pair of asked) {
            const { principal_did: principalDid, agent_did: agentDid } = pair;
            const found = await database.store.read(() => findDelegation(tenantId, principalDid, agentDid));
            if (found?.delegated === 0) expected.push(pair);
          }
          const found = await database.store.read(() => listUndelegated(tenantId, asked));
          const inOrder = asked.filter((pair) =>
            found.some((one) => one.principal_did === pair.principal_did && one.agent_did === pair.agent_did),
          );
          assert.deepEqual([inOrder, found.length], [expected, expected.length]);
        },
      );
      await fc.assert(property, { numRuns: 60 });
    });

    test('are looked for without a statement where no pair is asked for', async () => {
      const statements: Statement[] = [];
      await watched(database.store, statements).read(() => listUndelegated('tnt_1', []));
      assert.deepEqual(statements, []);
    });

    test('are found by the keys of both tables', { skip: engine.name !== 'sqlite' }, async () => {
      const statements: Statement[] = [];
      await watched(database.store, statements).read(() => listUndelegated('tnt_1', PAIRS));
      const [{ sql, args }] = statements as [Statement];
      const plan = await database.store.read(() => all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...args));
      const read = plan.map(({ detail }) => detail).filter((detail) => /^(SEARCH|SCAN) [pd]\b/.test(detail));
      assert.equal(read.length, 2, JSON.stringify(plan));
      for (const detail of read) assert.match(detail, /^SEARCH .*\(tenant_id=\? AND (did|principal_did)=\?/);
    });
  });
}
