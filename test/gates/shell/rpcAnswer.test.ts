/** JSON-RPC answers as text, with results of every kind. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { answerText, JsonText, type RpcAnswer } from '../../../src/gates/shell/jsonRpc.ts';

const ids = fc.oneof(fc.string(), fc.integer());

test('an answer whose result is text already reads as the answer with the value', () => {
  fc.assert(
    fc.property(ids, fc.jsonValue(), (id, result) => {
      const text = answerText({ jsonrpc: '2.0', id, result: new JsonText(JSON.stringify(result)) });
      assert.equal(text, JSON.stringify({ jsonrpc: '2.0', id, result }));
    }),
  );
});

test('a batch mixes results, texts and errors', () => {
  const answers: RpcAnswer[] = [
    { jsonrpc: '2.0', id: 1, result: new JsonText('{"a":1}') },
    { jsonrpc: '2.0', id: 'two', result: { b: 2 } },
    { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'No.' } },
  ];
  const expected = [{ ...answers[0], result: { a: 1 } }, answers[1], answers[2]];
  assert.equal(answerText(answers), JSON.stringify(expected));
  assert.equal(JSON.stringify(answers), JSON.stringify(expected));
});
