/** A million mandates in status lists: a list is read in time after a change, and a purchase costs what it costs without them. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { STATUS_PLACES } from '../../protocol/credential/statusList.ts';
import { run } from '../../src/store/store.ts';
import { everyEngine } from '../support/engines.ts';
import { approve } from '../support/purchase.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

const LISTS = 16;
const EACH = 62_500;
const DAY_MS = 24 * 3600 * 1000;

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

/** Half of the mandates in each list no longer hold. */
async function fill({ node }: World): Promise<void> {
  const { store, issuer, clock } = node.deps;
  const ends = clock() + DAY_MS;
  for (let list = 1; list <= LISTS; list++) {
    await store.write('bootstrap', function* () {
      yield* run(
        'INSERT INTO status_lists (list, issuer, entries, valid_until) VALUES (?, ?, ?, ?)',
        list,
        issuer.did,
        EACH,
        ends,
      );
      yield* run(
        `INSERT INTO credential_status (list, idx, tenant_id, credential_id, agent_did, expires_at, credential_set_at)
         WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ${EACH})
         SELECT ${list}, n * 2 + n % 2, 'tnt_other', 'pm_${list}_' || n, 'did:key:z' || n % 1000, ${ends},
           CASE WHEN n % 2 = 0 THEN NULL ELSE ${ends} END FROM numbers`,
      );
    });
  }
}

for (const engine of everyEngine()) {
  describe(`with a million mandates in ${LISTS} lists on ${engine.name}`, () => {
    let world: World;
    let plain: World;
    before(async () => {
      world = await makeWorld(engine);
      plain = await makeWorld(engine);
      await fill(world);
    });
    after(async () => {
      await world.close();
      await plain.close();
    });

    test('a list is there within 50 ms of a request that finds it changed', async (t) => {
      const credentialFormats = ['vc' as const];
      const times: number[] = [];
      const agent = await world.newAgent();
      for (let n = 0; n < 9; n++) {
        const approvalToken = await approve(world, 10, { agent, principal: agent });
        const { pmVc, credentials } = (await world.client.mandatePayment({
          approvalToken,
          credentialFormats,
        })) as Loose;
        const { statusListCredential, statusListIndex } = credentials.vc.credentialStatus;
        assert.match(statusListCredential, new RegExp(`/${LISTS}$`));
        assert.ok(Number(statusListIndex) < STATUS_PLACES);
        await world.client.cancelPayment({ mandateId: pmVc.credentialSubject.mandateId });
        world.clock.aheadMs += 5000;
        const began = performance.now();
        const answer = await fetch(statusListCredential.replace(world.node.baseUrl, world.node.address));
        assert.equal(answer.status, 200);
        await answer.text();
        times.push(performance.now() - began);
      }
      t.diagnostic(`median ${median(times).toFixed(1)} ms, longest ${Math.max(...times).toFixed(1)} ms`);
      assert.ok(median(times) <= 50, times.map((time) => time.toFixed(1)).join(' '));
    });

    test('a purchase costs what it costs without them', async (t) => {
      const timesOf = new Map<World, number[]>([
        [world, []],
        [plain, []],
      ]);
      for (let agents = 0; agents < 40; agents++) {
        for (const [where, times] of timesOf) {
          const agent = await where.newAgent();
          for (let n = 0; n < 9; n++) {
            const began = performance.now();
            const approvalToken = await approve(where, 10, { agent, principal: agent });
            await where.client.mandatePayment({ approvalToken });
            if (agents > 3) times.push(performance.now() - began);
          }
        }
      }
      const [filled, empty] = [median(timesOf.get(world) ?? []), median(timesOf.get(plain) ?? [])];
      t.diagnostic(
        `${filled.toFixed(2)} ms, without them ${empty.toFixed(2)} ms: ${((filled / empty - 1) * 100).toFixed(1)} %`,
      );
      // What the machine does beside it is more than what is looked for; the bench has the figure.
      assert.ok(filled <= empty * 1.15);
    });
  });
}
