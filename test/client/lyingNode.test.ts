/** Answers that no node gives: the client takes none of them for one, sends nothing elsewhere, and says so in its own errors. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CountersignError, connect, followChanges, makeAgent } from '../../client/index.ts';

const DID = makeAgent().did;
const CARD = JSON.parse(
  JSON.stringify({
    did: DID,
    url: 'http://node.test',
    endpoints: { a2a: 'http://node.test/a2a/gateway', discovery: '' },
  }),
);
const body = {
  agentDid: DID,
  principalDid: DID,
  request: { maxAmount: 5, currency: 'USD' },
} as const;

/** A network with one card, whose gateway answers each request with a text. */
function networkOf(card: object, answer: (id: string) => unknown) {
  const asked: string[] = [];
  const fake = (async (url: string, init: RequestInit) => {
    asked.push(url);
    if (init.method === 'GET') return Response.json(card);
    return Response.json(answer(JSON.parse(String(init.body)).id));
  }) as typeof fetch;
  return { asked, fake };
}

for (const [what, a2a] of [
  ['goes on with the host', 'http://node.test.evil.example/a2a/gateway'],
  ['makes the host a name and password', 'http://node.test@evil.example/a2a/gateway'],
  ['goes on with the port', 'http://node.test:81/a2a/gateway'],
] as const) {
  test(`a card whose gateway ${what} is no card, and nothing is sent there`, async () => {
    const { asked, fake } = networkOf({ ...CARD, endpoints: { ...CARD.endpoints, a2a } }, () => ({}));
    await assert.rejects(connect('http://node.test', makeAgent(), { fetch: fake }), { code: 'INVALID_ANSWER' });
    assert.deepEqual(asked, ['http://node.test/.well-known/agent-card.json']);
  });
}

for (const [what, answer] of Object.entries<(id: string) => unknown>({
  'whose error is a text': (id) => ({ jsonrpc: '2.0', id, error: 'no' }),
  'whose error has no code': (id) => ({ jsonrpc: '2.0', id, error: { message: 'no' } }),
  'whose error says nothing': (id) => ({ jsonrpc: '2.0', id, error: { code: -32000 } }),
  'whose refusal gives no reasons': (id) => ({
    jsonrpc: '2.0',
    id,
    error: { code: -32000, message: 'no', data: { allowed: false } },
  }),
  'with neither result nor error': (id) => ({ jsonrpc: '2.0', id }),
  'with an error that is null, and no result': (id) => ({ jsonrpc: '2.0', id, error: null }),
  'whose result is null': (id) => ({ jsonrpc: '2.0', id, error: null, result: null }),
})) {
  test(`an answer ${what} is an error of the client's own`, async () => {
    const { fake } = networkOf(CARD, answer);
    const node = await connect('http://node.test', makeAgent(), { fetch: fake, attempts: 1 });
    await assert.rejects(node.send({ type: 'IntentMandate', body }), (error) => {
      assert.ok(error instanceof CountersignError, String(error));
      assert.equal(error.code, 'INVALID_ANSWER', error.message);
      return true;
    });
  });
}

test('changes that are cut within, or are none, are asked for again from the last one that was whole', async () => {
  const streams = [
    'id: 1\ndata: {"types":["A"]}\n\nid: 2\ndata: {"types":["B"\n\n',
    'id: 2\ndata: 7\n\n',
    'id: 2\ndata: {"types":["B"]}\n\n',
  ];
  const urls: string[] = [];
  const fake = (async (url: string) => {
    urls.push(url);
    return new Response(streams[urls.length - 1] ?? '', { headers: { 'Content-Type': 'text/event-stream' } });
  }) as typeof fetch;
  const seen: unknown[] = [];
  const options = { baseUrl: 'http://node.test', credential: { apiKey: 'ak' }, fetch: fake };
  for await (const { cursor, types } of followChanges(options)) {
    seen.push([cursor, types]);
    if (seen.length === 2) break;
  }
  assert.deepEqual(seen, [
    ['1', ['A']],
    ['2', ['B']],
  ]);
  assert.deepEqual(
    urls.map((url) => new URL(url).searchParams.get('cursor')),
    [null, '1', '1'],
  );
});
