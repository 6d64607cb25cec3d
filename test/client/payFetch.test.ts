/** A fetch that pays: which hop it pays, what it sends again, what it reports, and when it stops. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type Client, type HttpPaymentRefusal, type PayFetchOptions, payFetch } from '../../client/index.ts';
import { mppChallenge } from '../support/mppChallenge.ts';
import type { Loose } from '../support/world.ts';

const AGENT = 'did:key:z6Mkon3Necd6NkkyfoGoHxid2znGc59LU3K7mubaRcFbLfLX';
const RECEIPT = 'eyJtZXRob2QiOiJzdHJpcGUiLCJzdGF0dXMiOiJzdWNjZXNzIiwicmVmZXJlbmNlIjoicGlfMSJ9';

type Handler = (request: Seen, response: ServerResponse) => void;
interface Seen extends Pick<IncomingMessage, 'headers' | 'method' | 'url'> {
  readonly body: string;
}

describe('payFetch', () => {
  let handle: Handler = () => {};
  let seen: Seen[] = [];
  let asked: Loose[] = [];
  let reports: Loose[] = [];
  let answers: Loose[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    const { method, url, headers } = request;
    seen.push({ method, url, headers, body });
    handle({ method, url, headers, body }, response);
  });
  let base = '';
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => server.close());
  beforeEach(() => {
    [seen, asked, reports, answers] = [[], [], [], []];
  });

  const node = {
    async authorizeHttpPayment(input: Loose) {
      asked.push(input);
      const header = { name: 'Authorization', value: `Payment token-${asked.length}` };
      return answers.shift() ?? { allowed: true, protocol: 'mpp', mandateId: `pm_${asked.length}`, send: { header } };
    },
    async settleHttpPayment(report: Loose) {
      reports.push(report);
      return { status: report.receipt === undefined ? 'AUTHORIZED' : 'CAPTURED' };
    },
  } as unknown as Client;
  const paying = (more: Partial<PayFetchOptions> = {}) => payFetch(node, { agentDid: AGENT, ...more });

  const ask = (response: ServerResponse, id = `c${seen.length}`, more = '') =>
    response.writeHead(402, { 'WWW-Authenticate': mppChallenge({ id }) + more }).end('pay me');
  const isPaid = ({ headers }: Seen) => String(headers.authorization ?? '').startsWith('Payment ');
  const once: Handler = (request, response) =>
    isPaid(request) ? response.writeHead(200, { 'Payment-Receipt': RECEIPT }).end('report') : ask(response);

  test('sends what the node gives, and reports the receipt', async () => {
    handle = once;
    const response = await paying()(`${base}/report?of=tea`);
    assert.equal(await response.text(), 'report');
    assert.deepEqual([asked[0].agentDid, asked[0].url, asked[0].method], [AGENT, `${base}/report?of=tea`, 'GET']);
    assert.deepEqual(reports, [{ mandateId: 'pm_1', status: 200, receipt: RECEIPT }]);
  });

  test('leaves a 402 that asks for nothing known to its caller, with its body', async () => {
    handle = (_request, response) => response.writeHead(402, { 'WWW-Authenticate': 'Bearer' }).end('subscribe');
    const response = await paying()(base);
    assert.deepEqual([response.status, await response.text(), asked.length], [402, 'subscribe', 0]);
  });

  test('sends a body again as it was, also of a Request, and says its digest', async () => {
    handle = once;
    const request = new Request(`${base}/order`, { method: 'POST', body: '{"a":1}', headers: { 'X-Own': '1' } });
    await paying()(request);
    assert.deepEqual(
      seen.map(({ method, body }) => [method, body]),
      [
        ['POST', '{"a":1}'],
        ['POST', '{"a":1}'],
      ],
    );
    assert.equal(seen[1]?.headers['x-own'], '1');
    assert.equal(asked[0].bodyDigest, `sha-256=:${createHash('sha256').update('{"a":1}').digest('base64')}:`);
    assert.equal(await request.text(), '{"a":1}');
  });

  test('writes to no init that it was given', async () => {
    handle = once;
    const init: RequestInit = Object.freeze({ headers: Object.freeze({ 'X-Own': '1' }) });
    await paying()(base, init);
    await paying()(base, init);
    assert.equal(asked.length, 2);
  });

  test('pays the hop that asked, by its method, and never the first one', async () => {
    handle = (request, response) =>
      request.url === '/order' ? response.writeHead(303, { Location: '/paid' }).end() : once(request, response);
    await paying()(`${base}/order`, { method: 'POST', body: 'order' });
    assert.deepEqual([asked[0].url, asked[0].method, asked[0].bodyDigest], [`${base}/paid`, 'GET', undefined]);
    assert.deepEqual(
      seen.map(({ method, url, body }) => [method, url, body]),
      [
        ['POST', '/order', 'order'],
        ['GET', '/paid', ''],
        ['GET', '/paid', ''],
      ],
    );
  });

  test('reports what a redirect of the paid answer says, and follows it without the credential', async () => {
    handle = (request, response) => {
      if (request.url === '/file') return response.writeHead(200).end('file');
      if (!isPaid(request)) return ask(response);
      return response.writeHead(302, { Location: '/file', 'Payment-Receipt': RECEIPT }).end();
    };
    assert.equal(await (await paying()(`${base}/report`)).text(), 'file');
    assert.deepEqual(reports, [{ mandateId: 'pm_1', status: 302, receipt: RECEIPT }]);
    assert.equal(seen.at(-1)?.headers.authorization, undefined);
  });

  test('reports a receipt that comes with a failure', async () => {
    handle = (request, response) =>
      isPaid(request) ? response.writeHead(500, { 'Payment-Receipt': RECEIPT }).end() : ask(response);
    assert.equal((await paying()(base)).status, 500);
    assert.deepEqual(reports, [{ mandateId: 'pm_1', status: 500, receipt: RECEIPT }]);
  });

  test('pays a server that asks again three times at most, each time in place of the time before', async () => {
    handle = (_request, response) => ask(response);
    assert.equal((await paying()(base)).status, 402);
    assert.deepEqual(
      asked.map(({ replaces }) => replaces),
      [undefined, 'pm_1', 'pm_2'],
    );
    assert.deepEqual(
      reports.map(({ status }) => status),
      [402, 402, 402],
    );
  });

  test('replaces the try whose answer was lost, when the same is asked for again', async () => {
    handle = (request, response) => (isPaid(request) ? response.destroy() : ask(response));
    const fetching = paying();
    await assert.rejects(fetching(`${base}/report`));
    assert.deepEqual(reports, [{ mandateId: 'pm_1' }]);
    handle = once;
    await fetching(`${base}/report`);
    assert.equal(asked[1].replaces, 'pm_1');
    await fetching(`${base}/report`);
    assert.equal(asked[2].replaces, undefined);
  });

  test('begins two purchases for two calls at once, and replaces neither', async () => {
    handle = once;
    const fetching = paying();
    await Promise.all([fetching(`${base}/report`), fetching(`${base}/report`)]);
    assert.deepEqual(
      asked.map(({ replaces }) => replaces),
      [undefined, undefined],
    );
  });

  test('tells of a refusal, gives the 402 back, and names the approval when the same is asked for again', async () => {
    handle = once;
    const refusals: HttpPaymentRefusal[] = [];
    const fetching = paying({ onRefusal: (refusal) => refusals.push(refusal) });
    const refusal = {
      allowed: false,
      reasonCodes: ['HP_REQUIRED'],
      details: {},
      approval: { id: 'apr_1', expiresAt: '' },
    };
    answers = [refusal];
    const response = await fetching(`${base}/report`);
    assert.deepEqual([response.status, await response.text()], [402, 'pay me']);
    assert.deepEqual(refusals, [refusal]);
    assert.equal((await fetching(`${base}/report`)).status, 200);
    assert.equal(asked[1].approvalId, 'apr_1');
  });

  test('never takes the place of a key that the request carries', async () => {
    handle = (_request, response) => ask(response);
    const refusals: HttpPaymentRefusal[] = [];
    const fetching = paying({ onRefusal: (refusal) => refusals.push(refusal) });
    await fetching(base, { headers: { Authorization: 'Bearer key' } });
    assert.match(String(refusals[0]?.details['RAIL_UNAVAILABLE']?.message), /takes one Authorization/);
    assert.equal(asked.length, 0);
  });

  test('sends what pays beside a key, where the challenge names a header of its own', async () => {
    handle = (request, response) =>
      request.headers['payment-authorization'] === undefined
        ? ask(response, 'c1', ', header="Payment-Authorization"')
        : response.writeHead(200).end();
    const header = { name: 'Payment-Authorization', value: 'Payment token' };
    answers = [{ allowed: true, mandateId: 'pm_1', send: { header } }];
    const response = await paying()(base, { headers: { Authorization: 'Bearer key' } });
    assert.equal(response.status, 200);
    assert.equal(seen[1]?.headers.authorization, 'Bearer key');
  });

  test('asks for both protocols at once, where a server offers both', async () => {
    handle = (request, response) =>
      isPaid(request)
        ? response.writeHead(200).end()
        : response.writeHead(402, { 'WWW-Authenticate': mppChallenge({ id: 'c1' }), 'PAYMENT-REQUIRED': 'e30=' }).end();
    await paying()(base);
    assert.equal(asked[0].paymentRequired, 'e30=');
    assert.equal(asked[0].challenges.length, 1);
  });

  test('gives no key of one origin to another', async () => {
    const other = createServer((_request, response) => response.writeHead(200).end(JSON.stringify(_request.headers)));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    handle = (_request, response) => response.writeHead(302, { Location: `http://127.0.0.1:${port}/` }).end();
    const response = await paying()(base, { headers: { Authorization: 'Bearer key', Cookie: 'a=b' } });
    const headers = (await response.json()) as Loose;
    other.close();
    assert.deepEqual([headers.authorization, headers.cookie], [undefined, undefined]);
  });
});
