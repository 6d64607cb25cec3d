/** Tells a person who may not enter whom to ask. */
import { listOwners } from '../../store/statements/people/users.ts';
import type { Script } from '../../store/store.ts';

/** At most this many are named. */
const NAMED = 3;

/** @returns one sentence that names the tenant's owners */
export function* whomToAsk(tenantId: string): Script<string> {
  const owners = yield* listOwners(tenantId);
  const addresses = owners.flatMap(({ email }) => (email === null ? [] : [email])).slice(0, NAMED);
  const whom = addresses.length === 0 ? 'an OWNER of this node' : addresses.join(' or ');
  return `Nobody has let you in yet; ask ${whom} to give you a role.`;
}
