/** Lists agents with what their limits allow, what of it is used now, and when each was last seen. */
import { z } from 'zod';
import { AgentLimits, type AgentLimitUse, agentLimitUse, ListLimits } from '../../../protocol/agentLimits.ts';
import type { CompiledPolicy } from '../../../protocol/policy/compile.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { type Page, pageOf } from '../../../protocol/wire/page.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import { showAgentSummary } from '../../domain/agents/showAgent.ts';
import { figuresOf } from '../../domain/policies/limitFigures.ts';
import { windowsOf } from '../../domain/policies/loadFacts.ts';
import { listEvidence } from '../../store/statements/evidence/search.ts';
import { type AgentRow, listAgents } from '../../store/statements/registry/agents.ts';
import { findCurrentPolicy } from '../../store/statements/registry/policies.ts';
import { type Script, together } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import { readPage } from '../../usecase/list/listing.ts';
import { inOneRead, useCase } from '../../usecase/useCase.ts';

/** With the one agent that an agent may see: itself. */
type LimitsRequest = ListLimits & { readonly did?: string };

interface AgentLimitRow {
  readonly row: AgentRow;
  readonly lastSeenAt: number | undefined;
  readonly limits: readonly AgentLimitUse[];
}

const ORDER = {
  position: z.object({ place: z.string(), created_at: z.int(), did: z.string() }),
  of: ({ row: { place, created_at, did } }: AgentLimitRow) => ({ place, created_at, did }),
};

const OWN = { named: () => undefined, of: (input: LimitsRequest, did: string): LimitsRequest => ({ ...input, did }) };

export const listLimits = useCase({
  summary: 'Lists agents, newest first, with what their limits in time allow and what of it is used now.',
  input: ListLimits,
  output: pageOf(AgentLimits),
  permission: 'read',
  showsOwn: true,
  run: inOneRead<ListLimits, Page<AgentLimits>>(
    (deps, caller, input, now) =>
      readPage<LimitsRequest, AgentLimitRow, AgentLimits, z.infer<typeof ORDER.position>>(
        {
          order: ORDER,
          own: OWN,
          select: ({ tenantId }, asked, before, limit) => select(deps, tenantId, asked, before, limit, now),
          show: ({ row, lastSeenAt, limits }) => ({
            ...showAgentSummary(row),
            ...compact({ lastSeenAt: isoTime(lastSeenAt ?? null) }),
            limits: [...limits],
          }),
        },
        deps,
        caller,
        input,
        now,
      ),
    'readApart',
  ),
});

/** What is read of each agent is read together, in as many round trips for all as for one. */
function* select(
  deps: Pick<Deps, 'policies'>,
  tenantId: string,
  { status, did, agents }: LimitsRequest,
  before: z.infer<typeof ORDER.position> | undefined,
  limit: number,
  now: number,
): Script<AgentLimitRow[]> {
  const rows =
    agents === undefined
      ? yield* listAgents(tenantId, { status, did }, before, limit)
      : yield* listNamed(
          tenantId,
          { status, dids: agents.filter((each) => did === undefined || each === did) },
          before,
        );
  const current = yield* findCurrentPolicy(tenantId);
  // Nothing may be spent without a policy, so that nothing is counted then.
  const policy = current === undefined ? undefined : deps.policies.compiled(current);
  return yield* together(...rows.map((row) => shownOf(policy, row, now)));
}

/** Each is found by its key. */
function* listNamed(
  tenantId: string,
  { status, dids }: { readonly status: ListLimits['status']; readonly dids: readonly string[] },
  before: z.infer<typeof ORDER.position> | undefined,
): Script<AgentRow[]> {
  const found = yield* together(...[...new Set(dids)].map((did) => listAgents(tenantId, { status, did }, before, 1)));
  const keyOf = ({ place, created_at, did }: AgentRow) => `${place} ${String(created_at).padStart(16, '0')} ${did}`;
  return found.flat().sort((one, other) => (keyOf(one) < keyOf(other) ? 1 : -1));
}

function* shownOf(policy: CompiledPolicy | undefined, row: AgentRow, now: number): Script<AgentLimitRow> {
  const [limits, newest] = yield* together(
    policy === undefined ? none() : usesOf(policy, row, now),
    listEvidence(row.tenant_id, { actorDid: row.did }, undefined, 1),
  );
  return { row, lastSeenAt: newest[0]?.created_at, limits };
}

function* none(): Script<AgentLimitUse[]> {
  return [];
}

/** Limits of principals are not among them: no purchase says here whose money it is. */
function* usesOf(policy: CompiledPolicy, agent: AgentRow, now: number): Script<AgentLimitUse[]> {
  const windows = windowsOf(policy, { agent, governedDid: null }, now).filter(({ scope }) => scope !== 'principal');
  const figures = yield* figuresOf(policy, windows);
  return figures.map((each) => agentLimitUse(each, now));
}
