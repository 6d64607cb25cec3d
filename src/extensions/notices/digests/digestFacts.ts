/** What a digest tells: a week's spend by agent and merchant, limits of which little is left, and how often a purchase was refused. */
import { sumText } from '../../../../protocol/money.ts';
import { statesOf } from '../../../../protocol/policy/limitUse.ts';
import { dayText } from '../../../../protocol/spend.ts';
import {
  type Digest,
  type DigestLine,
  type DigestSchedule,
  spanOf,
  weekBefore,
} from '../../../../protocol/webhook/digest.ts';
import { linklessText } from '../../../../protocol/wire/plainText.ts';
import { figuresOf } from '../../../domain/policies/limitFigures.ts';
import { windowsOf } from '../../../domain/policies/loadFacts.ts';
import { listEvidence } from '../../../store/statements/evidence/search.ts';
import { type SpendSum, sumSpend } from '../../../store/statements/purchases/spendSums.ts';
import { findAgent } from '../../../store/statements/registry/agents.ts';
import { findCurrentPolicy } from '../../../store/statements/registry/policies.ts';
import type { Script } from '../../../store/store.ts';
import type { Deps } from '../../../usecase/deps.ts';

/** Agents and merchants that a digest names. */
const MOST_NAMED = 50;
/** A limit is told of from this share of it on. */
const NEARLY = 0.8;
/** Refusals are counted up to so many. */
const MOST_REFUSALS = 1000;
const PAGE = 200;

/** @param dueAt when the digest is due, in milliseconds since the epoch: it tells of the seven days before */
export function* loadDigest(
  deps: Pick<Deps, 'policies'>,
  tenantId: string,
  schedule: DigestSchedule,
  dueAt: number,
  now: number,
): Script<Digest> {
  const week = weekBefore(schedule, dueAt);
  const filter = { ...week, timezone: schedule.timezone, currency: undefined };
  const totals = yield* sumSpend(tenantId, { ...filter, by: undefined }, 1);
  const byAgent = yield* sumSpend(tenantId, { ...filter, by: 'agent' }, MOST_NAMED);
  const byMerchant = yield* sumSpend(tenantId, { ...filter, by: 'merchant' }, MOST_NAMED);
  const names = yield* agentNames(tenantId, byAgent);
  return {
    type: 'notice.digest',
    from: dayText(week.first),
    to: dayText(week.last),
    payments: totals.reduce((count, { payments }) => count + payments, 0),
    agentCount: new Set(byAgent.map(({ name }) => name)).size,
    merchantCount: new Set(byMerchant.map(({ name }) => name)).size,
    totals: totals.map((sum) => lineOf(sum, '')),
    agents: byAgent.map((sum) => lineOf(sum, names.get(sum.name) ?? sum.name)),
    merchants: byMerchant.map((sum) => lineOf(sum, sum.name)),
    limits: yield* nearlyUsed(deps, tenantId, names, now),
    refusals: yield* countRefusals(tenantId, spanOf(schedule, week)),
  };
}

function lineOf({ currency, payments, paid, refunded, held }: SpendSum, name: string): DigestLine {
  const text = (minor: bigint) => `${sumText(minor, currency)} ${currency}`;
  const sums = { paid: text(paid), refunded: text(refunded), held: text(held), spent: text(paid - refunded + held) };
  return { name, currency, payments, ...sums };
}

function* agentNames(tenantId: string, sums: readonly SpendSum[]): Script<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const { name: did } of sums) {
    if (!names.has(did)) names.set(did, linklessText((yield* findAgent(tenantId, did))?.display_name ?? '') || did);
  }
  return names;
}

/** Of the agents that bought something: others have used nothing of a limit of their own. */
function* nearlyUsed(
  deps: Pick<Deps, 'policies'>,
  tenantId: string,
  names: ReadonlyMap<string, string>,
  now: number,
): Script<string[]> {
  const row = yield* findCurrentPolicy(tenantId);
  if (row === undefined) return [];
  const policy = deps.policies.compiled(row);
  const found = new Set<string>();
  for (const [did, name] of names) {
    const agent = yield* findAgent(tenantId, did);
    if (agent === undefined) continue;
    for (const figures of yield* figuresOf(policy, windowsOf(policy, { agent, governedDid: null }, now))) {
      for (const state of statesOf(figures, now)) {
        if (state.used < state.limit * NEARLY) continue;
        const whose = state.scope === 'agent' ? name : 'All agents';
        const what = state.measure === 'amount' ? ` ${state.currency ?? ''}`.trimEnd() : ' purchases';
        found.add(`${whose}: ${state.used} of ${state.limit}${what} ${periodOf(state.window)}`);
      }
    }
  }
  return [...found];
}

/** A period of the calendar is the present one; any other window slides. */
function periodOf(window: string): string {
  return /^[a-z]+$/.test(window) ? `this ${window}` : `in ${window}`;
}

function* countRefusals(tenantId: string, span: { readonly from: number; readonly to: number }) {
  const filter = { eventTypes: ['INTENT_DENIED', 'CART_REJECTED'], ...span };
  let count = 0;
  let before: number | undefined;
  do {
    const rows = yield* listEvidence(tenantId, filter, before, PAGE);
    count += rows.filter(({ data }) => isRefusal(JSON.parse(data) as RefusalData)).length;
    before = rows.length < PAGE ? undefined : rows.at(-1)?.seq;
  } while (before !== undefined && count < MOST_REFUSALS);
  return { count: Math.min(count, MOST_REFUSALS), isMore: before !== undefined };
}

interface RefusalData {
  readonly reasonCodes?: readonly string[];
}

/** A cart that lacks a person alone is asked about, and not refused. */
function isRefusal({ reasonCodes = [] }: RefusalData): boolean {
  return !(reasonCodes.length === 1 && reasonCodes[0] === 'HP_REQUIRED');
}
