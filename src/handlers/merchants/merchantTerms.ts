/** What category and country a purchase is judged by: the registry's word on the merchant, and the agent's where it has none. */
import { asksCategory } from '../../../protocol/policy/checks/merchantCategory.ts';
import type { CompiledPolicy } from '../../../protocol/policy/compile.ts';
import { findMerchantsOf } from '../../store/statements/registry/merchants.ts';
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
  { categories, geo }: CompiledPolicy,
  tenantId: string,
  domain: string | undefined,
  hints: { readonly mcc?: string | null | undefined; readonly country?: string | null | undefined },
): Script<Terms> {
  const said = { mcc: hints.mcc ?? undefined, country: hints.country ?? undefined };
  const isAsked = asksCategory(categories) || geo.allow !== undefined || geo.deny.size > 0;
  if (domain === undefined || !isAsked) return said;
  const rows = yield* findMerchantsOf(tenantId, domain);
  return {
    mcc: rows.find(({ mcc }) => mcc !== null)?.mcc ?? said.mcc,
    country: rows.find(({ country }) => country !== null)?.country ?? said.country,
  };
}
