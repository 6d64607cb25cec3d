/** The requests and answers about policies: creating, showing and simulating them. */
import { z } from 'zod';
import { Did } from '../credential/did.ts';
import { IdempotencyKey, RefusalResult, VendorHints } from '../intent.ts';
import { Currency } from '../money.ts';
import { MerchantDomain } from './checks/merchantLists.ts';
import { Rules } from './rules.ts';

const Name = z.string().trim().min(1).max(200);

export const CreatePolicy = z.object({
  name: Name,
  rules: Rules,
  activate: z.boolean().default(true),
  idempotencyKey: IdempotencyKey.optional(),
});
export type CreatePolicy = z.infer<typeof CreatePolicy>;

export const UpdatePolicy = z
  .object({ id: z.string(), name: Name.optional(), rules: Rules.optional(), idempotencyKey: IdempotencyKey.optional() })
  .refine((input) => input.name !== undefined || input.rules !== undefined, {
    message: 'name or rules must be given',
    path: ['rules'],
  });
export type UpdatePolicy = z.infer<typeof UpdatePolicy>;

/** One version of a policy. */
export const Policy = z.object({
  id: z.string(),
  version: z.int(),
  name: z.string(),
  rules: z.record(z.string(), z.unknown()),
  hash: z.string(),
  isActive: z.boolean(),
  createdAt: z.string(),
});
export type Policy = z.infer<typeof Policy>;

export const SimulatePolicy = z.object({
  id: z.string(),
  request: z.object({
    amount: z.number(),
    currency: Currency,
    merchantDomain: MerchantDomain.optional(),
    mcc: VendorHints.shape.mcc,
    country: VendorHints.shape.country,
    /** Evaluate with this agent's history instead of an empty one. */
    agentDid: Did.optional(),
  }),
});
export type SimulatePolicy = z.infer<typeof SimulatePolicy>;

export const Simulation = z.object({
  allowed: z.boolean(),
  reasonCodes: RefusalResult.shape.reasonCodes,
  details: RefusalResult.shape.details,
  hpRequired: z.boolean(),
  evaluatedAt: z.string(),
});
export type Simulation = z.infer<typeof Simulation>;
