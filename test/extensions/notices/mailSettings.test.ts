/** The settings of a mail server: one address or its parts, and a sentence for each way in which they do not fit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describe as shownSettings } from '../../../src/cli/server/checkConfig.ts';
import type { MailServer } from '../../../src/extensions/notices/mail/mailer.ts';
import { mailServerOf } from '../../../src/extensions/notices/mail/mailSettings.ts';
import { ConfigError, readConfig } from '../../../src/node/config/config.ts';

const FROM = { SMTP_FROM: 'node@mail.example' };

function serverOf(env: Record<string, string>): MailServer | undefined {
  return mailServerOf(readConfig(env).extensionSettings['notices'] as Parameters<typeof mailServerOf>[0]);
}

function faultsOf(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
}

test('an address and its parts say the same', () => {
  const server = serverOf({ SMTP_URL: 'smtp://node:p%40ss@mail.example:2525', ...FROM });
  assert.deepEqual(server, {
    host: 'mail.example',
    port: 2525,
    isTls: false,
    user: 'node',
    password: 'p@ss',
    from: 'node@mail.example',
  });
  const parts = { SMTP_HOST: 'mail.example', SMTP_PORT: '2525', SMTP_USER: 'node', SMTP_PASSWORD: 'p@ss' };
  assert.deepEqual(serverOf({ ...parts, ...FROM }), server);
});

test('the port is that of submission where none is named, and 465 is TLS from the start', () => {
  const portOf = (env: Record<string, string>) => {
    const server = serverOf({ ...env, ...FROM });
    return [server?.port, server?.isTls];
  };
  assert.deepEqual(portOf({ SMTP_URL: 'smtp://mail.example' }), [587, false]);
  assert.deepEqual(portOf({ SMTP_URL: 'smtps://mail.example' }), [465, true]);
  assert.deepEqual(portOf({ SMTP_HOST: 'mail.example' }), [587, false]);
  assert.deepEqual(portOf({ SMTP_HOST: 'mail.example', SMTP_PORT: '465' }), [465, true]);
  assert.equal(serverOf({ SMTP_HOST: '[::1]', ...FROM })?.host, '::1');
});

test('what does not fit is named with its remedy, and no secret is in the sentence', () => {
  for (const [env, expected] of [
    [{ SMTP_HOST: 'mail.example' }, /SMTP_FROM=: is missing beside SMTP_HOST/],
    [{ SMTP_URL: 'smtp://mail.example' }, /SMTP_FROM=: is missing beside SMTP_URL/],
    [FROM, /SMTP_FROM=.*does nothing without SMTP_URL or SMTP_HOST/],
    [{ SMTP_HOST: 'mail.example', SMTP_USER: 'x', ...FROM }, /SMTP_PASSWORD=: is missing beside SMTP_USER/],
    [{ SMTP_HOST: 'mail.example', SMTP_PASSWORD: 's3cret', ...FROM }, /SMTP_USER=: is missing beside SMTP_PASSWORD/],
    [{ SMTP_URL: 'smtp://mail.example', SMTP_PASSWORD: 's3cret', ...FROM }, /SMTP_PASSWORD cannot be set beside it/],
    [{ SMTP_URL: 'smtp://u:s3cret%zz@mail.example', ...FROM }, /write it as %25/],
    [{ SMTP_URL: 'https://u:s3cret@mail.example', ...FROM }, /SMTP_URL=\(hidden\): must be smtp:/],
    [{ SMTP_URL: 'smtp://mail.example/?tls=false', ...FROM }, /SMTP_URL=\(hidden\)/],
    [{ SMTP_HOST: 'mail.example', SMTP_FROM: 'Node <node@mail.example>' }, /must be an e-mail address alone/],
    [{ SMTP_HOST: 'mail example', ...FROM }, /SMTP_HOST=/],
  ] as const) {
    const faults = faultsOf(env);
    assert.match(faults, expected);
    assert.ok(!faults.includes('s3cret'), faults);
  }
});

test('"config check" names the settings and hides the password', () => {
  const values = { SMTP_URL: 'smtp://node:s3cret@pass@mail.example', ...FROM };
  const sources = new Map(Object.keys(values).map((name) => [name, 'environment']));
  const shown = shownSettings(readConfig(values), { values, sources, readable: [] });
  assert.doesNotMatch(JSON.stringify(shown), /s3cret|pass@/);
  const of = (name: string) => shown.find((setting) => setting.name === name);
  const value = 'smtp://node:(hidden)@mail.example';
  assert.deepEqual(of('SMTP_URL'), { name: 'SMTP_URL', value, source: 'environment' });
  assert.equal(of('SMTP_PASSWORD')?.value, null);
});
