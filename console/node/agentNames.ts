/** The names of agents, by their DID: people know agents by name, records by DID. */
import { signal } from '@preact/signals';
import { each } from '../../client/records.ts';
import { login } from '../login/login.ts';
import { concerns } from './kinds.ts';
import { onChange } from './live.ts';
import { node } from './node.ts';
import { returns } from './reach.ts';

/** Beyond these, agents are shown by their DID. */
const MOST_NAMES = 1000;

const names = signal<ReadonlyMap<string, string>>(new Map());

/** The agent's name, or the end of its DID where it has none that is known. */
export function nameOf(did: string): string {
  return names.value.get(did) ?? `…${did.slice(-8)}`;
}

/** Every agent with a name, sorted by it. */
export function namedAgents(): readonly (readonly [did: string, name: string])[] {
  return [...names.value].sort(([, one], [, other]) => one.localeCompare(other));
}

/** Keeps the names up to date while somebody is signed in. */
export function followNames(): void {
  login.subscribe(({ at }) => (at === 'in' ? void load() : undefined));
  returns.subscribe(() => login.peek().at === 'in' && void load());
  onChange((types) => concerns(types, ['agent']) && void load());
}

async function load(): Promise<void> {
  const found = new Map<string, string>();
  try {
    for await (const { did, displayName } of each(node.listAgents, { limit: 200 })) {
      found.set(did, displayName);
      if (found.size >= MOST_NAMES) break;
    }
    names.value = found;
  } catch {
    // Whatever asks the node next says what is wrong; until then agents are shown by their DID.
  }
}
