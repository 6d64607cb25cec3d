/** Where notifications go, chosen from the command line by a key that the node made, for a user whom it names. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../../support/engines.ts';
import { type MailServer, startMailServer, textsOf } from '../../support/mailServer.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { signInUser } from '../../support/signInUser.ts';
import { ADMIN_KEY, makeWorld, type World } from '../../support/world.ts';
import { runHere } from '../runHere.ts';

describe('notifications on the command line', () => {
  let world: World;
  let server: MailServer;
  let double: Receiver;
  let user: string;
  before(async () => {
    const [engine] = everyEngine();
    assert.ok(engine);
    server = await startMailServer();
    double = await startReceiver();
    world = await makeWorld(engine, { SMTP_URL: server.url, SMTP_FROM: 'node@mail.example' });
    user = (await signInUser(world, 'OWNER', 'Ada')).userId;
  });
  after(async () => {
    await world.close();
    await double.close();
    await server.close();
  });
  const run = (...words: string[]) =>
    runHere(['notify', ...words], { COUNTERSIGN_URL: world.node.address, COUNTERSIGN_API_KEY: ADMIN_KEY });
  const json = async (...words: string[]) => {
    const { code, stderr, json: parsed } = await run(...words, '--user', user, '--json');
    assert.equal(code, 0, stderr);
    return parsed();
  };

  test('a place is added, tested, listed and removed', async () => {
    const url = `${double.url}/services/T/B/slackSecret`;
    const { id } = await json('add', 'slack', url, '--about', 'approvals,disputes', '--name', 'ops');
    assert.equal((await json('test', id)).outcome, 'delivered');
    double.answer = (response) => void response.writeHead(500).end();
    const failed = await run('test', id, '--user', user);
    assert.deepEqual(
      [failed.code, /It failed \(status\), answered by 500/.test(failed.stdout)],
      [1, true],
      failed.stdout,
    );
    const listed = await run('list', '--user', user);
    assert.match(listed.stdout, new RegExp(`${id} +slack +failing since .* ops .*approvals,disputes`));
    assert.ok(!listed.stdout.includes('slackSecret'), listed.stdout);
    assert.deepEqual(await json('remove', id), { id, removed: true });
    assert.deepEqual(await json('list'), []);
  });

  test('an e-mail address is confirmed by its code', async () => {
    const added = await run('add', 'email', 'ada@mail.example', '--user', user);
    const id = /ntc_\w+/.exec(added.stdout)?.[0] ?? '';
    assert.match(added.stdout, /A code was sent there; give it back: countersign notify confirm ntc_/);
    const [mail] = await server.wait(1);
    const code = /is ([0-9A-Z-]{9})\./.exec(mail === undefined ? '' : textsOf(mail).join())?.[1] ?? '';
    assert.match((await run('list', '--user', user)).stdout, /unconfirmed/);
    const at = ['--about', 'digest', '--weekday', '5', '--hour', '17', '--timezone', 'Europe/Berlin'];
    const weekly = await json('add', 'plain', `${double.url}/x`, ...at);
    assert.deepEqual(weekly.digest, { weekday: 5, hour: 17, timezone: 'Europe/Berlin' });
    await json('remove', weekly.id);
    assert.equal((await json('confirm', id, code)).silent, undefined);
    await json('remove', id);
  });

  test('a bot’s token comes from a file, and a key without a user is told what it lacks', async () => {
    const file = join(tmpdir(), `countersign-token-${process.pid}`);
    writeFileSync(file, '123456:AAExampleExampleExampleExample0123\n', { mode: 0o600 });
    const { id, url } = await json('add', 'telegram', '-1001234567', '--token-file', file);
    assert.equal(url, 'https://api.telegram.org');
    await json('remove', id);
    const nameless = await run('list');
    assert.equal(nameless.code, 1);
    assert.match(nameless.stderr, /this caller is none: log in, or name a user/);
  });
});
