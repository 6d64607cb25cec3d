/** Verifies that a portable bundle shows as many people's approvals as the policy versions in it asked for. */
import { z } from 'zod';
import { personKey } from '../approvals/personText.ts';
import { canonical } from '../credential/canonical.ts';
import { Currency, floorToMinor } from '../money.ts';
import { ApprovalSteps, peopleText, type Quorum, stepFor, stepsIn } from '../policy/values/approvalStep.ts';
import { PresenceApproval } from '../presence.ts';
import type { PortableBundle, Wrong } from './bundle.ts';
import { type BundleFacts, factsOf } from './bundleFacts.ts';

/** The events whose policy judged the purchase. */
const JUDGED = ['CART_VALIDATED', 'PM_ISSUED'] as const;

/** As much of a policy's rules as is asked here. */
const RulesOfApproval = z.object({
  spend: z.object({ currency: z.string().optional() }).optional(),
  context: z.object({ approval: ApprovalSteps.optional() }).optional(),
});

export function peopleFault(bundle: PortableBundle): Wrong {
  const fault = (reason: string): Wrong => ({ part: 'presence', reason });
  const cart = factsOf(bundle, 'CART_VALIDATED');
  const named = namedIn(cart);
  if (named === undefined) return fault('What the evidence names as approvals of people cannot be read.');
  const { presence } = bundle;
  if (presence !== undefined && canonical(presence.approvals ?? []) !== canonical(named)) {
    return fault('The approval names other people than the evidence.');
  }
  for (const { hpId, by, passkeyOf } of named) {
    const touch = touchIn(bundle, hpId);
    if (touch === undefined) return fault(`The touch ${hpId} of ${by} is missing.`);
    if (touch.passkeyOf !== passkeyOf) return fault(`The evidence does not agree whose passkey touched in ${hpId}.`);
    if (touch.approvedBy !== by) return fault(`The touch ${hpId} is by ${touch.approvedBy}, not by ${by}.`);
  }
  const passkeys = new Set(named.map(({ hpId }) => touchIn(bundle, hpId)?.publicKey));
  if (passkeys.size < named.length) return fault('Two of the touches are by one passkey.');
  if (new Set(named.map(({ by, passkeyOf = 'user' }) => personKey({ did: by, passkeyOf }))).size < named.length)
    return fault('Two of the touches are by one person.');
  const shown = named.length > 0 ? named.length : Number(cart?.presenceId !== undefined);
  for (const type of JUDGED) {
    const quorum = quorumOf(bundle, factsOf(bundle, type));
    if (quorum === 'unreadable') return fault('How many people the policy asked for cannot be read.');
    const holder = named.find(({ passkeyOf = 'user' }) => passkeyOf !== 'user');
    if (quorum?.usersAlone === true && holder !== undefined) {
      return fault(`The policy asked for ${peopleText(quorum)}; the touch ${holder.hpId} is no user’s.`);
    }
    if (quorum === undefined || quorum.people <= shown) continue;
    return fault(`The policy asked for ${peopleText(quorum)}; the bundle shows the approval of ${shown}.`);
  }
  return undefined;
}

/** The touches of several people that the cart was approved by. @returns undefined for what cannot be read */
export function namedIn(cart: BundleFacts): readonly PresenceApproval[] | undefined {
  return z.array(PresenceApproval).safeParse(cart?.approvals ?? []).data;
}

export function touchIn(bundle: PortableBundle, hpId: unknown): BundleFacts {
  return bundle.events.find(({ eventType, data }) => eventType === 'HP_VERIFIED' && data.presenceId === hpId)?.data;
}

/** Whom the policy version of an event asked for. */
function quorumOf(bundle: PortableBundle, facts: BundleFacts): Quorum | 'unreadable' | undefined {
  if (facts === undefined) return undefined;
  const policy = bundle.policies.find(({ policyHash }) => policyHash === facts.policyHash);
  if (policy === undefined) return undefined;
  const rules = RulesOfApproval.safeParse(policy.rules);
  const currency = Currency.safeParse(facts.currency);
  if (!rules.success) return 'unreadable';
  if (rules.data.context?.approval === undefined) return undefined;
  if (!currency.success || typeof facts.amount !== 'number' || facts.amount < 0) return 'unreadable';
  const own = rules.data.spend?.currency;
  if (own !== undefined && own !== currency.data) return undefined;
  const steps = stepsIn(rules.data.context?.approval);
  return stepFor(steps, floorToMinor(facts.amount, currency.data), currency.data);
}
