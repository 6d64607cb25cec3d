/** The sandbox's demo functions: a signed cart, a proof of presence, a whole purchase. */
import { z } from 'zod';
import { CartItem, CartResult } from './cart.ts';
import { Did } from './credential/did.ts';
import { Credential } from './credential/vc.ts';
import { EvidenceEvent } from './evidence/chain.ts';
import { IntentResult } from './intent.ts';
import { Currency } from './money.ts';
import { Payment, PaymentResult } from './payment.ts';
import { MerchantDomain } from './policy/values/domain.ts';
import { HpProof } from './presence.ts';

export const DemoCart = z.object({
  payerDid: Did,
  domain: MerchantDomain,
  amount: z.number(),
  currency: Currency,
  items: z.array(CartItem).min(1).max(100).optional(),
});
export type DemoCart = z.output<typeof DemoCart>;

export const DemoCartResult = z.object({ cartVc: Credential });
export type DemoCartResult = z.infer<typeof DemoCartResult>;

export const DemoPresence = z.object({
  agentDid: Did,
  /** Lifetime of the proof. */
  freshnessSeconds: z.int().min(1).max(3600).default(300),
});
export type DemoPresence = z.output<typeof DemoPresence>;

export const DemoPresenceResult = z.object({ hpProof: HpProof });
export type DemoPresenceResult = z.infer<typeof DemoPresenceResult>;

export const DemoPayment = z.object({
  agentDid: Did,
  principalDid: Did,
  amount: z.number(),
  currency: Currency,
  merchantDomain: MerchantDomain,
});
export type DemoPayment = z.output<typeof DemoPayment>;

/** The steps of the purchase that were reached. */
export const DemoPaymentResult = z.object({
  transactionId: z.string(),
  intent: IntentResult,
  cart: CartResult.optional(),
  payment: z.union([PaymentResult, PaymentResult.and(z.object({ capture: Payment }))]).optional(),
  evidence: z.array(EvidenceEvent),
});
export type DemoPaymentResult = z.infer<typeof DemoPaymentResult>;
