/** Limits over time as an owner draws them: of all windows, time zones and scopes, at merchants and in categories; loose and tight. */
import type { JsonObject } from '../../support/peer.ts';
import { type Chance, chance } from '../machine/chance.ts';
import type { World } from '../world.ts';
import type { Shop } from './market.ts';

/** Of the shops of a world, one after another. */
const CATEGORIES = [
  { name: 'groceries', mcc: '5411' },
  { name: 'restaurants', mcc: '5812' },
  { name: 'electronics', mcc: '5732' },
] as const;

const SLIDING = ['10s', '1m', '10m', '1h', '24h', '30d'];
const PERIODS = ['day', 'week', 'month', 'quarter', 'year'];
const ZONES = ['UTC', 'America/New_York', 'Asia/Tokyo', 'Asia/Kathmandu', 'Europe/Berlin'];

/** By day, or the moment at which a period begins somewhere. */
const MOMENTS = [
  { at: Date.UTC(2026, 0, 5, 9), zone: 'UTC' },
  { at: Date.UTC(2026, 0, 5, 9), zone: 'Europe/Berlin' },
  // A Sunday and a month.
  { at: Date.UTC(2026, 1, 1), zone: 'UTC' },
  // A Monday, the first day of summer time that is whole.
  { at: Date.UTC(2026, 2, 9, 4), zone: 'America/New_York' },
  // A Monday and a quarter.
  { at: Date.UTC(2024, 2, 31, 15), zone: 'Asia/Tokyo' },
  // A Monday and a year.
  { at: Date.UTC(2023, 11, 31, 18, 15), zone: 'Asia/Kathmandu' },
];

/** @returns when a world begins, so shortly before a moment that it comes in the world's time, in milliseconds since the epoch */
export function beginningOfWorld(seed: string): number {
  return momentOf(seed).at - chance(`${seed} beginning`).between(20, 150) * 1000;
}

function momentOf(seed: string): (typeof MOMENTS)[number] {
  return chance(`${seed} moment`).of(MOMENTS);
}

/** The category of a shop, by its place in the world. */
export function mccOf(place: number): string {
  return (CATEGORIES[place % CATEGORIES.length] as (typeof CATEGORIES)[number]).mcc;
}

/** Rules that limit what is bought over time, and what is bought again, as one world's owner draws them. */
export function limiting(world: World, shops: readonly Shop[]): (rules: JsonObject) => JsonObject {
  const dice = chance(`${world.options.seed} budgets`);
  const scene = { dice, shops, zone: momentOf(world.options.seed).zone };
  return (rules) => {
    const limits = dice.permille(800) ? Array.from({ length: dice.between(2, 7) }, () => policyLimit(scene)) : [];
    const risk = {
      ...(rules['risk'] as JsonObject | undefined),
      ...(limits.length > 0 && { limits: named(limits) }),
      ...(dice.permille(400) && { duplicate: duplicate(dice) }),
    };
    return Object.keys(risk).length === 0 ? rules : { ...rules, risk };
  };
}

/** An agent's own limits. @param isTight so that a few purchases reach them */
export function ownLimits(world: World, dice: Chance, shops: readonly Shop[], isTight: boolean): JsonObject[] {
  const scene = { dice, shops, zone: momentOf(world.options.seed).zone };
  const limits = Array.from({ length: dice.between(1, 2) }, () => limit(scene, isTight));
  return named(limits).map(({ max_transactions, max_amount, ...rest }) => ({
    ...rest,
    name: `own ${String(rest['name'])}`,
    ...(max_transactions !== undefined && { maxTransactions: max_transactions }),
    ...(max_amount !== undefined && { maxAmount: max_amount }),
  }));
}

/** What limits are drawn from. */
interface Scene {
  readonly dice: Chance;
  readonly shops: readonly Shop[];
  /** In which a period begins in the world's time. */
  readonly zone: string;
}

function policyLimit(scene: Scene): JsonObject {
  const { dice } = scene;
  const scope = dice.of([undefined, 'agent', 'principal', 'principal', 'policy']);
  return { ...limit(scene, dice.permille(100)), ...(scope !== undefined && { scope }) };
}

function limit({ dice, shops, zone }: Scene, isTight: boolean): JsonObject {
  // Of a tight one in a long window nothing would be left soon.
  const asks = dice.permille(100);
  const isPeriod = dice.permille(isTight ? 150 : 600);
  const sliding = isTight ? SLIDING.slice(0, 2) : SLIDING;
  const [few, much] = isTight ? [12, 250] : asks ? [20, 400] : [150, 5000];
  const what = dice.below(3);
  const where = dice.permille(350) ? narrowing(dice, shops) : {};
  return {
    window: dice.of(isPeriod ? PERIODS : sliding),
    ...(isPeriod && dice.permille(800) && { timezone: dice.of([zone, dice.of(ZONES)]) }),
    ...(what !== 0 && { max_transactions: dice.between(Math.ceil(few / 4), few) }),
    ...(what !== 1 && { max_amount: dice.between(much * 25, much * 100) / 100 }),
    ...where,
    ...(dice.permille(100) && { currency: dice.of(['USD', 'USD', 'EUR']) }),
    ...(asks && { action: 'presence' }),
  };
}

function narrowing(dice: Chance, shops: readonly Shop[]): JsonObject {
  const place = dice.below(shops.length);
  const { domain } = shops[place] as Shop;
  const category = (CATEGORIES[place % CATEGORIES.length] as (typeof CATEGORIES)[number]).name;
  return dice.of([
    { merchant: domain },
    { merchant: '*.market.example' },
    { category },
    { merchant: domain, category },
  ]);
}

/** Names that come back in the next policy, for what may be another limit. */
function named(limits: readonly JsonObject[]): JsonObject[] {
  return limits.map((each, place) => ({ name: `budget ${place + 1}`, ...each }));
}

function duplicate(dice: Chance): JsonObject {
  return {
    window: dice.of(['10s', '1m', '1h']),
    action: dice.permille(700) ? 'deny' : 'presence',
    ...(dice.permille(300) && { above: dice.between(1, 10) }),
    ...(dice.permille(300) && { max: 2 }),
  };
}
