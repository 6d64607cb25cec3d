/** What the limits of a draft would count now, and who has nothing left of them. */

import type { CompiledPolicy } from '../../../protocol/policy/compile.ts';
import type { CountedMaximum } from '../../../protocol/policy/countedMaximum.ts';
import { type LimitState, statesOf } from '../../../protocol/policy/limitUse.ts';
import type { CompiledLimit } from '../../../protocol/policy/values/spendingLimit.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { listAgents } from '../../store/statements/registry/agents.ts';
import { listPrincipals } from '../../store/statements/registry/principals.ts';
import { type Script, together } from '../../store/store.ts';
import { figuresOf } from './limitFigures.ts';
import { limitsOf, windowOf } from './loadFacts.ts';

/** So many agents, and so many principals, are looked through. */
const MOST_HOLDERS = 200;
/** So many of them are named. */
const MOST_NAMED = 5;

/** Who has limits to itself. */
interface Holder {
  readonly agentDid: string;
  readonly governedDid: string | null;
  readonly name: string;
  readonly limits: readonly CompiledLimit[];
}

interface Holders {
  readonly holders: readonly Holder[];
  /** Of which scopes there are more. */
  readonly more: ReadonlySet<string>;
}

/** @param former the policy that it is compared with @param now milliseconds since the epoch */
export function* draftUse(
  tenantId: string,
  former: CompiledPolicy,
  next: CompiledPolicy,
  now: number,
): Script<CountedMaximum[]> {
  const limits = [...(next.velocity === undefined ? [] : [next.velocity]), ...next.limits];
  if (limits.length === 0) return [];
  const were = new Set([former.velocity ?? [], former.limits].flat().map(terms));
  const { holders, more } = yield* holdersOf(tenantId, next, limits);
  const states = yield* together(...holders.map((holder) => statesFor(tenantId, next, holder, now)));
  const used = new Map<string, [LimitState, Holder][]>();
  for (const [index, holder] of holders.entries()) {
    for (const state of states[index] as LimitState[]) {
      const key = JSON.stringify([state.name, state.measure, state.currency]);
      used.set(key, [...(used.get(key) ?? []), [state, holder]]);
    }
  }
  const changed = new Set(limits.filter((limit) => !were.has(terms(limit))).map(({ name }) => name));
  const order = limits.map(({ name }) => name);
  return [...used.values()]
    .map((of) => counted(of, changed, more))
    .sort((one, other) => order.indexOf(one.name) - order.indexOf(other.name));
}

/** All together, each agent that may buy, and each registered principal, as far as a limit is theirs. */
function* holdersOf(tenantId: string, next: CompiledPolicy, limits: readonly CompiledLimit[]): Script<Holders> {
  const of = (scope: CompiledLimit['scope']) => limits.filter((limit) => limit.scope === scope);
  const most = MOST_HOLDERS + 1;
  const agents = of('agent').length === 0 ? [] : yield* listAgents(tenantId, { status: 'ACTIVE' }, undefined, most);
  const principals = of('principal').length === 0 ? [] : yield* listPrincipals(tenantId, undefined, most);
  const more = new Set([
    ...(agents.length === most ? ['agent'] : []),
    ...(principals.length === most ? ['principal'] : []),
  ]);
  const holders = [
    { agentDid: '', governedDid: null, name: '', limits: of('policy') },
    ...principals
      .slice(0, MOST_HOLDERS)
      .map(({ did, name }) => ({ agentDid: '', governedDid: did, name, limits: of('principal') })),
    ...agents.slice(0, MOST_HOLDERS).map((agent) => ({
      agentDid: agent.did,
      governedDid: null,
      name: agent.display_name,
      // An agent's own hold in place of these, and are not the draft's.
      limits: limitsOf(next, agent).filter(({ scope, isOwn }) => scope === 'agent' && isOwn !== true),
    })),
  ];
  return { holders, more };
}

function* statesFor(
  tenantId: string,
  policy: CompiledPolicy,
  { limits, ...whose }: Holder,
  now: number,
): Script<LimitState[]> {
  const windows = limits.map((limit) => windowOf(limit, { tenantId, ...whose }, now));
  return (yield* figuresOf(policy, windows)).flatMap((each) => statesOf(each, now));
}

function counted(
  of: readonly [LimitState, Holder][],
  changed: ReadonlySet<string>,
  more: ReadonlySet<string>,
): CountedMaximum {
  const most = of.toSorted(([one], [other]) => other.used - one.used);
  const [[{ used: _used, left: _left, own: _own, ...state }]] = most as [[LimitState, Holder]];
  return {
    ...state,
    isAll: !more.has(state.scope),
    isChanged: changed.has(state.name),
    usedUp: of.filter(([{ left }]) => left <= 0).length,
    most: most.slice(0, MOST_NAMED).map(([{ used }, { agentDid, governedDid, name }]) => {
      const did = governedDid ?? (agentDid === '' ? undefined : agentDid);
      return { ...compact({ did, name: did === undefined ? undefined : name }), used };
    }),
  };
}

/** What a limit says besides its name. */
function terms({ name: _name, window: { text, timezone }, ...limit }: CompiledLimit): string {
  return JSON.stringify([text, timezone, Object.entries(limit).sort()]);
}
