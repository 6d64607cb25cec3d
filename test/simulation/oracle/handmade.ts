/**
 * Histories that tests write by hand, a few words for each happening. The chain in them is a real one, and checkpoints are really
 * signed; everything else says what the test wants it to say.
 */
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import bs58 from 'bs58';
import canonicalize from 'canonicalize';
import type { Books, Happening, Violation } from '../history.ts';
import { makeOracle } from './makeOracle.ts';

type Members = Readonly<Record<string, unknown>>;

export const SHOP = 'shop-a.example';
const START = Date.UTC(2026, 0, 5, 9);
const TENANT = 'tnt_hand';
const HOUR_MS = 3_600_000;

export class Tale {
  readonly #oracle = makeOracle();
  readonly #issuer = issuerKey();
  readonly found: Violation[] = [];
  readonly history: Happening[] = [];
  readonly events: Members[] = [];
  readonly payments = new Map<string, Members>();
  readonly intents = new Map<string, Members>();
  readonly rail = new Map<string, Books['rail'][number]>();
  readonly deliveries: Members[] = [];
  readonly checkpoints: string[] = [];
  readonly #carts = new Map<string, { readonly intent: string; readonly amount: number; readonly hash: string }>();
  #now = START;
  #ids = 0;
  #policy = { policyId: 'pol_1', policyVersion: 0, policyHash: '' };

  tell(happening: Happening): void {
    this.history.push(happening);
    this.found.push(...this.#oracle.tell(happening));
  }

  get at(): number {
    return this.#now;
  }

  wait(ms: number): void {
    this.#now += ms;
  }

  /** A request that gets an answer; without one it stays open. */
  ask(call: string, input: Members, answer?: { status?: number; body: unknown }, more: Members = {}): number {
    this.#ids += 1;
    const id = this.#ids;
    this.tell({ at: this.#now, kind: 'asked', id, by: 'agent 1', node: 0, call, input, ...more });
    this.wait(10);
    if (answer !== undefined) this.answer(id, answer.body, answer.status);
    return id;
  }

  answer(id: number, body: unknown, status = 200): void {
    this.tell({ at: this.#now, kind: 'answered', id, status, body });
    this.wait(10);
  }

  lose(id: number): void {
    this.tell({ at: this.#now, kind: 'unanswered', id, why: 'node 0 was killed' });
  }

  /** Appends an event to the chain. @returns it */
  record(eventType: string, data: Members): Members {
    const seq = this.events.length + 1;
    const genesis = hashText(`${this.#issuer.did}\n${TENANT}`);
    const event = {
      id: `evt_${seq}`,
      seq,
      eventType,
      actorDid: 'did:key:zNode',
      data,
      hashPrev: this.events.at(-1)?.['hashCurr'] ?? genesis,
      createdAt: new Date(this.#now).toISOString(),
    };
    const whole = { ...event, hashCurr: hashText(`evidence-v1\n${canonicalize(event)}`) };
    this.events.push(whole);
    return whole;
  }

  agent(did = 'did:key:zA'): this {
    this.record('AGENT_CREATED', { agentDid: did });
    this.ask('registerAgent', { name: did }, { status: 201, body: { did, status: 'ACTIVE' } });
    return this;
  }

  revoke(did = 'did:key:zA'): this {
    this.record('AGENT_REVOKED', { agentDid: did });
    this.ask('revokeAgent', { did }, { body: { did, status: 'REVOKED' } }, { by: 'owner' });
    return this;
  }

  policy(rules: Members): this {
    const policyVersion = this.#policy.policyVersion + 1;
    this.#policy = { ...this.#policy, policyVersion, policyHash: hashText(String(canonicalize(rules))) };
    this.record(policyVersion === 1 ? 'POLICY_CREATED' : 'POLICY_UPDATED', { ...this.#policy, isActive: true });
    const { policyId: id, policyHash: hash } = this.#policy;
    const body = { id, version: policyVersion, hash, rules, isActive: true };
    this.ask(policyVersion === 1 ? 'createPolicy' : 'updatePolicy', { id, rules }, { status: 201, body });
    return this;
  }

  /** @returns the intent's id */
  intent(maxAmount: number, more: { agent?: string; data?: Members; asked?: Members; call?: Members } = {}): string {
    const agentDid = more.agent ?? 'did:key:zA';
    const mandateId = `intent_${this.events.length + 1}`;
    const parties = { agentDid, principalDid: 'did:key:zP' };
    const expiresAt = new Date(this.#now + HOUR_MS).toISOString();
    const data = { ...parties, mandateId, maxAmount, currency: 'USD', ...this.#policy, hpRequired: false, expiresAt };
    this.record('INTENT_ISSUED', { ...data, ...more.data });
    this.intents.set(mandateId, { mandateId, agentDid, status: 'ACTIVE' });
    const input = { ...parties, request: { maxAmount, currency: 'USD' }, ...more.asked };
    const credentialSubject = { mandateId, agentDid, maxAmount, currency: 'USD' };
    this.ask('issueIntent', input, { body: { allowed: true, intentVc: { credentialSubject } } }, more.call);
    return mandateId;
  }

  deny(maxAmount: number, reasonCodes: readonly string[], agentDid = 'did:key:zA', data: Members = {}): void {
    const parties = { agentDid, principalDid: 'did:key:zP' };
    const mandateId = `intent_${this.events.length + 1}`;
    this.record('INTENT_DENIED', {
      ...parties,
      mandateId,
      maxAmount,
      currency: 'USD',
      ...this.#policy,
      reasonCodes,
      ...data,
    });
    const input = { ...parties, request: { maxAmount, currency: 'USD' } };
    this.ask('issueIntent', input, { body: { allowed: false, reasonCodes } });
  }

  /** @returns the approval token */
  cart(
    intent: string,
    amount: number,
    more: { total?: number; items?: readonly Members[]; data?: Members; asked?: Members; call?: Members } = {},
  ): string {
    const agentDid = String(this.intents.get(intent)?.['agentDid']);
    const items = more.items ?? [{ name: 'Thing', price: amount, quantity: 1 }];
    const credentialSubject = { merchant: SHOP, items, total: more.total ?? amount, currency: 'USD' };
    const cartVc = { id: `cart ${this.events.length}`, credentialSubject };
    const cartHash = hashText(String(canonicalize(cartVc)));
    const approvalExpiresAt = new Date(this.#now + 300_000).toISOString();
    const facts = { intentId: intent, agentDid, cartHash, amount, currency: 'USD', merchant: SHOP, approvalExpiresAt };
    this.record('CART_VALIDATED', { ...facts, ...this.#policy, ...more.data });
    const approvalToken = `apt_${this.events.length}`;
    this.#carts.set(approvalToken, { intent, amount, hash: cartHash });
    const input = { intentVc: { credentialSubject: { mandateId: intent, agentDid } }, cartVc, ...more.asked };
    const body = { allowed: true, approvalToken, approvalTokenExpiresAt: approvalExpiresAt, cartHash };
    this.ask('validateCart', input, { body }, more.call);
    return approvalToken;
  }

  /** Commits a payment and has the rail hold it; the agent is not answered yet. @returns its id */
  mandate(token: string, data: Members = {}): string {
    const { intent, amount, hash } = this.#carts.get(token) as { intent: string; amount: number; hash: string };
    const mandateId = `pm_${this.events.length + 1}`;
    const agentDid = String(this.intents.get(intent)?.['agentDid']);
    const facts = { mandateId, intentId: intent, agentDid, amount, currency: 'USD', merchant: SHOP };
    this.record('PM_ISSUED', { ...facts, cartHash: hash, ...this.#policy, ...data });
    this.intents.set(intent, { mandateId: intent, agentDid, status: 'USED' });
    this.payments.set(mandateId, { ...facts, status: 'PENDING', captured: 0, refunded: 0 });
    return mandateId;
  }

  /** The rail decides about a payment. */
  settle(mandateId: string, status: 'AUTHORIZED' | 'FAILED' | 'CANCELED'): void {
    const payment = this.payments.get(mandateId) as Members;
    this.record(`PAYMENT_${status}`, payment);
    this.payments.set(mandateId, { ...payment, status });
    const balance = { payment: mandateId, currency: 'USD', capturedMinor: 0, refundedMinor: 0 };
    const authorizedMinor = Math.round(Number(payment['amount']) * 100);
    if (status !== 'FAILED')
      this.rail.set(mandateId, { ...balance, authorizedMinor, cancelled: status === 'CANCELED' });
  }

  /** The rail's side of an authorization. */
  deal(payment: string, more: Members = {}): void {
    const amountMinor = Math.round(Number(this.payments.get(payment)?.['amount']) * 100);
    const act = { node: 0, operation: 'authorize', key: payment, payment, amountMinor, currency: 'USD' };
    this.tell({ at: this.#now, kind: 'rail', ...act, did: 'created', told: true, ...more } as Happening);
  }

  paid(mandateId: string): Members {
    const { intentId, agentDid, amount, currency } = this.payments.get(mandateId) as Members;
    const credentialSubject = { mandateId, intentId, agentDid, amount, currency };
    return { pmVc: { credentialSubject }, railResponse: { status: 'requires_capture' } };
  }

  /** A payment from its token to its answer. @returns its id */
  pay(token: string, data: Members = {}, call: Members = {}): string {
    const mandateId = this.mandate(token, data);
    this.deal(mandateId);
    this.settle(mandateId, 'AUTHORIZED');
    this.ask('mandatePayment', { approvalToken: token }, { body: this.paid(mandateId) }, call);
    return mandateId;
  }

  /** A note over the first events, as the node would sign it. @param root another one than the chain's */
  checkpoint(size = this.events.length, root = rootOf(this.events.slice(0, size))): string {
    const text = `countersign/evidence/${TENANT}\n${size}\n${root.toString('base64')}\n`;
    const signature = sign(null, Buffer.from(text), this.#issuer.key);
    const note = `${text}\n— ${this.#issuer.did} ${Buffer.concat([Buffer.alloc(4), signature]).toString('base64')}\n`;
    this.tell({ at: this.#now, kind: 'checkpoint', node: 0, note });
    return note;
  }

  quiet(): readonly Violation[] {
    const { events, deliveries, checkpoints } = this;
    const [payments, intents, rail] = [this.payments, this.intents, this.rail].map((each) => [...each.values()]);
    const books = { payments, intents, events: [...events], deliveries, checkpoints, rail } as unknown as Books;
    this.tell({ at: this.#now, kind: 'quiet', books });
    return this.found;
  }
}

/** By the plain recursion of RFC 9162, section 2.1.1, where the oracle adds leaf by leaf. */
export function rootOf(events: readonly Members[]): Buffer {
  if (events.length === 0) return sha256();
  const [first] = events;
  if (events.length === 1) return sha256(Buffer.from([0]), Buffer.from(String(first?.['hashCurr']).slice(7), 'hex'));
  const left = 2 ** Math.ceil(Math.log2(events.length) - 1);
  return sha256(Buffer.from([1]), rootOf(events.slice(0, left)), rootOf(events.slice(left)));
}

function issuerKey(): { readonly did: string; readonly key: KeyObject } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const x = Buffer.from(String(publicKey.export({ format: 'jwk' }).x), 'base64url');
  return { did: `did:key:z${bs58.encode(Buffer.concat([Buffer.from([0xed, 1]), x]))}`, key: privateKey };
}

function hashText(text: string): string {
  return `sha256:${sha256(Buffer.from(text)).toString('hex')}`;
}

function sha256(...parts: readonly Buffer[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}
