/** A client that follows a task: through restarts of the node, to an end that was before, and no further than it may. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { followTask } from '../../client/index.ts';
import { everyEngine } from '../support/engines.ts';
import { checkTold, playRestarts } from '../support/restartedTask.ts';
import { sendTo } from '../support/standardPeer.ts';
import { ADMIN_KEY, type Loose, makeWorld, type World } from '../support/world.ts';

for (const engine of everyEngine()) {
  test(`a task is followed over a stop and a crash of its node to its end, ${engine.name}`, async () => {
    const told = await playRestarts(engine, (baseUrl, id) =>
      followTask({ baseUrl, credential: { apiKey: ADMIN_KEY } }, id),
    );
    checkTold(told);
  });
}

describe('a task that is followed', () => {
  let world: World;
  before(async () => {
    world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number]);
  });
  after(() => world.close());

  const follow = async (id: string, apiKey = ADMIN_KEY, more: object = {}) => {
    const told: Loose[] = [];
    for await (const event of followTask({ baseUrl: world.node.address, credential: { apiKey }, ...more }, id)) {
      told.push(event);
    }
    return told;
  };

  test('tells of an end that was before', async () => {
    const { id } = await sendTo(world, { 'countersign.intent': world.intentBody(5) });
    const told = await follow(id);
    assert.deepEqual(
      told.map(({ task }) => task?.status.state),
      ['TASK_STATE_COMPLETED'],
    );
  });

  test('is refused to whom it is not shown, with the node’s reason', async () => {
    await assert.rejects(follow('task_unknown'), { code: 'TASK_NOT_FOUND' });
    await assert.rejects(follow('task_unknown', 'ak_test_wrong'), {
      status: 401,
      code: /INVALID_API_KEY|UNAUTHORIZED/,
    });
  });

  test('is asked for no more once its signal is aborted', async () => {
    const { id } = await sendTo(world, { 'countersign.purchase': { intent: world.intentBody(5) } });
    const stop = new AbortController();
    const options = { baseUrl: world.node.address, credential: { apiKey: ADMIN_KEY } };
    const read = async () => {
      for await (const _ of followTask(options, id, { signal: stop.signal })) stop.abort(new Error('enough'));
    };
    await assert.rejects(read(), /enough/);
  });

  test('is taken up again after answers of a proxy in any form', async () => {
    const { id } = await sendTo(world, { 'countersign.intent': world.intentBody(6) });
    const between = [
      new Response('<html>', { status: 502, headers: { 'Content-Type': 'text/html' } }),
      new Response('data: {"cut', { headers: { 'Content-Type': 'text/event-stream' } }),
      new Response('', { headers: { 'Content-Type': 'text/event-stream' } }),
    ];
    const through: typeof fetch = async (url, init) => between.shift() ?? fetch(url, init);
    assert.equal((await follow(id, ADMIN_KEY, { fetch: through })).length, 1);
    assert.equal(between.length, 0);
  });
});
