/** Evidence events as callers see them. */

import type { ChainedRecord, EvidenceEvent } from '../../../protocol/evidence/chain.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import type { EvidenceRow } from '../../store/statements/evidence/events.ts';
import { csvLine as writeCsvLine } from '../../usecase/list/csv.ts';

export function showEvent(row: EvidenceRow): EvidenceEvent {
  const { dataText, ...rest } = recordIn(row);
  return { ...rest, data: JSON.parse(dataText) };
}

/** The record that a row keeps; its data as it was stored. */
export function recordIn(row: EvidenceRow): ChainedRecord {
  return {
    id: row.id,
    seq: row.seq,
    eventType: row.event_type,
    actorDid: row.actor_did,
    dataText: row.data,
    hashPrev: row.hash_prev,
    hashCurr: row.hash_curr,
    createdAt: isoTime(row.created_at),
  };
}

export const CSV_HEADER = 'id,seq,eventType,actorDid,data,hashPrev,hashCurr,createdAt\r\n';

/** One event as a line of CSV (RFC 4180), the data as canonical JSON. */
export function csvLine(event: ChainedRecord): string {
  return writeCsvLine([
    event.id,
    String(event.seq),
    event.eventType,
    event.actorDid,
    inertJson(event.dataText),
    event.hashPrev,
    event.hashCurr,
    event.createdAt,
  ]);
}

/** In JSON the sign of a formula after a `;`, which separates cells in many countries, is written by its number. */
function inertJson(text: string): string {
  return text.replace(/(?<=;\s*)[=+\-@＝＋－＠]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
