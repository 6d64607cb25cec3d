/** Lists and removes passkeys. */

import { Did } from '../../../protocol/credential/did.ts';
import { ListPasskeys, Passkey } from '../../../protocol/passkey.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { PageRequest } from '../../../protocol/wire/page.ts';
import { removal } from '../../domain/evidence/removal.ts';
import { holderIn, namedHolder } from '../../domain/passkeys/holder.ts';
import { showPasskey } from '../../domain/passkeys/showPasskey.ts';
import {
  deletePasskey,
  findPasskey,
  type PasskeyRow,
  listPasskeys as selectPasskeys,
} from '../../store/statements/people/passkeys.ts';
import { findPrincipal } from '../../store/statements/registry/principals.ts';
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

const OfPrincipal = PageRequest.extend({ did: Did });

export const listPrincipalPasskeys = listing({
  summary:
    'Lists the passkeys that were enrolled for a person or company whose money is spent, newest first, each with who made its link.',
  input: OfPrincipal,
  item: Passkey,
  permission: 'read',
  faults: ['NOT_FOUND'],
  order: byId,
  *select({ tenantId }, { did }, before, limit) {
    if ((yield* findPrincipal(tenantId, did)) === undefined) {
      throw new Fault('NOT_FOUND', `No person or company ${did} is registered as whose money it is.`);
    }
    return yield* selectPasskeys(tenantId, { kind: 'principal', did }, before, limit);
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
