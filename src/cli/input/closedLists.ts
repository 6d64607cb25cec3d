/** Closed lists that are no member of an operation by themselves; they are held against their types, and load no schemas. */
import { type Operations, webhookEvents } from '../../../client/operations.ts';
import type { WebhookEventType } from '../../../protocol/webhook/event.ts';
import type { NoticeTopic } from '../../../protocol/webhook/noticeText.ts';

/** Every value of a type: one that is missing or not known does not compile. */
function valuesOf<Value extends string>(values: Readonly<Record<Value, true>>): readonly Value[] {
  return Object.keys(values) as Value[];
}

export const NOTICE_TOPICS = valuesOf<NoticeTopic>({
  approvals: true,
  disputes: true,
  agents: true,
  payments: true,
  digest: true,
  'passkey.added': true,
});

/** Where notifications go from the command line: a browser subscribes itself. */
export const NOTICE_KINDS = valuesOf<Exclude<Operations['addNotifications']['input']['kind'], 'webPush'>>({
  email: true,
  slack: true,
  discord: true,
  teams: true,
  telegram: true,
  plain: true,
});

/** The types of webhook events. */
export const EVENT_TYPES = Object.keys(webhookEvents) as readonly WebhookEventType[];
