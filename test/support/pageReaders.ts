/** What some pages ask of their readers: a touch of a passkey, a node of their own, a package of Python. */
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { makePerson } from './person.ts';
import type { World } from './world.ts';

/**
 * A person who enrolls a passkey for each agent that asks for them, and approves what it asks for.
 * @returns ends that
 * @throws what failed meanwhile, when it is ended
 */
export function approveAll(world: World): () => Promise<void> {
  const person = makePerson(world);
  const enrolled = new Set<string>();
  const ended = new AbortController();
  const approve = async () => {
    while (!ended.signal.aborted) {
      for (const { id, agentDid } of (await world.client.listApprovals({ status: 'pending' })).data) {
        if (!enrolled.has(agentDid)) await person.enroll({ did: agentDid } as Parameters<typeof person.enroll>[0]);
        enrolled.add(agentDid);
        await person.decide(id);
      }
      await sleep(200, undefined, { signal: ended.signal }).catch(() => undefined);
    }
  };
  // Kept until it is asked for: a failure of the person is a failure of the page.
  const outcome = approve().then(
    () => undefined,
    (error: unknown) => error,
  );
  return async () => {
    ended.abort();
    const error = await outcome;
    if (error !== undefined) throw error;
  };
}

/**
 * Fetches packages of Python as a reader's pip would, for pips that may ask no index.
 * @param folder where its wheels lie afterwards
 * @returns why pip does not find it on this machine
 */
export async function fetchWheels(names: readonly string[], folder: string): Promise<string | undefined> {
  const args = ['-m', 'pip', 'download', '--quiet', '--retries', '0', '--dest', folder, ...names];
  return promisify(execFile)('python3', args, { timeout: 120_000 }).then(
    () => undefined,
    (error: unknown) => `pip does not find ${names.join(', ')} here: ${String(error).slice(0, 300)}`,
  );
}
