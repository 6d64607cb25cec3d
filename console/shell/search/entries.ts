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

/** How screens are called besides, by what is done there. */
const WORDS: Readonly<Record<string, string>> = {
  '/': 'home overview start',
  '/approvals': 'touch waiting confirm allow deny',
  '/payments': 'refund capture purchases orders',
  '/decisions': 'refused why rejected reasons',
  '/agents': 'bots limits freeze stop',
  '/principals': 'principals person company',
  '/policy': 'budget rules limits caps categories spending',
  '/evidence': 'audit chain log proof verify',
  '/build': 'developer',
  '/build/keys': 'api key secret credential',
  '/build/webhooks': 'endpoint callback',
  '/build/events': 'stream log',
  '/settings': 'passkeys devices notifications slack mail ntfy push sign out everywhere theme dark',
  '/settings/people': 'invite colleague user role team approvers',
  '/settings/merchants': 'shop domain bind stripe account',
  '/settings/instruments': 'card bank instrument',
  '/settings/guards': 'mcp tools proxy accept servers',
  '/settings/wallets': 'x402 usdc chain crypto',
  '/settings/export': 'accounting journal csv ledger beancount month bookkeeping',
  '/settings/health': 'doctor stuck disk status',
  '/settings/backups': 'backup restore schedule folder s3 bucket',
  '/settings/node': 'issuer key rails version reset sandbox',
};

/** Each but those of one record, and the forms that actions lead to. */
function screens(): readonly SearchableEntry[] {
  const shown = SCREENS.filter(
    ({ pattern, permission, icon }) =>
      may(permission) && (icon !== undefined || (/^\/(build|settings)\//.test(pattern) && !pattern.includes(':'))),
  );
  return shown.map(({ pattern, title }) => {
    const group = pattern.startsWith('/settings/') ? 'Settings' : 'Go to';
    return leadingTo(hrefOf(pattern), { group, label: title, words: WORDS[pattern] ?? '' });
  });
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
    ...(may('admin') ? ACTS_OF_ADMINS.map(([href, label, words]) => [href, { group, label, words }] as const) : []),
  ] as const;
  const leaving = { key: 'log out', group, label: 'Sign out', words: 'log out leave', run: logOut };
  return [...leading.filter(([href]) => isShown(href)).map(([href, entry]) => leadingTo(href, entry)), leaving];
}

const ACTS_OF_ADMINS = [
  ['#/policy', 'Set a budget, or publish a policy…', 'rules limits month spending'],
  ['#/settings/people', 'Invite a person…', 'colleague user add team'],
  ['#/settings/health', 'Back up the node…', 'backup download copy'],
  ['#/settings/backups', 'Back up the node on a schedule…', 'backup restore folder s3 bucket'],
  ['#/settings', 'Be told by mail, Slack or on this device…', 'notifications alerts ntfy push'],
  ['#/settings/export', 'Export a month for accounting…', 'journal csv'],
  ['#/build/keys', 'Create an API key…', 'new secret'],
] as const;

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
