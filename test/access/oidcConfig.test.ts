/** The variables of the identity provider: complete, and safe, or the node does not start. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../src/node/config/config.ts';

const GOOD = { OIDC_ISSUER: 'https://provider.example', OIDC_CLIENT_ID: 'countersign', OIDC_CLIENT_SECRET: 'hush' };

test('a provider is configured by issuer, client id and perhaps a secret, and is left out without them', () => {
  assert.deepEqual(readConfig(GOOD).oidc, {
    issuer: 'https://provider.example',
    clientId: 'countersign',
    clientSecret: 'hush',
  });
  assert.equal(readConfig({ ...GOOD, OIDC_CLIENT_SECRET: '' }).oidc?.clientSecret, undefined);
  assert.equal(readConfig({}).oidc, undefined);
});

test('http is taken from a provider on this machine in the sandbox only', () => {
  const local = { ...GOOD, OIDC_ISSUER: 'http://127.0.0.1:3000' };
  assert.equal(readConfig(local).oidc?.issuer, 'http://127.0.0.1:3000');
  assert.throws(() => readConfig({ ...local, AP2_ENV: 'production' }), /OIDC_ISSUER=.*must begin with https/);
  assert.throws(() => readConfig({ ...GOOD, OIDC_ISSUER: 'http://provider.example' }), /OIDC_ISSUER=.*https/);
  assert.throws(() => readConfig({ ...GOOD, OIDC_ISSUER: 'provider.example' }), /OIDC_ISSUER=/);
});

test('half a provider is an error that names the variable and keeps the secret', () => {
  assert.throws(() => readConfig({ OIDC_ISSUER: GOOD.OIDC_ISSUER }), /OIDC_CLIENT_ID/);
  assert.throws(() => readConfig({ OIDC_CLIENT_ID: 'x' }), /OIDC_ISSUER/);
  assert.throws(
    () => readConfig({ OIDC_CLIENT_SECRET: 'hush' }),
    (error: Error) => /OIDC_CLIENT_SECRET/.test(error.message) && !error.message.includes('hush'),
  );
});
