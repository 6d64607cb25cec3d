/** Who reads all that a node puts out finds no key of a wallet in it, no address of its chain's provider, and no token of MPP. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { makeAgent } from '../../client/index.ts';
import { WEBHOOK_EVENTS } from '../../protocol/webhook/event.ts';
import { headerText } from '../../protocol/x402/paymentRequired.ts';
import { type ChainDouble, openChain } from '../support/chainDouble.ts';
import { type ChildNode, startChild } from '../support/child.ts';
import { everyEngine } from '../support/engines.ts';
import { mppChallenge } from '../support/mppChallenge.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { type StripeDouble, startStripe } from '../support/stripe/double.ts';
import { until } from '../support/until.ts';
import { ADMIN_KEY, type Loose } from '../support/world.ts';
import { BASE, WALLET_KEY, x402Offer, x402Required, x402Response } from '../support/x402Offer.ts';

const HEADERS = { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' };
const AUTHORIZE = '/ap2/http-payments/authorize';
const SETTLEMENTS = '/ap2/http-payments/settlements';
/** In the path of the address where the chain is asked. */
const PROVIDER_SECRET = 'key-of-the-provider';

/** A text as it may stand somewhere, in bytes: itself, and what encodings make of it. */
function formsOf(text: string): readonly Buffer[] {
  const bytes = Buffer.from(text);
  // What is whole in base64 wherever it begins: of three beginnings, without the ends that depend on what is around.
  const encoded = [0, 1, 2].flatMap((shift) => {
    const padded = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    const inner = padded.slice(4, -4);
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
  });
  return [bytes, ...[bytes.toString('hex'), ...encoded].map((each) => Buffer.from(each))];
}

/** Those of a key of 32 bytes, in digits of either case too. */
function formsOfKey(key: string): readonly Buffer[] {
  const digits = key.slice(2);
  const raw = Buffer.from(digits, 'hex');
  return [raw, ...[digits, digits.toUpperCase()].flatMap(formsOf), ...formsOf(raw.toString('latin1'))];
}

function holds(output: Buffer, secret: readonly Buffer[]): boolean {
  return secret.some((form) => output.includes(form));
}

for (const engine of everyEngine()) {
  describe(`what a node on ${engine.name} puts out`, () => {
    const { did: agentDid, publicKey } = makeAgent();
    let stripe: StripeDouble;
    let chain: ChainDouble;
    let receiver: Receiver;
    let dataDir: string;
    let database: Awaited<ReturnType<typeof engine.prepare>>;
    let node: ChildNode;
    /** Of all requests but those that are answered with a token or a transfer, which the agent asked for. */
    const answers: string[] = [];
    /** Of those. */
    const credentials: string[] = [];
    let spt = '';
    let signature = '';

    const send = async (method: string, path: string, body?: string) => {
      const init = { method, headers: HEADERS, ...(body === undefined ? {} : { body }) };
      const response = await fetch(node.address + path, init);
      const text = await response.text();
      (path === AUTHORIZE ? credentials : answers).push(text);
      return { status: response.status, text };
    };
    const ask = async (path: string, body?: object): Promise<Loose> => {
      const { status, text } = await send(body === undefined ? 'GET' : 'POST', path, JSON.stringify(body));
      assert.ok(status < 300, `${path}: ${text}`);
      return JSON.parse(text);
    };
    const refused = async (path: string, body: string, code: number) => {
      const { status, text } = await send('POST', path, body);
      assert.equal(status, code, text);
    };

    before(async () => {
      stripe = await startStripe();
      chain = await openChain(8453, Math.floor(Date.now() / 1000));
      receiver = await startReceiver();
      dataDir = await mkdtemp(join(tmpdir(), 'countersign-secrets-'));
      database = await engine.prepare(dataDir);
      node = await startChild({
        ...{ DATA_DIR: dataDir, BOOTSTRAP_API_KEY: ADMIN_KEY, LOG_LEVEL: 'debug' },
        ...{ ...stripe.env(), STRIPE_SPT: 'true', ...database.env },
      });
      await ask('/ap2/agents', { name: 'buyer', publicKey });
      const rules = { version: '2.0', spend: { amount_cap: 1000 }, merchant: { allow_unbound_payees: true } };
      await ask('/ap2/admin/policies', { name: 'wide', rules, activate: true });
      await ask('/ap2/admin/webhooks', { url: `${receiver.url}/hook`, events: WEBHOOK_EVENTS });
    });
    after(async () => {
      await node.kill();
      await receiver.close();
      await chain.close();
      await stripe.close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    });

    test('while a wallet is added, refused, shown and kept from removal, and while it pays', async () => {
      const wallet = { network: BASE, privateKey: WALLET_KEY, rpcUrl: chain.url };
      await refused('/ap2/admin/wallets', JSON.stringify({ ...wallet, network: 'base' }), 400);
      await refused('/ap2/admin/wallets', JSON.stringify({ ...wallet, privateKey: `${WALLET_KEY}0` }), 400);
      await refused('/ap2/admin/wallets', JSON.stringify({ ...wallet, key: WALLET_KEY }), 400);
      await refused('/ap2/admin/wallets', `{"privateKey": "${WALLET_KEY}", `, 400);
      await refused(
        '/ap2/admin/wallets',
        JSON.stringify({ ...wallet, rpcUrl: `http://10.0.0.1/${PROVIDER_SECRET}` }),
        400,
      );
      const { id } = await ask('/ap2/admin/wallets', wallet);
      await refused('/ap2/admin/wallets', JSON.stringify(wallet), 409);
      await ask(`/ap2/admin/wallets/${id}`);
      await ask('/ap2/admin/wallets');
      const paymentRequired = headerText(x402Required([x402Offer()]));
      const body = { agentDid, url: 'https://reports.example/1', paymentRequired, idempotencyKey: 'one' };
      const { mandateId, paymentPayload } = await ask(AUTHORIZE, body);
      signature = paymentPayload.payload.signature;
      await ask(AUTHORIZE, body);
      await refused(AUTHORIZE, JSON.stringify({ ...body, url: 'https://reports.example/2' }), 409);
      const removal = await send('DELETE', `/ap2/admin/wallets/${id}`);
      assert.equal(removal.status, 409, removal.text);
      chain.isUp = false;
      await ask(SETTLEMENTS, { mandateId, status: 402 });
      chain.isUp = true;
      chain.settle(paymentPayload.payload.authorization.nonce);
      await ask(SETTLEMENTS, { mandateId, paymentResponse: x402Response(), status: 200 });
      await ask(`/ap2/payments/${mandateId}`);
    });

    test('while a challenge of MPP is paid, revoked and paid again', async () => {
      const body = { agentDid, url: 'https://reports.example/3', challenges: [mppChallenge({ id: 'c1' })] };
      const first = await ask(AUTHORIZE, body);
      spt = first.credential.payload.spt;
      await ask(SETTLEMENTS, { mandateId: first.mandateId, status: 500 });
      await ask(SETTLEMENTS, { mandateId: first.mandateId, status: 402 });
      const second = await ask(AUTHORIZE, { ...body, challenges: [mppChallenge({ id: 'c2' })] });
      assert.equal(second.allowed, true, JSON.stringify(second));
    });

    test('has the secrets nowhere: in answers, events, bundles, deliveries, records, logs and what is stored', async () => {
      const events = await ask('/ap2/evidence/search?limit=200');
      for (const path of [
        '/ap2/payments',
        '/ap2/decisions',
        '/ap2/intents',
        '/ap2/admin/events',
        '/ap2/admin/webhooks',
      ]) {
        await ask(path);
      }
      await ask('/ap2/admin/health');
      for (const id of new Set(events.data.map(({ data }: Loose) => data.transactionId))) {
        if (id !== undefined) await ask(`/ap2/evidence/bundle/${id}?format=portable`);
      }
      const delivered = (await receiver.wait(4)).map(({ raw, headers }) => raw + JSON.stringify(headers));
      const outputs = {
        answers: Buffer.from(answers.join('\n')),
        credentials: Buffer.from(credentials.join('\n')),
        deliveries: Buffer.from(delivered.join('\n')),
        logs: Buffer.from(node.output()),
        stored: await stored(),
      };
      assert.ok(outputs.logs.includes('"level"') && outputs.logs.length > 5000, 'at debug level much is logged');
      assert.ok(outputs.stored.includes('PAYMENT_CAPTURED') && outputs.answers.includes('WALLET_ADDED'));
      assert.ok(delivered.some((text) => text.includes('payment.captured')));
      const encoded = Buffer.from(`of it ${WALLET_KEY.toUpperCase()}!`).toString('base64url');
      assert.ok(holds(Buffer.from(encoded), formsOfKey(WALLET_KEY)), 'what is searched for would be found');
      assert.ok(holds(outputs.credentials, formsOf(spt)) && holds(outputs.credentials, formsOf(signature)));
      for (const [where, output] of Object.entries(outputs)) {
        assert.ok(!holds(output, formsOfKey(WALLET_KEY)), `the key of a wallet in ${where}`);
        assert.ok(!holds(output, formsOf(PROVIDER_SECRET)), `the provider's key in ${where}`);
        if (where === 'credentials') continue;
        assert.ok(!holds(output, formsOf(spt)), `the token in ${where}`);
        assert.ok(!holds(output, formsOf(signature.slice(2))), `the transfer's signature in ${where}`);
      }
    });

    /** A backup as an owner downloads it; on PostgreSQL every row of every table, as pg_dump has them. */
    async function stored(): Promise<Buffer> {
      const url = database.env['DATABASE_URL'];
      if (url === undefined) return backup();
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      try {
        const names = `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
           WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`;
        const texts: string[] = [];
        for (const { name } of (await client.query(names)).rows) {
          const { rows } = await client.query(`SELECT * FROM ${name}`);
          for (const row of rows) {
            texts.push(
              ...Object.values(row).map((each) => (Buffer.isBuffer(each) ? each.toString('latin1') : String(each))),
            );
          }
        }
        return Buffer.from(texts.join('\n'), 'latin1');
      } finally {
        await client.end();
      }
    }

    async function backup(): Promise<Buffer> {
      await ask('/ap2/admin/backups', {});
      await until('the backup', async () => (await ask('/ap2/admin/backups/latest')).state === 'READY', 60_000);
      const response = await fetch(`${node.address}/ap2/admin/backups/latest/file`, { headers: HEADERS });
      assert.equal(response.status, 200);
      return Buffer.from(await response.arrayBuffer());
    }
  });
}
