/** The three steps of a purchase by the typed client, for tests that are about what comes after. */
import assert from 'node:assert/strict';
import type { Operations, PaymentResult, Refusal } from '../../client/index.ts';
import type { JsonObject, Peer } from './peer.ts';
import type { World } from './world.ts';

export interface PurchaseOptions {
  readonly agent?: Peer;
  readonly principal?: Peer;
  readonly instrument?: string;
  readonly hpProof?: JsonObject;
}

export type Paid = Exclude<PaymentResult, Refusal>;

/** @returns the answer to the payment mandate */
export async function purchase(world: World, amount: number, options: PurchaseOptions = {}): Promise<Paid> {
  const approvalToken = await approve(world, amount, options);
  const instrument = options.instrument === undefined ? {} : { instrument: options.instrument };
  const payment = await world.client.mandatePayment({ approvalToken, ...instrument });
  assert.ok('pmVc' in payment, JSON.stringify(payment));
  return payment;
}

/** @returns an approval token for a cart of that amount */
export async function approve(world: World, amount: number, options: PurchaseOptions = {}): Promise<string> {
  const asked = world.intentBody(amount, options) as unknown as Operations['issueIntent']['input'];
  const intent = await world.client.issueIntent(asked);
  assert.ok(intent.allowed, JSON.stringify(intent));
  const hpProof = options.hpProof === undefined ? {} : { hpProof: options.hpProof };
  const cart = await world.client.validateCart({ intentVc: intent.intentVc, cartVc: world.cart(amount), ...hpProof });
  assert.ok(cart.allowed, JSON.stringify(cart));
  return cart.approvalToken;
}

/** The id of the payment a mandate stands for. */
export function mandateIdOf(payment: Paid): string {
  return String(payment.pmVc.credentialSubject.mandateId);
}
