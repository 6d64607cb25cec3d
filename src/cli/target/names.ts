/** Lists of any length out of a node's pages, and agents and principals by the names that people gave them. */
import { CountersignError } from '../../../client/error.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { MAX_PAGE } from '../../../protocol/wire/page.ts';
import { inertText } from '../../../protocol/wire/plainText.ts';
import { CommandRefusal, WrongUse } from '../commandFailure.ts';
import type { Target } from './withTarget.ts';

type Client = Target['client'];

interface NameCandidate {
  readonly did: string;
  readonly name: string;
  /** What tells those of one name apart, besides the DID. */
  readonly about: string;
}

/**
 * @param given a DID, or a name @returns the DID
 * @throws CommandRefusal for a name that no agent has, WrongUse for one that several have
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
    return principals.map(({ did, name, agents }) => ({
      did,
      name,
      about: agents.length === 1 ? '1 agent' : `${agents.length} agents`,
    }));
  });
}

/** What messages call them; commands keep the noun of the API. */
const WHAT = {
  agent: { one: 'agent', many: 'agents' },
  principal: { one: 'person or company', many: 'people or companies' },
} as const;

async function didOf(
  kind: 'agent' | 'principal',
  given: string,
  list: () => Promise<NameCandidate[]>,
): Promise<string> {
  if (given.startsWith('did:')) return given;
  // A name is given as it is shown.
  const found = (await list()).filter(({ name }) => name === given || inertText(name) === given);
  if (found.length > 1) {
    const lines = found.map(({ did, about }) => `  ${did}  ${about}`);
    const details = found.map(({ did, about }) => ({ path: did, message: about }));
    throw new WrongUse(`${found.length} ${WHAT[kind].many} are called "${given}"; give the DID of one:`, {
      lines,
      details,
    });
  }
  if (found[0] !== undefined) return found[0].did;
  throw new CommandRefusal(
    'NOT_FOUND',
    `No ${WHAT[kind].one} is called "${given}"; "countersign ${kind} list" shows all.`,
  );
}

/**
 * @returns what to call these agents, by DID, as a line of a table can hold it; those of one name are told apart. None
 * where the key may not read agents: their DIDs do as well
 */
export async function agentNames(client: Client, dids: Iterable<string>): Promise<ReadonlyMap<string, string>> {
  const wanted = new Set(dids);
  const names = new Map<string, string>();
  const bearers = new Map<string, number>();
  let cursor: string | null | undefined;
  while (names.size < wanted.size && cursor !== null) {
    const page = await client.listAgents({ limit: MAX_PAGE, ...compact({ cursor }) }).catch(nobodyWhereForbidden);
    for (const { did, displayName } of page.data) {
      if (!wanted.has(did)) continue;
      const name = inertText(displayName);
      names.set(did, name);
      bearers.set(name, (bearers.get(name) ?? 0) + 1);
    }
    cursor = page.cursor;
  }
  const shown = (did: string, name: string) => (bearers.get(name) === 1 ? name : `${name} (…${did.slice(-6)})`);
  return new Map([...names].map(([did, name]) => [did, shown(did, name)]));
}

/** Names by DID, as a line of a table can hold them. None where the key may not read principals: their DIDs do as well. */
export async function principalNames(client: Client): Promise<ReadonlyMap<string, string>> {
  const principals = await newest(Number.POSITIVE_INFINITY, (page) =>
    client.listPrincipals(page).catch(nobodyWhereForbidden),
  );
  return new Map(principals.map(({ did, name }) => [did, inertText(name)]));
}

function nobodyWhereForbidden(error: unknown): { data: never[]; cursor: null } {
  if (error instanceof CountersignError && error.code === 'FORBIDDEN') return { data: [], cursor: null };
  throw error;
}

interface AnyPage<Item> {
  readonly data: readonly Item[];
  readonly cursor: string | null;
}

/** @param read reads one page, given what chooses it @returns the newest records, at most `count` */
export async function newest<Item>(
  count: number,
  read: (page: { limit: number; cursor?: string }) => Promise<AnyPage<Item>>,
): Promise<Item[]> {
  const found: Item[] = [];
  let cursor: string | null | undefined;
  while (found.length < count && cursor !== null) {
    const page = await read({
      limit: Math.min(MAX_PAGE, count - found.length),
      ...(cursor === undefined ? {} : { cursor }),
    });
    found.push(...page.data);
    cursor = page.cursor;
  }
  return found;
}
