/** Shows limits over time, with what is used of them now and what is left. */
import type { z } from 'zod';
import { AskAgentLimits, AskLimits, LimitStates } from '../../../protocol/agentLimits.ts';
import { statesOf } from '../../../protocol/policy/limitUse.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import { actsFor, type Caller } from '../../access/caller.ts';
import { loadAgent } from '../../domain/agents/loadAgent.ts';
import { figuresOf } from '../../domain/policies/limitFigures.ts';
import { type LimitWindowFrom, windowOf, windowsOf } from '../../domain/policies/loadFacts.ts';
import { findCurrentPolicy } from '../../store/statements/registry/policies.ts';
import { findDelegation, findPrincipal } from '../../store/statements/registry/principals.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import { inOneRead, useCase } from '../../usecase/useCase.ts';

const FAULTS = ['NOT_FOUND'] as const;

export const showAgentLimits = useCase({
  summary: 'Shows the limits over time that hold for an agent, with what is used of each now.',
  input: AskAgentLimits,
  output: LimitStates,
  permission: 'read',
  showsOwn: true,
  faults: FAULTS,
  run: inOneRead<z.output<typeof AskAgentLimits>, LimitStates>((deps, caller, { did, principalDid }, now) =>
    show(deps, caller, { agentDid: did, principalDid }, now),
  ),
});

export const showLimits = useCase({
  summary:
    'Shows the limits over time of an agent, of agents that spend the same money, or of all, with what is used now.',
  input: AskLimits,
  output: LimitStates,
  permission: 'read',
  showsOwn: true,
  faults: FAULTS,
  run: inOneRead<AskLimits, LimitStates>((deps, caller, asked, now) => show(deps, caller, asked, now)),
});

function* show(deps: Pick<Deps, 'policies'>, caller: Caller, asked: AskLimits, now: number): Script<LimitStates> {
  const { tenantId } = caller;
  const agentDid = asked.agentDid ?? onlyAgentOf(caller);
  if (agentDid !== undefined && !actsFor(caller, agentDid)) {
    throw new Fault('NOT_FOUND', `There is no agent ${agentDid} of yours.`);
  }
  const agent = agentDid === undefined ? undefined : yield* loadAgent(tenantId, agentDid);
  const governedDid = yield* governedOf(caller, agentDid, asked.principalDid);
  const current = yield* findCurrentPolicy(tenantId);
  const at = isoTime(now);
  // Nothing may be spent without a policy, so that nothing is counted then.
  if (current === undefined) return { at, limits: [] };
  const policy = deps.policies.compiled(current);
  const windows =
    agent === undefined
      ? sharedWindows(policy.velocity, policy.limits, { tenantId, agentDid: '', governedDid }, now)
      : windowsOf(policy, { agent, governedDid }, now);
  const figures = yield* figuresOf(policy, windows);
  return { at, limits: figures.flatMap((each) => statesOf(each, now)) };
}

/** Without an agent: what all agents share, and what those of a principal share where one is named. */
function sharedWindows(
  velocity: LimitWindowFrom['limit'] | undefined,
  limits: readonly LimitWindowFrom['limit'][],
  whose: Pick<LimitWindowFrom, 'tenantId' | 'agentDid' | 'governedDid'>,
  now: number,
): LimitWindowFrom[] {
  const isShared = ({ scope }: LimitWindowFrom['limit']) =>
    scope === 'policy' || (scope === 'principal' && whose.governedDid !== null);
  const all = velocity === undefined ? limits : [velocity, ...limits];
  return all.filter(isShared).map((limit) => windowOf(limit, whose, now));
}

/** The agent that calls, or the only one that its key is bound to. @throws Fault BAD_REQUEST where that leaves a choice */
function onlyAgentOf({ did, agents }: Caller): string | undefined {
  if (did !== undefined || agents === undefined) return did;
  const [only, another] = agents;
  if (another === undefined) return only;
  const message = 'must be given: this key is bound to several agents';
  throw new Fault('BAD_REQUEST', `agentDid ${message}.`, [{ path: 'agentDid', message }]);
}

/**
 * @returns null for a principal that is a mere name, for which the agent stands
 * @throws Fault NOT_FOUND for one that is not there, or that has delegated nothing to the agent that asks
 */
function* governedOf(caller: Caller, agentDid: string | undefined, did: string | undefined): Script<string | null> {
  if (did === undefined) return null;
  const { tenantId, agents } = caller;
  if (agentDid === undefined) {
    if ((yield* findPrincipal(tenantId, did)) !== undefined) return did;
    throw new Fault('NOT_FOUND', `No person or company ${did} is registered as whose money it is.`);
  }
  const delegation = yield* findDelegation(tenantId, did, agentDid);
  if (delegation === undefined) return null;
  if (delegation.delegated === 1 || agents === undefined) return did;
  throw new Fault('NOT_FOUND', `No person or company ${did} is registered that lets this agent spend its money.`);
}
