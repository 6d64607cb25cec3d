/** What every rule says of a purchase, with its figures, and what would have passed where it is refused. */
import { factsBefore } from '../../../protocol/policy/cases.ts';
import type { PolicyFacts, PolicyRequest } from '../../../protocol/policy/check.ts';
import type { CompiledPolicy } from '../../../protocol/policy/compile.ts';
import {
  type Counterfactual,
  counterfactualOf,
  MOST_TRIED,
  type RegisteredTerms,
} from '../../../protocol/policy/counterfactual.ts';
import { checkInput, type Evaluation, evaluate } from '../../../protocol/policy/evaluate.ts';
import { type LaterUse, laterUse } from '../../../protocol/policy/laterUse.ts';
import type { TriedRequest } from '../../../protocol/policy/record.ts';
import { namedMerchants } from '../../../protocol/policy/rules/allowList.ts';
import { type RuleTable, ruleTable } from '../../../protocol/policy/ruleTable.ts';
import type { ReasonDetails } from '../../../protocol/reason.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { timeOfId } from '../../../protocol/wire/id.ts';
import { listHeld, listIssued } from '../../store/statements/limits/windowUse.ts';
import type { Script } from '../../store/store.ts';
import { loadAgent } from '../agents/loadAgent.ts';
import { loadRegistered, loadTerms } from '../merchants/merchantTerms.ts';
import { governedDidOf, loadGovernance } from '../principals/governance.ts';
import { type LoadedLimit, limitUseOf, loadUse } from './loadFacts.ts';

/** A purchase that is tried, with its history recorded or made up. */
interface TrialPurchase {
  readonly policy: CompiledPolicy;
  readonly tenantId: string;
  /** As it was asked. */
  readonly request: PolicyRequest;
  readonly history: TrialHistory;
  readonly at: number;
}

export interface TrialHistory {
  readonly facts: PolicyFacts;
  /** Where it is an agent's. */
  readonly limits?: readonly LoadedLimit[];
}

/** The history of the agent that is named; of a new agent where none is. */
export function* loadHistoryOf(
  policy: CompiledPolicy,
  tenantId: string,
  { agentDid, principalDid, currency, merchantDomain: merchant }: Omit<TriedRequest, 'amount'>,
  now: number,
): Script<TrialHistory> {
  if (agentDid === undefined) return { facts: factsBefore(policy, currency) };
  const agent = yield* loadAgent(tenantId, agentDid);
  // Without a principal the agent stands for a mere name: its own.
  const principal = principalDid ?? agentDid;
  const governance = yield* loadGovernance(tenantId, { agent_did: agentDid, principal_did: principal });
  const buyer = { agent, governedDid: governedDidOf(principal, governance) };
  return yield* loadUse(policy, buyer, { currency, merchant }, now);
}

interface Said {
  readonly evaluation: Evaluation;
  readonly ruleTable: RuleTable;
  readonly counterfactual?: Counterfactual;
}

/** Judges a purchase as an intent is judged: what the registry says of its merchant wins over what the request says. */
export function* judgeTried(tried: TrialPurchase): Script<Said> {
  const { policy, tenantId, request, history, at } = tried;
  const { facts } = history;
  const judged = { ...request, ...(yield* loadTerms(tenantId, request.merchantDomain, request)) };
  const evaluation = evaluate(policy, judged, facts, at);
  const table = ruleTable(checkInput(policy, judged, facts, at), evaluation);
  if (Object.keys(evaluation.details).length === 0) return { evaluation, ruleTable: table };
  const later = yield* loadLater(tried, evaluation);
  const registered = yield* registeredOf(policy, tenantId, request, evaluation.details);
  const counterfactual = counterfactualOf({ policy, request, facts, registered, now: at, person: 'later', later });
  return compact({ evaluation, ruleTable: table, counterfactual });
}

/** What the registry says of a purchase's merchant and, where that is what a rule refuses, of those that the policy names. */
export function registeredOf(
  policy: CompiledPolicy,
  tenantId: string,
  { merchantDomain }: PolicyRequest,
  { MERCHANT_NOT_ALLOWED, MERCHANT_DENIED }: ReasonDetails,
): Script<(merchantDomain: string | undefined) => RegisteredTerms> {
  const isRefused = (MERCHANT_NOT_ALLOWED ?? MERCHANT_DENIED) !== undefined;
  const others = isRefused ? namedMerchants(policy).slice(0, MOST_TRIED) : [];
  return loadRegistered(tenantId, [merchantDomain ?? [], others].flat(2));
}

/** Of a window, so many purchases are read. Where more would have to leave it, no time is told. */
const MOST_LEAVING = 1000;

function* loadLater(
  { request, history: { facts, limits: known }, at }: TrialPurchase,
  { details }: Evaluation,
): Script<LaterUse | undefined> {
  if (details.VELOCITY_EXCEEDED === undefined && details.SPENDING_LIMIT_EXCEEDED === undefined) return undefined;
  const { currency } = request;
  if (known === undefined) {
    // A history that is only stated is taken to be of this very moment.
    const stated = facts.limits.map(({ limit, count, amountMinor }) => {
      const leaving = [{ at, count, currency, amountMinor }];
      return { limit, count, amounts: { [currency]: amountMinor }, leaving };
    });
    return laterUse(currency, stated);
  }
  const windows = [];
  for (const loaded of known) {
    const { limit, use } = loaded;
    const { count } = limitUseOf(loaded, currency);
    windows.push({ limit, count, amounts: use.amounts, leaving: yield* leavingOf(loaded) });
  }
  return laterUse(currency, windows);
}

/** What leaves a window, the oldest first. */
function* leavingOf(loaded: LoadedLimit) {
  const { limit } = loaded;
  if (limit.counts === 'issued') {
    const issued = yield* listIssued(loaded, MOST_LEAVING);
    return issued.map(({ mandate_id: id, currency, reserved_minor: amountMinor }) => ({
      at: timeOfId(id),
      count: 1,
      currency,
      amountMinor,
    }));
  }
  const held = yield* listHeld(loaded, MOST_LEAVING);
  const counted = held.filter(({ currency }) => limit.currency === undefined || limit.currency === currency);
  return counted.map((purchase) => ({ ...purchase, count: 1 }));
}
