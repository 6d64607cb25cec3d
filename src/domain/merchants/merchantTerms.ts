/** What category and country a purchase is judged by: the registry's word on the merchant, and the agent's where it has none. */

import type { RegisteredTerms } from '../../../protocol/policy/counterfactual.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import type { IntentRow } from '../../store/statements/purchases/intents.ts';
import { findMerchantsOf, listTermsOf, type MerchantTerms } from '../../store/statements/registry/merchants.ts';
import type { Script } from '../../store/store.ts';

export interface Terms {
  readonly mcc: string | undefined;
  readonly country: string | undefined;
}

/**
 * @param domain of the merchant; undefined where the intent is for any
 * @param hints what the agent says
 */
export function* loadTerms(
  tenantId: string,
  domain: string | undefined,
  hints: { readonly mcc?: string | null | undefined; readonly country?: string | null | undefined },
): Script<Terms> {
  const said = { mcc: hints.mcc ?? undefined, country: hints.country ?? undefined };
  if (domain === undefined) return said;
  return { ...said, ...registeredIn(yield* findMerchantsOf(tenantId, domain)) };
}

/** What a cart was judged by that its intent does not have: what the registry said of its merchant by then. */
export function newTerms({ mcc, country }: Terms, intent: Pick<IntentRow, 'mcc' | 'country'>): RegisteredTerms {
  return compact({
    mcc: mcc === intent.mcc ? undefined : mcc,
    country: country === intent.country ? undefined : country,
  });
}

/** @param rows of one merchant */
function registeredIn(rows: readonly MerchantTerms[]): RegisteredTerms {
  return compact({
    mcc: rows.find(({ mcc }) => mcc !== null)?.mcc ?? undefined,
    country: rows.find(({ country }) => country !== null)?.country ?? undefined,
  });
}

/**
 * What the registry says of several merchants.
 * @returns by the merchant's domain; nothing of a merchant that was not asked about
 */
export function* loadRegistered(
  tenantId: string,
  domains: readonly string[],
): Script<(domain: string | undefined) => RegisteredTerms> {
  const rows = yield* listTermsOf(tenantId, domains);
  const byDomain = new Map<string, MerchantTerms[]>();
  for (const row of rows) byDomain.set(row.domain, [...(byDomain.get(row.domain) ?? []), row]);
  return (domain) => registeredIn((domain === undefined ? undefined : byDomain.get(domain)) ?? []);
}
