/** The file with the last checkpoint of each tenant. It is read each time, since a command may have written it. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { replaceKeyFile } from '../crypto/keyFile.ts';
import { CHECKPOINT } from '../maintenance/manifest.ts';
import type { CheckpointKeeper } from '../usecase/services.ts';

const Content = z.record(
  z.string(),
  z.strictObject({ size: z.int().positive(), note: z.string(), first: z.string(), last: z.string() }),
);
type Content = z.infer<typeof Content>;

export function checkpointFile(dataDir: string): CheckpointKeeper {
  const file = join(dataDir, CHECKPOINT);
  return {
    find: (tenantId) => read(file)[tenantId],
    keep(tenantId, kept) {
      const text = JSON.stringify({ ...read(file), [tenantId]: kept }, null, 2);
      // Like a key it is on disk before the checkpoint is shown, and no process reads half of it.
      replaceKeyFile(file, text.split('\n'), (size) => randomBytes(size));
    },
    faults: new Map(),
  };
}

function read(file: string): Content {
  if (!existsSync(file)) return {};
  try {
    return Content.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    throw new Error(`The last checkpoint in ${file} cannot be read; put the file back from a copy.`);
  }
}
