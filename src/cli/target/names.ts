/** Agents and principals by the names that people gave them, since nobody remembers a DID. */
import { compact } from '../../../protocol/wire/compact.ts';
import { MAX_PAGE } from '../../../protocol/wire/page.ts';
import { inertText } from '../../../protocol/wire/plainText.ts';
import { Refused, WrongUse } from '../commandFailure.ts';
import { newest } from './pages.ts';
import type { Target } from './withTarget.ts';

type Client = Target['client'];

interface Called {
  readonly did: string;
  readonly name: string;
  /** What tells those of one name apart, besides the DID. */
  readonly about: string;
}

/**
 * @param given a DID, or a name @returns the DID
 * @throws Refused for a name that no agent has, WrongUse for one that several have
 */
export function agentCalled(client: Client, given: string): Promise<string> {
  return didOf('agent', given, async () => {
    const agents = await newest(Number.POSITIVE_INFINITY, (page) => client.listAgents(page));
    return agents.map(({ did, displayName, status }) => ({ did, name: displayName, about: status }));
  });
}

/** As agentCalled, for several. */
export async function agentsCalled(client: Client, given: readonly string[]): Promise<string[]> {
  const dids: string[] = [];
  for (const each of given) dids.push(await agentCalled(client, each));
  return dids;
}

/** As agentCalled, for a principal. */
export function principalCalled(client: Client, given: string): Promise<string> {
  return didOf('principal', given, async () => {
    const principals = await newest(Number.POSITIVE_INFINITY, (page) => client.listPrincipals(page));
    return principals.map(({ did, name, agents }) => ({ did, name, about: `${agents.length} agents` }));
  });
}

async function didOf(kind: 'agent' | 'principal', given: string, list: () => Promise<Called[]>): Promise<string> {
  if (given.startsWith('did:')) return given;
  const found = (await list()).filter(({ name }) => name === given);
  if (found.length > 1) {
    const lines = found.map(({ did, about }) => `  ${did}  ${about}`);
    throw new WrongUse(`${found.length} ${kind}s are called "${given}"; give the DID of one:`, { lines });
  }
  if (found[0] !== undefined) return found[0].did;
  throw new Refused('NOT_FOUND', `No ${kind} is called "${given}"; "countersign ${kind} list" shows all.`);
}

/** @returns the names of these agents, by DID, as a line of a table can hold them */
export async function agentNames(client: Client, dids: Iterable<string>): Promise<ReadonlyMap<string, string>> {
  const wanted = new Set(dids);
  const names = new Map<string, string>();
  let cursor: string | null | undefined;
  while (names.size < wanted.size && cursor !== null) {
    const page = await client.listAgents({ limit: MAX_PAGE, ...compact({ cursor }) });
    for (const { did, displayName } of page.data) if (wanted.has(did)) names.set(did, inertText(displayName));
    cursor = page.cursor;
  }
  return names;
}
