/** The way of a request as a list of steps, and the ways of the two gates as they are. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sendPipeline } from '../../src/extensions/standard-a2a/gate/sendMessage.ts';
import { methods } from '../../src/gates/a2a/methods.ts';
import { requestPipeline } from '../../src/gates/rest/request.ts';
import { reply, steps } from '../../src/usecase/steps.ts';

describe('a way of steps', () => {
  test('gives each step what the steps before it found, at once or later', async () => {
    const way = steps<{ readonly a: number }, string>()
      .find('b', ({ a }) => ({ b: a + 1 }))
      .check('c', ({ b }) => assert.equal(b, 2))
      .find('d', async ({ a, b }) => ({ d: a + b }))
      .finish('e', async ({ a, b, d }) => `${a} ${b} ${d}`);
    assert.equal(await way.run({ a: 1 }), '1 2 3');
    assert.deepEqual(way.names, ['b', 'c', 'd', 'e']);
    const inCore = steps<object, string>().finish('y', () => 'z');
    const through = steps<object, string>()
      .check('x', () => {})
      .core(inCore, async () => ({ text: await inCore.run({}) }))
      .finish('reply', ({ text }) => text);
    assert.equal(await through.run({}), 'z');
    assert.deepEqual(through.names, ['x', 'core: y', 'reply']);
  });

  test('ends early with the answer of a step, and with the fault of one that refuses', async () => {
    const later = () => assert.fail('no step runs after the end');
    const answered = steps<object, string>()
      .find('answer', () => reply('early'))
      .check('later', later)
      .finish('last', later);
    assert.equal(await answered.run({}), 'early');
    const refused = steps<object, string>()
      .check('refuse', async () => {
        throw new Error('no');
      })
      .finish('last', later);
    await assert.rejects(refused.run({}), /^Error: no$/);
  });

  test('leaves what it was started with as it was', async () => {
    const start = { a: 1 };
    await steps<{ readonly a: number }, void>()
      .find('b', () => ({ b: 2 }))
      .finish('last', async () => {})
      .run(start);
    assert.deepEqual(start, { a: 1 });
  });
});

const core = (...names: readonly string[]) => names.map((name) => `core: ${name}`);

test('a message is proven, known and told from a replay before its agent is charged', () => {
  assert.deepEqual(methods['a2a/message']?.names, [
    'parse the message',
    'prove the sender',
    'parse the body',
    ...core(
      'refuse an old proof',
      'know the agent and recall its answer to a replay',
      'refuse what is stale',
      'charge the agent',
      'end where the body is wrong',
      'run the use case',
    ),
    'reply',
  ]);
});

test('a session method uses its proof up before its agent is charged', () => {
  for (const name of ['a2a/session.create', 'a2a/session.get']) {
    assert.deepEqual(methods[name]?.names, [
      'prove the caller',
      'parse the parameters',
      ...core(
        'refuse an old proof',
        'know the agent',
        'use the proof up',
        'charge the agent',
        'end where the parameters are wrong',
        'run the use case',
      ),
      'reply',
    ]);
  }
});

test('a REST request is proven before its caller is charged, and judged before it is told what is wrong with its input', () => {
  assert.deepEqual(requestPipeline.names, [
    'find the use case',
    'find its credential',
    'read the body',
    'prove the credential',
    'know the caller',
    'parse the input',
    ...core(
      'find the use case',
      'know the caller',
      'charge the caller',
      'require the permission',
      'end where the input is wrong',
      'run the use case',
    ),
    'reply',
  ]);
});

test('a message of standard A2A is told from a replay before it may be stale, and charged before it is judged', () => {
  assert.deepEqual(sendPipeline.names, [
    'prove the sender',
    'answer a question',
    'parse the exchange',
    ...core(
      'know the caller',
      'recall the task of a replay',
      'refuse what is stale',
      'charge the caller',
      'require the permission',
      'end where the message is wrong',
      'begin or go on with the task',
    ),
    'reply',
  ]);
});
