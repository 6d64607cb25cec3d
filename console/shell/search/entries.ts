/** What the search offers: screens and actions by their names, and what the node has found. */
import type { SearchHit } from '../../../client/operations.ts';
import { logOut } from '../../login/logOut.ts';
import { may } from '../../login/may.ts';
import { activeAgents } from '../../node/agentNames.ts';
import { node } from '../../node/node.ts';
import { say } from '../../parts/toasts.ts';
import { hrefOf, placeOf } from '../places.ts';
import { go } from '../route.ts';
import { SCREENS, screenAt } from '../screens.ts';

export interface Entry {
  readonly key: string;
  readonly group: string;
  /** Some of it is written by strangers. */
  readonly label: string;
  readonly status?: string;
  run(): unknown;
}

/** How the screens and actions are called besides, and who may use an action. */
interface SearchableEntry extends Entry {
  readonly words: string;
}

const MOST_FROZEN = 5;
const VERIFY_NOW = hrefOf('/evidence', { verify: 'now' });

/** The screens and actions whose names have the text in them; all of them for no text. */
export function knownEntries(text: string): readonly Entry[] {
  const wanted = text.trim().toLowerCase();
  const entries = [...screens(), ...actions()].filter(({ label, words }) =>
    `${label} ${words}`.toLowerCase().includes(wanted),
  );
  return [...entries, ...freezes(wanted)];
}

function screens(): readonly SearchableEntry[] {
  const shown = SCREENS.filter(({ icon, permission }) => icon !== undefined && may(permission));
  return shown.map(({ pattern, title }) => leadingTo(hrefOf(pattern), { group: 'Go to', label: title }));
}

/** Undefined where no screen is there that the person may see. */
function leadingTo(
  href: string,
  { words = '', ...entry }: Omit<SearchableEntry, 'key' | 'words' | 'run'> & { words?: string },
) {
  return { key: `${entry.label} ${href}`, words, ...entry, run: () => go(href) };
}

function actions(): readonly SearchableEntry[] {
  const group = 'Do';
  const leading = [
    ['#/agents/new', { group, label: 'Add an agent', words: 'new register' }],
    ['#/principals/new', { group, label: 'Add a person or company', words: 'new whose money principal' }],
    [VERIFY_NOW, { group, label: 'Verify the evidence here', words: 'check chain audit' }],
    ...(may('admin') ? [['#/policy', { group, label: 'Publish a policy…', words: 'rules limits' }] as const] : []),
  ] as const;
  const leaving = { key: 'log out', group, label: 'Sign out', words: 'log out leave', run: logOut };
  return [...leading.filter(([href]) => isShown(href)).map(([href, entry]) => leadingTo(href, entry)), leaving];
}

/** Freezing lowers a risk, so that it is done at once. */
function freezes(wanted: string): readonly Entry[] {
  if (!may('admin') || !wanted.startsWith('freeze')) return [];
  const name = wanted.slice('freeze'.length).trim();
  const found = activeAgents().filter(({ displayName }) => displayName.toLowerCase().includes(name));
  return found.slice(0, MOST_FROZEN).map(({ did, displayName }) => freezing(did, displayName));
}

function freezing(did: string, name: string): Entry {
  const reactivate = async () => {
    await node.reactivateAgent({ did });
    say('Reactivated. The agent can buy again.');
  };
  const run = async () => {
    await node.suspendAgent({ did });
    say('Frozen. The agent buys nothing from now on.', { name: 'Undo', run: reactivate });
  };
  return { key: `freeze ${did}`, group: 'Do', label: `Freeze ${name}`, run };
}

const GROUPS: Readonly<Record<SearchHit['kind'], string>> = {
  agent: 'Agents',
  payment: 'Payments',
  intent: 'Intents',
  merchant: 'Merchants',
  principal: 'Whose money',
  webhook: 'Webhooks',
};

/** What was found and can be shown here; an agent that may buy can be stopped at once, too. */
export function foundEntries(hits: readonly SearchHit[]): readonly Entry[] {
  return hits.flatMap((hit) => {
    const href = hrefOfHit(hit);
    const { kind, id, label, status } = hit;
    const shown: Entry = {
      key: `${kind} ${id}`,
      group: GROUPS[kind],
      label,
      ...(status === undefined ? {} : { status }),
      run: () => go(href),
    };
    const canFreeze = kind === 'agent' && status === 'ACTIVE' && may('admin');
    return [...(isShown(href) ? [shown] : []), ...(canFreeze ? [freezing(id, label)] : [])];
  });
}

function hrefOfHit({ kind, id, transactionId = '' }: SearchHit): string {
  const part = encodeURIComponent(id);
  if (kind === 'agent') return `#/agents/${part}`;
  if (kind === 'payment') return `#/payments/${part}`;
  if (kind === 'intent') return `#/decisions/${encodeURIComponent(transactionId)}`;
  if (kind === 'merchant') return hrefOf('/payments', { text: id });
  return kind === 'webhook' ? `#/build/webhooks/${part}` : `#/principals/${part}`;
}

/** Whether a screen is there that the person may see. */
function isShown(href: string): boolean {
  return screenAt(placeOf(href).path) !== undefined;
}
