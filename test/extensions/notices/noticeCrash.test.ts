/**
 * kill -9 of a node between the commit that makes a notice and its way out: it arrives once after the next start. Killed while its
 * receiver has it and has not answered yet, it may arrive twice, and a mail then has the same id.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { softAuthenticator } from '../../../src/cli/demo/softAuthenticator.ts';
import { type ChildNode, freePort, startChild } from '../../support/child.ts';
import { everyEngine } from '../../support/engines.ts';
import { type MailServer, startMailServer, textsOf } from '../../support/mailServer.ts';
import { makePeer } from '../../support/peer.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { ADMIN_KEY, type Loose } from '../../support/world.ts';

const NOTIFICATIONS = '/ap2/auth/notifications';

for (const engine of everyEngine()) {
  describe(`notices of a node that is killed, on ${engine.name}`, () => {
    test('one that was committed and did not get out arrives once after the next start, by webhook and by mail', async () => {
      await withNode(async ({ node, start, mail, double, did }) => {
        // Nothing of it can leave: its receivers take connections and say nothing.
        const held = holdAnswers(double);
        mail.recipientCode = 421;
        await suspend(node(), did);
        await held.arrived(1);
        await node().kill();
        // What the killed node had posted was never answered, so that its receiver counts it as not come.
        double.received.length = 0;
        held.release();
        mail.recipientCode = 250;
        await start();
        await double.wait(1);
        await mail.wait(2);
        await settled(node());
        assert.equal(double.received.length, 1);
        assert.deepEqual(
          mail.received.map(({ headers }) => headers.get('subject')),
          ['Confirm this address', 'An agent is frozen'],
        );
      });
    });

    test('a mail that was taken by a server which never said so comes again under the same id', async () => {
      await withNode(async ({ node, start, mail, did }) => {
        let isTaken = () => {};
        const taken = new Promise<void>((resolve) => {
          isTaken = resolve;
        });
        // The server has the whole mail, and its answer is never seen.
        mail.onMail = () => {
          isTaken();
          return new Promise<void>((resolve) => setTimeout(resolve, 300));
        };
        await suspend(node(), did);
        await taken;
        await node().kill();
        mail.onMail = async () => {};
        await start();
        await mail.wait(3);
        await settled(node());
        const [, first, second] = mail.received;
        assert.equal(mail.received.length, 3);
        assert.equal(first?.headers.get('message-id'), second?.headers.get('message-id'));
      });
    });
  });

  describe(`a node with a mail server that hangs, on ${engine.name}`, () => {
    test('ends at SIGTERM all the same, and the next start sends what was under way', async () => {
      await withNode(async ({ node, start, mail, did }) => {
        let isTaken = () => {};
        const taken = new Promise<void>((resolve) => {
          isTaken = resolve;
        });
        // It has the whole mail, and neither keeps it nor says a word.
        mail.onMail = () => {
          isTaken();
          return new Promise<void>(() => {});
        };
        await suspend(node(), did);
        await taken;
        const asked = Date.now();
        assert.equal(await node().stop(), 0);
        assert.ok(Date.now() - asked < 15_000, 'it waits a while for the answer, and no longer');
        mail.onMail = async () => {};
        await start();
        const subjects = (await mail.wait(2)).map(({ headers }) => headers.get('subject'));
        assert.ok(subjects.includes('An agent is frozen'));
      });
    });
  });

  interface Stage {
    node(): ChildNode;
    start(): Promise<void>;
    readonly mail: MailServer;
    readonly double: Receiver;
    /** Of an agent whose freezing is told. */
    readonly did: string;
  }

  async function withNode(play: (stage: Stage) => Promise<void>): Promise<void> {
    const database = await engine.open();
    await database.store.close();
    const dataDir = await mkdtemp(join(tmpdir(), 'countersign-notice-crash-'));
    const [mail, double] = [await startMailServer(), await startReceiver()];
    const env = {
      DATA_DIR: dataDir,
      PORT: String(await freePort()),
      BOOTSTRAP_API_KEY: ADMIN_KEY,
      SANDBOX_RATE_PER_MINUTE: '100000',
      SANDBOX_BURST: '100000',
      WEBHOOK_RETRY_SECONDS: '0,1,1,1,1,1',
      SMTP_URL: mail.url,
      SMTP_FROM: 'node@mail.example',
      ...(database.url === undefined ? {} : { DATABASE_URL: database.url }),
    };
    let node = await startChild(env);
    try {
      const userId = await enter(node);
      const of = { userId, about: ['agents'] };
      const slack = { ...of, kind: 'slack', url: `${double.url}/services/T/B/x`, name: 'slack' };
      await ask(node, 'POST', NOTIFICATIONS, slack);
      const place = await ask(node, 'POST', NOTIFICATIONS, {
        ...of,
        kind: 'email',
        address: 'ada@mail.example',
        name: 'mail',
      });
      const [asked] = await mail.wait(1);
      const code = /is ([0-9A-Z-]{9})\./.exec(asked === undefined ? '' : textsOf(asked).join())?.[1];
      await ask(node, 'POST', `${NOTIFICATIONS}/${place.id}/confirm`, { code, userId });
      const { did } = await ask(node, 'POST', '/ap2/agents', { name: 'agent', publicKey: makePeer().publicKey });
      const start = async () => {
        node = await startChild(env);
      };
      await play({ node: () => node, start, mail, double, did });
      assert.equal(await node.stop(), 0);
    } finally {
      await node.kill();
      await double.close();
      await mail.close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    }
  }
}

async function ask(node: ChildNode, method: string, path: string, body?: unknown, key = ADMIN_KEY): Promise<Loose> {
  const response = await fetch(node.address + path, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  assert.ok(response.ok, text);
  return response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text;
}

const suspend = (node: ChildNode, did: string) => ask(node, 'POST', `/ap2/admin/agents/${did}/suspend`);

/** An OWNER, whose notifications they are. */
async function enter(node: ChildNode): Promise<string> {
  const { url, userId } = await ask(node, 'POST', '/ap2/admin/invitations', { role: 'OWNER' });
  const phone = softAuthenticator(() => ({ origin: new URL(url).origin, rpId: new URL(url).hostname }));
  const given = { token: url.split('/welcome/')[1], name: 'Ada' };
  const { publicKey } = await ask(node, 'POST', '/ap2/auth/invitations/begin', given);
  await ask(node, 'POST', '/ap2/auth/invitations/accept', { ...given, credential: phone.create(publicKey) });
  return userId;
}

/** Has a receiver take what comes and answer nothing. */
function holdAnswers(double: Receiver) {
  let arrived = 0;
  double.answer = () => {
    arrived += 1;
  };
  return {
    async arrived(count: number): Promise<void> {
      for (let waited = 0; arrived < count; waited += 10) {
        assert.ok(waited < 10_000, 'nothing came');
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
    release() {
      double.answer = (response) => response.end('ok');
    },
  };
}

/** Waits until the node says that nothing is left to deliver. */
async function settled(node: ChildNode): Promise<void> {
  for (let waited = 0; waited < 30_000; waited += 50) {
    const metrics: string = await ask(node, 'GET', '/metrics');
    if (/^countersign_webhook_outbox 0$/m.test(metrics)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail('notices are left in the outbox');
}
