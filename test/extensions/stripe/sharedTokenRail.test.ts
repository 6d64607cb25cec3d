/** Tokens that pay servers which ask by HTTP: whatever a merchant, an agent and the network do, the books have what Stripe's token shows. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import pg from 'pg';
import { toBase64url } from '../../../protocol/credential/encodings.ts';
import { everyEngine } from '../../support/engines.ts';
import { mppChallenge } from '../../support/mppChallenge.ts';
import { type StripeDouble, type StripeRequest, startStripe } from '../../support/stripe/double.ts';
import { until } from '../../support/until.ts';
import { type Loose, makeWorld, type World } from '../../support/world.ts';

const REPORT_URL = 'https://reports.example/report';
const TOKENS = '/v1/shared_payment/issued_tokens';
const isIssue = ({ method, path }: StripeRequest) => method === 'POST' && path === TOKENS;
const isRevoke = ({ path }: StripeRequest) => path.endsWith('/revoke');
const isLook = ({ method, path }: StripeRequest) => method === 'GET' && path.startsWith(TOKENS);

const receiptOf = (reference: string) =>
  toBase64url(new TextEncoder().encode(JSON.stringify({ method: 'stripe', status: 'success', reference })));

for (const engine of everyEngine()) {
  describe(`tokens of Stripe that pay by HTTP, on ${engine.name}`, () => {
    let world: World;
    let stripe: StripeDouble;
    let folder = '';
    let databaseUrl = '';
    let agentDid = '';
    let serial = 0;
    const spts: string[] = [];
    before(async () => {
      stripe = await startStripe();
      const schedule = { RAIL_TIMEOUT_SECONDS: '1', RAIL_RETRY_SECONDS: '0' };
      folder = await mkdtemp(join(tmpdir(), 'countersign-tokens-'));
      const prepare: typeof engine.prepare = async (dataDir) => {
        const made = await engine.prepare(dataDir);
        databaseUrl = made.env['DATABASE_URL'] ?? '';
        return made;
      };
      world = await makeWorld(
        { name: engine.name, prepare },
        { ...stripe.env(), ...schedule, STRIPE_SPT: 'true', DATA_DIR: folder },
      );
      stripe.webhooks.target = `${world.node.address}/ap2/rails/stripe/events`;
    });
    after(async () => {
      await stripe.close();
      await world.close();
      await rm(folder, { recursive: true, force: true });
    });
    beforeEach(async () => {
      agentDid = (await world.newAgent()).did;
    });
    afterEach(async () => {
      stripe.faultOf = () => undefined;
      stripe.webhooks.delivery = 'once';
      [world.clock.aheadMs, stripe.tokens.aheadMs] = [0, 0];
      await stripe.webhooks.settled();
    });

    const ask = (id: string, more: object = {}, asked: object = {}) =>
      world.rest('POST', '/ap2/http-payments/authorize', {
        agentDid,
        url: REPORT_URL,
        challenges: [mppChallenge({ id, ...asked })],
        ...more,
      });
    const next = () => `challenge-${++serial}`;
    const authorize = async (asked: object = {}): Promise<{ id: string; mandateId: string; spt: string }> => {
      const id = next();
      const { body, text } = await ask(id, {}, asked);
      assert.equal(body.allowed, true, text);
      const { spt } = body.credential.payload;
      spts.push(spt);
      return { id, mandateId: body.mandateId, spt };
    };
    const settle = async (report: object): Promise<Loose> =>
      (await world.rest('POST', '/ap2/http-payments/settlements', report)).body;
    const payment = async (id: string): Promise<Loose> => (await world.rest('GET', `/ap2/payments/${id}`)).body;
    const becomes = (id: string, status: string) =>
      until(`${id} ${status}`, async () => (await payment(id)).status === status);
    /** As the merchant does it. @returns the status of Stripe's answer */
    const take = async (spt: string, amount = 500): Promise<number> => {
      const body = new URLSearchParams({ amount: String(amount), currency: 'usd', shared_payment_granted_token: spt });
      const key = Object.values(stripe.env())[0] as string;
      const headers = { Authorization: `Bearer ${key}`, 'Idempotency-Key': `mpp_${++serial}` };
      return (await fetch(`${stripe.url}/v1/payment_intents`, { method: 'POST', headers, body })).status;
    };
    const missed = () => {
      stripe.webhooks.delivery = 'never';
    };
    const stands = async (mandateId: string) => {
      const { status, captured } = await payment(mandateId);
      return [status, captured];
    };
    /** Both clocks go on, until the token's end and a minute more are over. */
    const pass = (seconds: number) => {
      [world.clock.aheadMs, stripe.tokens.aheadMs] = [seconds * 1000, seconds * 1000];
    };
    const soon = (seconds = 30) => ({ expires: new Date(Date.now() + seconds * 1000).toISOString() });

    test('are made for the payee, over the exact amount, until the challenge ends or five minutes are over', async () => {
      const { mandateId, spt } = await authorize();
      assert.deepEqual(await stands(mandateId), ['AUTHORIZED', 0]);
      const token = stripe.tokens.tokens.get(spt);
      assert.equal(token?.seller_details.network_business_profile, 'profile_reports');
      assert.equal(token?.usage_limits.max_amount, 500);
      assert.ok(Number(token?.usage_limits.expires_at) <= Date.now() / 1000 + 301);
      const short = await authorize(soon());
      assert.ok(Number(stripe.tokens.tokens.get(short.spt)?.usage_limits.expires_at) <= Date.now() / 1000 + 31);
    });

    test('that Stripe refuses leave a payment that failed', async () => {
      const cards = [
        ['pm_card_visa_chargeDeclined', /card_declined/],
        ['pm_card_authenticationRequired', /authentication_required/],
      ] as const;
      for (const [instrument, said] of cards) {
        const { body } = await ask(next(), { instrument });
        assert.equal(body.allowed, false, JSON.stringify(body));
        assert.deepEqual(body.reasonCodes, ['RAIL_UNAVAILABLE']);
        assert.match(body.details.RAIL_UNAVAILABLE.message, said);
      }
      const { body } = await world.rest('GET', '/ap2/payments?status=FAILED');
      assert.equal(body.data.length, cards.length);
    });

    test('whose answer is lost are asked for under the same key, and are one token', async () => {
      const before = stripe.tokens.tokens.size;
      stripe.faultOf = (request) => (isIssue(request) ? 'closeAfterCommit' : undefined);
      const id = next();
      const first = await ask(id);
      assert.equal(first.status, 503, first.text);
      const { body } = await world.rest('GET', '/ap2/payments?status=UNKNOWN');
      assert.equal(body.data.length, 1);
      stripe.faultOf = () => undefined;
      await becomes(body.data[0].mandateId, 'AUTHORIZED');
      const again = await ask(id);
      assert.equal(again.body.mandateId, body.data[0].mandateId);
      assert.equal(stripe.tokens.tokens.size, before + 1);
      assert.ok(stripe.tokens.tokens.has(again.body.credential.payload.spt));
      spts.push(again.body.credential.payload.spt);
    });

    test('that were never made because their time had run out leave a payment that failed', async () => {
      stripe.faultOf = (request) => (isIssue(request) ? 'closeBeforeCommit' : undefined);
      assert.equal((await ask(next(), {}, soon())).status, 503);
      const { body } = await world.rest('GET', '/ap2/payments?status=UNKNOWN');
      pass(35);
      stripe.faultOf = () => undefined;
      await becomes(body.data[0].mandateId, 'FAILED');
    });

    test('are captured by the notice that they were used, and a receipt that comes later changes nothing', async () => {
      const { mandateId, spt } = await authorize();
      assert.equal(await take(spt), 200);
      await becomes(mandateId, 'CAPTURED');
      const settled = await settle({ mandateId, receipt: receiptOf('pi_1'), status: 200 });
      assert.deepEqual([settled.status, settled.captured], ['CAPTURED', 5]);
      const { body } = await world.rest('GET', `/ap2/evidence/bundle/${settled.transactionId}`);
      const captures = body.events.filter(({ eventType }: Loose) => eventType === 'PAYMENT_CAPTURED');
      assert.deepEqual(
        captures.map(({ data }: Loose) => data.attested),
        ['rail'],
      );
    });

    test('are captured by a receipt, and by a look where an answer below 400 has none', async () => {
      missed();
      const paid = await authorize();
      assert.equal(
        (await settle({ challengeId: paid.id, receipt: receiptOf('pi_2'), status: 200 })).status,
        'CAPTURED',
      );
      const silent = await authorize();
      assert.equal((await settle({ mandateId: silent.mandateId, status: 204 })).status, 'AUTHORIZED');
      await take(silent.spt);
      const settled = await settle({ mandateId: silent.mandateId, status: 200 });
      assert.deepEqual([settled.status, settled.captured], ['CAPTURED', 5]);
    });

    test('are revoked once the server says that it was not paid, and pay nothing after that', async () => {
      for (const report of [
        { status: 402 },
        { problem: { type: 'https://paymentauth.org/problems/invalid-challenge' } },
      ]) {
        const { mandateId, spt } = await authorize();
        assert.equal((await settle({ mandateId, ...report })).status, 'CANCELED');
        assert.equal(stripe.tokens.tokens.get(spt)?.deactivated_reason, 'revoked');
        assert.equal(await take(spt), 400);
      }
    });

    test('that were used before they could be revoked are captured, by what was taken', async () => {
      missed();
      const { mandateId, spt } = await authorize();
      await take(spt);
      const settled = await settle({ mandateId, status: 402 });
      assert.deepEqual([settled.status, settled.captured], ['CAPTURED', 5]);
      const part = await authorize();
      await take(part.spt, 200);
      const partly = await settle({ mandateId: part.mandateId, status: 402 });
      assert.deepEqual([partly.status, partly.captured], ['CAPTURED', 2]);
      const second = await authorize();
      await take(second.spt);
      const replacing = await ask(next(), { replaces: second.mandateId });
      assert.deepEqual(replacing.body.reasonCodes, ['DUPLICATE_SUSPECTED']);
      assert.deepEqual(await stands(second.mandateId), ['CAPTURED', 5]);
    });

    test('are held while Stripe does not say whether one was revoked', async () => {
      missed();
      const { mandateId, spt } = await authorize();
      stripe.faultOf = (request) => (isRevoke(request) || isLook(request) ? 'closeBeforeCommit' : undefined);
      assert.equal((await settle({ mandateId, status: 402 })).status, 'AUTHORIZED');
      const replacing = await ask(next(), { replaces: mandateId });
      assert.deepEqual(replacing.body.reasonCodes, ['DUPLICATE_SUSPECTED']);
      await take(spt);
      stripe.faultOf = () => undefined;
      await becomes(mandateId, 'CAPTURED');
    });

    test('are revoked once, whose answer was lost', async () => {
      const { mandateId } = await authorize();
      stripe.faultOf = (request) => (isRevoke(request) && request.nth === 1 ? 'closeAfterCommit' : undefined);
      await settle({ mandateId, status: 402 });
      await becomes(mandateId, 'CANCELED');
    });

    test('that are used in part hold all of it until they end, and are captured by what was taken then', async () => {
      const { mandateId, spt } = await authorize(soon());
      await take(spt, 200);
      await stripe.webhooks.settled();
      assert.deepEqual(await stands(mandateId), ['AUTHORIZED', 0]);
      await take(spt, 100);
      pass(95);
      await becomes(mandateId, 'CAPTURED');
      assert.deepEqual(await stands(mandateId), ['CAPTURED', 3]);
    });

    test('that were used in part, as the notice of their end says, correct what the receipt said', async () => {
      const { mandateId, spt } = await authorize();
      await take(spt, 200);
      const settled = await settle({ mandateId, receipt: receiptOf('pi_3'), status: 200 });
      assert.deepEqual([settled.status, settled.captured], ['CAPTURED', 5]);
      stripe.tokens.deactivate(spt, 'resolved');
      await until('the rail’s word', async () => (await payment(mandateId)).captured === 2);
      assert.deepEqual(await stands(mandateId), ['CAPTURED', 2]);
    });

    test('that ended without a use are canceled a minute later, and captured where a use was missed', async () => {
      missed();
      const unused = await authorize(soon());
      const used = await authorize(soon());
      await take(used.spt);
      pass(35);
      assert.deepEqual(await stands(unused.mandateId), ['AUTHORIZED', 0]);
      pass(95);
      await becomes(unused.mandateId, 'CANCELED');
      await becomes(used.mandateId, 'CAPTURED');
    });

    test('that the seller resolved are judged by what was taken, and not by the reason', async () => {
      const [none, some] = [await authorize(), await authorize()];
      await take(some.spt, 200);
      stripe.tokens.deactivate(some.spt, 'resolved');
      stripe.tokens.deactivate(none.spt, 'resolved');
      await becomes(none.mandateId, 'CANCELED');
      await becomes(some.mandateId, 'CAPTURED');
      assert.deepEqual(await stands(some.mandateId), ['CAPTURED', 2]);
    });

    test('are given back by their merchant alone', async () => {
      const { mandateId, spt } = await authorize();
      await take(spt);
      await becomes(mandateId, 'CAPTURED');
      assert.equal((await world.rest('POST', `/ap2/payments/${mandateId}/refund`, {})).status, 409);
      assert.equal((await world.rest('POST', `/ap2/payments/${mandateId}/capture`, {})).status, 409);
    });

    test('are in no event, no list and no file of the node', async () => {
      assert.ok(spts.length > 10);
      const texts = [
        (await world.rest('GET', '/ap2/evidence/export')).text,
        (await world.rest('GET', '/ap2/payments?limit=200')).text,
        ...(engine.name === 'sqlite' ? await filesOf(folder) : await rowsOf(databaseUrl)),
      ];
      assert.ok(texts.some((text) => text.includes('token_issued') || text.includes('PAYMENT_AUTHORIZED')));
      for (const spt of spts) assert.ok(!texts.some((text) => text.includes(spt)), spt);
    });
  });
}

async function filesOf(folder: string): Promise<string[]> {
  const files = await readdir(folder, { withFileTypes: true });
  const names = files.filter((file) => file.isFile()).map(({ name }) => join(folder, name));
  return Promise.all(names.map((name) => readFile(name, 'latin1')));
}

async function rowsOf(connectionString: string): Promise<string[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const tables = await client.query(
    "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname !~ '^(pg_|information)'",
  );
  const texts: string[] = [];
  for (const { name } of tables.rows) {
    const { rows } = await client.query(`SELECT t::text AS row FROM ${name} t`);
    texts.push(rows.map(({ row }) => row).join('\n'));
  }
  await client.end();
  return texts;
}
