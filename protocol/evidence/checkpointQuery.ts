/** What may be asked about checkpoints, and the answers. */
import { z } from 'zod';

const Size = z.coerce.number<number>().int().min(1);
const Hashes = z.array(z.string()).describe('Hashes as base64, lowest first.');

export const CheckpointShown = z.object({
  size: z.int().positive().describe('How many events it is over.'),
  note: z.string().describe('The signed note: origin, size, root, and the issuer’s signature.'),
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
