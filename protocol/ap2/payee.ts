/** Whom a mandate pays, as policies and merchants here are named: by a domain. */
import { MerchantDomain } from '../policy/values/merchantDomain.ts';
import type { MandateMerchant } from '../sdjwt/mandateContent.ts';

/** The domain of a payee: that of its website, or its id where that is one. */
export function payeeDomain({ website, id }: MandateMerchant): string | undefined {
  if (website !== undefined && website !== '') return MerchantDomain.safeParse(hostOf(website)).data;
  return MerchantDomain.safeParse(id).data;
}

function hostOf(website: string): string {
  if (!website.includes('://')) return website;
  return /^https?:\/\//i.test(website) && URL.canParse(website) ? new URL(website).hostname : '';
}
