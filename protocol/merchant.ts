/** Merchants that a tenant trusts: the key of a domain and, optionally, its account at the rail. */
import { z } from 'zod';
import { Did } from './credential/did.ts';
import { MerchantDomain } from './policy/checks/merchantLists.ts';

const DID_WEB = 'did:web:';
const MERCHANT_DID = 'must be the did:key of the merchant’s key, or did:web of the same domain';

export const BindMerchant = z
  .object({
    domain: MerchantDomain,
    did: z.union([z.string().startsWith(DID_WEB).max(260).toLowerCase(), Did], { error: MERCHANT_DID }),
    railAccountId: z.string().min(1).max(255).optional(),
    railProfileId: z.string().min(1).max(255).optional(),
  })
  // The domain's own did:web needs no binding; it is registered to give it an account.
  .refine(({ domain, did }) => !did.startsWith(DID_WEB) || did === DID_WEB + domain, {
    path: ['did'],
    message: MERCHANT_DID,
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
