/** What is posted to a subscription that is no webhook of an owner: it has its own texts, and headers by which its receiver knows the node. */
import type { WebhookRow } from '../store/statements/webhooks/subscriptions.ts';
import type { Script } from '../store/store.ts';
import type { Deps } from './deps.ts';

export interface DeliveryKind {
  /** Whether a subscription is of this kind. */
  isOf(row: WebhookRow): boolean;
  /** The text of an event, written when it is sent. @param stored of the event */
  render(deps: Pick<Deps, 'sealer'>, row: WebhookRow, stored: string): Script<string>;
  /** @throws Error where what is sealed of the subscription cannot be opened */
  headersOf(deps: Pick<Deps, 'sealer'>, row: WebhookRow): Readonly<Record<string, string>>;
}
