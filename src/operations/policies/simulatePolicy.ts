/** Tries a request against a policy, or a draft of one, without issuing anything. */

import { factsBefore } from '../../../protocol/policy/cases.ts';
import { type CompiledPolicy, compilePolicy } from '../../../protocol/policy/compile.ts';
import { traceOf } from '../../../protocol/policy/evaluate.ts';
import { SimulateDraft, SimulatePolicy, Simulation, type TriedRequest } from '../../../protocol/policy/record.ts';
import { refusalOf } from '../../../protocol/reason.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import { judgeTried, loadHistoryOf, type TrialHistory } from '../../domain/policies/judgeTried.ts';
import { loadPolicy } from '../../domain/policies/loadFacts.ts';
import { minorAt } from '../../domain/purchases/purchaseFacts.ts';
import { findLatestPolicy } from '../../store/statements/registry/policies.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import { inOneRead, useCase } from '../../usecase/useCase.ts';

export const simulatePolicy = useCase({
  summary: 'Tries a request against a policy. Nothing is issued, counted or recorded.',
  input: SimulatePolicy,
  output: Simulation,
  permission: 'admin',
  faults: ['NOT_FOUND'],
  run: inOneRead<SimulatePolicy, Simulation>(function* (deps: Pick<Deps, 'policies'>, caller, { id, request }, now) {
    const row = yield* findLatestPolicy(caller.tenantId, id);
    if (row === undefined) throw new Fault('NOT_FOUND', `There is no policy ${id}.`);
    const policy = deps.policies.compiled(row);
    const history = yield* loadHistoryOf(policy, caller.tenantId, request, now);
    return yield* simulate(policy, caller.tenantId, request, history, now);
  }, 'readApart'),
});

export const simulateDraft = useCase({
  summary: 'Tries a request against a draft, or the current policy, and tells what every rule says of it.',
  input: SimulateDraft,
  output: Simulation,
  permission: 'read',
  faults: ['NOT_FOUND', 'CONFLICT'],
  run: inOneRead<SimulateDraft, Simulation>(function* (
    deps: Pick<Deps, 'policies'>,
    caller,
    { rules, request, at, before },
    now,
  ) {
    const { tenantId } = caller;
    const policy = rules === undefined ? (yield* loadPolicy(deps, tenantId)).compiled : compilePolicy(rules);
    const history: TrialHistory =
      before === undefined
        ? yield* loadHistoryOf(policy, tenantId, request, now)
        : { facts: factsBefore(policy, request.currency, before) };
    return yield* simulate(policy, tenantId, request, history, at ?? now);
  }, 'readApart'),
});

function* simulate(
  policy: CompiledPolicy,
  tenantId: string,
  tried: TriedRequest,
  history: TrialHistory,
  at: number,
): Script<Simulation> {
  const { currency, merchantDomain, mcc, country } = tried;
  const amountMinor = minorAt('request.amount', tried.amount, currency);
  const request = { amountMinor, currency, merchantDomain, mcc, country };
  const { evaluation, ...said } = yield* judgeTried({ policy, tenantId, request, history, at });
  const refusal = refusalOf(evaluation.details, evaluation.limits);
  return compact({
    allowed: refusal === undefined,
    reasonCodes: refusal?.reasonCodes ?? [],
    details: refusal?.details ?? {},
    limits: refusal?.limits === undefined ? undefined : [...refusal.limits],
    hpRequired: refusal === undefined && evaluation.hpRequired,
    remaining: refusal === undefined ? evaluation.remaining : undefined,
    evaluatedAt: isoTime(at),
    trace: traceOf(evaluation),
    ...said,
  });
}
