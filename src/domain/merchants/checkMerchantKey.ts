/** Whether the key that signed a cart may sign for the cart's merchant. */
import { profileOf } from '../../../protocol/ucp/profile.ts';
import { findMerchantsOf } from '../../store/statements/registry/merchants.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import { takesItsPlace, wellKnownOf } from './keySources.ts';

export interface MerchantBinding {
  /** One sentence when the key is not the merchant's. */
  readonly fault: string | undefined;
  /** The merchant's account at the rail: its key's own, or that of any other row of the domain that has one. */
  readonly railAccountId: string | undefined;
}

/**
 * A key is a merchant's when the tenant's registry binds it to the domain, when the issuer is the domain's own did:web or its
 * own set of keys, or its profile of UCP, where nothing takes the place of that, or, in the sandbox, when it is the node's demo merchant key.
 * @param issuer the cart's issuer: a canonical did:key, a did:web, or the name of a key source (see keySources.ts)
 */
export function* checkMerchantKey(
  deps: Pick<Deps, 'keys'>,
  tenantId: string,
  merchant: string,
  issuer: string,
): Script<MerchantBinding> {
  const bound = yield* findMerchantsOf(tenantId, merchant);
  const registered = bound.find((row) => row.did === issuer);
  const isPublished = issuer === wellKnownOf(merchant) || issuer === profileOf(merchant);
  const isOwn = issuer === `did:web:${merchant}` || (isPublished && !bound.some(takesItsPlace));
  const trusted = registered !== undefined || isOwn || issuer === deps.keys.demo?.merchant.did;
  return {
    fault: trusted ? undefined : `The cart was signed by ${issuer}, which is not bound to ${merchant}.`,
    railAccountId:
      registered?.rail_account_id ?? bound.find((row) => row.rail_account_id !== null)?.rail_account_id ?? undefined,
  };
}

/** A payee that a mandate names, with its account at the rail. */
export function* bindPayee(tenantId: string, merchant: string): Script<MerchantBinding> {
  const bound = yield* findMerchantsOf(tenantId, merchant);
  return {
    fault: undefined,
    railAccountId: bound.find((row) => row.rail_account_id !== null)?.rail_account_id ?? undefined,
  };
}
