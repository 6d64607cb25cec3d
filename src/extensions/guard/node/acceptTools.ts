/**
 * A person accepts tools of a guard as they are. The guard takes it up where the server still lists what was looked at; an agent, or who
 * holds a key, cannot: what changed may be what talks to the agent.
 */
import {
  AcceptTools,
  Guard,
  type GuardServerRecord,
  type GuardToolRecord,
  waitingOf,
  waits,
} from '../../../../protocol/guard/guardTools.ts';
import { compact } from '../../../../protocol/wire/compact.ts';
import { Fault } from '../../../../protocol/wire/fault.ts';
import { isoTime } from '../../../../protocol/wire/time.ts';
import type { Caller } from '../../../access/caller.ts';
import { recordAdminEvent } from '../../../domain/evidence/recordEvent.ts';
import { findUser } from '../../../store/statements/people/users.ts';
import { updateGuard } from '../../../store/statements/registry/guards.ts';
import type { Script } from '../../../store/store.ts';
import type { EventDeps } from '../../../usecase/deps.ts';
import { inOneCommit, useCase } from '../../../usecase/useCase.ts';
import { loadGuard, serversOf, showGuard } from './showGuards.ts';

export const acceptTools = useCase({
  summary:
    'Accepts tools of a guard as they are, as an OWNER who has logged in. Each is named with the hash of what was looked at.',
  input: AcceptTools,
  output: Guard,
  permission: 'admin',
  stepUp: true,
  faults: ['NOT_FOUND', 'CONFLICT'],
  run: inOneCommit<AcceptTools, Guard>(function* (deps: EventDeps, caller, { id, server, tools }, { now }) {
    yield* requireOwner(caller);
    const row = yield* loadGuard(caller, id);
    const kept = serversOf(row);
    const found = kept.find(({ name }) => name === server);
    if (found === undefined) throw new Fault('NOT_FOUND', `The guard ${row.name} stands before no server ${server}.`);
    const looked = tools.map(({ name, hash }) => requireSame(found, name, hash));
    const accepted = looked.filter(waits);
    if (accepted.length === 0) return showGuard(row);
    const acceptance = compact({ at: isoTime(now), userId: caller.userId });
    const servers = kept.map((each) =>
      each === found
        ? { ...each, tools: each.tools.map((tool) => (accepted.includes(tool) ? { ...tool, acceptance } : tool)) }
        : each,
    );
    const since = waitingOf(servers).length === 0 ? null : row.waiting_since;
    const next = { ...row, servers: JSON.stringify(servers), waiting_since: since };
    yield* updateGuard(next);
    const { agent_did: agentDid, name: guard } = row;
    const named = accepted.map(({ name, hash }) => ({ name, hash }));
    const data = { guardId: id, guard, agentDid, server, tools: named, ...compact({ userId: caller.userId }) };
    yield* recordAdminEvent(deps, caller, 'TOOLS_ACCEPTED', data, now);
    return showGuard(next);
  }),
});

/** @throws Fault FORBIDDEN */
function* requireOwner(caller: Caller): Script<void> {
  if (caller.kind === 'node') return;
  const self = caller.userId === undefined ? undefined : yield* findUser(caller.tenantId, caller.userId);
  if (caller.kind === 'session' && self?.role === 'OWNER' && self.removed_at === null) return;
  throw new Fault('FORBIDDEN', 'Only an OWNER who has logged in, or the data folder, accepts tools.');
}

/** @throws Fault CONFLICT where the tool is not what was looked at, or could not be looked at here */
function requireSame({ name: server, tools }: GuardServerRecord, name: string, hash: string): GuardToolRecord {
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined || tool.hash !== hash || tool.change === 'gone')
    throw new Fault('CONFLICT', `${server} has another ${name} by now, or none: look at it again.`);
  if (waits(tool) && tool.definition === undefined) {
    const command = 'countersign guard check --accept';
    throw new Fault(
      'CONFLICT',
      `${name} is too long to be shown here: look at it where the guard runs, and run ${command}`,
    );
  }
  return tool;
}
