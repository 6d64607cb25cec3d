/** Layers of Verifiable Intent as agents present them to a node: signed for the moment, by keys of node:crypto. */
import { createHash, randomBytes, sign } from 'node:crypto';
import { bindingTo, mintSdJwt, selective } from '../../protocol/sdjwt/mint.ts';
import { checkoutJwt, PAYEE } from './mandates.ts';
import { makeP256, type P256Key } from './p256.ts';
import type { Loose } from './world.ts';

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url');
const salt = () => randomBytes(16).toString('base64url');
const INSTRUMENT = { type: 'network.card', id: 'pm_card_visa' };
const RANGE = { type: 'mandate.payment.amount_range', currency: 'USD', max: 100_000_000 };

type NamedKey = P256Key & { readonly kid: string };

function namedKey(kid: string): NamedKey {
  return { ...makeP256(), kid };
}

const jwkOf = ({ jwk, kid }: NamedKey) => ({ ...jwk, kid });
const signerOf = ({ privateKey, kid }: NamedKey) => ({
  kid,
  sign: (content: Uint8Array) => sign('sha256', content, { key: privateKey, dsaEncoding: 'ieee-p1363' }),
});

/** A layer 2 that delegates, with its credential and the view of each pair of mandates. */
export interface Delegation {
  readonly l1: string;
  /** With every disclosure. */
  readonly l2: string;
  readonly views: readonly string[];
}

interface IntentOptions {
  readonly checkout?: string;
  readonly amount?: number;
  readonly currency?: string;
  readonly nonce?: string;
  readonly aud?: string;
  /** Which pair is closed. */
  readonly pair?: number;
  readonly instrument?: object;
  readonly payee?: object;
}

/** A card issuer, a person and an agent: the one names the person's key, the person delegates or pays, the agent closes. */
export class IntentParties {
  readonly issuer = namedKey('card-issuer-1');
  readonly person = namedKey('person-1');
  readonly agent = namedKey('agent-1');

  readonly now: () => number;

  /** @param now milliseconds since the epoch */
  constructor(now: () => number) {
    this.now = now;
  }

  /** What `POST /ap2/admin/mandate-issuers` gets. */
  get issuerKey() {
    return { name: 'Bank', kind: 'card-issuer', jwk: jwkOf(this.issuer) };
  }

  /** Layer 1. */
  credential(more: object = {}, issuer = this.issuer): string {
    const iat = this.#seconds() - 100;
    const payload = {
      ...{ iss: 'https://bank.example', sub: 'person-of-the-bank', iat, exp: iat + 100_000_000 },
      ...{ vct: 'https://bank.example/card', cnf: { jwk: jwkOf(this.person) }, card_id: INSTRUMENT.id },
      ...more,
    };
    return mintSdJwt({ typ: 'sd+jwt', payload, signer: signerOf(issuer), salt });
  }

  /** Layer 2 for one pair of mandates for each list of constraints on a payment; a list may have what is `selective`. */
  delegate(pairs: readonly (readonly unknown[])[] = [[]], more: object = {}, l1 = this.credential()): Delegation {
    const cnf = { jwk: jwkOf(this.agent) };
    const salts: string[] = [];
    const mandates = pairs.flatMap((constraints, index) => {
      const checkout = { vct: 'mandate.checkout.open.1', cnf, constraints: [], title: `checkout ${index}` };
      salts.push(salt());
      const reference = {
        type: 'mandate.payment.reference',
        conditional_transaction_id: hashOf(encoded([salts.at(-1), checkout])),
      };
      const own = { vct: 'mandate.payment.open.1', cnf, payment_instrument: INSTRUMENT };
      const given = constraints.length === 0 ? [RANGE] : constraints;
      const isGiven = given.some((each) => (each as Loose).type === reference.type);
      const payment = { ...own, constraints: [...(isGiven ? [] : [reference]), ...given] };
      salts.push(...payment.constraints.filter((each) => isHidden(each)).map(() => salt()), salt());
      return [selective(checkout), selective(payment)];
    });
    const iat = this.#seconds() - 50;
    const payload = {
      ...{ aud: 'https://agent.example', nonce: salt(), iat, exp: iat + 50_000_000, ...bindingTo(l1, 'sd_hash') },
      delegate_payload: mandates,
      ...more,
    };
    const signer = signerOf(this.person);
    const l2 = mintSdJwt({
      typ: 'kb-sd-jwt+kb',
      payload,
      signer,
      salt: () => salts.shift() ?? salt(),
      isMirrored: true,
    });
    return { l1, l2, views: pairs.map((_, index) => viewOf(l2, index)) };
  }

  /** What `POST /ap2/payment-credentials` gets: one pair of a delegation, closed for a checkout by the agent. */
  close({ l1, views }: Delegation, options: IntentOptions = {}): Loose {
    const { checkout = checkoutJwt(), pair = 0 } = options;
    const l2 = views[pair] as string;
    const claims = { ...this.#presented(options, 300), ...bindingTo(l2, 'sd_hash') };
    const payload = { ...claims, delegate_payload: [selective(this.#payment(checkout, options))] };
    const l3Payment = mintSdJwt({ typ: 'kb-sd-jwt', payload, signer: signerOf(this.agent), salt });
    return { verifiableIntent: { l1, l2, l3Payment }, nonce: claims.nonce, checkoutJwtHash: hashOf(checkout) };
  }

  /** What the person closed without an agent. */
  immediate(options: IntentOptions = {}, l1 = this.credential(), person = this.person): Loose {
    const { checkout = checkoutJwt() } = options;
    const claims = { ...this.#presented(options, 900), ...bindingTo(l1, 'sd_hash') };
    const closed = { vct: 'mandate.checkout.1', checkout_jwt: checkout, checkout_hash: hashOf(checkout) };
    const payload = { ...claims, delegate_payload: [closed, this.#payment(checkout, options)].map(selective) };
    const l2 = mintSdJwt({ typ: 'kb-sd-jwt', payload, signer: signerOf(person), salt, isMirrored: true });
    return { verifiableIntent: { l1, l2 }, nonce: claims.nonce, checkoutJwtHash: hashOf(checkout) };
  }

  #seconds(): number {
    return Math.floor(this.now() / 1000);
  }

  #presented({ nonce = salt(), aud = 'credential-provider' }: IntentOptions, lasts: number) {
    const iat = this.#seconds();
    return { aud, nonce, iat, exp: iat + lasts };
  }

  #payment(
    checkout: string,
    { amount = 2000, currency = 'USD', instrument = INSTRUMENT, payee = PAYEE }: IntentOptions,
  ): object {
    return {
      vct: 'mandate.payment.1',
      transaction_id: hashOf(checkout),
      payee,
      payment_amount: { amount, currency },
      payment_instrument: instrument,
    };
  }
}

/** The view that discloses one pair. */
function viewOf(l2: string, index: number): string {
  const [jwt, ...disclosures] = l2.slice(0, -1).split('~');
  const decoded = disclosures.map((text) => ({ text, value: Buffer.from(text, 'base64url').toString() }));
  const checkout = decoded.find(({ value }) => value.includes(`"checkout ${index}"`));
  const payment = decoded.filter(({ value }) => value.includes('mandate.payment.open.1'))[index];
  const hidden = decoded.filter(({ text, value }) => !value.includes('"vct"') && payment?.value.includes(hashOf(text)));
  return [jwt, ...[checkout, payment, ...hidden].map((each) => each?.text), ''].join('~');
}

function isHidden(value: unknown): boolean {
  return value !== null && typeof value === 'object' && Object.getPrototypeOf(value) !== Object.prototype;
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Constraints of an open payment mandate for a budget in minor units. */
export function intentBudget(max: number, currency = 'USD', more: object = {}): object[] {
  return [
    { type: 'mandate.payment.amount_range', currency, max: 100_000_000 },
    { type: 'mandate.payment.budget', currency, max },
    {
      ...{ type: 'mandate.payment.agent_recurrence', frequency: 'ON_DEMAND' },
      ...{ start_date: '2020-01-01', end_date: '2099-12-31', ...more },
    },
  ];
}
