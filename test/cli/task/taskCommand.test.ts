/** Tasks of standard A2A by the command line, over REST, and by the tool that looks at records. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../../support/engines.ts';
import { callStandard, resultOf, sendTo } from '../../support/standardPeer.ts';
import { ADMIN_KEY, type Loose, makeWorld, type World } from '../../support/world.ts';
import { runHere } from '../runHere.ts';

const [engine] = everyEngine();

describe('tasks by the command line', () => {
  let world: World;
  before(async () => {
    assert.ok(engine);
    world = await makeWorld(engine);
  });
  after(() => world.close());

  async function countersign(...words: string[]): Promise<string> {
    const env = { COUNTERSIGN_URL: world.node.address, COUNTERSIGN_API_KEY: ADMIN_KEY };
    const { code, stdout, stderr } = await runHere(words, env);
    assert.equal(code, 0, stderr);
    return stdout;
  }

  test('they are listed by state and context, shown, and withdrawn', async () => {
    const purchase = { 'countersign.purchase': { intent: world.intentBody(40) } };
    const { id } = await sendTo(world, purchase, { contextId: 'cli-1' });
    await sendTo(world, { 'countersign.intent': world.intentBody(10) }, { contextId: 'cli-1' });
    const listed = await countersign('task', 'list', '--state', 'input_required', '--context', 'cli-1');
    assert.match(listed, new RegExp(`${id}  input_required  purchase .* cli-1`));
    assert.equal(listed.trim().split('\n').length, 2, 'a head and one task');
    assert.match(await countersign('task', 'show', id), /"state": "TASK_STATE_INPUT_REQUIRED"/);
    assert.match(await countersign('task', 'cancel', id), /is withdrawn/);
    const all = JSON.parse(await countersign('task', 'list', '--context', 'cli-1', '--json')) as Loose;
    assert.deepEqual(
      all.map(({ state }: Loose) => state),
      ['TASK_STATE_CANCELED', 'TASK_STATE_COMPLETED'],
    );
  });

  test('an agent sees its own over REST, and another’s is not there', async () => {
    const other = await world.newAgent();
    const key = await world.rest('POST', '/ap2/admin/api-keys', {
      name: 'other',
      permissions: ['read', 'write'],
      agents: [other.did],
    });
    const headers = { Authorization: `Bearer ${key.body.key}` };
    const mine = await sendTo(world, { 'countersign.intent': world.intentBody(10) });
    assert.equal((await world.rest('GET', `/ap2/tasks/${mine.id}`)).body.task.id, mine.id);
    assert.equal((await world.rest('GET', `/ap2/tasks/${mine.id}`, undefined, headers)).status, 404);
    assert.deepEqual((await world.rest('GET', '/ap2/tasks', undefined, headers)).body.data, []);
    assert.deepEqual((await resultOf(world, 'ListTasks', {}, headers)).tasks, []);
    assert.equal((await callStandard(world, 'GetTask', { id: mine.id }, headers)).body.error.code, -32001);
    assert.equal((await world.rest('POST', `/ap2/tasks/${mine.id}/cancel`)).status, 409);
  });
});
