/** The three steps of a purchase over REST, for tests that are about what comes after. */
import assert from 'node:assert/strict';
import type { Json, Peer } from './peer.ts';
import type { Loose, World } from './world.ts';

export interface PurchaseOptions {
  readonly agent?: Peer;
  readonly instrument?: string;
  readonly hpProof?: Json;
}

/** @returns the answer to the payment mandate, its REST status checked */
export async function purchase(world: World, amount: number, options: PurchaseOptions = {}): Promise<Loose> {
  const approvalToken = await approve(world, amount, options);
  const instrument = options.instrument === undefined ? {} : { instrument: options.instrument };
  const payment = await world.rest('POST', '/ap2/payments/mandate', { approvalToken, ...instrument });
  assert.equal(payment.status, 200, payment.text);
  return payment.body;
}

/** @returns an approval token for a cart of that amount */
export async function approve(world: World, amount: number, options: PurchaseOptions = {}): Promise<string> {
  const intent = await world.rest('POST', '/ap2/intents', world.intentBody(amount, options));
  assert.equal(intent.body.allowed, true, intent.text);
  const hpProof = options.hpProof === undefined ? {} : { hpProof: options.hpProof };
  const request = { intentVc: intent.body.intentVc, cartVc: world.cart(amount), ...hpProof };
  const cart = await world.rest('POST', '/ap2/carts/validate', request);
  assert.equal(cart.body.allowed, true, cart.text);
  return cart.body.approvalToken;
}

/** The id of the payment a mandate stands for. */
export function mandateIdOf(payment: Loose): string {
  return payment.pmVc.credentialSubject.mandateId;
}
