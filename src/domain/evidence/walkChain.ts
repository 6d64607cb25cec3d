/** Reads and verifies a tenant's chain in pieces, beside the writer, so that a long chain does not delay other requests. */
import { type ChainedRecord, genesisHash, verifyChain } from '../../../protocol/evidence/chain.ts';
import { findChainHead, listRange } from '../../store/statements/evidence/events.ts';
import { type Deps, firstIssuer } from '../../usecase/deps.ts';
import { recordIn } from './showEvidence.ts';

/** Verified in a millisecond or two. */
const PIECE = 100;

export interface ChainBreak {
  readonly brokenAtSeq: number;
  readonly reason: string;
}

export interface ChainWalk {
  /** The events of one piece. */
  readonly events: readonly ChainedRecord[];
  /** The first break so far. */
  readonly broken: ChainBreak | undefined;
}

/** What reading a chain takes; a part of Deps. */
interface ChainReader extends Pick<Deps, 'store' | 'suite'> {
  readonly data: Pick<Deps['data'], 'longWork'>;
  readonly issuer: { readonly did: string };
}

/** @param fromSeq first event, at least 1 @param toSeq last event */
export async function* walkChain(
  deps: ChainReader,
  tenantId: string,
  fromSeq: number,
  toSeq: number,
): AsyncGenerator<ChainWalk> {
  let previous = await hashBefore(deps, tenantId, fromSeq);
  let broken: ChainBreak | undefined;
  const read = (start: number) => {
    const rows = deps.store.readApart(() => listRange(tenantId, start, Math.min(start + PIECE - 1, toSeq)));
    // A reader that stops early does not wait for it, so that nothing else handles its error.
    rows.catch(() => undefined);
    return rows;
  };
  let next = read(fromSeq);
  for (let start = fromSeq; start <= toSeq; start += PIECE) {
    const end = Math.min(start + PIECE - 1, toSeq);
    const rows = await next;
    // The next events are read while these are verified and sent.
    if (end < toSeq) next = read(end + 1);
    const from = previous;
    const { events, wrong } = await deps.data.longWork.piece(() => {
      const events = rows.map(recordIn);
      return { events, wrong: broken ?? breakIn(deps, events, from, end) };
    });
    broken = wrong;
    yield { events, broken };
    const last = events.at(-1);
    previous = { seq: end, hash: last?.hashCurr ?? previous.hash };
  }
}

function breakIn(
  deps: ChainReader,
  events: readonly ChainedRecord[],
  previous: { readonly seq: number; readonly hash: string },
  end: number,
): ChainBreak | undefined {
  const check = verifyChain(deps.suite, events, previous);
  if (!check.valid) return { brokenAtSeq: check.brokenAtSeq, reason: check.reason };
  const missing = previous.seq + 1 + events.length;
  return missing > end ? undefined : { brokenAtSeq: missing, reason: `event ${missing} is missing` };
}

async function hashBefore(
  deps: ChainReader,
  tenantId: string,
  fromSeq: number,
): Promise<{ seq: number; hash: string }> {
  const genesis = genesisHash(deps.suite, firstIssuer(deps), tenantId);
  if (fromSeq <= 1) return { seq: 0, hash: genesis };
  const [before] = await deps.store.readApart(() => listRange(tenantId, fromSeq - 1, fromSeq - 1));
  return { seq: fromSeq - 1, hash: before?.hash_curr ?? 'missing' };
}

/** The seq of the newest event, 0 for an empty chain. */
export async function chainLength(deps: Pick<Deps, 'store'>, tenantId: string): Promise<number> {
  const head = await deps.store.read(() => findChainHead(tenantId));
  return head?.seq ?? 0;
}
