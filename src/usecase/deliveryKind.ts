/** What is sent to a subscription that is no webhook of an owner: its own texts, and its own way to send them. */
import type { WebhookLog } from '../../protocol/webhook/subscription.ts';
import type { SafeClient } from '../fetch/safeClient.ts';
import type { WebhookRow } from '../store/statements/webhooks/subscriptions.ts';
import type { Script } from '../store/store.ts';
import type { Deps } from './deps.ts';

/** What tells whose subscription a row is; both are null for one of the tenant's owner. */
type SubscriptionHolder = Pick<WebhookRow, 'task_id' | 'user_id'>;

export interface DeliveryKind {
  /** Whether a subscription is of this kind. */
  isOf(holder: SubscriptionHolder): boolean;
  /** The text of an event, written when it is sent. @param stored of the event */
  render(deps: Pick<Deps, 'sealer'>, row: WebhookRow, stored: string): Script<string>;
  /** @throws Error where what is sealed of the subscription cannot be opened */
  senderOf(deps: Deps, row: WebhookRow): Send;
  /** What the log shows of the address; all of it unless given. */
  logUrl?(row: WebhookRow): string;
  /** What is done where a receiver has said that it is to get nothing more. */
  onEnd?(deps: Deps, row: WebhookRow, end: ReceiverEnd): Promise<void>;
  /** Ends what is under way. Called when the node has stopped, and what was being sent has had its time. */
  close?(): void;
}

/** What a receiver says of itself: that it is there no more, or that it is there and takes nothing more. */
export type ReceiverEnd = 'gone' | 'closed';

/** One attempt at an event. Never rejects. @param now milliseconds since the epoch */
export type Send = (client: SafeClient, event: PostedEvent, now: number) => Promise<Outcome>;

export interface PostedEvent {
  readonly id: string;
  readonly body: string;
  /** Those that name the trace it belongs to. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface Outcome {
  readonly ok: boolean;
  readonly status: number;
  readonly durationMs: number;
  readonly error: WebhookLog['error'] | undefined;
  /** What is kept of the answer. */
  readonly answer: string;
  /** How many seconds the next attempt waits at least. */
  readonly waitSeconds?: number;
  readonly end?: ReceiverEnd | undefined;
}
