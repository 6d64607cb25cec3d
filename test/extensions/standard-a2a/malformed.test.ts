/** Every request to the endpoint of standard A2A gets a JSON-RPC answer, never a 5xx or a trace, and does nothing by itself. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { DID_PROOF } from '../../../protocol/a2a/normalForm.ts';
import { METHOD_NAMES } from '../../../src/extensions/standard-a2a/gate/versions.ts';
import { everyEngine } from '../../support/engines.ts';
import { changeAt } from '../../support/mutate.ts';
import { rounds } from '../../support/rounds.ts';
import { BY_KEY, callStandard, sendTo, signedMessage, taskMessage } from '../../support/standardPeer.ts';
import { type Loose, makeWorld, type World } from '../../support/world.ts';

/** Values that programs trip over. */
const ODD = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>(
    null,
    '',
    [],
    {},
    0,
    -1,
    1e308,
    Number.MAX_SAFE_INTEGER,
    true,
    'toString',
    'constructor',
    '__proto__',
    'x'.repeat(5000),
    '\u0000',
    '\u0001intent_x\u0001',
    "'; DROP TABLE tasks; --",
    '../../etc/passwd',
    'task_',
    Array.from({ length: 200 }, () => ({})),
    { toString: 1, constructor: {}, hasOwnProperty: null },
  ),
);

for (const engine of everyEngine()) {
  describe(`a malformed call of standard A2A on ${engine.name}`, () => {
    let world: World;
    let taskId: string;
    before(async () => {
      world = await makeWorld(engine);
      taskId = (await sendTo(world, { 'countersign.purchase': { intent: world.intentBody(20) } })).id;
    });
    after(() => world.close());

    const post = async (body: string | Uint8Array, headers: Record<string, string>, path = '/a2a/v1') => {
      const stop = new AbortController();
      const response = await fetch(world.node.address + path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...BY_KEY, ...headers },
        body: body as never,
        signal: stop.signal,
      });
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
      const text = isStream ? '' : await response.text();
      if (isStream) stop.abort();
      return { status: response.status, isStream, text };
    };

    async function answersPlainly(body: string | Uint8Array, headers: Record<string, string> = {}, path?: string) {
      const { status, isStream, text } = await post(body, headers, path);
      const shown = `${status} ${text.slice(0, 400)} to ${String(body).slice(0, 400)}`;
      assert.ok(status < 500, shown);
      if (isStream) return;
      assert.doesNotMatch(text, /node_modules|\.ts:\d|at async|SQLITE|ECONN|-32603/, shown);
      const answer = JSON.parse(text);
      assert.equal(answer.jsonrpc, '2.0', shown);
      assert.ok('result' in answer !== 'error' in answer, shown);
      if (answer.error === undefined) return;
      assert.equal(typeof answer.error.code, 'number', shown);
      assert.ok(answer.error.data[0].reason.length > 0, shown);
    }

    const few = engine.name === 'sqlite' ? 150 : 50;
    const runs = { numRuns: rounds(1500, few) };
    const method = fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(...METHOD_NAMES) },
      { weight: 1, arbitrary: fc.string() },
    );

    test('is answered with every envelope', async () => {
      const envelope = fc.record(
        {
          jsonrpc: fc.oneof(fc.constant('2.0'), ODD),
          id: fc.oneof(fc.integer(), ODD),
          method: fc.oneof(method, ODD),
          params: ODD,
        },
        { requiredKeys: [] },
      );
      const body = fc.oneof(
        fc.oneof(envelope, fc.jsonValue(), fc.array(envelope, { maxLength: 3 })).map((value) => JSON.stringify(value)),
        fc.string(),
        fc.uint8Array({ maxLength: 40 }),
      );
      await fc.assert(
        fc.asyncProperty(body, (given) => answersPlainly(given)),
        runs,
      );
    });

    test('is answered with all parameters', async () => {
      const names =
        'id taskId message configuration historyLength pageSize pageToken contextId status statusTimestampAfter ' +
        'includeArtifacts url token authentication pushNotificationConfig pushNotificationConfigId metadata tenant';
      const params = fc.dictionary(fc.oneof(fc.constantFrom(...names.split(' ')), fc.string()), ODD, { maxKeys: 6 });
      const withTask = params.map((given) => ({ ...given, id: taskId, taskId }));
      await fc.assert(
        fc.asyncProperty(method, fc.oneof(params, withTask), fc.oneof(fc.integer(), fc.string()), (name, given, id) =>
          answersPlainly(JSON.stringify({ jsonrpc: '2.0', id, method: name, params: given })),
        ),
        runs,
      );
    });

    test('is answered with every value of one member of a good message', async () => {
      const good = () => [
        { message: taskMessage({ 'countersign.intent': world.intentBody(1) }) },
        { message: taskMessage({ 'countersign.cart': { intentVc: {}, cartVc: world.cart(1) } }) },
        { message: taskMessage({ 'countersign.purchase': { cartVc: world.cart(1) } }, { taskId: 'task_none' }) },
        { message: taskMessage({ 'countersign.payment': { approvalToken: 'apt_none', instrument: 'pm_card_visa' } }) },
        { message: signedMessage(world, world.agent, taskMessage({ note: 'words' })) },
        {
          message: taskMessage({ note: 'words' }, { contextId: 'trip', metadata: { any: 1 }, extensions: [DID_PROOF] }),
          configuration: {
            historyLength: 1,
            returnImmediately: true,
            taskPushNotificationConfig: { url: 'http://127.0.0.1:9/', authentication: { scheme: 'Bearer' } },
          },
        },
      ];
      const places = fc.array(fc.nat({ max: 30 }), { minLength: 1, maxLength: 7 });
      const sends = fc.constantFrom('SendMessage', 'SendStreamingMessage', 'message/send', 'message/stream');
      await fc.assert(
        fc.asyncProperty(
          sends,
          fc.nat({ max: 5 }),
          places,
          fc.option(ODD, { nil: undefined }),
          (name, at, way, value) => {
            const params = good()[at] as Loose;
            if (name.includes('/')) toFormer(params.message);
            changeAt(params, way, value);
            return answersPlainly(JSON.stringify({ jsonrpc: '2.0', id: 1, method: name, params }));
          },
        ),
        runs,
      );
    });

    test('is answered with all headers and paths', async () => {
      const value = fc.oneof(
        fc.constantFrom(
          '',
          '1.0',
          '0.3',
          '2.0',
          '1',
          'NaN',
          '1.0, 0.3',
          '*',
          DID_PROOF,
          'Bearer',
          'Bearer x',
          'Basic YTpi',
        ),
        fc.stringMatching(/^[\x21-\x7e]{0,60}$/),
      );
      const names = [
        'A2A-Version',
        'A2A-Extensions',
        'X-A2A-Extensions',
        'Authorization',
        'X-DID-Proof',
        'X-Agent-DID',
        'Accept',
      ];
      const headers = fc.dictionary(fc.constantFrom(...names, 'Content-Type', 'Origin', 'X-Forwarded-For'), value);
      const path = fc.constantFrom(
        '/a2a/v1',
        '/a2a/v1/',
        '/a2a/v1?A2A-Version=%FF',
        '/a2a/v1?A2A-Version=7',
        '/a2a/v1?&=&',
      );
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ListTasks', params: { pageSize: 1 } });
      await fc.assert(
        fc.asyncProperty(headers, path, (given, at) => answersPlainly(body, given as Record<string, string>, at)),
        runs,
      );
    });

    test('leaves the task that it named as it was', async () => {
      const { body } = await callStandard(world, 'GetTask', { id: taskId });
      assert.ok(['TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_CANCELED'].includes(body.result.status.state));
      const payments = await world.rest('GET', '/ap2/payments');
      assert.deepEqual(payments.body.data, []);
    });
  });
}

/** The message in the spelling of 0.3. */
function toFormer(message: Loose): void {
  Object.assign(message, { role: 'user', kind: 'message' });
  for (const part of message.parts) part.kind = 'data';
}
