/** A guard that stands nowhere any more: what was accepted of it ends, and one that still runs is told so when it tells of its tools. */
import { removal } from '../../../domain/evidence/removal.ts';
import { findGuard, type GuardRow, setGuardRemoved } from '../../../store/statements/registry/guards.ts';
import { serversOf } from './showGuards.ts';

export const removeGuard = removal({
  summary:
    'Removes a guard and what was accepted of it. One that still runs is told so, and calls what it had taken up before; its key ends that.',
  noun: 'guard',
  find: findGuard,
  remove: setGuardRemoved,
  stepUp: true,
  eventType: 'GUARD_REMOVED',
  facts: (row: GuardRow) => ({
    guardId: row.id,
    guard: row.name,
    agentDid: row.agent_did,
    servers: serversOf(row).map(({ name }) => name),
  }),
});
