/** JSON-RPC 2.0: the node answers each request in the dialect's own words, and the text of a thrown error reaches no caller. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { rpcServer } from '../../../src/gates/shell/jsonRpc.ts';

const server = rpcServer<string[]>({
  methods: {
    give: async ({ params }) => ({ result: params }),
    refuse: async () => ({ error: { code: -1, message: 'Refused.', data: { a: 1 } } }),
    fail: async () => {
      throw new Error('a secret');
    },
  },
  order: ['id', 'jsonrpc', 'method'],
  check() {},
  async tell(error, told) {
    told.push(error instanceof Error ? error.message : String(error));
    return { code: -9, message: 'Told.' };
  },
});
const call = { jsonrpc: '2.0', id: 1, method: 'give', params: { b: 2 } };

async function answerTo(request: unknown): Promise<{ readonly answer: unknown; readonly told: readonly string[] }> {
  const told: string[] = [];
  return { answer: await server.answer(request, told), told };
}

describe('a JSON-RPC server', () => {
  test('answers with what the method gives, a result or an error', async () => {
    assert.deepEqual((await answerTo(call)).answer, { jsonrpc: '2.0', id: 1, result: { b: 2 } });
    assert.deepEqual((await answerTo({ ...call, method: 'refuse' })).answer, {
      jsonrpc: '2.0',
      id: 1,
      error: { code: -1, message: 'Refused.', data: { a: 1 } },
    });
  });

  test('tells nothing of what a method throws', async () => {
    const { answer, told } = await answerTo({ ...call, method: 'fail' });
    assert.deepEqual(answer, { jsonrpc: '2.0', id: 1, error: { code: -9, message: 'Told.' } });
    assert.deepEqual(told, ['a secret']);
  });

  test('runs a request that has the members of an answer as well', async () => {
    const { answer } = await answerTo({ ...call, result: 1, error: {} });
    assert.deepEqual(answer, { jsonrpc: '2.0', id: 1, result: { b: 2 } });
  });

  test('says first what is wrong by the order of its dialect, and answers the id where there is one', async () => {
    assert.deepEqual((await answerTo({})).told, ['"id" must be a string or a number.']);
    assert.deepEqual((await answerTo({ id: null, jsonrpc: '2.0', method: 'give' })).told, [
      '"id" must be a string or a number.',
    ]);
    const { answer, told } = await answerTo({ id: 'x', method: 'give' });
    assert.deepEqual(told, ['"jsonrpc" must be "2.0".']);
    assert.equal((answer as { readonly id: unknown }).id, 'x');
    assert.deepEqual((await answerTo({ ...call, method: 'toString' })).told, [
      'There is no such method; there are give, refuse, fail.',
    ]);
  });

  test('answers any JSON once, null and lists too, and never with the library’s words', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.jsonValue(), fc.constant(null)), async (request) => {
        const { answer, told } = await answerTo(request);
        assert.equal(told.length, 1);
        assert.deepEqual((answer as { readonly error: unknown }).error, { code: -9, message: 'Told.' });
      }),
    );
  });
});
