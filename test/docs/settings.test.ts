/** The tables of configuration.md have every setting of the node with its default, and stripe.md those of the card rail alone. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { runHere } from '../cli/runHere.ts';

interface Setting {
  readonly name: string;
  readonly value: string | null;
  readonly source: string;
}

/** The rows of tables that begin with names of settings: the names, and the defaults that stand beside them. */
async function described(page: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const line of (await readFile(page, 'utf8')).split('\n')) {
    const [, names = '', defaults = ''] = line.split('|').map((cell) => cell.trim());
    if (!/^`[A-Z][A-Z0-9_]+`/.test(names)) continue;
    const values = defaults.split('`, `').map((value) => value.replaceAll('`', ''));
    for (const [index, name] of names.split(', ').entries()) {
      found.set(name.replaceAll('`', ''), values.length > 1 ? (values[index] ?? '') : (values[0] ?? ''));
    }
  }
  return found;
}

test('the tables of settings have every setting and no other, with its default', async () => {
  // Settings that belong together are shown together, once one of them is given.
  const given = {
    STRIPE_SECRET_KEY: `sk_test_${'a'.repeat(24)}`,
    STRIPE_WEBHOOK_SECRET: `whsec_${'a'.repeat(24)}`,
    OIDC_ISSUER: 'https://login.example',
    OIDC_CLIENT_ID: 'countersign',
    OIDC_CLIENT_SECRET: 'a'.repeat(24),
  };
  const { stdout, stderr } = await runHere(['config', 'check', '--json'], given);
  assert.notEqual(stdout, '', stderr);
  const settings = (JSON.parse(stdout) as { settings: Setting[] }).settings;
  const all = await described('docs/reference/configuration.md');
  const stripe = await described('docs/guides/stripe.md');
  const known = settings.map(({ name }) => name);
  assert.deepEqual(
    known.filter((name) => !all.has(name)),
    [],
    'a setting, but not in configuration.md',
  );
  assert.deepEqual(
    [...all.keys(), ...stripe.keys()].filter((name) => !known.includes(name)),
    [],
    'described, but no setting',
  );
  for (const { name, value, source } of settings) {
    // Some defaults depend on another setting, and are told in words.
    if (value === null || source !== 'default' || value.startsWith('./data/node/')) continue;
    for (const told of [all.get(name), stripe.get(name)]) {
      if (told !== undefined && !/[ :]/.test(told)) assert.equal(told, value, name);
    }
  }
});
