/** Money that moves where this node is not: an amount is reserved before, and what was paid is told afterwards. */
import { z } from 'zod';
import { ApprovalLink } from '../approval.ts';
import { PurchaseRefusal } from '../cart.ts';
import { Did } from '../credential/did.ts';
import { holdsCardNumber, withoutCardNumbers } from '../instrument.ts';
import { IdempotencyKey, IntentRequest, VendorHints } from '../intent.ts';
import { Currency } from '../money.ts';
import { MerchantDomain } from '../policy/values/domain.ts';
import { compact } from '../wire/compact.ts';
import { Fault } from '../wire/fault.ts';
import { inertText, visibleName } from '../wire/plainText.ts';
import { isoTime } from '../wire/time.ts';

const PaymentId = z.string().regex(/^pm_[0-9a-z]{26}$/, 'must be the id of a payment, such as pm_ and 26 characters');

/** Text of the agent's, in which a number of a card would be kept for ever. */
function told(max: number) {
  return visibleName(max).refine(
    (text) => !holdsCardNumber(text),
    'looks like a card number, which must never come here; its last four digits are enough',
  );
}

const CHANNELS = ['card', 'wallet', 'bank', 'invoice', 'other'] as const;
const Channel = z.enum(CHANNELS).describe('By what it is paid.');

const EVIDENCE_KINDS = ['receipt', 'order', 'confirmation', 'statement', 'x402', 'mpp', 'none'] as const;

export const ExternalEvidence = z.object({
  kind: z.enum(EVIDENCE_KINDS).describe('What shows that it was paid.'),
  sha256: z
    .string()
    .regex(/^(sha256:)?[0-9a-f]{64}$/, 'must be 64 hexadecimal digits in lower case')
    .transform((text) => text.replace('sha256:', ''))
    .optional()
    .describe('SHA-256 of the document. The document itself never comes here.'),
  reference: told(200).optional().describe('What the merchant or the rail calls it, such as the number of an order.'),
  occurredAt: z.iso.datetime({ offset: true }).optional(),
  note: told(500).optional(),
});
export type ExternalEvidence = z.infer<typeof ExternalEvidence>;

/** As it is recorded: a document's hash, and words in which nothing hides. */
export function evidenceFacts({ note, reference, sha256, ...facts }: ExternalEvidence): ExternalEvidence {
  return compact({
    ...facts,
    sha256: sha256 === undefined ? undefined : `sha256:${sha256}`,
    reference: reference === undefined ? undefined : inertText(reference),
    note: note === undefined ? undefined : inertText(note),
  }) as ExternalEvidence;
}

const DAY_MS = 24 * 3600 * 1000;

/**
 * What happened is no later than now. A day is let through: a statement tells days, and another zone has another one.
 * @param path of the member
 * @param now milliseconds since the epoch
 * @throws Fault BAD_REQUEST
 */
export function requireHappened(path: string, occurredAt: string | undefined, now: number): void {
  if (occurredAt === undefined || Date.parse(occurredAt) <= now + DAY_MS) return;
  const message = `must be when it happened, a day after now (${isoTime(now)}) at most, and is ${occurredAt}`;
  throw new Fault('BAD_REQUEST', `${path} ${message}.`, [{ path, message }]);
}

const MIN_SECONDS = 60;
const MAX_SECONDS = 7 * 24 * 3600;
export const DEFAULT_EXPIRES_IN = 900;

export const ReservationRequest = z.object({
  agentDid: Did,
  principalDid: Did.optional().describe('Whose money it is; the agent’s own when absent.'),
  delegationId: IntentRequest.shape.delegationId,
  merchant: MerchantDomain.describe('The domain of who is paid, as the agent knows it.'),
  amount: z.number().describe('The most that is paid, with tax and shipping.'),
  currency: Currency,
  items: z
    .array(z.object({ name: told(500), price: z.number(), quantity: z.int().positive() }))
    .min(1)
    .max(100)
    .optional()
    .describe('What is bought; they add up to the amount, tax and shipping among them.'),
  url: told(2048).optional().describe('Where it is bought.'),
  channel: Channel,
  payee: told(200)
    .optional()
    .describe('Who is paid, as the registry of merchants has it: a profile at a rail, or an account.'),
  reference: told(200).optional().describe('What the merchant calls the order, where it has a name before it is paid.'),
  tops: PaymentId.optional().describe('The reservation that was too small, where this is the rest of it.'),
  mcc: VendorHints.shape.mcc,
  country: VendorHints.shape.country,
  expiresIn: z
    .int()
    .min(MIN_SECONDS)
    .max(MAX_SECONDS)
    .optional()
    .describe(`For how many seconds the amount is reserved; ${DEFAULT_EXPIRES_IN} when absent.`),
  enforcement: z
    .enum(['asked', 'proxy'])
    .optional()
    .describe(
      '`proxy` where the payment cannot be made without this answer, as behind the guard; `asked` when absent.',
    ),
  approvalId: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe('The approval that the refusal of the same purchase named, once a person has granted it.'),
  idempotencyKey: IdempotencyKey.optional().describe(
    'Required, here or as the header Idempotency-Key. It names the purchase, not the call: a repeated call has the same.',
  ),
});
export type ReservationRequest = z.infer<typeof ReservationRequest>;

export const ReservationResult = z.union([
  z.object({
    allowed: z.literal(true),
    mandateId: z.string(),
    intentId: z.string(),
    transactionId: z.string(),
    reserved: z.number(),
    currency: z.string(),
    expiresAt: z.string().describe('Until when the amount is reserved.'),
    commitUntil: z.string().describe('Until when it can be told that it was paid.'),
  }),
  PurchaseRefusal.extend({
    approval: ApprovalLink.optional().describe('Where a person can approve it, when nothing else is in the way.'),
  }),
]);
export type ReservationResult = z.infer<typeof ReservationResult>;

export const CommitRequest = z.object({
  mandateId: z.string(),
  amount: z.number().optional().describe('What was paid; all that is reserved when absent. The rest is released.'),
  evidence: ExternalEvidence.describe('What shows that it was paid.'),
  idempotencyKey: IdempotencyKey.optional(),
});
export type CommitRequest = z.infer<typeof CommitRequest>;

export const ReleaseRequest = z.object({
  mandateId: z.string(),
  reason: z.enum(['not_paid', 'declined', 'abandoned']).describe('Why it was not paid.'),
  evidence: ExternalEvidence.optional().describe('What shows that it was not.'),
  idempotencyKey: IdempotencyKey.optional(),
});
export type ReleaseRequest = z.infer<typeof ReleaseRequest>;

/** A bank's words, in which a number of a card may stand: the statement is read without it. */
const Printed = visibleName(200).transform(withoutCardNumbers);

const StatementLine = z.strictObject({
  occurredAt: z.iso.datetime({ offset: true }),
  amount: z.number(),
  currency: Currency,
  descriptor: Printed.describe('Whom the statement names, such as `SHOP.EXAMPLE 4711`.'),
  reference: Printed.optional(),
});
export type StatementLine = z.infer<typeof StatementLine>;

const MOST_LINES = 500;

export const ExternalStatement = z.strictObject({
  lines: z.array(StatementLine).min(1).max(MOST_LINES).describe('What left the account, a line each.'),
});
export type ExternalStatement = z.infer<typeof ExternalStatement>;

export const StatementResult = z.object({
  lines: z.array(
    z.object({
      outcome: z
        .enum(['settled', 'known', 'differs', 'unmatched', 'ambiguous'])
        .describe(
          '`settled`: an open reservation counts as paid now; `known`: it was before; `differs`: it was told before as another amount, which a person sees; `ambiguous`: several could be meant.',
        ),
      mandateId: z.string().optional(),
    }),
  ),
});
export type StatementResult = z.infer<typeof StatementResult>;
