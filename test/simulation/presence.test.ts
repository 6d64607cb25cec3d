/** The oracle on people: of what a person has to do for a purchase a history that holds, and ones that break it. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import canonicalize from 'canonicalize';
import { Authenticator, type Wrong } from './actors/authenticator.ts';
import type { Violation } from './history.ts';
import { chance } from './machine/chance.ts';
import { Tale } from './oracle/handmade.ts';

const RULES = { version: '2.0', spend: { amount_cap: 100, currency: 'USD' }, context: { presence_threshold: 10 } };
const CART = 'sha256:cart';

type Members = Readonly<Record<string, unknown>>;

/** A purchase of 20 USD up to the moment in which its person is asked. */
class Touched {
  readonly tale: Tale;
  readonly device = new Authenticator(chance('keys'), 'http://node.example');
  readonly intent: string;
  readonly #credential: string;
  readonly #passkey: Members;

  constructor(rules: Members = RULES) {
    this.tale = new Tale().policy(rules).agent();
    this.intent = this.tale.intent(30, { data: { hpRequired: true } });
    const { id, response } = this.device.create('a challenge');
    const { attestationObject } = response as { readonly attestationObject: string };
    const publicKey = Buffer.from(attestationObject, 'base64url').subarray(-77).toString('base64url');
    this.#credential = id;
    this.#passkey = { passkeyId: 'psk_1', credentialId: id, publicKey, agentDid: 'did:key:zA' };
    this.tale.record('HP_REGISTERED', this.#passkey);
    this.tale.record('APPROVAL_REQUESTED', this.approval);
  }

  /** Another passkey, of the same key. */
  second(holder: Members): this {
    this.tale.record('HP_REGISTERED', { ...this.#passkey, agentDid: undefined, ...holder, passkeyId: 'psk_2' });
    return this;
  }

  get approval(): Members {
    const bought = { merchant: 'shop-a.example', amount: 20, currency: 'USD' };
    return { approvalId: 'apr_1', agentDid: 'did:key:zA', intentId: this.intent, cartHash: CART, ...bought };
  }

  /** What an assertion leaves in the chain. */
  touch(more: { decision?: string; binding?: Members; wrong?: Wrong; random?: string } = {}): Members {
    const { approvalId: _, ...bought } = this.approval;
    const binding = { ...bought, principalDid: 'did:key:zP', decision: more.decision ?? 'approve', ...more.binding };
    const random = Buffer.from(more.random ?? 'random').toString('base64url');
    const bound = createHash('sha256')
      .update(String(canonicalize(binding)))
      .digest();
    const digest = createHash('sha256').update(Buffer.concat([Buffer.from(random, 'base64url'), bound]));
    const { response } = this.device.assert(digest.digest('base64url'), this.#credential, more.wrong);
    const named = { passkeyId: 'psk_1', credentialId: this.#credential, challenge: { random, binding } };
    const expiresAt = new Date(this.tale.at + 300_000).toISOString();
    return { ...this.approval, ...named, ...(response as Members), presenceId: 'hp_1', expiresAt };
  }

  approve(data: Members = this.touch(), more: Members = {}): this {
    this.tale.record('HP_VERIFIED', data);
    this.tale.record('APPROVAL_GRANTED', { ...this.approval, presenceId: 'hp_1', ...more });
    const input = { approvalId: 'apr_1', challengeId: 'hpc_1' };
    this.tale.ask('completeDecision', input, { body: { status: 'approved' } });
    return this;
  }

  cart(data: Members = {}): this {
    const given = { presenceId: 'hp_1', ...data };
    const { cartHash } = given as { cartHash?: string };
    this.tale.cart(this.intent, 20, { data: { ...given, cartHash: cartHash ?? CART, merchant: 'shop-a.example' } });
    return this;
  }

  /** The oracle's words on it, apart from those on the carts' hashes, which are made up here. */
  said(): readonly string[] {
    return this.tale.quiet().map(({ invariant, sentence }: Violation) => `${invariant} ${sentence}`);
  }
}

function only(said: readonly string[], expected: RegExp): void {
  assert.ok(
    said.some((each) => expected.test(each)),
    `no ${expected} in:\n${said.join('\n')}`,
  );
}

test('a purchase that its person has approved, and one that they have denied, violate nothing', () => {
  assert.deepEqual(new Touched().approve().cart().said(), []);
  const denied = new Touched();
  denied.tale.record('APPROVAL_DENIED', denied.touch({ decision: 'deny' }));
  denied.tale.ask('completeDecision', { approvalId: 'apr_1' }, { body: { status: 'denied' } });
  denied.tale.record('INTENT_EXPIRED', { mandateId: denied.intent });
  denied.tale.intents.set(denied.intent, { mandateId: denied.intent, agentDid: 'did:key:zA', status: 'EXPIRED' });
  assert.deepEqual(denied.said(), []);
});

test('I6: an assertion that does not hold, or is for something else, is a violation', () => {
  const wrong: readonly (readonly [Parameters<Touched['touch']>[0], RegExp])[] = [
    [{ wrong: { unverified: true } }, /^I6 .* though its user was not verified/],
    [{ wrong: { forged: true } }, /^I6 .* though its signature does not hold/],
    [{ wrong: { origin: 'http://evil.example' } }, /^I6 .* on http:\/\/evil\.example/],
    [{ decision: 'deny' }, /^I6 .* to deny was taken to approve/],
    [{ binding: { amount: 2 } }, /^I6 .* for amount 2 was taken for 20/],
    [{ binding: { cartHash: 'sha256:other' } }, /^I6 .* for cartHash sha256:other was taken/],
  ];
  for (const [given, expected] of wrong) {
    const touched = new Touched();
    only(touched.approve(touched.touch(given)).said(), expected);
  }
  const other = new Touched();
  const { challenge } = other.touch({ random: 'another' });
  only(other.approve({ ...other.touch(), challenge }).said(), /^I6 .* it is for another challenge/);
});

test('I6: an unknown passkey, a removed one, and one of another person approve nothing', () => {
  const unknown = new Touched();
  only(unknown.approve({ ...unknown.touch(), passkeyId: 'psk_2' }).said(), /^I6 .* it was never enrolled/);
  const removed = new Touched();
  removed.tale.record('HP_REMOVED', { passkeyId: 'psk_1' });
  only(removed.approve().said(), /^I6 .* was taken after it was removed/);
  const governed = new Touched();
  governed.tale.record('PRINCIPAL_REGISTERED', { principalDid: 'did:key:zP', agents: ['did:key:zA'] });
  only(governed.approve().cart().said(), /^I6 The presence proof hp_1 was made by the passkey of did:key:zA/);
});

test('I6: a removal that was acknowledged comes before what was asked for after it', () => {
  const touched = new Touched();
  touched.tale.ask('removePasskey', { id: 'psk_1' }, { status: 204, body: undefined });
  only(touched.approve().said(), /^I5 .* \(removal of psk_1\), and no event of the chain tells of it/);
});

test('I2: an assertion and a proof serve once', () => {
  const twice = new Touched();
  const touch = twice.touch();
  twice.approve(touch).tale.record('HP_VERIFIED', { ...touch, presenceId: 'hp_2' });
  only(twice.said(), /^I2 The assertion of passkey psk_1 was taken twice/);
  only(new Touched().approve().cart().cart().said(), /^I2 The presence proof hp_1 was taken twice/);
});

test('I6: a proof for another cart, one after its time, and one that was never given are violations', () => {
  only(
    new Touched().approve().cart({ cartHash: 'sha256:other' }).said(),
    /^I6 The presence proof hp_1 is for cartHash/,
  );
  const late = new Touched().approve();
  late.tale.wait(301_000);
  only(late.cart().said(), /^I6 The presence proof hp_1 was taken after its time/);
  only(new Touched().approve().cart({ presenceId: 'hp_9' }).said(), /^I6 .* no assertion had been made for it/);
});

test('a no is the end: of its intent, of its cart, and of its approval', () => {
  const deny = () => {
    const touched = new Touched();
    touched.tale.record('APPROVAL_DENIED', touched.touch({ decision: 'deny' }));
    touched.tale.ask('completeDecision', { approvalId: 'apr_1' }, { body: { status: 'denied' } });
    return touched;
  };
  only(deny().said(), /^I1 Intent intent_3 goes on, though approval apr_1 was denied/);
  only(
    deny()
      .approve(deny().touch({ random: 'more' }))
      .said(),
    /^I6 .* for approval apr_1, which was DENIED/,
  );
  only(deny().cart().said(), /^I6 Intent intent_3 has CART_VALIDATED, though approval apr_1 for it had been denied/);
  const again = deny();
  again.tale.record('APPROVAL_REQUESTED', { ...again.approval, approvalId: 'apr_2' });
  only(again.said(), /^I6 Approval apr_2 was asked for, though its cart was denied by apr_1/);
});

test('I6: an approval, a cart and a payment of too few people are violations, and so are two passkeys of one person', () => {
  const two = {
    ...RULES,
    context: {
      ...RULES.context,
      approval: [
        { people: 1, above: 5 },
        { people: 2, above: 15 },
      ],
    },
  };
  only(new Touched(two).approve().said(), /^I6 Approval apr_1 was given with 1 people, though the policy asks for 2/);
  only(new Touched(two).approve().cart().said(), /^I6 The cart of intent intent_3 was validated with 1 people/);
  // Of one of the steps that the purchase does not lie above, nothing is asked.
  const one = { ...two, context: { ...two.context, approval: { people: 2, above: 20 } } };
  assert.deepEqual(
    new Touched(one)
      .approve()
      .cart()
      .said()
      .filter((each) => each.includes('people')),
    [],
  );
  const both = (holder: Members) => {
    const touched = new Touched(two).second(holder);
    const approvals = [{ hpId: 'hp_1' }, { hpId: 'hp_2' }];
    touched.tale.record('HP_VERIFIED', {
      ...touched.touch({ random: 'of another' }),
      presenceId: 'hp_2',
      passkeyId: 'psk_2',
    });
    touched.approve(touched.touch(), { approvals });
    return touched.said().filter((each) => each.includes('people'));
  };
  assert.deepEqual(both({ userDid: 'did:web:node.example:user' }), []);
  only(both({ agentDid: 'did:key:zA' }), /^I6 Approval apr_1 was given with 1 people/);
});

test('I2 and I6: people are reminded once, and of what waits for them alone', () => {
  const remind = (times: number, touched = new Touched()) => {
    for (let time = 0; time < times; time += 1) {
      touched.tale.record('APPROVAL_REQUESTED', { ...touched.approval, reminder: true });
    }
    return touched;
  };
  assert.deepEqual(remind(1).said(), []);
  only(remind(2).said(), /^I2 People were reminded of approval apr_1 twice/);
  const over = new Touched();
  over.tale.record('APPROVAL_EXPIRED', over.approval);
  only(remind(1, over).said(), /^I6 People were reminded of approval apr_1, which was EXPIRED/);
});

test('I5: an approval that was given though every assertion was refused is a violation', () => {
  const touched = new Touched();
  touched.tale.record('HP_VERIFIED', touched.touch());
  touched.tale.record('APPROVAL_GRANTED', touched.approval);
  touched.tale.ask(
    'completeDecision',
    { approvalId: 'apr_1' },
    { status: 400, body: { error: { code: 'BAD_REQUEST' } } },
  );
  only(touched.said(), /^I5 Approval apr_1 was decided by a passkey, and everybody who sent an assertion was refused/);
});
