/** Judges recorded requests by a draft, or the current policy, and tells which decisions would be others, and why. */
import { type CompiledPolicy, compilePolicy } from '../../../protocol/policy/compile.ts';
import { PolicyReplay, ReplayDraft, ReplayPolicy } from '../../../protocol/policy/record.ts';
import { newestFlips, REPLAYED_EVENTS, startReplay } from '../../../protocol/policy/replay/replay.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import type { Caller } from '../../access/caller.ts';
import { showEvent } from '../../domain/evidence/showEvidence.ts';
import { loadPolicy } from '../../domain/policies/loadFacts.ts';
import { listRange, listRangeOfTypes } from '../../store/statements/evidence/events.ts';
import { findSeq, listEvidence } from '../../store/statements/evidence/search.ts';
import { listPrincipals } from '../../store/statements/registry/principals.ts';
import { ByteStream } from '../../usecase/byteStream.ts';
import type { Deps } from '../../usecase/deps.ts';
import { inSteps, useCase } from '../../usecase/useCase.ts';

/** A replay reads no more of the chain than this, so that its work is bounded for a chain of any length. */
export const MOST_EVENTS = 20_000;
/** One whose progress is told goes on longer; what it remembers of the requests stays within some hundred megabytes. */
const MOST_WITH_PROGRESS = 300_000;
const PIECE = 100;
/** Events are judged for so long, and then others have their turn. */
const TURN_MS = 10;
/** Progress is told each time that so many events were read. */
const TOLD_EACH = 2000;
const DEFAULT_SPAN_MS = 30 * 24 * 3600 * 1000;
/** Agents' own limits from before the part of the chain that is read. */
const MOST_LIMITS = 1000;
const MOST_PRINCIPALS = 10_000;

export const replayPolicy = useCase({
  summary: 'Judges recorded requests by a draft, or the current policy, and tells which decisions would be others.',
  input: ReplayPolicy,
  output: PolicyReplay,
  permission: 'read',
  faults: ['CONFLICT'],
  run: inSteps<ReplayPolicy, PolicyReplay>(async (deps: Pick<Deps, 'data' | 'policies' | 'store'>, caller, input) =>
    resultOf(replay(deps, caller, await readAsked(deps, caller, input), MOST_EVENTS)),
  ),
});

export const replayDraft = useCase({
  summary: 'As a replay, over all requests of a time, and tells how far it is. It ends when its caller goes.',
  input: ReplayDraft,
  output: PolicyReplay,
  media: ['application/x-ndjson'],
  permission: 'admin',
  faults: ['CONFLICT'],
  run: inSteps<ReplayDraft, PolicyReplay | ByteStream>(
    async (deps: Pick<Deps, 'data' | 'policies' | 'store'>, caller, { format, ...input }) => {
      // Read first, so that what is wrong with the request is answered as such.
      const replaying = replay(deps, caller, await readAsked(deps, caller, input), MOST_WITH_PROGRESS);
      if (format === 'json') return resultOf(replaying);
      return new ByteStream('application/x-ndjson; charset=utf-8', linesOf(replaying));
    },
  ),
});

/** What is replayed, with all that was left out. */
interface ReplayInput extends Pick<ReplayPolicy, 'before' | 'limit'> {
  readonly policy: CompiledPolicy;
  /** The principals that are registered now: the others are mere names. */
  readonly registered: ReadonlySet<string>;
  readonly since: number;
  readonly at: number;
}

async function readAsked(
  deps: Pick<Deps, 'data' | 'policies' | 'store'>,
  { tenantId }: Caller,
  input: ReplayPolicy,
): Promise<ReplayInput> {
  const { policy, registered, at } = await deps.store.read(function* (now) {
    const policy =
      input.rules === undefined ? (yield* loadPolicy(deps, tenantId)).compiled : compilePolicy(input.rules);
    const asks = policy.limits.some(({ scope }) => scope === 'principal');
    const principals = asks ? yield* listPrincipals(tenantId, undefined, MOST_PRINCIPALS) : [];
    return { policy, registered: new Set(principals.map(({ did }) => did)), at: input.at ?? now };
  });
  const since = input.since ?? at - DEFAULT_SPAN_MS;
  if (since > at)
    throw new Fault('BAD_REQUEST', 'since: must not lie after `at`', [
      { path: 'since', message: 'must not lie after `at`' },
    ]);
  return { ...input, policy, registered, since, at };
}

/** How many events of the part that is read were looked at. */
interface Progress {
  readonly checked: number;
  readonly of: number;
}

type ReplayStream = AsyncGenerator<Progress, PolicyReplay>;

async function resultOf(replaying: ReplayStream): Promise<PolicyReplay> {
  for (;;) {
    const { done, value } = await replaying.next();
    if (done === true) return value;
  }
}

async function* linesOf(replaying: ReplayStream): AsyncGenerator<string> {
  try {
    for (;;) {
      const { done, value } = await replaying.next();
      yield `${JSON.stringify(done === true ? { result: value } : value)}\n`;
      if (done === true) return;
    }
  } finally {
    await replaying.return(undefined as never);
  }
}

/** @param most so many of the chain's events before the end are read */
async function* replay(
  deps: Pick<Deps, 'data' | 'store'>,
  { tenantId }: Caller,
  { policy, registered, since, at, before, limit }: ReplayInput,
  most: number,
): ReplayStream {
  const part = await partUntil(deps, tenantId, at, most);
  const judgedSince = part.isFromStart ? since : Math.max(since, part.startsAt);
  const flips = newestFlips(limit);
  const begin = before === undefined ? undefined : { ...before, at: part.startsAt };
  const isRegistered = (principalDid: string) => registered.has(principalDid);
  const replaying = startReplay(policy, { since: judgedSince, at, begin, isRegistered, onFlip: flips.take });
  for (const event of part.limits) replaying.add(event);
  const of = part.toSeq - part.fromSeq + 1;
  for (let start = part.fromSeq; start <= part.toSeq; start += PIECE) {
    if ((start - part.fromSeq) % TOLD_EACH === 0) yield { checked: start - part.fromSeq, of };
    const end = Math.min(start + PIECE - 1, part.toSeq);
    const rows = await deps.store.readApart(() => listRangeOfTypes(tenantId, start, end, REPLAYED_EVENTS));
    await inTurns(deps, rows, (row) => {
      if (row.created_at <= at) replaying.add(showEvent(row));
    });
  }
  const shown: PolicyReplay['flips'] = [];
  await inTurns(deps, flips.newestFirst(), (each) => shown.push(each.traced()));
  return {
    since: isoTime(judgedSince),
    at: isoTime(at),
    complete: part.isFromStart,
    ...replaying.totals(),
    limits: replaying.limits(part.isFromStart ? Number.NEGATIVE_INFINITY : part.startsAt),
    flipped: flips.count(),
    flips: shown,
  };
}

/** Does something with each item, some milliseconds at a time: a policy of many rules takes its time. */
async function inTurns<T>(deps: Pick<Deps, 'data'>, items: readonly T[], use: (item: T) => void): Promise<void> {
  let next = 0;
  while (next < items.length) {
    await deps.data.longWork.piece(() => {
      const ends = performance.now() + TURN_MS;
      do {
        use(items[next] as T);
        next += 1;
      } while (next < items.length && performance.now() < ends);
    });
  }
}

/** The part of the chain that is read: its last events until a moment, and agents' limits from before them. */
function partUntil(deps: Pick<Deps, 'store'>, tenantId: string, at: number, most: number) {
  return deps.store.readApart(function* () {
    const toSeq = (yield* findSeq(tenantId, { to: at }, 'DESC', 1)) ?? 0;
    const fromSeq = Math.max(1, toSeq - most + 1);
    const [first] = yield* listRange(tenantId, fromSeq, fromSeq);
    const older = yield* listEvidence(tenantId, { eventTypes: ['AGENT_VELOCITY_UPDATED'] }, fromSeq, MOST_LIMITS);
    const limits = older.map(showEvent).reverse();
    return { fromSeq, toSeq, startsAt: first?.created_at ?? at, isFromStart: fromSeq === 1, limits };
  });
}
