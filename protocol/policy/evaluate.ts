/** Evaluates a policy and its parties for a purchase: every check that it sets runs, in the order in which reasons are reported. */
import { type AgentStatus, refuseAgent } from '../agent.ts';
import type { Governance } from '../principal.ts';
import type { ReasonCode, ReasonDetails } from '../reason.ts';
import type { CheckInput, Measure, PolicyFacts, PolicyRequest } from './check.ts';
import type { CompiledPolicy } from './compile.ts';
import { type LimitState, measureLimits, namesOver, statesOver, tightestAfter } from './limitUse.ts';
import type { RuleCheck, RulePresence } from './rule.ts';
import { RULES } from './ruleList.ts';
import { presenceMode } from './rules/presenceMode.ts';

export interface Evaluation {
  /** One entry for each rule that refuses; none when the policy allows the purchase. */
  readonly details: ReasonDetails;
  /** Whether a person must be present; only relevant when no rule refuses. */
  readonly hpRequired: boolean;
  readonly presenceCauses: readonly PresenceNeed[];
  /** Every limit over time that refuses it. */
  readonly limits: readonly LimitState[];
  /** The names of limits that a person lets it pass. */
  readonly overLimits: readonly string[];
  /** The limit of which it leaves the least share, after it; absent where it has no limit. */
  readonly remaining?: LimitState | undefined;
}

export const CHECKS: readonly RuleCheck<ReasonCode>[] = RULES.flatMap(
  (rule): readonly RuleCheck<ReasonCode>[] => rule.checks ?? [],
);

/** What one rule says of a purchase. */
export interface RuleTrace {
  /** The reason code of a rule that can refuse, the cause of one that asks for a person. */
  readonly rule: string;
  /** A rule that is not set passes. */
  readonly outcome: 'passed' | 'refused' | 'person';
  readonly message?: string;
}

/** What every rule said, those that passed too, in the order in which they are reported. */
export function traceOf({ details, presenceCauses }: Pick<Evaluation, 'details' | 'presenceCauses'>): RuleTrace[] {
  const asks = new Map(presenceCauses.map(({ cause, message }) => [cause, message]));
  const said = (rule: string, outcome: 'refused' | 'person', message: string | undefined): RuleTrace =>
    message === undefined ? { rule, outcome: 'passed' } : { rule, outcome, message };
  return [
    ...CHECKS.map(({ code }) => said(code, 'refused', details[code]?.message)),
    ...PRESENCE_RULES.map(({ cause }) => said(cause, 'person', asks.get(cause))),
  ];
}

/** What every rule is given. */
export function checkInput(
  policy: CompiledPolicy,
  request: PolicyRequest,
  facts: PolicyFacts,
  now: number,
): CheckInput {
  const currency = policy.rules.spend?.currency;
  const comparable = currency === undefined || currency === request.currency;
  return { policy, request, facts, now, comparable, maxima: measureLimits(facts.limits, request, comparable) };
}

/**
 * @param request the purchase, its amount in minor units
 * @param facts the history of purchases
 * @param now milliseconds since the epoch
 * @returns every reason to refuse the purchase, whether and why a person must be present, and what it does to limits
 */
export function evaluate(policy: CompiledPolicy, request: PolicyRequest, facts: PolicyFacts, now: number): Evaluation {
  const input = checkInput(policy, request, facts, now);
  const details: ReasonDetails = {};
  for (const { code, check } of policy.checks) {
    const detail = check(input);
    if (detail !== undefined) details[code] = detail;
  }
  const presenceCauses = findPresenceCauses(input);
  const judged = { details, hpRequired: presenceCauses.length > 0, presenceCauses };
  if (facts.limits.length === 0) return { ...judged, limits: [], overLimits: [] };
  return { ...judged, limits: statesOver(input), overLimits: namesOver(input), remaining: tightestAfter(input) };
}

const UNDELEGATED = {
  message:
    'The person or company whose money it is (the principal) has not allowed this agent to spend it; an administrator can change that.',
};

/** The reasons against who buys: an agent that is not active, or one that its governed principal has not delegated to. */
export function refuseParties({
  agentStatus,
  principal,
}: {
  readonly agentStatus: AgentStatus;
  readonly principal: Governance;
}): ReasonDetails {
  return {
    ...(agentStatus === 'ACTIVE' ? {} : refuseAgent(agentStatus)),
    ...(principal.delegated ? {} : { AGENT_NOT_DELEGATED: UNDELEGATED }),
  };
}

type PresenceRule = NonNullable<(typeof RULES)[number]['presence']>;
/** A rule of the policy that asks for a person. */
type RuleCause = PresenceRule['cause'];
/** Why a person is asked: a rule, or the agent's or the merchant's own word. */
type PresenceCause = RuleCause | 'merchant';

export interface PresenceNeed {
  readonly cause: PresenceCause;
  readonly message: string;
}

/** What a rule says of one purchase goes first; that the policy asks at every purchase, last. */
export const PRESENCE_RULES: readonly RulePresence<RuleCause>[] = [
  ...RULES.filter((rule) => rule !== presenceMode),
  presenceMode,
].flatMap((rule) => rule.presence ?? []);

export const PRESENCE_CAUSES: readonly PresenceCause[] = [...PRESENCE_RULES.map(({ cause }) => cause), 'merchant'];

/**
 * Every cause that requires a person. Under `presence: never` there is none: amounts and anomalies that would require one
 * are refused by their own checks, and a new merchant is allowed, since no reason code refuses it.
 */
function findPresenceCauses(input: CheckInput): PresenceNeed[] {
  const causes: PresenceNeed[] = [];
  for (const rule of input.policy.presenceRules) {
    const message = rule.asks(input);
    if (message !== undefined) causes.push({ cause: rule.cause, message });
  }
  return causes;
}

/** What such a rule compares; nothing under `presence: never`. */
export function measurePresence({ measure }: RulePresence): Measure {
  return (input) =>
    input.policy.rules.context?.presence === 'never'
      ? { notAsked: 'The policy never asks for a person.' }
      : measure(input);
}
