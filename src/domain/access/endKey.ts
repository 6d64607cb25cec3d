/** Ends an API key, and with it what it made: keys of every generation, links that were not used yet, and passkeys and people's credentials. */

import { compact } from '../../../protocol/wire/compact.ts';
import type { Caller } from '../../access/caller.ts';
import { keysMadeBy } from '../../access/keyFamily.ts';
import { type ApiKeyRow, listMadeKeys, type MadeKey, revokeApiKeyRow } from '../../store/statements/callers/apiKeys.ts';
import { deletePasskey, listPasskeysMadeBy } from '../../store/statements/people/passkeys.ts';
import type { Script } from '../../store/store.ts';
import type { Deps, EventDeps } from '../../usecase/deps.ts';
import { recordAdminEvent } from '../evidence/recordEvent.ts';
import { namedHolder } from '../passkeys/holder.ts';
import { withdrawLinks } from '../people/withdrawLinks.ts';

/**
 * Asked of a key that was revoked before, it ends what that key made and left behind.
 * @param now milliseconds since the epoch
 */
export function* endKey(
  deps: EventDeps & Pick<Deps, 'operations'>,
  caller: Caller,
  key: ApiKeyRow,
  now: number,
): Script<void> {
  const { tenantId } = caller;
  const family = [key, ...keysMadeBy(key.id, yield* listMadeKeys(tenantId))];
  const ended: Pick<MadeKey, 'id' | 'name'>[] = [];
  for (const each of family) if (yield* revokeApiKeyRow(tenantId, each.id, now)) ended.push(each);
  const endedPasskeys: string[] = [];
  for (const { id } of family) {
    endedPasskeys.push(...(yield* endPasskeys(deps, caller, id, now)));
    for (const end of deps.operations.hooks.afterKeyEnd) yield* end(deps, caller, id, now);
  }
  if (ended.length === 0) return;
  const makers = new Set(family.map(({ id }) => `key ${id}`));
  const enrollments = yield* withdrawLinks(deps, caller, makers, { invites: true, enrolls: true }, now);
  for (const [index, { id, name }] of ended.entries()) {
    const isFirst = index === 0;
    const withdrawn = isFirst && enrollments.length > 0 ? { withdrawnEnrollments: enrollments } : {};
    const passkeys = isFirst && endedPasskeys.length > 0 ? { endedPasskeys } : {};
    const data = compact({ keyId: id, name, endedWith: id === key.id ? undefined : key.id, ...withdrawn, ...passkeys });
    yield* recordAdminEvent(deps, caller, 'KEY_REVOKED', data, now);
  }
}

/** Passkeys that a key enrolled, or whose links it made: whose hands they are in only its holder knows. @returns their ids */
function* endPasskeys(deps: EventDeps, caller: Caller, keyId: string, now: number): Script<readonly string[]> {
  const rows = yield* listPasskeysMadeBy(caller.tenantId, `key ${keyId}`);
  for (const row of rows) {
    yield* deletePasskey(caller.tenantId, row.id);
    const holder = namedHolder({ kind: row.holder_kind, did: row.holder_did });
    const facts = { passkeyId: row.id, credentialId: row.credential_id, deviceName: row.device_name };
    yield* recordAdminEvent(deps, caller, 'HP_REMOVED', { ...holder, ...facts, endedWith: keyId }, now);
  }
  return rows.map(({ id }) => id);
}
