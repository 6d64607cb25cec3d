/** What every rule says of a purchase, with its figures, and what would have passed where it is refused. */
import { factsBefore } from '../../../protocol/policy/cases.ts';
import type { PolicyFacts, PolicyRequest } from '../../../protocol/policy/check.ts';
import type { CompiledPolicy } from '../../../protocol/policy/compile.ts';
import { type Counterfactual, counterfactualOf } from '../../../protocol/policy/counterfactual.ts';
import { checkInput, type Evaluation } from '../../../protocol/policy/evaluate.ts';
import { type LaterUse, laterUse } from '../../../protocol/policy/laterUse.ts';
import type { TriedRequest } from '../../../protocol/policy/record.ts';
import { type RuleTable, ruleTable } from '../../../protocol/policy/ruleTable.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { timeOfId } from '../../../protocol/wire/id.ts';
import { listHeld } from '../../store/statements/purchases/velocityWindows.ts';
import type { Script } from '../../store/store.ts';
import { type LoadedWindow, loadAgent, loadUse } from './loadFacts.ts';

/** A purchase as it was judged, in whatever way its history is known. */
interface Tried {
  readonly policy: CompiledPolicy;
  readonly request: PolicyRequest;
  readonly facts: PolicyFacts;
  readonly at: number;
}

/** The windows of an agent's history. */
interface Known {
  readonly tenantId: string;
  readonly windows: readonly LoadedWindow[];
}

export interface History {
  readonly facts: PolicyFacts;
  /** Where it is an agent's. */
  readonly known?: Known;
}

/** The history of the agent that is named; of a new agent where none is. */
export function* loadHistoryOf(
  policy: CompiledPolicy,
  tenantId: string,
  { agentDid, currency, merchantDomain: merchant }: Pick<TriedRequest, 'agentDid' | 'currency' | 'merchantDomain'>,
  now: number,
): Script<History> {
  if (agentDid === undefined) return { facts: factsBefore(policy, currency) };
  const agent = yield* loadAgent(tenantId, agentDid);
  const { facts, windows } = yield* loadUse(policy, agent, { currency, merchant }, undefined, now);
  return { facts, known: { tenantId, windows } };
}

interface WhatPasses {
  readonly ruleTable: RuleTable;
  readonly counterfactual?: Counterfactual;
}

export function* whatPasses(tried: Tried, evaluation: Evaluation, known: Known | undefined): Script<WhatPasses> {
  const { policy, request, facts, at } = tried;
  const isRefused = Object.keys(evaluation.details).length > 0;
  const later = isRefused ? yield* loadLater(tried, evaluation, known) : undefined;
  const refused = { policy, request, facts, now: at, person: 'later', later } as const;
  return compact({
    ruleTable: ruleTable(checkInput(policy, request, facts, at), evaluation),
    counterfactual: isRefused ? counterfactualOf(refused) : undefined,
  });
}

/** Of a window, so many purchases are read. Where more would have to leave it, no time is told. */
const MOST_LEAVING = 1000;

function* loadLater(
  { policy, request, facts, at }: Tried,
  { details }: Evaluation,
  known: Known | undefined,
): Script<LaterUse | undefined> {
  if (details.VELOCITY_EXCEEDED === undefined && details.SPENDING_LIMIT_EXCEEDED === undefined) return undefined;
  const { currency } = request;
  if (known === undefined) {
    // A history that is only stated is taken to be of this very moment.
    const stated = facts.velocity.map(({ limit, count, amountMinor }) => {
      const leaving = [{ at, count, currency, amountMinor }];
      return { limit, count, amounts: { [currency]: amountMinor }, leaving };
    });
    return laterUse(policy.rules, currency, stated);
  }
  const windows = [];
  for (const { limit, scope, use } of known.windows) {
    const held = yield* listHeld(known.tenantId, scope, use.leftThrough, MOST_LEAVING);
    const leaving = held.map(({ mandate_id, currency, reserved_minor: amountMinor }) => ({
      at: timeOfId(mandate_id),
      count: 1,
      currency,
      amountMinor,
    }));
    windows.push({ limit, count: use.transactions, amounts: use.amounts, leaving });
  }
  return laterUse(policy.rules, currency, windows);
}
