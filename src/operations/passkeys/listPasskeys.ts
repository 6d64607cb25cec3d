/** Lists and removes passkeys. */
import { ListPasskeys, Passkey } from '../../../protocol/passkey.ts';
import { removal } from '../../domain/evidence/removal.ts';
import { holderIn, namedHolder } from '../../domain/passkeys/holder.ts';
import { showPasskey } from '../../domain/passkeys/showPasskey.ts';
import {
  deletePasskey,
  findPasskey,
  type PasskeyRow,
  listPasskeys as selectPasskeys,
} from '../../store/statements/people/passkeys.ts';
import { byId, listing } from '../../usecase/list/listing.ts';

export const listPasskeys = listing({
  summary: 'Lists enrolled passkeys, newest first.',
  input: ListPasskeys,
  item: Passkey,
  permission: 'read',
  own: { named: ({ agentDid }) => agentDid, of: ({ limit, cursor }, agentDid) => ({ limit, cursor, agentDid }) },
  order: byId,
  select({ tenantId }, input, before, limit) {
    const named = input.agentDid ?? input.principalDid;
    return selectPasskeys(tenantId, named === undefined ? undefined : holderIn(input), before, limit);
  },
  show: showPasskey,
});

export const removePasskey = removal({
  summary: 'Removes a passkey; it approves nothing from then on.',
  noun: 'passkey',
  *find(tenantId, id) {
    const row = yield* findPasskey(tenantId, id);
    return row?.holder_kind === 'user' ? undefined : row;
  },
  remove: deletePasskey,
  stepUp: true,
  eventType: 'HP_REMOVED',
  facts: (row: PasskeyRow) => ({
    ...namedHolder({ kind: row.holder_kind, did: row.holder_did }),
    passkeyId: row.id,
    credentialId: row.credential_id,
    deviceName: row.device_name,
  }),
});
