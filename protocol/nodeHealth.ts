/** What a node says of its own health: schemas. */
import { z } from 'zod';

const Check = z.object({
  check: z.string().describe('What was looked at, as `countersign doctor` calls it.'),
  level: z.enum(['ok', 'warning', 'fault']),
  message: z.string(),
  remedy: z.string().optional().describe('What removes it; absent where nothing is wrong.'),
});

export const NodeHealth = z.object({
  healthy: z.boolean().describe('False where a check found a fault; a warning alone leaves it true.'),
  version: z.string().describe('Of this program.'),
  environment: z.enum(['sandbox', 'production']),
  engine: z.enum(['sqlite', 'postgres']),
  issuer: z.string(),
  lastBackupAt: z.string().optional().describe('When the last backup of the data folder was made, where one is known.'),
  checks: z.array(Check),
});
export type NodeHealth = z.infer<typeof NodeHealth>;
