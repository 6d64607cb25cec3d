/** What HTTP has for careful callers: conditions of a change, answers that were given before, errors as problems. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../support/engines.ts';
import { ADMIN_KEY, makeWorld, type World } from '../support/world.ts';

const RULES = { version: '2.0', spend: { amount_cap: 50, currency: 'USD' } };

describe('a careful caller over REST', () => {
  let world: World;
  before(async () => {
    world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number]);
  });
  after(() => world.close());

  const headers = (more: Record<string, string>) => ({ authorization: `Bearer ${ADMIN_KEY}`, ...more });
  const tagged = async (path: string) => (await world.rest('GET', path)).headers.get('etag') ?? '';

  test('changes an agent only as it was read, and gets the tag of what it has become', async () => {
    const path = `/ap2/agents/${world.agent.did}`;
    const tag = await tagged(path);
    const change = (name: string, condition: string) =>
      world.rest('PUT', path, { name }, headers({ 'if-match': condition }));
    const renamed = await change('First', tag);
    assert.equal(renamed.status, 200, renamed.text);
    assert.equal(renamed.headers.get('etag'), await tagged(path));
    const late = await change('Second', tag);
    assert.deepEqual([late.status, late.body.error.code], [412, 'PRECONDITION_FAILED']);
    assert.equal((await world.rest('GET', path)).body.displayName, 'First');
    assert.equal((await change('Third', `"other", ${await tagged(path)}`)).status, 200);
    assert.equal((await change('Fourth', '*')).status, 200);
    const limit = { maxTransactions: 5, timeWindow: '1h' };
    const velocity = `/ap2/admin/agents/${world.agent.did}/velocity`;
    assert.equal((await world.rest('PUT', velocity, limit, headers({ 'if-match': tag }))).status, 412);
    const weak = `W/${await tagged(path)}`;
    assert.equal((await change('Fifth', weak)).status, 412, 'weak tags are not equal (RFC 9110 section 13.1.1)');
  });

  test('is told where a condition would not be heeded, and nothing is done', async () => {
    const suspend = `/ap2/admin/agents/${world.agent.did}/suspend`;
    const refused = await world.rest('POST', suspend, {}, headers({ 'if-match': '"any"' }));
    assert.deepEqual([refused.status, refused.body.error.details[0].path], [400, 'If-Match']);
    assert.equal((await world.rest('GET', `/ap2/agents/${world.agent.did}`)).body.status, 'ACTIVE');
  });

  test('asks for an agent that is as it was, and is told no more than that', async () => {
    const path = `/ap2/agents/${world.agent.did}`;
    const reply = await world.rest('GET', path, undefined, headers({ 'if-none-match': await tagged(path) }));
    assert.deepEqual([reply.status, reply.text], [304, '']);
  });

  test('writes a policy only over the one that was read, of two at the same time too', async () => {
    const tag = await tagged('/ap2/policies/current');
    const { id } = (await world.rest('GET', '/ap2/policies/current')).body;
    const replies = await Promise.all(
      [51, 52].map((cap) => {
        const rules = { ...RULES, spend: { ...RULES.spend, amount_cap: cap } };
        return world.rest('PUT', `/ap2/admin/policies/${id}`, { rules }, headers({ 'if-match': tag }));
      }),
    );
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 412]);
    const another = { name: 'Another', rules: RULES };
    assert.equal((await world.rest('POST', '/ap2/admin/policies', another, headers({ 'if-match': tag }))).status, 412);
  });

  test('is told of an answer that was given before', async () => {
    const policy = { name: 'Twice', rules: RULES, activate: false, idempotencyKey: 'twice' };
    const [first, again] = [
      await world.rest('POST', '/ap2/admin/policies', policy),
      await world.rest('POST', '/ap2/admin/policies', policy),
    ];
    assert.equal(first.headers.get('idempotent-replayed'), null);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assert.deepEqual(again.body, first.body);
  });

  test('gets an error as a problem where it would rather have that, and as ever where it says nothing', async () => {
    const accept = headers({ accept: 'application/problem+json' });
    const unknown = await world.rest('GET', '/ap2/payments/pm_none', undefined, accept);
    assert.equal(unknown.headers.get('content-type'), 'application/problem+json');
    assert.match(unknown.headers.get('vary') ?? '', /Accept/);
    const { requestId, ...problem } = unknown.body;
    assert.equal(requestId, unknown.headers.get('x-request-id'));
    assert.deepEqual(problem, {
      type: `${world.node.baseUrl}/docs/errors#NOT_FOUND`,
      title: 'Not found',
      status: 404,
      detail: 'There is no payment pm_none.',
      code: 'NOT_FOUND',
    });
    const wrong = await world.rest('POST', '/ap2/admin/policies', { name: '' }, accept);
    assert.deepEqual([wrong.status, wrong.body.title], [400, 'Bad request']);
    assert.deepEqual(
      wrong.body.errors.map(({ path }: { path: string }) => path),
      ['name', 'rules'],
    );
    const stranger = await world.rest('GET', '/ap2/payments', undefined, {
      accept: 'application/problem+json',
      authorization: 'Bearer ak_test_none',
    });
    assert.deepEqual([stranger.status, stranger.body.title], [401, 'Invalid API key']);
    for (const accepted of [
      '*/*',
      'application/json',
      'application/json, application/problem+json;q=0.5',
      'text/html',
    ]) {
      const reply = await world.rest('GET', '/ap2/payments/pm_none', undefined, headers({ accept: accepted }));
      assert.equal(reply.body.error.code, 'NOT_FOUND', accepted);
    }
  });
});
