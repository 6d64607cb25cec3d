/** When the client sends a request again, and when it must not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CountersignError, connect, countersign, makeAgent } from '../../client/index.ts';

interface Sent {
  readonly url: string;
  readonly method: string;
  readonly key: string | null;
  readonly body: string;
}

type Step = { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, string> } | 'lost';

/** A client whose network answers with the steps one after another. */
function clientOf(...steps: Step[]) {
  const sent: Sent[] = [];
  const fakeFetch = (async (url: string, init: RequestInit) => {
    const headers = new Headers(init.headers);
    sent.push({ url, method: String(init.method), key: headers.get('idempotency-key'), body: String(init.body ?? '') });
    const step = steps[sent.length - 1] ?? 'lost';
    if (step === 'lost') throw new TypeError('fetch failed');
    const { status, body, headers: given } = step;
    return new Response(body === undefined ? null : JSON.stringify(body), {
      status,
      headers: { 'Content-Type': 'application/json', ...given },
    });
  }) as typeof fetch;
  const client = countersign({ baseUrl: 'http://node.test/', credential: { apiKey: 'ak' }, fetch: fakeFetch });
  return { client, sent };
}

const intent = {
  agentDid: 'did:key:z6Mkagent',
  principalDid: 'did:key:z6Mkperson',
  request: { maxAmount: 5, currency: 'USD' },
};
const refusal = { allowed: false, reasonCodes: ['AMOUNT_OVER_CAP'], details: { AMOUNT_OVER_CAP: { message: 'no' } } };
const failure = (code: string) => ({ error: { code, message: 'It says why.', requestId: 'req_1' } });

test('an idempotent call whose answer was lost is sent again under the same key', async () => {
  const { client, sent } = clientOf(
    'lost',
    { status: 503, body: failure('UNAVAILABLE') },
    { status: 200, body: refusal },
  );
  const answer = await client.issueIntent(intent);
  assert.equal(answer.allowed, false);
  assert.equal(sent.length, 3);
  assert.match(sent[0]?.key ?? '', /^[\w-]{22}$/);
  assert.deepEqual(sent[1], sent[0]);
  assert.deepEqual(sent[2], sent[0]);
});

test('a conflict after a lost answer is that request, still in flight', async () => {
  const { client, sent } = clientOf('lost', { status: 409, body: failure('CONFLICT') }, { status: 200, body: refusal });
  await client.issueIntent(intent);
  assert.equal(sent.length, 3);
  const plain = clientOf({ status: 409, body: failure('CONFLICT') });
  await assert.rejects(plain.client.issueIntent(intent), { code: 'CONFLICT' });
  assert.equal(plain.sent.length, 1);
});

test('the key is the caller’s own where one was given, in the input or beside it', async () => {
  const beside = clientOf({ status: 200, body: refusal });
  await beside.client.issueIntent(intent, { idempotencyKey: 'mine' });
  assert.equal(beside.sent[0]?.key, 'mine');
  const inside = clientOf({ status: 200, body: refusal });
  await inside.client.issueIntent({ ...intent, idempotencyKey: 'mine' });
  assert.equal(inside.sent[0]?.key, null);
  assert.match(inside.sent[0]?.body ?? '', /"idempotencyKey":"mine"/);
});

test('a call that must happen once is not sent again when its answer is lost', async () => {
  const { client, sent } = clientOf('lost');
  const session = { contextId: 'c', agentDid: intent.agentDid, userDid: intent.principalDid };
  await assert.rejects(client.createSession(session), (error: unknown) => {
    assert.ok(error instanceof CountersignError);
    assert.deepEqual([error.code, error.status], ['NETWORK', 0]);
    return true;
  });
  assert.equal(sent.length, 1);
});

test('a call that was turned away for its rate waits as long as it was asked to', async () => {
  const limited = { status: 429, body: failure('RATE_LIMITED'), headers: { 'Retry-After': '1' } };
  const { client, sent } = clientOf(limited, { status: 200, body: { eventsVerified: 0 } });
  const began = performance.now();
  await client.verifyEvidence();
  assert.equal(sent.length, 2);
  assert.ok(performance.now() - began >= 990);
});

test('a wait that is too long is the caller’s to decide, and attempts come to an end', async () => {
  const long = clientOf({ status: 429, body: failure('RATE_LIMITED'), headers: { 'Retry-After': '3600' } });
  await assert.rejects(long.client.listAgents(), { code: 'RATE_LIMITED', status: 429 });
  assert.equal(long.sent.length, 1);
  const lost = clientOf();
  await assert.rejects(lost.client.listAgents(), { code: 'NETWORK' });
  assert.equal(lost.sent.length, 4);
});

test('members travel in path, query and body', async () => {
  const { client, sent } = clientOf({ status: 200, body: {} }, { status: 200, body: {} }, { status: 204 });
  await client.exportEvidence({ last: 5, eventTypes: ['A', 'B'] });
  await client.setAgentVelocity({ did: 'did:key:z6Mk', maxTransactions: 5, timeWindow: '1h' });
  assert.equal(await client.resetTestData(), undefined);
  assert.equal(sent[0]?.url, 'http://node.test/ap2/evidence/export?last=5&eventTypes=A&eventTypes=B');
  assert.equal(sent[1]?.url, 'http://node.test/ap2/admin/agents/did%3Akey%3Az6Mk/velocity');
  assert.deepEqual(JSON.parse(sent[1]?.body ?? ''), { maxTransactions: 5, timeWindow: '1h' });
  assert.deepEqual([sent[2]?.method, sent[2]?.body], ['POST', '']);
});

test('an error says its code, status, request and members at fault, also when something in between answered', async () => {
  const details = [{ path: 'request.currency', message: 'must be a currency' }];
  const body = { error: { code: 'BAD_REQUEST', message: 'It says why.', requestId: 'req_1', details } };
  const { client } = clientOf({ status: 400, body, headers: { 'X-Request-Id': 'req_1' } });
  await assert.rejects(client.issueIntent(intent), { code: 'BAD_REQUEST', status: 400, requestId: 'req_1', details });
  const between = clientOf(...Array(4).fill({ status: 502, body: 'Bad gateway', headers: { 'Retry-After': '0' } }));
  await assert.rejects(between.client.listAgents(), { code: 'INVALID_ANSWER', status: 502 });
  assert.equal(between.sent.length, 4);
});

test('what stands before the node is asked again, under the same key, and then the node itself may still be at it', async () => {
  const steps = [502, 503, 504].map((status) => ({
    status,
    headers: { 'Content-Type': 'text/html', 'Retry-After': '0' },
  }));
  const gateway = clientOf(...steps, { status: 200, body: refusal });
  await gateway.client.issueIntent(intent);
  assert.deepEqual(new Set(gateway.sent.map(({ key }) => key)).size, 1);
  assert.equal(gateway.sent.length, 4);
  const late = clientOf({ status: 504 }, { status: 409, body: failure('CONFLICT') }, { status: 200, body: refusal });
  await late.client.issueIntent(intent);
  assert.equal(late.sent.length, 3);
  const once = clientOf({ status: 502 }, { status: 200, body: {} });
  const session = { contextId: 'c', agentDid: intent.agentDid, userDid: intent.principalDid };
  await assert.rejects(once.client.createSession(session), { code: 'INVALID_ANSWER', status: 502 });
  assert.equal(once.sent.length, 1);
});

test('a web page in place of an answer is told as such', async () => {
  const html = { 'Content-Type': 'text/html; charset=utf-8' };
  for (const status of [200, 403]) {
    const { client } = clientOf(...Array(4).fill({ status, body: '<html>', headers: html }));
    const wanted = { code: 'INVALID_ANSWER', status, message: /web page .* a proxy, or the login page of a network/ };
    await assert.rejects(client.listAgents(), wanted);
    await assert.rejects(client.exportEvidence({ format: 'csv' }), wanted);
    await assert.rejects(client.resetTestData(), wanted);
  }
  const csv = clientOf({ status: 200, body: 'a,b', headers: { 'Content-Type': 'text/csv; charset=utf-8' } });
  assert.equal(await csv.client.exportEvidence({ format: 'csv' }), '"a,b"');
  const other = clientOf({ status: 200, headers: { 'Content-Type': 'text/plain' } });
  await assert.rejects(other.client.listAgents(), {
    code: 'INVALID_ANSWER',
    message: /"text\/plain" and not the node/,
  });
  const strange = clientOf({ status: 400, body: { error: 'invalid_request' } });
  await assert.rejects(strange.client.listAgents(), { code: 'INVALID_ANSWER', status: 400 });
});

test('an input without what its path names is refused before anything is sent', async () => {
  const { client, sent } = clientOf();
  for (const did of [undefined, null, '', '.', '..']) {
    await assert.rejects(client.getAgent({ did } as never), {
      code: 'BAD_REQUEST',
      status: 0,
      message: '"did" must be given, and name something: it is a part of the path /ap2/agents/:did.',
      details: [{ path: 'did', message: 'must be given, and name something' }],
    });
  }
  await assert.rejects((client.removeMerchant as () => Promise<unknown>)(), { code: 'BAD_REQUEST' });
  assert.deepEqual(sent, []);
});

test('an address may end in slashes and have a path; what is no address is refused at once', async () => {
  const seen: string[] = [];
  const fetching = (async (url: string) => {
    seen.push(url);
    return Response.json({ data: [], hasMore: false, cursor: null });
  }) as typeof fetch;
  const at = (baseUrl: string) => countersign({ baseUrl, credential: { apiKey: 'ak' }, fetch: fetching });
  for (const baseUrl of ['http://node.test', 'http://node.test///', 'https://node.test/pay//']) {
    await at(baseUrl).listAgents();
  }
  assert.deepEqual(seen, [
    'http://node.test/ap2/agents',
    'http://node.test/ap2/agents',
    'https://node.test/pay/ap2/agents',
  ]);
  for (const baseUrl of [
    'localhost:8402',
    'node.test',
    '',
    'ftp://node.test',
    'http://a:b@node.test',
    'http://node.test?x',
  ]) {
    assert.throws(() => at(baseUrl), { code: 'BAD_REQUEST', status: 0, message: /looks like http:\/\/localhost:8402/ });
    await assert.rejects(connect(baseUrl, makeAgent(), { fetch: fetching }), { code: 'BAD_REQUEST' });
  }
});

test('the time-out leaves the node the time that it is asked to wait', async () => {
  const slow = ((_url: string, { signal }: RequestInit) =>
    new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
      setTimeout(() => resolve(Response.json({ status: 'pending' })), 200);
    })) as typeof fetch;
  const options = { baseUrl: 'http://node.test', credential: { apiKey: 'ak' }, timeoutSeconds: 0.02, attempts: 1 };
  const client = countersign({ ...options, fetch: slow });
  assert.equal((await client.getApproval({ id: 'apr_1', wait: 20 })).status, 'pending');
  await assert.rejects(client.getApproval({ id: 'apr_1' }), { code: 'NETWORK', message: /in time/ });
});

test('an agent card that could not be fetched is asked for again, and an invalid one is reported as such', async () => {
  const agent = makeAgent();
  const card = { did: agent.did, url: 'http://node.test', endpoints: { a2a: 'http://node.test/a2a', discovery: '' } };
  const answers = [
    () => Promise.reject(new TypeError('fetch failed')),
    () => Response.json({ hello: 'world' }),
    () => new Response('<html>', { headers: { 'Content-Type': 'text/html' } }),
    () => Response.json(card),
    () => Response.json({ status: 'pending' }),
  ];
  const fetching = (async () => (answers.shift() as () => Response)()) as typeof fetch;
  const client = countersign({ baseUrl: 'http://node.test', credential: { agent }, fetch: fetching, attempts: 1 });
  const look = () => client.getApproval({ id: 'apr_1' });
  await assert.rejects(look(), { code: 'NETWORK' });
  await assert.rejects(look(), { code: 'INVALID_ANSWER', message: /is not a node’s agent card/ });
  await assert.rejects(look(), { code: 'INVALID_ANSWER', message: /web page/ });
  assert.equal((await look()).status, 'pending');
});

test('a signal ends a call before it is sent, on its way and in a pause, with the signal’s reason', async () => {
  const reason = new Error('enough');
  const before = clientOf({ status: 200, body: {} });
  await assert.rejects(before.client.listAgents({}, { signal: AbortSignal.abort(reason) }), reason);
  assert.equal(before.sent.length, 0);

  const onItsWay = new AbortController();
  const hanging = ((_url: string, { signal }: RequestInit) =>
    new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
      onItsWay.abort(reason);
    })) as typeof fetch;
  const client = countersign({ baseUrl: 'http://node.test', credential: { apiKey: 'ak' }, fetch: hanging });
  await assert.rejects(client.listAgents({}, { signal: onItsWay.signal }), reason);

  const inPause = new AbortController();
  const limited = { status: 429, body: failure('RATE_LIMITED'), headers: { 'Retry-After': '29' } };
  const pausing = clientOf(limited, { status: 200, body: {} });
  const call = pausing.client.listAgents({}, { signal: inPause.signal });
  setTimeout(() => inPause.abort(reason), 20);
  await assert.rejects(call, reason);
  assert.equal(pausing.sent.length, 1);
});

test('one caller’s signal does not end the card’s fetch for another', async () => {
  const agent = makeAgent();
  const stop = new AbortController();
  const card = { did: agent.did, url: 'http://node.test', endpoints: { a2a: 'http://node.test/a2a', discovery: '' } };
  let cards = 0;
  const fetching = (async (url: string) => {
    if (!url.endsWith('agent-card.json')) return Response.json({ status: 'pending' });
    cards += 1;
    stop.abort(new Error('enough'));
    return Response.json(card);
  }) as typeof fetch;
  const client = countersign({ baseUrl: 'http://node.test', credential: { agent }, fetch: fetching });
  const [ended, answered] = await Promise.allSettled([
    client.getApproval({ id: 'apr_1' }, { signal: stop.signal }),
    client.getApproval({ id: 'apr_1' }),
  ]);
  assert.deepEqual([ended.status, answered.status, cards], ['rejected', 'fulfilled', 1]);
});
