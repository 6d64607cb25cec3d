/** Every judgement of one transaction, as of its moment: what each rule said, and what would have passed. */
import { z } from 'zod';
import { findMismatch } from '../../../protocol/cart.ts';
import {
  type Decision,
  decisionOf,
  isDecision,
  type ShownDecision,
  TransactionDecisions,
} from '../../../protocol/decision.ts';
import type { EvidenceEvent } from '../../../protocol/evidence/chain.ts';
import { toMinor } from '../../../protocol/money.ts';
import { type Counterfactual, counterfactualOf, type DeniedRequest } from '../../../protocol/policy/counterfactual.ts';
import { CHECKS, checkInput, type Evaluation, evaluate } from '../../../protocol/policy/evaluate.ts';
import { ruleTable } from '../../../protocol/policy/ruleTable.ts';
import { REASON_CODES, type ReasonCode, type ReasonDetails } from '../../../protocol/reason.ts';
import type { Shopping } from '../../../protocol/shopping.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { actsFor } from '../../access/caller.ts';
import { loadRecorded, type RecordedFacts } from '../../domain/decisions/recordedFacts.ts';
import { showEvent } from '../../domain/evidence/showEvidence.ts';
import { listTransaction } from '../../store/statements/evidence/events.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import { inSteps, useCase } from '../../usecase/useCase.ts';

const GetDecisions = z.object({ transactionId: z.string() });

/** A transaction's newest judgements; each takes reading a part of the chain. */
const MOST_SHOWN = 20;

export const getDecisions = useCase({
  summary:
    'Shows the judgements of one transaction with what each rule said, and what would have passed at that moment.',
  input: GetDecisions,
  output: TransactionDecisions,
  permission: 'read',
  showsOwn: true,
  faults: ['NOT_FOUND'],
  run: inSteps<z.output<typeof GetDecisions>, TransactionDecisions>(async (deps, caller, { transactionId }) => {
    const { tenantId } = caller;
    const rows = await deps.store.readApart(() => listTransaction(tenantId, transactionId));
    const events = rows.map(showEvent);
    const judged = events.filter(isDecision);
    const [first] = judged;
    if (first === undefined || !actsFor(caller, String(first.data.agentDid))) {
      throw new Fault('NOT_FOUND', `There is no transaction ${transactionId}.`);
    }
    const decisions: ShownDecision[] = [];
    // One after the other, so that other requests come between.
    for (const event of judged.slice(-MOST_SHOWN)) {
      decisions.push(await deps.store.readApart(() => show(deps, tenantId, event, events)));
    }
    return compact({ transactionId, mandateId: paymentIn(events), decisions });
  }),
});

function paymentIn(events: readonly EvidenceEvent[]): string | undefined {
  const issued = events.findLast(({ eventType }) => eventType === 'PM_ISSUED');
  return issued === undefined ? undefined : String(issued.data['mandateId']);
}

function* show(
  deps: Deps,
  tenantId: string,
  event: EvidenceEvent,
  events: readonly EvidenceEvent[],
): Script<ShownDecision> {
  const intent = events.find(({ eventType }) => eventType === 'INTENT_ISSUED');
  const recorded = yield* loadRecorded(deps, tenantId, event, intent);
  if (recorded === undefined) return { ...decisionOf(event), ruleTable: [], complete: false };
  const { decision, policy, request, facts, at } = recorded;
  const now = evaluate(policy, request, facts, at);
  const said = asRecorded(decision.details as ReasonDetails, now);
  return compact({
    ...decision,
    ruleTable: ruleTable(checkInput(policy, request, facts, at), said),
    counterfactual: decision.outcome === 'allowed' ? undefined : whatPassed(recorded, now, event, events),
    complete: recorded.complete,
  });
}

const POLICY_CODES: ReadonlySet<string> = new Set(CHECKS.map(({ code }) => code));

/** What was recorded is what the rules said; the figures of a rule that passed come from the facts. */
function asRecorded(details: ReasonDetails, { presenceCauses }: Evaluation) {
  const own = Object.entries(details).filter(([code]) => POLICY_CODES.has(code));
  return { details: Object.fromEntries(own) as ReasonDetails, presenceCauses };
}

/** The reasons that a change can be put to the evaluator for, where it comes to the same as was recorded. */
const AROUND_POLICY: readonly ReasonCode[] = ['HP_REQUIRED', 'HP_INVALID'];

function whatPassed(
  recorded: RecordedFacts,
  now: Evaluation,
  event: EvidenceEvent,
  events: readonly EvidenceEvent[],
): Counterfactual | undefined {
  const { decision, policy, request, facts, later, registered, at, complete } = recorded;
  const details = decision.details as ReasonDetails;
  const has = (code: ReasonCode) => details[code] !== undefined;
  const intent = events.find(({ eventType }) => eventType === 'INTENT_ISSUED')?.data;
  const isSameCurrency = decision.kind !== 'intent' && intent?.['currency'] === decision.currency;
  const mostMinor = isSameCurrency ? toMinor(Number(intent?.['maxAmount']), decision.currency) : undefined;
  const isKnown = (code: ReasonCode) =>
    AROUND_POLICY.includes(code) ||
    (code === 'CART_EXCEEDS_INTENT' && mostMinor !== undefined) ||
    isSameRefusal(code, details, now, complete);
  const fixed = REASON_CODES.filter((code) => has(code) && !isKnown(code)).map((code) => [code, details[code]]);
  return counterfactualOf({
    policy,
    request,
    facts,
    registered,
    mismatch: decision.kind === 'intent' ? undefined : (domain) => mismatchOf(intent, domain),
    now: at,
    later,
    ...personAt(decision, now, intent),
    mostMinor,
    until: endOf(decision.kind, event, events),
    fixed: Object.fromEntries(fixed) as ReasonDetails,
  });
}

function mismatchOf(intent: EvidenceEvent['data'] | undefined, domain: string): string | undefined {
  const { merchantDomain, merchants } = (intent ?? {}) as { merchantDomain?: string; merchants?: string[] };
  return findMismatch({ merchantDomain, merchants }, domain, undefined);
}

/** Whether a person was there, and whether one is asked regardless of the policy. */
function personAt(
  { kind, details }: Decision,
  { hpRequired, presenceCauses }: Evaluation,
  intent: EvidenceEvent['data'] | undefined,
): Pick<DeniedRequest, 'person' | 'confirmed'> {
  if (kind === 'intent') return { person: 'later' };
  const byAgent = (intent?.['shopping'] as Shopping | undefined)?.confirmCart === true;
  const { HP_REQUIRED, HP_INVALID, AMOUNT_OVER_CAP } = details as ReasonDetails;
  if (HP_INVALID !== undefined) return { person: 'invalid', confirmed: byAgent };
  // Its sentence names all who ask: the rules first, then the agent and the merchant.
  const byRules = presenceCauses.map(({ message }) => message).join(' ');
  const confirmed = byAgent || (HP_REQUIRED !== undefined && HP_REQUIRED.message !== byRules);
  // Where one was asked for and no detail says that none was there, one was. Above the cap no detail says it.
  const wasThere = (hpRequired || byAgent) && HP_REQUIRED === undefined && AMOUNT_OVER_CAP === undefined;
  return { person: wasThere ? 'present' : 'absent', confirmed };
}

/** Whether the evaluator refuses for this reason as it did then, by the same figures. */
function isSameRefusal(code: ReasonCode, recorded: ReasonDetails, now: Evaluation, complete: boolean): boolean {
  const [then, again] = [recorded[code], now.details[code]];
  if (again === undefined || !POLICY_CODES.has(code)) return false;
  return complete || (then?.requested === again.requested && then?.limit === again.limit);
}

/** When the request itself would have ended: with its intent, and at the payment with its approval. */
function endOf(
  kind: ShownDecision['kind'],
  event: EvidenceEvent,
  events: readonly EvidenceEvent[],
): number | undefined {
  if (kind === 'intent') return undefined;
  const before = events.filter(({ seq }) => seq < event.seq);
  const ends = [
    before.findLast(({ eventType }) => eventType === 'INTENT_ISSUED')?.data['expiresAt'],
    kind === 'payment'
      ? before.findLast(({ eventType }) => eventType === 'CART_VALIDATED')?.data['approvalExpiresAt']
      : undefined,
  ];
  const times = ends.flatMap((end) => (typeof end === 'string' ? [Date.parse(end)] : []));
  return times.length === 0 ? undefined : Math.min(...times);
}
