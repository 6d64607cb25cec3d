/** The newest part of a tenant's evidence chain, read on from a place that a cursor holds. */
import { z } from 'zod';
import { toBase64url } from '../../../protocol/credential/encodings.ts';
import { type EvidenceRow, findChainHead, listRange } from '../../store/statements/evidence/events.ts';
import type { Script } from '../../store/store.ts';

/** Events looked at at once. */
const BATCH = 200;

/** The last event that was seen; its id tells whether the chain is still the same one. */
export const ChainCursor = z.object({ seq: z.int().nonnegative(), id: z.string() });
export type ChainCursor = z.output<typeof ChainCursor>;

export function cursorOf(place: ChainCursor): string {
  return toBase64url(new TextEncoder().encode(JSON.stringify(place)));
}

export interface ChainStep {
  /** What came since, oldest first. */
  readonly rows: readonly EvidenceRow[];
  readonly place: ChainCursor;
  /** Whether more of the chain is behind what was looked at. */
  readonly more: boolean;
}

/** @param place undefined for the end of the chain as it is now */
export function* readOn(tenantId: string, place: ChainCursor | undefined): Script<ChainStep> {
  if (place === undefined) return { rows: [], place: yield* lastPlace(tenantId), more: false };
  let rows = yield* listRange(tenantId, place.seq, place.seq + BATCH);
  // A chain that was cleared meanwhile is followed from its beginning.
  const same = place.seq === 0 || rows[0]?.id === place.id;
  if (!same) rows = yield* listRange(tenantId, 1, BATCH);
  const fresh = same && place.seq > 0 ? rows.slice(1) : rows;
  const last = fresh.at(-1);
  return {
    rows: fresh,
    place: last === undefined ? (same ? place : { seq: 0, id: '' }) : { seq: last.seq, id: last.id },
    more: fresh.length >= BATCH,
  };
}

function* lastPlace(tenantId: string): Script<ChainCursor> {
  const head = yield* findChainHead(tenantId);
  if (head === undefined) return { seq: 0, id: '' };
  const [row] = yield* listRange(tenantId, head.seq, head.seq);
  return { seq: head.seq, id: row?.id ?? '' };
}
