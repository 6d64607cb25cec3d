/** The largest input that an operation takes: its example, with its lists as long as they may be, and filled up to the longest body. */
import { CATEGORY_NAMES } from '../../protocol/policy/values/category.ts';
import { makeCart } from '../../test/support/peer.ts';
import type { World } from '../../test/support/world.ts';

type Members = Readonly<Record<string, unknown>>;

const MOST_BYTES = 262_144;
/** Of a list of a policy, of the items of a cart, and of the agents of a principal. */
const MOST = 1000;
/** Time windows of each of two policies that come in one body. */
const FEWER = 100;
/** Of agents that a query names, and that a key is bound to. */
const MOST_NAMED = 50;
const MOST_BOUND = 20;

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const code = (at: number) => String(at).padStart(4, '0');

/** Rules with every list as long as it may be. @param salt makes one that the node has not compiled before @param windowCount fewer where two are sent */
function largestRules(salt: string, windowCount = MOST): object {
  const domains = (prefix: string) => times(MOST, (at) => `${at % 2 === 0 ? '*.' : ''}${prefix}${salt}${at}.example`);
  const zones = Intl.supportedValuesOf('timeZone');
  const windows = times(windowCount, (at) => {
    return { from: `${code(at % 12).slice(2)}:00`, to: '23:59', timezone: zones[at % zones.length] };
  });
  const countries = times(MOST, (at) => (at % 2 === 0 ? 'DE' : 'FR'));
  return {
    version: '2.0',
    spend: {
      amount_cap: 200,
      currency: 'USD',
      categories: times(MOST, (at) => CATEGORY_NAMES[at % CATEGORY_NAMES.length]),
    },
    merchant: {
      allow_list: ['shop.example', ...domains('a').slice(1)],
      deny_list: domains('d'),
      mcc_allow: times(MOST, code),
      mcc_deny: times(MOST, (at) => code(at + 5000)),
    },
    context: { time_windows: windows, geo: { allow: countries, deny: countries.map(() => 'KP') } },
    rails: { allow: times(MOST, (at) => (at === 0 ? 'CARD_RAIL' : `RAIL_${at}`)) },
  };
}

/** @param dids of agents that are registered @param salt differs each time */
export function largestInput(
  world: World,
  name: string,
  example: Members,
  dids: readonly string[],
  salt: string,
): Members {
  const wide: Record<string, unknown> = { ...example };
  if ('rules' in wide) wide['rules'] = largestRules(salt);
  if (name === 'comparePolicies')
    Object.assign(wide, { former: largestRules(`f${salt}`, FEWER), next: largestRules(`n${salt}`, FEWER) });
  if (name === 'registerPrincipal' || name === 'changePrincipal') wide['agents'] = dids.slice(0, MOST);
  if (name === 'createApiKey')
    Object.assign(wide, { permissions: ['read', 'write'], agents: dids.slice(0, MOST_BOUND) });
  if (name === 'listLimits') wide['agents'] = dids.slice(0, MOST_NAMED).join(',');
  if (typeof wide['limit'] === 'number') wide['limit'] = name === 'search' ? 20 : 200;
  if (name === 'validateCart') {
    const items = times(MOST, (at) => ({ name: `Thing ${at}`, price: 0.1, quantity: 1 }));
    wide['cartVc'] = makeCart(world.merchant, { domain: 'shop.example', items, total: MOST / 10, currency: 'USD' });
  }
  if (Array.isArray(wide['items'])) {
    wide['items'] = times(100, (at) => ({ name: `Thing ${at}`, price: 1, quantity: 1 }));
    wide['amount'] = 100;
  }
  return wide;
}

/** The text of a body, filled up with a member that is ignored. */
export function filledUp(input: Members): string {
  const text = JSON.stringify({ ...input, filler: [] });
  const left = Math.max(0, Math.floor((MOST_BYTES - Buffer.byteLength(text) - 8) / 3));
  return `${text.slice(0, -2)}{}${',{}'.repeat(left)}]}`;
}
