/** Tries a request against a policy without issuing anything. */
import { z } from 'zod';
import { Did } from '../../protocol/credential/did.ts';
import { Fault } from '../../protocol/fault.ts';
import { RefusalResult, VendorHints } from '../../protocol/intent.ts';
import { Currency } from '../../protocol/money.ts';
import { evaluate, type PolicyFacts } from '../../protocol/policy/evaluate.ts';
import { MerchantDomain } from '../../protocol/policy/merchant.ts';
import { limitsFor } from '../../protocol/policy/velocity.ts';
import { refusalOf } from '../../protocol/reason.ts';
import { findLatestPolicy } from '../store/statements/policies.ts';
import { minorAt } from './amount.ts';
import { loadAgent, loadUse } from './loadFacts.ts';
import { inOneRead, useCase } from './useCase.ts';

const SimulatePolicy = z.object({
  id: z.string(),
  request: z.object({
    amount: z.number(),
    currency: Currency,
    merchantDomain: MerchantDomain.optional(),
    mcc: VendorHints.shape.mcc,
    country: VendorHints.shape.country,
    /** Judge with this agent's history, rather than as an agent that never bought anything. */
    agentDid: Did.optional(),
  }),
});

const Simulation = z.object({
  allowed: z.boolean(),
  reasonCodes: RefusalResult.shape.reasonCodes,
  details: RefusalResult.shape.details,
  hpRequired: z.boolean(),
  evaluatedAt: z.string(),
});
type Simulation = z.infer<typeof Simulation>;

export const simulatePolicy = useCase({
  summary: 'Tries a request against a policy. Nothing is issued, counted or recorded.',
  input: SimulatePolicy,
  output: Simulation,
  permission: 'admin',
  run: inOneRead<z.output<typeof SimulatePolicy>, Simulation>(function* (deps, caller, { id, request }, now) {
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
      evaluatedAt: new Date(now).toISOString(),
    };
  }),
});
