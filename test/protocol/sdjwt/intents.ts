/** Layers of Verifiable Intent for tests: one purchase, by the encoder of the project. */
import { bindingTo, mintSdJwt, selective } from '../../../protocol/sdjwt/mint.ts';
import { sdHash } from '../../../protocol/sdjwt/sdHash.ts';
import type { JsonObject } from '../../../protocol/sdjwt/sdJwt.ts';
import type { IntentLayers } from '../../../protocol/sdjwt/vi.ts';
import { AT, checkoutJwt, SHOP, salt, type TestKey, testKey } from './chains.ts';

export const ISSUER = testKey('card-issuer-1');
export const PERSON = testKey('person-1');
export const AGENT = testKey('agent-1');
export const CARD = 'card-of-the-person';
export const NETWORK = 'https://network.example';

export const INTENT_CHECKOUT = checkoutJwt([{ id: 'shoes', quantity: 1 }]);
const TRANSACTION = sdHash('sha-256', INTENT_CHECKOUT);
const INSTRUMENT = { type: 'network.card', id: CARD, description: 'Card ····1234' };

export const CLOSED_PAYMENT: JsonObject = {
  vct: 'mandate.payment.1',
  transaction_id: TRANSACTION,
  payee: SHOP,
  payment_amount: { amount: 5000, currency: 'USD' },
  payment_instrument: INSTRUMENT,
};
export const CLOSED_CHECKOUT: JsonObject = {
  vct: 'mandate.checkout.1',
  checkout_jwt: INTENT_CHECKOUT,
  checkout_hash: TRANSACTION,
};
export const VI_RANGE = { type: 'mandate.payment.amount_range', currency: 'USD', max: 20_000 };
const PAYEES = { type: 'mandate.payment.allowed_payees', allowed: [selective(SHOP)] };
const LINES = {
  type: 'mandate.checkout.line_items',
  items: [{ id: 'line-1', acceptable_items: [selective({ id: 'shoes', title: 'Shoes' })], quantity: 2 }],
  match_mode: 'minimum',
};

export function credential(more: JsonObject = {}, signer: TestKey = ISSUER): string {
  const payload = {
    iss: 'https://issuer.example',
    sub: 'person-of-the-test',
    iat: AT - 1000,
    exp: AT + 100_000,
    vct: 'https://credentials.example/card',
    cnf: { jwk: PERSON.jwk },
    card_id: CARD,
    email: selective('person@example.com'),
    ...more,
  };
  return mintSdJwt({ typ: 'sd+jwt', payload, signer, salt });
}

export interface Open {
  readonly payment?: readonly unknown[];
  readonly checkout?: readonly unknown[];
  readonly agent?: TestKey;
  readonly paymentMore?: JsonObject;
  readonly checkoutMore?: JsonObject;
  /** Replaces the digest of the checkout that the payment is for. */
  readonly reference?: string;
  readonly claims?: JsonObject;
  readonly signer?: TestKey;
  readonly isMirrored?: boolean;
  /** What else is delegated. */
  readonly extra?: readonly unknown[];
}

/** Layer 2 in full: the disclosure of the checkout goes first, so that the payment can refer to it. */
export function openIntent(l1: string, open: Open = {}): string {
  const { agent = AGENT, payment = [VI_RANGE, PAYEES], checkout = [LINES], isMirrored = true } = open;
  const checkoutMandate = {
    vct: 'mandate.checkout.open.1',
    cnf: { jwk: agent.jwk },
    constraints: checkout,
    ...open.checkoutMore,
  };
  // Minted once alone, with salts that are given again, to learn the digest that the payment refers to.
  const salts = Array.from({ length: 100 }, () => salt());
  const replayed = () => {
    const left = [...salts];
    return () => left.shift() as string;
  };
  const alone = mintSdJwt({
    typ: 'x',
    payload: { delegate_payload: [selective(checkoutMandate)] },
    signer: PERSON,
    salt: replayed(),
  });
  const [digest] = disclosuresOf(alone)
    .filter(({ text }) => text.includes('mandate.checkout.open.1'))
    .map((each) => each.digest);
  const reference = { type: 'mandate.payment.reference', conditional_transaction_id: open.reference ?? digest };
  const paymentMandate = {
    vct: 'mandate.payment.open.1',
    cnf: { jwk: agent.jwk },
    payment_instrument: INSTRUMENT,
    constraints: [...payment, reference],
    ...open.paymentMore,
  };
  const payload = {
    iss: 'https://wallet.example',
    aud: 'https://agent.example',
    nonce: 'nonce-of-layer-2',
    iat: AT - 100,
    exp: AT + 10_000,
    ...bindingTo(l1, 'sd_hash'),
    delegate_payload: [selective(checkoutMandate), selective(paymentMandate), ...(open.extra ?? [])],
    ...open.claims,
  };
  return mintSdJwt({ typ: 'kb-sd-jwt+kb', payload, signer: open.signer ?? PERSON, salt: replayed(), isMirrored });
}

function disclosuresOf(token: string) {
  return token
    .split('~')
    .slice(1, -1)
    .map((disclosure) => ({
      disclosure,
      digest: sdHash('sha-256', disclosure),
      text: Buffer.from(disclosure, 'base64url').toString(),
    }));
}

/** What one recipient is given of a token: the disclosures that hold one of these words. */
export function view(token: string, ...words: readonly string[]): string {
  const kept = disclosuresOf(token).filter(({ text }) => words.some((word) => text.includes(word)));
  return [token.split('~')[0], ...kept.map(({ disclosure }) => disclosure), ''].join('~');
}

export const paymentView = (l2: string) => view(l2, 'mandate.payment.open.1', SHOP.website);
export const checkoutView = (l2: string) => view(l2, 'mandate.checkout.open.1', '"Shoes"');

interface Close {
  readonly signer?: TestKey;
  readonly claims?: JsonObject;
  readonly typ?: string;
}

/** Layer 3a or 3b, over the view that its recipient gets. */
export function closing(
  l2View: string,
  mandate: JsonObject,
  { signer = AGENT, claims = {}, typ = 'kb-sd-jwt' }: Close = {},
): string {
  const isPayment = mandate['vct'] === 'mandate.payment.1';
  const payload = {
    aud: isPayment ? NETWORK : SHOP.website,
    nonce: isPayment ? 'nonce-of-layer-3a' : 'nonce-of-layer-3b',
    iat: AT,
    exp: AT + 300,
    ...bindingTo(l2View, 'sd_hash'),
    // The merchant that was chosen is disclosed beside the payment.
    delegate_payload: [...(isPayment ? [selective(SHOP)] : []), selective(mandate)],
    ...claims,
  };
  return mintSdJwt({ typ, payload, signer, salt });
}

/** A purchase that an agent closed, in all its layers. */
export function delegated(
  open: Open = {},
  payment = CLOSED_PAYMENT,
  checkout = CLOSED_CHECKOUT,
): Record<keyof IntentLayers, string> {
  const l1 = credential();
  const full = openIntent(l1, open);
  const [l2, l2Checkout] = [paymentView(full), checkoutView(full)];
  return { l1, l2, l2Checkout, l3Payment: closing(l2, payment), l3Checkout: closing(l2Checkout, checkout) };
}

/** A purchase that the person closed. */
export function immediate(claims: JsonObject = {}, payment = CLOSED_PAYMENT, checkout = CLOSED_CHECKOUT): IntentLayers {
  const l1 = credential();
  const payload = {
    aud: NETWORK,
    nonce: 'nonce-of-layer-3a',
    iat: AT,
    exp: AT + 900,
    ...bindingTo(l1, 'sd_hash'),
    delegate_payload: [selective(checkout), selective(payment)],
    ...claims,
  };
  return { l1, l2: mintSdJwt({ typ: 'kb-sd-jwt', payload, signer: PERSON, salt, isMirrored: true }) };
}
