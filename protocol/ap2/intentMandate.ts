/** An intent mandate of AP2 as what an intent is asked with. AP2 names no agent and no amount; those stand beside it. */
import { z } from 'zod';
import { Did } from '../credential/did.ts';
import {
  IdempotencyKey,
  type IntentRequest,
  IntentRequest as IntentRequestSchema,
  MAX_INTENT_TTL_SECONDS,
  VendorHints,
} from '../intent.ts';
import { Currency, floorToMinor, fromMinor } from '../money.ts';
import type { Rules } from '../policy/rules.ts';
import { domainIn, MerchantChoice, Shopping } from '../shopping.ts';
import { compact } from '../wire/compact.ts';
import { isoTime } from '../wire/time.ts';
import { IntentMandate, readAs, refuse } from './mandateShapes.ts';

/** What stands beside the mandates of AP2: who buys, for whom, and for how much. */
export const Ap2About = z.looseObject({
  agentDid: Did.optional(),
  principalDid: Did.optional(),
  maxAmount: z.number().optional(),
  currency: Currency.optional(),
  mcc: VendorHints.shape.mcc,
  country: VendorHints.shape.country,
  delegationId: IntentRequestSchema.shape.delegationId,
  idempotencyKey: IdempotencyKey.optional(),
});

/**
 * @param mandate, about as received
 * @param given.agentDid the agent that the caller has proven to be, where it has
 * @param given.rules of the current policy, which give the amount where `about` names none
 * @param given.now milliseconds since the epoch
 * @throws Fault BAD_REQUEST that names the member at fault
 */
export function intentOfMandate(
  mandate: unknown,
  about: unknown,
  given: { readonly agentDid?: string | undefined; readonly rules: Rules | undefined; readonly now: number },
): IntentRequest {
  const asked = readAs(IntentMandate, mandate, 'intentMandate');
  const said = readAs(Ap2About, about ?? {}, 'about');
  const agentDid = said.agentDid ?? given.agentDid;
  if (agentDid === undefined) refuse('about.agentDid', 'names the agent that buys; this credential stands for none');
  const confirmCart = asked.user_cart_confirmation_required;
  const hints = compact({ ...merchantsOf(asked.merchants ?? []), mcc: said.mcc, country: said.country });
  const shopping = compact({
    description: asked.natural_language_description,
    skus: asked.skus?.length ? asked.skus : undefined,
    refundable: asked.requires_refundability === true ? true : undefined,
    confirmCart: confirmCart ? true : undefined,
  });
  return compact({
    agentDid,
    principalDid: said.principalDid ?? agentDid,
    request: {
      ...amountOf(said, given.rules, confirmCart),
      ...(Object.keys(hints).length === 0 ? {} : { vendorHints: hints }),
      shopping: readAs(Shopping, shopping, 'intentMandate'),
    },
    expiresAt: expiryOf(asked.intent_expiry, given.now),
    delegationId: said.delegationId,
    idempotencyKey: said.idempotencyKey,
  });
}

function merchantsOf(named: readonly string[]): { readonly domain?: string; readonly merchants?: string[] } {
  const domain = named.length === 1 ? domainIn(String(named[0])) : undefined;
  if (domain !== undefined) return { domain };
  return named.length === 0 ? {} : { merchants: readAs(MerchantChoice, named, 'intentMandate.merchants') };
}

type Amount = Pick<IntentRequest['request'], 'maxAmount' | 'currency'>;
type AboutAmount = { readonly [Name in keyof Amount]?: Amount[Name] | undefined };

/** The most that the policy lets be spent, with a person where the cart is confirmed, stands in for an amount. */
function amountOf(about: AboutAmount, rules: Rules | undefined, confirmed: boolean): Amount {
  const { amount_cap: alone, presence_cap: withPerson, currency: ruled } = rules?.spend ?? {};
  const currency = about.currency ?? ruled;
  if (currency === undefined) refuse('about.currency', 'is missing, and the policy names no currency to take');
  if (about.maxAmount !== undefined) return { maxAmount: about.maxAmount, currency };
  const cap = confirmed ? (withPerson ?? alone) : alone;
  const minor = cap === undefined ? 0 : floorToMinor(cap, currency);
  if (minor === 0) refuse('about.maxAmount', 'is missing, and the policy has no cap to take in its place');
  return { maxAmount: fromMinor(minor, currency), currency };
}

/** AP2 lets intents live longer than this node does, so a later end is brought forward. */
function expiryOf(end: string, now: number): string {
  const at = Date.parse(end);
  if (at <= now) refuse('intentMandate.intent_expiry', 'lies in the past');
  return isoTime(Math.min(at, now + MAX_INTENT_TTL_SECONDS * 1000));
}
