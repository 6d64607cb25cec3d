/** What happens in a seeded month: which agent buys what, where and when, and how it ends. The dice and the time decide it. */
import { AGENTS, type AgentName, SHOPS, type Shop, type ShopName } from './catalog.ts';
import type { Dice } from './dice.ts';

const MINUTE_MS = 60_000;
const DAYS = 30;
/** The most that an agent spends alone, and with the person, in cents. */
export const ALONE_CENTS = 10_000;
export const WITH_PERSON_CENTS = 40_000;

/** How a purchase is meant to end. A person is asked where its total is above what an agent may spend alone. */
type PurchaseOutcome =
  | { readonly kind: 'captured' | 'held' | 'canceled' | 'refunded' | 'partlyRefunded' | 'disputed' }
  | { readonly kind: 'declined'; readonly instrument: string }
  /** The person says no, does not answer, or has not answered yet. */
  | { readonly kind: 'denied' | 'expired' | 'open' }
  /** The policy, or the state of the agent, does not let it pass. */
  | { readonly kind: 'refused'; readonly twist?: 'mismatch' | 'tooMuch' | 'again' | 'euro' | 'others' };

export interface Purchase {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly agent: AgentName;
  readonly shop: ShopName;
  readonly items: readonly { readonly name: string; readonly cents: number; readonly quantity: number }[];
  readonly ending: PurchaseOutcome;
}

export interface MonthPlan {
  readonly startsAt: number;
  /** In the order of time. */
  readonly purchases: readonly Purchase[];
  /** When the agent that is frozen gets a tighter limit, and when it is frozen. */
  readonly warnedAt: number;
  readonly frozenAt: number;
}

/** The agent that its owner freezes. */
export const FROZEN: AgentName = 'Deal hunter';

/** When people shop; hours that stand twice are busier. */
const HOURS = [7, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 14, 15, 16, 16, 17, 18, 18, 19, 20, 20, 21];
const DECLINES = [
  'pm_card_visa_chargeDeclined',
  'pm_card_visa_chargeDeclinedInsufficientFunds',
  'pm_card_authenticationRequired',
];
/** How many purchases are drawn, and for how many of them a person is asked; three more that are paid belong to a refusal. */
const DRAWN = 127;
const LARGE = 9;
const ODD_ENDINGS: readonly PurchaseOutcome[] = [
  ...[0, 0, 1, 2].map((at) => ({ kind: 'declined', instrument: DECLINES[at] as string }) as const),
  ...(['canceled', 'canceled', 'refunded', 'refunded', 'partlyRefunded', 'partlyRefunded', 'disputed'] as const).map(
    (kind) => ({ kind }),
  ),
];
/** One in so many ends so. */
const ODD_EACH = 8;
/** What is undone needs some days until now. */
const ODD_UNTIL_DAY = 5;
const FROZEN_DAY = 6;
/** For so many days before, the agent does what leads to that, and nothing else. */
const STORY_DAYS = 4;

/** @param now when the month ends, milliseconds since the epoch; hours of the day are those of this machine's time zone */
export function planMonth(dice: Dice, now: number): MonthPlan {
  const at = clockOf(dice, now);
  const paid = paidPurchases(dice, at, now);
  const purchases = [...paid, ...openPurchases(now), ...otherPurchases(at)];
  return {
    startsAt: at(DAYS, 6, 0),
    purchases: purchases.sort((one, other) => one.at - other.at),
    warnedAt: at(FROZEN_DAY + 2, 21, 30),
    frozenAt: at(FROZEN_DAY, 21, 5),
  };
}

type ClockOf = (daysAgo: number, hour?: number, minute?: number) => number;

/** A moment of a day, drawn where it is not given; never later than some minutes ago. */
function clockOf(dice: Dice, now: number): ClockOf {
  return (daysAgo, hour = dice.pick(HOURS), minute = dice.between(0, 59)) => {
    const day = new Date(now);
    day.setDate(day.getDate() - daysAgo);
    day.setHours(hour, minute, dice.between(0, 59), dice.between(0, 999));
    // What would be later than now was the day before.
    if (day.getTime() > now - 30 * MINUTE_MS) day.setDate(day.getDate() - 1);
    return day.getTime();
  };
}

function paidPurchases(dice: Dice, at: ClockOf, now: number): Purchase[] {
  const endings = [...ODD_ENDINGS];
  let nextOdd = ODD_EACH;
  let large = LARGE;
  return Array.from({ length: DRAWN }, (_, index) => {
    // Spread over the month, with busier days; some are of the last hours.
    const daysAgo = Math.max(0, DAYS - 1 - Math.floor((index * DAYS) / DRAWN) - dice.pick([0, 0, 0, 1, -1]));
    const isRecent = index >= DRAWN - 4;
    const time = isRecent ? now - (DRAWN - index) * dice.between(35, 70) * MINUTE_MS : at(daysAgo);
    const agent = drawAgent(dice, daysAgo <= FROZEN_DAY + STORY_DAYS);
    const shop = dice.pick<ShopName>(agent.shops);
    const isLarge = large > 0 && !isRecent && 'large' in SHOPS[shop] && dice.between(1, 3) > 1;
    if (isLarge) large -= 1;
    const isOdd = !isLarge && daysAgo > ODD_UNTIL_DAY && index >= nextOdd;
    if (isOdd) nextOdd += ODD_EACH;
    const mayBeHeld = daysAgo < 2 && !('isDigital' in SHOPS[shop]);
    const ending = (isOdd ? endings.shift() : undefined) ?? { kind: mayBeHeld ? dice.pick(RECENT) : 'captured' };
    return { at: time, agent: agent.name, shop, items: basket(dice, shop, isLarge), ending };
  });
}

const RECENT = ['captured', 'held', 'held'] as const;

/** Each as often as its share says. @param withoutFrozen whether the agent that is frozen buys nothing any more */
function drawAgent(dice: Dice, withoutFrozen: boolean) {
  const agents = AGENTS.filter(({ name }) => !withoutFrozen || name !== FROZEN);
  return dice.pick(agents.flatMap((agent) => Array<typeof agent>(agent.share).fill(agent)));
}

/** Some of what a shop has, for no more than an agent may spend alone; or one of the large things. */
function basket(dice: Dice, name: ShopName, isLarge: boolean): Purchase['items'] {
  const shop: Shop = SHOPS[name];
  if (isLarge && shop.large !== undefined) return [lineOf(dice.pick(shop.large))];
  const left = [...shop.items];
  const lines = [];
  let cents = 0;
  const most = dice.between(1, Math.min(5, left.length));
  while (lines.length < most) {
    const [item] = left.splice(dice.between(0, left.length - 1), 1);
    if (item === undefined) break;
    const quantity = item[1] < 1500 && dice.between(1, 4) === 1 ? 2 : 1;
    if (cents + item[1] * quantity > ALONE_CENTS) continue;
    cents += item[1] * quantity;
    lines.push(lineOf(item, quantity));
  }
  return lines;
}

function lineOf([name, cents]: Shop['items'][number], quantity = 1): Purchase['items'][number] {
  return { name, cents, quantity };
}

/** Asks that wait for the person now, the newest first. */
function openPurchases(now: number): Purchase[] {
  const open = (minutesAgo: number, agent: AgentName, shop: ShopName, name: string, cents: number): Purchase => ({
    at: now - minutesAgo * MINUTE_MS,
    agent,
    shop,
    items: [lineOf([name, cents])],
    ending: { kind: 'open' },
  });
  return [
    open(3, 'Home lab', 'electronics', 'Oscilloscope, 2 channels', 32_900),
    open(26, 'Travel desk', 'hotel', 'Double room, 2 nights', 33_800),
    open(94, 'Office supplies', 'office', 'Office chair, mesh', 28_900),
    open(171, 'Gift finder', 'flowers', 'Flowers for a wedding table', 14_500),
  ];
}

/** What people denied or left, and what the policy refused. */
function otherPurchases(at: ClockOf): Purchase[] {
  const one = (
    time: number,
    agent: AgentName,
    shop: ShopName,
    item: Shop['items'][number],
    ending: PurchaseOutcome,
  ) => ({
    at: time,
    agent,
    shop,
    items: [lineOf(item)],
    ending,
  });
  const refused = { kind: 'refused' } as const;
  const captured = { kind: 'captured' } as const;
  const [book, , , pens] = SHOPS.books.items;
  const watch = SHOPS.watches.items[0];
  return [
    one(at(22, 15), 'Home lab', 'electronics', ['Projector, full HD', 34_900], { kind: 'denied' }),
    one(at(13, 19), 'Reading list', 'books', ['Atlas, folio edition', 18_500], { kind: 'denied' }),
    one(at(4, 11), 'Travel desk', 'hotel', ['Suite, 1 night', 31_500], { kind: 'denied' }),
    one(at(9, 17), 'Office supplies', 'office', ['Standing desk, used', 26_000], { kind: 'expired' }),
    one(at(25, 10), 'Home lab', 'electronics', ['Laptop, 16 inches', 149_900], refused),
    one(at(21, 9), 'Travel desk', 'rail', ['Lyon to Geneva, one way', 3900], { ...refused, twist: 'euro' }),
    one(at(18, 12), 'Invoice runner', 'compute', ['Compute credits, 20 h', 4800], { ...refused, twist: 'tooMuch' }),
    one(at(16, 20), 'Gift finder', 'casino', SHOPS.casino.items[0], refused),
    one(at(15, 14), 'Gift finder', 'books', ['Gift wrapping', 650], { ...refused, twist: 'mismatch' }),
    one(at(11, 10), 'Office supplies', 'office', SHOPS.office.items[1], { ...refused, twist: 'again' }),
    one(at(8, 18), 'Travel desk', 'hotel', ['Suite, 3 nights', 94_500], refused),
    one(at(FROZEN_DAY + 1, 19, 4), FROZEN, 'books', book, captured),
    one(at(FROZEN_DAY + 1, 19, 12), FROZEN, 'books', pens, captured),
    one(at(FROZEN_DAY + 1, 19, 21), FROZEN, 'electronics', SHOPS.electronics.items[3], refused),
    ...[5, 16, 27, 41].map((minute) => one(at(FROZEN_DAY, 20, minute), FROZEN, 'watches', watch, refused)),
    one(at(FROZEN_DAY - 1, 8), FROZEN, 'electronics', SHOPS.electronics.items[4], refused),
    one(at(1, 16), 'Grocery agent', 'groceries', ['Catering for 20, cold', 38_900], refused),
    one(at(3, 13), 'Reading list', 'books', SHOPS.books.items[2], { ...refused, twist: 'others' }),
  ];
}

/** Purchases that the policy is to let pass, as far as the person does. */
export function meantToPass({ purchases }: Pick<MonthPlan, 'purchases'>): readonly Purchase[] {
  return purchases.filter(({ ending }) => ending.kind !== 'refused' || ending.twist === 'again');
}

/** @returns in cents */
export function totalOf({ items }: Pick<Purchase, 'items'>): number {
  return items.reduce((sum, { cents, quantity }) => sum + cents * quantity, 0);
}
