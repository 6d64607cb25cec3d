/** A node without notices: nothing of them at their addresses, nothing queued, approvals as ever, and what waits is sent once they are on again. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { readConfig } from '../../../src/node/config/config.ts';
import { startNode } from '../../../src/node/startNode.ts';
import { listPlacesOf } from '../../../src/store/statements/webhooks/subscriptions.ts';
import { all } from '../../../src/store/store.ts';
import { leaseDeliveries } from '../../../src/webhooks/leaseDeliveries.ts';
import { runHere } from '../../cli/runHere.ts';
import { CHROMIUM, openChromium } from '../../support/chromium.ts';
import { openConsole } from '../../support/consolePage.ts';
import { everyEngine } from '../../support/engines.ts';
import { askForApproval, leap, makePerson } from '../../support/person.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { type SignedInUser, signInUser } from '../../support/signInUser.ts';
import { until } from '../../support/until.ts';
import { ADMIN_KEY, GATES, type Loose, makeWorld, type World } from '../../support/world.ts';

const WITHOUT = { EXTENSIONS: 'sandbox-rail' };
const ALL = { EXTENSIONS: '' };
const NOTIFICATIONS = '/ap2/auth/notifications';
const DAY_SECONDS = 86_400;
const SLOW = { WEBHOOK_RETRY_SECONDS: '0,60,60,60,60,60', WEBHOOK_ALLOW_PRIVATE: 'true' };

for (const engine of everyEngine()) {
  describe(`without notices on ${engine.name}`, () => {
    test('their addresses and commands are gone, and approvals and their escalation are as ever', async () => {
      const world = await makeWorld(engine, SLOW);
      const receiver = await startReceiver();
      try {
        const ada = await signInUser(world, 'OWNER', 'Ada');
        const ben = await signInUser(world, 'ADMIN', 'Ben');
        for (const user of [ada, ben]) await addPlace(world, receiver, user, ['approvals', 'agents']);
        await askOfPeople(world);
        const person = makePerson(world);
        await person.enroll();
        await receiver.wait(1);
        await world.restart(WITHOUT);
        const before = await deliveriesOf(world);
        await requireAbsent(world);
        const escalation = await world.rest('PUT', '/ap2/admin/escalation', { userIds: [ben.userId] });
        assert.equal(escalation.body.people[0].places, 0, 'nothing reaches them');
        const { approval } = await askForApproval(world, 50);
        const back = leap(world, 250);
        const read = async () => (await world.rest('GET', `/ap2/approvals/${approval.id}`)).body;
        await until('the escalation', async () => (await read()).escalatedTo?.[0].userId === ben.userId);
        back();
        assert.equal((await person.decide(approval.id, 'approve')).status, 200);
        assert.equal((await world.rest('POST', `/ap2/admin/agents/${world.agent.did}/suspend`)).status, 200);
        assert.deepEqual(await deliveriesOf(world), before, 'nothing was queued');
        assert.equal(receiver.received.length, 1);
        assert.equal((await world.rest('GET', '/ap2/evidence/verify')).body.valid, true);
      } finally {
        await receiver.close();
        await world.close();
      }
    });

    test('what was stored waits, and is sent once they are on again; a person removed meanwhile is told nothing', async () => {
      const world = await makeWorld(engine, SLOW);
      const receiver = await startReceiver();
      try {
        receiver.answer = (response) => void response.writeHead(503).end();
        const ada = await signInUser(world, 'OWNER', 'Ada');
        const vic = await signInUser(world, 'ADMIN', 'Vic');
        const { id } = await addPlace(world, receiver, ada, ['agents', 'digest']);
        await addPlace(world, receiver, vic, ['agents']);
        assert.equal((await world.rest('POST', `/ap2/admin/agents/${world.agent.did}/suspend`)).status, 200);
        await receiver.wait(2);
        await until('both attempts are on record', async () =>
          (await deliveriesOf(world)).every(({ state, attempts }) => state === 'PENDING' && attempts === 1),
        );
        await world.restart(WITHOUT);
        world.clock.aheadMs += 61_000;
        await requireNothingLeased(world, id);
        const removed = await world.rest('DELETE', `/ap2/admin/users/${vic.userId}`, undefined, ada.headers);
        assert.equal(removed.status, 204, removed.text);
        const { deps, tenantId } = world.node;
        assert.deepEqual(await deps.store.read(() => listPlacesOf(tenantId, vic.userId)), []);
        const left = await deliveriesOf(world);
        assert.deepEqual(
          left.map(({ webhook_id: place, state, attempts }) => [place, state, attempts]),
          [[id, 'PENDING', 1]],
        );
        world.clock.aheadMs += 8 * DAY_SECONDS * 1000;
        receiver.received.length = 0;
        receiver.answer = (response) => void response.writeHead(200).end();
        await world.restart(ALL);
        const titles = (await receiver.wait(2)).map(({ path, headers }) => `${path} ${headers['title']}`);
        assert.deepEqual(titles.toSorted(), ['/Ada An agent is frozen', '/Ada What your agents bought this week']);
        const shown = await world.rest('GET', `${NOTIFICATIONS}?userId=${ada.userId}`);
        assert.deepEqual(
          shown.body.places.map(({ id: place, name, about }: Loose) => [place, name, about]),
          [[id, 'Ada', ['agents', 'digest']]],
        );
      } finally {
        await receiver.close();
        await world.close();
      }
    });
  });
}

test('a backup is made and restored without them, and has every place once they are on again', async () => {
  const [sqlite] = everyEngine();
  if (sqlite?.name !== 'sqlite') return;
  const folder = await mkdtemp(join(tmpdir(), 'countersign-off-'));
  let dataDir = '';
  const prepare = (made: string) => {
    dataDir = made;
    return sqlite.prepare(made);
  };
  const world = await makeWorld({ name: 'sqlite', prepare }, SLOW);
  const receiver = await startReceiver();
  try {
    const ada = await signInUser(world, 'OWNER', 'Ada');
    const place = await addPlace(world, receiver, ada, ['agents']);
    await world.restart(WITHOUT);
    const [backup, elsewhere] = [join(folder, 'backup.tar'), join(folder, 'elsewhere')];
    const made = await runHere(['backup', backup, '--json'], { DATA_DIR: dataDir, ...WITHOUT });
    assert.equal(made.code, 0, made.stderr);
    assert.equal(made.json().rows.webhooks, 1);
    const restored = await runHere(['restore', backup, '--data-dir', elsewhere, '--json'], WITHOUT);
    assert.deepEqual(restored.json().rows, made.json().rows, restored.stderr);
    const node = await startNode(readConfig({ DATA_DIR: elsewhere, PORT: '0', LOG_LEVEL: 'error', GATES }));
    try {
      const headers = { Authorization: `Bearer ${ADMIN_KEY}` };
      const shown = await fetch(`${node.address}${NOTIFICATIONS}?userId=${ada.userId}`, { headers });
      const { places } = (await shown.json()) as Loose;
      assert.deepEqual(
        places.map(({ id }: Loose) => id),
        [place.id],
      );
    } finally {
      await node.stop();
    }
  } finally {
    await receiver.close();
    await world.close();
    await rm(folder, { recursive: true, force: true });
  }
});

test('the console shows nothing of them', {
  skip: CHROMIUM === undefined && process.env['CI'] === undefined,
}, async () => {
  const [engine] = everyEngine();
  assert.ok(engine);
  const world = await makeWorld(engine, WITHOUT);
  const browser = await openChromium();
  try {
    const { page } = await openConsole(browser, world, 'OWNER');
    await page.goto(`${world.node.baseUrl}/console/#/settings`);
    await page.getByRole('heading', { name: 'Passkeys' }).first().waitFor();
    assert.equal(await page.getByText(/notification/i).count(), 0);
  } finally {
    await browser.close();
    await world.close();
  }
});

async function addPlace(
  world: World,
  receiver: Receiver,
  { headers }: SignedInUser,
  about: readonly string[],
): Promise<Loose> {
  const me = (await world.rest('GET', '/ap2/auth/me', undefined, headers)).body;
  const place = { kind: 'plain', url: `${receiver.url}/${me.name}`, name: me.name, about };
  const added = await world.rest('POST', NOTIFICATIONS, place, headers);
  assert.equal(added.status, 201, added.text);
  return added.body;
}

/** The policy asks a person from a small amount on. */
async function askOfPeople(world: World): Promise<void> {
  const context = { presence: 'optional', presence_threshold: 10, approval_ttl: '8m' };
  const rules = { version: '2.0', spend: { amount_cap: 1000, currency: 'USD' }, context };
  const made = await world.rest('POST', '/ap2/admin/policies', { name: 'asks', rules });
  assert.equal(made.status, 201, made.text);
}

async function requireAbsent(world: World): Promise<void> {
  for (const [method, path] of [
    ['GET', NOTIFICATIONS],
    ['POST', NOTIFICATIONS],
    ['PUT', `${NOTIFICATIONS}/ntc_1`],
    ['DELETE', `${NOTIFICATIONS}/ntc_1`],
    ['POST', `${NOTIFICATIONS}/ntc_1/confirm`],
    ['POST', `${NOTIFICATIONS}/ntc_1/try`],
  ] as const) {
    const answer = await world.rest(method, path, method === 'GET' || method === 'DELETE' ? undefined : {});
    assert.equal(answer.status, 404, path);
    assert.match(answer.text, /This node runs without notices\./, path);
  }
  const { paths } = (await world.rest('GET', '/openapi.json')).body;
  assert.deepEqual(
    Object.keys(paths).filter((path) => path.startsWith(NOTIFICATIONS)),
    [],
  );
  const command = await runHere(['notify', 'list', '--url', world.node.address, '--key', ADMIN_KEY], WITHOUT);
  assert.equal(command.code, 2);
  assert.match(command.stderr, /This node runs without notices/);
  const { checks } = (await world.rest('GET', '/ap2/admin/health')).body;
  assert.ok(checks.length > 0 && !checks.some(({ check }: Loose) => check === 'notifications'));
  assert.equal((await world.rest('GET', '/ap2/admin/attention')).body.counts.notifications, 0);
}

function deliveriesOf(world: World): Promise<Loose[]> {
  return world.node.deps.store.read(() =>
    all('SELECT webhook_id, state, attempts FROM webhook_deliveries ORDER BY id'),
  );
}

/** A node whose notices are off leaves them where they are. */
async function requireNothingLeased(world: World, id: string): Promise<void> {
  const { deps } = world.node;
  const asked = [{ webhookId: id, limit: 10 }];
  const leased = await deps.store.write('webhook outbox', (now) =>
    leaseDeliveries(deps, asked, performance.now(), now),
  );
  assert.deepEqual(leased, []);
}
