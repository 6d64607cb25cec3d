/** What a node says of its own health: schemas. */
import { z } from 'zod';

const Check = z.object({
  check: z.string().describe('What was looked at, as `countersign doctor` calls it.'),
  level: z.enum(['ok', 'warning', 'fault']),
  message: z.string(),
  remedy: z.string().optional().describe('What removes it; absent where nothing is wrong.'),
});

const RailState = z.object({
  name: z
    .string()
    .describe('The name that policies and mandates use; the first one is used where a policy names none.'),
  movesMoney: z.boolean().describe('False for the sandbox’s own rail.'),
  partialCapture: z.boolean(),
  partialRefund: z.boolean(),
  takesEvidence: z.boolean().describe('Whether the node can give it what answers a dispute.'),
});

export const NodeHealth = z.object({
  healthy: z.boolean().describe('False where a check found a fault; a warning alone leaves it true.'),
  version: z.string().describe('Of this program.'),
  environment: z.enum(['sandbox', 'production']),
  engine: z.enum(['sqlite', 'postgres']),
  issuer: z.string(),
  lastBackupAt: z.string().optional().describe('When the last backup of the data folder was made, where one is known.'),
  rails: z.array(RailState).describe('What payments can be made through; without one nothing can be bought.'),
  checks: z.array(Check),
});
export type NodeHealth = z.infer<typeof NodeHealth>;
