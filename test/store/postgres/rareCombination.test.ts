/** Lists whose filters leave nothing although each of them leaves much: the planner of PostgreSQL expects rows where none are. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { approvalRequests, listApprovalRequests } from '../../../src/store/statements/people/approvals.ts';
import { all, run, type Statement } from '../../../src/store/store.ts';
import { engines, type TestDatabase } from '../../support/engines.ts';
import { addRows } from '../../support/oldRows.ts';

const ROWS = 20_000;
const STATUSES = ['denied', 'expired', 'approved', 'approved'];

for (const engine of engines().filter(({ name }) => name === 'postgres')) {
  describe('a list of what an agent has none of, on postgres', () => {
    let database: TestDatabase;
    before(async () => {
      database = await engine.open();
      const { store } = database;
      await store.write('t', () => run('INSERT INTO tenants (id, name, created_at) VALUES (?, ?, ?)', 't', 'x', 1));
      const cells = (number: number) => ({
        id: `apr_${String(number).padStart(26, '0')}`,
        status: STATUSES[number % 4] as string,
        // Of the first agent’s, none was approved.
        agent_did: number % 4 < 2 ? 'did:key:first' : `did:key:other${number % 7}`,
      });
      await addRows(store, approvalRequests, { tenantId: 't', time: 1, count: ROWS, cells });
      await store.write('t', () => run('ANALYZE approval_requests'));
    });
    after(() => database.drop());

    test('looks at a thousand of the rows that there are, by the index of the agent, and says how far', async () => {
      const filter = { status: 'approved', agentDid: 'did:key:first', merchant: undefined, now: 1 } as const;
      const { sql, args } = listApprovalRequests('t', filter, undefined, 51).next().value as Statement;
      const plan = await database.store.read(() =>
        all<{ 'QUERY PLAN': string }>(`EXPLAIN (ANALYZE, TIMING OFF, COSTS OFF) ${sql}`, ...args),
      );
      const text = plan.map((line) => line['QUERY PLAN']).join('\n');
      assert.match(text, /approval_requests_by_agent /);
      assert.doesNotMatch(text, /Removed by Filter/);
      const found = await database.store.read(() => listApprovalRequests('t', filter, undefined, 51));
      assert.deepEqual(found.rows, []);
      assert.match(String(found.upTo), /^apr_\d{26}$/);
    });
  });
}
