/** A passkey as callers see it. */
import type { Passkey } from '../../../protocol/passkey.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import type { PasskeyRow } from '../../store/statements/people/passkeys.ts';
import { namedHolder } from './holder.ts';
import { shownMaker } from './touchPerson.ts';

export function showPasskey(row: PasskeyRow): Passkey {
  return compact({
    id: row.id,
    ...namedHolder({ kind: row.holder_kind, did: row.holder_did }),
    credentialId: row.credential_id,
    deviceName: row.device_name,
    synced: row.is_synced === 1,
    createdAt: isoTime(row.created_at),
    lastUsedAt: isoTime(row.last_used_at) ?? null,
    madeBy: shownMaker(row.made_by),
    userId: row.user_id ?? undefined,
  });
}
