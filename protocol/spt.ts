/** Shared payment tokens (SPT): the right of one merchant to be paid once, up to an amount, for a short time. */
import { z } from 'zod';
import { IdempotencyKey } from './intent.ts';
import { Currency } from './money.ts';
import { MerchantDomain } from './policy/values/domain.ts';
import { PageRequest } from './wire/page.ts';

const SPT_STATES = ['ACTIVE', 'USED', 'EXPIRED', 'REVOKED'] as const;
export const SptStatus = z.enum(SPT_STATES);
export type SptStatus = z.infer<typeof SptStatus>;

/** How long a token lives unless its creator says otherwise, and at most. */
const SPT_LIFETIME_SECONDS = 300;
const MAX_SPT_LIFETIME_SECONDS = 7 * 24 * 3600;

const Mandate = z.object({
  intentId: z.string().min(1).max(255).optional(),
  cartId: z.string().min(1).max(255).optional().describe('The hash of the cart, `sha256:…`.'),
  paymentId: z.string().min(1).max(255).optional().describe('The payment, `pm_…`.'),
});

export const CreateSpt = z.object({
  merchantDomain: MerchantDomain,
  amount: z.number().describe('The most that the merchant may take with it, in units of the currency.'),
  currency: Currency,
  expiresIn: z
    .int()
    .min(1)
    .max(MAX_SPT_LIFETIME_SECONDS)
    .default(SPT_LIFETIME_SECONDS)
    .describe('How many seconds it lives.'),
  mandate: Mandate.default({}).describe('What it is for; each that is named must exist.'),
  idempotencyKey: IdempotencyKey.optional(),
});
export type CreateSpt = z.output<typeof CreateSpt>;

export const Spt = z.object({
  id: z.string(),
  status: SptStatus,
  merchantDomain: z.string(),
  amount: z.number(),
  currency: z.string(),
  mandate: Mandate.describe('What it is for.'),
  createdAt: z.string(),
  expiresAt: z.string(),
  usedAt: z.string().optional().describe('When the merchant made a payment with it.'),
  railTokenId: z.string().optional().describe('The token at the rail; none where the sandbox made it.'),
  railTransactionId: z.string().optional(),
});
export type Spt = z.infer<typeof Spt>;

export const ListSpts = PageRequest.extend({ status: SptStatus.optional() });
export type ListSpts = z.output<typeof ListSpts>;

const Count = z.int().nonnegative();

export const SptOverview = z.object({
  total: Count,
  active: Count,
  used: Count,
  expired: Count,
  revoked: Count,
  amounts: z
    .record(
      z.string(),
      z.object({ total: z.number(), active: z.number(), used: z.number(), expired: z.number(), revoked: z.number() }),
    )
    .describe('What the tokens were good for, by currency and state.'),
});
export type SptOverview = z.infer<typeof SptOverview>;

/** The status at a time: an active token past its time has expired, even before a worker records it. */
export function sptStatusAt(token: { readonly status: SptStatus; readonly expiresAt: number }, now: number): SptStatus {
  return token.status === 'ACTIVE' && token.expiresAt <= now ? 'EXPIRED' : token.status;
}
