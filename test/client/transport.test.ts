/** When the client sends a request again, and when it must not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CountersignError, countersign } from '../../client/index.ts';

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
  const between = clientOf({ status: 502, body: 'Bad gateway' });
  await assert.rejects(between.client.listAgents(), { code: 'INVALID_ANSWER', status: 502 });
});
