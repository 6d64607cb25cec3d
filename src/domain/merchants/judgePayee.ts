/** Whether a payee is the merchant's: what stands for the merchant where no merchant signs a cart. */
import type { CompiledPolicy } from '../../../protocol/policy/compile.ts';
import { hasPayees, listDomainsOfPayee } from '../../store/statements/registry/merchants.ts';
import { type Script, together } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import type { MerchantBinding } from './merchantKeys.ts';

/** @param payee as the registry of merchants has it: a profile at the rail, or an account on a chain in lower case; undefined where none is known */
export function* judgePayee(
  { settings }: Pick<Deps, 'settings'>,
  policy: CompiledPolicy,
  tenantId: string,
  merchant: string,
  payee: string | undefined,
): Script<MerchantBinding> {
  if (payee === undefined)
    return { fault: mayBeUnbound(settings, policy) ? undefined : NO_PAYEE, railAccountId: undefined };
  const [owners, isKnown] = yield* together(listDomainsOfPayee(tenantId, payee), hasPayees(tenantId, merchant));
  const domains = owners.map(({ domain }) => domain);
  const railAccountId = undefined;
  if (domains.includes(merchant)) return { fault: undefined, railAccountId };
  const mismatch =
    domains.length === 0 ? undefined : `The payee ${payee} is that of ${domains.join(', ')}, not of ${merchant}.`;
  if (isKnown)
    return { fault: `The payee ${payee} is none of those that are bound to ${merchant}.`, mismatch, railAccountId };
  const fault = mayBeUnbound(settings, policy)
    ? undefined
    : `No payee is bound to ${merchant}; an owner binds ${payee} with POST /ap2/admin/merchants, or the policy allows unbound payees.`;
  return { fault, mismatch, railAccountId };
}

const NO_PAYEE =
  'Nothing says who is paid; name a payee that is bound to the merchant with POST /ap2/admin/merchants, or the policy allows unbound payees.';

function mayBeUnbound({ environment }: Pick<Deps['settings'], 'environment'>, policy: CompiledPolicy): boolean {
  return policy.rules.merchant?.allow_unbound_payees ?? environment === 'sandbox';
}
