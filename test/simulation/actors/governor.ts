/** The owner: sets a world up, and changes at any moment what agents may do. */
import type { JsonObject, Peer } from '../../support/peer.ts';
import type { Loose } from '../../support/world.ts';
import type { Chance } from '../machine/chance.ts';
import { mccOf, ownLimits } from './budgets.ts';
import type { Desk } from './desk.ts';
import type { Shop } from './market.ts';

/** By day, or past midnight, in a zone with summer time: as it suits when the world began. */
function windowOf(desk: Desk): JsonObject {
  const hour = new Date(desk.world.options.start).getUTCHours();
  const [from, to] = hour >= 6 && hour < 19 ? ['06:00', '22:00'] : ['19:00', '07:30'];
  return { from, to, timezone: 'Europe/Berlin' } as JsonObject;
}

/** Who is there. */
export interface Cast {
  readonly agents: readonly Peer[];
  readonly principals: readonly Peer[];
  readonly shops: readonly Shop[];
  /** Where webhooks go. */
  readonly endpoints: readonly string[];
  /** What rules become where there are people to ask. */
  readonly askingPerson: (rules: JsonObject) => JsonObject;
  /** What rules become with limits over time. */
  readonly limiting: (rules: JsonObject) => JsonObject;
  /** What rules become where some pay elsewhere. */
  readonly reservingElsewhere: (rules: JsonObject) => JsonObject;
  /** Of what is drawn besides. */
  readonly dice: Chance;
}

const EVENTS = [
  'payment.authorized',
  'payment.captured',
  'payment.failed',
  'payment.refunded',
  'payment.disputed',
  'payment.dispute_closed',
  'intent.issued',
  'intent.denied',
  'intent.expired',
  'cart.validated',
  'cart.rejected',
  'policy.updated',
];

/** @returns the id of the policy */
export async function setUp(desk: Desk, cast: Cast): Promise<string> {
  const { agents, principals, shops, endpoints } = cast;
  const { chance } = desk.world;
  const input = { name: 'Rules', rules: rulesBy(desk, cast) };
  const policy = await must(desk, 'createPolicy', 'POST', '/ap2/admin/policies', input, 'set up');
  for (const [place, { domain, peer }] of shops.entries()) {
    await must(desk, 'bindMerchant', 'POST', '/ap2/admin/merchants', { domain, did: peer.did, mcc: mccOf(place) });
  }
  for (const [index, { publicKey }] of agents.entries()) {
    await must(desk, 'registerAgent', 'POST', '/ap2/agents', { name: `agent ${index}`, publicKey });
  }
  const [governed] = principals;
  if (governed !== undefined) {
    const named = agents.filter(() => chance.permille(800)).map(({ did }) => did);
    const asked = { did: governed.did, name: 'A principal', agents: named };
    await must(desk, 'registerPrincipal', 'POST', '/ap2/admin/principals', asked);
  }
  for (const url of endpoints) {
    const events = EVENTS.filter(() => chance.permille(700));
    if (events.length === 0) continue;
    await must(desk, 'createWebhook', 'POST', '/ap2/admin/webhooks', { url, events }, `hook ${url}`);
  }
  return policy.id;
}

/** Asks until it is done. */
async function must(
  desk: Desk,
  call: string,
  method: 'POST' | 'PUT',
  path: string,
  input: JsonObject,
  key?: string,
): Promise<Loose> {
  const told = await desk.surely({ call, route: [method, path], input, ...(key !== undefined && { key }) });
  // What was done and not answered is a conflict the second time.
  if (told.status >= 400 && told.status !== 409) throw new Error(`${call}: ${JSON.stringify(told)}`);
  return told.body;
}

function rulesBy(desk: Desk, { shops, askingPerson, limiting, reservingElsewhere, dice }: Cast): JsonObject {
  const { chance } = desk.world;
  const velocity = {
    max_transactions: chance.between(5, 60),
    max_amount: chance.between(100, 3000),
    time_window: chance.of(['1m', '10m', '1h', '24h']),
    scope: chance.of(['agent', 'policy']),
  };
  const rules = {
    version: '2.0',
    spend: { amount_cap: chance.of([20, 50, 100, 150]), currency: 'USD' },
    ...(chance.permille(300) && { context: { presence_threshold: chance.between(5, 40) } }),
    ...(chance.permille(200) && { merchant: { deny_list: [chance.of(shops).domain] } }),
    ...(chance.permille(150) && { context: { time_windows: [windowOf(desk)] } }),
    ...(chance.permille(600) && { risk: { velocity_limit: velocity } }),
    // Rails of what servers ask for by HTTP, which a cart is never paid by.
    ...(dice.permille(200) && { rails: { priorities: ['SPT_RAIL', 'X402_RAIL', 'CARD_RAIL'] } }),
  };
  return askingPerson(limiting(reservingElsewhere(rules)));
}

/** Changes something now and then. @param isOpen whether it goes on */
export async function govern(desk: Desk, cast: Cast, policyId: string, isOpen: () => boolean): Promise<void> {
  const { chance } = desk.world;
  while (isOpen()) {
    await desk.pause(chance.below(20_000));
    if (isOpen()) await chance.of(CHANGES)(desk, cast, policyId);
  }
}

type Change = (desk: Desk, cast: Cast, policyId: string) => Promise<unknown>;

const CHANGES: readonly Change[] = [
  (desk, cast, id) => {
    const rules = rulesBy(desk, cast);
    return desk.rest({
      call: 'updatePolicy',
      route: ['PUT', `/ap2/admin/policies/${id}`],
      input: { rules },
      named: { id },
    });
  },
  (desk, cast) => onAgent(desk, cast, 'suspendAgent', 'suspend', { reason: 'a change' }),
  (desk, cast) => onAgent(desk, cast, 'reactivateAgent', 'reactivate', {}),
  (desk, cast) => onAgent(desk, cast, 'reactivateAgent', 'reactivate', {}),
  (desk, { agents, shops, dice }) => {
    const { chance } = desk.world;
    const { did } = chance.of(agents);
    const timeWindow = chance.of(['1m', '1h']);
    const velocity = { maxTransactions: chance.between(3, 40), maxAmount: chance.between(50, 2000), timeWindow };
    const input = {
      ...velocity,
      ...(dice.permille(500) && { limits: ownLimits(desk.world, dice, shops, dice.permille(300)) }),
    };
    const path = `/ap2/admin/agents/${encodeURIComponent(did)}/velocity`;
    return desk.rest({ call: 'setAgentVelocity', route: ['PUT', path], input, named: { did } });
  },
  (desk, { agents, principals }) => {
    const did = String(principals[0]?.did);
    const input = { agents: agents.filter(() => desk.world.chance.permille(700)).map((agent) => agent.did) };
    const path = `/ap2/admin/principals/${encodeURIComponent(did)}`;
    return desk.rest({ call: 'changePrincipal', route: ['PUT', path], input, named: { did } });
  },
];

function onAgent(desk: Desk, { agents }: Cast, call: string, verb: string, input: JsonObject): Promise<unknown> {
  const { did } = desk.world.chance.of(agents);
  const path = `/ap2/admin/agents/${encodeURIComponent(did)}/${verb}`;
  return desk.rest({ call, route: ['POST', path], input, named: { did } });
}
