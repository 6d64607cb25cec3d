/** Shows the caller who it is, and ends a login. */

import { z } from 'zod';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { touchEnds } from '../../access/caller.ts';
import { roleLike } from '../../access/role.ts';
import { CurrentUser, permissionNames, showPerson } from '../../domain/access/showPerson.ts';
import { recordAdminEvent } from '../../domain/evidence/recordEvent.ts';
import { endLogin } from '../../store/statements/people/logins.ts';
import { findUser } from '../../store/statements/people/users.ts';
import type { Deps, EventDeps } from '../../usecase/deps.ts';
import { inOneCommit, inOneRead, useCase } from '../../usecase/useCase.ts';

const Nothing = z.object({});

export const currentUser = useCase({
  summary: 'Shows the caller: the person of a login, the agent of a DID proof, or the issuer for an API key.',
  input: Nothing,
  output: CurrentUser,
  permission: 'self',
  run: inOneRead<z.output<typeof Nothing>, CurrentUser>(function* (deps: Pick<Deps, 'issuer'>, caller) {
    const { tenantId, userId } = caller;
    if (userId === undefined) {
      return compact({
        did: caller.did ?? deps.issuer.did,
        email: null,
        role: roleLike(caller.permissions),
        permissions: permissionNames(caller.permissions),
        tenantId,
        agents: caller.agents && [...caller.agents],
      });
    }
    const user = yield* findUser(tenantId, userId);
    if (user === undefined) throw new Fault('UNAUTHORIZED', 'This user was removed.');
    return showPerson(user, { loginId: caller.loginId, touchEnds: touchEnds(caller) });
  }),
});

export const logout = useCase({
  summary: 'Ends the caller’s login and its tokens at once. Other credentials have no login to end.',
  input: Nothing,
  output: z.undefined(),
  permission: 'self',
  run: inOneCommit<z.output<typeof Nothing>, undefined>(function* (deps: EventDeps, caller, _input, { now }) {
    if (caller.loginId === undefined) return undefined;
    yield* endLogin(caller.tenantId, caller.loginId, now);
    yield* recordAdminEvent(deps, caller, 'LOGIN_ENDED', { loginId: caller.loginId }, now);
    return undefined;
  }),
});
