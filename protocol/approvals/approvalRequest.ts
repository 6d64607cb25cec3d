/** What a person is asked: the action, what their passkey would sign, and who may decide. */
import { z } from 'zod';
import { anyObject } from '../wire/json.ts';
import { ApprovalBinding, Sha256 } from './approvalDecision.ts';

export const ApprovalRequest = z.object({
  id: z.string().min(1).max(100),
  action: z.object({
    type: z.literal('payment'),
    summary: z.string().describe('One sentence for a person.'),
    document: anyObject()
      .optional()
      .describe('What would be done: the cart without its proof. Absent where it is long.'),
    documentHash: Sha256.describe('SHA-256 of the canonical JSON (RFC 8785) of the document.'),
  }),
  binding: ApprovalBinding.describe('What a passkey would sign the hash of to approve it.'),
  approvers: z
    .array(z.object({ id: z.string().describe('DID.'), keys: z.array(z.string()).optional() }))
    .describe('Who may decide, each with the thumbprints (RFC 7638) of their passkeys’ keys.'),
  quorum: z.literal(1).describe('How many people one decision is by.'),
  people: z
    .int()
    .min(1)
    .optional()
    .describe('Where the policy asks several people: how many decisions there will be, each by another person.'),
  url: z
    .string()
    .describe('The page for the person alone. Nothing that an agent opens, says or accepts there decides.'),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});
export type ApprovalRequest = z.infer<typeof ApprovalRequest>;
