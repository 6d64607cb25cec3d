/** What the node counts of the limits that are in force, for the limits of a draft that count the same. */
import type { LimitState, Operations, Rules } from '../../../../../client/operations.ts';
import { limitsIn } from '../../../../parts/limits/limitStates.ts';
import { type CountedLimit, maximaOf, VELOCITY_LIMIT } from '../../../../parts/limits/measures.ts';

type AgentLimits = Operations['listLimits']['output']['data'][number];
type DraftLimit = Readonly<Record<string, unknown>>;

export interface UsedNow {
  readonly rules: Rules | undefined;
  /** Those that all agents share. */
  readonly shared: readonly LimitState[];
  readonly agents: readonly Pick<AgentLimits, 'did' | 'limits'>[];
}

interface LimitUse {
  /** With the maxima that the draft says. */
  readonly counted: CountedLimit;
  /** Of a limit that each agent has to itself: the one that has used most of it. */
  readonly agentDid?: string;
}

/** @returns undefined where the node counts nothing like it yet; principal where it counts for each principal apart */
export function limitNow(
  { rules, shared, agents }: UsedNow,
  path: string,
  value: unknown,
): LimitUse | 'principal' | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const draft = value as DraftLimit;
  const isVelocity = path === 'risk.velocity_limit';
  const name = isVelocity ? VELOCITY_LIMIT : draft['name'];
  const inForce = isVelocity ? rules?.risk?.velocity_limit : rules?.risk?.limits?.find((each) => each.name === name);
  if (inForce === undefined || !countsSame(inForce as DraftLimit, draft)) return undefined;
  const { scope = 'agent' } = draft;
  if (scope === 'principal') return 'principal';
  const uses: readonly LimitUse[] =
    scope === 'policy'
      ? limitsIn(shared.filter((state) => state.name === name)).map((counted) => ({ counted }))
      : agents.flatMap(({ did, limits }) =>
          limits
            .filter((limit) => limit.name === name && limit.scope === 'agent' && !limit.own)
            .map((counted) => ({ counted, agentDid: did })),
        );
  const drafted = uses.map((use) => ({ ...use, counted: withMaxima(use.counted, draft) }));
  const shareOf = ({ counted }: LimitUse) => Math.max(0, ...maximaOf(counted).map(({ share }) => share));
  return drafted
    .sort((one, other) => shareOf(other) - shareOf(one))
    .find(({ counted }) => maximaOf(counted).length > 0);
}

/** What a limit counts besides its maxima and what becomes of a purchase over it. */
const COUNTED = ['window', 'time_window', 'timezone', 'scope', 'merchant', 'category', 'currency'];

/** Also the sum of a limit that had none is counted once it has one: a limit in force counts both, or what it limits. */
function countsSame(one: DraftLimit, other: DraftLimit): boolean {
  const isLimited = (limit: DraftLimit, maximum: string) => limit[maximum] !== undefined;
  return (
    COUNTED.every((member) => one[member] === other[member]) &&
    ['max_amount', 'max_transactions'].every((maximum) => !isLimited(other, maximum) || isLimited(one, maximum))
  );
}

function withMaxima(counted: CountedLimit, { max_amount, max_transactions }: DraftLimit): CountedLimit {
  const { maxAmount: _amount, maxTransactions: _count, ...rest } = counted;
  return {
    ...rest,
    ...(typeof max_amount === 'number' ? { maxAmount: max_amount } : {}),
    ...(typeof max_transactions === 'number' ? { maxTransactions: max_transactions } : {}),
  };
}
