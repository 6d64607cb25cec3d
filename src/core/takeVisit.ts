/** A visit over MCP: one message, whatever it makes the tools ask. Its credential is looked at and its caller charged first. */
import type { Deps } from '../usecase/deps.ts';
import { type Credential, callerOf } from './callerOf.ts';
import { type Taken, take } from './taken.ts';

/** Who visits, as the answer tells it in JSON. */
export interface Visitor {
  /** Kind and id of the credential. */
  readonly callerId: string;
  /** The one agent that it stands for, where it does. */
  readonly agentDid?: string;
}

export function takeVisit(deps: Deps, address: string, credential: Credential): Promise<Taken> {
  return take(deps, address, async (standing) => {
    const caller = await callerOf(deps, credential);
    standing.know(caller);
    standing.charge();
    const [agentDid, ...others] = caller.agents ?? [];
    const visitor: Visitor = {
      callerId: `${caller.kind} ${caller.id}`,
      ...(agentDid === undefined || others.length > 0 ? {} : { agentDid }),
    };
    return JSON.stringify(visitor);
  });
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
