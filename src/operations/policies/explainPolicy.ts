/** What the current policy would say of a purchase, for callers who may read: an agent asks it of itself. */

import { z } from 'zod';
import { Did } from '../../../protocol/credential/did.ts';
import { RefusalResult, VendorHints } from '../../../protocol/intent.ts';
import { Currency } from '../../../protocol/money.ts';
import { warningsOf } from '../../../protocol/policy/contradictions.ts';
import { Counterfactual } from '../../../protocol/policy/counterfactual.ts';
import { LimitState } from '../../../protocol/policy/limitUse.ts';
import { Warnings } from '../../../protocol/policy/record.ts';
import { RuleTable } from '../../../protocol/policy/ruleTable.ts';
import { refusalOf } from '../../../protocol/reason.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { type Caller, requireActsFor } from '../../access/caller.ts';
import { judgeTried, loadHistoryOf } from '../../domain/policies/judgeTried.ts';
import { loadPolicy } from '../../domain/policies/loadFacts.ts';
import { minorAt } from '../../domain/purchases/purchaseFacts.ts';
import type { Deps } from '../../usecase/deps.ts';
import { inOneRead, useCase } from '../../usecase/useCase.ts';

const ExplainPolicy = z.object({
  amount: z.number().optional().describe('The smallest amount there is when absent.'),
  currency: Currency.optional().describe('The policy’s own when absent.'),
  merchantDomain: VendorHints.shape.domain,
  mcc: VendorHints.shape.mcc,
  country: VendorHints.shape.country,
  principalDid: Did.optional().describe('Whose money it would be; the agent stands for one that is not registered.'),
  agentDid: Did.optional().describe('Whose spending so far counts: the calling agent’s when absent, or a new agent’s.'),
});
type ExplainPolicy = z.output<typeof ExplainPolicy>;

const PolicyExplanation = z.object({
  allowed: z.boolean(),
  reasonCodes: RefusalResult.shape.reasonCodes,
  details: RefusalResult.shape.details,
  limits: RefusalResult.shape.limits,
  remaining: LimitState.optional().describe('The limit of which it would leave the least share; where it is allowed.'),
  hpRequired: z.boolean().describe('Whether a person would be asked at the cart.'),
  policy: z.object({ name: z.string(), version: z.int(), hash: z.string() }),
  warnings: Warnings,
  ruleTable: RuleTable.describe('What every rule said, with its figures.'),
  counterfactual: Counterfactual.optional().describe('What would have passed; absent where it is allowed.'),
});
type PolicyExplanation = z.infer<typeof PolicyExplanation>;

export const explainPolicy = useCase({
  summary: 'Tells what the current policy would say of a purchase. Nothing is issued, counted or recorded.',
  input: ExplainPolicy,
  output: PolicyExplanation,
  permission: 'read',
  showsOwn: true,
  faults: ['NOT_FOUND', 'CONFLICT'],
  run: inOneRead<ExplainPolicy, PolicyExplanation>(function* (deps: Pick<Deps, 'policies'>, caller, input, now) {
    const { row, compiled } = yield* loadPolicy(deps, caller.tenantId);
    const currency = input.currency ?? compiled.rules.spend?.currency ?? 'USD';
    const { merchantDomain, mcc, country, principalDid } = input;
    const amountMinor = input.amount === undefined ? 1 : minorAt('amount', input.amount, currency);
    const agentDid = agentOf(caller, input);
    const request = { amountMinor, currency, merchantDomain, mcc, country };
    const history = yield* loadHistoryOf(compiled, caller.tenantId, { ...request, agentDid, principalDid }, now);
    const tried = { policy: compiled, tenantId: caller.tenantId, request, history, at: now };
    const { evaluation, ...said } = yield* judgeTried(tried);
    const refusal = refusalOf(evaluation.details, evaluation.limits);
    return compact({
      allowed: refusal === undefined,
      reasonCodes: [...(refusal?.reasonCodes ?? [])],
      details: refusal?.details ?? {},
      limits: refusal?.limits === undefined ? undefined : [...refusal.limits],
      remaining: refusal === undefined ? evaluation.remaining : undefined,
      hpRequired: refusal === undefined && evaluation.hpRequired,
      warnings: warningsOf(compiled.rules),
      policy: { name: row.name, version: row.version, hash: row.hash },
      ...said,
    });
  }),
});

/** @throws Fault FORBIDDEN for an agent that the caller does not act for */
function agentOf(caller: Caller, { agentDid }: ExplainPolicy): string | undefined {
  if (agentDid === undefined) return caller.did;
  requireActsFor(caller, agentDid);
  return agentDid;
}
