/** Ends an intent that was not used, and releases what it reserved. */

import { compact } from '../../../protocol/wire/compact.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import { releaseIntent } from '../../store/statements/limits/limitBuckets.ts';
import { voidApprovalTokens } from '../../store/statements/purchases/approvalTokens.ts';
import { endStatus } from '../../store/statements/purchases/credentialStatus.ts';
import { findIntent, settleIntent } from '../../store/statements/purchases/intents.ts';
import type { Script } from '../../store/store.ts';
import type { Deps, EventDeps } from '../../usecase/deps.ts';
import { recordNodeEvent } from '../evidence/recordEvent.ts';
import { tellAuthorizers } from '../purchases/authorize.ts';
import { partiesOf } from '../purchases/purchaseFacts.ts';

/**
 * Nothing happens to an intent that a payment, or another node, has settled in the meantime.
 * @param reason why it ends before its time; undefined where its time has passed
 */
export function* endIntent(
  deps: EventDeps & Pick<Deps, 'operations'>,
  { tenantId, mandateId }: { readonly tenantId: string; readonly mandateId: string },
  reason: 'denied' | 'revoked' | 'withdrawn' | undefined,
  now: number,
): Script<void> {
  const intent = yield* findIntent(tenantId, mandateId);
  if (intent === undefined || intent.status !== 'ACTIVE') return;
  yield* settleIntent(tenantId, mandateId, 'EXPIRED', 0);
  yield* releaseIntent(intent);
  yield* tellAuthorizers(deps, intent, (each) => each.afterEnd?.(intent));
  if (reason !== undefined) {
    yield* voidApprovalTokens(tenantId, mandateId);
    yield* endStatus(tenantId, mandateId, now);
  }
  const expiredAt = isoTime(reason === undefined ? intent.expires_at : now);
  const data = compact({ ...partiesOf(intent), mandateId, expiredAt, reason });
  yield* recordNodeEvent(deps, tenantId, 'INTENT_EXPIRED', data, now);
}
