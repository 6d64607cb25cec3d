/** Enrollment links and approvals by the command line, with a node running and on its data folder. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startChild } from '../../support/child.ts';
import { everyEngine } from '../../support/engines.ts';
import { askForApproval, makePerson } from '../../support/person.ts';
import { ADMIN_KEY, type Loose, makeWorld, type World } from '../../support/world.ts';
import { runHere } from '../runHere.ts';

/** Runs a command that is done. @returns what it printed */
async function countersign(words: string[], env: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await runHere(words, env);
  assert.equal(code, 0, stderr);
  return stdout;
}

const [engine] = everyEngine();

describe('approvals by the command line', () => {
  let world: World;
  before(async () => {
    assert.ok(engine);
    world = await makeWorld(engine);
  });
  after(() => world.close());

  test('a link is printed with its QR code, and enrolls', async () => {
    const env = { COUNTERSIGN_URL: world.node.address, COUNTERSIGN_API_KEY: ADMIN_KEY };
    const text = await countersign(['agent', 'enroll-link', world.agent.did, '--device', 'phone'], env);
    assert.match(text, /[▀▄█]{3}/, 'a QR code in half blocks');
    const url = /http:\/\/localhost:\d+\/enroll\/[\w-]{43}/.exec(text)?.[0] ?? '';
    const shown = await world.rest('GET', `${new URL(url).pathname}/link`, undefined, {});
    assert.equal(shown.body.deviceName, 'phone');
    const link = JSON.parse(await countersign(['agent', 'enroll-link', world.agent.did, '--json'], env)) as Loose;
    assert.match(link.url, /\/enroll\//);
  });

  test('requests are listed and denied', async () => {
    await makePerson(world).enroll();
    const { approval } = await askForApproval(world);
    const env = { COUNTERSIGN_URL: world.node.address, COUNTERSIGN_API_KEY: ADMIN_KEY };
    assert.match(
      await countersign(['approvals', 'list'], env),
      new RegExp(`${approval.id}  pending .* 150\\.00 USD  shop`),
    );
    const shown = await countersign(['approvals', 'show', approval.id], env);
    assert.match(shown, /pending/);
    assert.doesNotMatch(shown, /people/, 'where one person alone is asked');
    await countersign(['approvals', 'deny', approval.id], env);
    const denied = JSON.parse(await countersign(['approvals', 'list', '--status', 'denied', '--json'], env)) as Loose;
    assert.equal(denied[0].id, approval.id);
  });

  test('commands work on the data folder without a node', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'countersign-cli-'));
    try {
      const child = await startChild({ DATA_DIR: dataDir, BOOTSTRAP_API_KEY: ADMIN_KEY });
      const made = await fetch(`${child.address}/ap2/agents`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ name: 'offline', publicKey: world.agent.publicKey }),
      });
      assert.equal(made.status, 201);
      await child.stop();
      const env = { DATA_DIR: dataDir, BASE_URL: 'http://pay.example' };
      const text = await countersign(['agent', 'enroll-link', world.agent.did], env);
      assert.match(text, /http:\/\/pay\.example\/enroll\//);
      assert.match(text, /Passkeys will not work/);
      assert.match(await countersign(['approvals', 'list'], env), /There are none/);
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  });

  test('a node at an address without passkeys warns at start, with the remedy', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'countersign-cli-'));
    try {
      const child = await startChild({ DATA_DIR: dataDir, BASE_URL: 'http://192.168.1.4:8402' });
      await child.stop();
      assert.match(child.output(), /Passkeys will not work: .*set BASE_URL/);
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
