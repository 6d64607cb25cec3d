/** Merchants that a tenant trusts: the key of a domain and, optionally, its account at the rail. */
import { z } from 'zod';
import { Did } from './credential/did.ts';
import { MerchantDomain } from './policy/checks/merchantLists.ts';

export const BindMerchant = z.object({
  domain: MerchantDomain,
  did: Did,
  railAccountId: z.string().min(1).max(255).optional(),
  railProfileId: z.string().min(1).max(255).optional(),
});
export type BindMerchant = z.infer<typeof BindMerchant>;

export const Merchant = z.object({
  id: z.string(),
  domain: z.string(),
  did: z.string(),
  railAccountId: z.string().optional(),
  railProfileId: z.string().optional(),
  createdAt: z.string(),
});
export type Merchant = z.infer<typeof Merchant>;
