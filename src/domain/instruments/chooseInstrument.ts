/** Chooses the instrument of a purchase: the one that the request names or its person approved, else one registered for its agent or principal. */

import type { CompiledPolicy } from '../../../protocol/policy/compile.ts';
import { candidateRails } from '../../../protocol/policy/rules/rails.ts';
import { payerOf } from '../../../protocol/policy/values/samePurchase.ts';
import type { Governance } from '../../../protocol/principal.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import type { ApprovalTokenRow } from '../../store/statements/purchases/approvalTokens.ts';
import { type InstrumentRow, listInstrumentsOf } from '../../store/statements/registry/instruments.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';

export interface PaymentMethod {
  /** The payment method at the rail; the rail's default when absent. */
  readonly instrument?: string;
  readonly customer?: string;
}

/** Whose instruments may be paid with. */
export interface Holders {
  readonly agentDid: string;
  readonly principalDid: string;
}

interface Purchase {
  readonly agent_did: string;
  readonly principal_did: string;
  readonly by_mandate: number | null;
  readonly delegation_id: string | null;
}

/** A chain of mandates is paid by its payer alone, whose instrument it names. */
export function holdersOf(purchase: Purchase, principal: Governance): Holders {
  const { agent_did: agentDid, principal_did: principalDid } = purchase;
  if (!isByChain(purchase)) return { agentDid, principalDid };
  return payerOnly(agentDid, principalDid, principal);
}

export function payerOnly(agentDid: string, principalDid: string, principal: Governance): Holders {
  const payer = payerOf(agentDid, principalDid, principal);
  return { agentDid: payer, principalDid: payer };
}

/** Whether a closed mandate stands behind a purchase, and not a delegation. */
export function isByChain({ by_mandate, delegation_id }: Pick<Purchase, 'by_mandate' | 'delegation_id'>): boolean {
  return by_mandate !== null && delegation_id === null;
}

/**
 * The rails that a purchase may be paid by, best first. A rail with a gate is reached by that alone: no cart of a merchant falls
 * through to it.
 * @param only the one that a purchase by a gate is paid by
 */
export function railsFor(deps: Pick<Deps, 'rails'>, policy: CompiledPolicy, only?: string): string[] {
  const usable: string[] = [];
  for (const { id, gate } of deps.rails.values()) {
    if (only === undefined ? gate === undefined : id === only) usable.push(id);
  }
  return candidateRails(policy, usable);
}

/** What the cards of a rail's test mode are called. */
const TEST_CARD = /^pm_card_\w+$/;

/**
 * What a mandate names, where it may be paid with: the sandbox's rail takes any name, and knows those of its cards.
 * @param named an instrument's id, or the rail's name of a payment method
 * @returns undefined for one that is neither the holder's nor known to the rail: it could belong to anyone there
 */
export function* findNamed(
  deps: Pick<Deps, 'rails'>,
  tenantId: string,
  railId: string | undefined,
  holder: Holders,
  named: string,
): Script<PaymentMethod | undefined> {
  const registered = yield* listInstrumentsOf(tenantId, holder.agentDid, holder.principalDid);
  const row = registered.find((one) => one.id === named || one.payment_method === named);
  if (row !== undefined) return payingBy(row);
  const isKnown = railId !== undefined && TEST_CARD.test(named) && deps.rails.get(railId)?.accepts(named) === true;
  return isKnown ? { instrument: named } : undefined;
}

/**
 * @param named an instrument's id, or the rail's name of a payment method
 * @throws Fault BAD_REQUEST for one that is not registered, because it could belong to anyone at the rail
 */
export function* chooseInstrument(
  deps: Pick<Deps, 'rails'>,
  tenantId: string,
  railId: string | undefined,
  holder: Holders,
  named: string | undefined,
): Script<PaymentMethod> {
  if (railId !== undefined && deps.rails.get(railId)?.gate?.isElsewhere === true) return {};
  const registered = yield* listInstrumentsOf(tenantId, holder.agentDid, holder.principalDid);
  const row =
    named === undefined ? registered[0] : registered.find((one) => one.id === named || one.payment_method === named);
  if (row !== undefined) return payingBy(row);
  if (named === undefined) return {};
  if (railId !== undefined && deps.rails.get(railId)?.accepts(named) === true) return { instrument: named };
  const message = 'is registered neither for this agent nor for whose money it is; see POST /ap2/admin/instruments';
  throw new Fault('BAD_REQUEST', `The instrument ${message}.`, [{ path: 'instrument', message }]);
}

interface ApprovedPurchase {
  readonly approval: Pick<ApprovalTokenRow, 'paying' | 'rail'>;
  readonly intent: Purchase & { readonly tenant_id: string };
  readonly principal: Governance;
}

/**
 * What an approved purchase is paid with: what the person was shown, and for a chain what its closed mandate names. Where the person was
 * shown the rail's default, the payment may still name one of the sandbox's test cards.
 * @param named by the payment: an instrument's id, or the rail's name of a payment method
 * @throws Fault BAD_REQUEST for another instrument
 */
export function* approvedInstrument(
  deps: Pick<Deps, 'rails'>,
  { approval, intent, principal }: ApprovedPurchase,
  named: string | undefined,
): Script<PaymentMethod> {
  const shown = approval.paying === null ? undefined : (JSON.parse(approval.paying) as PaymentMethod);
  if (shown !== undefined && shown.instrument === undefined && named === undefined) return shown;
  const asked = named ?? shown?.instrument;
  const paying = yield* chooseInstrument(deps, intent.tenant_id, approval.rail, holdersOf(intent, principal), asked);
  if (shown === undefined) return paying;
  if (shown.instrument === paying.instrument) return shown;
  const isTestCard = named !== undefined && deps.rails.get(approval.rail)?.accepts(named) === true;
  if (shown.instrument === undefined && isTestCard) return paying;
  const whose = isByChain(intent) ? 'the mandate names' : 'the person approved';
  const message = `is not what ${whose}${shown.instrument === undefined ? '' : `, ${shown.instrument}`}`;
  throw new Fault('BAD_REQUEST', `The instrument ${message}.`, [{ path: 'instrument', message }]);
}

function payingBy({ payment_method: instrument, customer }: InstrumentRow): PaymentMethod {
  return compact({ instrument, customer: customer ?? undefined });
}
