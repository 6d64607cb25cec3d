/** Where settings come from: the environment goes before the file of settings, and secrets may stand in files of their own. */
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { readConfig } from '../../../src/node/config/config.ts';
import { readSecret, readSettings } from '../../../src/node/config/settingLayers.ts';

describe('settings', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-settings-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const write = (name: string, text: string): string => {
    const file = join(folder, name);
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  };
  /** The faults of settings, a line each, without the folder's name. */
  const faults = (env: Record<string, string>): string[] => {
    try {
      readSettings(env);
    } catch (error) {
      return (error as Error).message.replaceAll(`${folder}/`, '').split('\n');
    }
    return [];
  };

  test('are read from the file that COUNTERSIGN_CONFIG names, below the environment, each with its source', () => {
    const file = write(
      'node.toml',
      'PORT = 9000\nAP2_ENV = "production"\nSTRIPE_SPT = true\nRAIL_RETRY_SECONDS = [1, 2]\nTRUSTED_PROXIES = ["10.0.0.0/8", "127.0.0.1/32"]\n',
    );
    const { values, sources } = readSettings({ COUNTERSIGN_CONFIG: file, PORT: '9001', OTHER: 'x', HOST: '' });
    assert.deepEqual(readSettings({ COUNTERSIGN_CONFIG: '', PORT: '9001' }).values, { PORT: '9001' });
    assert.deepEqual(values, {
      PORT: '9001',
      AP2_ENV: 'production',
      STRIPE_SPT: 'true',
      RAIL_RETRY_SECONDS: '1,2',
      TRUSTED_PROXIES: '10.0.0.0/8,127.0.0.1/32',
    });
    assert.equal(sources.get('PORT'), 'environment');
    assert.equal(sources.get('AP2_ENV'), file);
    assert.deepEqual(readConfig({ RAIL_RETRY_SECONDS: values['RAIL_RETRY_SECONDS'] }).railRetrySeconds, [1, 2]);
  });

  test('are not taken from a file that others may write; one with a secret that they may read is named', () => {
    const secret = write('secret', 'whsec_x\n');
    const file = write('node.toml', `STRIPE_WEBHOOK_SECRET_FILE = ${JSON.stringify(secret)}\n`);
    assert.deepEqual(readSettings({ COUNTERSIGN_CONFIG: file }).readable, []);
    chmodSync(file, 0o644);
    assert.deepEqual(readSettings({ COUNTERSIGN_CONFIG: file }).readable, []);
    chmodSync(secret, 0o644);
    assert.deepEqual(readSettings({ COUNTERSIGN_CONFIG: file }).readable, [secret]);
    const plain = write('plain.toml', 'STRIPE_SECRET_KEY = "sk_test_x"\n');
    chmodSync(plain, 0o640);
    assert.deepEqual(readSettings({ COUNTERSIGN_CONFIG: plain }).readable, []);
    chmodSync(plain, 0o604);
    assert.deepEqual(readSettings({ COUNTERSIGN_CONFIG: plain }).readable, [plain]);
    for (const [open, env] of [
      [secret, { COUNTERSIGN_CONFIG: file }],
      [file, { COUNTERSIGN_CONFIG: file }],
    ] as const) {
      chmodSync(open, 0o602);
      assert.match(String(faults(env)), /every user of this machine may write it: chmod o-w /);
      chmodSync(open, 0o600);
    }
    chmodSync(secret, 0o666);
    assert.throws(() => readSecret({ STRIPE_WEBHOOK_SECRET_FILE: secret }, 'STRIPE_WEBHOOK_SECRET'), /may write it/);
  });

  test('take a secret from the file that NAME_FILE names, without the end of its line', () => {
    const secret = write('database', 'postgres://node@db.example/countersign\n');
    const file = write(
      'node.toml',
      `DATABASE_URL_FILE = ${JSON.stringify(secret)}\nOIDC_CLIENT_SECRET = "from the file"\n`,
    );
    const other = write('other', 'from a file\r\n');
    const { values, sources } = readSettings({ COUNTERSIGN_CONFIG: file, OIDC_CLIENT_SECRET_FILE: other });
    assert.equal(values['DATABASE_URL'], 'postgres://node@db.example/countersign');
    assert.equal(sources.get('DATABASE_URL'), secret);
    assert.equal(values['OIDC_CLIENT_SECRET'], 'from a file');
    const key = `ak_test_${'k'.repeat(32)}`;
    assert.equal(readSecret({ COUNTERSIGN_API_KEY_FILE: write('key', `${key}\n`) }, 'COUNTERSIGN_API_KEY'), key);
    assert.equal(readSecret({ COUNTERSIGN_API_KEY: key }, 'COUNTERSIGN_API_KEY'), key);
    assert.equal(readSecret({}, 'COUNTERSIGN_API_KEY'), undefined);
  });

  test('may be written as the reference shows them', () => {
    const [, shown = ''] = /```toml\n([^`]*)```/.exec(readFileSync('docs/reference/configuration.md', 'utf8')) ?? [];
    const secret = write('secret', 'postgres://node@db.example/countersign\n');
    const file = write('shown.toml', shown.replace('/run/secrets/database-url', secret));
    const config = readConfig(readSettings({ COUNTERSIGN_CONFIG: file }).values);
    assert.deepEqual(
      [config.environment, config.databaseUrl],
      ['production', 'postgres://node@db.example/countersign'],
    );
  });

  test('keep the names of key files, which are settings of their own', () => {
    assert.deepEqual(readSettings({ ISSUER_KEY_FILE: '/keys/issuer' }).values, { ISSUER_KEY_FILE: '/keys/issuer' });
  });

  test('are refused together where they cannot be read, and no secret is shown', () => {
    const file = write('node.toml', 'PROT = 9000\nDATABASE_URL = { host = "supersecret" }\n');
    const empty = write('empty', '\n');
    const found = faults({
      COUNTERSIGN_CONFIG: file,
      DATABASE_URL_FILE: join(folder, 'none'),
      OIDC_CLIENT_SECRET_FILE: empty,
      OIDC_CLIENT_SECRET: 'supersecret',
    });
    assert.deepEqual(found, [
      'PROT=: is no setting; node.toml takes those of "countersign config check"',
      'DATABASE_URL=: must be a text, a number, true or false, or a list of them in node.toml',
      `DATABASE_URL_FILE="none": cannot be read: ENOENT: no such file or directory, open 'none'`,
      'OIDC_CLIENT_SECRET_FILE="empty": OIDC_CLIENT_SECRET is set too; leave one of them out',
      'OIDC_CLIENT_SECRET_FILE="empty": the file is empty',
    ]);
    const broken = write('broken.toml', 'PORT = 9000\nDATABASE_URL = "postgres://supersecret\n');
    const [fault = '', ...more] = faults({ COUNTERSIGN_CONFIG: broken });
    assert.match(fault, /^COUNTERSIGN_CONFIG="broken\.toml": cannot be read: line 2: /);
    assert.doesNotMatch(fault, /supersecret/);
    assert.deepEqual(more, []);
    assert.match(faults({ COUNTERSIGN_CONFIG: join(folder, 'none.toml') })[0] ?? '', /"none\.toml": cannot be read/);
  });

  test('are not read from a file that this user may not read', { skip: process.getuid?.() === 0 }, () => {
    const file = write('node.toml', 'PORT = 9000\n');
    chmodSync(file, 0);
    assert.match(faults({ COUNTERSIGN_CONFIG: file })[0] ?? '', /EACCES/);
  });
});
