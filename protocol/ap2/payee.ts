/** Whom a mandate pays, as policies and merchants here are named: by a domain. */
import { MerchantDomain } from '../policy/values/domain.ts';
import type { ReasonDetails } from '../reason.ts';
import type { MandateChain } from '../sdjwt/mandateChain.ts';
import { isSameMerchant, MandateMerchant } from '../sdjwt/mandateContent.ts';
import { isObject } from '../sdjwt/sdJwt.ts';

/** The domain of a payee: that of its website, or its id where that is one. */
export function payeeDomain({ website, id }: MandateMerchant): string | undefined {
  if (website !== undefined && website !== '') return MerchantDomain.safeParse(hostOf(website)).data;
  return MerchantDomain.safeParse(id).data;
}

function hostOf(website: string): string {
  if (!website.includes('://')) return website;
  return /^https?:\/\//i.test(website) && URL.canParse(website) ? new URL(website).hostname : '';
}

/**
 * The refusal of a payee whose domain no open mandate allows. Payees are the same by their id alone, and the domain is whom the node
 * pays: an agent that closes a mandate must not give an allowed id a website of its own.
 */
export function refuseOtherDomain(open: MandateChain['open'], payee: MandateMerchant): ReasonDetails {
  const domain = payeeDomain(payee);
  if (domain === undefined) return {};
  const isElsewhere = open
    .flatMap(({ constraints }) => constraints.filter(isObject))
    .filter(({ type }) => String(type).endsWith('payment.allowed_payees'))
    .map(({ allowed }) => (Array.isArray(allowed) ? allowed : []))
    .map((allowed) => allowed.map((each) => MandateMerchant.safeParse(each).data ?? {}))
    .map((allowed) => allowed.filter((each) => isSameMerchant(each, payee)))
    .some((same) => same.length > 0 && !same.some((each) => payeeDomain(each) === domain));
  if (!isElsewhere) return {};
  return { MERCHANT_NOT_ALLOWED: { message: `The open mandate allows the payee ${payee.id}, and not at ${domain}.` } };
}
