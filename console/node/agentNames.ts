/** The names of agents, by their DID: people know agents by name, records by DID. */
import { signal } from '@preact/signals';
import type { AgentSummary } from '../../client/operations.ts';
import { each } from '../../client/records.ts';
import { login } from '../login/login.ts';
import { concerns } from './kinds.ts';
import { onChange } from './live.ts';
import { node } from './node.ts';
import { returns } from './reach.ts';

/** Beyond these, agents are shown by their DID. */
const MOST_NAMES = 1000;
const PAGE = 200;

/** Records wait no longer for the names. */
const NAMES_MS = 2000;

const known = signal<ReadonlyMap<string, AgentSummary>>(new Map());
let first: Promise<void> = Promise.resolve();
/** How often names were asked for, and which of these answers is shown: an older one that comes later is out of date. */
let asked = 0;
let shownTurn = 0;

/** Ends once the names are known, or late: a name that comes after its row makes the row taller, and moves what is below. */
export function untilNamed(): Promise<void> {
  return first;
}

/** The agent's name, or the end of its DID where it has none that is known. */
export function nameOf(did: string): string {
  return known.value.get(did)?.displayName ?? `…${did.slice(-8)}`;
}

/** Every agent with a name, sorted by it. */
export function namedAgents(): readonly (readonly [did: string, name: string])[] {
  return byName().map(({ did, displayName }) => [did, displayName]);
}

/** Those that may buy. */
export function activeAgents(): readonly AgentSummary[] {
  return byName().filter(({ status }) => status === 'ACTIVE');
}

function byName(): readonly AgentSummary[] {
  return [...known.value.values()].sort((one, other) => one.displayName.localeCompare(other.displayName));
}

/** Keeps the names up to date while a user is signed in. */
export function followNames(): void {
  login.subscribe(({ at }) => {
    if (at !== 'in') {
      known.value = new Map();
      return;
    }
    first = new Promise<void>((resolve) => {
      setTimeout(resolve, NAMES_MS);
      void load(resolve);
    });
  });
  returns.subscribe(() => login.peek().at === 'in' && void load());
  onChange((types) => concerns(types, ['agent']) && void load());
}

/** @param shown hears of the first names, of which the first page has most that are looked for */
async function load(shown?: () => void): Promise<void> {
  const found = new Map<string, AgentSummary>();
  asked += 1;
  const turn = asked;
  try {
    for await (const agent of each(node.listAgents, { limit: PAGE })) {
      found.set(agent.did, agent);
      if (found.size === PAGE && known.peek().size === 0) {
        known.value = new Map(found);
        shown?.();
      }
      if (found.size >= MOST_NAMES) break;
    }
    if (turn > shownTurn) {
      shownTurn = turn;
      known.value = found;
    }
  } catch {
    // The next request to the node says what is wrong; until then agents are shown by their DID.
  }
  shown?.();
}
