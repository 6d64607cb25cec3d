/**
 * An agent that pays elsewhere, with a card that no node sees: it reserves before, and tells what came of it: all, a part, more than was
 * reserved, nothing at all, late, two things at once, or with the receipt of another purchase. Its owner settles what is left.
 */
import type { JsonObject } from '../../support/peer.ts';
import type { Loose } from '../../support/world.ts';
import { type Chance, chance } from '../machine/chance.ts';
import type { World } from '../world.ts';
import type { Answered, Desk } from './desk.ts';
import { makeRoom } from './makeRoom.ts';
import type { Market } from './market.ts';
import type { Wanted } from './person.ts';
import { passOn, waitForPerson } from './visitor.ts';

interface CardHolding extends Market {
  readonly letters: Wanted[];
  /** Of the owner, who settles payments that the agent did not tell of. */
  readonly owner: Desk;
}

interface Reserved {
  readonly mandateId: string;
  readonly priceMinor: number;
}

const TRIES = 4;
/** A reservation lasts at least so long, in milliseconds. */
const LEAST_MS = 60_000;

/** Rules under which a payment elsewhere is reserved, as one world's owner draws them. */
export function reservingElsewhere(world: World, isThere: boolean): (rules: JsonObject) => JsonObject {
  const dice = chance(`${world.options.seed} payments elsewhere`);
  return (rules) => {
    if (!isThere) return rules;
    const allow = ['CARD_RAIL', 'SPT_RAIL', 'X402_RAIL', 'EXTERNAL_RAIL'];
    const rails = { ...(rules['rails'] as JsonObject | undefined), allow };
    const external = { release: dice.of(['owner', 'agent']), on_expiry: dice.of(['hold', 'release']) };
    return { ...rules, rails, ...(dice.permille(800) && { external }) };
  };
}

export async function payElsewhere(holding: CardHolding): Promise<void> {
  const { desk } = holding;
  const dice = chance(`${desk.world.options.seed} card of ${desk.owner.name}`);
  const receipts: JsonObject[] = [];
  while (holding.isOpen()) {
    await desk.pause(dice.fraction() * holding.pauseMs);
    if (!holding.isOpen()) return;
    if (dice.permille(100)) await makeRoom(holding);
    const reserved = await reserve(holding, dice, {});
    if (reserved === undefined) await desk.pause(dice.below(4000));
    else await tell(holding, dice, reserved, receipts);
  }
}

async function reserve(holding: CardHolding, dice: Chance, more: JsonObject): Promise<Reserved | undefined> {
  const priceMinor = dice.permille(100) ? dice.between(1000, 5000) : dice.between(2, 900);
  const principalDid = dice.of(holding.principals).did;
  const input = {
    ...{ agentDid: holding.agent.did, principalDid, merchant: dice.of(holding.shops).domain },
    ...{ amount: priceMinor / 100, currency: 'USD', channel: 'card', expiresIn: dice.between(60, 90) },
    ...more,
  };
  const ask = () => post(holding, 'reserveExternally', '', input, `key-${dice.bytes(8).toString('hex')}`, {}, dice);
  const told = await ask();
  const approval = told?.body?.approval;
  if (approval?.id === undefined) return reservedIn(told, priceMinor);
  passOn(holding, principalDid, approval);
  if (!(await waitForPerson(holding, dice, approval.id))) return undefined;
  const approved = { ...input, approvalId: String(approval.id) };
  const key = `key-${dice.bytes(8).toString('hex')}`;
  return reservedIn(await post(holding, 'reserveExternally', '', approved, key, {}, dice), priceMinor);
}

function reservedIn(told: Answered | undefined, priceMinor: number): Reserved | undefined {
  const mandateId: unknown = told?.body?.mandateId;
  return told?.status === 200 && typeof mandateId === 'string' ? { mandateId, priceMinor } : undefined;
}

type Act = (holding: CardHolding, dice: Chance, reserved: Reserved, receipts: JsonObject[]) => Promise<unknown>;

async function tell(holding: CardHolding, dice: Chance, reserved: Reserved, receipts: JsonObject[]): Promise<void> {
  const { desk } = holding;
  // What is told after the reservation has ended comes late.
  if (dice.permille(150)) await desk.pause(LEAST_MS + dice.below(60_000));
  const acts = dice.permille(150) ? [dice.of(ACTS), dice.of(ACTS)] : [dice.of(ACTS)];
  await Promise.all(acts.map((act) => act(holding, dice, reserved, receipts)));
  if (dice.permille(100)) await dice.of(ACTS)(holding, dice, reserved, receipts);
}

const ACTS: readonly Act[] = [
  commitAll,
  commitAll,
  commitAll,
  (holding, dice, reserved, receipts) =>
    commit(holding, dice, reserved, receipts, dice.between(1, reserved.priceMinor)),
  overrun,
  release,
  release,
  async () => {},
  settle,
];

function commitAll(holding: CardHolding, dice: Chance, reserved: Reserved, receipts: JsonObject[]): Promise<unknown> {
  return commit(holding, dice, reserved, receipts, undefined);
}

async function commit(
  holding: CardHolding,
  dice: Chance,
  { mandateId }: Reserved,
  receipts: JsonObject[],
  paidMinor: number | undefined,
): Promise<Answered | undefined> {
  const own = dice.permille(500)
    ? { kind: 'receipt', sha256: dice.bytes(32).toString('hex') }
    : { kind: 'order', reference: `order-${dice.bytes(6).toString('hex')}` };
  const isBorrowed = receipts.length > 0 && dice.permille(150);
  const evidence = isBorrowed ? dice.of(receipts) : own;
  if (!isBorrowed) receipts.push(own);
  const input = { evidence, ...(paidMinor !== undefined && { amount: paidMinor / 100 }) };
  return post(holding, 'commitReservation', `/${mandateId}/commit`, input, undefined, { mandateId }, dice);
}

/** More was paid than was reserved: the rest is reserved too, or the owner settles it. */
async function overrun(holding: CardHolding, dice: Chance, reserved: Reserved, receipts: JsonObject[]): Promise<void> {
  const paidMinor = reserved.priceMinor + dice.between(1, 300);
  await commit(holding, dice, reserved, receipts, paidMinor);
  if (dice.permille(300)) await reserve(holding, dice, { tops: reserved.mandateId });
  if (dice.permille(400)) await settleAs(holding, reserved, { status: 'CAPTURED', amount: paidMinor / 100 });
}

function release(holding: CardHolding, dice: Chance, { mandateId }: Reserved): Promise<unknown> {
  const input = { reason: dice.of(['not_paid', 'declined', 'abandoned']) };
  return post(holding, 'releaseReservation', `/${mandateId}/release`, input, undefined, { mandateId }, dice);
}

function settle(holding: CardHolding, dice: Chance, reserved: Reserved): Promise<unknown> {
  const paid = { status: 'CAPTURED', amount: dice.between(1, reserved.priceMinor) / 100 };
  return settleAs(holding, reserved, dice.permille(500) ? { status: 'CANCELED' } : paid);
}

function settleAs({ owner }: CardHolding, { mandateId }: Reserved, how: JsonObject): Promise<Answered | undefined> {
  const route = ['POST', `/ap2/payments/${mandateId}/settle`] as const;
  return owner.rest({ call: 'settlePayment', route, input: { ...how, note: 'Seen.' }, named: { mandateId } });
}

/** Again with the same bytes where no answer came. */
async function post(
  { desk }: CardHolding,
  call: string,
  path: string,
  input: JsonObject,
  key: string | undefined,
  named: JsonObject,
  dice: Chance,
): Promise<{ readonly status: number; readonly body: Loose } | undefined> {
  const route = ['POST', `/ap2/external/reservations${path}`] as const;
  for (let tries = 1; ; tries++) {
    const told = await desk.rest({ call, route, input, named, ...(key !== undefined && { key }) });
    if ((told !== undefined && told.status !== 503) || tries === TRIES) return told;
    await desk.pause(dice.below(2000));
  }
}
