/**
 * Calls that are on their way, a file for each in a folder beside the state. It outlasts the process that sent the call, and not a loss of
 * power: what is not known of a call stays reserved at the node all the same.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** Who works on a call, or tells the node of it: no other guard does while that one runs. */
export const CallClaim = z.object({ run: z.string(), pid: z.number(), until: z.number() });
export type CallClaim = z.infer<typeof CallClaim>;

const OpenCall = z.object({
  mandateId: z.string(),
  /** Milliseconds since the epoch. */
  sentAt: z.number(),
  claim: CallClaim,
});
export type OpenCall = z.infer<typeof OpenCall>;

export interface OpenCalls {
  /** @throws Error where it cannot be written */
  begin(call: OpenCall): void;
  end(mandateId: string): void;
  all(): readonly OpenCall[];
}

/** @param folder is made with the first call */
export function openCallFolder(folder: string): OpenCalls {
  const fileOf = (mandateId: string) => join(folder, `${encodeURIComponent(mandateId)}.json`);
  return {
    begin(call) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(fileOf(call.mandateId), JSON.stringify(call), { mode: 0o600 });
    },
    end(mandateId) {
      rmSync(fileOf(mandateId), { force: true });
    },
    all() {
      return namesIn(folder).flatMap((name) => callIn(join(folder, name)) ?? []);
    },
  };
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** @returns undefined where it has ended meanwhile, or was torn by a loss of power */
function callIn(file: string): OpenCall | undefined {
  try {
    return OpenCall.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}
