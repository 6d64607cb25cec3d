/** What everything that backs a node up over the API requires: a data folder, and a caller who may have all that is in it. */
import { Fault } from '../../../protocol/wire/fault.ts';
import type { Caller } from '../../access/caller.ts';
import { listTenants } from '../../store/statements/node/tenants.ts';
import type { Script } from '../../store/store.ts';
import type { Backups, Deps } from '../../usecase/deps.ts';
import { requireOwner } from '../people/requireOwner.ts';

const BACKS_UP = 'backs up the whole node';

/** @throws Fault CONFLICT where the node keeps its data in PostgreSQL */
export function requireBackups({ data: { backups } }: Pick<Deps, 'data'>): Backups {
  if (backups !== undefined) return backups;
  throw new Fault(
    'CONFLICT',
    'This node keeps its data in PostgreSQL, which has its own tool: back up the database with pg_dump, and keep the key files as well.',
  );
}

/** A backup holds everything there is. @throws Fault FORBIDDEN who has a part of it, or may not have all of theirs */
export function* requireWholeNode(caller: Caller): Script<void> {
  yield* requireOwner(caller, BACKS_UP);
  if (caller.kind === 'node' || (yield* listTenants()).length === 1) return;
  throw new Fault(
    'FORBIDDEN',
    'This node has several tenants, and a backup holds all of them; make it where the node runs: countersign backup FILE',
  );
}
