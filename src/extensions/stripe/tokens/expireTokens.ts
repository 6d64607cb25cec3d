/** Ends shared payment tokens when they expire. */
import { endToken } from '../../../domain/spt/endSpt.ts';
import {
  findSharedPaymentToken,
  listOverdueTokens,
  type SharedPaymentTokenRow,
} from '../../../store/statements/purchases/sharedPaymentTokens.ts';
import type { Script } from '../../../store/store.ts';
import type { Deps } from '../../../usecase/deps.ts';
import type { Schedule } from '../../../usecase/schedule.ts';
import { patience, workOff } from '../../../workers/patience.ts';

export const tokenSchedule: Schedule = {
  name: 'tokens',
  pauseMs: 1000,
  work: (waiting, deps) => expireTokens(deps, waiting),
};

export async function expireTokens(deps: Deps, waiting = patience(deps, 'tokens')): Promise<void> {
  await workOff(deps, waiting, {
    list: (limit) => deps.store.read((now) => listOverdueTokens(now, limit)),
    keyOf: ({ id }) => id,
    settle: (token) => deps.store.write(token.tenant_id, (now) => expire(deps, token, now)),
  });
}

function* expire(deps: Deps, overdue: SharedPaymentTokenRow, now: number): Script<void> {
  const token = yield* findSharedPaymentToken(overdue.tenant_id, overdue.id);
  if (token !== undefined) yield* endToken(deps, token, 'EXPIRED', now);
}
