/** A passkey as callers see it. */
import type { Passkey } from '../../../protocol/passkey.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import type { PasskeyRow } from '../../store/statements/people/passkeys.ts';
import { namedHolder } from './holder.ts';

export function showPasskey(row: PasskeyRow): Passkey {
  return {
    id: row.id,
    ...namedHolder({ kind: row.holder_kind, did: row.holder_did }),
    credentialId: row.credential_id,
    deviceName: row.device_name,
    synced: row.is_synced === 1,
    createdAt: isoTime(row.created_at),
    lastUsedAt: isoTime(row.last_used_at) ?? null,
  };
}
