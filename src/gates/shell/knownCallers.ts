/**
 * Callers that a gate has had answers for: the core knew them, and they had calls left. What they send is parsed at once; for
 * any other the core is asked first, so that a stranger has nothing parsed, and a known caller costs one question alone.
 */
import type { Credential } from '../../core/callerOf.ts';
import type { Taken } from '../../core/taken.ts';

/** Beyond it the one that was noted first is asked about again. */
const CAPACITY = 10_000;

export interface KnownCallers {
  /** Notes what the core made of a request of a caller. */
  note(credential: Credential, taken: Taken): void;
  /** @param ask the core, about a caller that is not known here @returns why it is refused; undefined where it is known */
  refusalOf(credential: Credential, ask: () => Promise<Taken>): Promise<Taken | undefined>;
}

export function knownCallers(): KnownCallers {
  const known = new Set<string>();
  const note = (credential: Credential, { caller, verdict }: Taken) => {
    const name = nameOf(credential);
    if (caller === undefined || !verdict.allowed) {
      known.delete(name);
      return;
    }
    if (known.has(name)) return;
    known.add(name);
    const first = known.values().next();
    if (known.size > CAPACITY && first.done !== true) known.delete(first.value);
  };
  return {
    note,
    async refusalOf(credential, ask) {
      if (known.has(nameOf(credential))) return undefined;
      const taken = await ask();
      note(credential, taken);
      return taken.thrown === undefined ? undefined : taken;
    },
  };
}

function nameOf(credential: Credential): string {
  if (credential.kind === 'apiKey') return `key ${credential.hash}`;
  if (credential.kind === 'token') return `token ${credential.resource ?? ''} ${credential.token}`;
  return `did ${credential.kind === 'proof' ? credential.proof.did : credential.did}`;
}
