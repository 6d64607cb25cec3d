/** A rail tells that a shared payment token was used, or ended otherwise. */

import { compact } from '../../../protocol/wire/compact.ts';
import type { RailEvent, RailNotice } from '../../rails/notice.ts';
import {
  findNotifiedToken,
  findSharedPaymentToken,
  nameTokenUse,
  type SharedPaymentTokenRow,
} from '../../store/statements/purchases/sharedPaymentTokens.ts';
import type { Script } from '../../store/store.ts';
import type { Deps, EventDeps } from '../../usecase/deps.ts';
import { endToken, recordToken } from '../spt/endSpt.ts';
import { rememberRailEvent } from './rememberRailEvent.ts';

type TokenNotice = Extract<RailNotice, { kind: 'token' }>;

const BECOMES = { used: 'USED', expired: 'EXPIRED', revoked: 'REVOKED' } as const;

export async function handleSptNotice(
  deps: EventDeps & Pick<Deps, 'log' | 'store'>,
  event: RailEvent,
  notice: TokenNotice,
): Promise<void> {
  const found = await deps.store.read(() => findNotifiedToken(notice.tokenId));
  if (found === undefined) {
    deps.log.info('rail.unknownPayment', { event: event.id, type: event.type });
    return;
  }
  await deps.store.write(found.tenant_id, (now) => apply(deps, found, event, notice, now));
}

function* apply(
  deps: EventDeps,
  found: SharedPaymentTokenRow,
  event: RailEvent,
  notice: TokenNotice,
  now: number,
): Script<void> {
  if (!(yield* rememberRailEvent(event, found.tenant_id, now))) return;
  const token = yield* findSharedPaymentToken(found.tenant_id, found.id);
  if (token === undefined) return;
  if (token.status !== 'ACTIVE') {
    if (notice.change !== 'used' || isSameUse(token, notice)) return;
    // The token's other event, which names no payment, may come first.
    const { railId } = notice;
    if (railId !== undefined && (yield* nameTokenUse(token.tenant_id, token.id, railId))) return;
    yield* ignoreUse(deps, token, notice, now);
    return;
  }
  // It had run out, only the sweeper had not come by; the rail, which counts by its own clock, may still tell of a use.
  const ranOut = token.expires_at <= now && token.rail_token_id === null;
  if (notice.change === 'used' && ranOut) {
    yield* ignoreUse(deps, yield* endToken(deps, token, 'EXPIRED', now), notice, now);
    return;
  }
  yield* endToken(deps, token, BECOMES[notice.change], now, notice.railId);
}

/** The same news again, perhaps by the token's other event, which names no payment. */
function isSameUse(token: SharedPaymentTokenRow, { railId }: TokenNotice): boolean {
  return token.status === 'USED' && (railId === undefined || token.rail_payment_id === railId);
}

function* ignoreUse(deps: EventDeps, token: SharedPaymentTokenRow, notice: TokenNotice, now: number): Script<void> {
  const facts = compact({
    status: token.status,
    railTransactionId: notice.railId,
  });
  yield* recordToken(deps, 'SPT_USE_IGNORED', token, now, facts);
}
