/** Events about approvals. */
import { z } from 'zod';
import { approvalUrl, Cause } from '../../approval.ts';
import { PresenceApproval } from '../../presence.ts';
import { ASKED, AskedData, AT, askedOf } from '../eventParts.ts';
import { pick, webhookEvent } from '../webhookEvent.ts';

export const APPROVAL_EVENTS = [
  webhookEvent({
    type: 'approval.requested',
    evidence: 'APPROVAL_REQUESTED',
    name: 'A person is asked',
    docs: 'A cart lacks nothing but a person. `url` is the page where they approve or deny; send it to them before `expiresAt`. Everyone with the link sees the purchase; a decision takes an enrolled passkey. The link is in no evidence: it is made from `BASE_URL`. With `reminder` it comes once more, at half the time, where no person has answered.',
    data: z.object({
      ...AskedData,
      causes: z.array(Cause),
      url: z.string(),
      expiresAt: z.iso.datetime(),
      reminder: z.literal(true).optional(),
    }),
    dataOf: (facts, _createdAt, baseUrl) => ({
      ...askedOf(facts),
      ...pick(facts, 'causes', 'expiresAt', 'reminder'),
      url: approvalUrl(baseUrl, String(facts.approvalId)),
    }),
    example: {
      ...ASKED,
      causes: [
        { cause: 'threshold', message: '129.50 USD is 29.50 over what the agent may spend alone, which is 100.00.' },
      ],
      url: 'https://pay.example.com/approve/apr_01m7yh6hs5k8n1q4t7w0z3c6f9',
      expiresAt: '2026-11-21T08:02:41.449Z',
    },
  }),
  webhookEvent({
    type: 'approval.approved',
    evidence: 'APPROVAL_GRANTED',
    name: 'A person approves',
    docs: 'A person approved that cart with a passkey. The agent can send it again, with the proof. Where the policy asks several people, `approvals` names the touch of each, and `passkeyId` is that of the last one.',
    data: z.object({
      ...AskedData,
      passkeyId: z.string(),
      approvals: z.array(PresenceApproval).optional(),
      approvedAt: z.iso.datetime(),
    }),
    dataOf: (facts, approvedAt) => ({
      ...askedOf(facts),
      passkeyId: String(facts.passkeyId),
      ...pick(facts, 'approvals'),
      approvedAt,
    }),
    example: { ...ASKED, passkeyId: 'psk_01m7yh6hp2d5g8k1n4q7t0w3z6', approvedAt: AT },
  }),
  webhookEvent({
    type: 'approval.denied',
    evidence: 'APPROVAL_DENIED',
    name: 'A purchase is denied',
    docs: 'A person said no, or an operator or the agent took the request back: `passkeyId` names the passkey, otherwise `deniedBy` the key, user or agent, or says `link`. The intent has ended, and `intent.expired` says so too.',
    data: z.object({
      ...AskedData,
      passkeyId: z.string().optional(),
      deniedBy: z.string().optional(),
      deniedAt: z.iso.datetime(),
    }),
    dataOf: (facts, deniedAt) => ({
      ...askedOf(facts),
      ...pick(facts, 'passkeyId', 'deniedBy'),
      deniedAt,
    }),
    example: { ...ASKED, passkeyId: 'psk_01m7yh6hp2d5g8k1n4q7t0w3z6', deniedAt: AT },
  }),
  webhookEvent({
    type: 'approval.expired',
    evidence: 'APPROVAL_EXPIRED',
    name: 'An approval expires',
    docs: 'The approval expired without a decision.',
    data: z.object({ ...AskedData, expiredAt: z.iso.datetime() }),
    dataOf: (facts, expiredAt) => ({ ...askedOf(facts), expiredAt }),
    example: { ...ASKED, expiredAt: AT },
  }),
] as const;
