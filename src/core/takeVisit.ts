/** A visit over MCP: one message, with all that its tools ask. The visit's caller is identified and charged once, first. */
import type { Caller } from '../access/caller.ts';
import type { Deps } from '../usecase/deps.ts';
import { callerOf, type RequestCredential } from './callerOf.ts';
import { type CoreReply, serveRequest } from './serveRequest.ts';

interface Visit extends CoreReply {
  /** The caller, for what the gate says of them; undefined where the visit was refused. */
  readonly visitor?: Caller;
  /** The caller as the core takes it back: sealed, so that a gate names no caller that the core has not identified. */
  readonly visit?: string;
}

const VISIT_SEALED_FOR = 'mcp visit';
/** For so long a question of the visit goes by its visitor; after that, as after a wait for a person, by the credential again. */
const VISIT_SECONDS = 5;

export async function takeVisit(deps: Deps, address: string, credential: RequestCredential): Promise<Visit> {
  let visitor: Caller | undefined;
  const reply = await serveRequest(deps, address, async (quota) => {
    const caller = await callerOf(deps, credential);
    quota.know(caller);
    quota.charge();
    visitor = caller;
    return { body: '' };
  });
  return visitor === undefined ? reply : { ...reply, visitor, visit: sealVisit(deps, visitor) };
}

function sealVisit(deps: Deps, { permissions, agents, ...caller }: Caller): string {
  const until = deps.clock() + VISIT_SECONDS * 1000;
  const lists = { permissions: [...permissions], agents: agents && [...agents] };
  return deps.sealer.seal(JSON.stringify({ caller, lists, until }), VISIT_SEALED_FOR);
}

/** @returns the caller that a visit was opened for; undefined once that is some seconds ago, and for text that the core did not seal */
export function visitorOf(deps: Pick<Deps, 'sealer' | 'clock'>, visit: string): Caller | undefined {
  try {
    const { caller, lists, until } = JSON.parse(deps.sealer.open(visit, VISIT_SEALED_FOR));
    if (!(until > deps.clock())) return undefined;
    const agents = lists.agents === undefined ? {} : { agents: new Set<string>(lists.agents) };
    return { ...caller, permissions: new Set(lists.permissions), ...agents };
  } catch {
    return undefined;
  }
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
