/** An addon that would end the process is not loaded; the one that is installed here may be. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { addonFault } from '../../../src/store/sqlite/addonFault.ts';

const installed = () =>
  readFileSync(createRequire(import.meta.url).resolve('better-sqlite3/build/Release/better_sqlite3.node'));

test('an addon that was compiled with a hook for each object is refused with the command that mends it', () => {
  const hooked = Buffer.concat([installed(), Buffer.from('_ZN4node28RemoveEnvironmentCleanupHookEPN2v87Isolate')]);
  assert.match(String(addonFault(hooked, '/a/objectWrap.h')), /CXXFLAGS='-include \/a\/objectWrap\.h' .*npm rebuild/);
});

test('the addon that is installed has no such hooks', () => {
  assert.equal(addonFault(installed(), ''), undefined);
});
