/** `countersign config check`: the configuration that the environment gives, and what is wrong with it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describe } from '../../../src/cli/server/checkConfig.ts';
import { readConfig, SETTINGS } from '../../../src/node/config/config.ts';
import { readSettings } from '../../../src/node/config/settingLayers.ts';
import { runHere } from '../runHere.ts';

const described = (env: Record<string, string>) => describe(readConfig(env), readSettings(env));

const SECRETS = {
  STRIPE_SECRET_KEY: 'sk_test_supersecret',
  STRIPE_WEBHOOK_SECRET: 'whsec_supersecret',
  OIDC_CLIENT_SECRET: 'supersecret',
  DATABASE_URL: 'postgres://someone:supersecret@db.example:5432/countersign',
  DATABASE_REPLICA_URL: 'postgres://someone:supersecret@replica.example:5432/countersign',
  BOOTSTRAP_API_KEY: `ak_test_${'S'.repeat(32)}`,
};
const OTHERS = {
  OIDC_ISSUER: 'https://id.example',
  OIDC_CLIENT_ID: 'countersign',
  PORT: '9000',
  STRIPE_SPT: 'true',
  CORS_ORIGINS: 'https://a.example,https://b.example',
};

test('every setting stands under the name of its variable, with where it comes from', () => {
  const env = { ...SECRETS, ...OTHERS };
  const settings = new Map(described(env).map((setting) => [setting.name, setting]));
  for (const [name, value] of Object.entries(OTHERS)) {
    assert.deepEqual(settings.get(name), { name, value, source: 'environment' });
  }
  assert.deepEqual(settings.get('AP2_ENV'), { name: 'AP2_ENV', value: 'sandbox', source: 'default' });
  assert.deepEqual(settings.get('BASE_URL'), {
    name: 'BASE_URL',
    value: 'http://localhost:9000',
    source: 'default',
  });
  for (const name of SETTINGS) assert.ok(settings.has(name), name);
  for (const name of Object.keys(SECRETS)) assert.equal(settings.get(name)?.source, 'environment', name);
});

test('no secret is shown, nor the password in an address', () => {
  const env = { ...SECRETS, ...OTHERS };
  const text = JSON.stringify(described(env));
  assert.doesNotMatch(text, /supersecret|SSSS/);
  assert.match(text, /postgres:\/\/someone:\(hidden\)@db\.example:5432\/countersign/);
});

test('what it prints can be put into an environment, and gives the same configuration', () => {
  const printed = describe(readConfig({ PORT: '9000' }), readSettings({})).filter(({ value }) => value !== null);
  const env = Object.fromEntries(printed.map(({ name, value }) => [name, value ?? undefined]));
  assert.deepEqual(readConfig(env), readConfig({ PORT: '9000', BASE_URL: 'http://localhost:9000' }));
});

test('a replica without a database that it is of is a fault, and its address is not shown', async () => {
  const { code, stderr } = await runHere(['config', 'check'], {
    DATABASE_REPLICA_URL: 'postgres://someone:supersecret@replica.example/countersign',
  });
  assert.equal(code, 2);
  assert.match(stderr, /^DATABASE_REPLICA_URL=\(hidden\): does nothing without DATABASE_URL; set it too$/m);
});

test('every fault is named at once, without secrets, and the exit code is 2', async () => {
  const env = { PORT: 'x', AP2_ENV: 'live', STRIPE_SECRET_KEY: 'supersecret' };
  const { code, stderr } = await runHere(['config', 'check'], env);
  assert.equal(code, 2);
  for (const name of ['PORT', 'AP2_ENV', 'STRIPE_SECRET_KEY']) assert.match(stderr, new RegExp(`^${name}=`, 'm'));
  assert.doesNotMatch(stderr, /supersecret/);
});

test('faults of one setting and faults between settings are named together, the rails’ too', async () => {
  const env = {
    PORT: 'x',
    STRIPE_SECRET_KEY: 'sk_live_51NobodysKey',
    STRIPE_API_BASE: 'http://stripe.example',
    OIDC_ISSUER: 'https://id.example',
    BOOTSTRAP_API_KEY: `ak_live_${'S'.repeat(32)}`,
  };
  const named = async (more: Record<string, string> = {}) => {
    const { code, stderr } = await runHere(['config', 'check'], { ...env, ...more });
    assert.equal(code, 2);
    return stderr.match(/^\w+(?==)/gm)?.sort();
  };
  const stripe = ['STRIPE_API_BASE', 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'];
  assert.deepEqual(await named(), ['BOOTSTRAP_API_KEY', 'OIDC_CLIENT_ID', 'PORT', ...stripe]);
  // Nothing is said about what hangs on a setting that is wrong itself.
  const missing = ['STRIPE_API_BASE', 'STRIPE_WEBHOOK_SECRET'];
  assert.deepEqual(await named({ AP2_ENV: 'live' }), ['AP2_ENV', 'OIDC_CLIENT_ID', 'PORT', ...missing]);
  assert.deepEqual(await named({ STRIPE_SECRET_KEY: 'x', STRIPE_API_BASE: '' }), [
    'BOOTSTRAP_API_KEY',
    'OIDC_CLIENT_ID',
    'PORT',
    'STRIPE_SECRET_KEY',
  ]);
});

test('the settings are printed for people and for programs', async () => {
  const env = { PORT: '9000' };
  const { stdout } = await runHere(['config', 'check'], env);
  assert.match(stdout, /^PORT +environment +9000$/m);
  // What holds where nothing is set is in force, too.
  assert.match(stdout, /^SANDBOX_RATE_PER_MINUTE +default +30, and 300 from this machine$/m);
  assert.match(stdout, /^SANDBOX_BURST +default +50, and 300 from this machine$/m);
  const { valid, settings } = (await runHere(['config', 'check', '--json'], env)).json();
  assert.equal(valid, true);
  assert.ok(settings.some(({ name, value }: { name: string; value: string }) => name === 'PORT' && value === '9000'));
});

test('the address that will hold is shown, also where the port is chosen at the start', async () => {
  for (const [port, address] of [
    ['9000', 'http://localhost:9000'],
    ['0', 'http://localhost with the port that is chosen at the start'],
  ] as const) {
    const { stdout } = await runHere(['config', 'check'], { PORT: port });
    assert.match(stdout, new RegExp(`BASE_URL +default +${address}\\n`));
  }
});
