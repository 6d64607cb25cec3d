/** Escalation: a person whom the owner named is told of an approval when those who were asked first have not decided it. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { escalateApproval } from '../../src/domain/approvals/escalation.ts';
import { listRequestsToEscalate } from '../../src/store/statements/people/approvals.ts';
import { runHere } from '../cli/runHere.ts';
import { everyEngine } from '../support/engines.ts';
import { askForApproval, leap, makePerson } from '../support/person.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { type SignedInUser, signInUser } from '../support/signInUser.ts';
import { until } from '../support/until.ts';
import { ADMIN_KEY, type Loose, makeWorld, type World } from '../support/world.ts';

for (const engine of everyEngine()) {
  describe(`escalation of approvals on ${engine.name}`, () => {
    let world: World;
    let receiver: Receiver;
    const users: Record<string, SignedInUser> = {};
    const user = (name: string) => users[name] as SignedInUser;
    before(async () => {
      world = await makeWorld(engine, { WEBHOOK_ALLOW_PRIVATE: 'true' });
      receiver = await startReceiver();
      for (const [name, role] of Object.entries({ ada: 'OWNER', ben: 'ADMIN', cleo: 'ADMIN', vic: 'VIEWER' })) {
        users[name] = await signInUser(world, role, name);
        const place = { kind: 'plain', url: `${receiver.url}/${name}`, name, about: ['approvals'] };
        const added = await world.rest('POST', '/ap2/auth/notifications', place, user(name).headers);
        assert.equal(added.status, 201, added.text);
      }
      await makePerson(world).enroll();
      const approval = { people: 1, above: 10, roles: ['OWNER', 'ADMIN'] };
      const rules = {
        version: '2.0',
        spend: { amount_cap: 1000, currency: 'USD' },
        context: { approval, approval_ttl: '8m' },
      };
      const made = await world.rest('POST', '/ap2/admin/policies', { name: 'asks', rules });
      assert.equal(made.status, 201, made.text);
    });
    after(async () => {
      await receiver.close();
      await world.close();
    });

    const set = (body: Loose) => world.rest('PUT', '/ap2/admin/escalation', body);
    const idsOf = (...names: string[]) => names.map((name) => user(name).userId);
    const toldOf = (id: string) =>
      receiver.received.filter(({ raw }) => raw.includes(id)).map(({ path, headers }) => `${path} ${headers['title']}`);
    const told = (id: string, ...expected: string[]) =>
      until(`${expected}`, async () => expected.every((each) => toldOf(id).includes(each)));
    const read = async (id: string) => (await world.rest('GET', `/ap2/approvals/${id}`)).body;

    test('the next person is told when half of the time that is left has passed, one after the other', async () => {
      const shown = await set({ userIds: idsOf('ben', 'cleo') });
      assert.equal(shown.status, 200, shown.text);
      assert.deepEqual(
        shown.body.people.map(({ name, places }: Loose) => [name, places]),
        [
          ['ben', 1],
          ['cleo', 1],
        ],
      );
      const { approval } = await askForApproval(world, 50);
      await told(approval.id, '/ada Approval needed', '/vic Approval needed');
      const back = leap(world, 250);
      try {
        await told(approval.id, '/ben Approval not decided', '/ada Approval still needed');
        assert.ok(!toldOf(approval.id).some((each) => each.startsWith('/cleo')), 'the second has to wait');
        leap(world, 120);
        await told(approval.id, '/cleo Approval not decided');
        const { escalatedTo, status } = await read(approval.id);
        assert.equal(status, 'pending');
        assert.deepEqual(
          escalatedTo.map(({ name, userId }: Loose) => [name, userId]),
          [
            ['ben', user('ben').userId],
            ['cleo', user('cleo').userId],
          ],
        );
        const found = await world.rest('GET', '/ap2/evidence/search?eventType=APPROVAL_ESCALATED');
        assert.deepEqual(
          found.body.data.map(({ data }: Loose) => data.userId),
          idsOf('cleo', 'ben'),
        );
        const env = { COUNTERSIGN_URL: world.node.address, COUNTERSIGN_API_KEY: ADMIN_KEY };
        assert.match((await runHere(['approvals', 'show', approval.id], env)).stdout, /told +ben \(.*\), cleo \(/);
        for (const { raw } of receiver.received) assert.doesNotMatch(raw, /5[0-9]\.00|USD|shop/);
      } finally {
        back();
      }
    });

    test('a person who may not decide is passed by', async () => {
      await set({ userIds: idsOf('vic', 'cleo') });
      const { approval } = await askForApproval(world, 51);
      const back = leap(world, 250);
      try {
        await told(approval.id, '/cleo Approval not decided');
        assert.ok(!toldOf(approval.id).some((each) => each.startsWith('/vic')));
      } finally {
        back();
      }
    });

    test('what is decided is told to no further person', async () => {
      await set({ userIds: idsOf('ben') });
      const { approval } = await askForApproval(world, 52);
      assert.equal((await world.rest('POST', `/ap2/approvals/${approval.id}/deny`)).status, 200);
      const other = (await askForApproval(world, 53)).approval;
      const back = leap(world, 250);
      try {
        // The worker that told of the other one has seen both.
        await told(other.id, '/ben Approval not decided');
        assert.ok(!toldOf(approval.id).some((each) => each.startsWith('/ben')));
      } finally {
        back();
      }
    });

    test('two nodes that find the same turn at once tell it once', async () => {
      await set({ userIds: idsOf('ben', 'cleo') });
      const other = await world.another();
      try {
        const { approval } = await askForApproval(world, 56);
        const back = leap(world, 250);
        try {
          const [row] = await world.node.deps.store.read((now) => listRequestsToEscalate(now, 10));
          if (row !== undefined) {
            await Promise.all(
              [world.node, other].map(({ deps }) =>
                deps.store.write(row.tenant_id, (now) => escalateApproval(deps, row, now)),
              ),
            );
          }
          await told(approval.id, '/ben Approval not decided');
          const { data } = (await world.rest('GET', '/ap2/evidence/search?eventType=APPROVAL_ESCALATED')).body;
          assert.equal(data.filter((event: Loose) => event.data.approvalId === approval.id).length, 1);
          assert.equal((await read(approval.id)).escalatedTo.length, 1);
        } finally {
          back();
        }
      } finally {
        await other.stop();
      }
    });

    test('minutes shorten the wait, and no one on the list means that all are told at once', async () => {
      await set({ userIds: idsOf('ben'), afterMinutes: 1 });
      const { approval } = await askForApproval(world, 54);
      const back = leap(world, 62);
      try {
        await told(approval.id, '/ben Approval not decided');
      } finally {
        back();
      }
      await set({ userIds: [] });
      const next = (await askForApproval(world, 55)).approval;
      await told(next.id, '/ada Approval needed', '/ben Approval needed', '/cleo Approval needed');
    });

    test('a user who is not there cannot be named, and the command line sets the list too', async () => {
      assert.equal((await set({ userIds: ['usr_none'] })).status, 404);
      const env = { COUNTERSIGN_URL: world.node.address, COUNTERSIGN_API_KEY: ADMIN_KEY };
      const [ben = ''] = idsOf('ben');
      const made = await runHere(['approvals', 'escalation', ben, '--after', '15'], env);
      assert.match(made.stdout, /ben +1 place/, made.stderr);
      const { body } = await world.rest('GET', '/ap2/admin/escalation');
      assert.deepEqual([body.people[0].userId, body.afterMinutes], [ben, 15]);
      assert.match((await runHere(['approvals', 'escalation', '--off'], env)).stdout, /told at once/);
      assert.deepEqual((await world.rest('GET', '/ap2/admin/escalation')).body.people, []);
    });
  });
}
