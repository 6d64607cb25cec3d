/** A purchase as one task whose node stops in order, dies, and comes back each time, while a client follows the task. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startChild } from './child.ts';
import type { Engine } from './engines.ts';
import { makeCartOfOne, makePeer } from './peer.ts';
import { BY_KEY, sendTo } from './standardPeer.ts';
import { ADMIN_KEY, type Loose, SHOP } from './world.ts';

/** @param follow yields what the client is told of the task, until its end @returns all of it */
export async function playRestarts(
  engine: Engine,
  follow: (address: string, taskId: string) => AsyncIterable<Loose>,
): Promise<readonly Loose[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-followed-'));
  const database = await engine.open();
  await database.store.close();
  const url = database.url === undefined ? {} : { DATABASE_URL: database.url };
  const env = { DATA_DIR: dataDir, PORT: String(await freePort()), BOOTSTRAP_API_KEY: ADMIN_KEY, ...url };
  let node = await startChild(env);
  try {
    const [agent, merchant] = [makePeer(), makePeer()];
    const add = async (path: string, body: object) => {
      const headers = { ...BY_KEY, 'Content-Type': 'application/json' };
      const { status } = await fetch(node.address + path, { method: 'POST', headers, body: JSON.stringify(body) });
      assert.equal(status, 201, path);
    };
    await add('/ap2/agents', { name: 'followed', publicKey: agent.publicKey });
    await add('/ap2/admin/merchants', { domain: SHOP, did: merchant.did });
    const intent = { agentDid: agent.did, principalDid: agent.did, request: { maxAmount: 30, currency: 'USD' } };
    const { id } = await sendTo({ node }, { 'countersign.purchase': { intent } });
    const told: Loose[] = [];
    const restarts = [() => node.stop(), () => node.kill()];
    for await (const event of follow(node.address, id)) {
      told.push(event);
      if (event.task === undefined || event.task.status.state !== 'TASK_STATE_INPUT_REQUIRED') continue;
      const restart = restarts.shift();
      if (restart === undefined) {
        const cartVc = makeCartOfOne(merchant, SHOP, 22);
        await sendTo({ node }, { 'countersign.purchase': { cartVc } }, { taskId: id });
      } else {
        await restart();
        node = await startChild(env);
      }
    }
    return told;
  } finally {
    await node.kill();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** What it must have been told: the task before, between and after, and its end once. */
export function checkTold(told: readonly Loose[]): void {
  const states = told.map((event) => (event.task ?? event.statusUpdate)?.status.state).filter(Boolean);
  assert.deepEqual(states.slice(0, 3), Array(3).fill('TASK_STATE_INPUT_REQUIRED'), JSON.stringify(states));
  assert.ok(
    states.indexOf('TASK_STATE_COMPLETED') === states.length - 1 && states.length > 3,
    JSON.stringify(told.at(-1)),
  );
  const last = told.findLast((event) => event.artifactUpdate !== undefined || event.task !== undefined);
  const artifacts = last.task === undefined ? [last.artifactUpdate.artifact] : last.task.artifacts;
  assert.equal(artifacts.at(-1).name, 'paymentResult');
}
