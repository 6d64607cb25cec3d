/** kill -9 between the commit and the answer of a payment credential, and while one is given back: nothing is lost, doubled or half done. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { makeAgent } from '../../client/index.ts';
import { type ChildNode, freePort, startChild } from '../support/child.ts';
import { everyEngine, type TestDatabase } from '../support/engines.ts';
import { IntentParties, intentBudget } from '../support/intents.ts';
import { ADMIN_KEY, type Loose } from '../support/world.ts';

const ADMIN = { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' };
/** When a node is killed after a request was sent, in milliseconds: before, in and after its commit, as it happens. */
const DELAYS_MS = [0, 2, 4, 6, 9, 14] as const;

for (const engine of everyEngine()) {
  describe(`a payment credential whose node is killed, on ${engine.name}`, () => {
    const parties = new IntentParties(Date.now);
    const { did: agentDid, publicKey } = makeAgent();
    let dataDir: string;
    let database: TestDatabase;
    let env: Record<string, string>;
    let node: ChildNode;

    const send = (path: string, body?: Loose, headers: Record<string, string> = {}) =>
      fetch(node.address + path, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { ...ADMIN, ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const ask = async (path: string, body?: Loose, headers?: Record<string, string>): Promise<Loose> => {
      const response = await send(path, body, headers);
      const text = await response.text();
      assert.ok(response.ok, `${path}: ${text}`);
      return JSON.parse(text);
    };
    const start = async (dieBefore = '') => {
      const hook = pathToFileURL('test/support/dieBeforeAnswer.mjs').href;
      // A gate in a thread of its own would be started without the hook.
      node = await startChild({ ...env, GATES: '0', NODE_OPTIONS: `--import=${hook}`, DIE_BEFORE: dieBefore });
    };
    const restart = async (dieBefore = '') => {
      await node.kill();
      await start(dieBefore);
    };
    /** Sends a request to a node that dies in place of the answer, and starts the next one. */
    const dying = async (dieBefore: string, path: string, body: Loose) => {
      await restart(dieBefore);
      await assert.rejects(send(path, body), 'no answer came');
      assert.equal(await node.ended(), null, 'the node was killed');
      await start();
    };
    const credential = (body: Loose) => ask('/ap2/payment-credentials', { agentDid, ...body });
    const eventsOf = async (eventType: string, intentId: string): Promise<number> => {
      const { data } = await ask(`/ap2/evidence/search?eventType=${eventType}&limit=100`);
      return data.filter((event: Loose) => [event.data.intentId, event.data.mandateId].includes(intentId)).length;
    };
    const formOf = (intentId: string) => ask(`/ap2/credentials/${intentId}`, undefined, { Accept: 'application/vc' });
    /** Whether the bit of an intent's form is set, as the node's list says. */
    const isOver = async ({ credentialStatus }: Loose): Promise<boolean> => {
      const list = await ask(new URL(credentialStatus.statusListCredential).pathname);
      const bits = gunzipSync(Buffer.from(list.credentialSubject.encodedList.slice(1), 'base64url'));
      const index = Number(credentialStatus.statusListIndex);
      return ((Number(bits[index >> 3]) >> (7 - (index % 8))) & 1) === 1;
    };

    before(async () => {
      dataDir = await mkdtemp(join(tmpdir(), 'countersign-mandate-crash-'));
      database = await engine.open();
      await database.store.close();
      const port = String(await freePort());
      env = {
        ...{ DATA_DIR: dataDir, PORT: port, BASE_URL: `http://127.0.0.1:${port}`, BOOTSTRAP_API_KEY: ADMIN_KEY },
        ...(database.url === undefined ? {} : { DATABASE_URL: database.url }),
      };
      await start();
      await ask('/ap2/agents', { name: 'buyer', publicKey });
      await ask('/ap2/admin/mandate-issuers', parties.issuerKey);
      const rules = { version: '2.0', spend: { amount_cap: 100_000 } };
      await ask('/ap2/admin/policies', { name: 'wide', rules, activate: true });
    });
    after(async () => {
      await node.kill();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    });

    test('between commit and answer: the same key gets the answer that was never sent, and one use is counted', async () => {
      const delegation = parties.delegate([intentBudget(6000)]);
      const body = { ...parties.close(delegation), idempotencyKey: 'a-purchase-of-20' };
      await dying('"approvalToken"', '/ap2/payment-credentials', { agentDid, ...body });
      const answer = await credential(body);
      assert.equal(answer.allowed, true);
      assert.deepEqual(await credential(body), answer);
      assert.equal(await eventsOf('MANDATE_ACCEPTED', answer.intentId), 1);
      const { idempotencyKey: _, ...anew } = body;
      assert.deepEqual((await credential(anew)).reasonCodes, ['MANDATE_USED']);
      const { details } = await credential(parties.close(delegation, { amount: 4001 }));
      assert.equal(details.SPENDING_LIMIT_EXCEEDED.used, 20, 'counted once');
      assert.equal((await credential(parties.close(delegation, { amount: 4000 }))).allowed, true);

      const form = await formOf(answer.intentId);
      assert.equal(await isOver(form), false);
      await dying('"pmVc"', '/ap2/payments/mandate', { approvalToken: answer.approvalToken });
      assert.equal((await ask(`/ap2/intents/${answer.intentId}`)).status, 'USED');
      assert.equal(await isOver(form), true);
      assert.equal(await eventsOf('PM_ISSUED', answer.intentId), 1);
    });

    test('between commit and answer of giving it back: the intent has ended, its bit is set, and its budget is free', async () => {
      const delegation = parties.delegate([intentBudget(2000)]);
      const { approvalToken, intentId } = await credential(parties.close(delegation));
      const form = await formOf(intentId);
      await dying('"revoked"', '/ap2/payment-credentials/revoke', { approvalToken });
      assert.equal((await ask(`/ap2/intents/${intentId}`)).status, 'EXPIRED');
      assert.equal(await isOver(form), true);
      assert.equal(await eventsOf('INTENT_EXPIRED', intentId), 1);
      assert.equal((await credential(parties.close(delegation))).allowed, true);
    });

    test('at any moment of it: the intent’s end, its bit and its budget are all there, or none of them', async () => {
      for (const delay of DELAYS_MS) {
        const delegation = parties.delegate([intentBudget(2000)]);
        const { approvalToken, intentId } = await credential(parties.close(delegation));
        const form = await formOf(intentId);
        const cut = send('/ap2/payment-credentials/revoke', { approvalToken }).catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, delay));
        await restart();
        await cut;
        const ended = (await ask(`/ap2/intents/${intentId}`)).status === 'EXPIRED';
        assert.equal(await isOver(form), ended, `after ${delay} ms`);
        assert.equal(await eventsOf('INTENT_EXPIRED', intentId), ended ? 1 : 0);
        const { allowed = false, reasonCodes } = await credential(parties.close(delegation));
        assert.equal(allowed, ended, JSON.stringify(reasonCodes));
      }
    });
  });
}
