/** Judges recorded requests by a draft, or the current policy, and tells which decisions would be others, and why. */
import { type CompiledPolicy, compilePolicy } from '../../../protocol/policy/compile.ts';
import { PolicyReplay, ReplayPolicy } from '../../../protocol/policy/record.ts';
import { newestFlips, REPLAYED_EVENTS, startReplay } from '../../../protocol/policy/replay.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import { listRange, listRangeOfTypes } from '../../store/statements/evidence/events.ts';
import { findSeq, listEvidence } from '../../store/statements/evidence/search.ts';
import type { Deps } from '../core/deps.ts';
import { inSteps, useCase } from '../core/useCase.ts';
import { inTurn } from '../evidence/inTurn.ts';
import { showEvent } from '../evidence/showEvidence.ts';
import { loadPolicy } from './loadFacts.ts';

/** A replay reads no more of the chain than this, so that its work is bounded whatever the chain's length. */
export const MOST_EVENTS = 20_000;
/** Judged in a few milliseconds. */
const PIECE = 100;
const DEFAULT_SPAN_MS = 30 * 24 * 3600 * 1000;
/** Agents' own limits from before the part of the chain that is read. */
const MOST_LIMITS = 1000;

export const replayPolicy = useCase({
  summary: 'Judges recorded requests by a draft, or the current policy, and tells which decisions would be others.',
  input: ReplayPolicy,
  output: PolicyReplay,
  permission: 'read',
  faults: ['CONFLICT'],
  run: inSteps<ReplayPolicy, PolicyReplay>(async (deps, { tenantId }, input) => {
    const { policy, at } = await deps.store.read(function* (now) {
      const policy =
        input.rules === undefined ? (yield* loadPolicy(deps, tenantId)).compiled : compilePolicy(input.rules);
      return { policy, at: input.at ?? now };
    });
    const since = input.since ?? at - DEFAULT_SPAN_MS;
    if (since > at)
      throw new Fault('BAD_REQUEST', 'since: must not lie after `at`', [
        { path: 'since', message: 'must not lie after `at`' },
      ]);
    return replay(deps, tenantId, { ...input, policy, since, at });
  }),
});

interface Asked extends Pick<ReplayPolicy, 'before' | 'limit'> {
  readonly policy: CompiledPolicy;
  readonly since: number;
  readonly at: number;
}

async function replay(
  deps: Deps,
  tenantId: string,
  { policy, since, at, before, limit }: Asked,
): Promise<PolicyReplay> {
  const part = await partUntil(deps, tenantId, at);
  const judgedSince = part.fromSeq === 1 ? since : Math.max(since, part.startsAt);
  const flips = newestFlips(limit);
  const begin = before === undefined ? undefined : { ...before, at: part.startsAt };
  const replaying = startReplay(policy, { since: judgedSince, begin, onFlip: flips.take });
  for (const event of part.limits) replaying.add(event);
  for (let start = part.fromSeq; start <= part.toSeq; start += PIECE) {
    const end = Math.min(start + PIECE - 1, part.toSeq);
    const rows = await deps.store.readApart(() => listRangeOfTypes(tenantId, start, end, REPLAYED_EVENTS));
    await inTurn(deps.store, () => {
      for (const row of rows) if (row.created_at <= at) replaying.add(showEvent(row));
    });
  }
  return {
    since: isoTime(judgedSince),
    at: isoTime(at),
    complete: part.fromSeq === 1,
    ...replaying.totals(),
    flipped: flips.count(),
    flips: flips.newestFirst(),
  };
}

/** The part of the chain that is read: its last events until a moment, and agents' limits from before them. */
function partUntil(deps: Deps, tenantId: string, at: number) {
  return deps.store.readApart(function* () {
    const toSeq = (yield* findSeq(tenantId, { to: at }, 'DESC', 1)) ?? 0;
    const fromSeq = Math.max(1, toSeq - MOST_EVENTS + 1);
    const [first] = yield* listRange(tenantId, fromSeq, fromSeq);
    const older = yield* listEvidence(tenantId, { eventTypes: ['AGENT_VELOCITY_UPDATED'] }, fromSeq, MOST_LIMITS);
    return { fromSeq, toSeq, startsAt: first?.created_at ?? at, limits: older.map(showEvent).reverse() };
  });
}
