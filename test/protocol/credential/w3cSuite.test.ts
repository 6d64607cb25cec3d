/**
 * The conformance suite of the W3C for eddsa-jcs-2022 (github.com/w3c/vc-di-eddsa-test-suite), against the functions of protocol/. It is no
 * package: VC_DI_EDDSA_SUITE names a checkout of it with its packages installed.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { ISSUER, startVcApi } from '../../support/vcApi.ts';

const folder = process.env['VC_DI_EDDSA_SUITE'];
const skip = folder === undefined ? 'VC_DI_EDDSA_SUITE names no checkout of the suite' : false;
const FILES = ['60-jcs-interop', '70-data-model', '80-algorithms'].map((name) => `tests/${name}.js`);

test('the suite of the W3C for eddsa-jcs-2022 passes', { skip }, async (t) => {
  const server = await startVcApi();
  t.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/credentials`;
  const role = (endpoint: string) => ({
    id: ISSUER,
    endpoint,
    supports: { vc: ['2.0'] },
    tags: ['eddsa-jcs-2022', 'localhost'],
  });
  const implementation = {
    name: 'Countersign',
    implementation: 'Countersign',
    issuers: [role(`${url}/issue`)],
    verifiers: [role(`${url}/verify`)],
  };
  const config = {
    settings: { enableInteropTests: false, testAllImplementations: false },
    implementations: [implementation],
  };
  await writeFile(join(String(folder), 'localConfig.cjs'), `module.exports = ${JSON.stringify(config)};\n`);
  const args = [...FILES, '--reporter', 'json', '--timeout', '15000', '--preserve-symlinks'];
  const run = promisify(execFile)('node_modules/.bin/mocha', args, { cwd: String(folder) });
  const { stdout } = await run.catch((error: { readonly stdout: string }) => error);
  const { stats, failures } = JSON.parse(stdout.slice(stdout.indexOf('{')));
  assert.deepEqual(
    failures.map(({ fullTitle }: { readonly fullTitle: string }) => fullTitle),
    [],
  );
  assert.ok(stats.passes >= 13, `${stats.passes}`);
});
