/** Tokens that would take long to take apart: each is refused in less than 50 ms, and of a stranger nothing is decoded. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { AT, AUD, NONCE, PROVIDER, paymentChain } from '../protocol/sdjwt/chains.ts';
import { everyEngine } from '../support/engines.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

/** Of CPU, since the machine may do something else meanwhile. */
const MOST_MS = 50;
const TIMES = 12;
const JWT = paymentChain().split('~')[0] as string;

/** Arrays in arrays, which a parser would follow. */
const DEEP = Buffer.from(`["s",${'['.repeat(20_000)}${']'.repeat(20_000)}]`).toString('base64url');

const HUGE: Readonly<Record<string, string>> = {
  'of 64 KiB and a character': 'e'.repeat(65_537),
  'of nearly the longest body': `${JWT}~${'e'.repeat(250_000)}~`,
  'of nine hops': `${Array.from({ length: 9 }, () => JWT).join('~~')}~`,
  'of ten thousand disclosures': `${JWT}~${'WyJz~'.repeat(10_000)}`,
  'of nothing but tildes': '~'.repeat(65_536),
  'of eight hops with a thousand tildes and 64 KiB': Array.from({ length: 8 }, () => `${JWT}~${'e~'.repeat(140)}`).join(
    '~',
  ),
  'with one disclosure that nests 20,000 deep': `${JWT}~${DEEP}~`,
};

/** Each within what one text may have; together they are not, or are hard. */
const LAYERS: Readonly<Record<string, { readonly l1: string; readonly l2: string; readonly l3Payment?: string }>> = {
  'of 90 KiB in three texts': { l1: 'e'.repeat(30_000), l2: 'e'.repeat(30_000), l3Payment: 'e'.repeat(30_000) },
  'of three times 64 KiB': { l1: 'e'.repeat(65_536), l2: 'e'.repeat(65_536), l3Payment: 'e'.repeat(65_536) },
  'of a thousand disclosures and some': {
    l1: `${JWT}~`,
    l2: `${JWT}~${'WyJz~'.repeat(600)}`,
    l3Payment: '~'.repeat(600),
  },
  'of a thousand disclosures': { l1: `${JWT}~`, l2: `${JWT}~${'WyJz~'.repeat(900)}` },
  'with a disclosure that nests 20,000 deep': { l1: `${JWT}~`, l2: `${JWT}~${DEEP}~` },
};

const [engine] = everyEngine();

describe('a huge token', () => {
  let world: World;
  before(async () => {
    assert.ok(engine);
    world = await makeWorld(engine);
  });
  after(() => world.close());

  async function refusedSoon(path: string, body: object, isRefusal: (answer: Loose) => boolean): Promise<void> {
    const times: number[] = [];
    for (let time = 0; time < TIMES; time += 1) {
      const start = process.cpuUsage();
      const answer = await world.rest('POST', path, body);
      const { user, system } = process.cpuUsage(start);
      times.push((user + system) / 1000);
      assert.ok(answer.status === 400 || isRefusal(answer.body), answer.text.slice(0, 300));
    }
    // Of both ends, which this process is; the least tells what the work is beside what the machine collects meanwhile.
    assert.ok(Math.min(...times) < MOST_MS, times.join(' ms, '));
  }

  for (const [name, token] of Object.entries(HUGE)) {
    test(`${name} is refused in less than ${MOST_MS} ms`, async () => {
      const body = { token, trustedJwk: PROVIDER.jwk, aud: AUD, nonce: NONCE, at: AT };
      await refusedSoon('/ap2/mandates/verify', body, ({ valid }) => valid === false);
    });

    test(`${name}, from a stranger, is not even called malformed`, async () => {
      const answer = await world.rest('POST', '/ap2/mandates/verify', { token, trustedJwk: 'x' }, {});
      assert.equal(answer.status, 401);
    });
  }

  for (const [name, verifiableIntent] of Object.entries(LAYERS)) {
    test(`in layers ${name} pays nothing, in less than ${MOST_MS} ms, and is not read for a stranger`, async () => {
      const body = { verifiableIntent, nonce: NONCE, checkoutJwtHash: 'x', agentDid: world.agent.did };
      await refusedSoon('/ap2/payment-credentials', body, ({ allowed }) => allowed === false);
      assert.equal((await world.rest('POST', '/ap2/payment-credentials', body, {})).status, 401);
    });
  }
});
