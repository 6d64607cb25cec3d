/** The books as the owner reads them through the API, once all is at rest. */
import { gunzipSync } from 'node:zlib';
import type { Loose } from '../support/world.ts';
import type { Desk } from './actors/desk.ts';
import type { Books } from './history.ts';
import { LATE_MS } from './machine/network.ts';

const OPEN = ['PENDING', 'UNKNOWN'];
/** By these merchants take the money, until what pays them ends: then it is known what was taken. */
const TAKEN_BY_MERCHANTS = ['SPT_RAIL', 'X402_RAIL', 'EXTERNAL_RAIL'];
/** How long all may take to come to rest, in milliseconds. */
const MOST_MS = 90 * 60_000;

/** How long a node may show a status list as it was, in milliseconds. */
const STATUS_MS = 5000;

/** How long tasks may take to end: their agents’ intents live for a minute and a half. */
const TASKS_MS = 10 * 60_000;

/** @param hasTasks whether some agents speak standard A2A @throws Error where the node does not come to rest */
export async function readBooks(desk: Desk, hasTasks: boolean): Promise<Books> {
  // Actors that still ask get their answers, and do what they had begun. The reader is one of those who live.
  const patience = desk.world.loop.now + MOST_MS;
  while (desk.world.living > 1 && desk.world.loop.now < patience) await desk.pause(1000);
  // What a storm has delayed arrives, also when its answer is not waited for any more.
  await desk.pause(LATE_MS + 1000);
  for (;;) {
    const payments = await settled(desk);
    const head = await headOf(desk);
    const books = await readAll(desk, payments, hasTasks);
    // What happens by itself meanwhile, such as the expiry of an intent, is in all of it or in none.
    if ((await headOf(desk)) === head || desk.world.loop.now > patience + MOST_MS) return books;
  }
}

async function readAll(desk: Desk, payments: readonly Loose[], hasTasks: boolean): Promise<Books> {
  const { world } = desk;
  const tasks = hasTasks ? await endedTasks(desk) : [];
  const intents = await desk.list('listIntents', '/ap2/intents');
  const exported = await desk.surely({ call: 'exportEvidence', route: ['GET', '/ap2/evidence/export'], input: {} });
  const deliveries = await desk.list('listWebhookLogs', '/ap2/admin/webhooks/logs', 'logs');
  const checkpoints = await desk.list('listCheckpoints', '/ap2/evidence/checkpoints');
  return {
    payments,
    intents,
    events: exported.body.events,
    deliveries: deliveries.reverse(),
    checkpoints: checkpoints.map(({ note }: Loose) => note).reverse(),
    rail: [world.rail, world.tokens, world.chain].flatMap(({ balances }) => balances),
    tasks,
    statuses: await readStatuses(desk, exported.body.events),
  };
}

/** The places that mandates have by the chain, as the lists show them once a node has read them anew. */
async function readStatuses(desk: Desk, events: readonly Loose[]): Promise<Map<string, boolean>> {
  const places = events.flatMap(({ data }) => (data.status?.idx === undefined ? [] : [data.status]));
  const statuses = new Map<string, boolean>();
  await desk.pause(STATUS_MS);
  for (const number of new Set(places.map(({ list }) => list))) {
    const route = ['GET', `/ap2/status/${number}`] as const;
    const { status, body } = await desk.surely({ call: 'statusList', route, input: {} });
    if (status !== 200) continue;
    const bits = gunzipSync(Buffer.from(body.credentialSubject.encodedList.slice(1), 'base64url'));
    for (const { list, idx } of places) {
      if (list === number) statuses.set(`${list}#${idx}`, ((bits[idx >> 3] ?? 0) & (0x80 >> (idx & 7))) !== 0);
    }
  }
  return statuses;
}

/** All payments, once none is open and no delivery is due. */
async function settled(desk: Desk): Promise<Loose[]> {
  const { loop } = desk.world;
  const until = loop.now + MOST_MS;
  for (;;) {
    const payments = await desk.list('listPayments', '/ap2/payments');
    const open = payments.filter((each) => isOpen(each));
    const isTold = !desk.world.hasDisputesToTell;
    // Disputes that were told after these were read are in the next ones.
    if (open.length === 0 && (await countPending(desk)) === 0 && isTold) {
      return await desk.list('listPayments', '/ap2/payments');
    }
    // The oracle says of each what is wrong with it.
    if (loop.now > until) return payments;
    // What pays a merchant ends at its own time, which a clock may have set an hour ahead.
    await desk.pause(open.every(({ status }) => status === 'AUTHORIZED') && open.length > 0 ? 20_000 : 5000);
  }
}

function isOpen({ status, rail, attention }: Loose): boolean {
  if (attention !== undefined) return false;
  return OPEN.includes(status) || (status === 'AUTHORIZED' && TAKEN_BY_MERCHANTS.includes(rail));
}

/** @returns how many deliveries are due, later, or under way */
export async function countPending(desk: Desk): Promise<number> {
  let pending = 0;
  for (const { id } of await desk.list('listWebhooks', '/ap2/admin/webhooks')) {
    const route = ['GET', `/ap2/admin/webhooks/${id}`] as const;
    pending += Number((await desk.surely({ call: 'getWebhook', route, input: { id } })).body.waiting.pending);
  }
  return pending;
}

/** @returns the number of the newest event; 0 where there is none */
export async function headOf(desk: Desk): Promise<number> {
  const route = ['GET', '/ap2/evidence/search?limit=1'] as const;
  const { body } = await desk.surely({ call: 'searchEvidence', route, input: {} });
  return Number(body.data[0]?.seq ?? 0);
}

/** All tasks, once each has ended. */
async function endedTasks(desk: Desk): Promise<Loose[]> {
  const { loop } = desk.world;
  const until = loop.now + TASKS_MS;
  for (;;) {
    const listed = await desk.list('listTaskRecords', '/ap2/tasks');
    const isOpen = listed.some(({ endedAt }) => endedAt === undefined);
    if (isOpen && loop.now < until) {
      await desk.pause(10_000);
      continue;
    }
    const tasks: Loose[] = [];
    for (const { id } of listed) {
      const route = ['GET', `/ap2/tasks/${id}`] as const;
      tasks.push((await desk.surely({ call: 'getTaskRecord', route, input: { id } })).body.task);
    }
    return tasks;
  }
}
