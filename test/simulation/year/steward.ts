/** The owner of a simulated year: sets the node up, and on some days changes rules, replaces keys and subscriptions, or restarts. */
import { type JsonObject, makeCart, makePeer, prove } from '../../support/peer.ts';
import type { Loose } from '../../support/world.ts';
import { Desk } from '../actors/desk.ts';
import { busyness, type Deed, dayStart } from './calendar.ts';
import type { Office, Worker } from './office.ts';
import { limitsOf, windowsOf } from './rulesOfWeek.ts';
import { begin, DENIED_SHOP } from './shopper.ts';

const DAY_MS = 86_400_000;
const HOOKS = [
  { url: 'http://ledger.example/hook', events: ['payment.failed', 'payment.refunded'] },
  { url: 'http://pager.example/hook', events: ['intent.denied', 'policy.updated', 'agent.revoked', 'agent.created'] },
];

/** Sets up who may buy what. */
export async function openOffice(office: Office): Promise<void> {
  const { desk, stalls, workers, principals } = office;
  office.nodeDid = await currentDid(desk);
  const policy = await must(desk, 'createPolicy', 'POST', '/ap2/admin/policies', {
    name: 'Rules',
    rules: rulesFor(office, 0),
  });
  office.policyId = policy.id;
  for (const stall of stalls) stall.bindingId = (await bind(office, stall.domain, stall.peer.did)).id;
  for (const worker of workers) await enter(office, worker);
  const [governed] = principals;
  await must(desk, 'registerPrincipal', 'POST', '/ap2/admin/principals', {
    did: String(governed?.did),
    name: 'A principal',
    agents: workers.map(({ peer }) => peer.did),
  });
  for (const hook of HOOKS) await must(desk, 'createWebhook', 'POST', '/ap2/admin/webhooks', hook);
}

/** What the owner does on a day, once the books are read. */
export async function doDeed(office: Office, deed: Deed, day: number): Promise<void> {
  if (deed === 'policy') await writeRules(office, day);
  if (deed === 'agentKey') await replaceAgent(office);
  if (deed === 'apiKey') await replaceApiKey(office);
  if (deed === 'merchantKey') await replaceMerchantKey(office);
  if (deed === 'webhook') await replaceWebhook(office);
}

/** The day before a busy day the limits are raised, and on the day after it they are as before. */
export async function prepare(office: Office, day: number): Promise<void> {
  if (busyness(day + 1) > 2 || busyness(day) > 2) await writeRules(office, day);
}

async function writeRules(office: Office, day: number): Promise<void> {
  const id = office.policyId;
  const input = { rules: rulesFor(office, day) };
  await must(office.desk, 'updatePolicy', 'PUT', `/ap2/admin/policies/${id}`, input, { id });
  office.count('policies written');
  const worker = office.chance.of(office.workers);
  const velocity = { maxTransactions: office.chance.between(170, 260), maxAmount: 9000, timeWindow: '1d' };
  const path = `/ap2/admin/agents/${encodeURIComponent(worker.peer.did)}/velocity`;
  await must(office.desk, 'setAgentVelocity', 'PUT', path, velocity, { did: worker.peer.did });
}

function rulesFor({ aDay }: Office, day: number): JsonObject {
  return {
    version: '2.0',
    spend: { amount_cap: 100, presence_cap: 200, currency: 'USD' },
    context: { presence_threshold: 90, time_windows: windowsOf(dayStart(day)) },
    risk: { velocity_limit: limitsOf(day, aDay * Math.max(1, busyness(day + 1))) },
    merchant: { deny_list: [DENIED_SHOP] },
  };
}

/** An agent enters with its key, and with an API key of its own where it buys by one. */
async function enter(office: Office, worker: Worker): Promise<void> {
  const { name, peer, way } = worker;
  await must(office.desk, 'registerAgent', 'POST', '/ap2/agents', { name, publicKey: peer.publicKey });
  worker.desk = new Desk(office.world, worker.owner, { peer });
  if (way === 'key') await giveKey(office, worker);
}

async function giveKey(office: Office, worker: Worker): Promise<void> {
  const { name, peer } = worker;
  const made = await must(office.desk, 'createApiKey', 'POST', '/ap2/admin/api-keys', {
    name,
    permissions: ['read', 'write'],
    agents: [peer.did],
  });
  worker.key = { id: made.id, secret: made.key };
  worker.desk = new Desk(office.world, worker.owner, { apiKey: made.key });
}

/** An agent is its key: a new one takes the place of the one before, which is revoked. */
async function replaceAgent(office: Office): Promise<void> {
  const { desk, principals, workers, chance } = office;
  const worker = chance.of(workers);
  const { desk: formerDesk, peer: former, key } = worker;
  worker.peer = office.newPeer();
  await enter(office, worker);
  const did = String(principals[0]?.did);
  const agents = workers.map(({ peer }) => peer.did);
  await must(desk, 'changePrincipal', 'PUT', `/ap2/admin/principals/${encodeURIComponent(did)}`, { agents }, { did });
  const path = `/ap2/admin/agents/${encodeURIComponent(former.did)}/revoke`;
  await must(desk, 'revokeAgent', 'POST', path, { reason: 'a new key' }, { did: former.did });
  await tryBuying(office, { ...worker, desk: formerDesk, peer: former });
  if (key !== undefined) await revokeKey(office, key);
  office.count('agent keys replaced');
}

async function replaceApiKey(office: Office): Promise<void> {
  const worker = office.chance.of(office.workers.filter(({ key }) => key !== undefined));
  const { key } = worker;
  await giveKey(office, worker);
  if (key !== undefined) await revokeKey(office, key);
  office.count('API keys replaced');
}

async function revokeKey(
  office: Office,
  { id, secret }: { readonly id: string; readonly secret: string },
): Promise<void> {
  const path = `/ap2/admin/api-keys/${id}`;
  await office.desk.surely({ call: 'revokeApiKey', route: ['DELETE', path], input: {}, named: { id } });
  const desk = office.deskOf(`the holder of the revoked key ${id}`, { apiKey: secret });
  await desk.rest({ call: 'listPayments', route: ['GET', '/ap2/payments?limit=1'], input: {} });
}

/** The former key of a shop signs a cart once more. */
async function replaceMerchantKey(office: Office): Promise<void> {
  const { chance, stalls, desk } = office;
  const stall = chance.of(stalls);
  const { bindingId: id, peer: former, domain } = stall;
  stall.peer = office.newPeer();
  stall.bindingId = (await bind(office, domain, stall.peer.did)).id;
  await desk.surely({
    call: 'removeMerchant',
    route: ['DELETE', `/ap2/admin/merchants/${id}`],
    input: {},
    named: { id },
  });
  office.count('merchant keys replaced');
  const worker = office.workers.find(({ way }) => way === 'proof');
  const begun = worker && (await begin(office, worker));
  if (worker === undefined || begun === undefined) return;
  const offer = { domain, items: [{ name: 'Thing', price: 1, quantity: 1 }], total: 1, currency: 'USD' };
  const input = { intentVc: begun.intentVc, cartVc: makeCart(former, offer) };
  await worker.desk.rest({ call: 'validateCart', route: ['POST', '/ap2/carts/validate'], input });
}

async function replaceWebhook(office: Office): Promise<void> {
  const [hook] = HOOKS;
  if (hook === undefined) return;
  const url = `http://ledger${office.world.done.get('subscriptions replaced') ?? 0}.example/hook`;
  await must(office.desk, 'createWebhook', 'POST', '/ap2/admin/webhooks', { ...hook, url });
  for (const { id, url: other } of await office.desk.list('listWebhooks', '/ap2/admin/webhooks')) {
    if (other === url || !String(other).includes('ledger')) continue;
    await office.desk.surely({
      call: 'deleteWebhook',
      route: ['DELETE', `/ap2/admin/webhooks/${id}`],
      input: {},
      named: { id },
    });
  }
  office.count('subscriptions replaced');
}

/**
 * A thief has the seed of a key that was retired: an intent that it signs now, and one that it dates back, are worth nothing.
 * @param seed 32 bytes
 */
export async function tryRetiredKey(office: Office, seed: Buffer): Promise<void> {
  const worker = office.workers.find(({ way }) => way === 'proof');
  const begun = worker && (await begin(office, worker));
  if (begun === undefined) return;
  const retired = makePeer(seed);
  const { proof: _proof, ...intent } = begun.intentVc as JsonObject;
  const forged = { ...intent, issuer: retired.did };
  const thief = office.deskOf('a thief with the retired key', { peer: begun.worker.peer });
  for (const at of [new Date(), new Date(office.world.loop.time - DAY_MS)]) {
    const intentVc = prove(retired, { ...forged, issuanceDate: at.toISOString() }, 'assertionMethod', at);
    const offer = {
      domain: begun.stall.domain,
      items: [{ name: 'Thing', price: 1, quantity: 1 }],
      total: 1,
      currency: 'USD',
    };
    const input = { intentVc, cartVc: makeCart(begun.stall.peer, offer) };
    await thief.rest({ call: 'validateCart', route: ['POST', '/ap2/carts/validate'], input });
  }
  office.count('forgeries by a retired key');
}

/** Nothing of it may work. */
async function tryBuying(office: Office, worker: Worker): Promise<void> {
  const { peer, desk } = worker;
  const request = { maxAmount: 1, currency: 'USD' };
  const input = { agentDid: peer.did, principalDid: String(office.principals[1]?.did), request };
  await desk.rest({ call: 'issueIntent', route: ['POST', '/ap2/intents'], input });
}

function bind(office: Office, domain: string, did: string): Promise<Loose> {
  return must(office.desk, 'bindMerchant', 'POST', '/ap2/admin/merchants', { domain, did });
}

/** The DID by which the node is addressed at present. */
export async function currentDid(desk: Desk): Promise<string> {
  const route = ['GET', '/a2a/v1/.well-known/agent-card.json'] as const;
  const { body } = await desk.surely({ call: 'agentCard', route, input: {} });
  const extensions: Loose[] = [...(body.extensions ?? []), ...(body.capabilities?.extensions ?? [])];
  return extensions.find(({ params }) => typeof params?.did === 'string').params.did;
}

/** Asks until it is done. */
async function must(
  desk: Desk,
  call: string,
  method: 'POST' | 'PUT',
  path: string,
  input: JsonObject,
  named: JsonObject = {},
): Promise<Loose> {
  const told = await desk.surely({ call, route: [method, path], input, named });
  if (told.status >= 400) throw new Error(`${call}: ${JSON.stringify(told)}`);
  return told.body;
}
