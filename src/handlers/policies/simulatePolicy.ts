/** Tries a request against a policy, or a draft of one, without issuing anything. */
import { factsBefore } from '../../../protocol/policy/cases.ts';
import type { PolicyFacts } from '../../../protocol/policy/check.ts';
import { type CompiledPolicy, compilePolicy } from '../../../protocol/policy/compile.ts';
import { evaluate, traceOf } from '../../../protocol/policy/evaluate.ts';
import { SimulateDraft, SimulatePolicy, Simulation, type TriedRequest } from '../../../protocol/policy/record.ts';
import { refusalOf } from '../../../protocol/reason.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import { findLatestPolicy } from '../../store/statements/registry/policies.ts';
import type { Script } from '../../store/store.ts';
import { minorAt } from '../core/minorAmount.ts';
import { inOneRead, useCase } from '../core/useCase.ts';
import { loadAgent, loadPolicy, loadUse } from './loadFacts.ts';

export const simulatePolicy = useCase({
  summary: 'Tries a request against a policy. Nothing is issued, counted or recorded.',
  input: SimulatePolicy,
  output: Simulation,
  permission: 'admin',
  faults: ['NOT_FOUND'],
  run: inOneRead<SimulatePolicy, Simulation>(function* (deps, caller, { id, request }, now) {
    const row = yield* findLatestPolicy(caller.tenantId, id);
    if (row === undefined) throw new Fault('NOT_FOUND', `There is no policy ${id}.`);
    const policy = deps.policies.compiled(row);
    return simulate(policy, request, yield* loadHistoryOf(policy, caller.tenantId, request, now), now);
  }),
});

export const simulateDraft = useCase({
  summary: 'Tries a request against a draft, or the current policy, and tells what every rule says of it.',
  input: SimulateDraft,
  output: Simulation,
  permission: 'read',
  faults: ['NOT_FOUND', 'CONFLICT'],
  run: inOneRead<SimulateDraft, Simulation>(function* (deps, caller, { rules, request, at, before }, now) {
    const { tenantId } = caller;
    const policy = rules === undefined ? (yield* loadPolicy(deps, tenantId)).compiled : compilePolicy(rules);
    const facts =
      before === undefined
        ? yield* loadHistoryOf(policy, tenantId, request, now)
        : factsBefore(policy, request.currency, before);
    return simulate(policy, request, facts, at ?? now);
  }),
});

/** The history of the agent that is named; of a new agent where none is. */
function* loadHistoryOf(
  policy: CompiledPolicy,
  tenantId: string,
  { agentDid, currency, merchantDomain: merchant }: TriedRequest,
  now: number,
): Script<PolicyFacts> {
  if (agentDid === undefined) return factsBefore(policy, currency);
  const agent = yield* loadAgent(tenantId, agentDid);
  return (yield* loadUse(policy, agent, { currency, merchant }, undefined, now)).facts;
}

function simulate(policy: CompiledPolicy, request: TriedRequest, facts: PolicyFacts, at: number): Simulation {
  const { currency, merchantDomain, mcc, country } = request;
  const amountMinor = minorAt('request.amount', request.amount, currency);
  const evaluation = evaluate(policy, { amountMinor, currency, merchantDomain, mcc, country }, facts, at);
  const refusal = refusalOf(evaluation.details);
  return {
    allowed: refusal === undefined,
    reasonCodes: refusal?.reasonCodes ?? [],
    details: refusal?.details ?? {},
    hpRequired: refusal === undefined && evaluation.hpRequired,
    evaluatedAt: isoTime(at),
    trace: traceOf(evaluation),
  };
}
