/** Lists passkeys and takes them away. */
import { z } from 'zod';
import { ListPasskeys, Passkey } from '../../../protocol/passkey.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { type Page, pageOf } from '../../../protocol/wire/page.ts';
import {
  deletePasskey,
  findPasskey,
  type PasskeyRow,
  listPasskeys as selectPasskeys,
} from '../../store/statements/people/passkeys.ts';
import { positionOf, toPage } from '../core/paging.ts';
import { inOneCommit, inOneRead, useCase } from '../core/useCase.ts';
import { recordEvent } from '../evidence/recordEvent.ts';

export function showPasskey(row: PasskeyRow): Passkey {
  return {
    id: row.id,
    agentDid: row.agent_did,
    credentialId: row.credential_id,
    deviceName: row.device_name,
    synced: row.is_synced === 1,
    createdAt: new Date(row.created_at).toISOString(),
    lastUsedAt: row.last_used_at === null ? null : new Date(row.last_used_at).toISOString(),
  };
}

export const listPasskeys = useCase({
  summary: 'Lists enrolled passkeys, newest first.',
  input: ListPasskeys,
  output: pageOf(Passkey),
  permission: 'read',
  run: inOneRead<ListPasskeys, Page<Passkey>>(function* (_deps, caller, input) {
    const before = positionOf(z.string(), input.cursor);
    const rows = yield* selectPasskeys(caller.tenantId, input.agentDid, before, input.limit + 1);
    return toPage(rows, input.limit, showPasskey, (row) => row.id);
  }),
});

const RemovePasskey = z.object({ id: z.string() });

export const removePasskey = useCase({
  summary: 'Takes a passkey away; it approves nothing from then on.',
  input: RemovePasskey,
  output: z.undefined(),
  permission: 'admin',
  faults: ['NOT_FOUND'],
  run: inOneCommit<z.output<typeof RemovePasskey>, undefined>(function* (deps, caller, { id }, { now }) {
    const row = yield* findPasskey(caller.tenantId, id);
    if (row === undefined) throw new Fault('NOT_FOUND', `There is no passkey ${id}.`);
    yield* deletePasskey(caller.tenantId, id);
    const data = {
      agentDid: row.agent_did,
      passkeyId: id,
      credentialId: row.credential_id,
      deviceName: row.device_name,
    };
    yield* recordEvent(deps, caller.tenantId, { eventType: 'HP_REMOVED', actorDid: deps.issuer.did, data }, now);
    return undefined;
  }),
});
