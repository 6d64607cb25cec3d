/** Operations by resource: the word after /ap2 or /ap2/admin decides, so that a new route finds its place. */

const TAGS: Readonly<Record<string, readonly [name: string, description: string]>> = {
  intents: ['Intents', 'An agent asks permission to spend up to an amount.'],
  carts: ['Carts', 'A merchant’s signed cart is checked against an intent and approved for payment.'],
  mandates: ['Mandates', 'Chains of mandates from agents of other platforms.'],
  payments: ['Payments', 'An approval becomes a signed mandate, and a rail moves the money.'],
  'http-payments': ['Payments', 'An approval becomes a signed mandate, and a rail moves the money.'],
  spend: ['Overview', 'What was spent, and what needs a person.'],
  health: ['Overview', 'What was spent, and what needs a person.'],
  search: ['Overview', 'What was spent, and what needs a person.'],
  attention: ['Overview', 'What was spent, and what needs a person.'],
  agents: ['Agents', 'Who may ask, and what an owner does about an agent.'],
  policies: ['Policies', 'The rules every purchase is judged by.'],
  decisions: ['Decisions', 'What was judged, by which rules, and what would have passed.'],
  wallets: ['Wallets', 'Accounts on chains that the node signs for, by which x402 is paid.'],
  guards: ['Guards', 'Tools of others behind `countersign guard`, and what a person accepts of them.'],
  merchants: ['Merchants', 'Whose key, and which rail account, belongs to a domain.'],
  'mandate-challenges': ['Mandates', 'Chains of mandates from agents of other platforms.'],
  delegations: ['Mandates', 'Chains of mandates from agents of other platforms.'],
  'payment-credentials': ['Mandates', 'Chains of mandates from agents of other platforms.'],
  receipts: ['Mandates', 'Chains of mandates from agents of other platforms.'],
  'mandate-issuers': ['Mandates', 'Chains of mandates from agents of other platforms.'],
  evidence: ['Evidence', 'The hash-chained record of everything that happened.'],
  hp: ['Human presence', 'Passkeys by which a person shows to be there.'],
  approvals: ['Human presence', 'Passkeys by which a person shows to be there.'],
  enrollments: ['Human presence', 'Passkeys by which a person shows to be there.'],
  approve: ['Human presence', 'Passkeys by which a person shows to be there.'],
  enroll: ['Human presence', 'Passkeys by which a person shows to be there.'],
  webhooks: ['Webhooks', 'Events delivered to other systems.'],
  events: ['Webhooks', 'Events delivered to other systems.'],
  spt: ['Shared payment tokens', 'Time-limited, single-use payment delegation to a merchant.'],
  rails: ['Rails', 'Notifications from payment rails.'],
  sessions: ['Sessions', 'Contexts that tie an agent’s messages together.'],
  'api-keys': ['API keys', 'Credentials for programs.'],
  users: ['Users', 'People, their roles, and how they get in.'],
  invitations: ['Users', 'People, their roles, and how they get in.'],
  auth: ['Login', 'Logging in by a passkey or an identity provider, and who is calling.'],
  demo: ['Sandbox', 'Help that exists in the sandbox only.'],
  'reset-test-data': ['Sandbox', 'Help that exists in the sandbox only.'],
};

const NODE = ['Node', 'Discovery, health and documents; public.'] as const;

/** @param path as the router writes it */
export function tagOf(path: string): readonly [name: string, description: string] {
  const word = /^\/(?:ap2\/admin\/|ap2\/|a2a\/|admin\/|(?=(?:approve|enroll)\/))([^/]+)/.exec(path)?.[1];
  if (word === undefined || path.includes('/.well-known/')) return NODE;
  return TAGS[word] ?? [word, `Operations on ${word}.`];
}

/** The tags in use, in the order of the list above. */
export function tagsOf(paths: readonly string[]): { readonly name: string; readonly description: string }[] {
  const used = new Map(paths.map(tagOf));
  const order = [...Object.values(TAGS), NODE].map(([name]) => name as string);
  return [...used]
    .map(([name, description]) => ({ name, description }))
    .sort((a, b) => place(order, a.name) - place(order, b.name));
}

function place(order: readonly string[], name: string): number {
  const at = order.indexOf(name);
  return at === -1 ? order.length : at;
}
