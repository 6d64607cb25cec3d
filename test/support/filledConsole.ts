/** A node with a month of a dozen agents, and where each screen of the console is that shows it. */
import assert from 'node:assert/strict';
import { makeCart, type Peer } from './peer.ts';
import { makePerson } from './person.ts';
import type { Loose, World } from './world.ts';

const DAY_MS = 24 * 3600 * 1000;
const PAYMENTS = 130;
const AGENTS = [
  'Grocery agent',
  'Travel desk',
  'Research bot',
  'Müller Bürobedarf',
  '買い物エージェント',
  'API credits',
  'Ada’s shopper',
  'Night buyer',
  '<b>Bold</b> & "quoted"',
  'A name that is rather longer than any name of an agent should ever be, and goes on',
  'Bob’s agent',
  'Spare',
];
const SHOPS = [
  'shop.example',
  'groceries.example',
  'rail.example',
  'xn--mller-kva.example',
  'xn--u9jv56p.example',
  'api.example',
];

/** Where each screen is, from the console's address on; `:payment` and the like are filled in. */
export const SCREENS: Readonly<Record<string, string>> = {
  today: '#/',
  approvals: '#/approvals',
  payments: '#/payments',
  payment: '#/payments/:payment',
  decisions: '#/decisions',
  decision: '#/decisions/:transaction',
  agents: '#/agents',
  agent: '#/agents/:agent',
  policy: '#/policy',
  draft: '#/policy/draft',
  principals: '#/principals',
  evidence: '#/evidence',
  build: '#/build',
  keys: '#/build/keys',
  webhooks: '#/build/webhooks',
  playground: '#/build/playground',
  settings: '#/settings',
  health: '#/settings/health',
};
/** @param places as fillMonth returns them; a name that is not among them is left out */
export function placeOf(screen: string, places: Readonly<Record<string, string>>): string {
  return screen.replace(/:([a-z]+)/, (_, name: string) => places[name] ?? '');
}

/** A month of a dozen agents. @returns what screens of one thing show */
export async function fillMonth(world: World): Promise<Record<string, string>> {
  const person = makePerson(world);
  const agents: Peer[] = [];
  for (const name of AGENTS) agents.push(await world.newAgent(name));
  for (const domain of SHOPS.slice(1)) {
    await world.rest('POST', '/ap2/admin/merchants', { domain, did: world.merchant.did, mcc: '5411' });
  }
  const limits = [
    {
      name: 'groceries',
      max_amount: 2000,
      window: 'month',
      timezone: 'Europe/Berlin',
      scope: 'policy',
      category: 'groceries',
    },
    { name: 'each agent', max_amount: 900, max_transactions: 60, window: 'month' },
    { name: 'quarter', max_amount: 9000, window: 'quarter', scope: 'policy', action: 'presence' },
  ];
  const rules = {
    version: '2.0',
    spend: { amount_cap: 100, presence_cap: 500, currency: 'USD' },
    merchant: { deny_list: ['bad.example'] },
    risk: { limits, velocity_limit: { max_transactions: 50, time_window: '24h' } },
  };
  const made = await world.rest('POST', '/ap2/admin/policies', { name: 'Household', rules });
  assert.equal(made.status, 201, made.text);
  await person.enroll(agents[0] as Peer);
  let last: Loose;
  for (let number = 0; number < PAYMENTS; number += 1) {
    world.clock.aheadMs = -Math.floor(((PAYMENTS - number) * 30 * DAY_MS) / PAYMENTS);
    const agent = agents[(number * 5) % agents.length] as Peer;
    const domain = SHOPS[(number * 7) % SHOPS.length] as string;
    const amount = 4 + ((number * 37) % 80) + 0.5;
    const bought = await buy(world, agent, domain, amount);
    if (bought === undefined) continue;
    last = bought;
    const { mandateId } = bought.pmVc.credentialSubject;
    if (number % 4 !== 0) await world.rest('POST', `/ap2/payments/${mandateId}/capture`, {});
    if (number % 13 === 0) await world.rest('POST', `/ap2/payments/${mandateId}/refund`, { amount: 1 });
    if (number % 11 === 0)
      await world.rest('POST', '/ap2/intents', world.intentBody(5000, { agent, domain: 'bad.example' }));
  }
  world.clock.aheadMs = 0;
  let approval: Loose;
  for (const [at, amount] of [180, 240, 320].entries()) {
    const agent = agents[at] as Peer;
    const intent = await world.rest('POST', '/ap2/intents', world.intentBody(amount, { agent }));
    const body = { intentVc: intent.body.intentVc, cartVc: world.cart(amount) };
    const cart = await world.rest('POST', '/ap2/carts/validate', body);
    approval ??= cart.body.approval;
  }
  const { mandateId, intentId } = last.pmVc.credentialSubject;
  const { body } = await world.rest('GET', `/ap2/intents/${intentId}`);
  return {
    payment: String(mandateId),
    transaction: String(body.transactionId),
    agent: encodeURIComponent((agents[0] as Peer).did),
    approval: String(approval.url),
  };
}

async function buy(world: World, agent: Peer, domain: string, amount: number): Promise<Loose | undefined> {
  const intent = await world.rest('POST', '/ap2/intents', world.intentBody(amount, { agent, domain }));
  if (intent.body.allowed !== true) return undefined;
  const items = [
    { name: 'Oat milk', price: 2.5, quantity: 1 },
    { name: 'コーヒー豆', price: amount - 2.5, quantity: 1 },
  ];
  const at = new Date(Date.now() + world.clock.aheadMs);
  const cartVc = makeCart(world.merchant, { domain, items, total: amount, currency: 'USD' }, at);
  const cart = await world.rest('POST', '/ap2/carts/validate', { intentVc: intent.body.intentVc, cartVc });
  if (cart.body.allowed !== true) return undefined;
  return (await world.rest('POST', '/ap2/payments/mandate', { approvalToken: cart.body.approvalToken })).body;
}
