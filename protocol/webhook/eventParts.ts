/** Parts of the data of several webhook events: their schemas, how they are made from evidence, and examples of them. */
import { z } from 'zod';
import { REASON_CODES } from '../reason.ts';
import { type Facts, pick } from './webhookEvent.ts';

export const ReasonCodes = z.array(z.enum(REASON_CODES)).min(1);
export const Details = z.record(z.string(), z.unknown());
export const MoneyData = { amount: z.number(), currency: z.string() };
export const AskedData = {
  approvalId: z.string(),
  intentId: z.string(),
  cartHash: z.string(),
  merchant: z.string(),
  ...MoneyData,
};
export const GovernedData = { policyId: z.string(), policyVersion: z.int(), policyHash: z.string() };
export const RequestData = z.object({
  maxAmount: z.number(),
  currency: z.string(),
  merchantDomain: z.string().optional(),
});

export const requestOf = (facts: Facts) => pick(facts, 'maxAmount', 'currency', 'merchantDomain');
export const askedOf = (facts: Facts) =>
  pick(facts, 'approvalId', 'intentId', 'cartHash', 'merchant', 'amount', 'currency');

export const AGENT = 'did:key:z6Mkon3Necd6NkkyfoGoHxid2znGc59LU3K7mubaRcFbLfLX';
export const PRINCIPAL = 'did:key:z6Mko9hTggMwjSTEaJaPUfE6tqcy2xvU6BnNq3e3o8qVBiyH';
export const INTENT = 'intent_01m7yh6hratazm92fgcpkykyyx';
export const PAYMENT = 'pm_01m7yh6ht8fg22q8v49h1mnxfz';
export const RAIL_PAYMENT = 'pi_01m7yh6htc2x5v8y1b4e7h0k3n';
export const DISPUTE = 'dsp_01m7yh6hv2c5f8j1m4q7s0v3x6';
export const RAIL_DISPUTE = 'dp_01m7yh6hv2d6g9k2n5r8t1w4y7';
export const CART = 'sha256:931a7e932fb76a63bd47d90cad596a535aca760b7e1b1e1bc5113250a2a51f05';
export const AT = '2026-11-21T07:47:41.449Z';
export const GOVERNED = {
  policyId: 'pol_01m7yh6hk6a1s4d7f0g3h6j9k2',
  policyVersion: 2,
  policyHash: 'sha256:5f2b51ca9c1f4a8f0f9f1c2e54b6e1b6a2cf5a6d9b1c7e3f8d4a0b2c6e9f1a3d',
};
export const MONEY = { amount: 129.5, currency: 'USD' };
export const REQUEST = { maxAmount: 150, currency: 'USD', merchantDomain: 'shop.example' };
export const ASKED = {
  approvalId: 'apr_01m7yh6hs5k8n1q4t7w0z3c6f9',
  intentId: INTENT,
  cartHash: CART,
  merchant: 'shop.example',
  ...MONEY,
};
export const OVER_CAP = {
  AMOUNT_OVER_CAP: {
    requested: 500,
    limit: 200,
    currency: 'USD',
    message: '500.00 USD is 300.00 over the cap of 200.00.',
  },
};
