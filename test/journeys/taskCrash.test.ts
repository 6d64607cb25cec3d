/** kill -9 between a person's touch and what comes of it: after the restart each purchase is paid, once. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { APPROVALS } from '../../protocol/a2a/approvalParts.ts';
import { type ChildNode, freePort, startChild } from '../support/child.ts';
import { type Engine, everyEngine } from '../support/engines.ts';
import { noteFigure } from '../support/figures.ts';
import { makeCartOfOne, makePeer } from '../support/peer.ts';
import { makePerson } from '../support/person.ts';
import { rounds } from '../support/rounds.ts';
import { BY_KEY, resultOf, saidBy, sendTo } from '../support/standardPeer.ts';
import { until } from '../support/until.ts';
import { ADMIN_KEY, type Loose, SHOP, type World } from '../support/world.ts';

const KILLS = rounds(40, 3);
/** Touched at once; some are paid before the node dies, some are not. */
const AT_ONCE = 4;

describe('kill -9 after the touch', () => {
  for (const engine of everyEngine()) {
    test(`on ${engine.name} ${KILLS} times loses no purchase and pays none twice`, () => killAfterTouch(engine));
  }
});

async function killAfterTouch(engine: Engine): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-touch-'));
  const database = await engine.open();
  await database.store.close();
  const port = await freePort();
  const env = {
    DATA_DIR: dataDir,
    PORT: String(port),
    BOOTSTRAP_API_KEY: ADMIN_KEY,
    SANDBOX_RATE_PER_MINUTE: '1000000',
    SANDBOX_BURST: '1000000',
    ...(database.url === undefined ? {} : { DATABASE_URL: database.url }),
  };
  const [agent, merchant] = [makePeer(), makePeer()];
  let node = await startChild(env);
  try {
    const person = await setUp(node, { agent, merchant, port });
    let interrupted = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const tasks = await Promise.all(Array.from({ length: AT_ONCE }, () => purchaseThatWaits(node)));
      // One after the other, since an authenticator counts its signatures.
      for (const { approvalId } of tasks) assert.equal((await person.decide(approvalId)).status, 200);
      await node.kill();
      node = await startChild(env);
      for (const { id } of tasks) {
        const { status } = await resultOf({ node }, 'GetTask', { id });
        if (status.state === 'TASK_STATE_WORKING') interrupted += 1;
        await until(
          `the purchase ${id} being paid`,
          async () => {
            const task = await resultOf({ node }, 'GetTask', { id });
            assert.ok(
              !['TASK_STATE_FAILED', 'TASK_STATE_REJECTED'].includes(task.status.state),
              JSON.stringify(task.status),
            );
            if (task.status.state !== 'TASK_STATE_COMPLETED') return false;
            assert.deepEqual(outcomesIn(task), ['approved'], 'the decision of the touch is in the artifact');
            return true;
          },
          30_000,
        );
      }
    }
    const paid = await countPaid(node);
    assert.equal(paid, KILLS * AT_ONCE);
    noteFigure(
      `kill -9 between touch and payment on ${engine.name}`,
      `${KILLS} kills, ${paid} purchases touched, ${interrupted} of them unpaid when the node came back: each paid once`,
    );
  } finally {
    await node.kill();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  }

  async function purchaseThatWaits(at: ChildNode) {
    const intent = { agentDid: agent.did, principalDid: agent.did, request: { maxAmount: 180, currency: 'USD' } };
    const asked = await sendTo({ node: at }, { 'countersign.purchase': { intent } });
    const cartVc = makeCartOfOne(merchant, SHOP, 150);
    const headers = { ...BY_KEY, 'A2A-Extensions': APPROVALS };
    const task = await sendTo({ node: at }, { 'countersign.purchase': { cartVc } }, { taskId: asked.id }, headers);
    assert.equal(task.status.state, 'TASK_STATE_AUTH_REQUIRED', JSON.stringify(task.status));
    return { id: task.id as string, approvalId: saidBy(task)['countersign.approval'].id as string };
  }
}

/** How the requests ended that the last artifact tells of. */
function outcomesIn(task: Loose): string[] {
  const parts: Loose[] = task.artifacts.at(-1).parts;
  return parts.flatMap(({ data }) => data?.['approval.decision']?.outcome ?? []);
}

async function setUp(
  node: ChildNode,
  {
    agent,
    merchant,
    port,
  }: { agent: ReturnType<typeof makePeer>; merchant: ReturnType<typeof makePeer>; port: number },
) {
  const rest = async (method: string, path: string, body?: unknown, headers?: Record<string, string>) => {
    const response = await fetch(node.address + path, {
      method,
      headers: { 'Content-Type': 'application/json', ...(headers ?? { Authorization: `Bearer ${ADMIN_KEY}` }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text === '' ? undefined : JSON.parse(text),
    };
  };
  assert.equal((await rest('POST', '/ap2/agents', { name: 'buyer', publicKey: agent.publicKey })).status, 201);
  assert.equal((await rest('POST', '/ap2/admin/merchants', { domain: SHOP, did: merchant.did })).status, 201);
  const rules = {
    version: '2.0',
    spend: { amount_cap: 1000, currency: 'USD' },
    context: { presence: 'optional', presence_threshold: 100 },
  };
  assert.equal((await rest('POST', '/ap2/admin/policies', { name: 'asks', rules })).status, 201);
  const world = { rest, agent, node: { baseUrl: `http://localhost:${port}` } } as unknown as World;
  const person = makePerson(world);
  await person.enroll();
  return person;
}

async function countPaid(node: ChildNode): Promise<number> {
  let [count, cursor] = [0, ''];
  do {
    const response = await fetch(`${node.address}/ap2/payments?limit=200${cursor}`, {
      headers: { Authorization: `Bearer ${ADMIN_KEY}` },
    });
    const page = (await response.json()) as Loose;
    count += page.data.length;
    cursor = page.cursor === null ? '' : `&cursor=${page.cursor}`;
  } while (cursor !== '');
  return count;
}
