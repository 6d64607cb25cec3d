/** Decisions by their amounts, through the index of the view. */
import { all, type Script } from '../../store.ts';
import { allOf, type Condition, inBatches, listPage } from '../queries.ts';
import { placeholders } from '../tableDefinition.ts';
import { type EvidenceRow, evidence } from './events.ts';
import { type EvidenceFilter, type Texts, textCondition } from './search.ts';

/** Where an event stands among others of one currency: its amount as the event says it, not in minor units. */
export interface AmountPosition {
  readonly amount: number;
  readonly seq: number;
}

interface AmountBounds {
  readonly isAscending: boolean;
  /** The place of the last one on the page before. */
  readonly after: AmountPosition | undefined;
  /** Of amounts, both ends included. */
  readonly least: number | undefined;
  readonly most: number | undefined;
  /** So many events are looked through. */
  readonly looks: number;
  /** So many are enough. */
  readonly wanted: number;
}

interface FoundByAmount {
  readonly found: readonly { readonly row: EvidenceRow; readonly place: AmountPosition }[];
  /** Every event that matches up to this place is among them; undefined where all were looked through. */
  readonly upTo: AmountPosition | undefined;
}

type Seen = AmountPosition & Pick<EvidenceRow, 'event_type' | 'actor_did' | 'created_at'>;

/**
 * The largest or the smallest decisions of one currency; of equal ones, the newest or the oldest first.
 * @param filter with types @param actors undefined for those of each
 */
export function* listByAmount(
  tenantId: string,
  currency: string,
  { eventTypes = [], from = 0, to = Number.POSITIVE_INFINITY }: EvidenceFilter,
  actors: ReadonlySet<string | undefined> | undefined,
  texts: Texts,
  { isAscending, after, least, most, looks, wanted }: AmountBounds,
): Script<FoundByAmount> {
  const direction = isAscending ? 'ASC' : 'DESC';
  const { where, args } = allOf([
    ['tenant_id = ? AND currency = ? AND amount IS NOT NULL', tenantId, currency],
    least === undefined ? undefined : ['amount >= ?', least],
    most === undefined ? undefined : ['amount <= ?', most],
    after && [`(amount, seq) ${isAscending ? '>' : '<'} (?, ?)`, after.amount, after.seq],
  ]);
  const seen = yield* all<Seen>(
    `SELECT seq, amount, event_type, actor_did, created_at FROM evidence_lists WHERE ${where}
      ORDER BY amount ${direction}, seq ${direction} LIMIT ?`,
    ...args,
    looks,
  );
  const fitting = seen.filter(
    ({ event_type, actor_did, created_at }) =>
      eventTypes.includes(event_type) && actors?.has(actor_did) !== false && created_at >= from && created_at <= to,
  );
  const found: FoundByAmount['found'][number][] = [];
  for (const batch of inBatches(fitting)) {
    const among: Condition = [`seq IN ${placeholders(batch)}`, ...batch.map(({ seq }) => seq)];
    const conditions = [['tenant_id = ?', tenantId] as const, among, ...texts.map(textCondition)];
    const rows = yield* listPage(evidence, conditions, 'seq', batch.length);
    const bySeq = new Map(rows.map((row) => [row.seq, row]));
    for (const { seq, amount } of batch) {
      const row = bySeq.get(seq);
      if (row !== undefined) found.push({ row, place: { amount, seq } });
    }
    if (found.length >= wanted) {
      const enough = found.slice(0, wanted);
      return { found: enough, upTo: enough.at(-1)?.place };
    }
  }
  const last = seen.at(-1);
  const isAll = seen.length < looks || last === undefined;
  return { found, upTo: isAll ? undefined : { amount: last.amount, seq: last.seq } };
}
