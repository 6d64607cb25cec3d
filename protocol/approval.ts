/** Approvals by a person: the link in a rejected cart's answer, what the agent learns, and what the person sees. */
import { z } from 'zod';
import { ApprovalDecision } from './approvals/approvalDecision.ts';
import { Did } from './credential/did.ts';
import { PRESENCE_CAUSES } from './policy/evaluate.ts';
import { MerchantDomain } from './policy/values/domain.ts';
import { HpProof, PasskeyOf } from './presence.ts';
import { PageRequest } from './wire/page.ts';
import { inTimeOrder, Time } from './wire/time.ts';

const APPROVAL_STATUSES = ['pending', 'approved', 'denied', 'expired'] as const;
export const ApprovalStatus = z.enum(APPROVAL_STATUSES).describe('Where the request stands.');
export type ApprovalStatus = z.infer<typeof ApprovalStatus>;

/** How long the page still tells how a request ended; after that its link leads nowhere. */
export const ENDED_SHOWN_SECONDS = 900;
/** How long one call may wait for the decision. */
const MAX_WAIT_SECONDS = 30;

/** Where the policy asks several people: how many it takes, and who has approved. */
export const ApprovalPeople = z.object({
  needed: z.int().describe('How many different people must approve.'),
  approved: z
    .array(
      z.object({
        by: z.string().describe('DID of the person.'),
        passkeyOf: PasskeyOf.optional(),
        name: z.string().optional(),
        at: z.string(),
      }),
    )
    .describe('Whose approval counts, the first one first.'),
});
export type ApprovalPeople = z.infer<typeof ApprovalPeople>;

/** "1 of 2 people have approved: Ada." */
export function peopleSentence({ needed, approved }: ApprovalPeople): string {
  const names = approved.map(({ name, by }) => name ?? by).join(', ');
  const who = names === '' ? '' : `: ${names}`;
  return `${approved.length} of ${needed} ${needed === 1 ? 'person has' : 'people have'} approved${who}.`;
}

export const ApprovalEnd = z
  .enum(['intent', 'cart', 'policy'])
  .describe(
    'What ends at `expiresAt`: the intent, the cart, or the time that the policy gives people (context.approval_ttl).',
  );
export type ApprovalEnd = z.infer<typeof ApprovalEnd>;

/**
 * When an approval ends, by what ends first.
 * @param policyMs how long the policy gives people; other times are in milliseconds since the epoch
 */
export function approvalEnd(
  {
    intentEndsAt,
    cartEndsAt,
    policyMs,
  }: { readonly intentEndsAt: number; readonly cartEndsAt: number; readonly policyMs: number },
  now: number,
): { readonly endsAt: number; readonly endsWith: ApprovalEnd } {
  const endsAt = Math.min(now + policyMs, intentEndsAt, cartEndsAt);
  const endsWith = endsAt === intentEndsAt ? 'intent' : endsAt === cartEndsAt ? 'cart' : 'policy';
  return { endsAt, endsWith };
}

/** Part of the answer to a cart that lacks nothing but a person's approval. */
export const ApprovalLink = z.object({
  id: z.string(),
  url: z
    .string()
    .optional()
    .describe('The page where the person approves or denies; give it to them. Absent once there is nothing to decide.'),
  expiresAt: z.string(),
  endsWith: ApprovalEnd.optional(),
  people: ApprovalPeople.optional().describe('Where the policy says how many people must approve.'),
});
export type ApprovalLink = z.infer<typeof ApprovalLink>;

export const Cause = z.object({
  cause: z.enum(PRESENCE_CAUSES).describe('Which rule asks for a person; merchant: the agent or the merchant does.'),
  message: z.string(),
});
export type Cause = z.infer<typeof Cause>;

const MISSING = [
  'activeAgent',
  'delegation',
  'principalPasskey',
  'principalUser',
  'agentPasskey',
  'agentOwner',
  'passkeyHolder',
  'role',
  'notOwner',
  'ownPasskey',
  'others',
] as const;
/** What a person can mend so that a touch approves the purchase. */
export const MissingApproval = z
  .enum(MISSING)
  .describe(
    'What keeps the person who asks from approving it: the agent is suspended or revoked (activeAgent); the registered ' +
      'person or company whose money it is has not delegated to the agent (delegation), has no passkey (principalPasskey), or is another user, ' +
      'whose passkeys alone approve (principalUser); the agent has no passkey (agentPasskey), or only those of its ' +
      'owner, who is another user (agentOwner); only the passkey holder of that person or company, or of the agent, approves, by a passkey that a ' +
      'link or key of others enrolled (passkeyHolder). Where the policy asks several people: their role does not approve (role), ' +
      'or they own the agent (notOwner), have no passkey (ownPasskey), or have approved already, and others are to (others).',
  );
export type MissingApproval = z.infer<typeof MissingApproval>;

export const Approval = ApprovalLink.extend({
  status: ApprovalStatus,
  agentDid: z.string(),
  principalDid: z.string().describe('Whose money would be spent.'),
  intentId: z.string(),
  transactionId: z.string(),
  cartHash: z.string(),
  merchant: z.string(),
  amount: z.number(),
  currency: z.string(),
  causes: z.array(Cause).describe('Why a person is asked, one sentence for each rule.'),
  createdAt: z.string(),
  decidedAt: z.string().optional().describe('When it was approved or denied.'),
  canApprove: z
    .boolean()
    .optional()
    .describe('For a person, while it is pending: whether a passkey that may be theirs approves it.'),
  missing: MissingApproval.optional(),
  approvers: z
    .array(z.string())
    .optional()
    .describe('Where another person than the one who asks can approve it: their names, at most 5.'),
  remindsAt: z
    .string()
    .optional()
    .describe(
      'When the people who were asked are told once more; absent where they were, or one of them has answered.',
    ),
  escalatedTo: z
    .array(z.object({ userId: z.string(), name: z.string().optional(), at: z.string() }))
    .optional()
    .describe('Who was told of it since, as it was not decided, and when.'),
});
export type Approval = z.infer<typeof Approval>;

/** What the waiting agent gets: once approved, the proof to send with the same cart. */
export const ApprovalState = Approval.extend({
  hpProof: HpProof.optional(),
  decision: ApprovalDecision.optional().describe(
    'How it ended, where that was asked for: what a stranger verifies that a person approved it by.',
  ),
  decisions: z
    .array(ApprovalDecision)
    .optional()
    .describe('Where several people approved: the decision of each, in their order; `decision` is the last one.'),
});
export type ApprovalState = z.infer<typeof ApprovalState>;

const Wait = z.coerce
  .number<number>()
  .min(0)
  .max(MAX_WAIT_SECONDS)
  .default(0)
  .describe('Seconds to wait for a decision before the answer says "pending".');

export const GetApproval = z.object({
  id: z.string(),
  wait: Wait,
  include: z.literal('decision').optional().describe('decision: how it ended is shown with the passkey’s signature.'),
});
export type GetApproval = z.output<typeof GetApproval>;

export const ListApprovals = inTimeOrder(
  PageRequest.extend({
    status: ApprovalStatus.optional(),
    agentDid: Did.optional(),
    merchant: MerchantDomain.optional(),
    from: Time.optional(),
    to: Time.optional(),
  }),
);
export type ListApprovals = z.output<typeof ListApprovals>;

export const DenyApproval = z.object({ id: z.string() });
export type DenyApproval = z.output<typeof DenyApproval>;

export const RemindApprovers = z.object({ id: z.string() });
export type RemindApprovers = z.output<typeof RemindApprovers>;

export const FollowApproval = z.object({ wait: Wait });
export type FollowApproval = z.output<typeof FollowApproval>;

/** How a decision was made: with a passkey, by the link alone, by a key or user of the node, or by the agent that asked. */
export const DecidedBy = z.enum(['passkey', 'link', 'operator', 'agent']);
export type DecidedBy = z.infer<typeof DecidedBy>;

/** The purchase as the approval page shows it: formatted, and text only. */
export const ApprovalView = z.object({
  status: ApprovalStatus,
  agent: z.string(),
  agentDid: z.string(),
  principal: z.object({ name: z.string().optional(), did: z.string() }).describe('Whose money would be spent.'),
  instrument: z.string().optional().describe('What would be paid with; the usual payment method when absent.'),
  merchant: z.string(),
  merchantName: z.string().optional().describe('What the shop calls itself in what it signed.'),
  /** True when the domain is not ASCII and is therefore shown in Punycode (RFC 3492). */
  merchantEncoded: z.boolean(),
  total: z.string(),
  items: z.array(
    z.object({ name: z.string(), quantity: z.int(), amount: z.string().describe('What all of them come to.') }),
  ),
  unlisted: z
    .literal(true)
    .optional()
    .describe('The shop signed no list of what is bought: the one item is the payment.'),
  details: z
    .array(z.object({ name: z.string(), value: z.string() }))
    .describe('Everything else that the merchant signed, by name and value.'),
  asked: z
    .array(z.object({ name: z.string(), value: z.string() }))
    .describe(
      'What the agent says, by name and value: what it was to buy, and what its mandate names; no shop signed it.',
    ),
  causes: z.array(z.string()),
  left: z
    .string()
    .optional()
    .describe(
      'The smallest sum that a limit over time leaves once it is bought, before it refuses; absent where no limit refuses.',
    ),
  usedUp: z.literal(true).optional().describe('Nothing is left of that limit.'),
  expiresAt: z.string(),
  /** False when no passkey is enrolled for the principal, or for the agent where the principal is not governed. */
  canApprove: z.boolean(),
  people: ApprovalPeople.optional().describe('Where the policy says how many people must approve.'),
  /** Why it cannot be approved as things stand, in a sentence; the agent was suspended, for example. */
  blocked: z.string().optional(),
  /** True where the policy makes the link enough to deny, without a passkey. */
  deniableByLink: z.boolean(),
  /** Of a request that was approved or denied; `by` is absent where the decision was made before it was noted. */
  decision: z
    .object({
      by: DecidedBy.optional(),
      name: z.string().optional().describe('Whose passkey approved it.'),
      at: z.string(),
    })
    .optional(),
});
export type ApprovalView = z.infer<typeof ApprovalView>;

export const ApprovalAnswer = z.enum(['approve', 'deny']);
export type ApprovalAnswer = z.infer<typeof ApprovalAnswer>;

/** A no without a passkey. It has to be a JSON body: one that a foreign page can send unasked would be none. */
export const DenyByLink = z.object({ decision: z.literal('deny') });

/** The address of the page where a person decides. @param baseUrl the node's public address without a trailing slash */
export function approvalUrl(baseUrl: string, id: string): string {
  return `${baseUrl}/approve/${id}`;
}

/** The status at a time: a pending request past its time has expired, even before a worker records it. */
export function approvalStatusAt(request: { status: ApprovalStatus; expiresAt: number }, now: number): ApprovalStatus {
  return request.status === 'pending' && request.expiresAt <= now ? 'expired' : request.status;
}
