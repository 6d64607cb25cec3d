/** What can be asked of the evidence chain, and the answers: export, search, a bundle, verification, checkpoints. */
import { z } from 'zod';
import { Did } from '../credential/did.ts';
import { ContextId } from '../session.ts';
import { PageRequest } from '../wire/page.ts';
import { inTimeOrder, Time } from '../wire/time.ts';
import { EvidenceEvent } from './chain.ts';

/** The most events one export gives. */
export const MAX_EXPORT = 1_000_000;

/** A list in a query: the parameter repeated, or its values separated by commas. */
const TypeList = z
  .union([z.string(), z.array(z.string())])
  .transform((given) => [given].flat().flatMap((text) => text.split(',').map((type) => type.trim())))
  .pipe(z.array(z.string().min(1)).max(50));

export const ExportEvidence = z.object({
  last: z.coerce.number<number>().int().min(1).max(MAX_EXPORT).optional(),
  from: Time.optional(),
  to: Time.optional(),
  eventTypes: TypeList.optional(),
  actorDid: Did.optional(),
  format: z.enum(['json', 'csv', 'ndjson']).default('json'),
});
export type ExportEvidence = z.output<typeof ExportEvidence>;

export const EvidenceExport = z.object({
  events: z.array(EvidenceEvent),
  chainValid: z.boolean(),
  fromSeq: z.int(),
  toSeq: z.int(),
  issuer: z.string(),
  tenantId: z.string(),
  checkpoint: z
    .string()
    .nullable()
    .describe(
      'The signed note over the chain up to the last event given; null where no event is, or the chain is broken.',
    ),
});
export type EvidenceExport = z.infer<typeof EvidenceExport>;

/** What closes an export; in NDJSON its last line, as `{"end": …}`. */
export const ExportEnd = EvidenceExport.omit({ events: true });
export type ExportEnd = z.infer<typeof ExportEnd>;

/**
 * What stands in the place of the end of an export that could not be read to its end: in NDJSON its last line, as `{"cut": …}`,
 * in JSON the member `cut` on the last line, in CSV a last line that begins with `# The export was cut`.
 */
export const ExportCut = z.object({ code: z.string(), message: z.string() });
export type ExportCut = z.infer<typeof ExportCut>;

export const SearchEvidence = inTimeOrder(
  PageRequest.extend({
    eventType: z.string().min(1).max(100).optional(),
    actorDid: Did.optional(),
    contextId: ContextId.optional(),
    from: Time.optional(),
    to: Time.optional(),
  }),
);
export type SearchEvidence = z.output<typeof SearchEvidence>;

/** One transaction's events and how it stands. */
export const EvidenceBundle = z.object({
  transactionId: z.string(),
  events: z.array(EvidenceEvent),
  chainValid: z.boolean(),
  summary: z.object({
    agent: z.string(),
    merchant: z.string().optional(),
    amount: z.number(),
    currency: z.string(),
    status: z.string(),
  }),
});
export type EvidenceBundle = z.infer<typeof EvidenceBundle>;

const Seq = z.coerce.number<number>().int().min(1);

export const VerifyEvidence = z.object({ fromSeq: Seq.optional(), toSeq: Seq.optional() });
export type VerifyEvidence = z.output<typeof VerifyEvidence>;

export const Verification = z.object({
  valid: z.boolean(),
  fromSeq: z.int(),
  toSeq: z.int(),
  eventsVerified: z.int(),
  issuer: z.string(),
  tenantId: z.string(),
  checkpoint: z
    .string()
    .nullable()
    .describe(
      'The signed note over the chain up to the last event given; null where no event is, or the chain is broken.',
    ),
  brokenAtSeq: z.int().optional(),
  reason: z.string().optional(),
});
export type Verification = z.infer<typeof Verification>;

const Size = z.coerce.number<number>().int().min(1);
const Hashes = z.array(z.string()).describe('Hashes as base64, lowest first.');

export const CheckpointShown = z.object({
  size: z.int().positive().describe('How many events it is over.'),
  note: z
    .string()
    .describe('The signed note: origin, size, root, the issuer’s signature, and the cosignatures of witnesses.'),
  createdAt: z.string(),
});
export type CheckpointShown = z.infer<typeof CheckpointShown>;

export const GetConsistency = z.object({ size: Size, from: Size });
export const Consistency = z.object({
  from: CheckpointShown,
  to: CheckpointShown,
  proof: Hashes,
});
export type Consistency = z.infer<typeof Consistency>;

export const GetInclusion = z.object({ size: Size, seq: Size });
export const Inclusion = z.object({
  checkpoint: CheckpointShown,
  seq: z.int().positive(),
  hashCurr: z.string().describe('The hash of the event.'),
  proof: Hashes,
});
export type Inclusion = z.infer<typeof Inclusion>;
