/** The books since they were read last: what a day has changed, and the events that it has added to the chain. */
import type { Loose } from '../../support/world.ts';
import type { Desk } from '../actors/desk.ts';
import { countPending, headOf } from '../books.ts';
import type { Books } from '../history.ts';

/** How much further than needed an export reaches. */
const MORE = 20;
/** How long a day's deliveries may take to come to rest, in milliseconds. */
const MOST_MS = 10 * 60_000;

/** An attempt that is under way has ended after this time. */
const ON_ITS_WAY_MS = 700;

/** What was read before. */
export interface Bookmark {
  seq: number;
  /** Ids in the order of time: of the last intent, payment and delivery, and the size of the last checkpoint. */
  intent: string;
  payment: string;
  delivery: string;
  checkpoint: number;
}

/** @param mark moved to where the books end now */
export async function readDay(desk: Desk, mark: Bookmark): Promise<Books> {
  await comeToRest(desk);
  const touched = new Set(desk.world.rail.takeTouched());
  for (;;) {
    const head = await headOf(desk);
    const books = await readAll(desk, mark, head, touched);
    const meanwhile = desk.world.rail.takeTouched();
    // What the node does by itself, such as ending a hold, is in all of it or in none: the rail is ahead of the chain.
    if (meanwhile.size === 0 && (await headOf(desk)) === head) {
      moveMark(mark, books);
      return books;
    }
    for (const id of meanwhile) touched.add(id);
    await desk.pause(ON_ITS_WAY_MS);
  }
}

async function readAll(desk: Desk, mark: Bookmark, head: number, touched: ReadonlySet<string>): Promise<Books> {
  const events = await readEvents(desk, mark.seq, head);
  const payments = await newer(desk, 'listPayments', '/ap2/payments', (each) => each.mandateId > mark.payment);
  const intents = await newer(desk, 'listIntents', '/ap2/intents', (each) => each.mandateId > mark.intent);
  const logs = '/ap2/admin/webhooks/logs';
  const deliveries = await newer(desk, 'listWebhookLogs', logs, (each) => each.id > mark.delivery, 'logs');
  const kept = '/ap2/evidence/checkpoints';
  const checkpoints = await newer(desk, 'listCheckpoints', kept, (each) => each.size > mark.checkpoint);
  const known = new Set([...payments, ...intents].map(({ mandateId }) => mandateId));
  for (const id of changedBefore(events, touched, known)) payments.push(await show(desk, 'getPayment', 'payments', id));
  for (const id of expired(events, known)) intents.push(await show(desk, 'getIntent', 'intents', id));
  const changed = new Set([...touched, ...payments.map(({ mandateId }) => mandateId)]);
  return {
    payments,
    intents,
    events,
    deliveries: deliveries.reverse(),
    checkpoints: checkpoints.map(({ note }) => note).reverse(),
    rail: desk.world.rail.balancesOf(changed),
    sinceSeq: mark.seq + 1,
  };
}

function moveMark(mark: Bookmark, { events, payments, intents, deliveries, checkpoints }: Books): void {
  const last = (items: readonly unknown[], name: string, before: string) =>
    (items as Loose[]).reduce((most, each) => (each[name] > most ? each[name] : most), before);
  mark.seq += events.length;
  mark.payment = last(payments, 'mandateId', mark.payment);
  mark.intent = last(intents, 'mandateId', mark.intent);
  mark.delivery = last(deliveries, 'id', mark.delivery);
  mark.checkpoint = checkpoints.reduce((most, note) => Math.max(most, Number(note.split('\n')[1])), mark.checkpoint);
}

/** Until each delivery has arrived or failed, and no payment is open at the rail. */
async function comeToRest(desk: Desk): Promise<void> {
  const { loop } = desk.world;
  const until = loop.now + MOST_MS;
  do await desk.pause(ON_ITS_WAY_MS);
  while ((await countPending(desk)) > 0 && loop.now < until);
}

/** The items of a list that are newer than what was read before, the newest first. */
async function newer(
  desk: Desk,
  call: string,
  path: string,
  isNew: (item: Loose) => boolean,
  member = 'data',
): Promise<Loose[]> {
  const items: Loose[] = [];
  for (let cursor = ''; ; ) {
    const { status, body } = await desk.surely({ call, route: ['GET', `${path}?limit=200${cursor}`], input: {} });
    if (status !== 200) throw new Error(`${call} answered ${status}: ${JSON.stringify(body)}`);
    const found = (body[member] as Loose[]).filter(isNew);
    items.push(...found);
    if (body.hasMore !== true || found.length < body[member].length) return items;
    cursor = `&cursor=${body.cursor}`;
  }
}

/** All events after one, as far as another one. */
async function readEvents(desk: Desk, after: number, head: number): Promise<Loose[]> {
  if (head === after) return [];
  // Some more, since the chain may have grown since.
  const route = ['GET', `/ap2/evidence/export?last=${head - after + MORE}`] as const;
  const { body } = await desk.surely({ call: 'exportEvidence', route, input: {} });
  return body.events.filter(({ seq }: Loose) => seq > after && seq <= head);
}

/** Payments that events or the rail tell of and that were made before. */
function changedBefore(events: readonly Loose[], touched: ReadonlySet<string>, known: ReadonlySet<string>): string[] {
  const told = events
    .filter(({ eventType }) => /^PAYMENT_|^PM_/.test(eventType))
    .map(({ data }) => String(data.mandateId));
  return [...new Set([...told, ...touched])].filter((id) => id.startsWith('pm_') && !known.has(id));
}

function expired(events: readonly Loose[], known: ReadonlySet<string>): string[] {
  const ids = events
    .filter(({ eventType }) => eventType === 'INTENT_EXPIRED')
    .map(({ data }) => String(data.mandateId));
  return [...new Set(ids)].filter((id) => !known.has(id));
}

async function show(desk: Desk, call: string, noun: string, id: string): Promise<Loose> {
  const told = await desk.surely({ call, route: ['GET', `/ap2/${noun}/${id}`], input: { mandateId: id } });
  if (told.status !== 200) throw new Error(`${call} of ${id} answered ${told.status}: ${JSON.stringify(told.body)}`);
  return told.body;
}
