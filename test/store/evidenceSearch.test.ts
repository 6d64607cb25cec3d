/** Searches of the chain give the events that match, in the order of the chain. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { appendEvidence, type EvidenceRow, findChainHead } from '../../src/store/statements/evidence/events.ts';
import { type EvidenceFilter, findSeq, listEvidence } from '../../src/store/statements/evidence/search.ts';
import { run } from '../../src/store/store.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { rounds } from '../support/rounds.ts';

type NewEvent = Omit<EvidenceRow, 'run_seq' | 'latest_at'>;

const ACTORS = ['did:key:a', 'did:key:ab'];
const TYPES = ['INTENT_ISSUED', 'PAYMENT_CAPTURED', 'CART_VALIDATED'];
const CONTEXTS = ['one', 'two', null];
const SECOND = 1000;

const anEvent = fc.record({
  actor_did: fc.constantFrom(...ACTORS),
  event_type: fc.constantFrom(...TYPES),
  context_id: fc.constantFrom(...CONTEXTS),
  /** Against the order of the chain, by seconds: clocks of several nodes differ, and some are set back and forth by hours. */
  late: fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 0, max: 50 }) },
    { weight: 1, arbitrary: fc.constantFrom(-7200, -3600, -90, 90, 3600, 7200) },
  ),
});

const START = 10_000;
const aTime = fc
  .tuple(fc.constantFrom(-7200, -3600, -90, 0, 0, 0, 0, 90, 3600, 7200), fc.integer({ min: 0, max: 60 }))
  .map(([off, second]) => (START + off + second) * SECOND);

const aFilter = fc.record(
  {
    actorDid: fc.constantFrom(...ACTORS, 'did:key:unknown'),
    eventTypes: fc.uniqueArray(fc.constantFrom(...TYPES, 'NONE'), { maxLength: 3 }),
    contextId: fc.constantFrom('one', 'two', 'none'),
    from: aTime,
    to: aTime,
  },
  { requiredKeys: [] },
);

function matches(row: NewEvent, filter: EvidenceFilter): boolean {
  const { actorDid, eventTypes = [], contextId, from = 0, to = Number.MAX_SAFE_INTEGER } = filter;
  return (
    (actorDid === undefined || row.actor_did === actorDid) &&
    (eventTypes.length === 0 || eventTypes.includes(row.event_type)) &&
    (contextId === undefined || row.context_id === contextId) &&
    row.created_at >= from &&
    row.created_at <= to
  );
}

for (const engine of engines()) {
  describe(`a search of the chain on ${engine.name}`, () => {
    let database: TestDatabase;
    before(async () => {
      database = await engine.open();
    });
    after(() => database.drop());

    test('gives every event that matches, in its order', async () => {
      const { store } = database;
      let tenants = 0;
      const property = fc.asyncProperty(
        fc.array(anEvent, { minLength: 1, maxLength: 30 }),
        fc.array(aFilter, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 5 }),
        async (events, filters, limit) => {
          tenants += 1;
          const tenantId = `tnt_${tenants}`;
          const rows = events.map(({ late, ...event }, index) => ({
            ...event,
            tenant_id: tenantId,
            seq: index + 1,
            id: `evt_${tenants}_${index}`,
            data: '{}',
            hash_prev: '',
            hash_curr: '',
            created_at: (START + index * 2 - late) * SECOND,
            transaction_id: null,
          }));
          await store.write(tenantId, function* () {
            for (const row of rows) yield* appendEvidence(yield* findChainHead(tenantId), row);
          });
          for (const filter of filters) {
            const expected = rows.filter((row) => matches(row, filter)).map(({ seq }) => seq);
            const found: number[] = [];
            for (let before: number | undefined; ; before = found.at(-1)) {
              const page = await store.read(() => listEvidence(tenantId, filter, before, limit));
              found.push(...page.map(({ seq }) => seq));
              if (page.length < limit) break;
            }
            assert.deepEqual(found, expected.toReversed(), JSON.stringify(filter));
            for (const nth of [1, 2, 5]) {
              const seqAt = (order: 'ASC' | 'DESC') => store.read(() => findSeq(tenantId, filter, order, nth));
              assert.equal(await seqAt('ASC'), expected.at(nth - 1), JSON.stringify(filter));
              assert.equal(await seqAt('DESC'), expected.toReversed().at(nth - 1), JSON.stringify(filter));
            }
          }
        },
      );
      await fc.assert(property, { numRuns: rounds(400, 60) });
    });

    test('by time costs a few statements more in a chain that is a hundred times as long', async () => {
      const { store } = database;
      const costOf = async (events: number): Promise<number> => {
        const tenantId = `long_${events}`;
        await store.write(tenantId, () =>
          run(
            `INSERT INTO evidence (tenant_id, seq, id, event_type, actor_did, data, hash_prev, hash_curr, created_at, run_seq, latest_at)
             WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${events})
             SELECT '${tenantId}', n, '${tenantId}_' || n, 'ISSUED', 'did:key:a', '{}', '', '', n * 1000, 1, n * 1000 FROM numbers`,
          ),
        );
        const before = store.stats().statements;
        const [from, to] = [(events / 2) * SECOND, (events / 2 + 9) * SECOND];
        assert.equal((await store.read(() => listEvidence(tenantId, { from, to }, undefined, 50))).length, 10);
        return store.stats().statements - before;
      };
      const short = await costOf(1000);
      assert.ok((await costOf(100_000)) <= 2 * short, `${short} statements`);
    });
  });
}

test('the events of an actor are one list, however many types of events there are', () => {
  const asked = listEvidence('tnt_1', { actorDid: 'did:key:a' }, undefined, 1).next().value as { readonly sql: string };
  assert.equal(asked.sql.split('FROM evidence_lists').length - 1, 1, asked.sql);
});
