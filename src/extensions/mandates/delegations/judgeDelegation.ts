/** What a delegation says of an intent that names it, of the cart for that intent, and of the payment: its constraints, its uses, its issuer. */
import { refuseDelegated } from '../../../../protocol/ap2/delegatedPurchase.ts';
import type { ReasonDetails } from '../../../../protocol/reason.ts';
import { isoTime } from '../../../../protocol/wire/time.ts';
import { approvedInstrument } from '../../../domain/instruments/chooseInstrument.ts';
import type { IntentDraft } from '../../../domain/purchases/purchaseFacts.ts';
import type { IntentRow } from '../../../store/statements/purchases/intents.ts';
import {
  findMandateDelegation,
  type MandateDelegationRow,
} from '../../../store/statements/purchases/mandateDelegations.ts';
import { findMandateUseOfIntent, insertMandateUse } from '../../../store/statements/purchases/mandateUses.ts';
import { findMandateIssuers } from '../../../store/statements/registry/mandateIssuers.ts';
import type { Script } from '../../../store/store.ts';
import type { AskedAuthorization, Authorizer, PricedPurchase } from '../../../usecase/hooks.ts';
import {
  type CountedMandate,
  countUse,
  loadCounted,
  refuseRevoked,
  refuseUses,
  resizeUseOfIntent,
  withoutUse,
} from '../uses/countUses.ts';
import { mandatesOf } from './delegationUses.ts';

/** A delegation that an intent names. */
interface NamedDelegation {
  readonly row: MandateDelegationRow;
  readonly counted: readonly CountedMandate[];
  /** Why it does not allow the intent. */
  readonly details: ReasonDetails;
}

/** Delegations: open mandates that an agent buys by more than once. */
export const delegationAuthorizer: Authorizer = {
  name: 'delegations',
  loadForIntent: findMandateDelegation,
  *judgeIntent(loaded, asked) {
    const row = loaded as MandateDelegationRow | undefined;
    if (row === undefined || row.agent_did !== asked.agentDid) return undefined;
    const named = yield* judgeIntent(row, asked);
    return {
      reasons: named.details,
      expiresAt: named.row.expires_at,
      evidence: delegationFacts(named),
      afterAllowed: (intent) => useDelegation(named, intent),
    };
  },
  judgeCart: judgeDelegatedCart,
  *judgePayment(deps, purchase, named, now) {
    const { approval, intent } = purchase;
    if (intent.delegation_id === null) return undefined;
    const { instrument = null } = yield* approvedInstrument(deps, purchase, named);
    const { amount_minor: amountMinor, currency, merchant } = approval;
    return yield* judgeDelegatedCart(intent, { amountMinor, currency, merchant, instrument }, now);
  },
  // What a cart does not take of the mandate's budget is free at once, and is not held again where the approval ends unused.
  *afterCart(intent, amountMinor) {
    if (intent.delegation_id !== null) yield* resizeUseOfIntent(intent.tenant_id, intent.mandate_id, amountMinor);
  },
};

function* judgeIntent(
  row: MandateDelegationRow,
  { principalDid, ...purchase }: AskedAuthorization,
): Script<NamedDelegation> {
  const mandates = mandatesOf(row);
  const counted = yield* loadCounted(row.tenant_id, mandates, purchase.at);
  const details: ReasonDetails = {
    ...refuseDelegated(mandates, { ...purchase, instrument: undefined, isFinal: false }),
    ...refuseUses(counted, purchase, purchase.at),
    ...(yield* refuseEnded(row, purchase.at)),
  };
  if (row.principal_did !== principalDid) {
    details.MANDATE_INVALID = { message: `The delegation is for purchases of ${row.principal_did} alone.` };
  }
  return { row, counted, details };
}

/** Its time, and its issuer: one that was removed since then begins nothing any more. */
function* refuseEnded(row: MandateDelegationRow, now: number): Script<ReasonDetails> {
  if (row.expires_at !== null && row.expires_at <= now) {
    return { MANDATE_INVALID: { message: `The open mandate expired at ${isoTime(row.expires_at)}.` } };
  }
  const issuers = yield* findMandateIssuers(row.tenant_id);
  if (issuers.some(({ id }) => id === row.mandate_issuer_id)) return {};
  return { MANDATE_INVALID: { message: 'The issuer that signed the first mandate is trusted no more.' } };
}

/** By then a payment has long failed or been canceled, which is what a use is kept for. */
const KEPT_MS = 90 * 24 * 3600 * 1000;

/** Counts an intent that is allowed, by its maximum, in the limits of every open mandate. */
function* useDelegation({ row, counted }: NamedDelegation, intent: IntentDraft): Script<void> {
  const { tenant_id: tenantId, mandate_id: intentId, max_minor: amountMinor, currency, created_at: now } = intent;
  const used = yield* countUse(tenantId, counted, { amountMinor, currency }, now);
  yield* insertMandateUse({
    tenant_id: tenantId,
    root_hash: row.id,
    checkout_hash: intentId,
    status: 'USED',
    leaf_hash: null,
    intent_id: intentId,
    reference: '',
    reference_sd_hash: '',
    amount_minor: amountMinor,
    currency,
    counted: used,
    created_at: now,
    kept_until: now + KEPT_MS,
    issuer_id: null,
    terms: null,
  });
}

/** What the evidence has of the delegation that an intent was issued by: a reader verifies by it that the purchase was mandated. */
function delegationFacts({ row }: NamedDelegation) {
  return {
    openMandate: row.token,
    openHash: row.open_hash,
    mandateIssuerId: row.mandate_issuer_id,
    rootKey: JSON.parse(row.root_key) as object,
    verifiedAt: row.verified_at,
  };
}

/** @returns undefined for an intent that names none of the delegations; each is kept for longer than any of its intents */
function* judgeDelegatedCart(intent: IntentRow, cart: PricedPurchase, now: number): Script<ReasonDetails | undefined> {
  if (intent.delegation_id === null) return undefined;
  const row = yield* findMandateDelegation(intent.tenant_id, intent.delegation_id);
  if (row === undefined) return undefined;
  const mandates = mandatesOf(row);
  const use = yield* findMandateUseOfIntent(intent.tenant_id, intent.mandate_id);
  const counted = withoutUse(yield* loadCounted(intent.tenant_id, mandates, now), use);
  // That it is used at all was judged and counted with the intent.
  const { SPENDING_LIMIT_EXCEEDED: overBudget } = refuseUses(counted, cart, now);
  return {
    ...refuseDelegated(mandates, { ...cart, isFinal: true, at: now }),
    ...(overBudget === undefined ? {} : { SPENDING_LIMIT_EXCEEDED: overBudget }),
    ...refuseRevoked(counted),
    ...(yield* refuseEnded(row, now)),
  };
}
