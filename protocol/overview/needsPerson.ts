/** What needs a person: schemas. */
import { z } from 'zod';

const ATTENTION_KINDS = [
  'approval',
  'payment',
  'dispute',
  'tools',
  'node',
  'webhook',
  'notifications',
  'agent',
  'backup',
] as const;
export type AttentionKind = (typeof ATTENTION_KINDS)[number];

export const AttentionItem = z.object({
  kind: z.enum(ATTENTION_KINDS),
  message: z.string(),
  since: z.string().optional().describe('Since when, where that is known.'),
  until: z.string().optional().describe('Until when a person can decide it.'),
  dueBy: z.string().optional().describe('Until when a dispute has to be answered at the rail.'),
  approvalId: z.string().optional(),
  disputeId: z.string().optional(),
  mandateId: z.string().optional(),
  agentDid: z.string().optional(),
  webhookId: z.string().optional(),
  guardId: z.string().optional().describe('The guard whose tools a person has to look at.'),
  url: z.string().optional().describe('Where a person decides it.'),
});
export type AttentionItem = z.infer<typeof AttentionItem>;

const Count = z.int().nonnegative();

export const Attention = z.object({
  items: z
    .array(AttentionItem)
    .describe('The most urgent first: what ends soonest, then what is undecided; at most 20 of each kind.'),
  counts: z
    .object({
      approval: Count.describe('For a person: those that they can decide, of the newest 200.'),
      payment: Count,
      dispute: Count,
      tools: Count.describe('Guards with a tool that a person has to look at.'),
      node: Count,
      webhook: Count,
      notifications: Count.describe('Places of the person who asks at which nothing arrives.'),
      agent: Count,
      backup: Count,
    })
    .describe('How many there are of each kind; 1000 for that many or more.'),
});
export type Attention = z.infer<typeof Attention>;
