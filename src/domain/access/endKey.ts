/** Ends an API key, and with it what it made: keys of every generation, and links that were not used yet. */

import { compact } from '../../../protocol/wire/compact.ts';
import type { Caller } from '../../access/caller.ts';
import { keysMadeBy } from '../../access/keyFamily.ts';
import { type ApiKeyRow, listMadeKeys, type MadeKey, revokeApiKeyRow } from '../../store/statements/callers/apiKeys.ts';
import type { Script } from '../../store/store.ts';
import type { EventDeps } from '../../usecase/deps.ts';
import { recordAdminEvent } from '../evidence/recordEvent.ts';
import { withdrawLinks } from '../people/withdrawLinks.ts';

/**
 * Asked of a key that was revoked before, it ends what that key made and left behind.
 * @param now milliseconds since the epoch
 */
export function* endKey(deps: EventDeps, caller: Caller, key: ApiKeyRow, now: number): Script<void> {
  const { tenantId } = caller;
  const family = [key, ...keysMadeBy(key.id, yield* listMadeKeys(tenantId))];
  const ended: Pick<MadeKey, 'id' | 'name'>[] = [];
  for (const each of family) if (yield* revokeApiKeyRow(tenantId, each.id, now)) ended.push(each);
  if (ended.length === 0) return;
  const makers = new Set(family.map(({ id }) => `key ${id}`));
  const enrollments = yield* withdrawLinks(deps, caller, makers, { invites: true, enrolls: true }, now);
  for (const [index, { id, name }] of ended.entries()) {
    const withdrawn = index === 0 && enrollments.length > 0 ? { withdrawnEnrollments: enrollments } : {};
    const data = compact({ keyId: id, name, endedWith: id === key.id ? undefined : key.id, ...withdrawn });
    yield* recordAdminEvent(deps, caller, 'KEY_REVOKED', data, now);
  }
}
