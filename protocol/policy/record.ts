/** The requests and answers about policies: creating, showing and simulating them. */
import { z } from 'zod';
import { Did } from '../credential/did.ts';
import { IdempotencyKey, RefusalResult, VendorHints } from '../intent.ts';
import { Currency } from '../money.ts';
import { IfMatch } from '../wire/ifMatch.ts';
import { Time } from '../wire/time.ts';
import { Before } from './cases.ts';
import { Warning } from './contradictions.ts';
import { Counterfactual } from './counterfactual.ts';
import { LimitState } from './limitUse.ts';
import { LimitReplay } from './replay/limitReplay.ts';
import { Rules } from './rules.ts';
import { RuleTable } from './ruleTable.ts';
import { MerchantDomain } from './values/domain.ts';

const Name = z.string().trim().min(1).max(200);

/** Two people may write at the same time: neither is to undo what they have not seen. */
const IfCurrent = z
  .object({ id: z.string(), version: z.int().min(1) })
  .nullable()
  .optional()
  .describe(
    'The version that is current as far as the caller knows; null where none is. Where another one is, nothing is written.',
  );

export const CreatePolicy = z.strictObject({
  name: Name,
  rules: Rules,
  activate: z.boolean().default(true),
  ifCurrent: IfCurrent,
  ifMatch: IfMatch,
  idempotencyKey: IdempotencyKey.optional(),
});
export type CreatePolicy = z.infer<typeof CreatePolicy>;

export const UpdatePolicy = z
  .strictObject({
    id: z.string(),
    name: Name.optional(),
    rules: Rules.optional(),
    ifCurrent: IfCurrent,
    ifMatch: IfMatch,
    idempotencyKey: IdempotencyKey.optional(),
  })
  .refine((input) => input.name !== undefined || input.rules !== undefined, {
    message: 'name or rules must be given',
    path: ['rules'],
  });
export type UpdatePolicy = z.infer<typeof UpdatePolicy>;

/** One version of a policy. */
export const Policy = z.object({
  id: z.string(),
  version: z.int(),
  name: z.string(),
  rules: z.record(z.string(), z.unknown()),
  hash: z.string(),
  isActive: z.boolean(),
  createdAt: z.string(),
});
export type Policy = z.infer<typeof Policy>;

export const Warnings = z.array(Warning).describe('Where the policy contradicts itself; it is taken all the same.');

/** A policy as the answer to who wrote it. */
export const WrittenPolicy = Policy.extend({ warnings: Warnings });
export type WrittenPolicy = z.infer<typeof WrittenPolicy>;

const TriedRequest = z.object({
  amount: z.number(),
  currency: Currency,
  merchantDomain: MerchantDomain.optional(),
  mcc: VendorHints.shape.mcc,
  country: VendorHints.shape.country,
  /** Evaluate with this agent's history instead of an empty one. */
  agentDid: Did.optional(),
  principalDid: Did.optional().describe('Whose money the agent would spend; beside agentDid.'),
});
export type TriedRequest = z.infer<typeof TriedRequest>;

export const SimulatePolicy = z.object({ id: z.string(), request: TriedRequest });
export type SimulatePolicy = z.infer<typeof SimulatePolicy>;

export const SimulateDraft = z
  .object({
    rules: Rules.optional().describe('A draft; without one the current policy is tried.'),
    request: TriedRequest,
    at: Time.optional().describe(
      'The moment at which it is tried; now when absent. An agent’s history is as it is now.',
    ),
    before: Before.optional().describe('A history to try it after, in place of an agent’s.'),
  })
  .refine(({ before, request }) => before === undefined || request.agentDid === undefined, {
    message: 'cannot be given beside request.agentDid, whose history is known',
    path: ['before'],
  });
export type SimulateDraft = z.infer<typeof SimulateDraft>;

/** How many flips an answer has at most. */
const MAX_FLIPS = 200;

const ReplayedPart = z.object({
  rules: Rules.optional().describe('A draft; without one the current policy judges.'),
  since: Time.optional().describe('Requests from this moment on are judged; 30 days before `at` when absent.'),
  at: Time.optional().describe('The replay ends at this moment; now when absent.'),
  before: Before.optional().describe(
    'A history that every agent has before the first event that is read; none when absent.',
  ),
  limit: z.int().min(1).max(MAX_FLIPS).default(50).describe('How many flips are told, the newest first.'),
});

function endsAfterBeginning<T extends z.ZodType<{ since?: number | undefined; at?: number | undefined }>>(
  schema: T,
): T {
  return schema.refine(({ since, at }) => since === undefined || at === undefined || since <= at, {
    message: 'must not lie after `at`',
    path: ['since'],
  });
}

export const ReplayPolicy = endsAfterBeginning(ReplayedPart);
export type ReplayPolicy = z.infer<typeof ReplayPolicy>;

export const ReplayDraft = endsAfterBeginning(
  ReplayedPart.extend({
    format: z
      .enum(['ndjson', 'json'])
      .default('ndjson')
      .describe('ndjson: a line {checked, of} from time to time, and {result} on the last; json: the result alone.'),
  }),
);
export type ReplayDraft = z.infer<typeof ReplayDraft>;

const Trace = z.array(
  z.object({
    rule: z.string().describe('The reason code of a rule that can refuse; the cause of one that asks for a person.'),
    outcome: z.enum(['passed', 'refused', 'person']).describe('A rule that is not set passes.'),
    message: z.string().optional(),
  }),
);

const ReplayedDecision = z.object({
  allowed: z.boolean(),
  hpRequired: z.boolean(),
  reasonCodes: z.array(z.string()),
});

export const PolicyReplay = z.object({
  since: z.string().describe('From when on requests were judged.'),
  at: z.string(),
  complete: z
    .boolean()
    .describe(
      'False where the chain is longer than what one replay reads: what came before `since` is not known then.',
    ),
  requests: z.int(),
  wereAllowed: z.int(),
  wouldBeAllowed: z.int(),
  wouldNeedPresence: z.int().describe('Of those that would be allowed.'),
  money: z
    .array(z.object({ currency: z.string(), wasAllowed: z.number(), wouldBeAllowed: z.number() }))
    .describe('What intents were allowed up to, and would be, by currency.'),
  limits: z
    .array(LimitReplay)
    .describe('Each limit of the draft by itself; a request over two of them is in the figures of both.'),
  flipped: z.int().describe('How many decisions would be others.'),
  flips: z
    .array(
      z.object({
        seq: z.int(),
        createdAt: z.string(),
        transactionId: z.string(),
        agentDid: z.string(),
        amount: z.number(),
        currency: z.string(),
        merchantDomain: z.string().optional(),
        was: ReplayedDecision,
        would: ReplayedDecision,
        details: RefusalResult.shape.details.optional(),
        trace: Trace,
      }),
    )
    .describe('The newest of them first. `at` the time of the last one leads to older ones.'),
});
export type PolicyReplay = z.infer<typeof PolicyReplay>;

export const Simulation = z.object({
  allowed: z.boolean(),
  reasonCodes: RefusalResult.shape.reasonCodes,
  details: RefusalResult.shape.details,
  limits: RefusalResult.shape.limits,
  hpRequired: z.boolean(),
  remaining: LimitState.optional().describe('The limit of which it would leave the least share; where it is allowed.'),
  evaluatedAt: z.string(),
  trace: Trace.describe('What every rule said, those that passed too.'),
  ruleTable: RuleTable.describe('As trace, with the figures of each rule.'),
  counterfactual: Counterfactual.optional().describe('What would have passed; absent where it is allowed.'),
});
export type Simulation = z.infer<typeof Simulation>;
