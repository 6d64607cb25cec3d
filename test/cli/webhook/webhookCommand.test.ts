/** Webhooks from the command line: subscriptions, samples, the live tail, and causing events. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import type { WebhookEventType } from '../../../protocol/webhook/event.ts';
import { CAUSES, causeEvent } from '../../../src/cli/webhook/causeEvent.ts';
import { freePort } from '../../support/child.ts';
import { PROGRAM } from '../../support/command.ts';
import { everyEngine } from '../../support/engines.ts';
import { isSigned, isSignedByStandard, type Received, type Receiver, startReceiver } from '../../support/receiver.ts';
import { until } from '../../support/until.ts';
import { ADMIN_KEY, type Loose, makeWorld, type World } from '../../support/world.ts';
import { runHere } from '../runHere.ts';

describe('webhooks on the command line', () => {
  let world: World;
  let receiver: Receiver;
  before(async () => {
    const [engine] = everyEngine();
    assert.ok(engine);
    world = await makeWorld(engine, { WEBHOOK_RETRY_SECONDS: '0,0,0,0,0,0' });
    receiver = await startReceiver();
  });
  after(async () => {
    await receiver.close();
    await world.close();
  });
  const environment = () => ({
    PATH: process.env['PATH'] ?? '',
    COUNTERSIGN_URL: world.node.address,
    COUNTERSIGN_API_KEY: ADMIN_KEY,
  });
  const command = async (...args: string[]): Promise<Loose> => {
    const { code, stderr, json } = await runHere([...args, '--json'], environment());
    assert.equal(code, 0, stderr);
    return json();
  };

  test('subscriptions are made, tested, listed, changed and deleted', async () => {
    const made = await command('webhook', 'create', `${receiver.url}/cli`, '--events', 'agent.created,agent.revoked');
    assert.deepEqual(made.events, ['agent.created', 'agent.revoked']);
    const tried = await command('webhook', 'test', made.id);
    assert.deepEqual([tried.status, tried.outcome], [200, 'delivered']);
    const logs = await command('webhook', 'logs', '--webhook', made.id);
    assert.equal(logs[0].id, tried.id);
    for (const [words, heads] of [
      [
        ['webhook', 'list'],
        /^WEBHOOK +STATUS +SINCE +URL +EVENTS\nwh_\S+ +ACTIVE +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +http/,
      ],
      [
        ['webhook', 'logs'],
        /^ATTEMPT +WHEN +OUTCOME +ANSWER +TOOK +EVENT +URL\n\S+ +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +delivered +200 +\d+ ms/,
      ],
    ] as const) {
      assert.match((await runHere(words, environment())).stdout, heads);
    }
    const shown = await command('webhook', 'attempt', tried.id);
    assert.deepEqual([JSON.parse(shown.request).id, shown.answer], [tried.eventId, 'ok']);
    const again = await command('webhook', 'resend', tried.id);
    assert.equal(again.eventId, tried.eventId);
    const listed = await command('webhook', 'list');
    assert.deepEqual(
      listed.map(({ id, secret }: Loose) => [id, secret]),
      [[made.id, undefined]],
    );
    assert.equal((await command('webhook', 'pause', made.id)).status, 'DISABLED');
    assert.equal((await command('webhook', 'resume', made.id)).status, 'ACTIVE');
    const rotated = await command('webhook', 'rotate-secret', made.id);
    assert.match(rotated.secret, /^whsec_/);
    assert.notEqual(rotated.secret, made.secret);
    await command('webhook', 'delete', made.id);
    assert.deepEqual(await command('webhook', 'list'), []);
  });

  test('events are followed, and forwarded to a local program, signed with a stable secret', async () => {
    const args = [PROGRAM, 'listen', '--forward-to', `${receiver.url}/local`, '--events', 'agent.created'];
    const child = spawn(process.execPath, args, { env: environment(), stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    try {
      for (let waited = 0; !output.includes('Signing secret') && waited < 10_000; waited += 20) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      const secret = /whsec_\S{44}/.exec(output)?.[0] as string;
      assert.equal(secret, (await world.rest('POST', '/ap2/admin/events/secret', {})).body.secret);
      await world.rest('POST', '/ap2/intents', world.intentBody(5));
      const agent = await world.newAgent();
      const [received] = (await receiver.wait(1, ({ path }) => path === '/local')) as [Received];
      assert.equal(received.event.data.agentDid, agent.did, 'only what was asked for');
      assert.ok(isSigned(received, secret) && isSignedByStandard(received, secret));
      for (let waited = 0; !/agent\.created .*200 in/.test(output) && waited < 2000; waited += 20) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      assert.match(output, /agent\.created {2}evt_\w{26} → .*200 in \d+ ms/);
    } finally {
      child.kill('SIGTERM');
    }
  });

  test('a program that does not listen is told in words, and not by what fetch throws', async () => {
    const address = `http://127.0.0.1:${await freePort()}/events`;
    const args = [PROGRAM, 'listen', '--forward-to', address, '--events', 'agent.created'];
    const child = spawn(process.execPath, args, { env: environment(), stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    try {
      await until('it listens', async () => output.includes('Signing secret'));
      await world.newAgent();
      await until('the event is shown', async () => output.includes('agent.created'));
      assert.match(output, /agent\.created {2}evt_\w{26} → .*nothing listens there; start your program/);
    } finally {
      child.kill('SIGTERM');
    }
  });

  test('each event can be caused', async () => {
    const start = (await world.rest('GET', '/ap2/admin/events')).body.cursor;
    const events = Object.keys(CAUSES) as WebhookEventType[];
    await Promise.all(events.map((event) => causeEvent(world.client, event)));
    const seen = new Set<string>();
    for (let cursor = start; ; ) {
      const tail = (await world.rest('GET', `/ap2/admin/events?cursor=${cursor}`)).body;
      for (const { type } of tail.events) seen.add(type);
      if (tail.events.length === 0) break;
      cursor = tail.cursor;
    }
    assert.deepEqual([...seen].sort(), events.toSorted());
    const { stdout } = await runHere(['trigger', 'agent.created'], environment());
    assert.match(stdout, /^agent\.created was caused, by the agent did:key:z6Mk\w+\.\n$/);
  });
});
