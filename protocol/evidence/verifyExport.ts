/** Verifies an export of a whole evidence chain without network or database. */
import type { Suite } from '../credential/ed25519.ts';
import { type EvidenceEvent, genesisHash, recordOf, verifyChain } from './chain.ts';
import { compareChain } from './compareCheckpoint.ts';
import { openCheckpoint, originOf } from './log/checkpoint.ts';
import type { NoteDemand } from './log/note.ts';
import { EvidenceExport } from './query.ts';
import { issuersRecorded } from './rotation.ts';

type ExportCheck =
  | {
      readonly ok: true;
      readonly issuers: readonly string[];
      readonly tenantId: string;
      readonly events: readonly EvidenceEvent[];
      /** The number of the event by which each former key was retired: it signs no checkpoint from there on. */
      readonly retiredAt: ReadonlyMap<string, number>;
      /** The note over all of it. */
      readonly checkpoint: string | null;
    }
  | { readonly ok: false; readonly reason: string };

/**
 * @param value the export as JSON, from the first event on
 * @param issuerDid the DID that the reader trusts
 * @param demand what else the reader asks of the checkpoint's note, such as cosignatures; its sentence where that is not met
 */
export function verifyExport(suite: Suite, value: unknown, issuerDid: string, demand?: NoteDemand): ExportCheck {
  const parsed = EvidenceExport.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return { ok: false, reason: `The export is malformed at "${issue?.path.join('.')}": ${issue?.message}.` };
  }
  const { events, tenantId, issuer } = parsed.data;
  const issuers = issuersRecorded(suite, events, issuer);
  if (!issuers.includes(issuerDid)) {
    return { ok: false, reason: `The export is by ${issuers.at(-1)}, not by ${issuerDid}.` };
  }
  const check = verifyChain(suite, events.map(recordOf), { seq: 0, hash: genesisHash(suite, issuer, tenantId) });
  if (!check.valid) return { ok: false, reason: `The chain breaks: ${check.reason}.` };
  // A key that the named one followed may be in other hands by now, and an attacker can make up a first one.
  const trusted = issuers.slice(issuers.indexOf(issuerDid));
  const fault = checkpointFault(suite, parsed.data, trusted, demand);
  return fault === undefined
    ? {
        ok: true,
        issuers,
        tenantId,
        events,
        retiredAt: retirements(events, issuers),
        checkpoint: parsed.data.checkpoint,
      }
    : { ok: false, reason: fault };
}

/** The chain has no key: a forger who changes an event can hash all that follow anew, but not sign the root over them. */
function checkpointFault(
  suite: Suite,
  { events, tenantId, checkpoint }: EvidenceExport,
  trusted: readonly string[],
  demand: NoteDemand | undefined,
): string | undefined {
  if (checkpoint === null) return 'The export has no checkpoint: nothing shows that the issuer ever had this chain.';
  const opened = openCheckpoint(suite, checkpoint, trusted);
  if (!opened.ok) return opened.reason;
  const compared = compareChain(suite, opened.checkpoint, originOf(tenantId), events);
  if (!compared.ok) return compared.reason;
  const beyond = events.length - opened.checkpoint.size;
  if (beyond > 0) return `The last ${beyond} events lie beyond the checkpoint of the export.`;
  return demand?.(checkpoint);
}

function retirements(events: readonly EvidenceEvent[], issuers: readonly string[]): Map<string, number> {
  const rotated = events.filter(({ eventType }) => eventType === 'ISSUER_ROTATED').slice(0, issuers.length - 1);
  return new Map(rotated.map(({ data, seq }) => [String(data.from), seq]));
}
