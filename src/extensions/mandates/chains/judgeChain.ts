/** A payment behind which a chain of mandates stands is judged as it was when that was presented: much can end in between. */
import { type ChainTerms, refuseLate } from '../../../../protocol/ap2/chainTerms.ts';
import type { ReasonDetails } from '../../../../protocol/reason.ts';
import { findNamed, type Holders, holdersOf, isByChain } from '../../../domain/instruments/chooseInstrument.ts';
import type { ApprovalTokenRow } from '../../../store/statements/purchases/approvalTokens.ts';
import type { IntentRow } from '../../../store/statements/purchases/intents.ts';
import { findMandateUseOfIntent } from '../../../store/statements/purchases/mandateUses.ts';
import { findMandateIssuers } from '../../../store/statements/registry/mandateIssuers.ts';
import type { Script } from '../../../store/store.ts';
import type { Deps } from '../../../usecase/deps.ts';
import type { Authorizer } from '../../../usecase/hooks.ts';
import { loadCounted, refuseUses, withoutUse } from '../uses/countUses.ts';

/** Chains of mandates, of which the last is for one purchase. */
export const chainAuthorizer: Authorizer = {
  name: 'chains',
  // A cart is what its chain closes, which was judged with the chain.
  *judgeCart(intent) {
    return isByChain(intent) ? {} : undefined;
  },
  *judgePayment(deps, purchase, _instrument, now) {
    if (!isByChain(purchase.intent)) return undefined;
    return yield* judgeChain(deps, purchase, holdersOf(purchase.intent, purchase.principal), now);
  },
  instrumentOf: mandatedInstrument,
};

/** @param holder whose instruments it may be paid with @returns nothing for a purchase of an earlier version */
function* judgeChain(
  deps: Pick<Deps, 'rails'>,
  { approval, intent }: { readonly approval: ApprovalTokenRow; readonly intent: IntentRow },
  holder: Holders,
  now: number,
): Script<ReasonDetails> {
  const { tenant_id: tenantId, mandate_id: intentId } = intent;
  const use = yield* findMandateUseOfIntent(tenantId, intentId);
  if (use === undefined || use.terms === null) return {};
  const terms = JSON.parse(use.terms) as ChainTerms;
  const details = refuseLate(terms, now);
  const issuers = yield* findMandateIssuers(tenantId);
  if (!issuers.some(({ id }) => id === terms.mandateIssuerId)) {
    details.MANDATE_INVALID = { message: 'The issuer that signed the first mandate is trusted no more.' };
  }
  const { instrument } = terms;
  if ((yield* findNamed(deps, tenantId, approval.rail, holder, instrument)) === undefined) {
    details.CONSTRAINT_VIOLATED = { message: `The mandate is paid with ${instrument}, which is registered no more.` };
  }
  const amount = { amountMinor: approval.amount_minor, currency: approval.currency };
  const counted = yield* loadCounted(tenantId, { open: [], limits: terms.limits }, now);
  // That it is used at all was judged and counted when it was presented.
  const { SPENDING_LIMIT_EXCEEDED: overBudget } = refuseUses(withoutUse(counted, use), amount, now);
  return { ...details, ...(overBudget === undefined ? {} : { SPENDING_LIMIT_EXCEEDED: overBudget }) };
}

/** The instrument that the closed mandate behind an intent names; undefined where none stands behind it. */
function* mandatedInstrument(intent: IntentRow): Script<string | undefined> {
  if (!isByChain(intent)) return undefined;
  const use = yield* findMandateUseOfIntent(intent.tenant_id, intent.mandate_id);
  return use?.terms == null ? undefined : (JSON.parse(use.terms) as ChainTerms).instrument;
}
