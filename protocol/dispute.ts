/** Disputes: a card holder takes a payment, or a part of it, back through the bank. Schemas, and how one changes. */
import { z } from 'zod';

const DISPUTE_STATES = ['needs_response', 'under_review', 'won', 'lost', 'inquiry', 'inquiry_closed'] as const;
export const DisputeStatus = z
  .enum(DISPUTE_STATES)
  .describe('`inquiry`: the bank asks, and takes no money so far; `won` and `lost` as the merchant sees it.');
export type DisputeStatus = z.infer<typeof DisputeStatus>;

export const Dispute = z.object({
  id: z.string(),
  railDisputeId: z.string().describe('The rail’s id of it, such as `dp_…` at Stripe.'),
  amount: z.number(),
  currency: z.string(),
  reason: z.string().optional().describe('As the rail calls it, such as `fraudulent`.'),
  status: DisputeStatus,
  dueBy: z.string().optional().describe('Until when the merchant can answer it at the rail, where the rail says that.'),
  openedAt: z.string(),
  closedAt: z.string().optional(),
});
export type Dispute = z.infer<typeof Dispute>;

export const DisputeRecord = Dispute.extend({ mandateId: z.string(), agentDid: z.string() });
export type DisputeRecord = z.infer<typeof DisputeRecord>;

/** Those that a person has to see to. */
export const OPEN_DISPUTES = ['needs_response', 'under_review'] as const satisfies readonly DisputeStatus[];

/** Those that take money of the payment: it counts as disputed until they are won. */
export const STANDING_DISPUTES = [...OPEN_DISPUTES, 'lost'] as const satisfies readonly DisputeStatus[];

export function isOpenDispute(status: DisputeStatus): boolean {
  return (OPEN_DISPUTES as readonly DisputeStatus[]).includes(status);
}

export function isStandingDispute(status: DisputeStatus): boolean {
  return (STANDING_DISPUTES as readonly DisputeStatus[]).includes(status);
}

export function isInquiry(status: DisputeStatus): boolean {
  return status === 'inquiry' || status === 'inquiry_closed';
}

/** What a rail says of a dispute. */
export interface DisputeNews {
  readonly status: DisputeStatus;
  /** True for an appeal and the like, which alone opens a dispute again that has ended. */
  readonly reopens: boolean;
  /** When the rail said so, in milliseconds since the epoch; undefined where it does not say when. */
  readonly toldAt: number | undefined;
}

/** How a dispute stands, and when the rail said so. */
export interface KnownDispute {
  readonly status: DisputeStatus;
  readonly toldAt: number | undefined;
}

/** True for news that are older than what is known. */
export function isOldNews(known: KnownDispute, { toldAt }: DisputeNews): boolean {
  return known.toldAt !== undefined && toldAt !== undefined && toldAt < known.toldAt;
}

function isLaterNews(known: KnownDispute, { toldAt }: DisputeNews): boolean {
  return known.toldAt !== undefined && toldAt !== undefined && toldAt > known.toldAt;
}

/**
 * The state after news that may come twice and in any order: an inquiry may become a dispute, which ends, and no old news opens
 * one again that has ended.
 */
export function statusAfter(known: KnownDispute, news: DisputeNews): DisputeStatus {
  const { status: before } = known;
  const { status, reopens } = news;
  if (isOldNews(known, news) || status === 'inquiry') return before;
  const isDecided = before === 'won' || before === 'lost';
  if (status === 'inquiry_closed') return isDecided ? before : status;
  // Of two decisions at one time the later one, after an appeal, is that in favour of the merchant.
  const isFinal = before === 'won' && !isLaterNews(known, news);
  if (isOpenDispute(status)) return isDecided && (isFinal || !reopens) ? before : status;
  return isFinal ? before : status;
}
