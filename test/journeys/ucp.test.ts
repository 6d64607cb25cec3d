/** An agent buys at a business of the Universal Commerce Protocol over HTTP: checkout, approval, payment, and the mandates that complete it. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { JWK } from 'jose';
import { canonical } from '../../protocol/credential/canonical.ts';
import { nobleSuite } from '../../protocol/credential/ed25519.ts';
import { verifyBundle } from '../../protocol/evidence/verifyBundle.ts';
import { keySets } from '../../src/access/keySets.ts';
import { nativeSuite } from '../../src/crypto/nativeSuite.ts';
import { everyEngine } from '../support/engines.ts';
import { makePerson, type Person } from '../support/person.ts';
import { type Business, ownCheckout, readChain, ucpBusiness } from '../support/ucpBusiness.ts';
import { type Loose, makeWorld, SHOP, type World } from '../support/world.ts';

/** A business as the text of UCP has it: profile, checkouts, and a completion that verifies both mandates. */
class Shop {
  readonly business: Business;
  readonly #server: Server;
  readonly #open = new Map<string, Loose>();
  /** The platforms' profiles, as `UCP-Agent` names them. */
  readonly #platforms = new Map<string, readonly JWK[]>();
  /** Of the profile that it publishes. */
  profile: Loose;

  constructor(business: Business) {
    this.business = business;
    this.profile = { ucp: { version: '2026-08-25', services: {}, payment_handlers: {} }, keys: [business.jwk] };
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', async () => {
        const body = chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString());
        const { status, answer } = await this.#answer(
          String(request.method),
          String(request.url),
          request.headers,
          body,
        );
        response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
      });
    });
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async #answer(method: string, path: string, headers: Loose, body: Loose): Promise<{ status: number; answer: Loose }> {
    if (path === '/.well-known/ucp') return { status: 200, answer: this.profile };
    if (method === 'POST' && path === '/checkout-sessions') {
      const checkout = await this.business.checkout();
      this.#open.set(checkout['id'], checkout);
      return { status: 201, answer: checkout };
    }
    const [, id] = /^\/checkout-sessions\/([^/]+)\/complete$/.exec(path) ?? [];
    const checkout = this.#open.get(String(id));
    if (method !== 'POST' || checkout === undefined) return { status: 404, answer: {} };
    const code = await this.#complete(checkout, String(headers['ucp-agent']), body);
    if (code !== undefined) return { status: 400, answer: { messages: [{ type: 'error', code }] } };
    this.#open.delete(String(id));
    return { status: 200, answer: { ...checkout, status: 'completed', order: { id: `order_${id}` } } };
  }

  /** @returns UCP's code of what is wrong */
  async #complete(checkout: Loose, agent: string, body: Loose): Promise<string | undefined> {
    const [, profile = ''] = /profile="([^"]+)"/.exec(agent) ?? [];
    const mandate = body?.ap2?.checkout_mandate;
    if (typeof mandate !== 'string') return 'mandate_required';
    const { kid } = JSON.parse(Buffer.from(mandate.split('.')[0] ?? '', 'base64url').toString());
    const key = (await this.#keysOf(profile)).find((each) => each.kid === kid);
    if (key === undefined) return 'agent_missing_key';
    try {
      const expected = { aud: this.business.domain };
      const read = await readChain(mandate, key, expected);
      if (read['vct'] !== 'mandate.checkout.1') return 'mandate_scope_mismatch';
      const embedded = await ownCheckout(read, this.business.jwk);
      const same = ['id', 'totals', 'line_items'].every(
        (name) => JSON.stringify(embedded[name]) === JSON.stringify(checkout[name]),
      );
      if (!same) return 'mandate_scope_mismatch';
      // As its payment service provider does.
      const payment = await readChain(body.payment.instruments[0].credential.token, key, expected);
      const total = checkout['totals'].find((entry: Loose) => entry.type === 'total').amount;
      const { transaction_id: paid, payment_amount: amount, vct } = payment;
      const isPaid = vct === 'mandate.payment.1' && paid === read['checkout_hash'] && amount.amount === total;
      return isPaid && amount.currency === checkout['currency'] ? undefined : 'mandate_scope_mismatch';
    } catch (error) {
      return /expired/.test(String(error)) ? 'mandate_expired' : 'mandate_invalid_signature';
    }
  }

  async #keysOf(profile: string): Promise<readonly JWK[]> {
    const known = this.#platforms.get(profile);
    if (known !== undefined) return known;
    const { keys } = (await (await fetch(profile, { redirect: 'error' })).json()) as { keys: JWK[] };
    this.#platforms.set(profile, keys);
    return keys;
  }
}

for (const engine of everyEngine()) {
  describe(`UCP on ${engine.name}`, () => {
    let world: World;
    let person: Person;
    let shop: Shop;
    const fetched: string[] = [];
    before(async () => {
      world = await makeWorld(engine);
      person = makePerson(world);
      await person.enroll();
      shop = new Shop(await ucpBusiness(SHOP));
      await shop.listen();
      // The shop’s domain leads to this machine; what else is fetched is the node’s own.
      const at = keySets(async (url) => {
        fetched.push(url.href);
        if (url.host !== SHOP) return undefined;
        return (await fetch(shop.address + url.pathname)).text();
      }, world.node.deps.clock);
      Object.assign(world.node.deps.keys, { at });
      await policy({ presence_cap: 200, amount_cap: 100 });
    });
    after(async () => {
      shop.close();
      await world.close();
    });

    async function policy(spend: Loose): Promise<void> {
      const rules = { version: '2.0', spend: { currency: 'USD', ...spend } };
      assert.equal((await world.rest('POST', '/ap2/admin/policies', { name: 'ucp', rules })).status, 201);
    }
    async function ask(path: string, body?: Loose): Promise<{ status: number; body: Loose }> {
      const agent = { 'UCP-Agent': `profile="${world.node.address}/.well-known/ucp"` };
      const response = await fetch(shop.address + path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...agent },
        body: JSON.stringify(body ?? {}),
      });
      return { status: response.status, body: (await response.json()) as Loose };
    }
    async function newIntent(): Promise<string> {
      const reply = await world.rest('POST', '/ap2/intents', world.intentBody(100));
      return reply.body.intentVc.credentialSubject.mandateId;
    }
    const validate = async (checkout: Loose, more: Loose = {}) =>
      (
        await world.rest('POST', '/ap2/carts/validate/ucp', {
          intentId: more['intentId'] ?? (await newIntent()),
          merchantDomain: SHOP,
          checkout,
          ...more,
        })
      ).body;
    const completion = ({ checkoutMandate, paymentMandate }: Loose) => ({
      payment: { instruments: [{ id: 'i-1', type: 'card', credential: { type: 'ap2', token: paymentMandate } }] },
      ap2: { checkout_mandate: checkoutMandate },
    });

    test('an agent buys: the business verifies both mandates by the node’s profile, and completes once', async () => {
      const { body: checkout } = await ask('/checkout-sessions');
      const approved = await validate(checkout);
      assert.equal(approved.allowed, true, JSON.stringify(approved));
      assert.deepEqual(fetched, [`https://${SHOP}/.well-known/ucp`]);
      const key = { Authorization: `Bearer ${'ak_test_'.padEnd(40, 'A')}`, 'Idempotency-Key': 'ucp-1' };
      const pay = () => world.rest('POST', '/ap2/payments/mandate', { approvalToken: approved.approvalToken }, key);
      const paid = await pay();
      assert.equal(paid.status, 200, paid.text);
      const { ucp, pmVc } = paid.body;
      const path = `/checkout-sessions/${checkout.id}/complete`;
      assert.deepEqual((await ask(path, { payment: {} })).body.messages[0].code, 'mandate_required');
      const done = await ask(path, completion(ucp));
      assert.deepEqual([done.status, done.body.status], [200, 'completed'], JSON.stringify(done.body));
      assert.equal((await ask(path, completion(ucp))).status, 404);
      assert.equal((await pay()).text, paid.text, 'a retry is answered by the same bytes');
      const { mandateId, transactionId } = { ...pmVc.credentialSubject, ...(await payment(pmVc)) };
      assert.deepEqual((await payment(pmVc)).ucp, ucp);
      const again = await validate(checkout);
      assert.deepEqual(again.reasonCodes, ['CART_USED']);
      const { events } = (await world.rest('GET', `/ap2/evidence/bundle/${transactionId}`)).body;
      const minted = events.find(({ eventType }: Loose) => eventType === 'CHECKOUT_MANDATES_ISSUED');
      assert.equal(minted.data.mandateId, mandateId);
      assert.equal(JSON.stringify(events).includes(ucp.checkoutMandate), false, 'the evidence has hashes alone');
    });

    const payment = async (pmVc: Loose) =>
      (await world.rest('GET', `/ap2/payments/${pmVc.credentialSubject.mandateId}`)).body;

    test('mandates for one checkout complete no other', async () => {
      const [one, other] = [(await ask('/checkout-sessions')).body, (await ask('/checkout-sessions')).body];
      const { approvalToken } = await validate(one);
      const { ucp } = (await world.rest('POST', '/ap2/payments/mandate', { approvalToken })).body;
      const refused = await ask(`/checkout-sessions/${other.id}/complete`, completion(ucp));
      assert.deepEqual(refused.body.messages[0].code, 'mandate_scope_mismatch');
    });

    test('the bundle of a purchase proves offline what the business signed', async () => {
      const { body: checkout } = await ask('/checkout-sessions');
      const { approvalToken } = await validate(checkout);
      const { pmVc } = (await world.rest('POST', '/ap2/payments/mandate', { approvalToken })).body;
      const { transactionId } = await payment(pmVc);
      const { text } = await world.rest('GET', `/ap2/evidence/bundle/${transactionId}?format=portable`);
      const issuer = world.node.deps.issuer.did;
      for (const suite of [nativeSuite(), nobleSuite]) {
        const check = verifyBundle(suite, text, issuer);
        assert.ok(check.ok, check.ok ? '' : check.reason);
        assert.deepEqual(check.bundle.credentials.checkout, checkout);
      }
      const other = await ucpBusiness(SHOP);
      const changes: readonly [RegExp, (credentials: Loose) => Promise<void> | void][] = [
        [
          /not the one whose hash/,
          ({ checkout: kept }) => {
            kept.totals[3].amount += 1;
          },
        ],
        [
          /not by the key in the evidence/,
          async (credentials) => {
            credentials.checkout = await other.sign(checkout);
          },
        ],
        [
          /no ap2.merchant_authorization/,
          ({ checkout: kept }) => {
            delete kept.ap2;
          },
        ],
        [
          /is missing/,
          (credentials) => {
            delete credentials.checkout;
          },
        ],
      ];
      for (const [reason, change] of changes) {
        const changed = JSON.parse(text);
        await change(changed.credentials);
        const check = verifyBundle(nativeSuite(), canonical(changed), issuer);
        assert.match(check.ok ? '' : check.reason, reason);
      }
    });

    test('the person who is asked sees what is bought, and their approval serves the checkout that is signed again', async () => {
      await policy({ presence_cap: 200, amount_cap: 10 });
      const { body: checkout } = await ask('/checkout-sessions');
      const intentId = await newIntent();
      const refused = await validate(checkout, { intentId });
      assert.deepEqual(refused.reasonCodes, ['HP_REQUIRED'], JSON.stringify(refused));
      const view = (await world.rest('GET', `/approve/${refused.approval.id}/purchase`, undefined, {})).body;
      assert.equal(view.total, '58.50 USD');
      assert.deepEqual(
        view.items.map(({ name, amount }: Loose) => [name, amount]),
        [
          ['Widget', '50.00 USD'],
          ['Shipping', '4.50 USD'],
          ['Tax', '4.00 USD'],
        ],
      );
      assert.ok(view.details.some(({ value }: Loose) => value === 'https://shop.example/terms'));
      assert.equal(JSON.stringify(view.details).includes('payment_handlers'), false);
      await person.decide(refused.approval.id, 'approve');
      const { hpProof } = (await world.rest('GET', `/ap2/approvals/${refused.approval.id}`)).body;
      const resigned = await shop.business.sign(checkout);
      assert.notDeepEqual(resigned, checkout);
      const approved = await validate(resigned, { intentId, hpProof });
      assert.equal(approved.allowed, true, JSON.stringify(approved));
      await policy({ presence_cap: 200, amount_cap: 100 });
    });

    test('no key is fetched for an intent that cannot pay', async () => {
      const { body: checkout } = await ask('/checkout-sessions');
      const request = { maxAmount: 100, currency: 'USD', vendorHints: { domain: 'other.example' } };
      const other = await world.rest('POST', '/ap2/intents', { ...world.intentBody(100), request });
      fetched.length = 0;
      const { mandateId: intentId } = other.body.intentVc.credentialSubject;
      const never = 'never.example';
      const refused = await validate(checkout, { intentId, merchantDomain: never });
      assert.ok(refused.reasonCodes.includes('MERCHANT_UNVERIFIED'));
      assert.match(refused.details.MERCHANT_UNVERIFIED.message, /was not fetched/);
      assert.deepEqual(fetched, []);
    });
  });
}
