/**
 * The evidence chain: what an event is, how it is hashed, and how a range of them is verified.
 * hashCurr = SHA-256("evidence-v1\n" ‖ JCS of every member but hashCurr); JCS is RFC 8785.
 */
import { z } from 'zod';
import { canonical, hashText } from '../credential/canonical.ts';
import type { Suite } from '../credential/ed25519.ts';

export const EvidenceEvent = z.object({
  id: z.string(),
  seq: z.int().positive(),
  eventType: z.string(),
  actorDid: z.string(),
  data: z.record(z.string(), z.unknown()).describe('The facts of the event.'),
  hashPrev: z.string(),
  hashCurr: z.string(),
  createdAt: z.string(),
});
export type EvidenceEvent = z.infer<typeof EvidenceEvent>;

/** An event before it is hashed, with its data in canonical form. */
interface EvidenceRecord {
  readonly id: string;
  readonly seq: number;
  readonly eventType: string;
  readonly actorDid: string;
  /** RFC 8785 text of the data object. */
  readonly dataText: string;
  readonly hashPrev: string;
  readonly createdAt: string;
}

/** A record with its hash. */
export interface ChainedRecord extends EvidenceRecord {
  readonly hashCurr: string;
}

/** The record that an event is, with its data in canonical form. */
export function recordOf(event: EvidenceEvent): ChainedRecord {
  return { ...event, dataText: canonical(event.data) };
}

/** The first hashPrev of a tenant's chain. It covers the issuer and the tenant, so that chains cannot be exchanged. */
export function genesisHash(suite: Suite, issuerDid: string, tenantId: string): string {
  return hashText(suite, `${issuerDid}\n${tenantId}`);
}

/**
 * The hash of one event. The members are written in RFC 8785 order by hand, since the data is canonical already and all
 * other members are plain text; a test compares the result with the canonical JSON of the whole event.
 */
export function hashEvent(suite: Suite, record: EvidenceRecord): string {
  return hashText(suite, `evidence-v1\n${eventText(record)}`);
}

/**
 * The canonical JSON of a whole event. Without its member `hashCurr` it is what was hashed, so that a reader need not parse it
 * to check it (rawEvent.ts).
 */
export function eventLine(record: ChainedRecord): string {
  return eventText(record, `"hashCurr":${JSON.stringify(record.hashCurr)},`);
}

function eventText(record: EvidenceRecord, hashCurr = ''): string {
  return (
    `{"actorDid":${JSON.stringify(record.actorDid)},"createdAt":${JSON.stringify(record.createdAt)},` +
    `"data":${record.dataText},"eventType":${JSON.stringify(record.eventType)},${hashCurr}` +
    `"hashPrev":${JSON.stringify(record.hashPrev)},"id":${JSON.stringify(record.id)},"seq":${record.seq}}`
  );
}

type ChainCheck =
  | { readonly valid: true }
  | { readonly valid: false; readonly brokenAtSeq: number; readonly reason: string };

/**
 * Verifies consecutive events.
 * @param events in ascending order of seq, with their data as text: in canonical form, unchanged data has the hash
 * @param previous hash and seq of the event before the first, or the genesis hash with seq 0
 * @returns the first event that breaks the chain, if there is one
 */
export function verifyChain(
  suite: Suite,
  events: Iterable<ChainedRecord>,
  previous: { readonly hash: string; readonly seq: number },
): ChainCheck {
  let { hash, seq } = previous;
  for (const event of events) {
    const broken = (reason: string): ChainCheck => ({ valid: false, brokenAtSeq: event.seq, reason });
    if (event.seq !== seq + 1) return broken(`event ${seq + 1} is missing`);
    if (event.hashPrev !== hash) return broken(`event ${event.seq} does not follow the event before it`);
    if (event.hashCurr !== hashEvent(suite, event))
      return broken(`the content of event ${event.seq} does not match its hash`);
    hash = event.hashCurr;
    seq = event.seq;
  }
  return { valid: true };
}
