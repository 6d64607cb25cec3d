/** A visit over MCP: one message, with all that its tools ask. The visit's caller is identified and charged once, first. */
import type { Caller } from '../access/caller.ts';
import type { Deps } from '../usecase/deps.ts';
import { type Credential, callerOf } from './callerOf.ts';
import { type Taken, take } from './taken.ts';

interface Visit extends Taken {
  /** Who visits, for what is asked within the visit; undefined where the visit was refused. */
  readonly visitor?: Caller;
}

export async function takeVisit(deps: Deps, address: string, credential: Credential): Promise<Visit> {
  let visitor: Caller | undefined;
  const taken = await take(deps, address, async (standing) => {
    const caller = await callerOf(deps, credential);
    standing.know(caller);
    standing.charge();
    visitor = caller;
    return '';
  });
  return visitor === undefined ? taken : { ...taken, visitor };
}

const SEALED_FOR = 'mcp request state';
/** A person has a quarter of an hour to approve; what was sealed meanwhile holds a little longer. */
const STATE_SECONDS = 1200;

/** Seals what goes to a client and comes back with its next message. */
export async function sealState(deps: Deps, state: object): Promise<string> {
  const expiresAt = deps.clock() + STATE_SECONDS * 1000;
  return deps.sealer.seal(JSON.stringify({ state, expiresAt }), SEALED_FOR);
}

/** @returns what was sealed; undefined for anything else, and for what is too old */
export async function openState(deps: Deps, sealed: string): Promise<unknown> {
  try {
    const { state, expiresAt } = JSON.parse(deps.sealer.open(sealed, SEALED_FOR));
    return expiresAt > deps.clock() ? state : undefined;
  } catch {
    return undefined;
  }
}
