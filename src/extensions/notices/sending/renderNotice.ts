/** The text of a notice for one place, made when it is sent: an agent may have got a name since. */

import type { WebhookEvent } from '../../../../protocol/webhook/event.ts';
import { type EscalationNotice, isPlainNotice, noticeOf } from '../../../../protocol/webhook/noticeText.ts';
import { compact } from '../../../../protocol/wire/compact.ts';
import { findAgent } from '../../../store/statements/registry/agents.ts';
import type { WebhookRow } from '../../../store/statements/webhooks/subscriptions.ts';
import type { Script } from '../../../store/store.ts';
import type { Deps } from '../../../usecase/deps.ts';
import type { NotificationChannel } from '../channels/channel.ts';
import { openPlace } from '../places/noticePlace.ts';
import { digestFile } from './digestFile.ts';

/** @param body of the event @returns a Notice as JSON; empty where the place cannot be read, and so nothing can be sent */
export function* renderNotice(deps: Pick<Deps, 'sealer'>, place: WebhookRow, body: string): Script<string> {
  const event = JSON.parse(body) as Parameters<typeof noticeOf>[0];
  const did = isPlainNotice(event) ? undefined : agentOf(event);
  const agent = did === undefined ? undefined : ((yield* findAgent(place.tenant_id, did))?.display_name ?? did);
  const { kind, ...options } = openOf(deps, place);
  const notice = noticeOf(event, { agent, ...options });
  // A file of amounts and merchants goes to whom they are told.
  const isFile = event.type === 'notice.digest' && kind === 'email' && options.details;
  return JSON.stringify(isFile ? { ...notice, attachment: digestFile(event) } : (notice ?? {}));
}

function agentOf({ context, data }: Pick<WebhookEvent, 'context' | 'data'> | EscalationNotice): string | undefined {
  return context.agentDid ?? (data as { readonly agentDid?: string }).agentDid;
}

interface ChannelContent extends Pick<Partial<NotificationChannel>, 'kind'> {
  readonly details: boolean;
  readonly code?: string;
}

/** Nothing is told to a place of which it is not known how much it wants told; it cannot be sent to either. */
function openOf(deps: Pick<Deps, 'sealer'>, place: WebhookRow): ChannelContent {
  try {
    const { kind, details, unconfirmed } = openPlace(deps, place);
    return compact({ kind, details, code: unconfirmed?.code });
  } catch {
    return { details: false };
  }
}
