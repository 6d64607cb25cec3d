/** Tries a request against a policy without issuing anything. */

import type { PolicyFacts } from '../../../protocol/policy/check.ts';
import { limitsFor } from '../../../protocol/policy/checks/velocity.ts';
import { evaluate } from '../../../protocol/policy/evaluate.ts';
import { SimulatePolicy, Simulation } from '../../../protocol/policy/record.ts';
import { refusalOf } from '../../../protocol/reason.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import { findLatestPolicy } from '../../store/statements/registry/policies.ts';
import { minorAt } from '../core/minorAmount.ts';
import { inOneRead, useCase } from '../core/useCase.ts';
import { loadAgent, loadUse } from './loadFacts.ts';

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
    const { currency, merchantDomain, mcc, country } = request;
    const amountMinor = minorAt('request.amount', request.amount, currency);
    let facts: PolicyFacts = {
      velocity: limitsFor(policy).map((limit) => ({ limit, count: 0, amountMinor: 0 })),
      newMerchant: true,
      paidAmountsMinor: [],
    };
    if (request.agentDid !== undefined) {
      const agent = yield* loadAgent(caller.tenantId, request.agentDid);
      ({ facts } = yield* loadUse(policy, agent, { currency, merchant: merchantDomain }, undefined, now));
    }
    const evaluation = evaluate(policy, { amountMinor, currency, merchantDomain, mcc, country }, facts, now);
    const refusal = refusalOf(evaluation.details);
    return {
      allowed: refusal === undefined,
      reasonCodes: refusal?.reasonCodes ?? [],
      details: refusal?.details ?? {},
      hpRequired: refusal === undefined && evaluation.hpRequired,
      evaluatedAt: isoTime(now),
    };
  }),
});
