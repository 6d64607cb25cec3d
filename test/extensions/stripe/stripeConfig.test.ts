/** Starting with a Stripe account that does not fit: one clear sentence each. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ConfigError, readConfig } from '../../../src/node/config/config.ts';
import { freePort, startChild } from '../../support/child.ts';
import { STRIPE_KEY, type StripeDouble, startStripe } from '../../support/stripe/double.ts';

const SECRET = 'whsec_0123456789abcdef';
const LIVE = 'sk_live_51NobodysKey';

function faultsOf(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
}

describe('a Stripe account in the environment', () => {
  for (const [what, env, expected] of [
    [
      'a live key in the sandbox',
      { STRIPE_SECRET_KEY: LIVE, STRIPE_WEBHOOK_SECRET: SECRET },
      /live key.*sandbox.*AP2_ENV/,
    ],
    [
      'a test key in production',
      { AP2_ENV: 'production', STRIPE_SECRET_KEY: STRIPE_KEY, STRIPE_WEBHOOK_SECRET: SECRET },
      /test key.*production.*AP2_ENV/,
    ],
    ['a key alone', { STRIPE_SECRET_KEY: STRIPE_KEY }, /STRIPE_WEBHOOK_SECRET=: is missing/],
    ['tokens without an account', { STRIPE_SPT: 'true' }, /STRIPE_SPT=true: does nothing/],
    ['a webhook secret alone', { STRIPE_WEBHOOK_SECRET: SECRET }, /STRIPE_SECRET_KEY=: is missing/],
    [
      'a publishable key',
      { STRIPE_SECRET_KEY: 'pk_test_51x', STRIPE_WEBHOOK_SECRET: SECRET },
      /secret or restricted key/,
    ],
    [
      'another address by http',
      { STRIPE_SECRET_KEY: STRIPE_KEY, STRIPE_WEBHOOK_SECRET: SECRET, STRIPE_API_BASE: 'http://stripe.example' },
      /STRIPE_API_BASE.*https/,
    ],
  ] as const) {
    test(`refuses ${what} and says what would be right, without showing it`, () => {
      const faults = faultsOf(env);
      assert.match(faults, expected);
      assert.ok(!/live_51|test_51|pk_test|0123456789abcdef|double51/.test(faults), faults);
    });
  }

  test('is taken when it fits', () => {
    assert.equal(faultsOf({ STRIPE_SECRET_KEY: STRIPE_KEY, STRIPE_WEBHOOK_SECRET: SECRET }), '');
    const production = { AP2_ENV: 'production', STRIPE_SECRET_KEY: LIVE, STRIPE_WEBHOOK_SECRET: SECRET };
    assert.equal(readConfig(production).extensionSettings['stripe']?.['STRIPE_SECRET_KEY'], LIVE);
    assert.equal(readConfig({}).extensionSettings['stripe'], undefined);
  });
});

describe('Stripe at start', () => {
  let stripe: StripeDouble;
  let dataDir: string;
  before(async () => {
    stripe = await startStripe();
    dataDir = await mkdtemp(join(tmpdir(), 'countersign-stripe-start-'));
  });
  after(async () => {
    await stripe.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  const env = () => ({ DATA_DIR: dataDir, ...stripe.env() });

  test('a key that Stripe refuses ends it with code 2', async () => {
    const { code, output } = await run({ ...env(), STRIPE_SECRET_KEY: 'sk_test_revokedLongAgo' });
    assert.equal(code, 2, output);
    assert.match(output, /STRIPE_SECRET_KEY=\(hidden\): \S+ refuses the key/);
    assert.ok(!output.includes('revokedLongAgo'));
  });

  test('an API that cannot be reached is a warning that names address and consequence', async () => {
    const node = await startChild({
      ...env(),
      STRIPE_API_BASE: `http://127.0.0.1:${await freePort()}`,
      LOG_LEVEL: 'info',
    });
    assert.match(node.output(), /extension\.unreachable/);
    assert.match(node.output(), /127\.0\.0\.1/);
    assert.match(node.output(), /stay UNKNOWN until/);
    assert.equal(await node.stop(), 0);
  });

  test('without one, its door says so', async () => {
    const node = await startChild({ DATA_DIR: dataDir });
    const reply = await fetch(`${node.address}/ap2/rails/stripe/events`, { method: 'POST', body: '{}' });
    assert.equal(reply.status, 503);
    assert.match(await reply.text(), /STRIPE_SECRET_KEY/);
    assert.equal(await node.stop(), 0);
  });
});

/** Runs the node until it ends by itself. */
function run(env: Record<string, string>): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ['bin/countersign.js', 'serve'], {
    env: { PATH: process.env.PATH ?? '', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })));
}
