/** Principals: registered, listed and changed. Who registers one decides which agents may spend its money. */

import { z } from 'zod';
import { ChangePrincipal, Principal, RegisterPrincipal } from '../../../protocol/principal.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { PageRequest } from '../../../protocol/wire/page.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import { loadAgent } from '../../domain/agents/loadAgent.ts';
import { recordAdminEvent } from '../../domain/evidence/recordEvent.ts';
import { endStatusOfDelegation } from '../../store/statements/purchases/credentialStatus.ts';
import {
  deleteDelegation,
  findPrincipal,
  insertDelegation,
  insertPrincipal,
  listDelegationsOf,
  type PrincipalRow,
  renamePrincipal,
  listPrincipals as selectPrincipals,
} from '../../store/statements/registry/principals.ts';
import type { Script } from '../../store/store.ts';
import type { EventDeps } from '../../usecase/deps.ts';
import { listing } from '../../usecase/list/listing.ts';
import { inOneCommit, inOneRead, useCase } from '../../usecase/useCase.ts';

type PrincipalWithAgents = PrincipalRow & { readonly agents: readonly string[] };

function showPrincipal({ did, name, agents, created_at }: PrincipalWithAgents): Principal {
  return { did, name, agents: [...agents], createdAt: isoTime(created_at) };
}

export const registerPrincipal = useCase({
  summary:
    'Registers whose money is spent: a person or company, the principal. From then on only the agents it names may spend it.',
  input: RegisterPrincipal,
  output: Principal,
  permission: 'admin',
  stepUp: true,
  faults: ['NOT_FOUND', 'CONFLICT'],
  run: inOneCommit<RegisterPrincipal, Principal>(function* (
    deps: EventDeps,
    caller,
    { did, name, agents: named },
    { now },
  ) {
    const agents = [...new Set(named)].sort();
    yield* checkAgents(caller.tenantId, agents);
    const row = { tenant_id: caller.tenantId, did, name, created_at: now };
    if (!(yield* insertPrincipal(row))) {
      throw new Fault('CONFLICT', 'This person or company is registered already; change its name or agents (PUT).');
    }
    yield* delegate(caller.tenantId, did, agents, now);
    yield* recordAdminEvent(deps, caller, 'PRINCIPAL_REGISTERED', { principalDid: did, name, agents }, now);
    return showPrincipal({ ...row, agents });
  }),
});

const Position = z.object({ createdAt: z.int(), did: z.string() });

export const listPrincipals = listing({
  summary:
    'Lists principals (people and companies whose money is spent) with the agents that may spend it, newest first.',
  input: PageRequest,
  item: Principal,
  permission: 'admin',
  order: { position: Position, of: (row: PrincipalRow) => ({ createdAt: row.created_at, did: row.did }) },
  select: ({ tenantId }, _input, before, limit) => selectWithAgents(tenantId, before, limit),
  show: showPrincipal,
});

function* selectWithAgents(
  tenantId: string,
  before: z.output<typeof Position> | undefined,
  limit: number,
): Script<PrincipalWithAgents[]> {
  const rows = yield* selectPrincipals(tenantId, before, limit);
  const agents = yield* agentsOf(
    tenantId,
    rows.map(({ did }) => did),
  );
  return rows.map((row) => ({ ...row, agents: agents.get(row.did) ?? [] }));
}

export const getPrincipal = useCase({
  summary: 'Shows a principal and the agents that may spend its money.',
  input: z.object({ did: RegisterPrincipal.shape.did }),
  output: Principal,
  permission: 'admin',
  faults: ['NOT_FOUND'],
  run: inOneRead<{ did: string }, Principal>(function* (_deps, { tenantId }, { did }) {
    return showPrincipal(yield* loadPrincipal(tenantId, did));
  }),
});

export const changePrincipal = useCase({
  summary: 'Renames a principal, or sets which agents may spend its money; a purchase under way is judged by it, too.',
  input: ChangePrincipal,
  output: Principal,
  permission: 'admin',
  stepUp: true,
  faults: ['NOT_FOUND', 'CONFLICT'],
  run: inOneCommit<ChangePrincipal, Principal>(function* (deps: EventDeps, caller, input, { now }) {
    const { tenantId } = caller;
    const { did } = input;
    const was = yield* loadPrincipal(tenantId, did);
    const name = input.name ?? was.name;
    if (name !== was.name) {
      yield* renamePrincipal({ tenant_id: tenantId, did, name });
      yield* recordAdminEvent(
        deps,
        caller,
        'PRINCIPAL_RENAMED',
        { principalDid: did, name, formerName: was.name },
        now,
      );
    }
    const agents = input.agents === undefined ? was.agents : [...new Set(input.agents)].sort();
    const added = agents.filter((agent) => !was.agents.includes(agent));
    const removed = was.agents.filter((agent) => !agents.includes(agent));
    yield* checkAgents(tenantId, added);
    yield* delegate(tenantId, did, added, now);
    for (const agentDid of removed) {
      yield* deleteDelegation(tenantId, did, agentDid);
      yield* endStatusOfDelegation(tenantId, { agentDid, principalDid: did }, now);
    }
    if (added.length + removed.length > 0) {
      yield* recordAdminEvent(deps, caller, 'DELEGATION_CHANGED', { principalDid: did, agents, added, removed }, now);
    }
    return showPrincipal({ ...was, name, agents });
  }),
});

/** @throws Fault NOT_FOUND for an agent that is not the tenant's, CONFLICT for one that was revoked */
function* checkAgents(tenantId: string, dids: readonly string[]): Script<void> {
  for (const did of dids) {
    const agent = yield* loadAgent(tenantId, did);
    if (agent.status === 'REVOKED') throw new Fault('CONFLICT', `The agent ${did} was revoked; it can buy nothing.`);
  }
}

function* delegate(tenantId: string, principalDid: string, agents: readonly string[], now: number): Script<void> {
  for (const agent_did of agents) {
    yield* insertDelegation({ tenant_id: tenantId, principal_did: principalDid, agent_did, created_at: now });
  }
}

function* loadPrincipal(tenantId: string, did: string): Script<PrincipalWithAgents> {
  const row = yield* findPrincipal(tenantId, did);
  if (row === undefined)
    throw new Fault('NOT_FOUND', `No person or company ${did} is registered as whose money it is.`);
  return { ...row, agents: (yield* agentsOf(tenantId, [did])).get(did) ?? [] };
}

function* agentsOf(tenantId: string, principals: readonly string[]): Script<Map<string, string[]>> {
  const agents = new Map<string, string[]>(principals.map((did) => [did, []]));
  if (principals.length === 0) return agents;
  for (const row of yield* listDelegationsOf(tenantId, principals)) agents.get(row.principal_did)?.push(row.agent_did);
  return agents;
}
